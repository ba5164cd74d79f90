/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOWER_BOUND_H
#define LOWER_BOUND_H

#include "ns3/fabric-graph.h"
#include "ns3/flow.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the completion-time bounds know of links, frames and NICs. The defaults are those of
 * McClure et al., "Load Balancing for AI Training Workloads" (arXiv 2507.21372v2), section 5.1.
 *
 * The serialization time of a frame is rounded down to a whole picosecond, and so is that of the
 * gap after it: a simulator whose clock ticks in picoseconds or finer never spends less.
 */
struct BoundParameters
{
    uint64_t linkRate{800'000'000'000}; //!< rate of the fastest link of a host, in bit/s
    uint64_t fabricRate{0}; //!< of the fastest link between switches, in bit/s; 0: as linkRate
    int64_t linkDelayPs{500'000}; //!< propagation delay of the shortest link, in ps
    int64_t switchLatencyPs{0};   //!< least time between arrival and queue in a switch, in ps
    int64_t nicLatencyPs{0};      //!< least time between arrival and endpoint in a NIC, in ps
    uint32_t payloadBytes{4096};  //!< payload of a full data packet, in bytes
    uint32_t headerBytes{62};     //!< the rest of a data packet's frame, in bytes
    uint32_t ackBytes{64};        //!< frame of an acknowledgement, in bytes
    uint32_t gapBytes{20};        //!< what a wire stays silent after a frame, in bytes

    /**
     * The share of the line rate of all its ports, over 0 to 1, that the data of a host together is
     * paced to: frame after frame, without credit for later. Use 1 if anything else limits the
     * rate.
     */
    double rateFactor{1.0};

    /// Most data packets that one acknowledgement answers; 0 if there is no such limit.
    uint32_t packetsPerAck{1};

    /**
     * Whether no data frame of a host follows another one directly while an acknowledgement waits:
     * true of a NIC that alternates between the two, and of one that prefers acknowledgements.
     */
    bool acksAlternate{true};

    /// Whether acknowledgements leave by the ports of hosts (AckBypass: they do not).
    bool acksInFabric{true};

    /// Whether an acknowledgement may report what others report that leave later by other ports.
    bool acksOvertake{false};

    uint64_t nodeRate{0};     //!< of a GPU in the fabric of its node, in bit/s; 0: there is none
    int64_t nodeLatencyPs{0}; //!< of a message in the fabric of a node, in ps
};

/**
 * The completion time that the study names as ideal (arXiv 2507.21372v2, appendix B), in its
 * closed form
 *
 *     LB(m) = (m - 1) d + max(0, m - i1) a + 2 p + H (Td + Ta) + Tg
 *
 * with m data packets a host, H links a path, p = H * link delay + (H - 1) * switch latency + NIC
 * latency (the study has no latencies), Td, Ta and Tg the times of a data
 * frame, of an acknowledgement and of the gap at the rate of hosts (of the H - 2 links between
 * switches, at theirs), d = Td + Tg, a = Ta + Tg, and i1 = PublishedI1() the
 * packets sent before the first acknowledgement. All hosts start at once; from packet i1 on, data
 * and acknowledgements alternate. With a rate factor below 1, d and a become d / factor and
 * a / factor.
 *
 * A permutation is one message a host; an all-to-all is n - 1 messages a host, with H of the
 * longest path. If a message ends with a shorter packet, its own time counts wherever the packet
 * adds up, and the frames that complete last are those that arrive first, short or full.
 *
 * This is the reference for "increase over the bound", not a law. Two hosts that exchange one
 * message each over a single path complete one gap (Tg) earlier; a single message whose receiver
 * sends no data completes max(0, m - i1) a + Tg earlier; an all-to-all that serves far destinations
 * first can be earlier as well. CompletionBoundPs() is never beaten.
 *
 * @param bytes size of each message, in bytes, at least 1
 * @param messages messages that each host sends, and receives
 * @param links links of a path (H)
 * @param parameters links, frames and NICs
 * @return the time in ps, rounded down to a whole one
 * @throws std::invalid_argument if a parameter is out of range
 */
double PublishedBoundPs(uint64_t bytes,
                        uint64_t messages,
                        uint32_t links,
                        const BoundParameters& parameters);

/**
 * The number of data packets that leave a host before its first acknowledgement can,
 * ceil((p + (H - 1) Td) / d) + 1 (arXiv 2507.21372v2, appendix B), for full packets.
 *
 * @param links links of a path (H)
 * @param parameters links, frames and NICs
 * @return i1, in packets
 * @throws std::invalid_argument if a parameter is out of range
 */
uint64_t PublishedI1(uint32_t links, const BoundParameters& parameters);

/**
 * A time before which no fabric can complete the given flows, whatever its load balancing, queues,
 * losses and order of service. A flow is complete when its source has received the acknowledgement
 * of all its data.
 *
 * Assumed: links are no faster and no shorter than the parameters say; switches store and forward;
 * a frame crosses as many links as FabricGraph::PathLinks() says, and so does an acknowledgement; a
 * flow is sent as Flow::pieces messages, of whatever lengths, and each of these in full packets and
 * at most one shorter one; acknowledgements of a piece leave its destination in order. The proofs
 * stand in lower-bound.cc.
 *
 * It holds for each host by itself, what it must send and receive, and for each leaf whose hosts
 * together are faster than its uplinks. Each flow counts with the length of its own path. For a
 * permutation of m packets between pods at the defaults it stays within 0.04 % of
 * PublishedBoundPs(). Messages within a node (Flow::inNode) count by NodeBoundPs() alone.
 *
 * @param parameters links, frames and NICs
 * @return the time in ps on the clock of Flow::startPs, rounded down to a whole one; the earliest
 *         start is to be subtracted for a duration; 0 without flows
 * @throws std::invalid_argument if a parameter is out of range
 */
double CompletionBoundPs(const FabricGraph& graph,
                         const std::vector<Flow>& flows,
                         const BoundParameters& parameters);

} // namespace aifabric
} // namespace ns3

#endif /* LOWER_BOUND_H */
