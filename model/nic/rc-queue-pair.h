/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RC_QUEUE_PAIR_H
#define RC_QUEUE_PAIR_H

#include "queue-pair.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A queue pair of RoCEv2's reliable connection (RC): data are RDMA writes, answers are ACKs and
 * NAKs with an AETH (RcFraming).
 *
 * An acknowledgement takes the entropy of the packet that it answers, so it is sprayed as the data
 * is and tells the sender which path is meant; that the packet was marked is told by the BECN bit
 * of its BTH.
 */
class RcQueuePair : public QueuePair
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint32_t GetPacketBytes(const RoceNetDevice& nic) const override;
    uint32_t GetAckBytes(const RoceNetDevice& nic) const override;
    void Fill(FabricFrame& frame, int64_t start) override;
    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;
    void PrefetchArrival(const FabricFrame& frame, uint32_t step) const override;

  private:
    Ptr<QueuePair> DoFork() const override;
    uint32_t GetMostIpBytes(const RoceNetDevice& nic) const override;

    /// A data packet has come.  @param frame the packet  @param outbox how to answer
    void ReceiveData(const FabricFrame& frame, const Outbox& outbox);

    /// Answer a data packet.  @param frame the packet  @param verdict what to answer
    /// @param outbox where the answer goes
    void Answer(const FabricFrame& frame,
                const LossRecovery::Verdict& verdict,
                const Outbox& outbox);
};

} // namespace aifabric
} // namespace ns3

#endif /* RC_QUEUE_PAIR_H */
