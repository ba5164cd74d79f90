/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-bound.h"

#include "least-times.h"
#include "longest-tail-first.h"
#include "switch-cuts.h"

#include <algorithm>
#include <cmath>

/*
 * The notation is that of lower-bound.cc, and so are proofs 1 to 3 and 6, with these changes.
 *
 * 1. Each host has the rate of its own link: its cuts out and in count with that. The times of a
 * frame before and behind a cut are the least ones of any path (LeastTimes), whichever path routing
 * chooses.
 *
 * Where faults slow links or cut them for good, the faster direction of a link between switches
 * counts for both, and a link that is cut is in no border.
 *
 * 7. Ports of unequal rates. Let the frames of a set J cross a border of parallel ports with rates
 * R_p, in bytes a ps. Until the last occupancy ends, at time e, each port has carried at most R_p
 * (e - min r_j) bytes, gaps included. So e is at least min r_j + (bytes of J and its gaps) / sum
 * R_p, and proof 1 holds with this sum as the rate of one port. The frame whose occupancy ends last
 * has left its port the time of a gap earlier, which is at most that of the slowest port.
 *
 * Proof 5 is left out.
 */

namespace ns3
{
namespace aifabric
{

namespace
{

/// Frames of a flow that are alike.
struct FrameGroup
{
    double count;      //!< how many there are, at least
    double bytes;      //!< of all of them, without gaps, at least
    double leastBytes; //!< of the shortest one
};

/// Computes GraphBoundPs().
class GraphBoundCalculator
{
  public:
    GraphBoundCalculator(const FabricGraph& graph,
                         const std::vector<Flow>& flows,
                         const BoundParameters& parameters,
                         LeastTimes& times)
        : m_graph(graph),
          m_flows(flows),
          m_parameters(parameters),
          m_times(times)
    {
    }

    /// @return the bound of the first flow alone, in ps
    double ComputeFirst()
    {
        Raise(JobsOut(m_flows[0].source, {0}));
        Raise(JobsIn(m_flows[0].destination, {0}));
        return std::floor(m_bound);
    }

    /// @return the bound, in ps
    double Compute()
    {
        BoundHosts();
        for (const SwitchCuts& cuts : SwitchCuts::Of(m_graph, m_times.GetLinks()))
        {
            BoundSets(cuts);
        }
        return std::floor(m_bound);
    }

  private:
    using Members = std::vector<std::vector<uint32_t>>; //!< flows by host or by set

    /// Take work into account.  @param jobs the work for one port
    void Raise(std::vector<PortWork> jobs)
    {
        m_bound = std::max(m_bound, LongestTailFirst(std::move(jobs)));
    }

    /// @return the frames of a flow: full ones, and others
    std::vector<FrameGroup> GroupsOf(const Flow& flow) const
    {
        // At a rate at which a byte takes 1 ps, times are numbers of bytes.
        BoundParameters bytes = m_parameters;
        bytes.linkRate = 8'000'000'000'000;
        bytes.fabricRate = 0;
        const MessagePackets packets(flow, bytes);
        std::vector<FrameGroup> groups;
        if (packets.full > 0)
        {
            const auto count = static_cast<double>(packets.full);
            groups.push_back({count, count * packets.fullTime.host, packets.fullTime.host});
        }
        if (packets.others > 0)
        {
            groups.push_back({static_cast<double>(packets.others),
                              packets.othersWork.host,
                              packets.leastTime.host});
        }
        return groups;
    }

    /// @return the bytes of the shortest frame of a flow
    double LeastBytes(const Flow& flow) const
    {
        return GroupsOf(flow).back().leastBytes;
    }

    /// @return the work of a group at a port of a host  @param psPerByte of that port
    double WorkOf(const FrameGroup& group, double psPerByte) const
    {
        return std::floor((group.bytes + group.count * m_parameters.gapBytes) * psPerByte);
    }

    /// Bound what each host sends and receives.
    void BoundHosts()
    {
        Members out(m_graph.HostCount());
        Members in(m_graph.HostCount());
        for (uint32_t i = 0; i < m_flows.size(); ++i)
        {
            out[m_flows[i].source].push_back(i);
            in[m_flows[i].destination].push_back(i);
        }
        for (uint32_t host = 0; host < m_graph.HostCount(); ++host)
        {
            std::vector<PortWork> jobs = JobsOut(host, out[host]);
            if (m_parameters.rateFactor < 1)
            {
                Raise(PacedJobs(host, jobs));
            }
            if (m_parameters.acksInFabric && !m_parameters.acksOvertake)
            {
                AddAckJobs(host, in[host], jobs);
            }
            Raise(std::move(jobs));
            Raise(JobsIn(host, in[host]));
        }
    }

    /// @return proof 1: what a host sends  @param members its flows
    std::vector<PortWork> JobsOut(uint32_t host, const std::vector<uint32_t>& members)
    {
        const double psPerByte = m_times.PsPerByteOut(host);
        const double gap = m_parameters.gapBytes * psPerByte;
        std::vector<PortWork> jobs;
        for (const uint32_t i : members)
        {
            const Flow& flow = m_flows[i];
            for (const FrameGroup& group : GroupsOf(flow))
            {
                const double slot = group.leastBytes * psPerByte + gap;
                AddShared(jobs,
                          {static_cast<double>(flow.startPs),
                           WorkOf(group, psPerByte),
                           m_times.Way(flow, group.leastBytes) + m_times.AckWay(flow) - slot,
                           slot},
                          1);
            }
        }
        return jobs;
    }

    /// @return proof 1: what a host receives  @param members its flows
    std::vector<PortWork> JobsIn(uint32_t host, const std::vector<uint32_t>& members)
    {
        const double psPerByte = m_times.PsPerByteIn(host);
        const double gap = m_parameters.gapBytes * psPerByte;
        std::vector<PortWork> jobs;
        for (const uint32_t i : members)
        {
            const Flow& flow = m_flows[i];
            for (const FrameGroup& group : GroupsOf(flow))
            {
                const double last = m_times.LastHop(flow, group.leastBytes);
                const double slot = group.leastBytes * psPerByte + gap;
                const double release =
                    static_cast<double>(flow.startPs) + m_times.Way(flow, group.leastBytes) - last;
                AddShared(
                    jobs,
                    {release, WorkOf(group, psPerByte), last - slot + m_times.AckWay(flow), slot},
                    1);
            }
        }
        return jobs;
    }

    /// Proof 2: add the acknowledgements that a host must send.  @param members the flows that it
    /// receives  @param jobs where to
    void AddAckJobs(uint32_t host,
                    const std::vector<uint32_t>& members,
                    std::vector<PortWork>& jobs)
    {
        const double slot = (static_cast<double>(m_parameters.ackBytes) + m_parameters.gapBytes) *
                            m_times.PsPerByteOut(host);
        for (const uint32_t i : members)
        {
            const Flow& flow = m_flows[i];
            double packets = 0;
            for (const FrameGroup& group : GroupsOf(flow))
            {
                packets += group.count;
            }
            const double batch = m_parameters.packetsPerAck;
            const double count = batch == 0 ? 1 : std::ceil(packets / batch);
            const double received =
                static_cast<double>(flow.startPs) + m_times.Way(flow, LeastBytes(flow));
            AddShared(jobs, {received, count * slot, m_times.AckWay(flow) - slot, slot}, 1);
        }
    }

    /// @return proof 3: what a host sends, as paced work  @param jobs what it sends
    std::vector<PortWork> PacedJobs(uint32_t host, std::vector<PortWork> jobs) const
    {
        const double factor = m_parameters.rateFactor;
        auto growth = [factor](double slot) { return std::ceil(slot / factor - slot); };
        const double most = growth((static_cast<double>(m_parameters.payloadBytes) +
                                    m_parameters.headerBytes + m_parameters.gapBytes) *
                                   m_times.PsPerByteOut(host));
        for (PortWork& job : jobs)
        {
            job.work = std::floor(job.work / factor);
            job.tail -= std::max(growth(job.least), most);
        }
        return jobs;
    }

    /// Proof 7: bound what leaves and enters each of some sets of switches.
    void BoundSets(const SwitchCuts& cuts)
    {
        std::vector<std::vector<PortWork>> out(cuts.borders.size());
        std::vector<std::vector<PortWork>> in(cuts.borders.size());
        for (const Flow& flow : m_flows)
        {
            const uint32_t from = cuts.setOf[m_graph.LeafOf(flow.source)];
            const uint32_t to = cuts.setOf[m_graph.LeafOf(flow.destination)];
            for (const FrameGroup& group : GroupsOf(flow))
            {
                if (from != to)
                {
                    AddCrossing(flow, group, cuts.borders[from], out[from]);
                    AddCrossing(flow, group, cuts.borders[to], in[to]);
                }
            }
        }
        for (auto* sets : {&out, &in})
        {
            for (std::vector<PortWork>& jobs : *sets)
            {
                Raise(std::move(jobs));
            }
        }
    }

    /// Add frames that cross a border.  @param border the links  @param jobs where to
    void AddCrossing(const Flow& flow,
                     const FrameGroup& group,
                     const SwitchCuts::Border& border,
                     std::vector<PortWork>& jobs)
    {
        const double gap = m_parameters.gapBytes * border.mostPsPerByte;
        const double work = std::floor((group.bytes + group.count * m_parameters.gapBytes) /
                                       border.bytesPerPs * (1 - 1e-12)); // rounding of the sum
        const double tail = border.leastDelayPs +
                            static_cast<double>(m_parameters.switchLatencyPs) +
                            m_times.LastHop(flow, group.leastBytes) + m_times.AckWay(flow) - gap;
        const double release =
            static_cast<double>(flow.startPs) + m_times.FirstHop(flow, group.leastBytes);
        AddShared(jobs, {release, work, tail, 0}, 1);
    }

    const FabricGraph& m_graph;          //!< the fabric
    const std::vector<Flow>& m_flows;    //!< the flows
    const BoundParameters& m_parameters; //!< frames and NICs
    LeastTimes& m_times;                 //!< of frames
    double m_bound{0};                   //!< the bound so far, in ps
};

} // namespace

double
GraphBoundPs(const FabricGraph& graph,
             const std::vector<Flow>& flows,
             const BoundParameters& parameters)
{
    LeastTimes times(graph, parameters);
    return GraphBoundCalculator(graph, flows, parameters, times).Compute();
}

double
GraphBoundPs(const FabricGraph& graph,
             const Flow& flow,
             const BoundParameters& parameters,
             LeastTimes& times)
{
    return GraphBoundCalculator(graph, {flow}, parameters, times).ComputeFirst();
}

} // namespace aifabric
} // namespace ns3
