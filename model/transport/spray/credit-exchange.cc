/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "credit-exchange.h"

#include "ns3/fabric-clock.h"
#include "ns3/roce-net-device.h"
#include "ns3/simulator.h"
#include "ns3/spray-codec.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

CreditExchange::CreditExchange(const Connection& connection,
                               const Requestor& requestor,
                               uint32_t number,
                               uint32_t quantum,
                               int64_t interval)
    : m_connection(connection),
      m_pacer(CreditPacer::Of(*connection.nic)),
      m_requestor(requestor),
      m_number(number),
      m_sums(quantum),
      m_firstInterval(interval)
{
}

void
CreditExchange::Announce(FabricFrame& frame)
{
    frame.opcode |= SprayCodec::DEMAND;
    frame.wireBytes = m_connection.nic->GetWireBytes(frame.opcode, frame.payload);
    frame.Extra().demand = m_sums.Announce(m_requestor.GetDemand(m_connection));
    AnnouncementSent(frame.sentAt);
}

void
CreditExchange::AnnouncementRefused(const FabricFrame& nack)
{
    m_sums.AnnouncementRefused(nack.sentAt);
}

void
CreditExchange::AskForCredit(bool isUrgent, int64_t now)
{
    const bool isInVain = !m_sums.IsExpecting() || m_sums.IsAnnouncementLost() || isUrgent;
    if (isInVain && IsStarved())
    {
        SendRequest(now);
    }
}

bool
CreditExchange::IsStarved() const
{
    return m_requestor.GetSendWindow().IsStarved(*m_connection.recovery, m_requestor.GetPosted());
}

void
CreditExchange::SendRequest(int64_t now)
{
    RoceNetDevice& nic = *m_connection.nic;
    Ptr<FabricFrame> request = nic.CreateFrame();
    request->opcode = SPRAY_REQUEST;
    request->Extra().demand = m_sums.Announce(m_requestor.GetDemand(m_connection));
    AnnouncementSent(now);
    const PathChoice path = m_connection.GetControlPath(m_number, m_requestsSent++);
    Send(std::move(request), path.entropy, path.plane, now);
}

void
CreditExchange::AnnouncementSent(int64_t start)
{
    m_sums.AnnouncementSent(start);
    if (m_firstInterval > 0 && m_sums.IsExpecting() && m_requestTimer.IsExpired())
    {
        m_interval = m_firstInterval;
        ScheduleCheck();
    }
}

void
CreditExchange::ScheduleCheck()
{
    m_checked = m_sums.GetReceived();
    m_requestTimer.Cancel(); // packets that count as sent may have scheduled it
    m_requestTimer = Simulator::Schedule(FabricClock::Until(FabricClock::Now() + m_interval),
                                         &CreditExchange::CheckCredit,
                                         this);
}

void
CreditExchange::CheckCredit()
{
    const int64_t now = FabricClock::Now();
    const bool isSilent = m_sums.GetReceived() == m_checked;
    m_connection.nic->BeginChange(now); // packets that started before now count as sent
    if (!m_sums.IsExpecting() || m_requestor.HasFailed())
    {
        return;
    }
    const bool isRepeated = isSilent && IsStarved();
    const int64_t longest = std::max(m_requestor.limits.timeout, m_firstInterval);
    m_interval = isRepeated ? std::min(2 * m_interval, longest) : m_firstInterval;
    ScheduleCheck();
    if (isRepeated)
    {
        SendRequest(now);
    }
}

void
CreditExchange::PacketReceived(const FabricFrame& frame, bool isLastHop, int64_t now)
{
    if (frame.flags & FRAME_TRIMMED)
    {
        m_pacer.PacketTrimmed(isLastHop);
    }
    else
    {
        m_pacer.PacketArrived(frame.GetEcn() == ECN_CE);
    }
    DemandReceived(frame, now);
}

void
CreditExchange::DemandReceived(const FabricFrame& frame, int64_t now)
{
    const uint64_t spaced = GetSpacedBytes();
    if (frame.flags & FRAME_TRIMMED)
    {
        // What is left of it has no room for what it announces.
        m_pacer.GiveBack(m_sums.Trimmed(frame.payload) * spaced / m_connection.mtu, now);
        return;
    }
    m_entropy = frame.entropy;
    if (const uint64_t more = m_sums.DemandReceived(frame.GetExtra().demand))
    {
        m_pacer.Book(more * spaced / m_connection.mtu, now);
    }
    if (m_sums.IsOwing())
    {
        m_pacer.Enlist(this);
    }
}

void
CreditExchange::RequestReceived(const FabricFrame& frame, uint16_t port, int64_t now)
{
    DemandReceived(frame, now);
    if (!m_sums.IsOwing())
    {
        SendCredit(frame.entropy, port, now);
    }
}

bool
CreditExchange::OwesCredit() const
{
    return m_sums.IsOwing();
}

uint32_t
CreditExchange::GiveCredit(uint32_t packets, uint16_t port, int64_t now)
{
    const uint64_t mtu = m_connection.mtu;
    const uint64_t bytes = m_sums.Grant(packets * mtu);
    SendCredit(m_entropy, port, now);
    return (bytes * GetSpacedBytes() + mtu - 1) / mtu;
}

void
CreditExchange::SendCredit(uint32_t entropy, uint16_t port, int64_t now)
{
    ++m_creditsSent;
    Ptr<FabricFrame> credit = m_connection.nic->CreateFrame();
    credit->opcode = SPRAY_CREDIT;
    credit->msn = m_sums.GetGranted();
    Send(std::move(credit), entropy, port, now);
}

void
CreditExchange::Send(Ptr<FabricFrame> frame, uint32_t entropy, uint16_t port, int64_t now)
{
    RoceNetDevice& nic = *m_connection.nic;
    frame->flags = BTH_MIG_REQ | nic.GetIpFlags();
    frame->sentAt = now;
    frame->wireBytes = nic.GetWireBytes(frame->opcode, 0);
    frame->SetTos(m_connection.ackDscp << 2 | ECN_NOT_ECT);
    m_connection.Address(*frame, entropy);
    nic.SendAnswer(std::move(frame), port, now);
}

uint32_t
CreditExchange::GetSpacedBytes() const
{
    const RoceNetDevice& nic = *m_connection.nic;
    return nic.GetWireBytes(SPRAY_DEMAND_DATA, m_connection.mtu) + nic.GetGap();
}

void
CreditExchange::Count(PolicyCounters& counters) const
{
    counters["credits_sent"] += m_creditsSent;
    counters["credit_requests"] += m_requestsSent;
}

} // namespace aifabric
} // namespace ns3
