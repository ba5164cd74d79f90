/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-helper.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/pcap-file-wrapper.h"

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t ETHERNET_LINK_TYPE = 1; //!< LINKTYPE_ETHERNET of the pcap format

} // namespace

RoceHelper::RoceHelper()
{
    m_queuePair.SetTypeId(RoceQueuePair::GetTypeId());
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

Ptr<RoceQueuePair>
RoceHelper::Create(RoceNetDevice& nic) const
{
    Ptr<RoceQueuePair> queuePair = m_queuePair.Create<RoceQueuePair>();
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
    Ptr<FabricNetDevice> fabricDevice = DynamicCast<FabricNetDevice>(device);
    if (!fabricDevice)
    {
        return; // as the helpers of other devices: EnablePcapAll() names all devices
    }
    PcapHelper helper;
    const std::string name =
        explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
    auto file = CreateObjectWithAttributes<PcapFileWrapper>("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::out);
    NS_ABORT_MSG_IF(file->Fail(), "RoceHelper: cannot write " << name);
    file->Init(ETHERNET_LINK_TYPE);
    helper.HookDefaultSink<FabricNetDevice>(fabricDevice,
                                            promiscuous ? "PromiscSniffer" : "Sniffer",
                                            file);
}

} // namespace aifabric
} // namespace ns3
