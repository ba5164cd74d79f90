/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "esa-memory.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

EsaMemory::EsaMemory(uint32_t slots, Options options)
    : SlotMemory(slots, options.freesAtCompletion),
      m_options(options)
{
}

SlotMemory::Verdict
EsaMemory::Contend(Slot& slot, Fragment& fragment)
{
    if (fragment.priority > slot.sum.priority)
    {
        std::swap(slot.sum, fragment);
        return Verdict::PREEMPTS;
    }
    slot.sum.priority >>= m_options.ages ? 1 : 0;
    return Verdict::COLLIDES;
}

void
EsaMemory::Added(Slot& slot, const Fragment& fragment)
{
    if (m_options.refreshes)
    {
        slot.sum.priority = std::max(slot.sum.priority, fragment.priority);
    }
}

} // namespace aifabric
} // namespace ns3
