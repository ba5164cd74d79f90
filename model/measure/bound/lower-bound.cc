/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lower-bound.h"

#include "alternation-bound.h"
#include "flow-bound.h"
#include "graph-bound.h"
#include "link-times.h"
#include "longest-tail-first.h"
#include "node-bound.h"

#include "ns3/flow-list.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

/*
 * Proofs. Times are whole picoseconds in doubles, exact up to 2^53 ps (2.5 hours).
 *
 * Notation. Link delay D, latency Ls of a switch and Ln of a NIC; T the time of a data frame, Td
 * that of a full one; Ta the time of an acknowledgement (ACK), G that of the gap; d = Td + G, a =
 * Ta + G. A path has H links. A frame that begins on the first link at time x is received at x + H
 * (T + D) + (H - 1) Ls + Ln at the earliest, since each switch receives it whole before it sends it
 * on. Received means by the endpoint. To keep the proofs short, they are written for Ls = Ln = 0:
 * with latencies, each D of a link that leads to a switch is D + Ls, and that of the link that
 * leads to the host D + Ln. The proofs stay as they are, since a latency is as constant as a delay:
 * what a host receives is spaced as it comes by the link. Where links between switches have another
 * rate, T, Ta and G are those of the link in question: H T stands for 2 T + (H - 2) T', with T' the
 * time of the frame on a link between switches, and (c - 1) T for T + (c - 2) T'. A flow is
 * complete H (Ta + D) after its last data frame is received, at the earliest.
 *
 * 1. A cut. Take a set J of frames that must all cross the same P parallel ports: those of a host
 * out or in, or the uplinks or downlinks of a leaf. Frame j cannot begin there before its release
 * r_j, occupies a port for w_j = T_j + G, and its flow cannot be complete earlier than q_j (the
 * tail) after that. The ports need sum w_j / P together, so some frame of J ends its occupancy at
 *     min r_j + sum w_j / P
 * or later, and completion follows no earlier than min q_j after it. The best of all sets J is what
 * serving preemptively by longest tail attains (Jackson's schedule, the bound of Carlier, "The
 * one-machine sequencing problem", 1982): LongestTailFirst(). A data frame at link c of its path
 * (c = 1 at the source) has r = start + (c - 1)(T + D) and q = D - G + (H - c)(T + D) + H (Ta + D).
 *
 * A flow of n packets whose last is short has n - 1 full frames with a longer tail and a short one
 * with a shorter tail. They are two jobs, and the choice of J takes care of it: for a flow by
 * itself the bound is max((n - 2) d + H Td, (n - 1) d + H T) + H D + H (Ta + D), in whichever order
 * they are sent.
 *
 * 2. ACKs in the cut of a host's way out. If one ACK answers at most b packets, a flow of n packets
 * causes at least ceil(n / b), and since they leave in order, the flow is not complete before the
 * last of them is received. They join the jobs with r = start + H (T + D), w = a and
 * q = D - G + (H - 1)(Ta + D). Other cuts count data only: on their way, a later ACK may overtake
 * an earlier one and make it needless.
 *
 * They are left out where acknowledgements do not use the host's ports; so is proof 5.
 *
 * 3. Pacing. A host with P ports spaces its data packets, whatever port they take: after packet j
 * it lets no other go to its port for w_j / (P f), with w_j = T_j + G. Take a set J of data frames,
 * as in proof 1. The last of them goes to its port at
 *     min r_j + (sum w_j - w_last) / (P f)
 * or later, and the port is done with it w_last after that at the earliest. So the host's pacing is
 * a single port on which frame j takes w_j / (P f), with the tail shortened by w_last / (P f) -
 * w_last, which is negative if P f > 1. This is linear in w_last, hence at most what it is for the
 * shortest or for the longest frame, a full one. ACKs are not paced and fit in between, so this cut
 * has no ACKs in it.
 *
 * 4. Several ports a host. A port sends one full frame in d, so the last of n full frames begins
 * at (ceil(n / P) - 1) d after the start or later. See FlowBound::InClos().
 *
 * 5. ACKs amid data: alternation-bound.cc.
 *
 * A read is asked for before its data and complete without an acknowledgement: its frames have the
 * way of the request in their release, where those of a write have that of an ACK in their tail.
 *
 * 6. Pieces. A message of b bytes that is sent as k messages has at least (b - k (p - 1)) / p full
 * frames, rounded up, with p the payload of a full packet: each piece has less than p bytes beside
 * its full frames. The other bytes are in frames of any length, at least so many as would be needed
 * if they were full, and at most 2 k if the full ones beyond that least number are among them; each
 * of these may be rounded down by a ps. They are one job, with the release and the tail of the
 * shortest frame that there can be: proofs 1 to 3 hold of it. Proofs 4 and 5 take the least number
 * of full frames.
 */

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the bound where links are not alike: flows that are reads, and the others, each alone
double
BoundInGraph(const FabricGraph& graph,
             const std::vector<Flow>& flows,
             const BoundParameters& parameters)
{
    if (!HasReads(flows))
    {
        return GraphBoundPs(graph, flows, parameters);
    }
    std::vector<Flow> reads = flows;
    const auto writes = std::stable_partition(reads.begin(), reads.end(), [](const Flow& flow) {
        return flow.isRead;
    });
    const std::vector<Flow> others(writes, reads.end());
    reads.erase(writes, reads.end());
    const double bound = GraphBoundPs(graph, reads, parameters);
    return others.empty() ? bound : std::max(bound, GraphBoundPs(graph, others, parameters));
}

/**
 * Computes CompletionBoundPs(). Each method is one of the numbered proofs above.
 */
class BoundCalculator
{
  public:
    /// @param parameters links, frames and NICs
    BoundCalculator(const FabricGraph& graph,
                    const std::vector<Flow>& flows,
                    const BoundParameters& parameters)
        : m_graph(graph),
          m_flows(flows),
          m_parameters(parameters),
          m_times(parameters),
          m_hasReads(HasReads(flows))
    {
    }

    /// @return the bound, in ps
    double Compute()
    {
        for (const auto& flow : m_flows)
        {
            Raise(static_cast<double>(flow.startPs) +
                  FlowBound::InClos(m_graph, flow, m_parameters));
        }
        BoundHosts();
        for (uint8_t tier = 0; tier <= m_graph.LeafTier(); ++tier)
        {
            BoundUplinks(tier);
        }
        return std::floor(m_bound);
    }

  private:
    using Members = std::vector<std::vector<uint32_t>>; //!< flows by host or by leaf

    /// Where a frame meets a cut.
    struct Place
    {
        bool isUp;       //!< on its way up, or down
        uint32_t number; //!< of its link, from 1, which is that of the host at this end
    };

    static constexpr Place HOST_OUT{true, 1};
    static constexpr Place HOST_IN{false, 1};

    /// Take a bound into account.  @param bound completion is no earlier, in ps
    void Raise(double bound)
    {
        m_bound = std::max(m_bound, bound);
    }

    /// @return links of the path
    uint32_t LinksOf(const Flow& flow) const
    {
        return m_graph.PathLinks(flow.source, flow.destination);
    }

    /// @return the time from the beginning of a data frame to the arrival of its ACK, in ps
    /// @param links links of the path
    double WayAndBack(uint32_t links, const FrameTime& frame) const
    {
        return m_times.Way(frame, links) + m_times.AckWay(links);
    }

    /// @return its packets, until the next call: messages that follow each other are mostly alike
    const MessagePackets& PacketsOf(const Flow& flow) const
    {
        if (!m_packets || m_packed.bytes != flow.bytes || m_packed.pieces != flow.pieces)
        {
            m_packed = flow;
            m_packets.emplace(flow, m_parameters);
        }
        return *m_packets;
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
            auto jobs = DataJobs(out[host], HOST_OUT, m_graph.Planes());
            if (m_parameters.acksInFabric && !m_parameters.acksOvertake)
            {
                AddAckJobs(jobs, in[host]);
            }
            Raise(LongestTailFirst(std::move(jobs)));
            Raise(LongestTailFirst(DataJobs(in[host], HOST_IN, m_graph.Planes())));
            if (m_parameters.rateFactor < 1)
            {
                Raise(LongestTailFirst(PacedJobs(out[host])));
            }
            if (MustAlternate())
            {
                Raise(BoundAlternation(out[host], in[host]));
            }
        }
    }

    /// @return the switch of a tier above a host, in plane 0
    uint32_t SwitchOf(uint32_t host, uint8_t tier) const
    {
        const uint32_t first = m_graph.LeafOf(host);
        const uint16_t up = m_graph.Switches()[first].forwarding.up.first;
        return tier == 0 ? first : m_graph.PeerOf({false, first, up}).id;
    }

    /// Bound what leaves and enters each leaf, or NIC that hosts share, whose hosts are faster than
    /// its uplinks.
    void BoundUplinks(uint8_t tier)
    {
        Members up(m_graph.Switches().size());
        Members down(m_graph.Switches().size());
        for (uint32_t i = 0; i < m_flows.size(); ++i)
        {
            auto source = SwitchOf(m_flows[i].source, tier);
            auto destination = SwitchOf(m_flows[i].destination, tier);
            if (source != destination)
            {
                up[source].push_back(i);
                down[destination].push_back(i);
            }
        }
        const FrameTime full = FullFrame(m_parameters);
        const uint32_t link = tier + 2U;
        for (uint32_t id = 0; id < up.size(); ++id)
        {
            const auto& forwarding = m_graph.Switches()[id].forwarding;
            if (forwarding.hostCount * full.fabric > forwarding.up.count * full.host)
            {
                auto ports = forwarding.up.count * m_graph.Planes();
                Raise(LongestTailFirst(DataJobs(up[id], {true, link}, ports)));
                Raise(LongestTailFirst(DataJobs(down[id], {false, link}, ports)));
            }
        }
    }

    /// @return the number of a link, from 1  @param links links of the path
    static uint32_t LinkNumber(Place place, uint32_t links)
    {
        return place.isUp ? place.number : links + 1 - place.number;
    }

    /// @return proof 1: data frames as work for one port of a cut  @param members their flows
    /// @param place the cut  @param ports number of its ports
    std::vector<PortWork> DataJobs(const std::vector<uint32_t>& members,
                                   Place place,
                                   uint32_t ports) const
    {
        std::vector<PortWork> jobs;
        for (auto i : members)
        {
            const auto& flow = m_flows[i];
            const MessagePackets& packets = PacketsOf(flow);
            if (packets.full > 0)
            {
                auto work = packets.fullTime;
                work.host *= packets.full;
                work.fabric *= packets.full;
                auto job = DataJob(flow, place, packets.fullTime, work, packets.full);
                AddShared(jobs, job, ports);
            }
            if (packets.others > 0)
            {
                auto job =
                    DataJob(flow, place, packets.leastTime, packets.othersWork, packets.others);
                AddShared(jobs, job, ports);
            }
        }
        return jobs;
    }

    /**
     * @param frame the shortest of the frames
     * @param work all of them together
     * @param count number of frames
     * @return those frames as work for all ports together
     */
    PortWork DataJob(const Flow& flow,
                     Place place,
                     const FrameTime& frame,
                     const FrameTime& work,
                     uint64_t count) const
    {
        auto links = LinksOf(flow);
        auto here = LinkNumber(place, links);
        auto isHost = place.number == 1;
        auto gap = isHost ? m_times.gap.host : m_times.gap.fabric;
        auto release = flow.startPs + frame.On(here - 1) + (here - 1) * m_times.toSwitch;
        auto left = frame.On(links - here) + m_times.Delay(links - here + 1);
        const double back = m_times.AckWay(links);
        return {release + (flow.isRead ? back : 0),
                (isHost ? work.host : work.fabric) + count * gap,
                left + (flow.isRead ? 0 : back) - gap,
                (isHost ? frame.host : frame.fabric) + gap};
    }

    /**
     * Proof 2: add the ACKs that a host must send.
     *
     * @param jobs where to
     * @param members the flows that the host receives
     */
    void AddAckJobs(std::vector<PortWork>& jobs, const std::vector<uint32_t>& members) const
    {
        for (auto i : members)
        {
            const auto& flow = m_flows[i];
            if (flow.isRead)
            {
                continue; // complete without them
            }
            const MessagePackets& packets = PacketsOf(flow);
            auto links = LinksOf(flow);
            auto batch = m_parameters.packetsPerAck;
            auto count = batch == 0 ? 1 : (packets.Count() + batch - 1) / batch;
            auto received = flow.startPs + m_times.Way(packets.LeastTime(), links);
            auto slot = m_times.ack.host + m_times.gap.host;
            AddShared(jobs,
                      {received, count * slot, m_times.AckWay(links) - slot, slot},
                      m_graph.Planes());
        }
    }

    /// @return proof 3: what a host sends, as paced work  @param members the flows
    std::vector<PortWork> PacedJobs(const std::vector<uint32_t>& members) const
    {
        auto jobs = DataJobs(members, HOST_OUT, m_graph.Planes());
        const double ports = m_parameters.rateFactor * m_graph.Planes();
        auto growth = [ports](double slot) { return std::ceil(slot / ports - slot); };
        const double most = growth(FullFrame(m_parameters).host + m_times.gap.host);
        for (auto& job : jobs)
        {
            job.work = std::floor(job.work / m_parameters.rateFactor);
            job.tail -= std::max(growth(job.least), most);
        }
        return jobs;
    }

    /// @return whether proof 5 applies
    bool MustAlternate() const
    {
        return !m_hasReads && m_parameters.acksInFabric && m_parameters.acksAlternate &&
               m_parameters.packetsPerAck == 1 && m_graph.Planes() == 1;
    }

    /// @return proof 5 for a host  @param out flows that it sends  @param in flows that it receives
    double BoundAlternation(const std::vector<uint32_t>& out, const std::vector<uint32_t>& in) const
    {
        const double slot = FullFrame(m_parameters).host + m_times.gap.host;
        const double ack = m_times.ack.host + m_times.gap.host;
        return AlternationBound(FullFrames(out, true), FullFrames(in, false), slot, ack);
    }

    /// @return the full frames of flows of a host  @param members the flows  @param areSent whether
    /// the host sends them
    FramesByDistance FullFrames(const std::vector<uint32_t>& members, bool areSent) const
    {
        const FrameTime frame = FullFrame(m_parameters);
        FramesByDistance frames;
        for (auto i : members)
        {
            auto links = LinksOf(m_flows[i]);
            auto number = PacketsOf(m_flows[i]).full;
            auto start = static_cast<double>(m_flows[i].startPs);
            if (number > 0 && areSent)
            {
                frames.Add(links, number, start, WayAndBack(links, frame));
            }
            else if (number > 0)
            {
                frames.Add(links, number, start + m_times.Way(frame, links), m_times.AckWay(links));
            }
        }
        return frames;
    }

    const FabricGraph& m_graph;          //!< the fabric
    const std::vector<Flow>& m_flows;    //!< the flows
    const BoundParameters& m_parameters; //!< links, frames and NICs
    FrameTimes m_times;                  //!< times of frames
    const bool m_hasReads;               //!< some flows are reads
    double m_bound{0};                   //!< the bound so far, in ps

    mutable Flow m_packed;                           //!< the last message of PacketsOf()
    mutable std::optional<MessagePackets> m_packets; //!< its packets
};

} // namespace

double
CompletionBoundPs(const FabricGraph& graph,
                  const std::vector<Flow>& flows,
                  const BoundParameters& given)
{
    RequireValid(given);
    BoundParameters parameters = given;
    if (HasReads(flows))
    {
        // A request goes before the data of a read, where an ACK of a write comes after them.
        parameters.ackBytes = std::min(given.ackBytes, given.requestBytes);
    }
    parameters.speeds = nullptr;
    BoundParameters slowed = parameters;
    slowed.speeds = given.speeds;
    slowed.rateFactor = 1; // hosts pace by the rate that their links have without faults
    const auto compute = [&](const std::vector<Flow>& sent) {
        const double usual = graph.IsClos() ? BoundCalculator(graph, sent, parameters).Compute()
                                            : BoundInGraph(graph, sent, parameters);
        const bool isSlowed = given.speeds && graph.Planes() == 1;
        return isSlowed ? std::max(usual, BoundInGraph(graph, sent, slowed)) : usual;
    };
    const auto isSent = [](const Flow& flow) { return flow.bytes > 0 && !flow.inNode; };
    if (std::all_of(flows.begin(), flows.end(), isSent))
    {
        return compute(flows);
    }
    std::vector<Flow> sent;
    std::copy_if(flows.begin(), flows.end(), std::back_inserter(sent), isSent);
    double bound = NodeBoundPs(flows, parameters.nodeRate, parameters.nodeLatencyPs);
    const LinkTimes links(graph, parameters);
    for (const Flow& flow : flows)
    {
        const auto start = static_cast<double>(flow.startPs);
        bound = std::max(bound, flow.bytes == 0 ? start + links.EmptyPs(flow.source) : 0);
    }
    return std::max(bound, compute(sent));
}

} // namespace aifabric
} // namespace ns3
