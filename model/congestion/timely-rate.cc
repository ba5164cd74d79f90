/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timely-rate.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

TimelyRate::TimelyRate(const Parameters& parameters, double lineRate)
    : m_parameters(parameters),
      m_lineRate(lineRate),
      m_rate(lineRate)
{
}

void
TimelyRate::Measured(double roundTrip)
{
    const double difference = m_last > 0 ? roundTrip - m_last : 0;
    m_last = roundTrip;
    m_difference = (1 - m_parameters.gain) * m_difference + m_parameters.gain * difference;
    m_steps = GetGradient() <= 0 ? m_steps + 1 : 0;
    if (roundTrip < m_parameters.low)
    {
        Change(1, m_parameters.increase);
    }
    else if (roundTrip > m_parameters.high)
    {
        Change(1 - m_parameters.decrease * (1 - m_parameters.high / roundTrip), 0);
    }
    else if (GetGradient() <= 0)
    {
        const double times = m_steps >= m_parameters.hyperSteps ? m_parameters.hyper : 1;
        Change(1, times * m_parameters.increase);
    }
    else
    {
        Change(std::max(0.0, 1 - m_parameters.decrease * GetGradient()), 0);
    }
}

void
TimelyRate::Change(double factor, double increase)
{
    const double least = std::min(m_parameters.leastRate, m_lineRate);
    m_rate = std::clamp(m_rate * factor + increase, least, m_lineRate);
}

void
TimelyRate::SetLineRate(double lineRate)
{
    m_lineRate = lineRate;
    m_rate = std::min(m_rate, lineRate);
}

} // namespace aifabric
} // namespace ns3
