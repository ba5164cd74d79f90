/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BACKGROUND_SOURCE_H
#define BACKGROUND_SOURCE_H

#include "flow-driver.h"

#include "ns3/size-distribution.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Traffic beside that which a run is about, and for which the run does not wait. It goes on as
/// long as the run, but for the flows of a list.
struct BackgroundSpec
{
    /// What the flows are.
    enum class Kind
    {
        NONE,       //!< there are none
        LIST,       //!< a list
        POISSON,    //!< they arrive at random, each for a random host, as PoissonArrivals()
        CHECKPOINT, //!< in each period all other hosts send to a few servers
    };

    Kind kind{Kind::NONE};                 //!< what they are
    std::vector<Flow> flows;               //!< of the list
    std::optional<SizeDistribution> sizes; //!< of flows that arrive at random
    double meanGapPs{0};                   //!< of a host between two of these, in picoseconds
    uint64_t bytes{0};                     //!< of a host in a period
    uint32_t servers{0};                   //!< the last hosts; the others send to them in turn
    int64_t periodPs{0};                   //!< from one period to the next, in picoseconds
};

/// @return makes the flows of a background that is no list; its flows are Flow::isBackground
/// @param hosts number of hosts, at least 2, and more than servers
/// @param stream the random stream of host 0; the other hosts have those that follow
FlowDriver::Source MakeBackgroundSource(const BackgroundSpec& spec, uint32_t hosts, int64_t stream);

} // namespace aifabric
} // namespace ns3

#endif /* BACKGROUND_SOURCE_H */
