/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UNORDERED_ACK_POLICY_H
#define UNORDERED_ACK_POLICY_H

#include "ack-policy.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * One acknowledgement for several packets that may come in any order, as Ultra Ethernet's receivers
 * do it: when enough bytes have come since the last one, and at once for a packet that is marked,
 * asks for it, is the first of the connection, or fills the last gap. Only unmarked ACKs are
 * delayed. A duplicate is acknowledged at once under any policy.
 */
class UnorderedAckPolicy : public AckPolicy
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsDue(const Arrival& arrival) const override;
    uint32_t GetLeastWindow() const override;
    uint32_t GetLeastCount() const override;

  private:
    uint32_t m_bytes{0};      //!< for which there is one acknowledgement
    uint32_t m_leastCount{0}; //!< the least that a packet counts
};

} // namespace aifabric
} // namespace ns3

#endif /* UNORDERED_ACK_POLICY_H */
