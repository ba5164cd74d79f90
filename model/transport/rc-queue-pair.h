/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RC_QUEUE_PAIR_H
#define RC_QUEUE_PAIR_H

#include "notification-point.h"
#include "queue-pair.h"

#include "ns3/cnp-listener.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A queue pair of RoCEv2's reliable connection (RC): data are RDMA writes, or answers to reads;
 * they are acknowledged by ACKs and NAKs with an AETH (RcFraming).
 *
 * An acknowledgement takes the entropy of the packet that it answers, so it is sprayed as the data
 * is and names the path to the sender; the mark of the packet is in the BECN bit of its BTH. If the
 * congestion control needs CNPs (CnpListener), marked packets are also answered by CNPs
 * (NotificationPoint). Data carries telemetry if switches write it, and its answer carries that
 * back (PathTelemetry).
 */
class RcQueuePair : public QueuePair
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TransportTraits GetTraits() const override;
    uint32_t GetPacketBytes(const RoceNetDevice& nic) const override;
    uint32_t GetAckBytes(const RoceNetDevice& nic) const override;
    void Install(EndpointNic* nic, uint32_t number, int64_t stream) override;
    void CountPolicies(PolicyCounters& counters) const override;
    void Fill(FabricFrame& frame, int64_t start) override;
    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;
    void PrefetchArrival(const FabricFrame& frame, uint32_t step) const override;

  private:
    Ptr<QueuePair> DoFork() const override;
    uint32_t GetMostIpBytes(const RoceNetDevice& nic) const override;

    /// An acknowledgement or a NAK has come.  @param now the current time, in picoseconds
    void ReceiveReport(const FabricFrame& frame, int64_t now);

    /// One has come that carries telemetry.  @param now the current time, in picoseconds
    [[gnu::noinline]] void ReceiveTelemetry(const FabricFrame& frame, int64_t now);

    /// A data packet has come.  @param outbox how to answer
    void ReceiveData(const FabricFrame& frame, const Outbox& outbox);

    /// @return a type with the attributes of CNPs and of writes
    static TypeId AddOwnAttributes(TypeId type);

    /// @param gap least time between two CNPs; 0: what the congestion control asks for
    void SetCnpGap(Time gap);

    /// @return least time between two CNPs; 0: what the congestion control asks for
    Time GetCnpGap() const;

    /// @param scope what the gap is for
    void SetCnpScope(NotificationPoint::Scope scope);

    /// @return what the gap is for
    NotificationPoint::Scope GetCnpScope() const;

    /// @param dscp DSCP of CNPs
    void SetCnpDscp(uint8_t dscp);

    /// @return DSCP of CNPs
    uint8_t GetCnpDscp() const;

    /// A marked packet has come: send a CNP if it is time.  @param outbox where the CNP goes
    [[gnu::noinline]] void Notify(const FabricFrame& frame, const Outbox& outbox);

    /// Answer a data packet.  @param verdict what to answer  @param outbox where the answer goes
    void Answer(const FabricFrame& frame,
                const ReceivingEnd::Verdict& verdict,
                const Outbox& outbox);

    NotificationPoint m_notificationPoint; //!< when it sends CNPs
};

} // namespace aifabric
} // namespace ns3

#endif /* RC_QUEUE_PAIR_H */
