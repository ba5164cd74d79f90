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

QueuePairScheduler::QueuePairScheduler(RoceNetDevice* nic)
    : m_nic(nic)
{
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
    Append(queuePair);
}

void
QueuePairScheduler::Append(RoceQueuePair* queuePair)
{
    const uint8_t trafficClass = queuePair->GetClass();
    m_lines[trafficClass].push_back(queuePair);
    m_ready |= 1 << trafficClass;
}

int64_t
QueuePairScheduler::GetNextTime(uint8_t open)
{
    if (m_ready & open)
    {
        return m_openAt;
    }
    return m_paced.empty() ? NEVER : std::max(m_openAt, m_paced.top().time);
}

int
QueuePairScheduler::GetReadyClass(uint8_t open, int64_t start)
{
    while (!m_paced.empty() && m_paced.top().time <= start)
    {
        Append(m_paced.top().queuePair);
        m_paced.pop();
    }
    if (start < m_openAt)
    {
        return -1;
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
    m_openAt = start + m_nic->GetDataSlot(frame->wireBytes);
    m_nic->Enlist(queuePair, start);
    return frame;
}

} // namespace aifabric
} // namespace ns3
