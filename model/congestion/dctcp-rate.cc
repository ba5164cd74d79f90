/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dctcp-rate.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

DctcpRate::DctcpRate(const Parameters& parameters, double lineRate)
    : m_parameters(parameters),
      m_lineRate(lineRate),
      m_rate(lineRate),
      m_alpha(parameters.firstAlpha)
{
}

bool
DctcpRate::EndRound(int64_t sentAt, int64_t now)
{
    if (m_hasBegun && sentAt <= m_roundSince)
    {
        return false;
    }
    m_roundSince = now;
    if (!m_hasBegun) // what was sent before the first acknowledgement is part of the first round
    {
        m_hasBegun = true;
        return true;
    }
    const double share = static_cast<double>(m_roundMarks) / static_cast<double>(m_roundAcks);
    m_alpha += m_parameters.gain * (share - m_alpha);
    m_roundAcks = 0;
    m_roundMarks = 0;
    return true;
}

void
DctcpRate::Acked(bool marked, int64_t sentAt, int64_t now)
{
    ++m_roundAcks;
    m_roundMarks += marked ? 1 : 0;
    m_marks += marked ? 1 : 0;
    const bool isUpdate = EndRound(sentAt, now);
    if (sentAt <= m_cutAt)
    {
        return;
    }
    if (marked)
    {
        const double least = std::min(m_parameters.leastRate, m_lineRate);
        m_rate = std::max(least, m_rate * (1 - m_alpha / 2));
        m_cutAt = now;
        ++m_cuts;
    }
    else if (isUpdate)
    {
        m_rate = std::min(m_lineRate, m_rate + m_parameters.increase);
    }
}

void
DctcpRate::Reset()
{
    m_rate = m_lineRate;
}

void
DctcpRate::SetLineRate(double lineRate)
{
    m_rate = m_rate < m_lineRate ? std::min(m_rate, lineRate) : lineRate;
    m_lineRate = lineRate;
}

} // namespace aifabric
} // namespace ns3
