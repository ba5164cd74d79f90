/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-pool.h"

namespace ns3
{
namespace aifabric
{

GradientVector
GradientPool::Create(uint32_t size)
{
    const bool isFirst = m_free.empty();
    if (isFirst)
    {
        m_all.push_back(std::make_unique<GradientMemory>());
        m_all.back()->pool = this;
        m_free.push_back(m_all.back().get());
    }
    GradientMemory* memory = m_free.back();
    m_free.pop_back();
    if (memory->size != size)
    {
        constexpr uint32_t LANES = GradientVector::LANES;
        memory->size = size;
        memory->room.resize((size + LANES - 1) / LANES * LANES);
    }
    Ref();
    return GradientVector(Ptr<GradientMemory>(memory, !isFirst)); // the first time, it counts one
}

void
GradientPool::Recycle(GradientMemory* memory)
{
    m_free.push_back(memory);
    Unref();
}

} // namespace aifabric
} // namespace ns3
