/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_METER_H
#define PAUSE_METER_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How long the peer of a port has paused one traffic class, computed from the PFC frames that
 * arrive. A pause begins with a frame that closes the class, and ends with a frame of zero quanta
 * or when its quanta are over, whichever is first. A frame that arrives while the class is paused
 * continues the same pause. All times are in picoseconds.
 */
class PauseMeter
{
  public:
    /// A frame for the class arrives.  @param now the time, not before that of the frame before it
    /// @param duration how long the class is paused from now on; 0: it resumes
    void Receive(int64_t now, int64_t duration);

    /// @return PFC frames for the class, refreshing and resuming ones included
    uint64_t GetFrames() const
    {
        return m_frames;
    }

    /// @return pauses that have begun
    uint64_t GetPauses() const
    {
        return m_pauses;
    }

    /// @return whether the class is paused
    bool IsPaused(int64_t now) const
    {
        return m_until > now;
    }

    /// @return the sum of all pauses so far
    int64_t GetPausedTime(int64_t now) const;

    /// @return how long the current pause, or the last one, has lasted so far
    int64_t GetLength(int64_t now) const;

    /// @return the longest pause so far
    int64_t GetLongest(int64_t now) const;

  private:
    uint64_t m_frames{0}; //!< frames for the class
    uint64_t m_pauses{0}; //!< pauses that have begun
    int64_t m_since{0};   //!< begin of the current or last pause
    int64_t m_until{0};   //!< its end, as far as is known
    int64_t m_ended{0};   //!< sum of the pauses before it
    int64_t m_longest{0}; //!< the longest of these
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_METER_H */
