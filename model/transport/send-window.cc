/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "send-window.h"

#include "roce-net-device.h"
#include "shared-control.h"

#include "ns3/dispose-of.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

SendWindow::SendWindow()
{
}

SendWindow::~SendWindow()
{
}

SendWindow::SendWindow(const SendWindow& other)
    : m_control(other.m_control->Fork())
{
}

void
SendWindow::Start(const FabricFacts& facts, const Connection& connection)
{
    if (!m_isShared)
    {
        m_control->Start(facts); // one that is shared goes on
    }
    m_wantsSent = m_control->WantsSent();
    m_movesWaiting = m_control->MovesWaiting();
    m_usesCredits = m_control->UsesCredits();
    UpdateIsOrdinary();
    Update(connection);
}

void
SendWindow::Renew(const FabricFacts& facts, const Connection& connection)
{
    m_nextTime = 0;
    m_charged = 0;
    m_hasMoved = true;
    m_hasFailed = false;
    Start(facts, connection);
}

bool
SendWindow::MaySendSpecially(const LossRecovery& recovery, uint64_t posted) const
{
    return !m_hasFailed && recovery.HasNext(posted) && !LacksCredit() && HasRoom(recovery);
}

bool
SendWindow::HasRoom(const LossRecovery& recovery) const
{
    return m_isShared ? GetShared()->MaySend(recovery) || (m_isFollowed && recovery.IgnoresWindow())
                      : HasOwnRoom(recovery);
}

bool
SendWindow::IsStarved(const LossRecovery& recovery, uint64_t posted) const
{
    return !m_hasFailed && recovery.HasNext(posted) && LacksCredit();
}

bool
SendWindow::Acknowledged(uint64_t bytes, const AckReport& report, int64_t now)
{
    const bool isChanged =
        m_control->Acknowledged(std::min<uint64_t>(bytes, UINT32_MAX), report, now);
    if (m_traces)
    {
        m_traces->AddRtt(PicoSeconds(now - report.sentAt));
    }
    return isChanged || m_traces; // who has just connected to a trace source wants the values
}

bool
SendWindow::CreditReceived(uint64_t credit, const Connection& connection, int64_t now)
{
    const bool isNew = m_control->CreditReceived(credit, now);
    if (isNew)
    {
        Update(connection);
    }
    return isNew;
}

void
SendWindow::CnpReceived(const Connection& connection, int64_t now)
{
    m_control->CnpReceived(now);
    Update(connection);
}

void
SendWindow::LineRateChanged(DataRate lineRate, const Connection& connection)
{
    m_control->LineRateChanged(lineRate);
    Update(connection);
}

void
SendWindow::Update(const Connection& connection)
{
    const uint64_t window = m_control->GetWindow();
    const DataRate rate = m_control->GetRate();
    m_packets = std::clamp<uint64_t>(window / connection.mtu, 1, UINT32_MAX);
    const int64_t stepsPerByte = connection.nic->GetPacing(rate);
    if (m_movesWaiting && stepsPerByte != m_stepsPerByte)
    {
        m_nextTime +=
            Pacing::Spread(m_charged, stepsPerByte) - Pacing::Spread(m_charged, m_stepsPerByte);
        m_hasMoved = true;
    }
    m_stepsPerByte = stepsPerByte;
    if (m_isFollowed)
    {
        connection.recovery->WindowChanged(m_packets);
    }
    if (m_traces)
    {
        m_traces->Update(window, rate);
    }
}

void
SendWindow::Join(QueuePair* queuePair,
                 const Ptr<SharedControl>& shared,
                 const Connection& connection)
{
    if (!shared || shared == GetShared())
    {
        return;
    }
    Leave(queuePair);
    shared->Add(queuePair);
    m_control = shared;
    m_isShared = true;
    UpdateIsOrdinary();
    Update(connection);
}

void
SendWindow::Leave(QueuePair* queuePair)
{
    if (SharedControl* shared = GetShared())
    {
        shared->Remove(queuePair);
    }
}

void
SendWindow::NotifyShares(bool isAtOnce) const
{
    if (SharedControl* shared = GetShared())
    {
        shared->SharesChanged(isAtOnce);
    }
}

bool
SendWindow::StandsForControl(const QueuePair* queuePair) const
{
    const SharedControl* shared = GetShared();
    return !shared || shared->IsFirst(queuePair);
}

SharedControl*
SendWindow::GetShared() const
{
    return m_isShared ? static_cast<SharedControl*>(PeekPointer(m_control)) : nullptr;
}

ControlTraces&
SendWindow::Observe()
{
    if (!m_traces)
    {
        m_traces = std::make_unique<ControlTraces>();
    }
    return *m_traces;
}

void
SendWindow::Dispose()
{
    m_traces.reset();
    m_isShared = false;
    DisposeOf(m_control);
}

} // namespace aifabric
} // namespace ns3
