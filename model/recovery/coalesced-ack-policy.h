/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COALESCED_ACK_POLICY_H
#define COALESCED_ACK_POLICY_H

#include "ack-policy.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * One acknowledgement for several packets: when enough bytes have come since the last one, and at
 * once for a packet that is marked, out of order, asks for it, or fills the last gap.
 */
class CoalescedAckPolicy : public AckPolicy
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsDue(const Arrival& arrival) const override;

  private:
    uint32_t m_bytes{0}; //!< payload for which there is one acknowledgement
};

} // namespace aifabric
} // namespace ns3

#endif /* COALESCED_ACK_POLICY_H */
