/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcqcn-rate.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t MOST_STAGE = std::numeric_limits<uint32_t>::max(); // it counts no further

/// @return a power, by the same products on each machine
double
Power(double base, uint64_t exponent)
{
    double power = 1;
    for (; exponent > 0; exponent >>= 1)
    {
        power *= exponent & 1 ? base : 1;
        base *= base;
    }
    return power;
}

/// @return a stage some steps later
uint32_t
AddStages(uint32_t stage, uint64_t steps)
{
    return stage + std::min<uint64_t>(steps, MOST_STAGE - stage);
}

} // namespace

DcqcnRate::DcqcnRate(const Parameters& parameters, double lineRate)
    : m_parameters(parameters),
      m_lineRate(lineRate),
      m_rate(lineRate),
      m_target(lineRate),
      m_alpha(parameters.firstAlpha)
{
}

void
DcqcnRate::Advance(int64_t now)
{
    m_now = std::max(m_now, now);
    if (!m_isActive)
    {
        return;
    }
    while (GetNext() <= m_now)
    {
        if (m_decreaseDue <= m_rateDue)
        {
            const int64_t due = m_decreaseDue;
            AdvanceAlpha(due);
            m_isNotified = false;
            m_decreaseDue = NEVER;
            if (m_parameters.clampsTarget || m_timeStage > 0 || m_byteStage > 0)
            {
                m_target = m_rate;
            }
            Cut();
            m_rateDue = due + m_parameters.ratePeriod;
        }
        else
        {
            ExpireTimer(std::min(m_now, m_decreaseDue));
        }
    }
    AdvanceAlpha(m_now);
}

void
DcqcnRate::AdvanceAlpha(int64_t now)
{
    if (m_alphaDue > now)
    {
        return;
    }
    const uint64_t expirations = (now - m_alphaDue) / m_parameters.alphaPeriod + 1;
    m_alphaDue += static_cast<int64_t>(expirations) * m_parameters.alphaPeriod;
    m_alpha *= Power(1 - m_parameters.gain, expirations);
    if (m_raisesAlpha) // the first of them adds g, which the others reduce
    {
        m_alpha += m_parameters.gain * Power(1 - m_parameters.gain, expirations - 1);
        m_raisesAlpha = false;
    }
}

void
DcqcnRate::Sent(uint32_t bytes, int64_t now)
{
    Advance(now);
    if (!m_isActive || m_parameters.byteCounter == 0)
    {
        return;
    }
    for (m_bytes += bytes; m_bytes >= m_parameters.byteCounter; m_bytes -= m_parameters.byteCounter)
    {
        const uint32_t before = m_byteStage;
        m_byteStage = AddStages(m_byteStage, 1);
        Increase(m_timeStage, m_parameters.isPaper ? m_byteStage : before);
    }
}

void
DcqcnRate::Notified(int64_t now)
{
    Advance(now);
    m_parameters.isPaper ? NotifiedAsInPaper(m_now) : NotifiedAsInNics(m_now);
}

void
DcqcnRate::NotifiedAsInPaper(int64_t now)
{
    m_isActive = true;
    m_target = m_rate;
    Cut();
    m_alpha = (1 - m_parameters.gain) * m_alpha + m_parameters.gain;
    m_alphaDue = now + m_parameters.alphaPeriod;
    m_rateDue = now + m_parameters.ratePeriod;
}

void
DcqcnRate::NotifiedAsInNics(int64_t now)
{
    if (!m_isActive)
    {
        m_isActive = true;
        m_rate = std::max(m_parameters.leastRate, m_rate * m_parameters.firstRate);
        m_rate = std::min(m_rate, m_lineRate);
        m_target = m_rate;
        m_alphaDue = now + m_parameters.alphaPeriod;
        m_decreaseStart = now;
    }
    else
    {
        m_raisesAlpha = true;
    }
    if (!m_isNotified)
    {
        const int64_t period = m_parameters.decreasePeriod;
        m_isNotified = true;
        m_decreaseDue = m_decreaseStart + ((now - m_decreaseStart) / period + 1) * period;
    }
}

void
DcqcnRate::Cut()
{
    const double share = std::min(m_alpha / 2, m_parameters.maxDecrease);
    m_rate = std::min(m_lineRate, std::max(m_parameters.leastRate, m_rate * (1 - share)));
    m_timeStage = 0;
    m_byteStage = 0;
    m_bytes = 0;
    ++m_cuts;
}

void
DcqcnRate::ExpireTimer(int64_t until)
{
    if (m_rate == m_lineRate && m_target >= m_lineRate)
    {
        const int64_t expirations = (until - m_rateDue) / m_parameters.ratePeriod + 1;
        m_rateDue += expirations * m_parameters.ratePeriod;
        m_timeStage = AddStages(m_timeStage, expirations);
        return;
    }
    const uint32_t before = m_timeStage;
    m_rateDue += m_parameters.ratePeriod;
    m_timeStage = AddStages(m_timeStage, 1);
    Increase(m_parameters.isPaper ? m_timeStage : before, m_byteStage);
}

void
DcqcnRate::Increase(uint32_t timeStage, uint32_t byteStage)
{
    const uint32_t most = std::max(timeStage, byteStage);
    const uint32_t least =
        m_parameters.byteCounter > 0 ? std::min(timeStage, byteStage) : timeStage;
    if (least > m_parameters.fastSteps && m_parameters.hyper > 0)
    {
        m_target +=
            m_parameters.hyper * (m_parameters.isPaper ? least - m_parameters.fastSteps : 1);
    }
    else if (most >= m_parameters.fastSteps)
    {
        m_target += m_parameters.additive;
    }
    if (!m_parameters.isPaper)
    {
        m_target = std::min(m_target, m_lineRate);
    }
    m_rate = std::min((m_rate + m_target) / 2, m_lineRate);
    if (m_lineRate - m_rate < 1) // halving the difference would not end
    {
        m_rate = m_lineRate;
    }
}

void
DcqcnRate::SetLineRate(double lineRate)
{
    const bool isMost = m_rate == m_lineRate;
    m_lineRate = lineRate;
    m_rate = isMost ? lineRate : std::min(m_rate, lineRate);
    m_target = isMost ? lineRate : std::min(m_target, lineRate);
}

double
DcqcnRate::GetMeanRate(double bits) const
{
    constexpr double PS = 1e12; // a second
    if (!m_isActive || bits * PS <= m_rate * static_cast<double>(GetNext() - m_now))
    {
        return m_rate;
    }
    DcqcnRate later(*this);
    double left = bits * PS;
    for (int64_t next = GetNext(); left > later.m_rate * static_cast<double>(next - later.m_now);
         next = later.GetNext())
    {
        left -= later.m_rate * static_cast<double>(next - later.m_now);
        later.Advance(next);
    }
    return bits * PS / (static_cast<double>(later.m_now - m_now) + left / later.m_rate);
}

} // namespace aifabric
} // namespace ns3
