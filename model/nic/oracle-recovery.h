/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ORACLE_RECOVERY_H
#define ORACLE_RECOVERY_H

#include "loss-recovery.h"
#include "psn-window.h"

#include <set>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Ideal loss recovery: a rateless erasure code without overhead (arXiv 2507.21372, section 4). The
 * receiver accepts packets in any order and acknowledges each by its own PSN; the sender learns of
 * each loss from a LossOracle, at the time at which the missing acknowledgement would have come,
 * and sends one more packet for it.
 */
class OracleRecovery : public LossRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool HasNext(uint64_t posted) const override;
    uint64_t TakeNext() override;
    bool AckReceived(uint32_t psn) override;
    bool NakReceived(uint32_t psn) override;
    bool LossReported(uint32_t psn) override;
    void TimerExpired() override;
    uint64_t GetOutstanding() const override;
    uint64_t GetUnacknowledged() const override;
    uint64_t GetSent() const override;
    Verdict PacketReceived(uint32_t psn) override;
    uint64_t GetExpected() const override;

  private:
    uint64_t m_sent{0};        //!< packets sent at least once
    uint64_t m_ackedCount{0};  //!< packets acknowledged
    PsnWindow m_acked;         //!< packets acknowledged
    std::set<uint64_t> m_lost; //!< packets to be sent again
    PsnWindow m_received;      //!< packets that the receiving end has
};

} // namespace aifabric
} // namespace ns3

#endif /* ORACLE_RECOVERY_H */
