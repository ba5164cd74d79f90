/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "forwarding-options.h"

#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/switch-balancer.h"
#include "ns3/switch-forwarder.h"

namespace ns3
{
namespace aifabric
{

void
ForwardingOptions::Declare(OptionTable& table)
{
    table.Add("forwarding",
              "clos",
              "how switches forward, or help: as --balancer says (clos), by parts of the UDP "
              "source port that the sender chooses (stev), or by a route in an outer IPv6 header "
              "(srv6)");
}

void
ForwardingOptions::Read()
{
    m_scenario.forwarding = ReadPolicy("forwarding");
    const auto forwarder = MakePolicy<SwitchForwarder>(m_scenario.forwarding);
    const std::string obstacle = forwarder->FindObstacle(*m_scenario.graph);
    RefuseIf(!obstacle.empty(), "forwarding", "another one for a fabric with " + obstacle);
    m_scenario.outerBytes = forwarder->GetOuterBytes();
}

void
ForwardingOptions::Check() const
{
    const auto forwarder = MakePolicy<SwitchForwarder>(m_scenario.forwarding);
    if (forwarder->ObeysHosts())
    {
        CheckBalancer();
    }
    for (const std::string name : {"convergence", "detection"})
    {
        RefuseIf(forwarder->IsStatic() && IsGiven(name) && m_table.Get(name) != "never",
                 name,
                 "never with --forwarding=" + m_table.Get("forwarding") +
                     ", whose tables are static");
    }
}

void
ForwardingOptions::CheckBalancer() const
{
    const std::string with = "with --forwarding=" + m_table.Get("forwarding");
    RefuseIf(m_scenario.balancer.IsChildOf(SwitchBalancer::GetTypeId()) &&
                 !AskPolicy(m_scenario.balancer, &SwitchBalancer::HashesOnly),
             "balancer",
             "one of the hosts, or ecmp (one path a queue pair), " + with +
                 ": switches do not choose");
    RefuseIf(m_scenario.upgrade.has_value(), "upgrade", "none " + with);
    for (const auto& [attribute, value] : m_scenario.attributes)
    {
        const std::string mode = "Balancer::Forwarding";
        const bool isMode =
            attribute.size() > mode.size() &&
            attribute.compare(attribute.size() - mode.size(), mode.size(), mode) == 0;
        OptionError::ThrowIf(isMode && value != "Direct",
                             attribute,
                             value,
                             "Direct " + with + ": switches do not hash");
    }
}

void
ForwardingOptions::SetReaction()
{
    if (MakePolicy<SwitchForwarder>(m_scenario.forwarding)->IsStatic())
    {
        m_scenario.convergencePs.reset();
        m_scenario.detectionPs.reset();
        m_scenario.options["convergence"] = "never";
        m_scenario.options["detection"] = "never";
    }
}

} // namespace aifabric
} // namespace ns3
