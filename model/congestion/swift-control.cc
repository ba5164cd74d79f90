/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "swift-control.h"

#include "ns3/double.h"
#include "ns3/fork-object.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SwiftControl);

namespace
{

constexpr uint32_t MOST_HOPS = 6; //!< links of a path in three tiers: until the first
                                  //!< acknowledgement, and of the largest window

} // namespace

TypeId
SwiftControl::GetTypeId()
{
    static TypeId tid = SwiftSettings::AddTo(
        TypeId("ns3::aifabric::SwiftControl")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<SwiftControl>()
            .AddAttribute("HostTarget",
                          "Target of the time that a packet and its acknowledgement wait in "
                          "hosts; the default is BaseTarget.",
                          TimeValue(NanoSeconds(6254)),
                          MakeTimeAccessor(&SwiftControl::m_hostTarget),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
            .AddAttribute("HostGain",
                          "Weight of the last time in hosts in their average.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&SwiftControl::m_hostGain),
                          MakeDoubleChecker<double>(1e-6, 1)));
    return tid;
}

void
SwiftControl::Start(const FabricFacts& facts)
{
    m_lineRate = facts.portRate;
    m_mtu = facts.mtu;
    m_heldFor = 0;
    SwiftWindow::Parameters parameters = GetParameters(facts, MOST_HOPS, "SwiftControl");
    const double first = GetFirstWindow(facts, parameters);
    m_fabric.emplace(parameters, first);
    parameters.baseTarget = static_cast<double>(m_hostTarget.GetPicoSeconds());
    parameters.hopTarget = 0;
    parameters.scalingRange = 0;
    m_hosts.emplace(parameters, first);
}

void
SwiftControl::LineRateChanged(DataRate lineRate)
{
    m_lineRate = lineRate; // the windows stay: they follow the delays
}

uint64_t
SwiftControl::GetWindow() const
{
    return static_cast<uint64_t>(GetSmaller().GetWindow() * m_mtu);
}

DataRate
SwiftControl::GetRate() const
{
    const SwiftWindow& window = GetSmaller();
    return window.GetWindow() < 1 ? Pace(window, m_mtu) : m_lineRate;
}

bool
SwiftControl::Acknowledged(uint32_t bytes, const AckReport& report, int64_t now)
{
    if (bytes == 0)
    {
        return false;
    }
    const int64_t roundTrip = now - report.sentAt;
    const double packets = static_cast<double>(bytes) / m_mtu;
    if (report.hops > 0) // else it has not come by the fabric
    {
        m_fabric->SetHops(report.hops + 1);
    }
    m_fabric->Acked(packets, roundTrip - report.heldFor, roundTrip, now);
    m_heldFor += m_hostGain * (static_cast<double>(report.heldFor) - m_heldFor);
    m_hosts->Acked(packets, static_cast<int64_t>(m_heldFor), roundTrip, now);
    return true;
}

void
SwiftControl::Lost(const LossSample& loss, int64_t now)
{
    for (SwiftWindow* window : {&*m_fabric, &*m_hosts})
    {
        if (loss.reason == LossReason::TIMEOUT)
        {
            window->TimedOut(now);
        }
        else
        {
            window->Lost(now);
        }
    }
}

Ptr<CongestionControl>
SwiftControl::Fork() const
{
    return ForkObject(*this);
}

std::map<std::string, Time>
SwiftControl::GetUsualTimes(Time roundTrip) const
{
    std::map<std::string, Time> times = GetUsual(roundTrip, GetTypeId());
    times[GetTypeId().GetName() + "::HostTarget"] = roundTrip;
    return times;
}

} // namespace aifabric
} // namespace ns3
