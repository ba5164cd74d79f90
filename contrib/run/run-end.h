/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_END_H
#define RUN_END_H

#include "ns3/fabric-clock.h"
#include "ns3/rank-messenger.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace ns3
{
namespace aifabric
{

/// Synchronises the end of a run. The ranks exchange their states, with some delay, so that all of
/// them end the run at the same time: when the last one has done its part, or when all together
/// have stalled. A run on one rank has the same delays, and so ends at the same time.
class RunEnd
{
  public:
    /// Called with the states of all ranks, combined by "or", and the time since the ranks reported
    /// them, in picoseconds.
    using StatesCallback = std::function<void(uint8_t states, int64_t age)>;

    /// @param delay the delay, in picoseconds: at most that of a link
    explicit RunEnd(int64_t delay)
        : m_delay(delay + 1) // later than the look-ahead
    {
        if (RankTransport::GetRanks() > 1)
        {
            m_messenger = Create<RankMessenger>(PicoSeconds(delay),
                                                MakeCallback(&RunEnd::ReceiveState, this));
        }
    }

    RunEnd(const RunEnd&) = delete;
    RunEnd& operator=(const RunEnd&) = delete;

    /// This rank has done its part.  @param ps when, in ps
    void Complete(int64_t ps)
    {
        Count(Broadcast(COMPLETE, ps));
    }

    /// @param callback called on all ranks when each knows the states that all of them reported
    void SetStatesCallback(StatesCallback callback)
    {
        m_statesKnown = std::move(callback);
    }

    /// Report the state of this rank. All ranks call it at the same time.  @param state some bits,
    /// less than 128
    void ReportState(uint8_t state)
    {
        const int64_t knownAt = Broadcast(state, FabricClock::Now());
        m_states[knownAt] |= state;
        Simulator::Schedule(FabricClock::Until(knownAt, FabricClock::OUT_OF_BAND_TURN),
                            &RunEnd::Decide,
                            this);
    }

    /// @return the events that ReportState() has scheduled on this rank
    uint64_t GetEvents() const
    {
        return m_events;
    }

  private:
    static constexpr uint8_t COMPLETE = 128; //!< this rank has done its part

    /// Send a state to the other ranks.  @param state bits, or COMPLETE
    /// @param ps since when it holds, in picoseconds
    /// @return when they know it, in picoseconds
    int64_t Broadcast(uint8_t state, int64_t ps) const
    {
        const int64_t knownAt = ps + m_delay;
        if (m_messenger)
        {
            m_messenger->SendToOthers(Create<Packet>(&state, 1), knownAt);
        }
        return knownAt;
    }

    /// Receive the state of another rank.  @param packet one byte: bits, or COMPLETE
    void ReceiveState(Ptr<Packet> packet)
    {
        uint8_t state = 0;
        packet->CopyData(&state, 1);
        const int64_t now = FabricClock::Now();
        if (state == COMPLETE)
        {
            Count(now);
        }
        else
        {
            m_states[now] |= state;
        }
    }

    /// Pass the combined states of all ranks to the callback.
    void Decide()
    {
        ++m_events;
        const auto first = m_states.begin();
        const uint8_t states = first->second;
        m_states.erase(first);
        m_statesKnown(states, m_delay);
    }

    /// One more rank is done.  @param knownAt when all know it, in picoseconds
    void Count(int64_t knownAt)
    {
        m_endPs = std::max(m_endPs, knownAt);
        if (++m_done == RankTransport::GetRanks())
        {
            Simulator::Stop(FabricClock::Until(m_endPs, FabricClock::LAST_TURN));
        }
    }

    int64_t m_delay;                     //!< until all ranks know
    uint32_t m_done{0};                  //!< ranks that have done their part
    uint64_t m_events{0};                //!< that ReportState() has scheduled
    int64_t m_endPs{0};                  //!< when all ranks know it of them
    StatesCallback m_statesKnown;        //!< called with the states of all ranks
    Ptr<RankMessenger> m_messenger;      //!< to the other ranks, if there are any
    std::map<int64_t, uint8_t> m_states; //!< states, by when all ranks know them, in picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_END_H */
