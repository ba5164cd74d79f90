/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_QUEUE_PAIR_H
#define ROCE_QUEUE_PAIR_H

#include "connection.h"
#include "endpoint.h"
#include "requestor.h"
#include "responder.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/fabric-frame.h"
#include "ns3/growing-ring.h"
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
 * A reliable connection (RC) between two NICs: messages posted at one end are written, in packets,
 * into the memory of the other.
 *
 * Its halves, Requestor and Responder, know no header; it writes what they decide into frames
 * (RcFraming), gives them what frames bring, schedules their timers, and tells who waits for
 * messages. What to send next and what to accept is its LossRecovery's affair, how much and how
 * fast its CongestionControl's, and by which path its HostBalancer's.
 *
 * An acknowledgement takes the source port of the packet that it answers, so it is sprayed as the
 * data is and tells the sender which path is meant; that the packet was marked is told by the BECN
 * bit of its BTH.
 *
 * The trace sources of its congestion control (ControlTraces) take no memory and no time until
 * somebody connects to one.
 *
 * **Conservation**: packets received = accepted + discarded; accepted = packets posted by the
 * peer once all its messages have completed.
 */
class RoceQueuePair : public Endpoint
{
  public:
    /// What has happened to a queue pair so far.
    struct Counters : Requestor::Counters, Responder::Counters
    {
        uint64_t dataPackets; //!< data packets sent, the first time or again
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RoceQueuePair();
    ~RoceQueuePair() override;

    /**
     * Make another one with the same attributes, and with policies like its own. It takes a tenth
     * of the time that ns-3 needs to construct one by its attributes.
     *
     * @return another one of a queue pair that belongs to no NIC and has policies
     */
    Ptr<RoceQueuePair> Fork() const;

    /// What happens when a message has been sent and acknowledged whole: the queue pair and the
    /// message's length in bytes.
    using MessageCallback = Callback<void, Ptr<RoceQueuePair>, uint64_t>;

    /// What happens when a message has been received whole, or sent and acknowledged whole: the
    /// queue pair, the message's length in bytes, and its key.
    using KeyCallback = Callback<void, Ptr<RoceQueuePair>, uint64_t, uint32_t>;

    void Install(RoceNetDevice* nic, uint32_t number, int64_t stream) override;

    /// @param recovery how it survives loss
    void SetRecovery(Ptr<LossRecovery> recovery);

    /// @param policy when it acknowledges packets that it has accepted
    void SetAckPolicy(Ptr<AckPolicy> policy);

    /// @return when it acknowledges packets that it has accepted, or nullptr
    Ptr<AckPolicy> GetAckPolicy() const;

    /// @param control how much and how fast it sends
    void SetControl(Ptr<CongestionControl> control);

    /// @param balancer by which paths it sends
    void SetBalancer(Ptr<HostBalancer> balancer);

    /**
     * Connect to the other end, which has to be connected to this one likewise. To be called when
     * no message is pending.
     *
     * @param host the other end's host index
     * @param number the other end's queue pair number
     */
    void Connect(uint32_t host, uint32_t number);

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
     * @param received called when all of a message of the other end has come, in the order in which
     * they were posted
     */
    void SetReceiveCallback(KeyCallback received);

    /**
     * @param sent called when all of a message is acknowledged, after what PostWrite() was given
     */
    void SetSendCallback(KeyCallback sent);

    /**
     * Begin anew, as a queue pair that has just been connected: congestion control and balancer
     * start afresh, with another source port. Numbers of packets go on, as the other end expects,
     * and so do all counters. To be called when no message is pending at this end.
     */
    void Renew();

    /// @return its queue pair number
    uint32_t GetNumber() const;

    /// @return the host index of the other end
    uint32_t GetPeerHost() const;

    /// @return the queue pair number of the other end
    uint32_t GetPeerNumber() const;

    /// @return the counters
    Counters GetCounters() const;

    /// @return payload of a full packet, in bytes
    uint32_t GetMtu() const;

    /// @return how many packets a message has  @param bytes its length
    uint64_t CountPackets(uint64_t bytes) const;

    /// @return packets of all messages posted
    uint64_t GetPosted() const;

    /// @return messages posted and not acknowledged
    std::size_t GetPendingMessages() const;

    /// @return whether it has been told how to survive loss
    bool HasRecovery() const;

    /// @return how it survives loss
    const LossRecovery& GetRecovery() const;

    /// @return how much and how fast it sends, or nullptr
    Ptr<CongestionControl> GetControl() const;

    /// @return by which paths it sends, or nullptr
    Ptr<HostBalancer> GetBalancer() const;

    /// Add what its policies have counted.  @param counters where
    void CountPolicies(PolicyCounters& counters) const;

    /// Add what it has counted itself, by its name in run.json.  @param counters where
    void Count(PolicyCounters& counters) const;

    bool HasFailed() const override;

    bool CanSend() const override;
    int64_t GetNextTime() const override;
    uint8_t GetClass() const override;
    uint64_t GetTurn() const override;
    uint32_t GetPacketBytes() const override;
    std::optional<PortChoice> ChoosePort(const PortRequest& ports) override;
    void Fill(FabricFrame& frame, int64_t start) override;
    void LineRateChanged(DataRate lineRate) override;
    void PortsChanged(uint32_t local) override;
    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;
    void ForeseeArrival(const FabricFrame& frame, uint32_t step) const override;
    void ForeseeDeparture(uint32_t step) const override;
    bool IsPending() const override;
    uint64_t GetProgress() const override;
    void Describe(std::ostream& os) const override;

    /**
     * A packet is known to be lost, or its acknowledgement.
     *
     * @param psn its PSN
     * @param entropy its entropy
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

  protected:
    void DoDispose() override;

  private:
    /// Have the same attributes, and policies like those.  @param other a queue pair not in use
    RoceQueuePair(const RoceQueuePair& other);

    /// Who is to be told that a message is acknowledged.
    struct Appointment
    {
        uint64_t message{0};  //!< how many messages were posted before it
        MessageCallback done; //!< whom to tell
    };

    /// @return whether a packet asks for an acknowledgement (AckReq)  @param departure the packet,
    /// taken
    bool AsksForAck(const Requestor::Departure& departure) const;

    /// A data packet has come.  @param frame the packet  @param outbox how to answer
    void ReceiveData(const FabricFrame& frame, const Outbox& outbox);

    /// An ACK or NAK has come.  @param frame the packet  @param now the current time, in
    /// picoseconds
    void ReceiveAnswer(const FabricFrame& frame, int64_t now);

    /// The congestion control has changed by itself.
    void ControlChanged();

    /// Fill in the header fields that all packets of the connection share.
    /// @param frame the packet, with its flags  @param entropy chooses its path
    void Address(FabricFrame& frame, uint32_t entropy) const;

    /// Tell of the messages that have come whole.
    void CompleteReceived();

    /// Tell of the messages that are acknowledged whole.
    void CompleteSent();

    /// The retransmission timer may have expired.
    void CheckTimer();

    /// The retransmission timer has expired.  @param isInVain whether the queue pair is to give up
    /// @param now the current time, in picoseconds
    void ExpireTimer(bool isInVain, int64_t now);

    /// Have CheckTimer() called when the timer may expire.
    void ScheduleTimer();

    /// Report packets to the balancer whose PacketTimeout is over.
    void CheckPacketTimers();

    /// Have CheckPacketTimers() called when the next timer of a packet expires, unless it is
    /// scheduled already.
    void SchedulePacketTimer();

    // Attributes

    /// @param mtu payload of a full packet, in bytes
    void SetMtu(uint32_t mtu);

    /// @param psn PSN of the first packet
    void SetFirstPsn(uint32_t psn);

    /// @return PSN of the first packet
    uint32_t GetFirstPsn() const;

    /// @param dscp DSCP of data
    void SetDscp(uint8_t dscp);

    /// @return DSCP of data
    uint8_t GetDscp() const;

    /// @param dscp DSCP of acknowledgements
    void SetAckDscp(uint8_t dscp);

    /// @return DSCP of acknowledgements
    uint8_t GetAckDscp() const;

    /// @param timeout time without acknowledgement until the sender retransmits
    void SetAckTimeout(Time timeout);

    /// @return time without acknowledgement until the sender retransmits
    Time GetAckTimeout() const;

    /// @param timeout until a packet is reported to the balancer
    void SetPacketTimeout(Time timeout);

    /// @return time until a packet is reported to the balancer
    Time GetPacketTimeout() const;

    /// @param rearms whether each packet that is sent starts the timer anew
    void SetRearmsOnSend(bool rearms);

    /// @return whether each packet that is sent starts the timer anew
    bool RearmsOnSend() const;

    /// @param retries timeouts in a row that it survives
    void SetRetryLimit(uint32_t retries);

    /// @return timeouts in a row that it survives
    uint32_t GetRetryLimit() const;

    /// @param timeouts how many times AckTimeout it sends in vain
    void SetVainLimit(uint32_t timeouts);

    /// @return how many times AckTimeout it sends in vain
    uint32_t GetVainLimit() const;

    /// @return how it survives loss
    Ptr<LossRecovery> GetRecoveryPolicy() const;

    /// @return the trace sources of a queue pair's control  @param object the queue pair
    static ControlTraces* FindControlTraces(ObjectBase* object);

    /// @return a type with the trace sources of queue pairs  @param type the type
    static TypeId AddTraceSources(TypeId type);

    /// @return a type with the attributes that say when to retransmit  @param type the type
    static TypeId AddTimeouts(TypeId type);

    /// @return a type with the attributes of queue pairs that choose policies  @param type the type
    static TypeId AddPolicies(TypeId type);

    // In the order of use: an all-to-all has more queue pairs than caches hold. One cache line that
    // all packets need, two for receiving, three for sending and for acknowledgements.

    Connection m_connection; //!< what both halves stand on
    Responder m_responder;   //!< receives data
    KeyCallback m_received;  //!< whom to tell of received messages
    KeyCallback m_sent;      //!< whom to tell of acknowledged messages

    alignas(64) Requestor m_requestor; //!< sends data

    GrowingRing<Appointment> m_done; //!< of some acknowledged messages somebody else is told, too
    EventId m_timer;                 //!< when CheckTimer runs next
    EventId m_packetTimer;           //!< when CheckPacketTimers runs next
    uint32_t m_number{0};            //!< queue pair number
    uint16_t m_lives{0};             //!< how often it has begun anew

    TracedCallback<uint64_t> m_retransmissionTrace; //!< a packet is sent again
    TracedCallback<uint32_t> m_timeoutTrace;        //!< the retransmission timer expired
    TracedCallback<> m_failedTrace;                 //!< it has given up
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_QUEUE_PAIR_H */
