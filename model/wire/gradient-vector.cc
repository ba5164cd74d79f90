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
GradientMemoryDeleter::Delete(GradientMemory* memory)
{
    if (memory->pool)
    {
        memory->pool->Recycle(memory);
    }
    else
    {
        delete memory;
    }
}

GradientVector::GradientVector(const std::vector<int32_t>& values)
    : m_memory(Create<GradientMemory>())
{
    m_memory->size = values.size();
    m_memory->room = values;
    m_memory->room.resize((values.size() + LANES - 1) / LANES * LANES);
}

void
GradientVector::CopyMemory()
{
    const GradientMemory& shared = *m_memory;
    GradientVector copy(shared.pool ? shared.pool->Create(shared.size).m_memory
                                    : ns3::Create<GradientMemory>());
    copy.m_memory->size = shared.size;
    copy.m_memory->room = shared.room;
    m_memory = copy.m_memory;
}

bool
operator==(const GradientVector& a, const GradientVector& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

} // namespace aifabric
} // namespace ns3
