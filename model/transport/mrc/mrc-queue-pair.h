/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_QUEUE_PAIR_H
#define MRC_QUEUE_PAIR_H

#include "mrc-attributes.h"
#include "mrc-control-paths.h"
#include "mrc-framing.h"
#include "mrc-responder.h"

#include "ns3/queue-pair.h"

namespace ns3
{
namespace aifabric
{

class MrcBalancer;
class MrcRecovery;

/**
 * @ingroup ai-fabric
 *
 * A queue pair of MRC, Multipath Reliable Connection (OCP MRC 1.0; arXiv 2605.04333 and
 * 2606.18170): RDMA writes whose packets take any path of any plane. Each packet says where its
 * bytes belong (RETH), so the responder places it on arrival, once. A SACK reports what has arrived
 * by a cumulative PSN and a bitmap (MrcAckPolicy says when), and a NACK refuses a packet that came
 * without its data or is outside the window of the responder. The requestor infers from SACKs which
 * packets have vanished (MrcRecovery), retires their paths (MrcBalancer), retransmits, and probes.
 * NSCC controls the window, one for all queue pairs to a host (RoceNetDevice::SharesControl).
 *
 * This class is the sending end; MrcResponder receives data, and MrcControlPaths sends control
 * packets and knows the ports of both NICs.
 *
 * A SACK acknowledges placed packets, and a message is complete when all its packets and those of
 * the messages before it are placed; so there are no transport ACKs. MrcFraming reads and writes
 * the headers of this end.
 */
class MrcQueuePair : public QueuePair, public MrcAttributes
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @copydoc MrcResponder::ImmediateCallback
    using ImmediateCallback = MrcResponder::ImmediateCallback;

    MrcQueuePair();
    ~MrcQueuePair() override;

    /**
     * Post a message with an immediate (WRITE with immediate), as PostWrite() does. If more than
     * MaxImmediates of them are unacknowledged, the queue pair fails.
     *
     * @param bytes its length in bytes
     * @param immediate what the other end gets with its completion
     * @param done called when all of it is acknowledged; may be null
     * @param key what the other end knows it by
     */
    void PostWriteImmediate(uint64_t bytes,
                            uint32_t immediate,
                            MessageCallback done = MessageCallback(),
                            uint32_t key = 0);

    /// @param received called for each immediate that has come, in the order of the messages
    void SetImmediateCallback(ImmediateCallback received)
    {
        m_responder.SetImmediateCallback(received);
    }

    /// @return the half that receives data
    MrcResponder& GetReceivingHalf()
    {
        return m_responder;
    }

    void Install(EndpointNic* nic, uint32_t number, int64_t stream) override;
    TransportTraits GetTraits() const override;
    uint32_t GetPacketBytes(const RoceNetDevice& nic) const override;
    uint32_t GetAckBytes(const RoceNetDevice& nic) const override;

    bool CanSend() const override
    {
        return !m_isCutOff && QueuePair::CanSend();
    }

    void Fill(FabricFrame& frame, int64_t start) override;
    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;
    void PortsChanged(uint32_t local) override;
    void PrefetchArrival(const FabricFrame& frame, uint32_t step) const override;
    void CountPolicies(PolicyCounters& counters) const override;

  protected:
    void DoDispose() override;
    RetransmissionLimits GetLimits() const override;
    void WorkBegins() override;
    void AllAcknowledged() override;

  private:
    friend class MrcControlPaths; // a part of it
    friend class MrcResponder;    // the same

    /// Have the same attributes, and policies like those.  @param other a queue pair not in use
    MrcQueuePair(const MrcQueuePair& other);

    Ptr<QueuePair> DoFork() const override;
    uint32_t GetMostIpBytes(const RoceNetDevice& nic) const override;

    /// A SACK has come.  @param frame the SACK  @param now the current time, in picoseconds
    void ReceiveSack(const FabricFrame& frame, int64_t now);

    /// A NACK has come.  @param frame the NACK  @param now the current time, in picoseconds
    void ReceiveRefusal(const FabricFrame& frame, int64_t now);

    /// Probes may be due.
    void CheckProbes();

    /// Schedule CheckProbes().  @param now the current time, in picoseconds
    void ScheduleProbes(int64_t now);

    /// Ports have changed, and probes may be answered again: the next one does not wait for the
    /// interval, which has grown.
    void ResumeProbes();

    /// A report has come: ask for the next one, if the receiver would send none. The answer may
    /// overtake packets, and then the next request follows it.
    /// @param now the current time, in picoseconds
    void AskForReport(int64_t now);

    /// Send a probe.  @param number of the probe  @param now the current time, in picoseconds
    void SendProbe(const PathChoice& path, uint8_t number, int64_t now);

    /// Fill in the header fields that all packets of the connection share.
    /// @param frame the packet, with its flags  @param dscp of the packet  @param ecn of the packet
    /// @param entropy chooses its path
    void Address(FabricFrame& frame, uint8_t dscp, EcnField ecn, uint32_t entropy) const;

    MrcRecovery* m_paths{nullptr};  //!< its recovery, if it is one of MRC
    MrcBalancer* m_evs{nullptr};    //!< its balancer, if it is one of MRC
    EventId m_probeTimer;           //!< when CheckProbes runs next
    bool m_isCutOff{false};         //!< no port of the NIC has a link: nothing is sent
    MrcFraming m_framing;           //!< headers of data, SACKs and NACKs
    MrcResponder m_responder;       //!< the half that receives data
    MrcControlPaths m_controlPaths; //!< of control packets
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_QUEUE_PAIR_H */
