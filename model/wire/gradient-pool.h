/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_POOL_H
#define GRADIENT_POOL_H

#include "gradient-vector.h"

#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The memory of a job's packets of gradients, which it uses again. The memory freed last is the
 * next to be handed out, because it is the one in the cache.
 *
 * Memory in use holds a reference to its pool, so the pool outlives it.
 */
class GradientPool : public SimpleRefCount<GradientPool>
{
  public:
    GradientPool() = default;
    GradientPool(const GradientPool&) = delete;
    GradientPool& operator=(const GradientPool&) = delete;

    /// @return a vector with any values  @param size how many, 1 or more
    GradientVector Create(uint32_t size)
    {
        if (!m_free)
        {
            Grow();
        }
        GradientMemory* memory = m_free;
        m_free = memory->next;
        ++m_live;
        if (memory->size != size)
        {
            memory->Resize(size);
        }
        Ref();
        return GradientVector(memory);
    }

    /// @return vectors that do not share their values, and are in use
    std::size_t GetLive() const
    {
        return m_live;
    }

  private:
    friend class GradientVector;

    /// Allocate more memory.
    void Grow();

    /// Take memory back to which no vector refers any longer.
    void Recycle(GradientMemory* memory)
    {
        memory->next = m_free;
        m_free = memory;
        --m_live;
        Unref();
    }

    std::vector<std::unique_ptr<GradientMemory>> m_all; //!< all memory
    GradientMemory* m_free{nullptr};                    //!< the first that is not in use
    std::size_t m_live{0};                              //!< how many are in use
};

} // namespace aifabric
} // namespace ns3

#endif /* GRADIENT_POOL_H */
