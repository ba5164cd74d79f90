/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_ACK_POLICY_H
#define MRC_ACK_POLICY_H

#include "ack-policy.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * When an MRC responder sends a SACK for packets that it has accepted (OCP MRC 1.0, section 7.5.2,
 * by its five triggers): when SackGenThreshold bytes have arrived since the last SACK, and at once
 * for a packet that requests it (AckReq), is marked, or was retransmitted; MrcQueuePair counts a
 * retransmitted packet among those that request it, and answers probes itself. A request that a
 * packet made while an earlier one was missing is repeated when the last gap closes (prev_ar in the
 * state of the responder).
 */
class MrcAckPolicy : public AckPolicy
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsDue(const Arrival& arrival) const override;
    uint32_t GetLeastWindow() const override;

  private:
    uint32_t m_bytes{0}; //!< payload for which there is one SACK
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_ACK_POLICY_H */
