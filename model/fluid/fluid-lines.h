/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_LINES_H
#define FLUID_LINES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Items that are due after a delay each, where many items have few different delays: those of one
 * delay are due in the order in which they were added, so they need no heap.
 *
 * @tparam Item what is delayed
 */
template <typename Item>
class FluidLines
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no time

    /// Add an item.  @param item what is delayed  @param nowPs the time, in ps
    /// @param delayPs from then until it is due, in ps
    void Add(const Item& item, int64_t nowPs, int64_t delayPs)
    {
        const auto found =
            std::find_if(m_lines.begin(), m_lines.end(), [delayPs](const Line& line) {
                return line.delayPs == delayPs;
            });
        Line& line = found == m_lines.end() ? m_lines.emplace_back(Line{delayPs, {}}) : *found;
        line.entries.push_back({nowPs + delayPs, item});
    }

    /// @return when the first item is due, in ps
    int64_t GetFirstPs() const
    {
        int64_t first = NEVER;
        for (const Line& line : m_lines)
        {
            first = line.entries.empty() ? first : std::min(first, line.entries.front().ps);
        }
        return first;
    }

    /// Remove each item that is due.  @param nowPs the time, in ps
    /// @param visitor called for each, may add items or clear all
    template <typename Visitor>
    void TakeDue(int64_t nowPs, Visitor visitor)
    {
        for (std::size_t i = 0; i < m_lines.size(); ++i)
        {
            while (!m_lines[i].entries.empty() && m_lines[i].entries.front().ps <= nowPs)
            {
                const Item item = m_lines[i].entries.front().item;
                m_lines[i].entries.pop_front();
                visitor(item);
            }
        }
    }

    /// Call for each item, which may be changed.  @param visitor what is called
    template <typename Visitor>
    void Visit(Visitor visitor)
    {
        for (Line& line : m_lines)
        {
            for (Entry& entry : line.entries)
            {
                visitor(entry.item);
            }
        }
    }

    /// Forget all items.
    void Clear()
    {
        for (Line& line : m_lines)
        {
            line.entries.clear();
        }
    }

  private:
    /// An item that is due at a time.
    struct Entry
    {
        int64_t ps; //!< when, in picoseconds
        Item item;  //!< the item
    };

    /// The items of one delay.
    struct Line
    {
        int64_t delayPs;           //!< the delay, in picoseconds
        std::deque<Entry> entries; //!< in the order in which they are due
    };

    std::vector<Line> m_lines; //!< a few
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_LINES_H */
