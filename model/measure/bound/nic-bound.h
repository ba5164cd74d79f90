/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIC_BOUND_H
#define NIC_BOUND_H

#include "bound-frames.h"

#include "ns3/queue-pair.h"
#include "ns3/roce-net-device.h"

namespace ns3
{
namespace aifabric
{

/**
 * Set what the bounds know of NICs and their frames: latency, gap, MTU, headers, acknowledgements.
 *
 * @param nic a NIC; all are taken to be like it
 * @param queuePair a queue pair with the attributes of all, whether it is connected or not
 * @param [in,out] parameters where to set it
 */
void SetNicBound(const RoceNetDevice& nic, const QueuePair& queuePair, BoundParameters& parameters);

} // namespace aifabric
} // namespace ns3

#endif /* NIC_BOUND_H */
