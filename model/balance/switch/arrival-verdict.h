/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ARRIVAL_VERDICT_H
#define ARRIVAL_VERDICT_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// What a switch does with a frame that its balancer has seen (SwitchBalancer::FrameArrives).
struct ArrivalVerdict
{
    /// What it does.
    enum Action : uint8_t
    {
        FORWARD, //!< forward it
        CONSUME, //!< nothing: the balancer was its destination
        HOLD,    //!< find its port, admit it, and hold it in a reorder queue
        RELEASE, //!< forward it, and then what a reorder queue holds
    };

    Action action{FORWARD}; //!< what it does
    uint32_t queue{0};      //!< number of the reorder queue
};

} // namespace aifabric
} // namespace ns3

#endif /* ARRIVAL_VERDICT_H */
