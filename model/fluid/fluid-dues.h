/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_DUES_H
#define FLUID_DUES_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Items that are due at a time each; those of one picosecond in the order in which they were added.
 *
 * @tparam Item what is due
 */
template <typename Item = uint32_t>
class FluidDues
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no time

    /// Add an item.  @param item what is due  @param ps when, in picoseconds
    void Add(const Item& item, int64_t ps)
    {
        m_entries.push_back({ps, m_added++, item});
        std::push_heap(m_entries.begin(), m_entries.end());
    }

    /// @return when the first item is due, in picoseconds
    int64_t GetFirstPs() const
    {
        return m_entries.empty() ? NEVER : m_entries.front().ps;
    }

    /// Remove all items that are due, also those that the visitor adds.  @param now the time, in
    /// picoseconds  @param visitor called for each; may add items, or clear all
    template <typename Visitor>
    void TakeUntil(int64_t now, Visitor visitor)
    {
        while (GetFirstPs() <= now)
        {
            std::pop_heap(m_entries.begin(), m_entries.end());
            const Item item = m_entries.back().item;
            m_entries.pop_back();
            visitor(item);
        }
    }

    /// Call for each item, which may be changed.  @param visitor what is called
    template <typename Visitor>
    void Visit(Visitor visitor)
    {
        for (Entry& entry : m_entries)
        {
            visitor(entry.item);
        }
    }

    /// Forget all items.
    void Clear()
    {
        m_entries.clear();
    }

  private:
    /// An item that is due at a time.
    struct Entry
    {
        int64_t ps;      //!< when, in picoseconds
        uint64_t number; //!< of items that were added before
        Item item;       //!< the item

        /// @return the order of a heap with the first one in front  @param other another one
        bool operator<(const Entry& other) const
        {
            return std::tie(ps, number) > std::tie(other.ps, other.number);
        }
    };

    std::vector<Entry> m_entries; //!< a heap
    uint64_t m_added{0};          //!< items so far
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_DUES_H */
