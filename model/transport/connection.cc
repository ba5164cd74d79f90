/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection.h"

#include "roce-net-device.h"

#include "ns3/abort.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/fabric-channel.h"
#include "ns3/frame-codec.h"

namespace ns3
{
namespace aifabric
{

void
Connection::CheckNumber(int64_t number, uint32_t psn) const
{
    NS_ABORT_MSG_IF(number < 0,
                    "QueuePair: host " << nic->GetHost() << " received PSN " << ToPsn(psn)
                                       << " from host " << peerHost << ", and FirstPsn is "
                                       << firstPsn << "; FirstPsn has to be the same at both ends");
}

uint16_t
Connection::GetLinuxPort(uint32_t number) const
{
    uint64_t mixed = static_cast<uint64_t>(number) * peerNumber;
    mixed ^= mixed >> 20;
    mixed ^= mixed >> 40;
    const uint32_t label = mixed & 0xFFFFF;
    return ((label & 0x3FFF) ^ (label >> 14)) | 0xC000;
}

PathChoice
Connection::GetControlPath(uint32_t number, uint32_t turn) const
{
    const uint32_t planes = nic->GetPortCount();
    const uint32_t hosts = EcmpBalancer::Mix(nic->GetHost(), peerHost);
    const uint32_t first = HostBalancer::AddRunSalt(EcmpBalancer::Mix(number, hosts));
    const uint32_t firstPlane = first / HostBalancer::ENTROPIES + turn;
    uint32_t plane = firstPlane % planes;
    for (uint32_t step = 1; step < planes && !nic->GetPort(plane)->GetChannel()->IsUp(); ++step)
    {
        plane = (firstPlane + step) % planes;
    }
    const uint32_t label = (first + turn) % HostBalancer::ENTROPIES;
    return {PathChoice::FIRST_PORT + label, static_cast<uint16_t>(plane)};
}

void
Connection::Address(FabricFrame& frame, uint32_t entropy) const
{
    frame.source = nic->GetHost();
    frame.destination = peerHost;
    frame.destinationQp = peerNumber;
    FrameCodec::SetFlow(frame, entropy);
}

} // namespace aifabric
} // namespace ns3
