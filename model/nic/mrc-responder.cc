/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-queue-pair.h"
#include "roce-net-device.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t RANGE_UNIT = 128;   //!< of the window of the responder, in PSNs
constexpr int64_t FAR_BELOW = 1 << 22; //!< packets before the window that nobody sends any more
constexpr uint64_t BITS = 64;          //!< of a bitmap
constexpr uint64_t BYTES_UNIT = 256;   //!< in which SACKs count received bytes
constexpr uint64_t MOST_UNITS = (1U << 24); //!< these counts are modulo this

} // namespace

int64_t
MrcQueuePair::ToNumber(uint32_t psn) const
{
    return PsnWindow::Unwrap(GetConnection().FromFirst(psn), GetRecovery().GetExpected());
}

void
MrcQueuePair::ReceiveData(const FabricFrame& frame, const Outbox& outbox)
{
    const Connection& connection = GetConnection();
    const Reth& reth = frame.GetExtra().reth;
    const int64_t number = ToNumber(frame.psn);
    const int64_t ahead = number - static_cast<int64_t>(GetRecovery().GetExpected());
    if (HasFailed())
    {
        SendNack(frame, MrcCodec::UNEXPECTED, outbox.GetNow());
        return;
    }
    if (ahead >= int64_t{m_rangeUnits} * RANGE_UNIT)
    {
        SendNack(frame, MrcCodec::OUT_OF_WINDOW, outbox.GetNow());
        return;
    }
    if (ahead < -FAR_BELOW)
    {
        return;
    }
    const bool isLast = frame.opcode >= MRC_WRITE_LAST;
    NS_ABORT_MSG_IF(reth.virtualAddress + frame.payload > reth.length ||
                        (!isLast && frame.payload != GetMtu()),
                    "MrcQueuePair::Mtu is " << GetMtu() << " at one end and not at the other");
    const Reth message{0, reth.remoteKey, reth.length};
    const auto offset = static_cast<uint32_t>(connection.CountPackets(reth.length) - 1);
    const bool isAgain = frame.syndrome & MrcCodec::RETRANSMISSION;
    const bool exceedsBitmap = NoteArrival(frame, number);
    const bool isRequested = (frame.flags & BTH_ACK_REQ) != 0 || isAgain || exceedsBitmap;
    const LossRecovery::Verdict verdict = ReceivePacket({connection.FromFirst(frame.psn),
                                                         frame.payload,
                                                         0,
                                                         isLast ? &message : nullptr,
                                                         offset,
                                                         frame.GetEcn() == ECN_CE,
                                                         isRequested});
    CompleteImmediates();
    if (verdict.answer != LossRecovery::Answer::NONE)
    {
        SendSack(frame, outbox.GetNow());
    }
}

bool
MrcQueuePair::NoteArrival(const FabricFrame& frame, uint64_t number)
{
    if (MrcCodec::HasImmediate(frame.opcode) && number >= GetRecovery().GetExpected())
    {
        m_immediates.emplace(number, frame.GetExtra().immediate);
    }
    m_arrivedEnd = std::max(m_arrivedEnd, number + 1);
    if (number + BITS < m_arrivedEnd)
    {
        return true;
    }
    m_lowestUnreported = std::min(m_lowestUnreported, number);
    return m_lowestUnreported + BITS < m_arrivedEnd;
}

void
MrcQueuePair::CompleteImmediates()
{
    while (!m_immediates.empty() && m_immediates.begin()->first < GetRecovery().GetExpected())
    {
        const uint32_t immediate = m_immediates.begin()->second;
        m_immediates.erase(m_immediates.begin());
        if (!m_immediateReceived.IsNull())
        {
            m_immediateReceived(this, immediate);
        }
    }
}

void
MrcQueuePair::ReceiveTrimmed(const FabricFrame& frame, const Outbox& outbox)
{
    const Connection& connection = GetConnection();
    const int64_t ahead = ToNumber(frame.psn) - static_cast<int64_t>(GetRecovery().GetExpected());
    if (ahead >= int64_t{m_rangeUnits} * RANGE_UNIT || ahead < -FAR_BELOW || HasFailed())
    {
        return;
    }
    const LossRecovery::Verdict verdict =
        GetResponder().ReceiveTrimmed(connection.FromFirst(frame.psn), connection);
    if (verdict.answer == LossRecovery::Answer::ACK)
    {
        SendSack(frame, outbox.GetNow());
    }
    else if (verdict.answer == LossRecovery::Answer::NAK)
    {
        const bool isLastHop = frame.GetTos() >> 2 == m_lastHopDscp;
        SendNack(frame,
                 isLastHop ? MrcCodec::TRIMMED_LAST_HOP : MrcCodec::TRIMMED,
                 outbox.GetNow());
    }
}

void
MrcQueuePair::SendNack(const FabricFrame& frame, MrcCodec::NackCode code, int64_t now)
{
    GetResponder().CountAnswer(true);
    Ptr<FabricFrame> nack = GetConnection().nic->CreateFrame();
    nack->opcode = MRC_NACK;
    nack->psn = frame.psn;
    nack->syndrome = code;
    nack->sentAt = frame.sentAt;
    nack->Extra().immediate = GetNumber();
    nack->Extra().sack.entropy = frame.entropy;
    SendControl(std::move(nack), now);
}

uint64_t
MrcQueuePair::TakeBitmapBase()
{
    const uint64_t latest = m_arrivedEnd - std::min(m_arrivedEnd, BITS);
    const uint64_t wanted = std::min(m_lowestUnreported, latest);
    m_lowestUnreported = NO_PACKET;
    return std::max(GetRecovery().GetExpected(), wanted);
}

void
MrcQueuePair::SendSack(const FabricFrame& frame, int64_t now)
{
    const Connection& connection = GetConnection();
    const LossRecovery& recovery = GetRecovery();
    const bool isProbe = frame.opcode == MRC_PROBE;
    ++m_sacks;
    GetResponder().CountAnswer(false);
    AckReport report;
    report.psn = isProbe ? 0 : connection.FromFirst(frame.psn);
    GetResponder().FillReport(report, recovery);
    recovery.FillReport(report, isProbe ? recovery.GetExpected() : TakeBitmapBase());
    Ptr<FabricFrame> answer = connection.nic->CreateFrame();
    answer->opcode = MRC_SACK;
    answer->psn = isProbe ? connection.ToPsn(recovery.GetExpected() - 1) : frame.psn;
    answer->sentAt = frame.sentAt;
    answer->Extra().immediate = GetNumber();
    SackFields& sack = answer->Extra().sack;
    sack.bitmap = report.bitmap;
    sack.receivedBytes =
        (report.receivedBytes + BYTES_UNIT - 1) / BYTES_UNIT % MOST_UNITS * BYTES_UNIT;
    sack.probe = isProbe ? frame.psn : 0;
    const bool isMarked = frame.GetEcn() == ECN_CE;
    sack.verdict = static_cast<uint8_t>(isMarked ? PathVerdict::SKIP_ONCE : PathVerdict::NONE);
    sack.cumulativePsn = connection.ToPsn(report.cumulativePsn);
    sack.bitmapPsn = connection.ToPsn(report.bitmapPsn);
    sack.outOfOrder = report.outOfOrder;
    sack.entropy = frame.entropy;
    SendControl(std::move(answer), now);
}

void
MrcQueuePair::PortsChanged(uint32_t local)
{
    if (m_remapDelay.IsZero())
    {
        ApplyPorts(local);
        return;
    }
    m_remapTimer.Cancel();
    m_remapTimer = Simulator::Schedule(m_remapDelay, &MrcQueuePair::ApplyPorts, this, local);
}

void
MrcQueuePair::ApplyPorts(uint32_t local)
{
    const uint32_t ports = local | ~GetAllPorts();
    if (ports == m_ports.GetLocal())
    {
        return; // the other direction of a link has changed, too
    }
    m_ports.SetLocal(ports);
    UpdatePorts();
    if (GetConnection().nic->GetPortCount() > 1 && GetPeerNumber() != 0)
    {
        SendPortStatus();
    }
}

uint32_t
MrcQueuePair::GetAllPorts() const
{
    return PortStatus::ALL >> (32 - GetConnection().nic->GetPortCount());
}

void
MrcQueuePair::UpdatePorts()
{
    GetConnection().nic->BeginChange(FabricClock::Now());
    const uint32_t local = m_ports.GetLocal();
    // If no plane is left, timeouts decide.
    const bool isCutOff = (local & m_ports.GetPeer() & GetAllPorts()) == 0;
    GetBalancer()->PortsChanged(local, isCutOff ? PortStatus::ALL : m_ports.GetPeer());
    GetConnection().nic->EndChange(this, FabricClock::Now());
}

void
MrcQueuePair::SendPortStatus()
{
    m_statusTimer.Cancel();
    if (!m_ports.IsDue(m_statusTries) || HasFailed())
    {
        return;
    }
    ++m_statusUpdates;
    Ptr<FabricFrame> request = GetConnection().nic->CreateFrame();
    request->opcode = MRC_REQUEST;
    request->syndrome = MrcCodec::PORT_STATUS;
    request->psn = m_ports.Take();
    request->msn = m_ports.GetLocal() & GetAllPorts();
    const int64_t now = FabricClock::Now();
    request->sentAt = now;
    SendControl(std::move(request), now);
    m_statusTimer = Simulator::Schedule(m_statusInterval, &MrcQueuePair::SendPortStatus, this);
}

void
MrcQueuePair::ReceiveRequest(const FabricFrame& frame, int64_t now)
{
    if (frame.syndrome == MrcCodec::PORT_STATUS)
    {
        m_ports.SetPeer(frame.msn | ~GetAllPorts());
        UpdatePorts();
    }
    Ptr<FabricFrame> response = GetConnection().nic->CreateFrame();
    response->opcode = MRC_RESPONSE;
    response->syndrome = frame.syndrome;
    response->psn = frame.psn;
    response->sentAt = frame.sentAt;
    SendControl(std::move(response), now);
}

void
MrcQueuePair::SendControl(Ptr<FabricFrame> frame, int64_t now)
{
    const Connection& connection = GetConnection();
    const uint32_t alive = m_ports.GetLocal() & m_ports.GetPeer();
    ReversePaths::Way way{};
    if (m_reverse.IsEmpty(alive))
    {
        const PathChoice path = ChooseControlPath(now);
        way = {path.plane, path.entropy};
    }
    else
    {
        way = m_reverse.Take(alive);
    }
    frame->flags = connection.nic->GetIpFlags();
    frame->wireBytes = connection.nic->GetWireBytes(frame->opcode, 0);
    Address(*frame, connection.ackDscp, ECN_NOT_ECT, way.entropy);
    connection.nic->SendAnswer(std::move(frame), way.plane, now);
}

void
MrcQueuePair::Address(FabricFrame& frame, uint8_t dscp, EcnField ecn, uint32_t entropy) const
{
    const Connection& connection = GetConnection();
    frame.SetTos(dscp << 2 | ecn);
    frame.source = connection.nic->GetHost();
    frame.destination = connection.peerHost;
    frame.destinationQp = connection.peerNumber;
    FrameCodec::SetFlow(frame, entropy);
}

} // namespace aifabric
} // namespace ns3
