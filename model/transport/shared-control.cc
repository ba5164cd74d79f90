/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-control.h"

#include "queue-pair.h"
#include "roce-net-device.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

SharedControl::SharedControl(RoceNetDevice& nic)
    : m_nic(nic)
{
}

void
SharedControl::Add(QueuePair* queuePair)
{
    const Ptr<CongestionControl> control = queuePair->GetControl();
    NS_ABORT_MSG_IF(control->UsesCredits(),
                    "RoceNetDevice::SharesControl: "
                        << control->GetInstanceTypeId().GetName()
                        << " gets credits for one queue pair; another control can be shared");
    NS_ABORT_MSG_IF(control->NeedsTelemetry(),
                    "RoceNetDevice::SharesControl: "
                        << control->GetInstanceTypeId().GetName()
                        << " follows the ports of one path; another control can be shared");
    if (m_control)
    {
        m_idle.push_back(control);
    }
    else
    {
        m_control = control;
        if (m_control->ChangesByItself())
        {
            m_control->SetChangeCallback(MakeCallback(&SharedControl::ControlChanged, this));
        }
    }
    m_queuePairs.push_back(queuePair);
}

void
SharedControl::Remove(QueuePair* queuePair)
{
    const auto it = std::find(m_queuePairs.begin(), m_queuePairs.end(), queuePair);
    NS_ASSERT_MSG(it != m_queuePairs.end(), "SharedControl::Remove: the queue pair is not there");
    m_queuePairs.erase(it);
    if (m_idle.empty())
    {
        m_control->SetChangeCallback(Callback<void>());
        m_control->Start(m_nic.GetFacts(queuePair->GetMtu()));
        queuePair->SetControl(m_control);
        m_control = nullptr;
        return;
    }
    queuePair->SetControl(m_idle.back());
    m_idle.pop_back();
    ScheduleWake();
}

void
SharedControl::SharesChanged(bool isAtOnce)
{
    // Without pacing, a window that has room for more is used as soon as packets are acknowledged.
    if (isAtOnce || m_nic.GetPacing(m_control->GetRate()) > 0)
    {
        ScheduleWake();
    }
}

bool
SharedControl::IsWaiting(const QueuePair& queuePair)
{
    return !queuePair.HasFailed() && queuePair.GetRecovery().HasNext(queuePair.GetPosted());
}

bool
SharedControl::IsFirst(const QueuePair* queuePair) const
{
    return !m_queuePairs.empty() && m_queuePairs.front() == queuePair;
}

bool
SharedControl::MaySend(const LossRecovery& recovery) const
{
    if (m_isWaking)
    {
        return false; // Wake() chooses the next queue pair, not the acknowledgement
    }
    uint64_t outstanding = 0; // of all queue pairs
    uint64_t taken = 0;       // of those that have nothing to send now
    uint64_t waiting = 0;     // queue pairs that have
    for (const QueuePair* queuePair : m_queuePairs)
    {
        if (queuePair->HasFailed())
        {
            continue; // its packets will not be acknowledged
        }
        const bool isWaiting = IsWaiting(*queuePair);
        const uint64_t packets = queuePair->GetRecovery().GetOutstanding();
        outstanding += packets;
        taken += isWaiting ? 0 : packets;
        waiting += isWaiting;
    }
    const uint64_t mtu = m_queuePairs.front()->GetMtu();
    const uint64_t window = std::max<uint64_t>(1, m_control->GetWindow() / mtu);
    if (outstanding >= window)
    {
        return false;
    }
    const uint64_t share = (window - taken + waiting - 1) / waiting;
    return recovery.GetOutstanding() < share;
}

void
SharedControl::LineRateChanged(DataRate lineRate)
{
    m_control->LineRateChanged(lineRate);
}

uint64_t
SharedControl::GetWindow() const
{
    return m_control->GetWindow();
}

DataRate
SharedControl::GetRate() const
{
    const DataRate rate = m_control->GetRate();
    if (m_nic.GetPacing(rate) == 0)
    {
        return rate;
    }
    uint64_t waiting = 0;
    for (const QueuePair* queuePair : m_queuePairs)
    {
        waiting += IsWaiting(*queuePair);
    }
    const uint64_t shares = std::max<uint64_t>(waiting, 1);
    return DataRate(std::max<uint64_t>(rate.GetBitRate() / shares, 1));
}

bool
SharedControl::WantsSent() const
{
    return m_control->WantsSent();
}

bool
SharedControl::PacketSent(uint32_t bytes, int64_t start)
{
    m_control->PacketSent(bytes, start);
    return true; // other queue pairs may have changed them
}

bool
SharedControl::Acknowledged(uint32_t bytes, const AckReport& report, int64_t now)
{
    ScheduleWake();
    return m_control->Acknowledged(bytes, report, now);
}

void
SharedControl::Lost(const LossSample& loss, int64_t now)
{
    ScheduleWake();
    m_control->Lost(loss, now);
}

void
SharedControl::CnpReceived(int64_t now)
{
    ScheduleWake();
    m_control->CnpReceived(now);
}

bool
SharedControl::Adapts() const
{
    return m_control->Adapts();
}

void
SharedControl::Count(PolicyCounters& counters) const
{
    m_control->Count(counters);
}

void
SharedControl::ControlChanged()
{
    if (m_queuePairs.size() == 1)
    {
        m_queuePairs.front()->Wake();
        return;
    }
    ScheduleWake();
}

void
SharedControl::ScheduleWake()
{
    if (!m_isWaking && m_queuePairs.size() > 1)
    {
        m_isWaking = true;
        Simulator::ScheduleNow(&SharedControl::Wake, this);
    }
}

void
SharedControl::Wake()
{
    m_isWaking = false;
    ++m_turn;
    for (std::size_t i = 0; i < m_queuePairs.size(); ++i)
    {
        m_queuePairs[(m_turn + i) % m_queuePairs.size()]->Wake();
    }
}

void
SharedControl::DoDispose()
{
    m_queuePairs.clear();
    m_idle.clear();
    if (m_control)
    {
        m_control->Dispose();
    }
    m_control = nullptr;
    CongestionControl::DoDispose();
}

} // namespace aifabric
} // namespace ns3
