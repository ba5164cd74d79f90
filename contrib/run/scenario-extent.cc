/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-run.h"
#include "option-sections.h"
#include "policy-kinds.h"

#include "ns3/csv-writer.h"
#include "ns3/message-service.h"
#include "ns3/message-steering.h"
#include "ns3/process-cost.h"
#include "ns3/receiver-admission.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace ns3
{
namespace aifabric
{

namespace
{

// What the parts of a run take of memory, in bytes, as measured.
constexpr uint64_t HOST_BYTES = 4096;  //!< a host
constexpr uint64_t PORT_BYTES = 5120;  //!< a port
constexpr uint64_t FLOW_BYTES = 4096;  //!< a piece of a message with its queue pair
constexpr uint64_t SHARED_BYTES = 256; //!< a message on a queue pair that others have made
constexpr uint64_t PIECE_BYTES = 24;   //!< a piece of a message on a queue pair of other pieces

/// @return a number of bytes in GB, with a decimal if there are few of them, or in MB
std::string
FormatMemory(double bytes)
{
    constexpr double GIGABYTE = 1e9;
    constexpr double MEGABYTE = 1e6;
    constexpr double TENTHS = 10;
    if (bytes < GIGABYTE / TENTHS)
    {
        return std::to_string(std::llround(bytes / MEGABYTE)) + " MB";
    }
    const double tenths = std::round(bytes / GIGABYTE * TENTHS);
    return (tenths < TENTHS * TENTHS ? FormatNumber(tenths / TENTHS)
                                     : std::to_string(std::llround(bytes / GIGABYTE))) +
           " GB";
}

/// How large a run is: its messages and packets, and the memory that it needs.
class ScenarioExtent : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Messages of one length that a host sends to one leaf at the same time.
    struct Batch
    {
        uint64_t bytes{0};    //!< length of each message
        uint32_t paths{1};    //!< to the leaf, at most
        uint32_t messages{1}; //!< of the batch
        double count{1};      //!< batches that are alike
    };

    /// What messages are divided into.
    struct Parts
    {
        double pieces{0};     //!< parts that a steering posts
        double queuePairs{0}; //!< that the messages need, at most
        double packets{0};    //!< data packets beyond those of undivided messages
    };

    /// Refuse what needs more memory than there is.  @param others what else there is
    /// @param bytes what that needs  @param blamed the option that the line names; "": that of the
    /// size of the fabric
    void RefuseMemory(uint64_t hosts,
                      uint64_t links,
                      const std::string& others = "",
                      double bytes = 0,
                      const std::string& blamed = "") const
    {
        constexpr double SHARE = 0.9;
        const std::string& topology = m_table.Get("topology");
        const double needed = static_cast<double>(hosts) * HOST_BYTES +
                              2 * static_cast<double>(links) * PORT_BYTES + bytes;
        const auto there = static_cast<double>(ProcessCost::GetAvailableBytes());
        RefuseIf(needed > SHARE * there,
                 !blamed.empty()            ? blamed
                 : topology == "fat-tree"   ? "k"
                 : topology == "leaf-spine" ? "leaves"
                 : topology == "three-tier" ? "pods"
                                            : "topology",
                 std::to_string(hosts) + " hosts" + others + " need about " + FormatMemory(needed) +
                     " of memory, and there are " + FormatMemory(there));
    }

    /// Refuse what does not fit into the machine's memory.
    void CheckMemory() const
    {
        const uint64_t hosts = m_scenario.graph->HostCount();
        const uint64_t links = m_scenario.graph->Links().size();
        const uint64_t flows = CountMessages();
        // Collectives and messages of a list use the same queue pairs again and again.
        const uint64_t all = hosts * (hosts - 1) * m_scenario.collectives.channels;
        const uint64_t pairs = m_scenario.training ? std::min(all, m_scenario.extent.pairs) : all;
        const bool isList = m_scenario.training || !m_scenario.fileFlows.empty();
        const uint64_t shared = isList && flows > pairs ? flows - pairs : 0;
        const Parts parts = CountParts();
        const double unshared =
            static_cast<double>(flows - shared) / std::max(1.0, static_cast<double>(flows));
        const double bytes = unshared * parts.queuePairs * FLOW_BYTES +
                             static_cast<double>(shared) * SHARED_BYTES +
                             std::max(0.0, parts.pieces - parts.queuePairs) * PIECE_BYTES;
        const bool isFile = bytes > static_cast<double>(hosts) * HOST_BYTES;
        RefuseMemory(
            hosts,
            links,
            " and " + std::to_string(flows) + " messages" +
                (parts.pieces > flows ? " in " + FormatNumber(parts.pieces) + " pieces" : ""),
            bytes,
            isFile ? FindFile() : "");
    }

    /// @return the option of the file that has the messages; "": there is none
    std::string FindFile() const
    {
        for (const std::string& option : PROGRAM_FILES)
        {
            if (IsGiven(option))
            {
                return option;
            }
        }
        return IsGiven("flows") ? "flows" : "";
    }

    /// Refuse a number of messages of collectives that does not fit.  @param blamed as above
    void CheckMessages(uint64_t messages, const std::string& blamed) const
    {
        RefuseMemory(m_scenario.graph->HostCount(),
                     m_scenario.graph->Links().size(),
                     " and " + std::to_string(messages) + " messages",
                     static_cast<double>(messages) * SHARED_BYTES,
                     blamed);
    }

    /// @return all messages; those of collectives have their mean length
    std::vector<Batch> MakeBatches() const
    {
        const uint32_t paths = CountPaths();
        std::vector<Batch> batches;
        if (!m_scenario.fileFlows.empty())
        {
            for (const Flow& flow : m_scenario.fileFlows)
            {
                if (flow.bytes > 0)
                {
                    batches.push_back({flow.bytes, paths});
                }
            }
            return batches;
        }
        const auto messages = static_cast<double>(CountMessages());
        if (m_scenario.training)
        {
            const double mean =
                static_cast<double>(m_scenario.extent.bytes) / std::max(1.0, messages);
            return {{std::max<uint64_t>(1, std::llround(mean)), paths, 1, messages}};
        }
        const double hosts = m_scenario.graph->HostCount();
        const uint32_t mates = // under a leaf
            std::max(1U, m_scenario.graph->Switches()[0].forwarding.hostCount);
        const uint64_t size = m_scenario.size;
        if (m_scenario.workload == "all-to-all")
        {
            return {{size, m_scenario.graph->Planes(), 1, hosts * (mates - 1)},
                    {size, paths, mates, hosts * (hosts / mates - 1)}};
        }
        return {{size, paths, 1, messages}};
    }

    /// @return what admission by receivers and the steering divide all messages into, at most
    Parts CountParts() const
    {
        const Ptr<MessageSteering> steering = MakePolicy<MessageSteering>(m_scenario.steering);
        const Ptr<ReceiverAdmission> admission = CreateObject<ReceiverAdmission>();
        const bool isAdmitted = m_scenario.receiverSlots > 0;
        const auto packetsOf = [this](uint64_t bytes) {
            return static_cast<double>((bytes + m_scenario.mtu - 1) / m_scenario.mtu);
        };
        Parts all;
        for (const Batch& batch : MakeBatches())
        {
            const uint64_t chunks = isAdmitted ? admission->CountChunks(batch.bytes) : 1;
            CheckDivision("receiverAdmission", batch.bytes, chunks);
            const uint64_t bytes = (batch.bytes + chunks - 1) / chunks; // of a chunk
            const uint64_t pieces = steering->CountPieces(batch.messages, bytes, batch.paths);
            CheckDivision("steering", bytes, pieces / batch.messages);
            const double times = batch.count * static_cast<double>(chunks);
            all.pieces += times * static_cast<double>(pieces);
            // The chunks of a message use the same queue pairs, and its CTS have one more.
            const uint64_t queuePairs =
                steering->CountQueuePairs(batch.messages, bytes, batch.paths) +
                (isAdmitted ? batch.messages : 0);
            all.queuePairs += batch.count * static_cast<double>(queuePairs);
            const uint64_t pieceBytes = (batch.messages * bytes + pieces - 1) / pieces;
            all.packets += times * static_cast<double>(pieces) * packetsOf(pieceBytes) -
                           batch.count * batch.messages * packetsOf(batch.bytes) +
                           (isAdmitted ? times * batch.messages : 0); // a CTS for each chunk
        }
        return all;
    }

    /// Refuse more parts of a message than there may be.  @param option what divides it
    /// @param bytes length of the message
    void CheckDivision(const std::string& option, uint64_t bytes, uint64_t parts) const
    {
        constexpr uint64_t MOST = MessageService::MAX_PIECES;
        RefuseIf(parts > MOST,
                 option,
                 "it divides " + std::to_string(bytes) + " bytes into " + std::to_string(parts) +
                     " parts, and " + std::to_string(MOST) + " are allowed");
    }

    /// @return paths from a leaf to another one, at most
    uint32_t CountPaths() const
    {
        const FabricGraph& graph = *m_scenario.graph;
        const uint32_t up = std::max<uint32_t>(1, graph.LeafUplinks());
        const uint32_t top = graph.Tiers() > 2 ? graph.Uplinks(1) : 1;
        return up * top * graph.Planes();
    }

    /// What jobs of in-network aggregation send.
    struct Sums
    {
        uint64_t fragments{0}; //!< of a worker, of all jobs
        uint64_t hops{0};      //!< packet-hops of all packets
    };

    /// @return what jobs of in-network aggregation send  @param spec the jobs
    Sums CountSums(const AggregationSpec& spec) const
    {
        // Below one switch a packet of each worker and the sum to the server go up and down once,
        // and so do the results. Between racks a sum of each rack and its result go through all
        // tiers.
        const FabricGraph& graph = *m_scenario.graph;
        const uint32_t mates = graph.Switches()[0].forwarding.hostCount; // under a leaf
        Sums all;
        const bool hasServers = !spec.servers.empty();
        for (std::size_t j = 0; j < spec.jobs.size(); ++j)
        {
            const ClusterJob& job = spec.jobs[j];
            std::set<uint32_t> racks{(hasServers ? spec.servers[j] : job.hosts[0]) / mates};
            for (const uint32_t worker : job.hosts)
            {
                racks.insert(worker / mates);
            }
            const uint64_t sums = AggregationRun::CountFragments(spec, job) * job.iterations;
            const uint64_t links = uint64_t{2} * (graph.Tiers() - 1); // from a leaf to another one
            all.fragments += sums;
            all.hops += sums * 2 * (job.hosts.size() + hasServers + (racks.size() - 1) * links);
        }
        return all;
    }

    /// @return how large jobs with in-network aggregation are  @param spec the jobs
    std::string DescribeJobs(const AggregationSpec& spec) const
    {
        const Sums sums = CountSums(spec);
        std::ostringstream os;
        os << m_scenario.graph->HostCount() << " hosts, " << spec.jobs.size()
           << (spec.jobs.size() == 1 ? " job, " : " jobs, ") << sums.fragments
           << " fragments, about " << sums.hops << " packet-hops\n";
        return os.str();
    }

    /// @return about how many packet-hops there are
    uint64_t CountPacketHops() const
    {
        const auto packetsOf = [this](uint64_t bytes) {
            return (bytes + m_scenario.mtu - 1) / m_scenario.mtu;
        };
        uint64_t packets = 0;
        for (const Flow& flow : m_scenario.fileFlows)
        {
            packets += packetsOf(flow.bytes);
        }
        packets += m_scenario.training            ? m_scenario.extent.packets
                   : m_scenario.fileFlows.empty() ? CountMessages() * packetsOf(m_scenario.size)
                                                  : 0;
        packets += static_cast<uint64_t>(CountParts().packets);
        const uint64_t ways = m_scenario.acksInFabric ? 2 : 1; // there, and back
        const uint64_t links = m_scenario.graph->LongestPathLinks();
        const uint64_t hops = packets * ways * links;
        return hops + (m_scenario.aggregation ? CountSums(*m_scenario.aggregation).hops : 0);
    }

    /// @return how large the run is: a line, and what files say and is left out
    std::string Describe() const
    {
        if (m_scenario.HasSumJobs())
        {
            return DescribeJobs(*m_scenario.aggregation);
        }
        std::ostringstream os;
        os << m_scenario.graph->HostCount() << " hosts, " << CountMessages() << " messages, ";
        if (m_scenario.aggregation)
        {
            os << CountSums(*m_scenario.aggregation).fragments << " fragments, ";
        }
        os << "about " << CountPacketHops() << " packet-hops\n";
        for (const std::string& note : m_scenario.notes)
        {
            os << m_scenario.workload << ": " << note << "\n";
        }
        return os.str();
    }

    /// @return how many messages there are
    uint64_t CountMessages() const
    {
        const uint64_t hosts = m_scenario.graph->HostCount();
        return m_scenario.training                   ? m_scenario.extent.messages
               : m_scenario.workload == "all-to-all" ? hosts * (hosts - 1)
               : !m_scenario.fileFlows.empty()       ? m_scenario.fileFlows.size()
               : m_scenario.workload == "incast"     ? m_scenario.senders
                                                     : hosts;
    }
};

} // namespace

void
RefuseMemory(const OptionTable& table, FabricScenario& scenario, uint64_t hosts, uint64_t links)
{
    ScenarioExtent(table, scenario).RefuseMemory(hosts, links);
}

void
CheckMessages(const OptionTable& table,
              FabricScenario& scenario,
              uint64_t messages,
              const std::string& blamed)
{
    ScenarioExtent(table, scenario).CheckMessages(messages, blamed);
}

uint64_t
CountPacketHops(const OptionTable& table, FabricScenario& scenario)
{
    return ScenarioExtent(table, scenario).CountPacketHops();
}

void
ReadExtent(const OptionTable& table, FabricScenario& scenario)
{
    const ScenarioExtent extent(table, scenario);
    extent.CheckMemory();
    scenario.description = extent.Describe();
}

} // namespace aifabric
} // namespace ns3
