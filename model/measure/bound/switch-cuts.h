/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_CUTS_H
#define SWITCH_CUTS_H

#include "link-times.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * The switches of a fabric whose links are not alike, divided into sets: those that are joined by
 * links shorter than some length. What leaves a set must cross the links around it.
 */
struct SwitchCuts
{
    /// The links around a set of switches.
    struct Border
    {
        double bytesPerPs{0};    //!< what all of them together carry in one direction, at most
        double mostPsPerByte{0}; //!< the time of a byte on the slowest of them
        double leastDelayPs{0};  //!< the propagation delay of the shortest of them
    };

    /**
     * @param graph the fabric
     * @param links what its links are like
     * @return its sets for each length of a link between switches, but at most for the 8 largest
     * and the least one, with which each switch is a set of its own
     */
    static std::vector<SwitchCuts> Of(const FabricGraph& graph, const LinkTimes& links);

    std::vector<uint32_t> setOf; //!< number of the set of each switch
    std::vector<Border> borders; //!< the links around each set
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCH_CUTS_H */
