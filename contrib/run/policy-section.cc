/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "policy-section.h"

#include "policy-kinds.h"

#include "ns3/ack-policy.h"
#include "ns3/config.h"
#include "ns3/congestion-control.h"
#include "ns3/host-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/queue-pair.h"

#include <cmath>

namespace ns3
{
namespace aifabric
{

TypeId
PolicySection::ReadUsual(const std::string& option, const std::optional<TypeId>& usual)
{
    if (!usual || m_table.At(option).IsSet())
    {
        return ReadPolicy(option);
    }
    m_scenario.options[option] = Registry(option).NameOf(*usual);
    return *usual;
}

Ptr<QueuePair>
PolicySection::MakeQueuePair(TypeId type) const
{
    const Ptr<QueuePair> queuePair = MakePolicy<QueuePair>(type);
    queuePair->SetRecovery(MakePolicy<LossRecovery>(m_scenario.recovery));
    queuePair->SetAckPolicy(MakePolicy<AckPolicy>(m_scenario.ackPolicy));
    queuePair->SetControl(MakePolicy<CongestionControl>(m_scenario.rateControl));
    if (m_scenario.balancer.IsChildOf(HostBalancer::GetTypeId()))
    {
        queuePair->SetBalancer(MakePolicy<HostBalancer>(m_scenario.balancer));
    }
    return queuePair;
}

void
PolicySection::SetDefault(const std::string& attribute, const AttributeValue& value)
{
    if (!IsAttributeGiven(attribute))
    {
        Config::SetDefault(attribute, value);
    }
}

FabricFacts
PolicySection::GetFacts() const
{
    FabricFacts facts;
    facts.portRate = DataRate(m_scenario.rate);
    facts.mtu = m_scenario.mtu;
    facts.planes = m_scenario.graph->Planes();
    facts.telemetry = m_scenario.telemetry;
    facts.baseRtt = PicoSeconds(std::llround(GetRoundTripPs(GetLatencyPs())));
    return facts;
}

} // namespace aifabric
} // namespace ns3
