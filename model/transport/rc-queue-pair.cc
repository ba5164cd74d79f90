/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rc-queue-pair.h"

#include "queue-pair-attributes.h"
#include "rc-framing.h"
#include "roce-net-device.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/frame-codec.h"
#include "ns3/rc-codec.h"
#include "ns3/uinteger.h"

#include <optional>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RcQueuePair);

namespace
{

/// Let an answer carry back what switches wrote.  @param frame carries telemetry
[[gnu::noinline]] void
CopyTelemetry(const FabricFrame& frame, FabricFrame& answer)
{
    answer.AddTelemetry() = *frame.FindTelemetry();
}

} // namespace

TypeId
RcQueuePair::GetTypeId()
{
    static TypeId tid =
        AddOwnAttributes(QueuePairAttributes::AddTo(TypeId("ns3::aifabric::RcQueuePair")
                                                        .SetParent<QueuePair>()
                                                        .SetGroupName("AiFabric")
                                                        .AddConstructor<RcQueuePair>()));
    return tid;
}

TypeId
RcQueuePair::AddOwnAttributes(TypeId type)
{
    return type
        .AddAttribute("CnpGap",
                      "Least time between two CNPs that a receiver sends (0: what the congestion "
                      "control asks for).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&RcQueuePair::SetCnpGap, &RcQueuePair::GetCnpGap),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("CnpScope",
                      "What CnpGap is for: each queue pair, all queue pairs of the NIC to the "
                      "same host, or all queue pairs of the NIC.",
                      EnumValue(NotificationPoint::QUEUE_PAIR),
                      MakeEnumMethodAccessor<NotificationPoint::Scope>(&RcQueuePair::SetCnpScope,
                                                                       &RcQueuePair::GetCnpScope),
                      MakeEnumChecker(NotificationPoint::QUEUE_PAIR,
                                      "queue-pair",
                                      NotificationPoint::DESTINATION,
                                      "destination",
                                      NotificationPoint::NIC,
                                      "nic"))
        .AddAttribute("CnpDscp",
                      "DSCP of CNPs, of which the DscpTable of the port makes the class.",
                      UintegerValue(48),
                      MakeUintegerAccessor(&RcQueuePair::SetCnpDscp, &RcQueuePair::GetCnpDscp),
                      MakeUintegerChecker<uint8_t>(0, 63))
        .AddAttribute("Immediate",
                      "Whether the last packet of each RDMA write carries immediate data (4 bytes: "
                      "the length of the write).",
                      BooleanValue(false),
                      MakeBooleanAccessor(&RcQueuePair::SetImmediate, &RcQueuePair::HasImmediate),
                      MakeBooleanChecker());
}

void
RcQueuePair::SetCnpGap(Time gap)
{
    m_notificationPoint.gap = gap;
}

Time
RcQueuePair::GetCnpGap() const
{
    return m_notificationPoint.gap;
}

void
RcQueuePair::SetCnpScope(NotificationPoint::Scope scope)
{
    m_notificationPoint.scope = scope;
}

NotificationPoint::Scope
RcQueuePair::GetCnpScope() const
{
    return m_notificationPoint.scope;
}

void
RcQueuePair::SetCnpDscp(uint8_t dscp)
{
    m_notificationPoint.dscp = dscp;
}

uint8_t
RcQueuePair::GetCnpDscp() const
{
    return m_notificationPoint.dscp;
}

void
RcQueuePair::Install(EndpointNic* nic, uint32_t number, int64_t stream)
{
    QueuePair::Install(nic, number, stream);
    m_notificationPoint.Start(*GetControl());
}

void
RcQueuePair::CountPolicies(PolicyCounters& counters) const
{
    QueuePair::CountPolicies(counters);
    if (m_notificationPoint.IsOn())
    {
        MergeCounters(counters,
                      {{"cnps", m_notificationPoint.GetSent()},
                       {"cnps_received", m_notificationPoint.GetReceived()}});
    }
}

Ptr<QueuePair>
RcQueuePair::DoFork() const
{
    return Ptr<QueuePair>(new RcQueuePair(*this), false);
}

TransportTraits
RcQueuePair::GetTraits() const
{
    TransportTraits traits;
    traits.sendsCnps = true;
    traits.carriesTelemetry = true;
    traits.carriesReads = true;
    return traits;
}

uint32_t
RcQueuePair::GetPacketBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(RC_WRITE_MIDDLE, GetMtu());
}

uint32_t
RcQueuePair::GetAckBytes(const RoceNetDevice& nic) const
{
    return nic.GetAckBytes();
}

uint32_t
RcQueuePair::GetMostIpBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(HasImmediate() ? RC_WRITE_ONLY_IMM : RC_WRITE_ONLY, GetMtu()) -
           FrameCodec::ETHERNET_SIZE - FrameCodec::FCS_SIZE;
}

void
RcQueuePair::Fill(FabricFrame& frame, int64_t start)
{
    const Requestor::Departure departure = TakeNext(start);
    const Connection& connection = GetConnection();
    if (departure.repair)
    {
        RcFraming::WriteRepair(frame, *departure.message, departure.repair, connection.mtu);
    }
    else
    {
        const uint64_t index = departure.number - departure.message->firstPacket;
        if (connection.reads)
        {
            const uint32_t msn = GetResponder().GetMsn();
            RcFraming::WriteRead(frame, *departure.message, index, connection, msn);
        }
        else
        {
            RcFraming::WritePacket(frame, *departure.message, index, connection);
        }
    }
    const RoceNetDevice& nic = *connection.nic;
    frame.flags = BTH_MIG_REQ | (AsksForAck(departure) ? BTH_ACK_REQ : 0) | nic.GetIpFlags();
    if (nic.CarriesTelemetry())
    {
        frame.AddTelemetry();
    }
    frame.SetTos(connection.dscp << 2 | ECN_ECT0);
    frame.psn = connection.ToPsn(departure.number);
    frame.sentAt = start;
    const uint8_t charged = nic.ChargesReth() ? frame.opcode : uint8_t{RC_WRITE_MIDDLE};
    frame.wireBytes = nic.GetWireBytes(charged, frame.payload);
    connection.Address(frame, departure.entropy);
    PacketFilled(departure, start, frame.wireBytes);
}

[[gnu::always_inline]] inline void
RcQueuePair::ReceiveReport(const FabricFrame& frame, int64_t now)
{
    if (RcFraming::IsNak(frame))
    {
        ReceiveNack({GetConnection().ReadReport(frame)}, now);
    }
    else
    {
        ReceiveAck({GetConnection().ReadReport(frame)}, now);
    }
}

void
RcQueuePair::ReceiveTelemetry(const FabricFrame& frame, int64_t now)
{
    GetControl()->TelemetryReceived(*frame.FindTelemetry(), frame.sentAt, now);
    ReceiveReport(frame, now);
}

Endpoint::Reception
RcQueuePair::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    if (frame->opcode == RC_ACK)
    {
        if (frame->flags & FRAME_TELEMETRY)
        {
            ReceiveTelemetry(*frame, outbox.GetNow());
        }
        else
        {
            ReceiveReport(*frame, outbox.GetNow());
        }
        return Reception::REPORT;
    }
    if (frame->flags & FRAME_TRIMMED)
    {
        return Reception::TRIMMED;
    }
    if (frame->opcode == ROCE_CNP)
    {
        m_notificationPoint.CountReceived();
        ReceiveCnp(outbox.GetNow());
        return Reception::REPORT;
    }
    if (!RcCodec::IsData(frame->opcode))
    {
        return Reception::UNKNOWN;
    }
    ReceiveData(*frame, outbox);
    return Reception::DATA;
}

void
RcQueuePair::ReceiveData(const FabricFrame& frame, const Outbox& outbox)
{
    NS_ABORT_MSG_IF(frame.opcode == RC_WRITE_FIRST && frame.payload != GetMtu(),
                    "RcQueuePair::Mtu is " << GetMtu() << " at one end and " << frame.payload
                                           << " at the other");
    Responder::Arrival arrival{GetConnection().FromFirst(frame.psn),
                               frame.payload,
                               0,
                               nullptr,
                               0,
                               frame.GetEcn() == ECN_CE,
                               (frame.flags & BTH_ACK_REQ) != 0};
    if (arrival.isMarked && m_notificationPoint.IsOn())
    {
        Notify(frame, outbox);
    }
    std::optional<Reth> read;
    if (frame.opcode >= RC_READ_REQUEST)
    {
        read = RcFraming::ReadAnnouncement(frame);
        arrival.announced = read ? &*read : nullptr;
    }
    else if (RcCodec::HasReth(frame.opcode))
    {
        arrival.announced = &frame.GetExtra().reth;
        arrival.repair = RcFraming::GetRepair(frame);
    }
    const ReceivingEnd::Verdict verdict = ReceivePacket(arrival);
    if (verdict.answer != ReceivingEnd::Answer::NONE)
    {
        Answer(frame, verdict, outbox);
    }
}

void
RcQueuePair::Notify(const FabricFrame& frame, const Outbox& outbox)
{
    if (m_notificationPoint.TakeTurn(GetConnection(), outbox.GetNow()))
    {
        Ptr<FabricFrame> cnp = outbox.CreateFrame();
        m_notificationPoint.Write(*cnp, frame, GetConnection());
        outbox.Send(std::move(cnp));
    }
}

void
RcQueuePair::Answer(const FabricFrame& frame,
                    const ReceivingEnd::Verdict& verdict,
                    const Outbox& outbox)
{
    Responder& responder = GetResponder();
    const Connection& connection = GetConnection();
    const ResponderReport report{static_cast<uint32_t>(verdict.number) & PsnWindow::PSN_MASK,
                                 responder.GetMsn(),
                                 frame.entropy,
                                 frame.GetEcn() == ECN_CE,
                                 frame.sentAt};
    const bool isNak = verdict.answer == ReceivingEnd::Answer::NAK;
    responder.CountAnswer(isNak);
    Ptr<FabricFrame> answer = outbox.CreateFrame();
    RcFraming::WriteAnswer(*answer, report, isNak ? AETH_NAK_PSN_SEQUENCE : AETH_ACK, connection);
    const uint8_t ipv6 = frame.flags & FRAME_IPV6;
    answer->flags |= ipv6;
    answer->wireBytes = connection.nic->GetAckBytes(ipv6);
    if (frame.FindTelemetry())
    {
        CopyTelemetry(frame, *answer);
    }
    connection.Address(*answer, frame.entropy);
    outbox.Send(std::move(answer));
}

void
RcQueuePair::PrefetchArrival(const FabricFrame& frame, uint32_t step) const
{
    PrefetchState(frame.opcode == RC_ACK, step);
}

} // namespace aifabric
} // namespace ns3
