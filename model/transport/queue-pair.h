/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_PAIR_H
#define QUEUE_PAIR_H

#include "connection.h"
#include "message-completions.h"
#include "queue-pair-counters.h"
#include "requestor.h"
#include "responder.h"
#include "transport-traits.h"

#include "ns3/data-rate.h"
#include "ns3/endpoint.h"
#include "ns3/event-id.h"
#include "ns3/fabric-frame.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

class RoceNetDevice;

/**
 * @ingroup ai-fabric
 *
 * One end of a reliable connection between two NICs: messages posted at one end are written, in
 * packets, into the memory of the other.
 *
 * Its halves, Requestor and Responder, know no header. LossRecovery selects the next packet and
 * decides what to accept, CongestionControl sets window and rate, HostBalancer the path. This class
 * contains the halves, schedules their timers, and invokes the callbacks of messages. A subclass is
 * a transport (RcQueuePair, SprayQueuePair): it writes what the halves decide into frames, and
 * gives them what frames bring.
 *
 * The trace sources of its congestion control (ControlTraces) take no memory and no time until
 * a sink connects to one.
 *
 * **Conservation**: packets received = accepted + discarded; accepted = packets posted by the
 * peer once all its messages have completed.
 */
class QueuePair : public Endpoint
{
  public:
    /// What has happened to a queue pair so far.
    using Counters = QueuePairCounters;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    QueuePair();
    ~QueuePair() override;

    /**
     * Make another one with the same attributes, and with policies like its own. It takes a tenth
     * of the time that ns-3 needs to construct one by its attributes.
     *
     * @return another one of a queue pair that belongs to no NIC and has policies
     */
    Ptr<QueuePair> Fork() const;

    /// What happens when a message has been sent and acknowledged whole: the queue pair and the
    /// message's length in bytes.
    using MessageCallback = MessageCompletions::MessageCallback;

    /// What happens when a message has been received whole, or sent and acknowledged whole: the
    /// queue pair, the message's length in bytes, and its key.
    using KeyCallback = MessageCompletions::KeyCallback;

    /// @return what it offers to policies, and which it usually has; here, nothing and any
    virtual TransportTraits GetTraits() const;

    /// @return the time without progress after which it fails, none if it never does
    /// @param timeout AckTimeout
    /// @param backsOff whether its recovery doubles timeouts (RecoveryTraits::backsOff)
    std::optional<Time> GetRetryBudget(Time timeout, bool backsOff) const;

    /// @return bytes of a full packet on the wire that is not the first of its message
    /// @param nic the NIC that sends it
    virtual uint32_t GetPacketBytes(const RoceNetDevice& nic) const = 0;

    /// @return bytes of an acknowledgement on the wire  @param nic the NIC that sends it
    virtual uint32_t GetAckBytes(const RoceNetDevice& nic) const = 0;

    uint32_t GetPacketBytes() const override;

    void Install(EndpointNic* nic, uint32_t number, int64_t stream) override;

    /// @param recovery how it survives loss
    void SetRecovery(Ptr<LossRecovery> recovery)
    {
        m_connection.recovery = recovery;
    }

    /// @param policy when it acknowledges packets that it has accepted
    void SetAckPolicy(Ptr<AckPolicy> policy)
    {
        m_responder.SetAckPolicy(policy);
    }

    /// @return when it acknowledges packets that it has accepted, or nullptr
    Ptr<AckPolicy> GetAckPolicy() const
    {
        return m_responder.GetAckPolicy();
    }

    /// @param control how much and how fast it sends
    void SetControl(Ptr<CongestionControl> control)
    {
        m_requestor.GetSendWindow().SetControl(control);
    }

    /// @param balancer by which paths it sends
    void SetBalancer(Ptr<HostBalancer> balancer)
    {
        m_requestor.GetPaths().SetBalancer(balancer);
    }

    /**
     * Connect to the other end, which has to be connected to this one likewise. To be called when
     * no message is pending.
     *
     * @param host the other end's host index
     * @param number the other end's queue pair number
     */
    void Connect(uint32_t host, uint32_t number);

    /// Send if that is possible now: other queue pairs have changed what it may send.
    void Wake();

    /**
     * Post a message: an RDMA write. Messages are sent in the order in which they are posted. If
     * the queue pair has failed or fails before the end, they are never done (trace source Failed).
     *
     * @param bytes its length in bytes; 0 is a message too
     * @param done called when all of it is acknowledged; may be null
     * @param key what the other end knows the message by: the remote key of the RETH, which in RDMA
     * names the memory that is written
     * @param turn its place among the messages of the NIC (RoceNetDevice::TakeTurn()), if it was
     * taken before, as of pieces that belong together; else it is taken now
     */
    void PostWrite(uint64_t bytes,
                   MessageCallback done = MessageCallback(),
                   uint32_t key = 0,
                   std::optional<uint64_t> turn = std::nullopt);

    /**
     * Ask the other end for data: a message without a byte, whose receiver posts a write of the
     * data with the same key. For queue pairs with SetReads().
     *
     * @param bytes what is asked for, at least 1
     * @param key what the other end knows the read by  @param turn as above
     */
    void PostReadRequest(uint32_t bytes, uint32_t key, uint64_t turn);

    /**
     * @param received called when all of a message of the other end has come, in the order in which
     * they were posted
     */
    void SetReceiveCallback(KeyCallback received)
    {
        m_completions.SetReceiveCallback(received);
    }

    /**
     * @param sent called when all of a message is acknowledged, after what PostWrite() was given
     */
    void SetSendCallback(KeyCallback sent)
    {
        m_completions.SetSendCallback(sent);
    }

    /**
     * Begin anew, as a queue pair that has just been connected: congestion control and balancer
     * start afresh, with another source port. Numbers of packets go on, as the other end expects,
     * and so do all counters. To be called when no message is pending at this end.
     */
    void Renew();

    /**
     * Give up all that is pending, because its user has gone: it sends no more data, and counts as
     * idle. It has not failed by itself (trace source Failed does not fire). It invokes no
     * callbacks; the caller clears them (SetReceiveCallback(), SetSendCallback()).
     */
    void Abort();

    /// @return whether it has failed by itself, and not because of Abort()
    bool HasGivenUp() const
    {
        return HasFailed() && (!m_isAborted || m_hasGivenUp);
    }

    /// @return its queue pair number
    uint32_t GetNumber() const
    {
        return m_number;
    }

    /// @return the host index of the other end
    uint32_t GetPeerHost() const
    {
        return m_connection.peerHost;
    }

    /// @return the queue pair number of the other end
    uint32_t GetPeerNumber() const
    {
        return m_connection.peerNumber;
    }

    /// @return the counters
    Counters GetCounters() const;

    /// @return payload of a full packet, in bytes
    uint32_t GetMtu() const
    {
        return m_connection.mtu;
    }

    /// @return how many packets a message has  @param bytes its length
    uint64_t CountPackets(uint64_t bytes) const
    {
        return m_connection.CountPackets(bytes);
    }

    /// @return packets of all messages posted
    uint64_t GetPosted() const
    {
        return m_requestor.GetPosted();
    }

    /// @return messages posted and not acknowledged
    std::size_t GetPendingMessages() const
    {
        return m_requestor.GetLedger().GetPending();
    }

    /// @return whether it has a loss recovery
    bool HasRecovery() const
    {
        return m_connection.recovery != nullptr;
    }

    /// @return how it survives loss
    const LossRecovery& GetRecovery() const
    {
        return *m_connection.recovery;
    }

    /// @return how much and how fast it sends, or nullptr
    Ptr<CongestionControl> GetControl() const
    {
        return m_requestor.GetSendWindow().GetControl();
    }

    /// @return by which paths it sends, or nullptr
    Ptr<HostBalancer> GetBalancer() const
    {
        return m_requestor.GetPaths().GetBalancer();
    }

    /// Add what its policies have counted.  @param counters where
    virtual void CountPolicies(PolicyCounters& counters) const;

    /// Add what it has counted itself, by its name in run.json.  @param counters where
    void Count(PolicyCounters& counters) const
    {
        GetCounters().Count(counters);
    }

    bool HasFailed() const override
    {
        return m_requestor.HasFailed();
    }

    bool CanSend() const override
    {
        return m_requestor.CanSend(*m_connection.recovery);
    }

    bool TakeMoved() override;

    int64_t GetNextTime() const override
    {
        return m_requestor.GetNextTime();
    }

    uint8_t GetClass() const override
    {
        return m_connection.GetClass();
    }

    uint64_t GetTurn() const override
    {
        return m_requestor.GetLedger().Find(m_connection.recovery->GetNext()).turn;
    }

    std::optional<PortChoice> ChoosePort(const PortRequest& ports) override
    {
        return m_requestor.ChoosePort(ports, m_connection);
    }

    void LineRateChanged(DataRate lineRate) override
    {
        m_requestor.GetSendWindow().LineRateChanged(lineRate, m_connection);
    }

    void PortsChanged(uint32_t local) override
    {
        m_requestor.GetPaths().PortsChanged(local, m_connection);
    }

    void PrefetchDeparture(uint32_t step) const override;

    bool IsPending() const override
    {
        return GetPendingMessages() > 0 && !m_isAborted;
    }

    uint64_t GetProgress() const override
    {
        return m_connection.recovery->GetUnacknowledged();
    }

    void Describe(std::ostream& os) const override
    {
        m_requestor.Describe(os, m_connection);
    }

    /**
     * A packet is known to be lost, or its acknowledgement.
     *
     * @param now the current time, in picoseconds
     */
    void ReportLoss(uint32_t psn, uint32_t entropy, int64_t now);

    /**
     * Signature of the Retransmission trace source.
     *
     * @param number the packet's number
     */
    typedef void (*RetransmissionTracedCallback)(uint64_t number);

    /**
     * Signature of the Timeout trace source.
     *
     * @param retries how often in a row the timer has expired
     */
    typedef void (*TimeoutTracedCallback)(uint32_t retries);

    /// Signature of the Failed trace source.
    typedef void (*FailedTracedCallback)();

    // Attributes: all transports have them (QueuePairAttributes)

    /// @param mtu payload of a full packet, in bytes
    void SetMtu(uint32_t mtu);

    /// @param psn PSN of the first packet
    void SetFirstPsn(uint32_t psn);

    /// @return PSN of the first packet
    uint32_t GetFirstPsn() const
    {
        return m_connection.firstPsn;
    }

    /// @param immediate whether the last packet of a write has immediate data (RcQueuePair)
    void SetImmediate(bool immediate)
    {
        m_connection.immediate = immediate;
    }

    /// @return whether the last packet of a write has immediate data
    bool HasImmediate() const
    {
        return m_connection.immediate;
    }

    /// @param reads whether all its messages are requests of reads, and what answers them
    /// (TransportTraits::carriesReads)
    void SetReads(bool reads)
    {
        m_connection.reads = reads;
    }

    /// @param dscp DSCP of data
    void SetDscp(uint8_t dscp)
    {
        m_connection.dscp = dscp;
        UpdateClass();
    }

    /// @return DSCP of data
    uint8_t GetDscp() const
    {
        return m_connection.dscp;
    }

    /// @param dscp DSCP of acknowledgements
    void SetAckDscp(uint8_t dscp)
    {
        m_connection.ackDscp = dscp;
    }

    /// @return DSCP of acknowledgements
    uint8_t GetAckDscp() const
    {
        return m_connection.ackDscp;
    }

    /// @param timeout time without acknowledgement until the sender retransmits
    void SetAckTimeout(Time timeout)
    {
        m_requestor.limits.timeout = timeout.GetPicoSeconds();
    }

    /// @return time without acknowledgement until the sender retransmits
    Time GetAckTimeout() const
    {
        return PicoSeconds(m_requestor.limits.timeout);
    }

    /// @param timeout until a packet is reported to the balancer
    void SetPacketTimeout(Time timeout)
    {
        m_requestor.GetPaths().packetTimeout = timeout.GetPicoSeconds();
    }

    /// @return time until a packet is reported to the balancer
    Time GetPacketTimeout() const
    {
        return PicoSeconds(m_requestor.GetPaths().packetTimeout);
    }

    /// @param rearms whether each packet that is sent starts the timer anew
    void SetRearmsOnSend(bool rearms)
    {
        m_requestor.SetRearmsOnSend(rearms);
    }

    /// @return whether each packet that is sent starts the timer anew
    bool RearmsOnSend() const
    {
        return m_requestor.RearmsOnSend();
    }

    /// @param deaggregates whether an acknowledgement reports to the balancer each packet that it
    /// covers
    void SetDeaggregatesAcks(bool deaggregates)
    {
        m_requestor.GetPaths().deaggregatesAcks = deaggregates;
    }

    /// @return whether an acknowledgement reports to the balancer each packet that it covers
    bool DeaggregatesAcks() const
    {
        return m_requestor.GetPaths().deaggregatesAcks;
    }

    /// @param retries timeouts in a row that it survives
    void SetRetryLimit(uint32_t retries)
    {
        m_requestor.limits.retries = retries;
    }

    /// @return timeouts in a row that it survives
    uint32_t GetRetryLimit() const
    {
        return m_requestor.limits.retries;
    }

    /// @param time without progress that it survives
    void SetRetryTime(Time time)
    {
        m_requestor.limits.least = time.GetPicoSeconds();
    }

    /// @return time without progress that it survives
    Time GetRetryTime() const
    {
        return PicoSeconds(m_requestor.limits.least);
    }

    /// @return how it survives loss
    Ptr<LossRecovery> GetRecoveryPolicy() const
    {
        return m_connection.recovery;
    }

  protected:
    /// Have the same attributes, and policies like those.  @param other a queue pair not in use
    QueuePair(const QueuePair& other);

    void DoDispose() override;

    /// @return how long and how often it retries, as its attributes say
    virtual RetransmissionLimits GetLimits() const;

    /// @return another one with the same attributes, and with policies like its own
    virtual Ptr<QueuePair> DoFork() const = 0;

    /// @return bytes of the longest IP packet that it sends
    virtual uint32_t GetMostIpBytes(const RoceNetDevice& nic) const = 0;

    /// @return the state shared by requestor and responder
    const Connection& GetConnection() const
    {
        return m_connection;
    }

    /// @return the half that receives data
    Responder& GetResponder()
    {
        return m_responder;
    }

    /// @return the half that sends data
    Requestor& GetRequestor()
    {
        return m_requestor;
    }

    /// Give up: the other end does not serve it any more.
    void Fail();

    /// A message was posted, and no other one was pending; nothing happens here.
    virtual void WorkBegins()
    {
    }

    /// All messages are acknowledged; nothing happens here.
    virtual void AllAcknowledged()
    {
    }

    /// Take the next packet, which counts as sent.  @param start when its transmission begins, in
    /// picoseconds  @return the packet
    Requestor::Departure TakeNext(int64_t start)
    {
        return m_requestor.TakeNext(start, m_connection);
    }

    /// The frame of a packet is complete.  @param departure the packet
    /// @param start when its transmission begins, in picoseconds  @param bytes on the wire
    void PacketFilled(const Requestor::Departure& departure, int64_t start, uint32_t bytes);

    /// @return whether a packet asks for an acknowledgement  @param departure the packet, taken
    bool AsksForAck(const Requestor::Departure& departure) const;

    /// A frame will come soon: get what it will touch into the cache.
    /// @param isReport whether it reports on data  @param step 1: of the queue pair, 2: of what it
    /// points to
    void PrefetchState(bool isReport, uint32_t step) const;

    /// A data packet has come.  @param arrival the packet  @return how to answer
    ReceivingEnd::Verdict ReceivePacket(const Responder::Arrival& arrival);

    /// The other end acknowledges packets.  @param now the current time, in picoseconds
    void ReceiveAck(const AckReport& report, int64_t now);

    /// The other end refuses a packet.  @param now the current time, in picoseconds
    void ReceiveNack(const NackReport& report, int64_t now);

    /// A congestion notification packet has come.  @param now the current time, in picoseconds
    void ReceiveCnp(int64_t now);

    /// The other end gives credit.  @param credit all that it has given, in bytes
    /// @param now the current time, in picoseconds
    void ReceiveCredit(uint64_t credit, int64_t now);

    /// Messages are posted, or packets are lost: ask for credit if it cannot send without. Nothing
    /// here.  @param isUrgent the timer has expired, so that an earlier request may be lost
    /// @param now the current time, in picoseconds
    virtual void AskForCredit([[maybe_unused]] bool isUrgent, [[maybe_unused]] int64_t now)
    {
    }

  private:
    friend class QueuePairAttributes; // trace sources

    /// Post a message.  @param asked bytes of a read that it asks for
    void Post(uint32_t bytes, uint32_t key, uint64_t turn, uint32_t asked);

    /// Look up the class of data, once the NIC is known.
    void UpdateClass();

    /// The congestion control has changed by itself.
    void ControlChanged();

    /// Invoke the callback of each completely received message.
    void CompleteReceived();

    /// Invoke the callbacks of each completely acknowledged message.
    void CompleteSent();

    /// The retransmission timer may have expired.
    void CheckTimer();

    /// The retransmission timer has expired.  @param isInVain whether the queue pair is to give up
    /// @param now the current time, in picoseconds
    void ExpireTimer(bool isInVain, int64_t now);

    /// Have CheckTimer() called when the timer may expire.
    void ScheduleTimer();

    /// Do so anew, if it is scheduled: the timeout is shorter than it was.
    void RescheduleTimer();

    // In the order of use: an all-to-all has more queue pairs than caches hold. One cache line that
    // all packets need, two for receiving, three for sending and for acknowledgements.

    Connection m_connection;          //!< the state shared by both halves
    Responder m_responder;            //!< receives data
    MessageCompletions m_completions; //!< who is called for complete messages
    EventId m_timer;                  //!< when CheckTimer runs next
    uint32_t m_number{0};             //!< queue pair number
    uint16_t m_lives{0};              //!< how often it has begun anew
    bool m_isAborted{false};          //!< its user has gone
    bool m_hasGivenUp{false};         //!< it had failed by itself before that

    alignas(64) Requestor m_requestor; //!< sends data

    TracedCallback<uint64_t> m_retransmissionTrace; //!< a packet is sent again
    TracedCallback<uint32_t> m_timeoutTrace;        //!< the retransmission timer expired
    TracedCallback<> m_failedTrace;                 //!< it has given up
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_PAIR_H */
