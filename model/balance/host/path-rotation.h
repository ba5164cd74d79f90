/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_ROTATION_H
#define PATH_ROTATION_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Goes round a list: after any number of steps, the numbers of visits of any two entries differ by
 * at most one. A label, or a plane, that stands for several paths is that many entries. This is the
 * pointer of DR, destination-based rotation (arXiv 2507.21372, section 6).
 */
class PathRotation
{
  public:
    /**
     * Take another list. The position is kept, modulo the length of the list.
     *
     * @param labels the labels of the paths, in the order in which they are visited
     */
    void SetPaths(std::vector<uint16_t> labels)
    {
        m_labels = std::move(labels);
        SetPosition(m_position);
    }

    /// @param position where the next step goes, modulo the length of the list
    void SetPosition(uint32_t position)
    {
        m_position = m_labels.empty() ? position : position % m_labels.size();
    }

    /// @return the number of paths
    uint32_t GetSize() const
    {
        return m_labels.size();
    }

    /// @return the label of the next path, of which there has to be one
    uint16_t Next()
    {
        const uint16_t label = m_labels[m_position];
        m_position = m_position + 1 == m_labels.size() ? 0 : m_position + 1;
        return label;
    }

  private:
    std::vector<uint16_t> m_labels; //!< the paths, in order
    uint32_t m_position{0};         //!< the next one
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_ROTATION_H */
