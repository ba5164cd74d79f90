/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frames-in-flight.h"

namespace ns3
{
namespace aifabric
{

uint64_t
FramesInFlight::CountBytes() const
{
    uint64_t bytes = m_first ? m_first->wireBytes : 0;
    for (uint32_t i = 0; i < m_others.size(); ++i)
    {
        bytes += m_others[i].frame->wireBytes;
    }
    return bytes;
}

void
FramesInFlight::Prefetch(const FrameHandler& handler) const
{
    handler.PrefetchFrame(*m_first, 3);
    const uint32_t following = m_others.size();
    if (following > 0)
    {
        handler.PrefetchFrame(*m_others[0].frame, 2);
    }
    if (following > 1)
    {
        handler.PrefetchFrame(*m_others[1].frame, 1);
    }
    if (following > 2)
    {
        __builtin_prefetch(m_others[2].frame, 1);
    }
}

void
FramesInFlight::PrefetchNew(const FrameHandler& handler) const
{
    for (uint32_t step = 1; step <= 2; ++step)
    {
        handler.PrefetchFrame(*m_first, step);
        for (uint32_t i = 0; i + step <= 2 && i < m_others.size(); ++i)
        {
            handler.PrefetchFrame(*m_others[i].frame, step);
        }
    }
}

} // namespace aifabric
} // namespace ns3
