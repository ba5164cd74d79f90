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
    const bool isFlat = GetGradient() <= 0;
    const bool isLow = roundTrip < m_parameters.low;
    const bool grows = isLow || (isFlat && roundTrip <= m_parameters.high);
    const uint32_t before = m_steps;
    m_steps = (m_parameters.countsIncreases ? grows : isFlat) ? m_steps + 1 : 0;
    if (grows)
    {
        const bool isHyper = m_parameters.countsIncreases
                                 ? before >= m_parameters.hyperSteps
                                 : !isLow && m_steps >= m_parameters.hyperSteps;
        Change(1, isHyper ? m_parameters.hyper * m_parameters.increase : m_parameters.increase);
    }
    else if (roundTrip > m_parameters.high)
    {
        Change(1 - m_parameters.decrease * (1 - m_parameters.high / roundTrip), 0);
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
