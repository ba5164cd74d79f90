/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spray-queue-pair.h"

#include "queue-pair-attributes.h"
#include "roce-net-device.h"
#include "selective-repeat-recovery.h"
#include "unordered-ack-policy.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"
#include "ns3/spray-codec.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SprayQueuePair);

namespace
{

constexpr uint32_t RETRANSMISSION = 1U << 31; //!< in the offset of a packet that was sent before

} // namespace

TypeId
SprayQueuePair::GetTypeId()
{
    static TypeId tid =
        QueuePairAttributes::AddTo(TypeId("ns3::aifabric::SprayQueuePair")
                                       .SetParent<QueuePair>()
                                       .SetGroupName("AiFabric")
                                       .AddConstructor<SprayQueuePair>())
            .AddAttribute("LastHopDscp",
                          "DSCP of packets that the last switch has trimmed; that of "
                          "TrimmingBuffer::LastHopDscp.",
                          UintegerValue(52),
                          MakeUintegerAccessor(&SprayQueuePair::m_lastHopDscp),
                          MakeUintegerChecker<uint8_t>(0, 63));
    return tid;
}

Ptr<QueuePair>
SprayQueuePair::DoFork() const
{
    return Ptr<QueuePair>(new SprayQueuePair(*this), false);
}

void
SprayQueuePair::Install(RoceNetDevice* nic, uint32_t number, int64_t stream)
{
    QueuePair::Install(nic, number, stream);
    GetRequestor().SetStartsProbe(GetRecovery().GetProbeDue(0, true) != NEVER);
}

void
SprayQueuePair::DoDispose()
{
    m_probeTimer.Cancel();
    QueuePair::DoDispose();
}

bool
SprayQueuePair::SendsReports() const
{
    return true;
}

std::optional<TypeId>
SprayQueuePair::GetUsualRecovery() const
{
    return SelectiveRepeatRecovery::GetTypeId();
}

std::optional<TypeId>
SprayQueuePair::GetUsualAckPolicy() const
{
    return UnorderedAckPolicy::GetTypeId();
}

uint32_t
SprayQueuePair::GetPacketBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(SPRAY_DATA, GetMtu());
}

uint32_t
SprayQueuePair::GetAckBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(SPRAY_ACK, 0);
}

uint32_t
SprayQueuePair::GetMostIpBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(SPRAY_DATA, GetMtu()) - FrameCodec::ETHERNET_SIZE -
           FrameCodec::FCS_SIZE;
}

void
SprayQueuePair::Fill(FabricFrame& frame, int64_t start)
{
    const Requestor::Departure departure = TakeNext(start);
    const Connection& connection = GetConnection();
    const PostedMessage& message = *departure.message;
    frame.opcode = departure.number + 1 == message.GetEnd() ? SPRAY_LAST : SPRAY_DATA;
    frame.payload = message.GetPayload(departure.number, connection.mtu);
    frame.msn = message.key;
    frame.offset = departure.number - message.firstPacket;
    frame.offset |= departure.isAgain ? RETRANSMISSION : 0;
    frame.psn = connection.ToPsn(departure.number);
    frame.flags =
        BTH_MIG_REQ | (AsksForAck(departure) ? BTH_ACK_REQ : 0) | connection.nic->GetIpFlags();
    frame.sentAt = start;
    frame.wireBytes = connection.nic->GetWireBytes(SPRAY_DATA, frame.payload);
    Address(frame, connection.dscp, ECN_ECT0, departure.entropy);
    PacketFilled(departure, start, frame.wireBytes);
    if (GetRequestor().StartsProbe())
    {
        ScheduleProbe(start);
    }
}

Endpoint::Reception
SprayQueuePair::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    switch (frame->opcode)
    {
    case SPRAY_DATA:
    case SPRAY_LAST:
        if (frame->flags & FRAME_TRIMMED)
        {
            ReceiveTrimmed(*frame, outbox);
            return Reception::TRIMMED;
        }
        ReceiveData(*frame, outbox);
        return Reception::DATA;
    case SPRAY_ACK:
        ReceiveAck(ReadAck(*frame), outbox.GetNow());
        return Reception::REPORT;
    case SPRAY_NACK: {
        const bool isLastHop = frame->syndrome == SprayCodec::TRIMMED_LAST_HOP;
        ReceiveNack(
            {ReadReport(*frame), isLastHop ? NackReason::TRIMMED_LAST_HOP : NackReason::TRIMMED},
            outbox.GetNow());
        return Reception::REPORT;
    }
    case SPRAY_PROBE:
        ReceiveProbe(*frame, outbox);
        return Reception::REPORT;
    case ROCE_CNP:
        ReceiveCnp(outbox.GetNow());
        return Reception::REPORT;
    default:
        return Reception::UNKNOWN;
    }
}

void
SprayQueuePair::ReceiveData(const FabricFrame& frame, const Outbox& outbox)
{
    const Connection& connection = GetConnection();
    const uint32_t offset = frame.offset & ~RETRANSMISSION;
    const bool isLast = frame.opcode == SPRAY_LAST;
    NS_ABORT_MSG_IF(!isLast && frame.payload != GetMtu(),
                    "SprayQueuePair::Mtu is " << GetMtu() << " at one end and " << frame.payload
                                              << " at the other");
    const Reth message{0, frame.msn, offset * connection.mtu + frame.payload};
    const LossRecovery::Verdict verdict = ReceivePacket({connection.FromFirst(frame.psn),
                                                         frame.payload,
                                                         0,
                                                         isLast ? &message : nullptr,
                                                         offset,
                                                         frame.GetEcn() == ECN_CE,
                                                         (frame.flags & BTH_ACK_REQ) != 0});
    if (verdict.answer != LossRecovery::Answer::NONE)
    {
        Answer(frame, verdict, outbox);
    }
}

void
SprayQueuePair::ReceiveTrimmed(const FabricFrame& frame, const Outbox& outbox)
{
    const Connection& connection = GetConnection();
    const LossRecovery::Verdict verdict =
        GetResponder().ReceiveTrimmed(connection.FromFirst(frame.psn), connection);
    if (verdict.answer != LossRecovery::Answer::NONE)
    {
        Answer(frame, verdict, outbox);
    }
}

void
SprayQueuePair::ReceiveProbe(const FabricFrame& frame, const Outbox& outbox)
{
    const uint64_t expected = GetRecovery().GetExpected();
    GetResponder().ForgetUnreported();
    Answer(frame, {false, LossRecovery::Answer::ACK, expected}, outbox);
}

void
SprayQueuePair::ScheduleProbe(int64_t now)
{
    const int64_t due = GetRequestor().GetProbeCheck(GetRecovery(), now);
    m_probeTimer = Simulator::Schedule(FabricClock::Until(std::max(due, FabricClock::Now())),
                                       &SprayQueuePair::CheckProbe,
                                       this);
    GetRequestor().SetStartsProbe(false);
}

void
SprayQueuePair::CheckProbe()
{
    const int64_t now = FabricClock::Now();
    GetConnection().nic->BeginChange(now); // packets that started before now count as sent
    if (GetRecovery().GetOutstanding() == 0 || HasFailed())
    {
        GetRequestor().SetStartsProbe(!HasFailed());
        return;
    }
    if (GetRequestor().GetProbeDue(GetRecovery()) <= now)
    {
        SendProbe(now);
    }
    ScheduleProbe(now);
}

void
SprayQueuePair::AllAcknowledged()
{
    if (!m_probeTimer.IsExpired())
    {
        m_probeTimer.Cancel();
        GetRequestor().SetStartsProbe(true);
    }
}

void
SprayQueuePair::SendProbe(int64_t now)
{
    const Connection& connection = GetConnection();
    const PathChoice path = GetRequestor().ChooseProbePath(connection, now);
    const Outbox outbox(*connection.nic, path.plane, now);
    Ptr<FabricFrame> probe = outbox.CreateFrame();
    probe->opcode = SPRAY_PROBE;
    probe->psn = connection.ToPsn(connection.recovery->GetUnacknowledged());
    probe->syndrome = connection.recovery->TakeProbe(now);
    probe->flags = BTH_MIG_REQ | BTH_ACK_REQ | connection.nic->GetIpFlags();
    probe->sentAt = now;
    probe->wireBytes = connection.nic->GetWireBytes(SPRAY_PROBE, 0);
    Address(*probe, connection.ackDscp, ECN_NOT_ECT, path.entropy);
    outbox.Send(std::move(probe));
}

void
SprayQueuePair::Answer(const FabricFrame& frame,
                       const LossRecovery::Verdict& verdict,
                       const Outbox& outbox)
{
    const Connection& connection = GetConnection();
    Responder& responder = GetResponder();
    const bool isNack = verdict.answer == LossRecovery::Answer::NAK;
    responder.CountAnswer(isNack);
    Ptr<FabricFrame> answer = outbox.CreateFrame();
    answer->opcode = isNack ? SPRAY_NACK : SPRAY_ACK;
    answer->psn = frame.psn;
    answer->msn = responder.GetMsn();
    answer->flags =
        BTH_MIG_REQ | (frame.GetEcn() == ECN_CE ? BTH_BECN : 0) | (frame.flags & FRAME_IPV6);
    answer->sentAt = frame.sentAt;
    if (isNack)
    {
        const bool isLastHop = frame.GetTos() >> 2 == m_lastHopDscp;
        answer->syndrome = isLastHop ? SprayCodec::TRIMMED_LAST_HOP : SprayCodec::TRIMMED;
    }
    else
    {
        WriteReport(*answer, frame, verdict.number);
    }
    answer->wireBytes = connection.nic->GetWireBytes(answer->opcode, 0);
    Address(*answer, connection.ackDscp, ECN_NOT_ECT, frame.entropy);
    outbox.Send(std::move(answer));
}

void
SprayQueuePair::WriteReport(FabricFrame& answer, const FabricFrame& frame, uint64_t number)
{
    const Connection& connection = GetConnection();
    AckReport report;
    report.psn = number & PsnWindow::PSN_MASK;
    GetResponder().FillReport(report, *connection.recovery);
    const bool isProbe = frame.opcode == SPRAY_PROBE;
    answer.syndrome = frame.offset & RETRANSMISSION ? 1 : 0;
    answer.Extra().sack = {report.bitmap,
                           report.receivedBytes,
                           connection.ToPsn(report.cumulativePsn),
                           connection.ToPsn(report.bitmapPsn),
                           report.outOfOrder,
                           report.penalty,
                           static_cast<uint8_t>(isProbe ? frame.syndrome : 0)};
}

ResponderReport
SprayQueuePair::ReadReport(const FabricFrame& frame) const
{
    return {GetConnection().FromFirst(frame.psn),
            frame.msn,
            frame.entropy,
            (frame.flags & BTH_BECN) != 0,
            frame.sentAt};
}

AckReport
SprayQueuePair::ReadAck(const FabricFrame& frame) const
{
    const SackFields& sack = frame.GetExtra().sack;
    AckReport report{ReadReport(frame)};
    report.cumulativePsn = GetConnection().FromFirst(sack.cumulativePsn);
    report.bitmapPsn = GetConnection().FromFirst(sack.bitmapPsn);
    report.bitmap = sack.bitmap;
    report.receivedBytes = sack.receivedBytes;
    report.outOfOrder = sack.outOfOrder;
    report.penalty = sack.penalty;
    report.probe = sack.probe;
    report.isRetransmission = frame.syndrome != 0;
    return report;
}

void
SprayQueuePair::Address(FabricFrame& frame, uint8_t dscp, EcnField ecn, uint32_t entropy) const
{
    const Connection& connection = GetConnection();
    frame.SetTos(dscp << 2 | ecn);
    frame.source = connection.nic->GetHost();
    frame.destination = connection.peerHost;
    frame.destinationQp = connection.peerNumber;
    FrameCodec::SetFlow(frame, entropy);
}

void
SprayQueuePair::PrefetchArrival(const FabricFrame& frame, uint32_t step) const
{
    PrefetchState(!SprayCodec::IsData(frame.opcode), step);
}

} // namespace aifabric
} // namespace ns3
