/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_CLOCK_H
#define FABRIC_CLOCK_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The time of the fabric, in whole picoseconds, and the order of what happens in one of them.
 *
 * Where ns-3 counts femtoseconds (Time::SetResolution(Time::FS)), the digits below a picosecond are
 * the **turn** of an event: in each picosecond, what a node has scheduled itself comes first, then
 * out-of-band events, then frames by the number of the port by which they come, then reviews of
 * that picosecond. Ports beyond the number of turns share one, and a FrameDelayLine has their
 * frames in the next one, by port. So what happens at a node does not depend on the order of
 * scheduling, and a run on many ranks equals the run on one. Where ns-3 counts picoseconds there
 * are no turns, and events of one picosecond occur in the order in which they were scheduled.
 */
class FabricClock
{
  public:
    static constexpr int64_t MOST_STEPS = 1000;    //!< time steps of a picosecond in femtoseconds
    static constexpr int64_t OUT_OF_BAND_TURN = 1; //!< of out-of-band events
    static constexpr int64_t FIRST_PORT_TURN = 2;  //!< of frames that come by port 0
    static constexpr int64_t LAST_PORT_TURN = 996; //!< of frames by that port and all above
    static constexpr int64_t SORTED_TURN = 997;    //!< of the latter, once all of them have come
    static constexpr int64_t REVIEW_TURN = 998;    //!< of what looks back at the picosecond
    static constexpr int64_t LAST_TURN = 999;      //!< of the end of a run

    /// @return the current time, in picoseconds
    static int64_t Now();

    /// @return time steps of a picosecond; 1: there are no turns
    static int64_t StepsPerPs();

    /// @return whether frames of a port share their turn with others  @param port its index
    static bool SharesTurn(uint16_t port)
    {
        return FIRST_PORT_TURN + port >= LAST_PORT_TURN;
    }

    /// @return the turn of frames that come by a port  @param port its index
    static int64_t TurnOfPort(uint16_t port);

    /// @return the same where ns-3 counts femtoseconds  @param port its index
    static int64_t FinestTurnOfPort(uint16_t port)
    {
        return std::min(FIRST_PORT_TURN + port, LAST_PORT_TURN);
    }

    /**
     * @param ps a time that is not past, in picoseconds
     * @return the delay until then; zero, if the turn is past
     */
    static Time Until(int64_t ps, int64_t turn = 0);

    /**
     * @param ps a time, in picoseconds
     * @return the time of that turn
     */
    static Time At(int64_t ps, int64_t turn);

    /// Abort if the time resolution is neither picoseconds nor femtoseconds.
    static void Check();
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_CLOCK_H */
