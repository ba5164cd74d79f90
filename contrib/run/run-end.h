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
 * What the ranks of a run tell each other, with some delay, so that all of them end it at the same
 * time: when the last one has done its part, or when all together have stalled. A run on one rank
 * has the same delays, and so ends then, too.
 */
class RunEnd
{
  public:
    /// What is called with the states of all ranks, brought together by "or", and the time that
    /// has passed since they were told, in picoseconds.
    using Judge = std::function<void(uint8_t states, int64_t age)>;

    /// @param delay the delay, in picoseconds: at most that of a link
    explicit RunEnd(int64_t delay);

    RunEnd(const RunEnd&) = delete;
    RunEnd& operator=(const RunEnd&) = delete;

    /// This rank has done its part.
    void Complete();

    /// @param judge called on all ranks when they know what all of them have told by Consult()
    void SetJudge(Judge judge);

    /**
     * Tell how this rank is. All ranks have to, at the same time.
     *
     * @param state some bits, less than 128
     */
    void Consult(uint8_t state);

    /// @return the events that Consult() has taken here
    uint64_t GetEvents() const;

  private:
    static constexpr uint8_t COMPLETE = 128; //!< this rank has done its part

    /// Tell the other ranks.  @param news what  @return when they know it, in picoseconds
    int64_t Tell(uint8_t news) const;

    /// Another rank says something.  @param packet what
    void Hear(Ptr<Packet> packet);

    /// All ranks have told how they are.
    void Decide();

    /// One more rank is done.  @param knownAt when all know it, in picoseconds
    void Count(int64_t knownAt);

    int64_t m_delay;                     //!< until all ranks know
    uint32_t m_done{0};                  //!< ranks that have done their part
    uint64_t m_events{0};                //!< that Consult() has taken
    int64_t m_endPs{0};                  //!< when all ranks know it of them
    Judge m_judge;                       //!< called with how all are
    Ptr<RankMessenger> m_messenger;      //!< to the other ranks, if there are any
    std::map<int64_t, uint8_t> m_states; //!< how they are, by when all know it, in picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_END_H */
