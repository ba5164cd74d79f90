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

namespace
{

/// @return what stands for the way from one host to another
/// @param source the one  @param destination the other
uint64_t
ConnectionKey(uint32_t source, uint32_t destination)
{
    return static_cast<uint64_t>(source) << 32 | destination;
}

} // namespace

TypeId
FlowDriver::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FlowDriver")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<FlowDriver>()
            .AddTraceSource("Received",
                            "All of a flow has come to its destination.",
                            MakeTraceSourceAccessor(&FlowDriver::m_receivedTrace),
                            "ns3::aifabric::FlowDriver::RecordTracedCallback")
            .AddTraceSource("Completed",
                            "All of a flow is acknowledged to its source.",
                            MakeTraceSourceAccessor(&FlowDriver::m_completedTrace),
                            "ns3::aifabric::FlowDriver::RecordTracedCallback")
            .AddTraceSource("AllCompleted",
                            "All flows are completed.",
                            MakeTraceSourceAccessor(&FlowDriver::m_allCompletedTrace),
                            "ns3::aifabric::FlowDriver::AllCompletedTracedCallback");
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
    m_connections.clear();
    m_nics.clear();
    Object::DoDispose();
}

void
FlowDriver::Install(const std::vector<Ptr<RoceNetDevice>>& nics, const std::vector<Flow>& flows)
{
    NS_ABORT_MSG_IF(!m_nics.empty(), "FlowDriver::Install: it has flows already");
    m_nics = nics;
    m_agendas.resize(nics.size());
    m_records.resize(flows.size());
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        NS_ABORT_MSG_IF(flows[i].source >= nics.size() || flows[i].destination >= nics.size(),
                        "FlowDriver: flow " << i << " names a host that is not there");
        NS_ABORT_MSG_IF(flows[i].source == flows[i].destination,
                        "FlowDriver: flow " << i << " goes from host " << flows[i].source
                                            << " to itself");
        m_records[i].flow = flows[i];
        m_agendas[flows[i].source].flows.push_back(i);
        m_expected += IsHere(flows[i].source);
    }
    for (uint32_t host = 0; host < nics.size(); ++host)
    {
        std::stable_sort(
            m_agendas[host].flows.begin(),
            m_agendas[host].flows.end(),
            [&flows](uint32_t a, uint32_t b) { return flows[a].startPs < flows[b].startPs; });
        ScheduleNext(host);
    }
}

void
FlowDriver::ScheduleNext(uint32_t host)
{
    const Agenda& agenda = m_agendas[host];
    if (agenda.next < agenda.flows.size())
    {
        const int64_t start = m_records[agenda.flows[agenda.next]].flow.startPs;
        Simulator::ScheduleWithContext(m_nics[host]->GetNode()->GetId(),
                                       FabricClock::Until(start),
                                       &FlowDriver::StartDue,
                                       this,
                                       host);
    }
}

void
FlowDriver::StartDue(uint32_t host)
{
    Agenda& agenda = m_agendas[host];
    while (agenda.next < agenda.flows.size())
    {
        const uint32_t index = agenda.flows[agenda.next];
        FlowRecord& record = m_records[index];
        if (record.flow.startPs > FabricClock::Now())
        {
            break;
        }
        ++agenda.next;
        record.started = true;
        Connection& connection = GetConnection(host, record.flow.destination);
        connection.flows.push_back(index);
        if (const Ptr<RoceQueuePair>& sender = connection.sender.queuePair)
        {
            ++m_started;
            sender->PostWrite(record.flow.bytes,
                              MakeCallback(&FlowDriver::MessageCompleted, this).Bind(index));
        }
    }
    ScheduleNext(host);
}

bool
FlowDriver::IsHere(uint32_t host) const
{
    return RankTransport::IsHere(m_nics[host]->GetNode());
}

FlowDriver::QueuePairEnd
FlowDriver::Open(uint32_t host) const
{
    if (!IsHere(host))
    {
        return {m_nics[host]->ReserveQueuePair(), nullptr};
    }
    const Ptr<RoceQueuePair> queuePair = m_nics[host]->CreateQueuePair();
    return {queuePair->GetNumber(), queuePair};
}

FlowDriver::Connection&
FlowDriver::GetConnection(uint32_t source, uint32_t destination)
{
    const uint64_t key = ConnectionKey(source, destination);
    Connection& connection = m_connections[key];
    if (connection.sender.number > 0)
    {
        return connection;
    }
    const auto reverse = m_connections.find(ConnectionKey(destination, source));
    if (reverse != m_connections.end())
    {
        connection.sender = reverse->second.receiver;
        connection.receiver = reverse->second.sender;
    }
    else
    {
        connection.receiver = Open(destination);
        connection.sender = Open(source);
        if (const Ptr<RoceQueuePair>& sender = connection.sender.queuePair)
        {
            sender->Connect(destination, connection.receiver.number);
        }
        if (const Ptr<RoceQueuePair>& receiver = connection.receiver.queuePair)
        {
            receiver->Connect(source, connection.sender.number);
        }
    }
    if (const Ptr<RoceQueuePair>& receiver = connection.receiver.queuePair)
    {
        receiver->SetReceiveCallback(MakeCallback(&FlowDriver::MessageReceived, this).Bind(key));
    }
    return connection;
}

void
FlowDriver::MessageReceived(uint64_t connection, Ptr<RoceQueuePair>, uint64_t bytes)
{
    std::deque<uint32_t>& flows = m_connections.at(connection).flows;
    FlowRecord& record = m_records[flows.front()];
    flows.pop_front();
    NS_ABORT_MSG_IF(bytes != record.flow.bytes,
                    "FlowDriver: a message of " << record.flow.bytes << " bytes came with "
                                                << bytes);
    record.received = true;
    record.receivedAt = PicoSeconds(FabricClock::Now());
    m_receivedTrace(record);
}

void
FlowDriver::MessageCompleted(uint32_t flow, Ptr<RoceQueuePair>, uint64_t)
{
    FlowRecord& record = m_records[flow];
    record.completed = true;
    record.completedAt = PicoSeconds(FabricClock::Now());
    m_completedTrace(record);
    if (++m_completed == m_expected)
    {
        m_allCompletedTrace();
    }
}

const std::vector<FlowRecord>&
FlowDriver::GetRecords() const
{
    return m_records;
}

std::size_t
FlowDriver::GetExpected() const
{
    return m_expected;
}

std::size_t
FlowDriver::GetStarted() const
{
    return m_started;
}

std::size_t
FlowDriver::GetCompleted() const
{
    return m_completed;
}

} // namespace aifabric
} // namespace ns3
