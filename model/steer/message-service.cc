/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-service.h"

#include "message-steering.h"
#include "single-steering.h"
#include "steered-carrier.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/node.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <tuple>
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
            .AddAttribute("MaxReads",
                          "Reads that a queue pair may have outstanding (max_rd_atomic); others "
                          "wait.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&MessageService::m_maxReads),
                          MakeUintegerChecker<uint32_t>(1, 1 << 16))
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
    if (m_carrier)
    {
        m_carrier->Dispose();
        m_carrier = nullptr;
    }
    if (m_nodeFabric)
    {
        m_nodeFabric->Dispose();
        m_nodeFabric = nullptr;
    }
    if (m_empty)
    {
        m_empty->Dispose();
        m_empty = nullptr;
    }
    m_nics.clear();
    Object::DoDispose();
}

void
MessageService::SetCarrier(Ptr<MessageCarrier> carrier)
{
    m_carrier = carrier;
}

void
MessageService::Install(const std::vector<Ptr<RoceNetDevice>>& nics)
{
    NS_ABORT_MSG_IF(!m_nics.empty(), "MessageService::Install: it has NICs already");
    m_nics = nics;
    if (!m_carrier)
    {
        m_carrier = CreateObject<SteeredCarrier>(m_steeringType, m_maxBytes, m_maxReads);
    }
    m_carrier->Install(*this);
    m_numbers.resize(m_carriesChunks ? m_nics.size() : 0);
    m_empty = std::make_shared<EmptyMessages>(m_nics,
                                              MakeCallback(&MessageService::ReceiveMessage, this),
                                              MakeCallback(&MessageService::CompleteMessage, this));
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
    std::vector<uint32_t> hosts;
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        hosts.push_back(nic->GetNode()->GetId());
    }
    m_nodeFabric->Install(nodes,
                          std::move(hosts),
                          MakeCallback(&MessageService::ReceiveMessage, this),
                          MakeCallback(&MessageService::CompleteMessage, this));
}

int64_t
MessageService::AssignStreams(int64_t stream)
{
    return m_carrier->AssignStreams(stream);
}

void
MessageService::SetFailureCallback(const Callback<void>& failed)
{
    m_carrier->SetFailureCallback(failed);
}

void
MessageService::Abort()
{
    m_carrier->Abort();
    ForgetPending();
}

void
MessageService::ForgetPending()
{
    if (m_nodeFabric)
    {
        m_nodeFabric->Abort();
    }
    m_empty->Abort();
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
    m_carrier->Count(counters);
}

void
MessageService::Expect(uint64_t messages)
{
    m_expected += messages;
}

bool
MessageService::TakesReceives() const
{
    return m_carrier->TakesReceives();
}

void
MessageService::PostReceive(const Flow& flow)
{
    if (!IsInNode(flow) && flow.bytes > 0)
    {
        m_carrier->PostReceive(flow);
    }
}

void
MessageService::Open(const Flow& flow)
{
    if (!IsInNode(flow) && flow.bytes > 0)
    {
        m_carrier->Open(flow);
    }
}

bool
MessageService::IsInNode(const Flow& flow) const
{
    return m_nodeFabric && m_nodeFabric->Carries(flow);
}

uint32_t
MessageService::TakeNumber(uint32_t source)
{
    if (!m_carriesChunks)
    {
        return static_cast<uint32_t>(m_records.size());
    }
    Numbers& numbers = m_numbers[source];
    if (numbers.free.empty())
    {
        return numbers.taken++ * m_nics.size() + source;
    }
    const uint32_t number = numbers.free.back();
    numbers.free.pop_back();
    return number;
}

uint32_t
MessageService::Add(const Flow& flow, MessageUser* user)
{
    NS_ABORT_MSG_IF(flow.source >= m_nics.size() || flow.destination >= m_nics.size(),
                    "MessageService: message " << m_records.size()
                                               << " names a host that is not there");
    NS_ABORT_MSG_IF(flow.source == flow.destination,
                    "MessageService: message " << m_records.size() << " goes from host "
                                               << flow.source << " to itself");
    const uint32_t message = TakeNumber(flow.source);
    m_records.resize(std::max<std::size_t>(m_records.size(), std::size_t{message} + 1));
    NS_ABORT_MSG_IF(m_records.size() > MAX_MESSAGES, "MessageService: there are too many messages");
    m_rests.resize(m_records.size());
    m_records[message] = FlowRecord();
    m_records[message].flow = flow;
    Flow& added = m_records[message].flow;
    added.inNode = IsInNode(flow);
    added.isRead = flow.isRead && flow.bytes > 0 && !added.inNode;
    m_rests[message] = Rest{flow.bytes, 1, 0, user};
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
    const uint32_t starter = record.flow.GetStarter();
    const bool isHere = RankTransport::IsHere(m_nics[starter]->GetNode());
    record.started = true;
    m_started += isHere && !record.flow.isBackground;
    m_rests[message].turn = m_nics[starter]->TakeTurn();
    if (record.flow.bytes == 0)
    {
        m_empty->Send(record.flow, message);
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
    record.flow.isRead ? m_carrier->Ask(message) : m_carrier->Carry(message);
}

void
MessageService::RequestReceived(uint32_t message)
{
    m_rests[message].turn = m_nics[m_records[message].flow.source]->TakeTurn();
    m_carrier->Carry(message);
}

void
MessageService::StartNow(uint32_t message)
{
    m_records[message].flow.startPs = FabricClock::Now();
    Start(message);
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

void
MessageService::AddPiece(uint32_t message)
{
    ++m_rests[message].pieces;
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
    if (m_records[message].flow.isRead)
    {
        m_carrier->ReadReceived(message);
    }
    m_receivedTrace(message, FlowRecord(m_records[message])); // a sink may add messages
    if (user)
    {
        user->MessageReceived(message);
    }
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
    FlowRecord& record = m_records[message];
    record.completed = true;
    const int64_t now = FabricClock::Now();
    record.completedAt = record.flow.isRead ? record.receivedAt : PicoSeconds(now);
    m_completedTrace(message, FlowRecord(m_records[message]));
    if (MessageUser* user = m_rests[message].user)
    {
        user->MessageCompleted(message);
    }
    if (m_carriesChunks && m_records[message].received)
    {
        m_numbers[m_records[message].flow.source].free.push_back(message);
    }
    if (!m_records[message].flow.isBackground)
    {
        WindowSimulator::Defer([this, now]() { CountCompleted(now); });
    }
}

void
MessageService::CountCompleted(int64_t ps)
{
    m_endPs = std::max(m_endPs, ps);
    if (++m_completed == m_expected)
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

std::vector<std::size_t>
MessageService::SortStarted(std::size_t first, std::size_t end) const
{
    std::vector<std::tuple<int64_t, uint32_t, uint64_t, std::size_t>> keys;
    for (std::size_t message = first; message < end; ++message)
    {
        const FlowRecord& record = m_records[message];
        if (record.started)
        {
            keys.emplace_back(record.flow.startPs,
                              record.flow.source,
                              m_rests[message].turn,
                              message);
        }
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::size_t> messages;
    for (const auto& key : keys)
    {
        messages.push_back(std::get<3>(key));
    }
    return messages;
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

int64_t
MessageService::GetEndPs() const
{
    return m_endPs;
}

uint32_t
MessageService::GetMostActive() const
{
    return m_carrier->GetMostActive();
}

Ptr<MessageSteering>
MessageService::GetSteering(uint32_t host) const
{
    return m_carrier->GetSteering(host);
}

const Flow&
MessageService::GetFlow(uint32_t message) const
{
    return m_records[message].flow;
}

uint64_t
MessageService::GetTurn(uint32_t message) const
{
    return m_rests[message].turn;
}

bool
MessageService::CarriesChunks() const
{
    return m_carriesChunks;
}

} // namespace aifabric
} // namespace ns3
