/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ack-bypass.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(AckBypass);

TypeId
AckBypass::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::AckBypass")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<AckBypass>()
            .AddAttribute("HopTime",
                          "Time that an acknowledgement takes for each link of a shortest path. "
                          "The default is that of links of 0.5 us at 800 Gb/s.",
                          TimeValue(PicoSeconds(500640)),
                          MakeTimeAccessor(&AckBypass::m_hopTime),
                          MakeTimeChecker(Time(0)));
    return tid;
}

AckBypass::AckBypass()
{
}

AckBypass::~AckBypass()
{
}

void
AckBypass::Install(const FabricGraph& graph, const std::vector<Ptr<RoceNetDevice>>& nics)
{
    m_graph = &graph;
    m_nics = nics;
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nic->SetAckBypass(this);
    }
}

void
AckBypass::Carry(const Ptr<FabricFrame>& ack)
{
    ++m_carried;
    const int64_t links = m_graph->PathLinks(ack->source, ack->destination);
    Simulator::ScheduleWithContext(m_nics[ack->destination]->GetNode()->GetId(),
                                   TimeStep(links * m_hopTime.GetTimeStep()),
                                   &AckBypass::Deliver,
                                   this,
                                   ack);
}

void
AckBypass::Deliver(const Ptr<FabricFrame>& ack)
{
    m_nics[ack->destination]->ReceiveFrame(ack, 0, Simulator::Now().GetTimeStep());
}

uint64_t
AckBypass::GetCarried() const
{
    return m_carried;
}

void
AckBypass::DoDispose()
{
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nic->SetAckBypass(nullptr);
    }
    m_nics.clear();
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
