/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m-swift-control.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MSwiftControl);

TypeId
MSwiftControl::GetTypeId()
{
    static TypeId tid = AddSwiftAttributes(
        TypeId("ns3::aifabric::MSwiftControl")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<MSwiftControl>()
            .AddAttribute("MedianSamples",
                          "Of how many of the last delays the median is taken (1: Swift).",
                          UintegerValue(33),
                          MakeUintegerAccessor(&MSwiftControl::m_samples),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("BaseTarget",
                          "Target delay, there and back, of a path without hops.",
                          TimeValue(NanoSeconds(6254)),
                          MakeTimeAccessor(&MSwiftControl::m_baseTarget),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
            .AddAttribute("HopTarget",
                          "What each hop adds to the target delay; the default is "
                          "BaseTarget / 6.55.",
                          TimeValue(NanoSeconds(955)),
                          MakeTimeAccessor(&MSwiftControl::m_hopTarget),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("Hops",
                          "Hops of a path: the links between two hosts.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&MSwiftControl::m_hops),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("InitialWindow",
                          "Window at the begin (bytes; 0: line rate of all planes times "
                          "target delay).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MSwiftControl::m_firstWindow),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MaxWindow",
                          "The largest window (bytes; 0: line rate of all planes times "
                          "target delay).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MSwiftControl::m_mostWindow),
                          MakeUintegerChecker<uint64_t>()));
    return tid;
}

TypeId
MSwiftControl::AddSwiftAttributes(TypeId type)
{
    return type
        .AddAttribute("ScalingRange",
                      "The most that flow scaling adds to the target delay; the default is five "
                      "times BaseTarget.",
                      TimeValue(NanoSeconds(31270)),
                      MakeTimeAccessor(&MSwiftControl::m_scalingRange),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ScalingMinWindow",
                      "Window up to which flow scaling adds that (packets).",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&MSwiftControl::m_scalingLeast),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("ScalingMaxWindow",
                      "Window from which on flow scaling adds nothing (packets).",
                      DoubleValue(100),
                      MakeDoubleAccessor(&MSwiftControl::m_scalingMost),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("Increase",
                      "Additive increase a round trip (packets): ai.",
                      DoubleValue(1),
                      MakeDoubleAccessor(&MSwiftControl::m_increase),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("Decrease",
                      "Multiplicative decrease, times the part of the delay that is above target: "
                      "beta.",
                      DoubleValue(0.8),
                      MakeDoubleAccessor(&MSwiftControl::m_decrease),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("MaxDecrease",
                      "The most of the window that is taken away at once: max_mdf.",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&MSwiftControl::m_mostDecrease),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("MinWindow",
                      "The smallest window (packets).",
                      DoubleValue(0.001),
                      MakeDoubleAccessor(&MSwiftControl::m_leastWindow),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("ResetTimeouts",
                      "Timeouts in a row after which the window is the smallest.",
                      UintegerValue(5),
                      MakeUintegerAccessor(&MSwiftControl::m_resetTimeouts),
                      MakeUintegerChecker<uint32_t>(1));
}

void
MSwiftControl::Start(const FabricFacts& facts)
{
    constexpr double BITS = 8;
    NS_ABORT_MSG_IF(m_scalingLeast >= m_scalingMost,
                    "MSwiftControl: ScalingMinWindow="
                        << m_scalingLeast << " is not below ScalingMaxWindow=" << m_scalingMost);
    m_lineRate = facts.portRate;
    m_mtu = facts.mtu;
    SwiftWindow::Parameters parameters;
    parameters.baseTarget = static_cast<double>(m_baseTarget.GetPicoSeconds());
    parameters.hopTarget = static_cast<double>(m_hopTarget.GetPicoSeconds());
    parameters.hops = m_hops;
    parameters.scalingRange = static_cast<double>(m_scalingRange.GetPicoSeconds());
    parameters.scalingLeast = m_scalingLeast;
    parameters.scalingMost = m_scalingMost;
    parameters.increase = m_increase;
    parameters.decrease = m_decrease;
    parameters.mostDecrease = m_mostDecrease;
    parameters.leastWindow = m_leastWindow;
    parameters.resetTimeouts = m_resetTimeouts;
    const Time target = m_baseTarget + m_hopTarget * static_cast<int64_t>(m_hops);
    const double allPlanes = facts.planes * (m_lineRate.GetBitRate() / BITS);
    const double enough = allPlanes * target.GetSeconds() / m_mtu;
    parameters.mostWindow = m_mostWindow ? static_cast<double>(m_mostWindow) / m_mtu : enough;
    NS_ABORT_MSG_IF(m_leastWindow > parameters.mostWindow,
                    "MSwiftControl: MinWindow=" << m_leastWindow
                                                << " packets is above MaxWindow, which is "
                                                << parameters.mostWindow << " packets");
    m_swift.emplace(parameters,
                    m_firstWindow ? static_cast<double>(m_firstWindow) / m_mtu : enough);
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
    if (m_swift->GetWindow() >= 1)
    {
        return m_lineRate;
    }
    constexpr double BITS = 8;
    const double seconds = PicoSeconds(m_swift->GetDelay()).GetSeconds() / m_swift->GetWindow();
    return DataRate(static_cast<uint64_t>(BITS * m_mtu / seconds));
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
    constexpr double RATIO = 6.55; // of BaseTarget to HopTarget
    const int64_t ps = roundTrip.GetPicoSeconds();
    const std::string name = GetTypeId().GetName() + "::";
    return {{name + "BaseTarget", roundTrip},
            {name + "HopTarget", PicoSeconds(std::llround(ps / RATIO))},
            {name + "ScalingRange", PicoSeconds(5 * ps)}};
}

} // namespace aifabric
} // namespace ns3
