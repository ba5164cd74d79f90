/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-meter.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

void
PauseMeter::Receive(int64_t now, int64_t duration)
{
    ++m_frames;
    if (m_until > now)
    {
        m_until = now + duration;
        return;
    }
    if (duration > 0)
    {
        m_longest = GetLongest(now);
        m_ended = GetPausedTime(now);
        ++m_pauses;
        m_since = now;
        m_until = now + duration;
    }
}

int64_t
PauseMeter::GetLength(int64_t now) const
{
    return std::min(now, m_until) - m_since;
}

int64_t
PauseMeter::GetPausedTime(int64_t now) const
{
    return m_ended + GetLength(now);
}

int64_t
PauseMeter::GetLongest(int64_t now) const
{
    return std::max(m_longest, GetLength(now));
}

} // namespace aifabric
} // namespace ns3
