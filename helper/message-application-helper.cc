/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-application-helper.h"

#include "ns3/abort.h"
#include "ns3/message-application.h"
#include "ns3/rank-transport.h"

namespace ns3
{
namespace aifabric
{

MessageApplicationHelper::MessageApplicationHelper(Ptr<Node> destination)
    : m_destination(destination)
{
    m_factory.SetTypeId(MessageApplication::GetTypeId());
}

void
MessageApplicationHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
MessageApplicationHelper::SetRoce(const RoceHelper& roce)
{
    m_roce = roce;
}

ApplicationContainer
MessageApplicationHelper::Install(const NodeContainer& hosts) const
{
    NS_ABORT_MSG_IF(RankTransport::GetRanks() > 1, "MessageApplicationHelper needs a single rank");
    const Ptr<RoceNetDevice> destination = FindNic(m_destination);
    ApplicationContainer applications;
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const Ptr<Node> node = hosts.Get(i);
        if (node == m_destination)
        {
            continue;
        }
        Ptr<MessageApplication> application = m_factory.Create<MessageApplication>();
        application->SetQueuePair(m_roce.Connect(FindNic(node), destination).first);
        node->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

int64_t
MessageApplicationHelper::AssignStreams(const ApplicationContainer& applications, int64_t stream)
{
    int64_t used = 0;
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        const auto application = DynamicCast<MessageApplication>(applications.Get(i));
        NS_ABORT_MSG_IF(!application,
                        "MessageApplicationHelper::AssignStreams: no MessageApplication");
        used += application->AssignStreams(stream + used);
    }
    return used;
}

Ptr<RoceNetDevice>
MessageApplicationHelper::FindNic(const Ptr<Node>& node)
{
    NS_ABORT_MSG_IF(!node, "MessageApplicationHelper: there is no node");
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (const auto nic = DynamicCast<RoceNetDevice>(node->GetDevice(i)))
        {
            return nic;
        }
    }
    NS_ABORT_MSG("MessageApplicationHelper: node " << node->GetId() << " has no RoceNetDevice");
    return nullptr;
}

} // namespace aifabric
} // namespace ns3
