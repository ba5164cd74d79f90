/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_QUEUE_PAIR_H
#define ROCE_QUEUE_PAIR_H

#include "congestion-control.h"
#include "loss-recovery.h"
#include "packet-timers.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/fabric-frame.h"
#include "ns3/frame-source.h"
#include "ns3/growing-ring.h"
#include "ns3/host-balancer.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
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
 * It holds the state of the connection. What to send next and what to accept is its LossRecovery's
 * affair, how much and how fast its CongestionControl's, and by which path its HostBalancer's.
 *
 * An acknowledgement takes the source port of the packet that it answers, so it is sprayed as the
 * data is and tells the sender which path is meant; that the packet was marked is told by the BECN
 * bit of its BTH.
 *
 * A message is announced by the RETH of its first packet. A repair packet of an erasure code
 * (StrictRecovery) is an RDMA WRITE ONLY with the PSN of its message's first packet, and an RETH
 * with the message's length, in which the virtual address is the number of the repair packet.
 *
 * The trace sources CongestionWindow (bytes), Rate and RTT (of the acknowledgement that came)
 * follow the congestion control as those of TcpSocketBase do: with the old and the new value, 0
 * before the first. CongestionWindow and Rate fire when the value changes, RTT at each
 * acknowledgement that the congestion control gets. They take no memory and no time until somebody
 * connects to one.
 *
 * **Conservation**: packets received = accepted + discarded; accepted = packets posted by the
 * peer once all its messages have completed.
 */
class alignas(64) RoceQueuePair : public Object
{
  public:
    bool isReady{false}; //!< for the NIC: it stands in line for a port

    /// What has happened to a queue pair so far.
    struct Counters
    {
        uint64_t dataPackets{0};      //!< data packets sent, the first time or again
        uint64_t packetsAccepted{0};  //!< data packets received and placed
        uint64_t bytesAccepted{0};    //!< their payload
        uint64_t packetsDiscarded{0}; //!< data packets received and not placed
        uint64_t outOfSequence{0};    //!< data packets received with another PSN than expected
        uint32_t maxReordering{0};    //!< the most packets by which one came too early
        uint32_t messages{0};         //!< messages received whole (MSN)
        uint64_t acksSent{0};         //!< acknowledgements sent
        uint64_t naksSent{0};         //!< negative acknowledgements sent
        uint64_t retransmissions{0};  //!< of the data packets sent, those sent again
        uint64_t repairs{0};          //!< and repair packets of an erasure code
        uint64_t naksReceived{0};     //!< negative acknowledgements received (packet_seq_err)
        uint64_t timeouts{0};         //!< retransmission timer expirations (local_ack_timeout_err)
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

    /**
     * Give the queue pair its place. Called by its NIC.
     *
     * @param nic the NIC
     * @param number its queue pair number, 24 bits
     * @param stream the random stream for its policies
     */
    void Install(RoceNetDevice* nic, uint32_t number, int64_t stream);

    /// @param recovery how it survives loss
    void SetRecovery(Ptr<LossRecovery> recovery);

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
    const Counters& GetCounters() const;

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

    /// @return whether it has given up, because the retransmission timer expired too often
    bool HasFailed() const;

    // For the NIC

    /// @return whether there is a packet that window and messages allow to be sent
    bool CanSend() const;

    /// @return the earliest time at which the rate allows the next packet, in picoseconds
    int64_t GetNextTime() const
    {
        return m_nextTime;
    }

    /// @return the turn of the message that its next packet belongs to; to be called only if it can
    /// send
    uint64_t GetTurn() const;

    /// @return the turn by which OldestFirstScheduler has put it in line
    uint64_t GetPlace() const
    {
        return m_place;
    }

    /// @param turn the turn by which it is put in line
    void SetPlace(uint64_t turn)
    {
        m_place = turn;
    }

    /// The rate of the port has changed.  @param lineRate the rate
    void LineRateChanged(DataRate lineRate);

    /// @return the traffic class of its data
    uint8_t GetClass() const;

    /**
     * Make the next packet.
     *
     * @param frame where; a new frame
     * @param start when its transmission begins, in picoseconds
     */
    void FillFrame(FabricFrame& frame, int64_t start);

    /// What a packet is to a queue pair.
    enum class Use
    {
        DEPARTURE,      //!< it is to be sent
        ARRIVAL,        //!< it brings data
        ACKNOWLEDGEMENT //!< it answers
    };

    /// Get the part of the queue pair into the cache that a packet will touch.
    /// @param use what the packet is to it
    void PrefetchState(Use use) const;

    /// Get what a packet will touch of the policies into the cache, when the queue pair is there.
    /// @param use what the packet is to it
    void PrefetchPolicies(Use use) const;

    /// @return whether its packets may go by any plane
    bool TakesAnyPlane() const;

    /// @return the plane of the next packet  @param planes how many there are
    uint32_t ChoosePlane(uint32_t planes);

    /**
     * A data packet has come.
     *
     * @param frame the packet
     * @param [out] answer a new frame, to be made the answer
     * @return whether there is an answer
     */
    bool ReceiveData(const FabricFrame& frame, FabricFrame& answer);

    /**
     * An ACK or NAK has come.
     *
     * @param frame the packet
     * @param now the current time, in picoseconds
     */
    void ReceiveAck(const FabricFrame& frame, int64_t now);

    /**
     * A packet is known to be lost, or its acknowledgement.
     *
     * @param psn its PSN
     * @param sourcePort its UDP source port
     * @param now the current time, in picoseconds
     */
    void ReportLoss(uint32_t psn, uint16_t sourcePort, int64_t now);

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

    /// A message that was posted.
    struct Message
    {
        uint64_t firstPacket{0}; //!< the number of its first packet
        uint64_t turn{0};        //!< its place among the messages of the NIC
        uint32_t packets{0};     //!< how many packets it has
        uint32_t bytes{0};       //!< its length
        uint32_t unfilled{0};    //!< bytes that its last packet is short of; 0 once acknowledged
        uint32_t key{0};         //!< what the other end knows it by
    };

    /// Who is to be told that a message is acknowledged.
    struct Appointment
    {
        uint64_t message{0};  //!< how many messages were posted before it
        MessageCallback done; //!< whom to tell
    };

    /// A message of the other end that has begun to come.
    struct Arrival
    {
        uint64_t end;   //!< the number after its last packet
        uint32_t bytes; //!< its length
        uint32_t key;   //!< what it is known by
    };

    /// @return place of the message that a packet belongs to  @param number the packet's number
    uint32_t FindMessage(uint64_t number) const;

    /// Make a packet of a message.  @param frame the packet  @param message the message
    /// @param index its place in the message
    void FillPacket(FabricFrame& frame, const Message& message, uint64_t index) const;

    /// Make a repair packet of a message.  @param frame the packet  @param message the message
    /// @param repair which repair packet it is
    void FillRepair(FabricFrame& frame, const Message& message, uint64_t repair) const;

    /// @return how a packet is written  @param index its place in its message
    /// @param packets packets of the message
    static RoceOpcode WriteOpcode(uint64_t index, uint64_t packets);

    /// A message of the other end has begun to come.  @param message the message
    void Announce(const Arrival& message);

    /// Fill in the header fields that all packets of the connection share.
    /// @param frame the packet  @param sourcePort its UDP source port
    void Address(FabricFrame& frame, uint16_t sourcePort) const;

    /// Refuse packets that the other end cannot have sent.  @param number the packet's number
    /// @param psn its PSN
    void CheckNumber(int64_t number, uint32_t psn) const;

    /// Remember which path a packet takes.  @param number the packet  @param sourcePort its UDP
    /// source port
    void NotePath(uint64_t number, uint16_t sourcePort);

    /// Give a received packet to the recovery.  @param frame the packet  @param psn its PSN
    /// @return what becomes of it
    LossRecovery::Verdict Offer(const FabricFrame& frame, uint32_t psn);

    /// Note what an accepted packet says of messages.  @param frame the packet
    /// @param number the number in its PSN
    void Place(const FabricFrame& frame, uint64_t number);

    /// Tell of the messages that have come whole.
    void CompleteReceived();

    /// What an answer tells.
    struct News
    {
        LossRecovery::Feedback feedback; //!< of packets
        uint64_t bytes;                  //!< payload that it acknowledges
    };

    /// Tell the recovery what an answer tells.  @param frame the answer
    /// @return what it tells
    News Hear(const FabricFrame& frame);

    /// A packet is acknowledged. If it is the last of its message, take note of what it is short
    /// of.
    /// @param number the packet  @return by how many bytes it is shorter than a full one
    uint64_t TakeUnfilled(uint64_t number);

    /// The same for all last packets before the first that is not acknowledged.
    /// @return by how many bytes those that were not noted before are shorter than full ones
    uint64_t TakeUnfilled();

    /// Tell of the messages that are acknowledged whole.
    void CompleteSent();

    /// Take window and rate from the congestion control.
    void UpdateControl();

    /// @param mtu payload of a full packet, in bytes
    void SetMtu(uint32_t mtu);

    /// @param psn PSN of the first packet
    void SetFirstPsn(uint32_t psn);

    /// @return PSN of the first packet
    uint32_t GetFirstPsn() const;

    /// The retransmission timer may have expired.
    void CheckTimer();

    /// Take packets for lost whose own timers have run out.  @param now the current time, in
    /// picoseconds
    /// @return whether there were any
    bool ExpirePackets(int64_t now);

    /// Have CheckTimer() called.  @param due when, in picoseconds, unless the timer of a packet
    /// runs out before
    void ScheduleTimer(int64_t due);

    /// Report packets to the balancer whose PacketTimeout is over.
    void CheckPacketTimers();

    /// Have CheckPacketTimers() called when the next timer of a packet expires, unless it is
    /// scheduled already.
    void SchedulePacketTimer();

    /// The retransmission timer has expired.  @param now the current time, in picoseconds
    /// @param inVain whether the queue pair is to give up
    void Expire(int64_t now, bool inVain);

    /// Trace sources of the congestion control, with the values that they had last.
    struct ControlTraces
    {
        TracedCallback<uint64_t, uint64_t> window; //!< the window changed, in bytes
        TracedCallback<DataRate, DataRate> rate;   //!< the rate changed
        TracedCallback<Time, Time> rtt;            //!< an acknowledgement came
        uint64_t lastWindow{0};                    //!< in bytes
        DataRate lastRate{0};                      //!< that was set
        Time lastRtt;                              //!< of the last acknowledgement
    };

    template <typename T>
    class ControlTraceAccessor;

    /// Fire the trace sources of window and rate.
    void TraceControl();

    /// Fire the trace source of round trips.  @param rtt between a packet and its acknowledgement,
    /// in picoseconds
    void TraceRtt(int64_t rtt);

    /// @return a type with the trace sources of the congestion control  @param type the type
    static TypeId AddControlTraces(TypeId type);

    /// @return a type with the trace sources of queue pairs  @param type the type
    static TypeId AddTraceSources(TypeId type);

    /// @return a type with the attributes of queue pairs that choose policies  @param type the type
    static TypeId AddPolicies(TypeId type);

    // In the order of use: an all-to-all has more queue pairs than caches hold. One cache line that
    // all packets need, three for sending and for acknowledgements, two for receiving.

    bool m_failed{false};          //!< given up
    uint8_t m_dscp{26};            //!< DSCP of data
    uint8_t m_ackDscp{26};         //!< DSCP of acknowledgements
    bool m_isTraced{false};        //!< somebody observes m_controlTraces
    RoceNetDevice* m_nic{nullptr}; //!< the NIC
    Ptr<LossRecovery> m_recovery;  //!< how it survives loss
    uint32_t m_peerHost{0};        //!< the other end's host index
    uint32_t m_peerNumber{0};      //!< the other end's queue pair number
    uint32_t m_firstPsn{0};        //!< PSN of packet number 0
    uint16_t m_mtu{4096};          //!< payload bytes of a full packet
    bool m_rearmsOnSend{false};    //!< each packet sent starts the timer anew
    bool m_timesPackets{false};    //!< there are m_packetTimers

    Ptr<CongestionControl> m_control; //!< how much and how fast it sends
    Ptr<HostBalancer> m_balancer;     //!< by which paths it sends
    int64_t m_stepsPerByte{0};        //!< pacing: time a byte, times 2^16; 0: none
    int64_t m_nextTime{0};            //!< the earliest start of the next packet, in picoseconds
    uint64_t m_posted{0};             //!< packets of all messages posted
    int64_t m_progressAt{0};          //!< when something was acknowledged last, in picoseconds
    int64_t m_triedSince{NEVER};      //!< first start of the first missing packet since then
    uint32_t m_window{0};             //!< packets that may be unacknowledged
    uint32_t m_retries{0};            //!< timeouts in a row

    GrowingRing<Message, 1> m_messages; //!< messages not acknowledged, the oldest first
    uint64_t m_pathsFirst{0};         //!< the first packet in the next: all before are acknowledged
    GrowingRing<uint16_t, 8> m_paths; //!< UDP source port of each packet that was sent last
    uint64_t m_sentMessages{0};       //!< messages acknowledged whole
    uint64_t m_heardMessages{0};      //!< messages that the other end says to have got whole

    Counters m_counters;                //!< what has happened: first of sending, then of receiving
    GrowingRing<Arrival, 1> m_arrivals; //!< messages that have begun to come, by number

    KeyCallback m_received;          //!< whom to tell of received messages
    KeyCallback m_sent;              //!< whom to tell of acknowledged messages
    GrowingRing<Appointment> m_done; //!< and of some of them somebody else
    Time m_ackTimeout;               //!< time without progress until retransmission
    uint32_t m_retryLimit{0};        //!< timeouts in a row until it gives up
    uint32_t m_vainLimit{0};         //!< timeouts without news until it fails
    EventId m_timer;                 //!< when CheckTimer runs next
    Time m_packetTimeout;            //!< until a packet is reported to the balancer; 0: never
    EventId m_packetTimer;           //!< when CheckPacketTimers runs next
    std::unique_ptr<PacketTimers> m_packetTimers; //!< of the packets sent and not acknowledged
    int64_t m_stream{-1};                         //!< the random stream of its balancer
    uint32_t m_number{0};                         //!< queue pair number
    uint16_t m_lives{0};                          //!< how often it has begun anew
    uint64_t m_place{0};                          //!< turn by which it was put in line

    TracedCallback<uint64_t> m_retransmissionTrace; //!< a packet is sent again
    TracedCallback<uint32_t> m_timeoutTrace;        //!< the retransmission timer expired
    TracedCallback<> m_failedTrace;                 //!< it has given up
    std::unique_ptr<ControlTraces> m_controlTraces; //!< once somebody connects to them
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_QUEUE_PAIR_H */
