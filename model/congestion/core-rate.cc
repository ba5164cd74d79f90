/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-rate.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr double NO_SHARE = 1e-6; //!< an average below this is none, so that it ends

} // namespace

CoreRate::CoreRate(const Parameters& parameters)
    : m_parameters(parameters),
      m_step(parameters.increase)
{
}

void
CoreRate::Update()
{
    const double all = m_whole + m_trimmed + m_trimmedLast;
    const double share = m_whole > 0 ? static_cast<double>(m_marked) / m_whole : 0;
    m_share += m_parameters.gain * (share - m_share);
    m_share = m_share < NO_SHARE ? 0 : m_share;
    const double excess = m_share - m_parameters.target;
    if (m_trimmed > 0 || excess > 0)
    {
        m_rate -= m_trimmed > 0 ? m_trimmed / all : 0;
        m_rate *= 1 - m_parameters.decrease * std::max(excess, 0.0);
        m_step = m_parameters.increase;
    }
    else
    {
        m_rate += m_marked > 0 ? m_parameters.increase : m_step;
        m_step = std::min(2 * m_step, 1.0);
    }
    m_rate = std::clamp(m_rate, m_parameters.least, 1.0);
    m_whole = 0;
    m_marked = 0;
    m_trimmed = 0;
    m_trimmedLast = 0;
}

} // namespace aifabric
} // namespace ns3
