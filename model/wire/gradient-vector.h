/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_VECTOR_H
#define GRADIENT_VECTOR_H

#include "ns3/simple-ref-count.h"

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
 * The values of a packet of gradients: integers in fixed point, or the bits of floats. Frames share
 * a vector, so that the copies of a multicast do not copy the values; therefore it is constant.
 */
class GradientVector : public SimpleRefCount<GradientVector>
{
  public:
    /// Create a vector of values.
    explicit GradientVector(std::vector<int32_t> values)
        : m_values(std::move(values))
    {
    }

    /// @return the values
    const std::vector<int32_t>& Get() const
    {
        return m_values;
    }

  private:
    const std::vector<int32_t> m_values; //!< the values
};

} // namespace aifabric
} // namespace ns3

#endif /* GRADIENT_VECTOR_H */
