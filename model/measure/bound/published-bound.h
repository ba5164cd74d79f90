/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PUBLISHED_BOUND_H
#define PUBLISHED_BOUND_H

#include "bound-frames.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

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

} // namespace aifabric
} // namespace ns3

#endif /* PUBLISHED_BOUND_H */
