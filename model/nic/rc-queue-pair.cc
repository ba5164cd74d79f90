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
#include "ns3/frame-codec.h"
#include "ns3/rc-codec.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RcQueuePair);

TypeId
RcQueuePair::GetTypeId()
{
    static TypeId tid = QueuePairAttributes::AddTo(TypeId("ns3::aifabric::RcQueuePair")
                                                       .SetParent<QueuePair>()
                                                       .SetGroupName("AiFabric")
                                                       .AddConstructor<RcQueuePair>());
    return tid;
}

Ptr<QueuePair>
RcQueuePair::DoFork() const
{
    return Ptr<QueuePair>(new RcQueuePair(*this), false);
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
    return nic.GetWireBytes(RC_WRITE_ONLY, GetMtu()) - FrameCodec::ETHERNET_SIZE -
           FrameCodec::FCS_SIZE;
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
        RcFraming::WritePacket(frame, *departure.message, index, connection.mtu);
    }
    const RoceNetDevice& nic = *connection.nic;
    frame.flags = BTH_MIG_REQ | (AsksForAck(departure) ? BTH_ACK_REQ : 0) | nic.GetIpFlags();
    frame.SetTos(connection.dscp << 2 | ECN_ECT0);
    frame.psn = connection.ToPsn(departure.number);
    frame.sentAt = start;
    const uint8_t charged = nic.ChargesReth() ? frame.opcode : uint8_t{RC_WRITE_MIDDLE};
    frame.wireBytes = nic.GetWireBytes(charged, frame.payload);
    connection.Address(frame, departure.entropy);
    PacketFilled(departure, start, frame.wireBytes);
}

Endpoint::Reception
RcQueuePair::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    if (frame->opcode == RC_ACK)
    {
        if (RcFraming::IsNak(*frame))
        {
            ReceiveNack({GetConnection().ReadReport(*frame)}, outbox.GetNow());
        }
        else
        {
            ReceiveAck({GetConnection().ReadReport(*frame)}, outbox.GetNow());
        }
        return Reception::REPORT;
    }
    if (frame->flags & FRAME_TRIMMED)
    {
        return Reception::TRIMMED;
    }
    if (frame->opcode == ROCE_CNP)
    {
        ReceiveCnp(outbox.GetNow());
        return Reception::REPORT;
    }
    if (!RcCodec::HasPayload(frame->opcode))
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
    if (RcCodec::HasReth(frame.opcode))
    {
        arrival.announced = &frame.GetExtra().reth;
        arrival.repair = RcFraming::GetRepair(frame);
    }
    const LossRecovery::Verdict verdict = ReceivePacket(arrival);
    if (verdict.answer != LossRecovery::Answer::NONE)
    {
        Answer(frame, verdict, outbox);
    }
}

void
RcQueuePair::Answer(const FabricFrame& frame,
                    const LossRecovery::Verdict& verdict,
                    const Outbox& outbox)
{
    Responder& responder = GetResponder();
    const Connection& connection = GetConnection();
    const ResponderReport report{static_cast<uint32_t>(verdict.number) & PsnWindow::PSN_MASK,
                                 responder.GetMsn(),
                                 frame.entropy,
                                 frame.GetEcn() == ECN_CE,
                                 frame.sentAt};
    const bool isNak = verdict.answer == LossRecovery::Answer::NAK;
    responder.CountAnswer(isNak);
    Ptr<FabricFrame> answer = outbox.CreateFrame();
    RcFraming::WriteAnswer(*answer, report, isNak ? AETH_NAK_PSN_SEQUENCE : AETH_ACK, connection);
    const uint8_t ipv6 = frame.flags & FRAME_IPV6;
    answer->flags |= ipv6;
    answer->wireBytes = connection.nic->GetAckBytes(ipv6);
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
