/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REROUTE_DRAW_H
#define REROUTE_DRAW_H

#include "ns3/uniform-integer.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Draw the new path of a queue pair that timed out (arXiv 2407.00550, the authors' simulator).
 *
 * A label has two digits, as in PathView: `j * U + i` is the i-th uplink of the leaf and the j-th
 * of the switch of tier 1. Both are drawn anew, each equally likely from all but the old one; a
 * digit without a choice stays. So the new path shares no link on the way up that it can avoid. It
 * may be one that failed before.
 *
 * @param old label of the path that failed
 * @param uplinks U, the number of uplinks of the leaf
 * @param middleUplinks how many uplinks of the switch of tier 1 there are to choose from; 1 where
 *        the way turns around there
 * @param uniform randomness
 * @return label of the new path
 */
uint16_t DrawReroute(uint16_t old,
                     uint32_t uplinks,
                     uint32_t middleUplinks,
                     const UniformInteger& uniform);

/**
 * Draw the new path of a queue pair that timed out from a list: equally likely from those labels of
 * which the most digits differ from the old ones. This is an extension, for paths of which some are
 * known to be bad.
 *
 * @param old label of the path that failed
 * @param uplinks U, the number of uplinks of the leaf
 * @param paths labels of the paths to choose from
 * @param uniform randomness
 * @return label of the new path; the old one if there is no other
 */
uint16_t DrawRerouteAmong(uint16_t old,
                          uint32_t uplinks,
                          const std::vector<uint16_t>& paths,
                          const UniformInteger& uniform);

} // namespace aifabric
} // namespace ns3

#endif /* REROUTE_DRAW_H */
