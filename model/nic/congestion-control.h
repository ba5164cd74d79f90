/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGESTION_CONTROL_H
#define CONGESTION_CONTROL_H

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/policy-counters.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How much and how fast one queue pair may send: a window and a rate, which it changes as it hears
 * from the network. Each queue pair has a control of its own; the state of the connection itself
 * (what was sent and acknowledged) is the queue pair's.
 *
 * A subclass named XyzControl is offered as `--rateControl=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class alignas(64) CongestionControl : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * The queue pair begins.
     *
     * @param lineRate the rate of its NIC's port
     * @param mtu payload bytes of a full packet
     */
    virtual void Start(DataRate lineRate, uint32_t mtu);

    /**
     * The rate of the port changes.
     *
     * @param lineRate its rate from now on
     */
    virtual void LineRateChanged(DataRate lineRate);

    /// @return the most payload bytes that may be unacknowledged
    virtual uint64_t GetWindow() const = 0;

    /// @return the rate, gaps and headers included; the line rate or more: no pacing
    virtual DataRate GetRate() const = 0;

    /**
     * Packets were acknowledged.
     *
     * @param bytes payload bytes that are acknowledged for the first time; the sum over a message
     * is its length
     * @param marked whether the acknowledged packet was marked (ECN)
     * @param sentAt when that packet was sent, in picoseconds
     * @param now the current time, in picoseconds
     */
    virtual void PacketAcked(uint32_t bytes, bool marked, int64_t sentAt, int64_t now);

    /**
     * A packet is known to be lost, by NAK or otherwise.
     *
     * @param now the current time, in picoseconds
     */
    virtual void PacketLost(int64_t now);

    /**
     * The retransmission timer expired.
     *
     * @param now the current time, in picoseconds
     */
    virtual void TimerExpired(int64_t now);

    /**
     * Make another one for another queue pair; as TcpCongestionOps::Fork() does. A subclass that
     * overrides it by ForkObject(*this) makes queue pairs cheap to open.
     *
     * @return another one with the same attributes, of one that has not been used yet
     */
    virtual Ptr<CongestionControl> Fork() const;

    /// Add what it has counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* CONGESTION_CONTROL_H */
