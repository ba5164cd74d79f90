/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spray-queue-pair.h"

#include "spray-framing.h"

#include "ns3/abort.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/queue-pair-attributes.h"
#include "ns3/roce-net-device.h"
#include "ns3/selective-repeat-recovery.h"
#include "ns3/simulator.h"
#include "ns3/spray-codec.h"
#include "ns3/uinteger.h"
#include "ns3/unordered-ack-policy.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SprayQueuePair);

namespace
{

constexpr uint8_t DSCPS = 64;          //!< number of DSCPs
constexpr uint32_t NOMINAL_BYTES = 72; //!< what Ultra Ethernet counts beside the payload: the
                                       //!< headers of UDP and behind it, the ICRC, and 40 bytes

} // namespace

TypeId
SprayQueuePair::GetTypeId()
{
    static TypeId tid =
        QueuePairAttributes::AddTo(TypeId("ns3::aifabric::SprayQueuePair")
                                       .SetParent<QueuePair>()
                                       .SetGroupName("AiFabric")
                                       .AddConstructor<SprayQueuePair>(),
                                   QueuePairAttributes::USUAL_DSCP,
                                   QueuePairAttributes::CONTROL_DSCP)
            .AddAttribute("RetransmissionDscp",
                          "DSCP of retransmitted packets (64: Dscp; TRIMMABLE_RTX of Ultra "
                          "Ethernet).",
                          UintegerValue(DSCPS),
                          MakeUintegerAccessor(&SprayQueuePair::m_againDscp),
                          MakeUintegerChecker<uint8_t>(0, DSCPS))
            .AddAttribute("LastHopDscp",
                          "DSCP of packets that the last switch has trimmed; that of "
                          "TrimmingBuffer::LastHopDscp.",
                          UintegerValue(52),
                          MakeUintegerAccessor(&SprayQueuePair::m_lastHopDscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("CreditQuantum",
                          "Unit in which headers count credit (bytes of payload); the same at both "
                          "ends.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&SprayQueuePair::m_quantum),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("RequestInterval",
                          "Time without credit after which a sender that needs some repeats its "
                          "request by another entropy (base RTTs; each repetition doubles it up to "
                          "AckTimeout; 0: it waits for AckTimeout).",
                          UintegerValue(10),
                          MakeUintegerAccessor(&SprayQueuePair::m_requestRtts),
                          MakeUintegerChecker<uint8_t>());
    return tid;
}

SprayQueuePair::SprayQueuePair()
{
}

SprayQueuePair::~SprayQueuePair()
{
}

SprayQueuePair::SprayQueuePair(const SprayQueuePair& other)
    : QueuePair(other),
      m_requestRtts(other.m_requestRtts),
      m_againDscp(other.m_againDscp),
      m_lastHopDscp(other.m_lastHopDscp),
      m_quantum(other.m_quantum)
{
}

void
SprayQueuePair::Install(EndpointNic* nic, uint32_t number, int64_t stream)
{
    QueuePair::Install(nic, number, stream);
    if (GetControl()->UsesCredits())
    {
        const FabricFacts facts = GetConnection().nic->GetFacts(GetMtu());
        const int64_t interval = m_requestRtts * facts.baseRtt.GetPicoSeconds();
        m_credits = std::make_unique<CreditExchange>(GetConnection(),
                                                     GetRequestor(),
                                                     number,
                                                     m_quantum,
                                                     interval);
    }
    GetRequestor().SetStartsProbe(GetRecovery().GetProbeDue(0, true) != NEVER);
}

Ptr<QueuePair>
SprayQueuePair::DoFork() const
{
    return Ptr<QueuePair>(new SprayQueuePair(*this), false);
}

void
SprayQueuePair::DoDispose()
{
    m_probeTimer.Cancel();
    if (m_credits)
    {
        m_credits->StopRequests();
    }
    QueuePair::DoDispose();
}

TransportTraits
SprayQueuePair::GetTraits() const
{
    TransportTraits traits;
    traits.sendsReports = true;
    traits.carriesCredits = true;
    traits.recovery = SelectiveRepeatRecovery::GetTypeId();
    traits.ackPolicy = UnorderedAckPolicy::GetTypeId();
    return traits;
}

uint32_t
SprayQueuePair::GetPacketBytes(const RoceNetDevice& nic) const
{
    const bool announces = GetControl() && GetControl()->UsesCredits();
    return nic.GetWireBytes(announces ? SPRAY_DEMAND_DATA : SPRAY_DATA, GetMtu());
}

uint32_t
SprayQueuePair::GetAckBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(SPRAY_ACK, 0);
}

uint32_t
SprayQueuePair::GetMostIpBytes(const RoceNetDevice& nic) const
{
    return GetPacketBytes(nic) - FrameCodec::ETHERNET_SIZE - FrameCodec::FCS_SIZE;
}

void
SprayQueuePair::Fill(FabricFrame& frame, int64_t start)
{
    const Requestor::Departure departure = TakeNext(start);
    const Connection& connection = GetConnection();
    SprayFraming::WritePacket(frame, departure, connection);
    const bool asks = AsksForAck(departure);
    if (!asks)
    {
        GetRequestor().NoteUnasked(departure.number); // no retransmission: these ask
    }
    frame.flags = BTH_MIG_REQ | (asks ? BTH_ACK_REQ : 0) | connection.nic->GetIpFlags();
    frame.sentAt = start;
    frame.wireBytes = connection.nic->GetWireBytes(SPRAY_DATA, frame.payload);
    const bool hasOwnDscp = departure.isAgain && m_againDscp < DSCPS;
    frame.SetTos((hasOwnDscp ? m_againDscp : connection.dscp) << 2 | ECN_ECT0);
    connection.Address(frame, departure.entropy);
    if (m_credits)
    {
        m_credits->Announce(frame);
    }
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
    case SPRAY_DEMAND_DATA:
    case SPRAY_DEMAND_LAST:
        GetCredits().PacketReceived(*frame, frame->GetTos() >> 2 == m_lastHopDscp, outbox.GetNow());
        [[fallthrough]];
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
        AskForCredit(false, outbox.GetNow()); // packets may be lost
        AskForReport(outbox.GetNow());
        return Reception::REPORT;
    case SPRAY_NACK:
        ReceiveNack(SprayFraming::ReadNack(*frame, GetConnection()), outbox.GetNow());
        if (m_credits)
        {
            m_credits->AnnouncementRefused(*frame);
        }
        AskForCredit(false, outbox.GetNow()); // packets may be lost
        AskForReport(outbox.GetNow());
        return Reception::REPORT;
    case SPRAY_PROBE:
        ReceiveProbe(*frame, outbox);
        return Reception::REPORT;
    case SPRAY_CREDIT:
        ReceiveCredit(GetCredits().CreditReceived(*frame), outbox.GetNow());
        AskForCredit(false, outbox.GetNow()); // NACKs may have come since it was announced
        return Reception::REPORT;
    case SPRAY_REQUEST:
        GetCredits().RequestReceived(*frame, outbox.GetPort(), outbox.GetNow());
        return Reception::REPORT;
    case ROCE_CNP:
        ReceiveCnp(outbox.GetNow());
        return Reception::REPORT;
    default:
        return Reception::UNKNOWN;
    }
}

AckReport
SprayQueuePair::ReadAck(const FabricFrame& frame) const
{
    const Connection& connection = GetConnection();
    AckReport report = SprayFraming::ReadAck(frame, connection);
    if (report.probe != 0)
    {
        const PathChoice control = connection.GetControlPath(GetNumber(), report.probe);
        report.isChosen = report.entropy != control.entropy;
    }
    return report;
}

void
SprayQueuePair::ReceiveData(const FabricFrame& frame, const Outbox& outbox)
{
    const Connection& connection = GetConnection();
    const uint32_t offset = SprayFraming::GetOffset(frame);
    const bool isLast = SprayCodec::IsLast(frame.opcode);
    NS_ABORT_MSG_IF(!isLast && frame.payload != GetMtu(),
                    "SprayQueuePair::Mtu is " << GetMtu() << " at one end and " << frame.payload
                                              << " at the other");
    const Reth message{0, frame.msn, offset * connection.mtu + frame.payload};
    const bool isRequested = (frame.flags & BTH_ACK_REQ) != 0;
    const ReceivingEnd::Verdict verdict = ReceivePacket({connection.FromFirst(frame.psn),
                                                         frame.payload,
                                                         0,
                                                         isLast ? &message : nullptr,
                                                         offset,
                                                         frame.GetEcn() == ECN_CE,
                                                         isRequested,
                                                         NOMINAL_BYTES});
    if (verdict.answer != ReceivingEnd::Answer::NONE)
    {
        Answer(frame, verdict, outbox);
    }
}

void
SprayQueuePair::ReceiveTrimmed(const FabricFrame& frame, const Outbox& outbox)
{
    const Connection& connection = GetConnection();
    const ReceivingEnd::Verdict verdict =
        GetResponder().ReceiveTrimmed(connection.FromFirst(frame.psn), connection);
    if (verdict.answer != ReceivingEnd::Answer::NONE)
    {
        Answer(frame, verdict, outbox);
    }
}

void
SprayQueuePair::ReceiveProbe(const FabricFrame& frame, const Outbox& outbox)
{
    constexpr int64_t LAST_BIT = 63; // of the bitmap, which ends with what triggers a report
    const auto expected = static_cast<int64_t>(GetRecovery().GetExpected());
    const int64_t first = PsnWindow::Unwrap(GetConnection().FromFirst(frame.msn), expected);
    const auto last = static_cast<uint64_t>(std::max(expected, first + LAST_BIT));
    GetResponder().ForgetUnreported();
    Answer(frame, {false, ReceivingEnd::Answer::ACK, last}, outbox);
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
        const Connection& connection = GetConnection();
        SendProbe(connection.recovery->TakeProbe(now),
                  connection.dscp, // it waits where data waits
                  connection.recovery->GetUnacknowledged(),
                  now);
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
    if (m_credits)
    {
        m_credits->StopRequests();
    }
}

void
SprayQueuePair::AskForReport(int64_t now)
{
    const Connection& connection = GetConnection();
    if (GetRequestor().TakeReportRequest(GetResponder().GetLeastWindow(), connection, now))
    {
        const uint64_t oldest = connection.recovery->GetOldest();
        SendProbe(SprayCodec::REPORT_REQUEST, connection.ackDscp, oldest, now);
    }
}

void
SprayQueuePair::SendProbe(uint8_t number, uint8_t dscp, uint64_t first, int64_t now)
{
    const Connection& connection = GetConnection();
    // not a path of its own, which would change the order of the balancer's paths
    const PathChoice& last = GetRequestor().GetPaths().GetPath();
    const bool isUp = connection.nic->GetPort(last.plane)->GetChannel()->IsUp();
    const PathChoice path = isUp ? last : connection.GetControlPath(GetNumber(), number);
    const Outbox outbox(*connection.nic, path.plane, now);
    Ptr<FabricFrame> probe = outbox.CreateFrame();
    probe->opcode = SPRAY_PROBE;
    probe->psn = connection.ToPsn(connection.recovery->GetUnacknowledged());
    probe->msn = connection.ToPsn(first);
    probe->syndrome = number;
    probe->flags = BTH_MIG_REQ | BTH_ACK_REQ | connection.nic->GetIpFlags();
    probe->sentAt = now;
    probe->wireBytes = connection.nic->GetWireBytes(SPRAY_PROBE, 0);
    probe->SetTos(dscp << 2 | ECN_NOT_ECT);
    connection.Address(*probe, path.entropy);
    outbox.Send(std::move(probe));
}

void
SprayQueuePair::Answer(const FabricFrame& frame,
                       const ReceivingEnd::Verdict& verdict,
                       const Outbox& outbox)
{
    const Connection& connection = GetConnection();
    Responder& responder = GetResponder();
    const bool isNack = verdict.answer == ReceivingEnd::Answer::NAK;
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
        AckReport report;
        report.psn = verdict.number & PsnWindow::PSN_MASK;
        responder.FillReport(report, *connection.recovery);
        SprayFraming::WriteReport(*answer, report, frame, connection);
    }
    answer->wireBytes = connection.nic->GetWireBytes(answer->opcode, 0);
    answer->SetTos(connection.ackDscp << 2 | ECN_NOT_ECT);
    connection.Address(*answer, frame.entropy);
    outbox.Send(std::move(answer));
}

CreditExchange&
SprayQueuePair::GetCredits() const
{
    NS_ABORT_MSG_IF(!m_credits,
                    "SprayQueuePair::Control: host "
                        << GetPeerHost() << " uses credits and host "
                        << GetConnection().nic->GetHost()
                        << " does not; RcccControl has to be at both ends");
    return *m_credits;
}

void
SprayQueuePair::AskForCredit(bool isUrgent, int64_t now)
{
    if (m_credits)
    {
        m_credits->AskForCredit(isUrgent, now);
    }
}

void
SprayQueuePair::CountPolicies(PolicyCounters& counters) const
{
    QueuePair::CountPolicies(counters);
    if (GetAckPolicy() && GetAckPolicy()->GetLeastWindow() > 0)
    {
        counters["report_requests"] += GetCounters().reportRequests;
    }
    if (m_credits)
    {
        m_credits->Count(counters);
    }
}

void
SprayQueuePair::PrefetchArrival(const FabricFrame& frame, uint32_t step) const
{
    PrefetchState(!SprayCodec::IsData(frame.opcode), step);
}

} // namespace aifabric
} // namespace ns3
