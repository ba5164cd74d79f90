/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-service.h"

#include "message-steering.h"
#include "single-steering.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/make-object.h"
#include "ns3/node.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MessageService);

TypeId
MessageService::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::MessageService")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<MessageService>()
            .AddAttribute("SteeringType",
                          "How each host divides messages among queue pairs and paths.",
                          TypeIdValue(SingleSteering::GetTypeId()),
                          MakeTypeIdAccessor(&MessageService::m_steeringType),
                          MakeTypeIdChecker())
            .AddAttribute("MaxMessageBytes",
                          "Longest RDMA write, in bytes: a longer piece is several of them, each "
                          "but the last of as many full packets as fit. InfiniBand allows 2^31.",
                          UintegerValue(LONGEST_WRITE),
                          MakeUintegerAccessor(&MessageService::m_maxBytes),
                          MakeUintegerChecker<uint64_t>(1, LONGEST_WRITE))
            .AddTraceSource("Received",
                            "All of a message has come to its destination.",
                            MakeTraceSourceAccessor(&MessageService::m_receivedTrace),
                            "ns3::aifabric::MessageService::RecordTracedCallback")
            .AddTraceSource("Completed",
                            "All of a message is acknowledged to its source.",
                            MakeTraceSourceAccessor(&MessageService::m_completedTrace),
                            "ns3::aifabric::MessageService::RecordTracedCallback")
            .AddTraceSource("AllCompleted",
                            "All messages that were expected are completed.",
                            MakeTraceSourceAccessor(&MessageService::m_allCompletedTrace),
                            "ns3::aifabric::MessageService::AllCompletedTracedCallback");
    return tid;
}

MessageService::MessageService()
{
}

MessageService::~MessageService()
{
}

void
MessageService::DoDispose()
{
    for (const Ptr<MessageSteering>& steering : m_steerings)
    {
        steering->Dispose();
    }
    m_steerings.clear();
    if (m_nodeFabric)
    {
        m_nodeFabric->Dispose();
        m_nodeFabric = nullptr;
    }
    m_connections.reset();
    m_nics.clear();
    Object::DoDispose();
}

void
MessageService::Install(const std::vector<Ptr<RoceNetDevice>>& nics)
{
    NS_ABORT_MSG_IF(!m_nics.empty(), "MessageService::Install: it has NICs already");
    SetNics(nics);
    m_active.resize(nics.size());
    ConnectionTable::Prepare prepare;
    if (m_carriesChunks)
    {
        prepare = [](QueuePair& queuePair) { queuePair.SetImmediate(true); };
    }
    m_connections =
        std::make_unique<ConnectionTable>(m_nics,
                                          MakeCallback(&MessageService::PieceReceived, this),
                                          MakeCallback(&MessageService::PieceCompleted, this),
                                          prepare);
    MakeSteerings();
}

void
MessageService::SetNics(const std::vector<Ptr<RoceNetDevice>>& nics)
{
    m_nics = nics;
}

void
MessageService::CarryChunks()
{
    m_carriesChunks = true;
}

void
MessageService::SetNodeFabric(Ptr<NodeFabric> fabric, const GpuNodes& nodes)
{
    NS_ABORT_MSG_IF(!m_records.empty(), "MessageService::SetNodeFabric: there are messages");
    m_nodeFabric = fabric;
    m_nodeFabric->Install(nodes,
                          MakeCallback(&MessageService::ReceiveMessage, this),
                          MakeCallback(&MessageService::CompleteMessage, this));
}

void
MessageService::MakeSteerings()
{
    for (uint32_t host = 0; host < m_nics.size(); ++host)
    {
        m_steerings.push_back(
            MakeObject<MessageSteering>(m_steeringType, "MessageService::SteeringType"));
        m_steerings.back()->Install(this, host);
    }
}

int64_t
MessageService::AssignStreams(int64_t stream)
{
    m_stream = stream;
    int64_t used = 0;
    for (const Ptr<MessageSteering>& steering : m_steerings)
    {
        used += steering->AssignStreams(stream + used);
    }
    return used;
}

void
MessageService::SetFailureCallback(const Callback<void>& failed)
{
    m_connections->SetFailureCallback(failed);
}

void
MessageService::Abort()
{
    m_connections->Abort();
    PolicyCounters counted;
    CountSteerings(counted);
    m_retired = std::move(counted);
    for (const Ptr<MessageSteering>& steering : m_steerings)
    {
        steering->Dispose();
    }
    m_steerings.clear();
    MakeSteerings();
    if (m_stream >= 0)
    {
        AssignStreams(m_stream);
    }
    std::fill(m_active.begin(), m_active.end(), 0);
    ForgetPending();
}

void
MessageService::ForgetPending()
{
    if (m_nodeFabric)
    {
        m_nodeFabric->Abort();
    }
    for (Rest& rest : m_rests)
    {
        rest.user = nullptr;
        rest.pieces = 0;
    }
    m_expected = m_completed;
    m_started = m_completed;
}

void
MessageService::CountSteerings(PolicyCounters& counters) const
{
    for (const auto& [name, count] : m_retired)
    {
        counters[name] += count;
    }
    for (const Ptr<MessageSteering>& steering : m_steerings)
    {
        steering->Count(counters);
    }
}

void
MessageService::Expect(uint64_t messages)
{
    m_expected += messages;
}

bool
MessageService::TakesReceives() const
{
    return false;
}

void
MessageService::PostReceive(const Flow&)
{
}

bool
MessageService::IsInNode(const Flow& flow) const
{
    return m_nodeFabric && m_nodeFabric->Carries(flow);
}

uint32_t
MessageService::Add(const Flow& flow, MessageUser* user)
{
    const uint32_t message =
        m_free.empty() ? static_cast<uint32_t>(m_records.size()) : m_free.back();
    NS_ABORT_MSG_IF(m_records.size() >= MAX_MESSAGES,
                    "MessageService: there are too many messages");
    NS_ABORT_MSG_IF(flow.source >= m_nics.size() || flow.destination >= m_nics.size(),
                    "MessageService: message " << message << " names a host that is not there");
    NS_ABORT_MSG_IF(flow.source == flow.destination,
                    "MessageService: message " << message << " goes from host " << flow.source
                                               << " to itself");
    FlowRecord record;
    record.flow = flow;
    record.flow.inNode = IsInNode(flow);
    const Rest rest{flow.bytes, 1, false, 0, user};
    if (!m_free.empty())
    {
        m_free.pop_back();
        m_records[message] = record;
        m_rests[message] = rest;
        return message;
    }
    m_records.push_back(record);
    m_rests.push_back(rest);
    return message;
}

void
MessageService::Start(uint32_t message)
{
    NS_ABORT_MSG_IF(message >= m_records.size(),
                    "MessageService::Start: there is no message " << message);
    FlowRecord& record = m_records[message];
    NS_ABORT_MSG_IF(record.started,
                    "MessageService::Start: message " << message << " was started before");
    const uint32_t source = record.flow.source;
    const bool isHere = RankTransport::IsHere(m_nics[source]->GetNode());
    record.started = true;
    m_started += isHere;
    if (record.flow.bytes == 0)
    {
        Simulator::ScheduleNow(&MessageService::EndEmpty, Ptr<MessageService>(this), message);
        return;
    }
    if (record.flow.inNode)
    {
        if (isHere) // all GPUs of a node are on one rank
        {
            m_nodeFabric->Send(record.flow, message);
        }
        return;
    }
    m_rests[message].turn = m_nics[source]->TakeTurn();
    Carry(message);
}

void
MessageService::EndEmpty(uint32_t message)
{
    if (m_rests[message].pieces == 0)
    {
        return; // aborted meanwhile
    }
    const Flow flow = GetFlow(message);
    if (RankTransport::IsHere(m_nics[flow.destination]->GetNode()))
    {
        ReceiveMessage(message);
    }
    if (RankTransport::IsHere(m_nics[flow.source]->GetNode()))
    {
        PartCompleted(message);
    }
}

void
MessageService::Carry(uint32_t message)
{
    m_steerings[m_records[message].flow.source]->Send(message);
}

void
MessageService::SetPieces(uint32_t message, uint64_t pieces)
{
    NS_ABORT_MSG_IF(pieces > MAX_PIECES,
                    "MessageService: message " << message << " is divided into " << pieces
                                               << " pieces, and " << MAX_PIECES << " are allowed");
    m_rests[message].pieces = pieces;
    m_records[message].flow.pieces = static_cast<uint32_t>(pieces);
}

uint32_t
MessageService::Post(uint32_t message, uint64_t bytes, uint32_t lane)
{
    const Flow& flow = GetFlow(message);
    const auto& end = m_connections->Get(flow, lane);
    if (end.queuePair)
    {
        PostOn(end.queuePair, message, bytes);
    }
    return end.number;
}

void
MessageService::PostOn(const Ptr<QueuePair>& queuePair, uint32_t message, uint64_t bytes)
{
    uint32_t& active = m_active[GetFlow(message).source];
    active += queuePair->GetPendingMessages() == 0;
    m_mostActive = std::max(m_mostActive, active);
    const uint64_t mtu = queuePair->GetMtu();
    const uint64_t most = std::max(mtu, m_maxBytes - m_maxBytes % mtu);
    Rest& rest = m_rests[message];
    for (; bytes > most; bytes -= most)
    {
        ++rest.pieces;
        queuePair->PostWrite(most, QueuePair::MessageCallback(), message, rest.turn);
    }
    queuePair->PostWrite(bytes, QueuePair::MessageCallback(), message, rest.turn);
}

void
MessageService::PieceReceived(Ptr<QueuePair>, uint64_t bytes, uint32_t message)
{
    PartReceived(message, bytes);
}

void
MessageService::PartReceived(uint32_t message, uint64_t bytes)
{
    Rest& rest = m_rests[message];
    NS_ABORT_MSG_IF(bytes > rest.bytes,
                    "MessageService: of message " << message << " came " << bytes << " bytes where "
                                                  << rest.bytes << " were missing");
    rest.bytes -= bytes;
    if (rest.bytes == 0)
    {
        ReceiveMessage(message);
    }
}

void
MessageService::ReceiveMessage(uint32_t message)
{
    m_records[message].received = true;
    m_records[message].receivedAt = PicoSeconds(FabricClock::Now());
    MessageUser* const user = m_rests[message].user;
    m_receivedTrace(message, FlowRecord(m_records[message])); // a sink may add messages
    if (user)
    {
        user->MessageReceived(message);
    }
}

void
MessageService::PieceCompleted(Ptr<QueuePair> queuePair, uint64_t bytes, uint32_t message)
{
    const Flow flow = GetFlow(message);
    const bool isIdle = queuePair->GetPendingMessages() == 0;
    m_active[flow.source] -= isIdle;
    if (m_rests[message].isAlone && isIdle)
    {
        m_connections->Release(flow, queuePair);
    }
    m_steerings[flow.source]->WriteAcknowledged(message, queuePair->GetNumber(), bytes);
    PartCompleted(message);
}

void
MessageService::PartCompleted(uint32_t message)
{
    if (--m_rests[message].pieces == 0)
    {
        CompleteMessage(message);
    }
}

void
MessageService::CompleteMessage(uint32_t message)
{
    m_records[message].completed = true;
    m_records[message].completedAt = PicoSeconds(FabricClock::Now());
    m_completedTrace(message, FlowRecord(m_records[message]));
    ++m_completed;
    if (MessageUser* user = m_rests[message].user)
    {
        user->MessageCompleted(message);
    }
    if (m_carriesChunks && m_records[message].received)
    {
        m_free.push_back(message);
    }
    if (m_completed == m_expected)
    {
        m_allCompletedTrace();
    }
}

const std::vector<Ptr<RoceNetDevice>>&
MessageService::GetNics() const
{
    return m_nics;
}

const std::vector<FlowRecord>&
MessageService::GetRecords() const
{
    return m_records;
}

uint64_t
MessageService::GetExpected() const
{
    return m_expected;
}

uint64_t
MessageService::GetStarted() const
{
    return m_started;
}

uint64_t
MessageService::GetCompleted() const
{
    return m_completed;
}

uint32_t
MessageService::GetMostActive() const
{
    return m_mostActive;
}

Ptr<MessageSteering>
MessageService::GetSteering(uint32_t host) const
{
    return m_steerings.at(host);
}

const Flow&
MessageService::GetFlow(uint32_t message) const
{
    return m_records[message].flow;
}

} // namespace aifabric
} // namespace ns3
