/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-vector.h"

#include "gradient-pool.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

void
GradientMemory::Resize(uint32_t values)
{
    constexpr uint32_t LANES = GradientVector::LANES;
    size = values;
    room.resize((values + LANES - 1) / LANES * LANES);
}

GradientVector::GradientVector(const std::vector<int32_t>& values)
    : GradientVector(new GradientMemory())
{
    m_memory->Resize(values.size());
    std::copy(values.begin(), values.end(), m_memory->room.begin());
}

void
GradientVector::CopyMemory()
{
    GradientVector copy(m_memory->pool ? m_memory->pool->Create(GetSize())
                                       : GradientVector(new GradientMemory()));
    copy.m_memory->size = m_memory->size;
    copy.m_memory->room = m_memory->room;
    std::swap(m_memory, copy.m_memory);
}

void
GradientVector::Free()
{
    if (m_memory->pool)
    {
        m_memory->pool->Recycle(m_memory);
    }
    else
    {
        delete m_memory;
    }
}

} // namespace aifabric
} // namespace ns3
