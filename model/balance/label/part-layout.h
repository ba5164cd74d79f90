/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PART_LAYOUT_H
#define PART_LAYOUT_H

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
 * How the parts of an entropy make up a label: as the digits of a number. The lowest digits are the
 * uplinks that the switches on the way up choose, that of the leaf first, so that they are the
 * label of the path (PathView). The next one is the plane, if there are several. Above them is a
 * constant of the queue pair, so that labels of queue pairs differ also for switches that hash
 * them.
 */
class PartLayout
{
  public:
    /**
     * @param uplinks uplinks of the switches that choose on the way up, from the leaf on
     */
    PartLayout(uint32_t planes, const std::vector<uint16_t>& uplinks)
    {
        for (const uint16_t count : uplinks)
        {
            m_parts.push_back({count, m_labels});
            m_labels *= count;
        }
        if (planes > 1)
        {
            m_parts.insert(m_parts.begin(), {static_cast<uint16_t>(planes), m_labels});
            m_labels *= planes;
        }
    }

    /// @return the numbers of values of the parts: of the plane, if there are several, of the leaf,
    /// of the switch above it
    std::vector<uint16_t> GetSizes() const
    {
        std::vector<uint16_t> sizes;
        for (const Part& part : m_parts)
        {
            sizes.push_back(part.size);
        }
        return sizes;
    }

    /// @return the number of parts
    uint32_t CountParts() const
    {
        return m_parts.size();
    }

    /// @return how many labels differ in their parts
    uint64_t CountLabels() const
    {
        return m_labels;
    }

    /// @return the label, without the constant  @param values of the parts
    uint32_t Pack(const std::vector<uint16_t>& values) const
    {
        uint32_t label = 0;
        for (std::size_t i = 0; i < m_parts.size(); ++i)
        {
            label += values[i] * m_parts[i].place;
        }
        return label;
    }

    /// @return the value of a part
    uint32_t GetValue(uint32_t label, uint32_t part) const
    {
        return label / m_parts[part].place % m_parts[part].size;
    }

  private:
    /// A part of the entropy.
    struct Part
    {
        uint16_t size;  //!< number of values
        uint64_t place; //!< what a value of 1 adds to the label
    };

    std::vector<Part> m_parts; //!< in the order in which they change
    uint64_t m_labels{1};      //!< how many labels differ in their parts
};

} // namespace aifabric
} // namespace ns3

#endif /* PART_LAYOUT_H */
