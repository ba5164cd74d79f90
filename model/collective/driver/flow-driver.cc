/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-driver.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/node.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FlowDriver);

TypeId
FlowDriver::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::FlowDriver")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<FlowDriver>();
    return tid;
}

FlowDriver::FlowDriver()
{
}

FlowDriver::~FlowDriver()
{
}

void
FlowDriver::DoDispose()
{
    if (m_ownsService)
    {
        m_service->Dispose();
    }
    m_service = nullptr;
    Object::DoDispose();
}

void
FlowDriver::Install(const std::vector<Ptr<RoceNetDevice>>& nics, const std::vector<Flow>& flows)
{
    Ptr<MessageService> service = CreateObject<MessageService>();
    service->Install(nics);
    Install(service, flows);
    m_ownsService = true;
}

void
FlowDriver::Install(Ptr<MessageService> service, const std::vector<Flow>& flows)
{
    SetService(service);
    uint64_t here = 0;
    for (const Flow& flow : flows)
    {
        const uint32_t message = service->Add(flow);
        const uint32_t starter = flow.GetStarter();
        m_agendas[starter].messages.push_back(message);
        here += !flow.isBackground && RankTransport::IsHere(service->GetNics()[starter]->GetNode());
    }
    service->Expect(here);
    for (uint32_t host = 0; host < m_agendas.size(); ++host)
    {
        std::stable_sort(m_agendas[host].messages.begin(),
                         m_agendas[host].messages.end(),
                         [&service](uint32_t a, uint32_t b) {
                             return service->GetFlow(a).startPs < service->GetFlow(b).startPs;
                         });
        ScheduleNext(host);
    }
}

void
FlowDriver::Install(Ptr<MessageService> service, const Source& source)
{
    SetService(service);
    m_source = source;
    for (uint32_t host = 0; host < m_agendas.size(); ++host)
    {
        TakeNext(host);
        ScheduleNext(host);
    }
}

void
FlowDriver::SetService(Ptr<MessageService> service)
{
    NS_ABORT_MSG_IF(m_service, "FlowDriver::Install: it has flows already");
    m_service = service;
    m_agendas.resize(service->GetNics().size());
}

void
FlowDriver::TakeNext(uint32_t host)
{
    Agenda& agenda = m_agendas[host];
    if (const std::optional<Flow> flow = m_source ? m_source(host) : std::nullopt)
    {
        agenda.messages.assign(1, m_service->Add(*flow));
        agenda.next = 0;
    }
}

void
FlowDriver::ScheduleNext(uint32_t host)
{
    const Agenda& agenda = m_agendas[host];
    if (agenda.next < agenda.messages.size())
    {
        const int64_t start = m_service->GetFlow(agenda.messages[agenda.next]).startPs;
        // A start may open a queue pair at another host: so it has no node until it is due.
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       FabricClock::Until(start),
                                       &FlowDriver::EnterHost,
                                       Ptr<FlowDriver>(this),
                                       host);
    }
}

void
FlowDriver::EnterHost(uint32_t host)
{
    if (m_service) // or else disposed of meanwhile
    {
        Simulator::ScheduleWithContext(m_service->GetNics()[host]->GetNode()->GetId(),
                                       Time(0),
                                       &FlowDriver::StartDue,
                                       Ptr<FlowDriver>(this),
                                       host);
    }
}

void
FlowDriver::StartDue(uint32_t host)
{
    if (!m_service)
    {
        return; // disposed of meanwhile
    }
    Agenda& agenda = m_agendas[host];
    while (agenda.next < agenda.messages.size())
    {
        const uint32_t message = agenda.messages[agenda.next];
        if (m_service->GetFlow(message).startPs > FabricClock::Now())
        {
            break;
        }
        ++agenda.next;
        m_service->Start(message);
        TakeNext(host);
    }
    ScheduleNext(host);
}

const Ptr<MessageService>&
FlowDriver::GetService() const
{
    return m_service;
}

} // namespace aifabric
} // namespace ns3
