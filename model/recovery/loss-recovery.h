/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSS_RECOVERY_H
#define LOSS_RECOVERY_H

#include "receiving-end.h"
#include "recovery-traits.h"
#include "sending-end.h"

#include "ns3/object.h"
#include "ns3/policy-counters.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How one queue pair survives loss and reordering, at both of its ends.
 *
 * A subclass named XyzRecovery is offered as `--recovery=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class alignas(64) LossRecovery : public Object, public SendingEnd, public ReceivingEnd
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return what it needs, and how it uses timers
    virtual RecoveryTraits GetTraits() const;

    /**
     * Choose RcQueuePair::AckTimeout for a fabric. Here the timer is the last resort, and expires
     * when an acknowledgement is ten times as late as with all buffers full, 500 us at least.
     *
     * @param empty what a packet and its acknowledgement take through an empty fabric to the
     * farthest host, in picoseconds
     * @param drain what all buffers of that way take to drain if they are full, in picoseconds
     * @param packets what the packets themselves take of the first, in picoseconds
     * @return the time in picoseconds
     */
    virtual double GetUsualTimeoutPs(double empty, double drain, double packets) const;

    /**
     * Make another one for another queue pair; as TcpCongestionOps::Fork() does. A subclass that
     * overrides it by ForkObject(*this) makes queue pairs cheap to open.
     *
     * @return another one with the same attributes, of one that has not been used yet
     */
    virtual Ptr<LossRecovery> Fork() const;

    /// Add what it has counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* LOSS_RECOVERY_H */
