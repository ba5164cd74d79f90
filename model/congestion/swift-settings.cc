/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "swift-settings.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/object-base.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr double BYTE_BITS = 8; //!< bits of a byte

} // namespace

TypeId
SwiftSettings::AddTo(TypeId type)
{
    return AddLimits(type)
        .AddAttribute("BaseTarget",
                      "Target delay, there and back, of a path without hops.",
                      TimeValue(NanoSeconds(6254)),
                      MakeTimeAccessor(&SwiftSettings::m_baseTarget),
                      MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
        .AddAttribute("HopTarget",
                      "What each hop adds to the target delay; the default is "
                      "BaseTarget / 6.55.",
                      TimeValue(NanoSeconds(955)),
                      MakeTimeAccessor(&SwiftSettings::m_hopTarget),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("ScalingRange",
                      "The most that flow scaling adds to the target delay; the default is five "
                      "times BaseTarget.",
                      TimeValue(NanoSeconds(31270)),
                      MakeTimeAccessor(&SwiftSettings::m_scalingRange),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ScalingMinWindow",
                      "Window up to which flow scaling adds that (packets).",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&SwiftSettings::m_scalingLeast),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("ScalingMaxWindow",
                      "Window from which on flow scaling adds nothing (packets).",
                      DoubleValue(100),
                      MakeDoubleAccessor(&SwiftSettings::m_scalingMost),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("Increase",
                      "Additive increase a round trip (packets): ai.",
                      DoubleValue(1),
                      MakeDoubleAccessor(&SwiftSettings::m_increase),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("Decrease",
                      "Multiplicative decrease, times the part of the delay that is above target: "
                      "beta.",
                      DoubleValue(0.8),
                      MakeDoubleAccessor(&SwiftSettings::m_decrease),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("MaxDecrease",
                      "The most of the window that is taken away at once: max_mdf.",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&SwiftSettings::m_mostDecrease),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("MinWindow",
                      "The smallest window (packets).",
                      DoubleValue(0.001),
                      MakeDoubleAccessor(&SwiftSettings::m_leastWindow),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("ResetTimeouts",
                      "Timeouts in a row after which the window is the smallest.",
                      UintegerValue(5),
                      MakeUintegerAccessor(&SwiftSettings::m_resetTimeouts),
                      MakeUintegerChecker<uint32_t>(1));
}

TypeId
SwiftSettings::AddLimits(TypeId type)
{
    return type
        .AddAttribute("InitialWindow",
                      "Window at the begin (bytes; 0: line rate of all planes times "
                      "target delay).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&SwiftSettings::m_firstWindow),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("MaxWindow",
                      "The largest window (bytes; 0: line rate of all planes times "
                      "target delay).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&SwiftSettings::m_mostWindow),
                      MakeUintegerChecker<uint64_t>());
}

SwiftWindow::Parameters
SwiftSettings::GetParameters(const FabricFacts& facts,
                             uint32_t hops,
                             const std::string& owner) const
{
    NS_ABORT_MSG_IF(m_scalingLeast >= m_scalingMost,
                    owner << ": ScalingMinWindow=" << m_scalingLeast
                          << " is not below ScalingMaxWindow=" << m_scalingMost);
    SwiftWindow::Parameters parameters;
    parameters.baseTarget = static_cast<double>(m_baseTarget.GetPicoSeconds());
    parameters.hopTarget = static_cast<double>(m_hopTarget.GetPicoSeconds());
    parameters.hops = hops;
    parameters.scalingRange = static_cast<double>(m_scalingRange.GetPicoSeconds());
    parameters.scalingLeast = m_scalingLeast;
    parameters.scalingMost = m_scalingMost;
    parameters.increase = m_increase;
    parameters.decrease = m_decrease;
    parameters.mostDecrease = m_mostDecrease;
    parameters.leastWindow = m_leastWindow;
    parameters.resetTimeouts = m_resetTimeouts;
    parameters.mostWindow = m_mostWindow ? static_cast<double>(m_mostWindow) / facts.mtu
                                         : GetProduct(facts, parameters.hops);
    NS_ABORT_MSG_IF(m_leastWindow > parameters.mostWindow,
                    owner << ": MinWindow=" << m_leastWindow
                          << " packets is above MaxWindow, which is " << parameters.mostWindow
                          << " packets");
    return parameters;
}

double
SwiftSettings::GetFirstWindow(const FabricFacts& facts,
                              const SwiftWindow::Parameters& parameters) const
{
    return m_firstWindow ? static_cast<double>(m_firstWindow) / facts.mtu
                         : GetProduct(facts, parameters.hops);
}

double
SwiftSettings::GetProduct(const FabricFacts& facts, uint32_t hops) const
{
    const Time target = m_baseTarget + m_hopTarget * static_cast<int64_t>(hops);
    const double allPlanes = facts.planes * (facts.portRate.GetBitRate() / BYTE_BITS);
    return allPlanes * target.GetSeconds() / facts.mtu;
}

DataRate
SwiftSettings::Pace(const SwiftWindow& window, uint32_t mtu)
{
    const double seconds = PicoSeconds(window.GetRoundTrip()).GetSeconds() / window.GetWindow();
    return DataRate(static_cast<uint64_t>(BYTE_BITS * mtu / seconds));
}

std::map<std::string, Time>
SwiftSettings::GetUsual(Time roundTrip, TypeId owner)
{
    constexpr double RATIO = 6.55; // of BaseTarget to HopTarget
    const int64_t ps = roundTrip.GetPicoSeconds();
    const std::string name = owner.GetName() + "::";
    return {{name + "BaseTarget", roundTrip},
            {name + "HopTarget", PicoSeconds(std::llround(ps / RATIO))},
            {name + "ScalingRange", PicoSeconds(5 * ps)}};
}

} // namespace aifabric
} // namespace ns3
