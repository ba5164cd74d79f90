/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-health.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace aifabric
{

void
PathHealth::MarkFailed(uint32_t leaf, uint16_t path, int64_t untilPs)
{
    int64_t& until = m_until[leaf].emplace(path, untilPs).first->second;
    until = std::max(until, untilPs);
    ++m_marks;
}

bool
PathHealth::IsFailed(uint32_t leaf, uint16_t path, int64_t nowPs) const
{
    const auto marks = m_until.find(leaf);
    if (marks == m_until.end())
    {
        return false;
    }
    const auto mark = marks->second.find(path);
    return mark != marks->second.end() && nowPs < mark->second;
}

std::vector<uint16_t>
PathHealth::Usable(uint32_t leaf, const std::vector<uint16_t>& paths, int64_t nowPs) const
{
    std::vector<uint16_t> usable;
    std::copy_if(paths.begin(), paths.end(), std::back_inserter(usable), [&](uint16_t path) {
        return !IsFailed(leaf, path, nowPs);
    });
    return usable.empty() ? paths : usable;
}

uint32_t
PathHealth::CountFailed(int64_t nowPs) const
{
    uint32_t count = 0;
    for (const auto& [leaf, marks] : m_until)
    {
        count += std::count_if(marks.begin(), marks.end(), [nowPs](const auto& mark) {
            return nowPs < mark.second;
        });
    }
    return count;
}

uint64_t
PathHealth::GetMarks() const
{
    return m_marks;
}

} // namespace aifabric
} // namespace ns3
