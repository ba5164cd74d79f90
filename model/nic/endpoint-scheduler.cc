/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "endpoint-scheduler.h"

#include "endpoint.h"
#include "send-arbiter.h"

#include "ns3/pacing.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EndpointScheduler);

TypeId
EndpointScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EndpointScheduler").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
EndpointScheduler::Install(SendArbiter* arbiter, uint8_t number)
{
    m_arbiter = arbiter;
    m_number = number;
}

void
EndpointScheduler::SetPacing(int64_t pacing)
{
    m_pacing = pacing;
}

void
EndpointScheduler::Enlist(Endpoint* endpoint, int64_t now)
{
    endpoint->isReady = true;
    if (endpoint->GetNextTime() > now)
    {
        m_paced.push(Paced{endpoint->GetNextTime(), m_order++, endpoint});
        endpoint->pacedLine = m_number;
        return;
    }
    Join(endpoint, now);
}

void
EndpointScheduler::Move(Endpoint* endpoint, int64_t now)
{
    endpoint->pacedLine = Endpoint::NO_LINE;
    ++m_stale;
    Enlist(endpoint, now);
}

bool
EndpointScheduler::IsStale(const Paced& paced) const
{
    const Endpoint& endpoint = *paced.endpoint;
    return endpoint.pacedLine != m_number || endpoint.GetNextTime() != paced.time;
}

void
EndpointScheduler::Reorder(Endpoint*)
{
}

uint32_t
EndpointScheduler::GetWaiting() const
{
    uint32_t waiting = m_paced.size() - m_stale;
    for (uint8_t ready = m_ready; ready; ready &= ready - 1)
    {
        waiting += Count(__builtin_ctz(ready));
    }
    return waiting;
}

void
EndpointScheduler::Join(Endpoint* endpoint, int64_t time)
{
    const uint8_t trafficClass = endpoint->GetClass();
    if (!(m_ready >> trafficClass & 1))
    {
        m_readySince[trafficClass] = time;
    }
    Insert(trafficClass, endpoint);
    m_ready |= 1 << trafficClass;
}

int64_t
EndpointScheduler::GetNextTime(uint8_t open)
{
    int64_t next = m_paced.empty() ? NEVER : m_paced.top().time;
    for (uint8_t ready = m_ready & open; ready; ready &= ready - 1)
    {
        next = std::min(next, m_readySince[__builtin_ctz(ready)]);
    }
    return std::max(next, m_nextTime);
}

int
EndpointScheduler::GetReadyClass(uint8_t open, int64_t start)
{
    if (start < m_nextTime)
    {
        return -1;
    }
    while (!m_paced.empty() && m_paced.top().time <= start)
    {
        const Paced first = m_paced.top();
        m_paced.pop();
        if (m_stale > 0 && IsStale(first))
        {
            --m_stale;
            continue;
        }
        first.endpoint->pacedLine = Endpoint::NO_LINE;
        Join(first.endpoint, first.time);
    }
    while (const uint8_t ready = m_ready & open)
    {
        const uint8_t trafficClass = 31 - __builtin_clz(ready);
        if (Clear(trafficClass))
        {
            return trafficClass;
        }
    }
    return -1;
}

bool
EndpointScheduler::Clear(uint8_t trafficClass)
{
    while (Endpoint* first = Peek(trafficClass).first)
    {
        if (first->CanSend())
        {
            return true;
        }
        RemoveFirst(trafficClass);
        first->isReady = false;
    }
    m_ready &= ~(1 << trafficClass);
    return false;
}

void
EndpointScheduler::Prefetch(uint32_t step) const
{
    if (!m_ready)
    {
        return;
    }
    const uint8_t trafficClass = 31 - __builtin_clz(m_ready);
    if (step == 1)
    {
        Prefetch(trafficClass);
    }
    else if (step == 2)
    {
        Peek(trafficClass).first->PrefetchDeparture(1);
    }
    else
    {
        Peek(trafficClass).first->PrefetchDeparture(2);
    }
}

void
EndpointScheduler::PrefetchCandidates(uint8_t trafficClass, const Endpoint* sender) const
{
    const Front front = Peek(trafficClass);
    if (front.first && front.first != sender)
    {
        front.first->PrefetchDeparture(2);
    }
    if (front.second)
    {
        front.second->PrefetchDeparture(1);
    }
}

Endpoint*
EndpointScheduler::Take(uint8_t trafficClass)
{
    const Front front = RemoveFirst(trafficClass);
    if (!front.second)
    {
        m_ready &= ~(1 << trafficClass);
    }
    front.first->isReady = false;
    return front.first;
}

Ptr<FabricFrame>
EndpointScheduler::Pull(uint8_t trafficClass, int64_t start)
{
    Endpoint* endpoint = Take(trafficClass);
    Ptr<FabricFrame> frame = m_arbiter->CreateFrame();
    endpoint->Fill(*frame, start);
    frame->SetClass(trafficClass);
    if (m_pacing)
    {
        m_nextTime = start + Pacing::Spread(frame->wireBytes + m_arbiter->GetGap(), m_pacing);
    }
    m_arbiter->PacketDeparts(endpoint, frame->wireBytes, start, *this);
    PrefetchCandidates(trafficClass, endpoint);
    return frame;
}

} // namespace aifabric
} // namespace ns3
