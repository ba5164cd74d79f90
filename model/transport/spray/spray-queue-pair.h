/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPRAY_QUEUE_PAIR_H
#define SPRAY_QUEUE_PAIR_H

#include "credit-exchange.h"

#include "ns3/queue-pair.h"

#include <memory>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A queue pair whose packets may take any path: reliable unordered delivery, as Ultra Ethernet's
 * RUD has it (UE specification 1.0; arXiv 2508.08906). Each packet says where in its message it
 * belongs, so the receiver places it at once. An acknowledgement reports what has come by a
 * cumulative PSN and a bitmap (SelectiveRepeatRecovery). It may stand for several packets
 * (UnorderedAckPolicy), and takes the entropy of the packet that triggered it.
 *
 * A packet whose data a switch has cut off (TrimmingBuffer) is answered by a NACK with its entropy,
 * which says whether the last switch did it: the sender retransmits it before new packets.
 *
 * If no report comes for some time, the sender sends a probe, which the receiver answers with a
 * report at once. The recovery decides when (LossRecovery::GetProbeDue).
 *
 * **Progress**: a sender that its window blocks gets a report. Either a packet on the way has asked
 * for one, or the packets on the way suffice for AckPolicy; if a smaller window has made both
 * untrue, the sender sends a probe each round trip that asks for a report from its oldest packet
 * on.
 *
 * With a congestion control that needs credit (RcccControl), each data packet announces what the
 * sender has to send, and the receiver gives credit for it (CreditExchange).
 *
 * SprayFraming reads and writes the headers.
 */
class SprayQueuePair : public QueuePair
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SprayQueuePair();
    ~SprayQueuePair() override;

    void Install(EndpointNic* nic, uint32_t number, int64_t stream) override;
    TransportTraits GetTraits() const override;
    uint32_t GetPacketBytes(const RoceNetDevice& nic) const override;
    uint32_t GetAckBytes(const RoceNetDevice& nic) const override;
    void Fill(FabricFrame& frame, int64_t start) override;
    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;
    void PrefetchArrival(const FabricFrame& frame, uint32_t step) const override;
    void CountPolicies(PolicyCounters& counters) const override;

  protected:
    void DoDispose() override;
    void AllAcknowledged() override;

  private:
    /// Have the same attributes, and policies like those.  @param other a queue pair not in use
    SprayQueuePair(const SprayQueuePair& other);

    Ptr<QueuePair> DoFork() const override;
    void AskForCredit(bool isUrgent, int64_t now) override;

    uint32_t GetMostIpBytes(const RoceNetDevice& nic) const override;

    /// @return the report of an acknowledgement  @param frame what has come
    AckReport ReadAck(const FabricFrame& frame) const;

    /// A data packet has come.  @param outbox how to answer
    void ReceiveData(const FabricFrame& frame, const Outbox& outbox);

    /// A packet has come without its data.  @param outbox how to answer
    void ReceiveTrimmed(const FabricFrame& frame, const Outbox& outbox);

    /// A probe has come.  @param frame the probe  @param outbox how to answer
    void ReceiveProbe(const FabricFrame& frame, const Outbox& outbox);

    /// A probe may be due.
    void CheckProbe();

    /// Schedule CheckProbe().  @param now the current time, in picoseconds
    void ScheduleProbe(int64_t now);

    /// Send a probe.  @param number 1 to 255  @param dscp its class
    /// @param first the first packet that the bitmap of the answer is to cover
    /// @param now the current time, in picoseconds
    void SendProbe(uint8_t number, uint8_t dscp, uint64_t first, int64_t now);

    /// A report has come: ask for the next one, if the receiver would send none.
    /// @param now the current time, in picoseconds
    void AskForReport(int64_t now);

    /// Answer a packet.  @param verdict how  @param outbox where to
    void Answer(const FabricFrame& frame,
                const ReceivingEnd::Verdict& verdict,
                const Outbox& outbox);

    /// @return the credit of the connection; abort if the other end uses credits and this one does
    /// not
    CreditExchange& GetCredits() const;

    EventId m_probeTimer;                      //!< when CheckProbe runs next
    uint8_t m_requestRtts{0};                  //!< RequestInterval, in base RTTs
    uint8_t m_againDscp{0};                    //!< of retransmitted packets; 64: as others
    uint8_t m_lastHopDscp{0};                  //!< of frames trimmed before the link to this host
    uint32_t m_quantum{0};                     //!< unit of credit, in bytes
    std::unique_ptr<CreditExchange> m_credits; //!< null: the congestion control needs none
};

} // namespace aifabric
} // namespace ns3

#endif /* SPRAY_QUEUE_PAIR_H */
