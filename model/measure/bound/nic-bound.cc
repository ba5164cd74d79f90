/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nic-bound.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

void
SetNicBound(const RoceNetDevice& nic, const QueuePair& queuePair, BoundParameters& parameters)
{
    UintegerValue dscp;
    UintegerValue ackDscp;
    queuePair.GetAttribute("Dscp", dscp);
    queuePair.GetAttribute("AckDscp", ackDscp);
    parameters.nicLatencyPs = nic.GetLatency().GetPicoSeconds();
    parameters.payloadBytes = queuePair.GetMtu();
    parameters.headerBytes = queuePair.GetPacketBytes(nic) - queuePair.GetMtu();
    parameters.ackBytes = queuePair.GetAckBytes(nic);
    parameters.requestBytes =
        nic.GetWireBytes(nic.ChargesReth() ? RC_READ_REQUEST : RC_WRITE_MIDDLE, 0);
    parameters.gapBytes = nic.GetGap();
    const bool isStrict = !nic.GetPort(0)->GetEgressScheduler();
    parameters.acksAlternate = isStrict && nic.GetClass(ackDscp.Get()) >= nic.GetClass(dscp.Get());
}

} // namespace aifabric
} // namespace ns3
