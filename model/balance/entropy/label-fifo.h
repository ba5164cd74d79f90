/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LABEL_FIFO_H
#define LABEL_FIFO_H

#include "ns3/growing-ring.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The labels whose packets were acknowledged without a mark, in the order of the acknowledgements,
 * as many as there are (uet-htsim, UecMpRepsLegacy). Each is used once.
 */
class LabelFifo
{
  public:
    /// A packet was acknowledged without a mark.
    void Add(uint16_t label)
    {
        m_labels.push_back(label);
    }

    /// @return the oldest label, removed; none: there is none
    std::optional<uint16_t> Take()
    {
        if (m_labels.empty())
        {
            return std::nullopt;
        }
        ++m_uses;
        return m_labels.pop_front();
    }

    /// @return how many labels it holds
    uint32_t GetSize() const
    {
        return m_labels.size();
    }

    /// @return how many labels were taken
    uint64_t GetUses() const
    {
        return m_uses;
    }

    /// Forget the labels, but not how many were taken.
    void Clear()
    {
        m_labels = GrowingRing<uint16_t>();
    }

  private:
    GrowingRing<uint16_t> m_labels; //!< the oldest first
    uint64_t m_uses{0};             //!< labels that were taken
};

} // namespace aifabric
} // namespace ns3

#endif /* LABEL_FIFO_H */
