/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ORACLE_RECOVERY_H
#define ORACLE_RECOVERY_H

#include "selective-recovery.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Ideal loss recovery: a rateless erasure code without overhead (arXiv 2507.21372, section 4), of
 * whose packets one more is sent for each one lost. The sender learns of each loss from a
 * LossOracle, at the time at which the missing acknowledgement would have come. ClosHelper prepares
 * one, which starts with the first queue pair that has this recovery. Without a LossOracle, as with
 * NICs that a script makes itself, the sender waits for the retransmission timer.
 *
 * The packet sent for a lost one has its number, where a code would make a new packet. To the
 * completion time that is the same: as many packets are sent, at the same times, and the message is
 * complete with the arrival of as many packets as it has, since a number is sent again only when
 * its packet was lost, and so no number arrives twice. The exception is a lost acknowledgement: the
 * packet is sent again to have another one, and the copy is discarded.
 */
class OracleRecovery : public SelectiveRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<LossRecovery> Fork() const override;
    bool LossReported(uint32_t psn) override;
    RecoveryTraits GetTraits() const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* ORACLE_RECOVERY_H */
