/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECOVERY_TRAITS_H
#define RECOVERY_TRAITS_H

namespace ns3
{
namespace aifabric
{

/// What a LossRecovery needs of its fabric and of its transport, and how it uses timers.
struct RecoveryTraits
{
    /// LossRecovery::LossReported() does something, so that the fabric needs a LossOracle.
    bool needsLossOracle{false};
    /// The receiver has to acknowledge each packet by itself (AckPolicy), because an
    /// acknowledgement does not cover the packets before it.
    bool needsAckPerPacket{true};
    /// Acknowledgements have to carry a bitmap (AckReport), as those of SprayQueuePair do.
    bool needsReports{false};
    /// The transport has to report the path of each packet to it.
    bool needsPaths{false};
    /// The retransmission timer runs for each packet: what LossRecovery::ExpireSentUntil() gives
    /// has timed out, and the timer of the queue pair only counts how often nothing was
    /// acknowledged.
    bool timesEachPacket{false};
    /// Each expiration of the retransmission timer doubles the time until the next one, until
    /// something is acknowledged.
    bool backsOff{false};
    /// A sender transmits without pause until the acknowledgement arrives, so that data may block
    /// acknowledgements of a lower class for ever.
    bool sendsUntilAcked{false};
    /// It recovers from losses as no real NIC can, so that many losses make a run too fast.
    bool isIdeal{false};
};

} // namespace aifabric
} // namespace ns3

#endif /* RECOVERY_TRAITS_H */
