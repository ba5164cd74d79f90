/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-pair-scheduler.h"

#include "roce-net-device.h"
#include "roce-queue-pair.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

QueuePairScheduler::QueuePairScheduler(RoceNetDevice* nic, int64_t pacing)
    : m_nic(nic),
      m_pacing(pacing)
{
}

void
QueuePairScheduler::SetPacing(int64_t pacing)
{
    m_pacing = pacing;
}

void
QueuePairScheduler::Enlist(RoceQueuePair* queuePair, int64_t now)
{
    queuePair->isReady = true;
    if (queuePair->GetNextTime() > now)
    {
        m_paced.push(Paced{queuePair->GetNextTime(), m_order++, queuePair});
        return;
    }
    Append(queuePair, now);
}

uint32_t
QueuePairScheduler::GetWaiting() const
{
    uint32_t waiting = m_paced.size();
    for (uint8_t ready = m_ready; ready; ready &= ready - 1)
    {
        waiting += m_lines[__builtin_ctz(ready)].size();
    }
    return waiting;
}

void
QueuePairScheduler::Append(RoceQueuePair* queuePair, int64_t time)
{
    const uint8_t trafficClass = queuePair->GetClass();
    if (!(m_ready >> trafficClass & 1))
    {
        m_readySince[trafficClass] = time;
    }
    m_lines[trafficClass].push_back(queuePair);
    m_ready |= 1 << trafficClass;
}

int64_t
QueuePairScheduler::GetNextTime(uint8_t open)
{
    int64_t next = m_paced.empty() ? NEVER : m_paced.top().time;
    for (uint8_t ready = m_ready & open; ready; ready &= ready - 1)
    {
        next = std::min(next, m_readySince[__builtin_ctz(ready)]);
    }
    return std::max(next, m_nextTime);
}

int
QueuePairScheduler::GetReadyClass(uint8_t open, int64_t start)
{
    if (start < m_nextTime)
    {
        return -1;
    }
    while (!m_paced.empty() && m_paced.top().time <= start)
    {
        Append(m_paced.top().queuePair, m_paced.top().time);
        m_paced.pop();
    }
    while (const uint8_t ready = m_ready & open)
    {
        const int trafficClass = 31 - __builtin_clz(ready);
        if (Clear(trafficClass))
        {
            return trafficClass;
        }
    }
    return -1;
}

bool
QueuePairScheduler::Clear(int trafficClass)
{
    GrowingRing<RoceQueuePair*>& line = m_lines[trafficClass];
    while (!line.empty())
    {
        if (line.front()->CanSend())
        {
            return true;
        }
        line.pop_front()->isReady = false;
    }
    m_ready &= ~(1 << trafficClass);
    return false;
}

void
QueuePairScheduler::Foresee(uint32_t step) const
{
    if (!m_ready)
    {
        return;
    }
    const GrowingRing<RoceQueuePair*>& line = m_lines[31 - __builtin_clz(m_ready)];
    if (step == 1)
    {
        __builtin_prefetch(line.Place());
    }
    else if (step == 2)
    {
        line.front()->PrefetchState(RoceQueuePair::Use::DEPARTURE);
    }
    else
    {
        line.front()->PrefetchPolicies(RoceQueuePair::Use::DEPARTURE);
    }
}

void
QueuePairScheduler::ForeseeNext(const GrowingRing<RoceQueuePair*>& line)
{
    if (!line.empty())
    {
        line.front()->PrefetchPolicies(RoceQueuePair::Use::DEPARTURE);
    }
    if (line.size() > 1)
    {
        line[1]->PrefetchState(RoceQueuePair::Use::DEPARTURE);
    }
}

Ptr<FabricFrame>
QueuePairScheduler::Pull(uint8_t trafficClass, int64_t start)
{
    GrowingRing<RoceQueuePair*>& line = m_lines[trafficClass];
    RoceQueuePair* queuePair = line.pop_front();
    if (line.empty())
    {
        m_ready &= ~(1 << trafficClass);
    }
    queuePair->isReady = false;
    Ptr<FabricFrame> frame = m_nic->CreateFrame();
    queuePair->FillFrame(*frame, start);
    if (m_pacing)
    {
        m_nextTime = start + RoceNetDevice::Spread(frame->wireBytes + m_nic->GetGap(), m_pacing);
    }
    m_nic->Enlist(queuePair, start, this);
    ForeseeNext(line);
    return frame;
}

} // namespace aifabric
} // namespace ns3
