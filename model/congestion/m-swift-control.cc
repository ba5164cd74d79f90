/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m-swift-control.h"

#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MSwiftControl);

TypeId
MSwiftControl::GetTypeId()
{
    static TypeId tid = SwiftSettings::AddTo(
        TypeId("ns3::aifabric::MSwiftControl")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<MSwiftControl>()
            .AddAttribute("MedianSamples",
                          "Of how many of the last delays the median is taken (1: Swift).",
                          UintegerValue(33),
                          MakeUintegerAccessor(&MSwiftControl::m_samples),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("Hops",
                          "Hops of a path: the links between two hosts.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&MSwiftControl::m_hops),
                          MakeUintegerChecker<uint32_t>(0, 1000)));
    return tid;
}

void
MSwiftControl::Start(const FabricFacts& facts)
{
    m_lineRate = facts.portRate;
    m_mtu = facts.mtu;
    const SwiftWindow::Parameters parameters = GetParameters(facts, m_hops, "MSwiftControl");
    m_swift.emplace(parameters, GetFirstWindow(facts, parameters));
    m_delays.emplace(m_samples);
}

void
MSwiftControl::LineRateChanged(DataRate lineRate)
{
    m_lineRate = lineRate; // the windows stay: they follow the delays
}

uint64_t
MSwiftControl::GetWindow() const
{
    return static_cast<uint64_t>(m_swift->GetWindow() * m_mtu);
}

DataRate
MSwiftControl::GetRate() const
{
    return m_swift->GetWindow() < 1 ? Pace(*m_swift, m_mtu) : m_lineRate;
}

bool
MSwiftControl::Acknowledged(uint32_t bytes, const AckReport& report, int64_t now)
{
    if (bytes == 0)
    {
        return false;
    }
    m_delays->Add(now - report.sentAt);
    m_swift->Acked(static_cast<double>(bytes) / m_mtu, m_delays->GetMedian(), now);
    return true;
}

void
MSwiftControl::Lost(const LossSample& loss, int64_t now)
{
    if (loss.reason == LossReason::TIMEOUT)
    {
        m_swift->TimedOut(now);
        return;
    }
    m_swift->Lost(now);
}

Ptr<CongestionControl>
MSwiftControl::Fork() const
{
    return ForkObject(*this);
}

std::map<std::string, Time>
MSwiftControl::GetUsualTimes(Time roundTrip) const
{
    return GetUsual(roundTrip, GetTypeId());
}

} // namespace aifabric
} // namespace ns3
