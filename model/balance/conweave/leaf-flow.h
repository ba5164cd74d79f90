/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAF_FLOW_H
#define LEAF_FLOW_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// A flow as leaves know it: its 5-tuple.
struct LeafFlow
{
    uint32_t source{0};      //!< host
    uint32_t destination{0}; //!< host
    uint32_t entropy{0};     //!< UDP source port and, in IPv6, flow label

    /// @return whether both are the same flow
    bool operator==(const LeafFlow& other) const
    {
        return source == other.source && destination == other.destination &&
               entropy == other.entropy;
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* LEAF_FLOW_H */
