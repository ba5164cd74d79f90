/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_END_H
#define RUN_END_H

#include "ns3/rank-messenger.h"

#include <cstdint>
#include <functional>
#include <map>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Synchronises the end of a run. The ranks exchange their states, with some delay, so that all of
 * them end the run at the same time: when the last one has done its part, or when all together have
 * stalled. A run on one rank has the same delays, and so ends at the same time.
 */
class RunEnd
{
  public:
    /// Called with the states of all ranks, combined by "or", and the time since the ranks reported
    /// them, in picoseconds.
    using StatesCallback = std::function<void(uint8_t states, int64_t age)>;

    /// @param delay the delay, in picoseconds: at most that of a link
    explicit RunEnd(int64_t delay);

    RunEnd(const RunEnd&) = delete;
    RunEnd& operator=(const RunEnd&) = delete;

    /// This rank has done its part.
    void Complete();

    /// @param callback called on all ranks when each knows the states that all of them reported
    void SetStatesCallback(StatesCallback callback);

    /// Report the state of this rank. All ranks call it at the same time.  @param state some bits,
    /// less than 128
    void ReportState(uint8_t state);

    /// @return the events that ReportState() has scheduled on this rank
    uint64_t GetEvents() const;

  private:
    static constexpr uint8_t COMPLETE = 128; //!< this rank has done its part

    /// Send a state to the other ranks.  @param state bits, or COMPLETE
    /// @return when they know it, in picoseconds
    int64_t Broadcast(uint8_t state) const;

    /// Receive the state of another rank.  @param packet one byte: bits, or COMPLETE
    void ReceiveState(Ptr<Packet> packet);

    /// Pass the combined states of all ranks to the callback.
    void Decide();

    /// One more rank is done.  @param knownAt when all know it, in picoseconds
    void Count(int64_t knownAt);

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
