/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switchml-memory.h"

#include "fixed-point.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

SwitchMlMemory::SwitchMlMemory(uint32_t slots)
    : m_slots(slots),
      m_free(slots)
{
}

bool
SwitchMlMemory::AddJob(uint16_t job, uint32_t count)
{
    std::vector<Pool> taken;
    for (const auto& [owner, pool] : m_pools)
    {
        taken.push_back(pool);
    }
    std::sort(taken.begin(), taken.end(), [](const Pool& a, const Pool& b) {
        return a.first < b.first;
    });
    taken.push_back({GetSlots(), 0});
    uint32_t first = 0;
    for (const Pool& pool : taken)
    {
        if (first + count <= pool.first)
        {
            m_pools[job] = {first, count};
            m_free -= count;
            return true;
        }
        first = pool.first + pool.count;
    }
    return false;
}

void
SwitchMlMemory::EndJob(uint16_t job)
{
    const auto found = m_pools.find(job);
    if (found != m_pools.end())
    {
        const auto first = m_slots.begin() + found->second.first;
        for (auto slot = first; slot != first + found->second.count; ++slot)
        {
            m_filling -= std::count_if(slot->begin(), slot->end(), &Copy::IsFilling);
        }
        std::fill(first, first + found->second.count, Slot());
        m_free += found->second.count;
        m_pools.erase(found);
    }
}

SwitchMlMemory::Verdict
SwitchMlMemory::Receive(Fragment& fragment, uint8_t set, bool isRoot)
{
    const Verdict verdict = Process(fragment, set, isRoot);
    ++m_counts[static_cast<std::size_t>(verdict)];
    return verdict;
}

SwitchMlMemory::Verdict
SwitchMlMemory::Process(Fragment& fragment, uint8_t set, bool isRoot)
{
    Slot* slot = Find(fragment);
    if (!slot)
    {
        return Verdict::UNKNOWN;
    }
    Copy& copy = (*slot)[set];
    const uint32_t sequence = fragment.GetSequence();
    if (!copy.isUsed || sequence > copy.sequence)
    {
        m_filling += Copy::IsFilling(copy) ? 0 : 1;
        copy = Copy();
        copy.isUsed = true;
        copy.sequence = sequence;
    }
    if (sequence < copy.sequence || (copy.isComplete && !(copy.seen & fragment.bitmap)))
    {
        return Verdict::DUPLICATE;
    }
    if (copy.seen & fragment.bitmap)
    {
        if (!copy.isComplete)
        {
            return Verdict::DUPLICATE;
        }
        fragment.values = copy.sum;
        fragment.bitmap = copy.seen;
        return copy.isFinal ? Verdict::REPEATS : Verdict::COMPLETES;
    }
    if (copy.seen == 0)
    {
        copy.sum = std::move(fragment.values);
    }
    else
    {
        FixedPoint::AddTo(copy.sum, fragment.values);
    }
    copy.seen |= fragment.bitmap;
    if ((copy.seen & fragment.expected) != fragment.expected)
    {
        return Verdict::HELD;
    }
    --m_filling;
    copy.isComplete = true;
    copy.isFinal = isRoot;
    fragment.values = copy.sum;
    fragment.bitmap = copy.seen;
    return Verdict::COMPLETES;
}

bool
SwitchMlMemory::StoreFinal(const Fragment& sum, uint8_t set)
{
    Slot* slot = Find(sum);
    if (!slot || !(*slot)[set].isComplete || (*slot)[set].isFinal ||
        (*slot)[set].sequence != sum.GetSequence())
    {
        return false;
    }
    (*slot)[set].isFinal = true;
    (*slot)[set].sum = sum.values;
    return true;
}

SwitchMlMemory::Slot*
SwitchMlMemory::Find(const Fragment& fragment)
{
    const auto found = m_pools.find(fragment.GetJob());
    const bool isKnown = found != m_pools.end() && fragment.slot < found->second.count;
    return isKnown ? &m_slots[found->second.first + fragment.slot] : nullptr;
}

uint32_t
SwitchMlMemory::GetSlots() const
{
    return m_slots.size();
}

uint32_t
SwitchMlMemory::GetFree() const
{
    return m_free;
}

uint32_t
SwitchMlMemory::GetFilling() const
{
    return m_filling;
}

uint32_t
SwitchMlMemory::GetPool(uint16_t job) const
{
    const auto found = m_pools.find(job);
    return found == m_pools.end() ? 0 : found->second.count;
}

uint64_t
SwitchMlMemory::GetCount(Verdict verdict) const
{
    return m_counts[static_cast<std::size_t>(verdict)];
}

} // namespace aifabric
} // namespace ns3
