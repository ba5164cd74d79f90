/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-clock.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

int64_t
FabricClock::Now()
{
    return Simulator::Now().GetPicoSeconds();
}

int64_t
FabricClock::StepsPerPs()
{
    return Time::GetResolution() == Time::FS ? MOST_STEPS : 1;
}

int64_t
FabricClock::TurnOfPort(uint16_t port)
{
    return StepsPerPs() == 1 ? 0 : FinestTurnOfPort(port);
}

Time
FabricClock::At(int64_t ps, int64_t turn)
{
    const int64_t steps = StepsPerPs();
    NS_ABORT_MSG_IF(ps > std::numeric_limits<int64_t>::max() / steps - 1,
                    "something is due after the end of time, which is at 9223 s where ns-3 counts "
                    "femtoseconds");
    return TimeStep(ps * steps + (steps > 1 ? turn : 0));
}

Time
FabricClock::Until(int64_t ps, int64_t turn)
{
    return Max(At(ps, turn) - Simulator::Now(), Time(0));
}

void
FabricClock::Check()
{
    NS_ABORT_MSG_IF(
        Time::GetResolution() != Time::PS && Time::GetResolution() != Time::FS,
        "The fabric counts picoseconds: call Time::SetResolution(Time::PS), or Time::FS, "
        "before anything else");
}

} // namespace aifabric
} // namespace ns3
