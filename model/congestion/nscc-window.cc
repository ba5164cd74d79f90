/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nscc-window.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr double TRIMMING_TARGET = 0.75; //!< target delay where switches trim, in network RTTs
constexpr double UET_LONG_DELAY = 4;     //!< very long delay of profile UET, in target delays

/// @return delay from which on quick adapt reacts, without base RTTs, in ps
/// @param target the target delay, in ps
double
DeriveThreshold(const NsccWindow::Parameters& parameters, double target)
{
    if (parameters.quickAdaptThreshold > 0)
    {
        return static_cast<double>(parameters.quickAdaptThreshold);
    }
    if (parameters.profile == NsccWindow::UET)
    {
        return UET_LONG_DELAY * target;
    }
    return parameters.trims ? std::numeric_limits<double>::infinity() : 0;
}

} // namespace

NsccWindow::Constants::Constants(const Parameters& parameters)
    : profile(parameters.profile),
      receiverCredits(parameters.receiverCredits),
      packet(parameters.packet),
      payload(parameters.packet - parameters.header),
      rate(parameters.rate),
      networkRtt(parameters.networkRtt),
      fastDelay(static_cast<double>(parameters.fastDelay)),
      gamma(parameters.gamma),
      maxDecrease(parameters.maxDecrease),
      delayWeight(parameters.delayWeight),
      lateShare(parameters.lateShare),
      adjustPeriod(parameters.adjustPeriod > 0 ? parameters.adjustPeriod : networkRtt),
      adjustBytes(parameters.adjustPackets * packet),
      quickAdaptGate(parameters.quickAdaptGate),
      maxWindowFactor(parameters.maxWindowFactor)
{
    const auto rtt = static_cast<double>(networkRtt);
    const auto referenceRtt = static_cast<double>(parameters.referenceRtt);
    targetDelay = parameters.targetDelay > 0 ? static_cast<double>(parameters.targetDelay)
                                             : rtt * (parameters.trims ? TRIMMING_TARGET : 1);
    // by what the bandwidth-delay product exceeds that of the reference, in packets of the profile
    const double scale = rate * rtt / (parameters.referenceRate * referenceRtt);
    const double unit = scale * (profile == UE ? packet : payload);
    // The source multiplies by targetDelay / referenceRtt, and divides by targetDelay.
    alpha = parameters.proportionalIncrease * unit / referenceRtt;
    fairIncrease = parameters.fairIncrease * unit;
    periodicIncrease = parameters.periodicIncrease * unit;
    fastIncrease = parameters.fastIncrease * scale;
    quickAdaptThreshold = DeriveThreshold(parameters, targetDelay);
    quickAdaptRtts = quickAdaptThreshold > 0 ? 0 : parameters.dropThreshold - 1;
}

NsccWindow::Constants
NsccWindow::Constants::InPayload() const
{
    Constants scaled(*this);
    for (double* bytes : {&scaled.packet,
                          &scaled.rate,
                          &scaled.alpha,
                          &scaled.fairIncrease,
                          &scaled.periodicIncrease,
                          &scaled.adjustBytes})
    {
        *bytes = *bytes * payload / packet; // in this order the packet's payload is exact
    }
    return scaled;
}

NsccWindow::NsccWindow(const Constants& constants)
    : m_constants(constants)
{
    LowerBaseRtt(constants.networkRtt);
    m_window = m_maxWindow;
}

void
NsccWindow::Sent(int64_t bytes)
{
    // A loss of short packets is reported as one of full packets, and a lost packet may arrive
    // after all. What is sent now is in flight, whatever such reports have subtracted.
    m_inFlight = std::max<int64_t>(m_inFlight, 0) + bytes;
}

void
NsccWindow::Acknowledged(const Ack& ack, int64_t now)
{
    m_delivered += ack.bytes;
    m_received += ack.bytes;
    m_ignored += ack.bytes;
    m_inFlight -= ack.bytes;
    ApplyPenalty(ack);
    if (!ack.rtt && m_constants.profile == UE)
    {
        return;
    }
    LowerBaseRtt(ack.rtt.value_or(m_baseRtt));
    const double delay = ack.rtt ? static_cast<double>(*ack.rtt - m_baseRtt) : m_averageDelay;
    const bool isLong = delay >= m_constants.targetDelay;
    if (ack.rtt)
    {
        const bool isDiscounted = !ack.marked && delay > m_constants.targetDelay;
        AverageDelay(isDiscounted ? m_constants.lateShare * static_cast<double>(m_baseRtt) : delay);
    }
    if (QuickAdapt(ack.marked, delay, now))
    {
        return;
    }
    if (ack.marked && isLong)
    {
        Decrease(now);
    }
    else if (!ack.marked && !m_isPenalized)
    {
        Increase(ack.bytes, delay);
    }
    Clamp();
    if (!m_isPenalized)
    {
        Fulfill(now);
    }
}

void
NsccWindow::Trimmed(int64_t bytes, bool atLastHop, int64_t now, std::optional<int64_t> rtt)
{
    const bool isReceivers = atLastHop && m_constants.receiverCredits;
    LowerBaseRtt(rtt.value_or(m_baseRtt));
    m_ignored += bytes;
    AverageDelay(static_cast<double>(m_constants.networkRtt));
    m_isArmed = m_isArmed || m_constants.profile == UET || !isReceivers;
    if (!QuickAdapt(true, 0, now) && !isReceivers)
    {
        Shrink(static_cast<double>(bytes));
    }
    m_inFlight -= bytes;
}

void
NsccWindow::InferredLoss(int64_t bytes)
{
    m_ignored += m_constants.profile == UE ? bytes : 0;
    m_inFlight -= bytes;
}

void
NsccWindow::TimedOut(int64_t bytes)
{
    InferredLoss(bytes);
    Shrink(static_cast<double>(bytes));
}

bool
NsccWindow::IsOver(int64_t since, int64_t period) const
{
    return m_constants.profile == UE ? since >= period : since > period;
}

void
NsccWindow::LowerBaseRtt(int64_t rtt)
{
    if (rtt < m_baseRtt)
    {
        m_baseRtt = rtt;
        const double product = m_constants.rate * static_cast<double>(m_baseRtt);
        m_maxWindow = std::max(m_constants.maxWindowFactor * product, m_constants.packet);
        m_window = std::min(m_window, m_maxWindow);
    }
}

void
NsccWindow::ApplyPenalty(const Ack& ack)
{
    constexpr double WHOLE = 128; // of AckReport::penalty
    const bool takes = ack.penalty > 0 && !ack.restores;
    if (m_constants.profile == UE)
    {
        if (takes && !m_isPenalized)
        {
            ++m_counters.penalties;
            m_savedWindow = m_window;
            m_window = std::min(m_window, static_cast<double>(m_inFlight));
        }
        else if (!takes && m_isPenalized)
        {
            m_window = std::min(m_savedWindow, m_maxWindow);
        }
        m_isPenalized = takes;
    }
    if (takes)
    {
        Shrink(static_cast<double>(ack.bytes) * ack.penalty / WHOLE);
    }
}

void
NsccWindow::AverageDelay(double delay)
{
    const double weight = m_constants.delayWeight;
    m_averageDelay = weight * delay + (1 - weight) * m_averageDelay;
}

bool
NsccWindow::QuickAdapt(bool marked, double delay, int64_t now)
{
    bool isDone = marked && m_ignored < m_toIgnore;
    if (!isDone && IsOver(now - m_periodEnd, 0))
    {
        const double rtt = static_cast<double>(m_baseRtt);
        const double threshold = m_constants.quickAdaptThreshold + m_constants.quickAdaptRtts * rtt;
        const auto delivered = static_cast<double>(m_delivered);
        if (m_periodEnd != NEVER && (m_isArmed || delay > threshold) &&
            delivered < m_constants.quickAdaptGate * m_maxWindow)
        {
            ++m_counters.quickAdapts;
            m_window = delivered;
            Clamp();
            m_toIgnore = m_inFlight;
            m_ignored = 0;
            m_isArmed = false;
            isDone = true;
        }
        m_delivered = 0;
        m_periodEnd = now + m_baseRtt + static_cast<int64_t>(m_constants.targetDelay);
    }
    if (isDone)
    {
        m_increase = 0;
        m_received = 0;
    }
    return isDone;
}

void
NsccWindow::Increase(int64_t bytes, double delay)
{
    const auto acknowledged = static_cast<double>(bytes);
    if (delay >= m_constants.targetDelay)
    {
        m_increase += m_constants.fairIncrease * acknowledged;
        return;
    }
    m_fastBytes = delay < m_constants.fastDelay ? m_fastBytes + bytes : 0;
    m_isFast =
        delay < m_constants.fastDelay && (m_isFast || static_cast<double>(m_fastBytes) > m_window);
    if (m_isFast)
    {
        m_window += m_constants.fastIncrease * acknowledged;
        return;
    }
    m_increase += m_constants.alpha * acknowledged * (m_constants.targetDelay - delay);
}

void
NsccWindow::Decrease(int64_t now)
{
    m_isFast = false;
    m_fastBytes = 0;
    const double excess = m_averageDelay - m_constants.targetDelay;
    if (excess > 0 && now - m_decreased > m_baseRtt)
    {
        ++m_counters.decreases;
        const double share = m_constants.gamma * excess / m_averageDelay;
        m_window *= 1 - std::min(share, m_constants.maxDecrease);
        m_decreased = now;
        Clamp();
    }
}

void
NsccWindow::Fulfill(int64_t now)
{
    const int64_t since = now - m_adjusted;
    const bool isEnough = static_cast<double>(m_received) > m_constants.adjustBytes;
    if (!isEnough && !IsOver(since, m_constants.adjustPeriod))
    {
        return;
    }
    m_window += m_increase / m_window;
    if (since >= m_constants.adjustPeriod)
    {
        m_window += m_constants.periodicIncrease;
        m_adjusted = now;
    }
    m_increase = 0;
    m_received = 0;
    Clamp();
}

void
NsccWindow::Shrink(double bytes)
{
    m_window -= bytes;
    Clamp();
}

void
NsccWindow::Clamp()
{
    m_window = std::clamp(m_window, m_constants.packet, m_maxWindow);
}

} // namespace aifabric
} // namespace ns3
