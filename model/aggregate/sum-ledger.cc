/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sum-ledger.h"

#include "fixed-point.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

SumLedger::Verdict
SumLedger::Receive(Fragment& fragment, uint32_t all)
{
    const auto [place, isNew] = m_entries.try_emplace(fragment.key);
    Entry& entry = place->second;
    if (isNew)
    {
        entry.sum = std::move(fragment);
        entry.sum.expected = all;
        return entry.sum.IsComplete() ? Verdict::COMPLETES : Verdict::ADDED;
    }
    entry.sum.isMarked |= fragment.isMarked;
    entry.sum.hasCollided |= fragment.hasCollided;
    if (entry.sum.IsComplete())
    {
        return Verdict::REPEATS;
    }
    if (entry.sum.bitmap & fragment.bitmap)
    {
        ++entry.overlaps;
        return Verdict::OVERLAPS;
    }
    FixedPoint::AddTo(entry.sum.values, fragment.values);
    entry.sum.bitmap |= fragment.bitmap;
    return entry.sum.IsComplete() ? Verdict::COMPLETES : Verdict::ADDED;
}

SumLedger::Entry*
SumLedger::Find(uint64_t key)
{
    const auto found = m_entries.find(key);
    return found == m_entries.end() ? nullptr : &found->second;
}

void
SumLedger::Forget(uint64_t key)
{
    m_entries.erase(key);
}

std::size_t
SumLedger::GetSize() const
{
    return m_entries.size();
}

} // namespace aifabric
} // namespace ns3
