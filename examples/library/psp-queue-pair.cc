/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * A transport that carries messages, for a library outside of the module (doc/own-library.rst).
 */

#include "ns3/frame-codec.h"
#include "ns3/rc-framing.h"
#include "ns3/rc-queue-pair.h"
#include "ns3/roce-net-device.h"

namespace ns3
{
namespace aifabric
{

/// RC whose data packets are encrypted by PSP: 40 bytes more (UDP, PSP header and trailer).
class PspQueuePair : public RcQueuePair
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    uint32_t GetPacketBytes(const RoceNetDevice& nic) const override;
    void Fill(FabricFrame& frame, int64_t start) override;

  private:
    static constexpr uint32_t OVERHEAD = 40; //!< bytes of a packet

    Ptr<QueuePair> DoFork() const override;
    uint32_t GetMostIpBytes(const RoceNetDevice& nic) const override;
};

NS_OBJECT_ENSURE_REGISTERED(PspQueuePair);

TypeId
PspQueuePair::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PspQueuePair")
                            .SetParent<RcQueuePair>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PspQueuePair>();
    return tid;
}

Ptr<QueuePair>
PspQueuePair::DoFork() const
{
    return Ptr<QueuePair>(new PspQueuePair(*this), false);
}

uint32_t
PspQueuePair::GetPacketBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(RC_WRITE_MIDDLE, GetMtu()) + OVERHEAD;
}

uint32_t
PspQueuePair::GetMostIpBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(RC_WRITE_ONLY, GetMtu()) + OVERHEAD - FrameCodec::ETHERNET_SIZE -
           FrameCodec::FCS_SIZE;
}

void
PspQueuePair::Fill(FabricFrame& frame, int64_t start)
{
    const Requestor::Departure departure = TakeNext(start);
    const Connection& connection = GetConnection();
    const RoceNetDevice& nic = *connection.nic;
    if (departure.repair) // of a recovery with an erasure code
    {
        RcFraming::WriteRepair(frame, *departure.message, departure.repair, connection.mtu);
    }
    else
    {
        const uint64_t index = departure.number - departure.message->firstPacket;
        RcFraming::WritePacket(frame, *departure.message, index, connection);
    }
    frame.flags = BTH_MIG_REQ | (AsksForAck(departure) ? BTH_ACK_REQ : 0) | nic.GetIpFlags();
    frame.SetTos(connection.dscp << 2 | ECN_ECT0);
    frame.psn = connection.ToPsn(departure.number);
    frame.sentAt = start;
    frame.wireBytes = nic.GetWireBytes(frame.opcode, frame.payload) + OVERHEAD;
    connection.Address(frame, departure.entropy);
    PacketFilled(departure, start, frame.wireBytes);
}

} // namespace aifabric
} // namespace ns3
