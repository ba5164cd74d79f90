/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hpcc-control.h"

#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(HpccControl);

TypeId
HpccControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::HpccControl")
            .SetParent<PacedWindowControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<HpccControl>()
            .AddAttribute("TargetUtilization",
                          "Share of a port's rate to be used: eta.",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&HpccControl::m_target),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStage",
                          "Round trips in a row that only add to the window: maxStage.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&HpccControl::m_mostStage),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("Increase",
                          "What a round trip adds to the window: W_AI (bytes; 0: what is left of "
                          "the first window above TargetUtilization, divided by Flows).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HpccControl::m_increase),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Flows",
                          "How many flows may share a port whose queue stays empty; of use where "
                          "Increase is 0.",
                          UintegerValue(100),
                          MakeUintegerAccessor(&HpccControl::m_flows),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

HpccWindow::Parameters
HpccControl::GetParameters(const FabricFacts& facts) const
{
    HpccWindow::Parameters parameters;
    parameters.target = m_target;
    parameters.mostStage = m_mostStage;
    parameters.baseRtt = FindRoundTrip(facts);
    parameters.mostWindow = BytesIn(facts.portRate, parameters.baseRtt);
    parameters.increase = m_increase > 0 ? static_cast<double>(m_increase)
                                         : parameters.mostWindow * (1 - m_target) / m_flows;
    return parameters;
}

void
HpccControl::Start(const FabricFacts& facts)
{
    Begin(facts);
    m_updatedAt = 0;
    m_window.emplace(GetParameters(facts));
}

void
HpccControl::LineRateChanged(DataRate lineRate)
{
    m_window->SetMostWindow(GetProduct(lineRate));
}

double
HpccControl::GetBytes() const
{
    return m_window->GetWindow();
}

void
HpccControl::TelemetryReceived(const PathTelemetry& telemetry, int64_t sentAt, int64_t now)
{
    constexpr double PS_PER_NS = 1000;
    if (m_window->Acked(telemetry, sentAt / PS_PER_NS, sentAt >= m_updatedAt))
    {
        m_updatedAt = now;
    }
}

bool
HpccControl::Acknowledged(uint32_t, const AckReport&, int64_t)
{
    return true;
}

bool
HpccControl::NeedsTelemetry() const
{
    return true;
}

std::string
HpccControl::Describe(const FabricFacts& facts) const
{
    const HpccWindow::Parameters parameters = GetParameters(facts);
    return DescribeWindow(parameters.baseRtt, parameters.mostWindow, parameters.increase);
}

Ptr<CongestionControl>
HpccControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
