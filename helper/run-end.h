/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_END_H
#define RUN_END_H

#include "ns3/rank-messenger.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Ends a run on all ranks at the same time: some delay after the last rank has done its part, which
 * is when all know of it. So a run on one rank ends then, too.
 */
class RunEnd
{
  public:
    /// @param delay the delay, in picoseconds: at most that of a link
    explicit RunEnd(int64_t delay);

    RunEnd(const RunEnd&) = delete;
    RunEnd& operator=(const RunEnd&) = delete;

    /// This rank has done its part.
    void Complete();

    /// This rank will never be done: end all of them.
    void GiveUp();

  private:
    /// What a rank says.
    enum class News : uint8_t
    {
        COMPLETE, //!< it has done its part
        GIVE_UP,  //!< it will never be done
    };

    /// Tell the other ranks.  @param news what  @return when they know it, in picoseconds
    int64_t Tell(News news) const;

    /// Another rank says something.  @param packet what
    void Hear(Ptr<Packet> packet);

    /// One more rank is done.  @param knownAt when all know it, in picoseconds
    void Count(int64_t knownAt);

    int64_t m_delay;                //!< until all ranks know
    uint32_t m_done{0};             //!< ranks that have done their part
    int64_t m_endPs{0};             //!< when all ranks know it of them
    Ptr<RankMessenger> m_messenger; //!< to the other ranks, if there are any
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_END_H */
