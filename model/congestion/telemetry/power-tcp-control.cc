/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "power-tcp-control.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PowerTcpControl);

TypeId
PowerTcpControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PowerTcpControl")
            .SetParent<PacedWindowControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<PowerTcpControl>()
            .AddAttribute("Gain",
                          "Weight of the new window: gamma.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&PowerTcpControl::m_gain),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("Increase",
                          "What is added to the window: beta (bytes; 0: the first window divided "
                          "by Flows).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PowerTcpControl::m_increase),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("LeastCurrent",
                          "The least current, as a share of the rate of a port: the window is at "
                          "most that of the last round trip divided by it, and beta more. Not in "
                          "the paper; the authors' simulator has 0.5.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PowerTcpControl::m_leastCurrent),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("TargetPower",
                          "Share of the power at full rate without a queue at which the window "
                          "only grows by beta. The authors' simulator has 0.95.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&PowerTcpControl::m_target),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("WeighsNoted",
                          "Whether the window of the last round trip has what Gain leaves of the "
                          "weight, as in the authors' simulator, or the last window.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PowerTcpControl::m_weighsNoted),
                          MakeBooleanChecker())
            .AddAttribute("Flows",
                          "How many flows share a port; of use where Increase is 0.",
                          UintegerValue(100),
                          MakeUintegerAccessor(&PowerTcpControl::m_flows),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

PowerTcpWindow::Parameters
PowerTcpControl::GetParameters(const FabricFacts& facts) const
{
    PowerTcpWindow::Parameters parameters;
    parameters.gain = m_gain;
    parameters.leastCurrent = m_leastCurrent;
    parameters.target = m_target;
    parameters.weighsNoted = m_weighsNoted;
    parameters.baseRtt = FindRoundTrip(facts);
    parameters.mostWindow = BytesIn(facts.portRate, parameters.baseRtt);
    parameters.increase =
        m_increase > 0 ? static_cast<double>(m_increase) : parameters.mostWindow / m_flows;
    return parameters;
}

void
PowerTcpControl::Start(const FabricFacts& facts)
{
    Begin(facts);
    m_notedAt = 0;
    m_window.emplace(GetParameters(facts));
}

void
PowerTcpControl::LineRateChanged(DataRate lineRate)
{
    m_window->SetMostWindow(GetProduct(lineRate));
}

double
PowerTcpControl::GetBytes() const
{
    return m_window->GetWindow();
}

void
PowerTcpControl::TelemetryReceived(const PathTelemetry& telemetry, int64_t sentAt, int64_t now)
{
    constexpr double PS_PER_NS = 1000;
    Note(m_window->Acked(telemetry, sentAt / PS_PER_NS, IsNewRound(sentAt)), now);
}

bool
PowerTcpControl::Acknowledged(uint32_t, const AckReport&, int64_t)
{
    return true;
}

bool
PowerTcpControl::NeedsTelemetry() const
{
    return true;
}

std::string
PowerTcpControl::Describe(const FabricFacts& facts) const
{
    const PowerTcpWindow::Parameters parameters = GetParameters(facts);
    return DescribeWindow(parameters.baseRtt, parameters.mostWindow, parameters.increase);
}

Ptr<CongestionControl>
PowerTcpControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
