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

void
GradientPool::Grow()
{
    m_all.push_back(std::make_unique<GradientMemory>());
    m_all.back()->pool = this;
    m_free = m_all.back().get();
}

} // namespace aifabric
} // namespace ns3
