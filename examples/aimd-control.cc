/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aimd-control.h"

#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(AimdControl);

TypeId
AimdControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::AimdControl")
                            .SetParent<CongestionControl>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<AimdControl>()
                            .AddAttribute("InitialWindow",
                                          "Window at the begin (packets).",
                                          UintegerValue(32),
                                          MakeUintegerAccessor(&AimdControl::m_firstPackets),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("Increase",
                                          "What a round trip without marks adds (packets).",
                                          DoubleValue(1),
                                          MakeDoubleAccessor(&AimdControl::m_increase),
                                          MakeDoubleChecker<double>(0))
                            .AddAttribute("Decrease",
                                          "What a mark or a loss leaves of the window, 0 to 1.",
                                          DoubleValue(0.5),
                                          MakeDoubleAccessor(&AimdControl::m_decrease),
                                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

// The page: begin
void
AimdControl::Start(const FabricFacts& facts)
{
    m_lineRate = facts.portRate;
    m_mtu = facts.mtu;
    m_window = static_cast<double>(m_firstPackets) * m_mtu;
    m_decreasedAt = 0;
}

void
AimdControl::LineRateChanged(DataRate lineRate)
{
    m_lineRate = lineRate;
}

Ptr<CongestionControl>
AimdControl::Fork() const
{
    return ForkObject(*this);
}

// The page: state
uint64_t
AimdControl::GetWindow() const
{
    return static_cast<uint64_t>(m_window);
}

DataRate
AimdControl::GetRate() const
{
    return m_lineRate; // the window alone limits it
}

// The page: law
bool
AimdControl::Acknowledged(uint32_t bytes, const AckReport& report, int64_t now)
{
    m_roundTrip = now - report.sentAt;
    if (!report.marked)
    {
        m_window += m_increase * m_mtu * bytes / m_window;
    }
    else if (report.sentAt >= m_decreasedAt)
    {
        Decrease(m_decrease, now);
    }
    return true;
}

void
AimdControl::Lost(const LossSample& loss, int64_t now)
{
    const int64_t sentAt = loss.sentAt > 0 ? loss.sentAt : now - m_roundTrip;
    if (loss.reason == LossReason::TIMEOUT)
    {
        Decrease(0, now);
    }
    else if (sentAt >= m_decreasedAt)
    {
        Decrease(m_decrease, now);
    }
}

void
AimdControl::Decrease(double factor, int64_t now)
{
    m_window = std::max(m_window * factor, static_cast<double>(m_mtu));
    m_decreasedAt = now;
    ++m_decreases;
}

// The page: counters
void
AimdControl::Count(PolicyCounters& counters) const
{
    counters["aimd_decreases"] += m_decreases;
}

// The page: end

} // namespace aifabric
} // namespace ns3
