/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-helper.h"

#include "fabric-pcap-helper.h"

#include "ns3/abort.h"
#include "ns3/rc-queue-pair.h"

namespace ns3
{
namespace aifabric
{

RoceHelper::RoceHelper()
{
    m_queuePair.SetTypeId(RcQueuePair::GetTypeId());
}

void
RoceHelper::SetQueuePair(const ObjectFactory& factory)
{
    m_queuePair = factory;
}

void
RoceHelper::SetQueuePairAttribute(const std::string& name, const AttributeValue& value)
{
    m_queuePair.Set(name, value);
}

void
RoceHelper::SetRecovery(const ObjectFactory& factory)
{
    m_recovery = factory;
}

void
RoceHelper::SetControl(const ObjectFactory& factory)
{
    m_control = factory;
}

void
RoceHelper::SetBalancer(const ObjectFactory& factory)
{
    m_balancer = factory;
}

RoceHelper::Ends
RoceHelper::Connect(Ptr<RoceNetDevice> a, Ptr<RoceNetDevice> b) const
{
    NS_ABORT_MSG_IF(!a || !b, "RoceHelper::Connect: there is no NIC");
    const Ends ends(Create(*a), Create(*b));
    ends.first->Connect(b->GetHost(), ends.second->GetNumber());
    ends.second->Connect(a->GetHost(), ends.first->GetNumber());
    return ends;
}

Ptr<QueuePair>
RoceHelper::Create(RoceNetDevice& nic) const
{
    Ptr<QueuePair> queuePair = m_queuePair.Create<QueuePair>();
    if (m_recovery.IsTypeIdSet())
    {
        queuePair->SetRecovery(m_recovery.Create<LossRecovery>());
    }
    if (m_control.IsTypeIdSet())
    {
        queuePair->SetControl(m_control.Create<CongestionControl>());
    }
    if (m_balancer.IsTypeIdSet())
    {
        queuePair->SetBalancer(m_balancer.Create<HostBalancer>());
    }
    nic.AddQueuePair(queuePair);
    return queuePair;
}

void
RoceHelper::EnablePcapInternal(std::string prefix,
                               Ptr<NetDevice> device,
                               bool promiscuous,
                               bool explicitFilename)
{
    FabricPcapHelper().EnablePcap(prefix, device, promiscuous, explicitFilename);
}

} // namespace aifabric
} // namespace ns3
