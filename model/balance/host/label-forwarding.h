/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LABEL_FORWARDING_H
#define LABEL_FORWARDING_H

#include "ns3/fabric-facts.h"
#include "ns3/object.h"
#include "ns3/path-view.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How switches use the labels of host balancers, as the attribute Forwarding of those balancers
 * says it: which balancer the switches need, and how many paths labels can name.
 */
class LabelForwarding
{
  public:
    /// Attribute Forwarding.
    enum Mode
    {
        DIRECT,    //!< a part of the label is the number of the uplink (PathLabelBalancer)
        PART_HASH, //!< a switch hashes its part (PartHashBalancer)
        FULL_HASH  //!< a switch hashes the 5-tuple (EcmpBalancer)
    };

    /// @return the checker of an attribute of this type
    static Ptr<const AttributeChecker> MakeChecker();

    /// @return the balancer that the switches need  @param mode how they use labels
    static TypeId GetSwitchBalancer(Mode mode);

    /// @return the numbers of uplinks of the switches on the longest way up, from the leaf on
    /// @param facts of the fabric
    static std::vector<uint16_t> GetUplinks(const FabricFacts& facts);

    /// @return the numbers of uplinks of the switches on the way up between two hosts, from the
    /// leaf on  @param paths of the fabric
    static std::vector<uint16_t> GetUplinks(uint32_t source,
                                            uint32_t destination,
                                            const PathView& paths);
};

} // namespace aifabric
} // namespace ns3

#endif /* LABEL_FORWARDING_H */
