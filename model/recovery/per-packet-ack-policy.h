/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PER_PACKET_ACK_POLICY_H
#define PER_PACKET_ACK_POLICY_H

#include "ack-policy.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Each packet is acknowledged.
 */
class PerPacketAckPolicy : public AckPolicy
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsDue(const Arrival& arrival) const override;
    bool IsEach() const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* PER_PACKET_ACK_POLICY_H */
