/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-memory.h"

#include "fixed-point.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

SlotMemory::SlotMemory(uint32_t slots, bool freesAtCompletion)
    : m_slots(slots),
      m_freesAtCompletion(freesAtCompletion),
      m_free(slots)
{
}

SlotMemory::Verdict
SlotMemory::Receive(Fragment& fragment)
{
    const Verdict verdict = Process(fragment);
    ++m_counts[static_cast<std::size_t>(verdict)];
    return verdict;
}

SlotMemory::Verdict
SlotMemory::Process(Fragment& fragment)
{
    if (fragment.IsComplete() || fragment.slot >= m_slots.size())
    {
        return Verdict::PASSES;
    }
    Slot& slot = m_slots[fragment.slot];
    if (slot.isHeld && slot.sum.key == fragment.key)
    {
        return fragment.isResent ? TakeAlong(slot, fragment) : Merge(slot, fragment);
    }
    if (fragment.isResent)
    {
        return Verdict::PASSES;
    }
    const bool hasRoom = HasRoom(fragment.port);
    if (slot.isHeld)
    {
        return hasRoom || slot.sum.port == fragment.port ? Compete(slot, fragment)
                                                         : Verdict::PORT_FULL;
    }
    if (!hasRoom)
    {
        return Verdict::PORT_FULL;
    }
    slot.isHeld = true;
    slot.sum = std::move(fragment);
    ++m_held[slot.sum.port];
    --m_free;
    ++m_filling;
    return Verdict::HELD;
}

bool
SlotMemory::HasRoom(uint16_t port)
{
    if (port >= m_held.size())
    {
        m_held.resize(port + 1);
    }
    return m_portSlots == 0 || m_held[port] < m_portSlots;
}

SlotMemory::Verdict
SlotMemory::Compete(Slot& slot, Fragment& fragment)
{
    const bool wasFilling = !slot.sum.IsComplete();
    const Verdict verdict = Contend(slot, fragment);
    if (verdict == Verdict::PREEMPTS)
    {
        m_filling += wasFilling ? 0 : 1;
        --m_held[fragment.port];
        ++m_held[slot.sum.port];
    }
    return verdict;
}

SlotMemory::Verdict
SlotMemory::Merge(Slot& slot, Fragment& fragment)
{
    Fragment& sum = slot.sum;
    const uint32_t common = sum.bitmap & fragment.bitmap;
    if (common == 0)
    {
        FixedPoint::AddTo(sum.values, fragment.values);
        sum.bitmap |= fragment.bitmap;
        sum.isMarked |= fragment.isMarked;
        sum.hasCollided |= fragment.hasCollided;
        Added(slot, fragment);
    }
    else if (common != fragment.bitmap)
    {
        return Verdict::PASSES;
    }
    if (!sum.IsComplete())
    {
        return common == 0 ? Verdict::HELD : Verdict::DUPLICATE;
    }
    m_filling -= common == 0 ? 1 : 0;
    if (m_freesAtCompletion)
    {
        fragment = Release(slot);
    }
    else
    {
        fragment = sum;
    }
    return Verdict::COMPLETES;
}

SlotMemory::Verdict
SlotMemory::TakeAlong(Slot& slot, Fragment& fragment)
{
    const uint32_t common = slot.sum.bitmap & fragment.bitmap;
    if (common != 0 && common != fragment.bitmap)
    {
        return Verdict::PASSES;
    }
    const bool isNew = common == 0;
    Fragment sum = Release(slot);
    if (isNew)
    {
        FixedPoint::AddTo(sum.values, fragment.values);
        sum.bitmap |= fragment.bitmap;
        sum.isMarked |= fragment.isMarked;
        sum.hasCollided |= fragment.hasCollided;
    }
    sum.isResent = true;
    fragment = std::move(sum);
    return fragment.IsComplete() ? Verdict::COMPLETES : Verdict::FLUSHES;
}

void
SlotMemory::Acknowledge(uint64_t key, uint16_t slot)
{
    if (Slot* owned = FindOwned(key, slot))
    {
        Release(*owned);
    }
}

bool
SlotMemory::Flush(uint64_t key, uint16_t slot, Fragment& sum)
{
    Slot* owned = FindOwned(key, slot);
    if (!owned)
    {
        return false;
    }
    sum = Release(*owned);
    ++m_flushed;
    return true;
}

uint32_t
SlotMemory::EndJob(uint16_t job)
{
    uint32_t freed = 0;
    for (Slot& slot : m_slots)
    {
        if (slot.isHeld && slot.sum.GetJob() == job)
        {
            Release(slot);
            ++freed;
        }
    }
    return freed;
}

Fragment
SlotMemory::Release(Slot& slot)
{
    m_filling -= slot.sum.IsComplete() ? 0 : 1;
    --m_held[slot.sum.port];
    slot.isHeld = false;
    ++m_free;
    return std::move(slot.sum);
}

SlotMemory::Slot*
SlotMemory::FindOwned(uint64_t key, uint16_t slot)
{
    const bool isOwned =
        slot < m_slots.size() && m_slots[slot].isHeld && m_slots[slot].sum.key == key;
    return isOwned ? &m_slots[slot] : nullptr;
}

void
SlotMemory::Added(Slot&, const Fragment&)
{
}

uint32_t
SlotMemory::CountHeld() const
{
    return std::count_if(m_slots.begin(), m_slots.end(), [](const Slot& slot) {
        return slot.isHeld;
    });
}

uint32_t
SlotMemory::CountHeld(uint16_t port) const
{
    return std::count_if(m_slots.begin(), m_slots.end(), [port](const Slot& slot) {
        return slot.isHeld && slot.sum.port == port;
    });
}

uint32_t
SlotMemory::GetHeld(uint16_t port) const
{
    return port < m_held.size() ? m_held[port] : 0;
}

uint64_t
SlotMemory::GetCount(Verdict verdict) const
{
    return m_counts[static_cast<std::size_t>(verdict)];
}

uint64_t
SlotMemory::GetFlushed() const
{
    return m_flushed;
}

} // namespace aifabric
} // namespace ns3
