/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "steered-carrier.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/rank-transport.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SteeredCarrier);

TypeId
SteeredCarrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::SteeredCarrier")
                            .SetParent<MessageCarrier>()
                            .SetGroupName("AiFabric");
    return tid;
}

SteeredCarrier::SteeredCarrier(TypeId steeringType, uint64_t maxBytes, uint32_t maxReads)
    : m_maxBytes(maxBytes),
      m_maxReads(maxReads),
      m_steerings(steeringType, *this)
{
}

SteeredCarrier::~SteeredCarrier()
{
}

void
SteeredCarrier::DoDispose()
{
    m_steerings.Clear();
    m_connections.reset();
    m_service = nullptr;
    MessageCarrier::DoDispose();
}

void
SteeredCarrier::Install(MessageService& service)
{
    m_service = &service;
    m_activities.resize(service.GetNics().size());
    m_reads.assign(m_activities.size(), ReadSlots(m_maxReads));
    ConnectionTable::Change change;
    if (service.CarriesChunks())
    {
        change = [](QueuePair& queuePair) { queuePair.SetImmediate(true); };
    }
    m_connections =
        std::make_unique<ConnectionTable>(service.GetNics(),
                                          MakeCallback(&SteeredCarrier::PieceReceived, this),
                                          MakeCallback(&SteeredCarrier::PieceCompleted, this),
                                          change);
    m_steerings.Make(m_activities.size());
}

int64_t
SteeredCarrier::AssignStreams(int64_t stream)
{
    return m_steerings.AssignStreams(stream);
}

void
SteeredCarrier::SetFailureCallback(const Callback<void>& failed)
{
    m_connections->SetFailureCallback(failed);
}

void
SteeredCarrier::Abort()
{
    m_connections->Abort();
    m_reads.assign(m_activities.size(), ReadSlots(m_maxReads));
    m_steerings.Restart();
    for (Activity& activity : m_activities)
    {
        activity.now = 0;
    }
}

void
SteeredCarrier::Count(PolicyCounters& counters) const
{
    m_steerings.Count(counters);
}

void
SteeredCarrier::Open(const Flow& flow)
{
    if (m_steerings.KnowLanes())
    {
        m_connections->Get(flow, m_steerings.Get(flow.source)->CountLanes(flow) - 1);
        return;
    }
    m_connections->Prepare(flow);
}

void
SteeredCarrier::Carry(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    if (!m_steerings.KnowLanes())
    {
        m_connections->Prepare(flow);
    }
    // Lanes that are opened have both ends at once, whichever rank posts.
    if (m_steerings.KnowLanes() ||
        RankTransport::IsHere(m_service->GetNics()[flow.source]->GetNode()))
    {
        m_steerings.Get(flow.source)->Send(message);
    }
}

uint64_t
SteeredCarrier::SlotOf(const Flow& flow)
{
    constexpr uint32_t CLASS_BITS = 4;
    const uint64_t lane = uint64_t{flow.source} << 16 | flow.channel;
    return (lane << CLASS_BITS | flow.trafficClass) << 1 | flow.isBackground;
}

void
SteeredCarrier::Ask(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    NS_ABORT_MSG_IF(!m_steerings.KnowLanes(),
                    "a read needs a steering that knows its queue pairs beforehand");
    Open(flow); // by now: later, hosts may run on several threads
    if (m_reads[flow.destination].Take(SlotOf(flow), message))
    {
        PostRequest(message);
    }
}

void
SteeredCarrier::PostRequest(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    Flow request = flow;
    std::swap(request.source, request.destination);
    request.bytes = 1; // of which steerings make one piece
    const uint32_t lane = m_steerings.Get(request.source)->CountLanes(request) - 1;
    const Ptr<QueuePair>& queuePair = m_connections->Get(request, lane).queuePair;
    CountActive(request.source, *queuePair);
    const uint64_t bytes = std::min(flow.bytes, MessageService::LONGEST_WRITE);
    queuePair->PostReadRequest(static_cast<uint32_t>(bytes), message, m_service->GetTurn(message));
}

void
SteeredCarrier::ReadReceived(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    if (const auto next = m_reads[flow.destination].Release(SlotOf(flow)))
    {
        PostRequest(*next);
    }
}

uint32_t
SteeredCarrier::Post(uint32_t message, uint64_t bytes, uint32_t lane)
{
    const Flow& flow = m_service->GetFlow(message);
    const ConnectionTable::End end =
        m_steerings.KnowLanes() ? m_connections->Get(flow, lane) : m_connections->Use(flow, lane);
    if (end.queuePair)
    {
        PostOn(end.queuePair, message, bytes);
    }
    return end.number;
}

void
SteeredCarrier::PostAlone(uint32_t message, uint64_t bytes, const Prepare& prepare)
{
    const ConnectionTable::Taken taken = m_connections->Take(m_service->GetFlow(message));
    prepare(taken.queuePair, taken.isNew);
    PostOn(taken.queuePair, message, bytes);
}

void
SteeredCarrier::CountActive(uint32_t host, const QueuePair& queuePair)
{
    Activity& activity = m_activities[host];
    activity.now += queuePair.GetPendingMessages() == 0;
    activity.most = std::max(activity.most, activity.now);
}

void
SteeredCarrier::PostOn(const Ptr<QueuePair>& queuePair, uint32_t message, uint64_t bytes)
{
    CountActive(m_service->GetFlow(message).source, *queuePair);
    const uint64_t mtu = queuePair->GetMtu();
    const uint64_t most = std::max(mtu, m_maxBytes - m_maxBytes % mtu);
    const uint64_t turn = m_service->GetTurn(message);
    for (; bytes > most; bytes -= most)
    {
        m_service->AddPiece(message);
        queuePair->PostWrite(most, QueuePair::MessageCallback(), message, turn);
    }
    queuePair->PostWrite(bytes, QueuePair::MessageCallback(), message, turn);
}

void
SteeredCarrier::PieceReceived(Ptr<QueuePair>, uint64_t bytes, uint32_t message)
{
    if (bytes == 0)
    {
        m_service->RequestReceived(message);
        return;
    }
    m_service->PartReceived(message, bytes);
}

void
SteeredCarrier::PieceCompleted(Ptr<QueuePair> queuePair, uint64_t bytes, uint32_t message)
{
    const Flow flow = m_service->GetFlow(message);
    const bool isIdle = queuePair->GetPendingMessages() == 0;
    m_activities[bytes == 0 ? flow.destination : flow.source].now -= isIdle;
    if (bytes == 0)
    {
        return; // of a request
    }
    if (isIdle && !m_steerings.KnowLanes())
    {
        m_connections->Release(flow, queuePair);
    }
    m_steerings.Get(flow.source)->WriteAcknowledged(message, queuePair->GetNumber(), bytes);
    m_service->PartCompleted(message);
}

uint32_t
SteeredCarrier::GetMostActive() const
{
    uint32_t most = 0;
    for (const Activity& activity : m_activities)
    {
        most = std::max(most, activity.most);
    }
    return most;
}

Ptr<MessageSteering>
SteeredCarrier::GetSteering(uint32_t host) const
{
    return m_steerings.Get(host);
}

} // namespace aifabric
} // namespace ns3
