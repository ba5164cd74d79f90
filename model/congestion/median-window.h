/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MEDIAN_WINDOW_H
#define MEDIAN_WINDOW_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The median of the last few values of a sequence.
 */
class MedianWindow
{
  public:
    /// @param size of how many values, at most; at least 1
    explicit MedianWindow(std::size_t size)
        : m_size(size)
    {
        m_values.reserve(size);
        m_sorted.reserve(size);
    }

    /**
     * The next value of the sequence.
     */
    void Add(int64_t value)
    {
        if (m_values.size() < m_size)
        {
            m_values.push_back(value);
        }
        else
        {
            int64_t& oldest = m_values[m_oldest];
            m_sorted.erase(std::lower_bound(m_sorted.begin(), m_sorted.end(), oldest));
            oldest = value;
            m_oldest = (m_oldest + 1) % m_size;
        }
        m_sorted.insert(std::upper_bound(m_sorted.begin(), m_sorted.end(), value), value);
    }

    /// @return the median of the values there are, of two the smaller; at least one must be there
    int64_t GetMedian() const
    {
        return m_sorted[(m_sorted.size() - 1) / 2];
    }

  private:
    std::size_t m_size;            //!< the most values that count
    std::size_t m_oldest{0};       //!< index of the oldest value, if all places are taken
    std::vector<int64_t> m_values; //!< the values, a ring
    std::vector<int64_t> m_sorted; //!< the same, by size
};

} // namespace aifabric
} // namespace ns3

#endif /* MEDIAN_WINDOW_H */
