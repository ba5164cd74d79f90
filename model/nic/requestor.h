/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REQUESTOR_H
#define REQUESTOR_H

#include "ack-deaggregator.h"
#include "ack-report.h"
#include "congestion-control.h"
#include "connection.h"
#include "control-traces.h"
#include "endpoint.h"
#include "message-ledger.h"
#include "packet-timers.h"
#include "path-log.h"
#include "retransmission-timer.h"

#include "ns3/host-balancer.h"
#include "ns3/policy-counters.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

class SharedControl;

/**
 * @ingroup ai-fabric
 *
 * The half of a queue pair that sends data: it keeps the ledger of posted messages and the paths of
 * packets under way, asks the recovery what to send next, the congestion control how much and how
 * fast, and the host balancer by which path, and tells them what the reports of the other end mean.
 * No header is known here. Times are in picoseconds.
 *
 * Its members are in the order of use, because an all-to-all has more queue pairs than caches hold:
 * three cache lines for what is sent and acknowledged, and then what is seldom needed.
 */
class Requestor
{
  public:
    /// What has happened to it so far.
    struct Counters
    {
        uint64_t retransmissions{0}; //!< packets sent again
        uint64_t repairs{0};         //!< repair packets of an erasure code sent
        uint64_t naksReceived{0};    //!< negative acknowledgements received (packet_seq_err)
        uint64_t timeouts{0};        //!< expirations of the timer (local_ack_timeout_err)
    };

    /// A packet to be made.
    struct Departure
    {
        uint64_t number;              //!< its number; of a repair packet, of its message's first
        uint64_t repair;              //!< which repair packet it is; 0: none
        const PostedMessage* message; //!< its message
        uint32_t entropy;             //!< of its path
        bool isAgain;                 //!< it was sent before
    };

    Requestor();
    ~Requestor();

    /// One with the same attributes and policies like its own.  @param other not in use
    Requestor(const Requestor& other);

    /// The queue pair gets its place.  @param connection the connection
    /// @param stream the random stream of the balancer
    void Start(const Connection& connection, int64_t stream);

    /// The other end is known.  @param connection the connection
    /// @param sourcePort the UDP source port of an ordinary NIC
    void Connect(const Connection& connection, uint16_t sourcePort);

    /// Begin anew: congestion control and balancer forget; numbers of packets go on.
    /// @param connection the connection  @param sourcePort the UDP source port of an ordinary NIC
    void Renew(const Connection& connection, uint16_t sourcePort);

    /// A message is posted.  @param bytes its length  @param key what the other end knows it by
    /// @param turn its place among the messages of the NIC  @param connection the connection
    void Post(uint32_t bytes, uint32_t key, uint64_t turn, const Connection& connection);

    /// @return whether there is a packet that window and messages allow to be sent
    /// @param recovery of the queue pair
    bool CanSend(const LossRecovery& recovery) const
    {
        return m_isOrdinary ? recovery.HasNext(m_posted) && recovery.GetOutstanding() < m_window
                            : CanSendSpecially(recovery);
    }

    /// @return whether there is a packet to be sent, and credit alone is missing
    /// @param recovery of the queue pair
    bool IsStarved(const LossRecovery& recovery) const;

    /// @return the earliest time at which the rate allows the next packet
    int64_t GetNextTime() const
    {
        return m_nextTime;
    }

    /// Choose the port of the next packet; to be called only if it can send.
    /// @param ports the ports  @param connection the connection
    /// @return the port; none: no path is fit
    std::optional<PortChoice> ChoosePort(const PortRequest& ports, const Connection& connection);

    /// Take the next packet, which counts as sent; to be called only if it can send.
    /// @param start when its transmission begins  @param connection the connection
    /// @return the packet
    Departure TakeNext(int64_t start, const Connection& connection);

    /// A packet was made: the rate allows the next one later.  @param start of its transmission
    /// @param bytes on the wire, with the gap
    void Charge(int64_t start, uint32_t bytes);

    /// Packets have come.  @param report what is told  @param connection the connection
    /// @param now the current time
    /// @return whether any are acknowledged for the first time
    bool AckReceived(const AckReport& report, const Connection& connection, int64_t now);

    /// A packet was refused.  @param report what is told  @param connection the connection
    /// @param now the current time
    /// @return whether other packets are acknowledged for the first time
    bool NackReceived(const NackReport& report, const Connection& connection, int64_t now);

    /// Somebody who knows says that a packet or its acknowledgement was lost.
    /// @param psn the packet, counted from the first one, 24 bits  @param entropy of its path
    /// @param connection the connection  @param now the current time
    void LossReported(uint32_t psn, uint32_t entropy, const Connection& connection, int64_t now);

    /// The receiver gives credit.  @param credit all that it has given, in bytes
    /// @param connection the connection  @param now the current time
    void CreditReceived(uint64_t credit, const Connection& connection, int64_t now);

    /// @return what to announce to a receiver that gives credit  @param connection the connection
    CreditDemand GetDemand(const Connection& connection) const;

    /// A congestion notification packet has come.  @param connection the connection
    /// @param now the current time
    void CnpReceived(const Connection& connection, int64_t now);

    /// @return a message that is acknowledged whole and leaves the ledger; none: no more
    /// @param acknowledged the first packet that is not acknowledged
    /// @param connection the connection
    std::optional<PostedMessage> TakeCompleted(uint64_t acknowledged, const Connection& connection);

    /// Packets are acknowledged.  @param acknowledged the first that is not
    void ForgetBefore(uint64_t acknowledged)
    {
        m_paths.ForgetBefore(acknowledged);
    }

    /// The rate of the port has changed.  @param lineRate the rate  @param connection the
    /// connection
    void LineRateChanged(DataRate lineRate, const Connection& connection);

    /// The congestion control has changed by itself.  @param connection the connection
    void ControlChanged(const Connection& connection);

    /// Ports of the NIC have failed or work again.  @param local bit p set: port p has a link
    void PortsChanged(uint32_t local);

    // Timers: the queue pair schedules them

    /// What the retransmission timer finds.
    struct TimerCheck
    {
        bool hasExpired; //!< nothing was acknowledged in time, or it sends in vain
        bool isInVain;   //!< the first missing packet was sent again and again for too long
        bool hasLost;    //!< packets are lost by timers of their own
    };

    /// Messages wait that did not.  @param now the current time
    void StartTimer(int64_t now)
    {
        m_timer.Restart(now);
    }

    /// @return what the retransmission timer finds  @param connection the connection
    /// @param now the current time
    TimerCheck CheckTimer(const Connection& connection, int64_t now);

    /// The timer has expired: count it.  @param isInVain what CheckTimer() found
    /// @param now the current time  @return how often in a row
    uint32_t CountTimeout(bool isInVain, int64_t now);

    /// The timer has expired, and the queue pair goes on.  @param connection the connection
    /// @param now the current time
    void TimerExpired(const Connection& connection, int64_t now);

    /// @return when CheckTimer() is to be called next  @param recovery of the queue pair
    int64_t GetTimerDue(const LossRecovery& recovery) const;

    /// @return when CheckPacketTimers() is to be called next; NEVER: not at all
    int64_t GetPacketTimerDue() const;

    /// Report packets to the balancer whose own timers have run out.  @param now the current time
    void CheckPacketTimers(int64_t now);

    /// @return when a probe is due if nothing is acknowledged until then; NEVER: not at all
    /// @param recovery of the queue pair
    int64_t GetProbeDue(const LossRecovery& recovery) const;

    /// @return when GetProbeDue() is to be compared with the time next; NEVER: not at all
    /// @param recovery of the queue pair  @param now the current time
    int64_t GetProbeCheck(const LossRecovery& recovery, int64_t now) const;

    /// @return whether the next packet schedules a check whether a probe is due
    bool StartsProbe() const
    {
        return m_startsProbe;
    }

    /// @param starts whether the next packet schedules a check whether a probe is due
    void SetStartsProbe(bool starts)
    {
        m_startsProbe = starts;
    }

    /// @return the path of the packet before, which a probe takes, too: a path of its own would
    /// change the turns of the balancer's paths
    const PathChoice& GetLastPath() const
    {
        return m_path;
    }

    /// @return whether expirations have doubled the timeout, so that an acknowledgement shortens it
    bool HasBackedOff() const
    {
        return m_timer.HasBackedOff();
    }

    // State

    /// @return packets that may be unacknowledged
    uint64_t GetWindow() const
    {
        return m_window;
    }

    /// @return whether packets have timers of their own
    bool TimesPackets() const
    {
        return m_timesPackets;
    }

    /// @return whether it has given up, because the timer expired too often
    bool HasFailed() const
    {
        return m_failed;
    }

    /// @return packets of all messages posted
    uint64_t GetPosted() const
    {
        return m_posted;
    }

    /// @return the messages that are not acknowledged
    const MessageLedger& GetLedger() const
    {
        return m_ledger;
    }

    /// @return what has happened so far
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return how much and how fast it sends
    const Ptr<CongestionControl>& GetControl() const
    {
        return m_control;
    }

    /// @param control how much and how fast it sends
    void SetControl(Ptr<CongestionControl> control);

    /// Have the control of all queue pairs to the same host in place of its own.
    /// @param shared the control  @param connection the connection
    void Share(Ptr<SharedControl> shared, const Connection& connection);

    /// @return the control that it shares, or nullptr
    const Ptr<SharedControl>& GetShared() const
    {
        return m_shared;
    }

    /// @param rearms whether each packet that is sent starts the timer anew
    void SetRearmsOnSend(bool rearms)
    {
        m_timer.SetRearmsOnSend(rearms);
    }

    /// @return whether each packet that is sent starts the timer anew
    bool RearmsOnSend() const
    {
        return m_timer.RearmsOnSend();
    }

    /// @param deaggregates whether the balancer is told of each packet that is acknowledged; to be
    /// called before Start()
    void SetDeaggregatesAcks(bool deaggregates)
    {
        m_deaggregates = deaggregates;
    }

    /// @return whether the balancer is told of each packet that is acknowledged
    bool DeaggregatesAcks() const
    {
        return m_deaggregates;
    }

    /// @return by which paths it sends
    const Ptr<HostBalancer>& GetBalancer() const
    {
        return m_balancer;
    }

    /// @param balancer by which paths it sends
    void SetBalancer(Ptr<HostBalancer> balancer);

    /// @return the trace sources of the congestion control, made if need be
    ControlTraces& ObserveControl();

    /// Add what its policies have counted.  @param counters where
    /// @param countsControl whether its control is among them
    void Count(PolicyCounters& counters, bool countsControl) const;

    /// Get what a packet or its acknowledgement will touch into the cache.
    void Prefetch() const
    {
        __builtin_prefetch(&m_control, 1);
        m_ledger.Prefetch();
        __builtin_prefetch(&m_paths, 1);
    }

    /// Forget all: the simulation ends.
    void Dispose();

  private:
    /// What a report acknowledges.
    struct News
    {
        LossRecovery::Feedback feedback; //!< of packets
        uint64_t bytes{0};               //!< payload that it acknowledges
    };

    /// A probe is answered.  @param report the answer  @param connection the connection
    /// @param now the current time  @param [in,out] lost packets that are lost
    void AnswerProbe(const AckReport& report,
                     const Connection& connection,
                     int64_t now,
                     std::vector<uint64_t>& lost);

    /// Take what a report acknowledges out of the ledger.  @param feedback what the recovery made
    /// of it
    /// @param last the last packet that it acknowledges  @param msn messages that have come whole
    /// @param connection the connection
    /// @return all that it acknowledges
    News UpdateLedger(LossRecovery::Feedback feedback,
                      uint64_t last,
                      uint32_t msn,
                      const Connection& connection);

    /// Stop the timers of acknowledged packets.  @param report what is told
    /// @param recovery of the queue pair
    void StopPacketTimers(const ResponderReport& report, const LossRecovery& recovery);

    /// Tell the balancer of the packet that triggered a report and, with DeaggregatesAcks(), of the
    /// others that the report acknowledges.  @param report what is told  @param trigger the packet
    /// @param recovery of the queue pair  @param now the time
    void ReportPaths(const AckReport& report,
                     uint64_t trigger,
                     const LossRecovery& recovery,
                     int64_t now);

    /// Tell the balancer of packets that have come without a mark.  @param numbers the packets
    /// @param now the time
    void ReportGood(const std::vector<uint64_t>& numbers, int64_t now);

    /// Tell the congestion control of acknowledged bytes.  @param bytes how many
    /// @param report what is told  @param now the current time
    /// @return whether window or rate may have changed
    bool Acknowledge(uint64_t bytes, const AckReport& report, int64_t now);

    /// Tell control and balancer of lost packets.  @param lost the packets
    /// @param reason how that was found out  @param mtu payload of a full packet, in bytes
    /// @param now the time  @param sentAt start of the transmission, if it was refused
    void ReportLost(const std::vector<uint64_t>& lost,
                    LossReason reason,
                    uint32_t mtu,
                    int64_t now,
                    int64_t sentAt = 0);

    /// @return CanSend() if it has failed, needs credit, or shares its control
    /// @param recovery of the queue pair
    bool CanSendSpecially(const LossRecovery& recovery) const;

    /// Note whether CanSend() is simple.
    void UpdateIsOrdinary();

    /// Congestion control and balancer begin, or begin anew.  @param connection the connection
    void StartPolicies(const Connection& connection);

    /// Ask the balancer for a path, which the next packet takes.  @param ports of the NIC
    /// @param number the packet  @param message its message  @param connection the connection
    /// @return whether there is one
    bool ChoosePath(const PortRequest& ports,
                    uint64_t number,
                    const PostedMessage& message,
                    const Connection& connection);

    /// Note whether packets are acknowledged.  @param news how many, for the first time
    /// @param now the time  @return whether any are
    bool NoteProgress(uint64_t news, int64_t now);

    /// Take window and rate from the congestion control.  @param connection the connection
    void UpdateControl(const Connection& connection);

    static constexpr uint32_t ALL_PORTS = UINT32_MAX; //!< a bit each

    bool m_isOrdinary{true};     //!< none of m_failed, m_followsWindow, m_usesCredits, m_shared
    bool m_failed{false};        //!< given up
    bool m_usesCredits{false};   //!< m_control needs credit of the receiver
    bool m_timesPackets{false};  //!< there are m_packetTimers
    bool m_isTraced{false};      //!< there are m_traces
    bool m_tellsSent{false};     //!< m_control wants to know of packets that are sent
    bool m_hasPath{false};       //!< m_path is for the next packet
    bool m_timesEach{false};     //!< the retransmission timer runs for each packet
    bool m_deaggregates{false};  //!< the balancer is told of each packet that is acknowledged
    bool m_followsWindow{false}; //!< the recovery uses m_window
    bool m_startsProbe{false};   //!< the next packet schedules a check for a probe
    uint32_t m_window{0};        //!< packets that may be unacknowledged
    Ptr<CongestionControl> m_control; //!< how much and how fast it sends
    Ptr<HostBalancer> m_balancer;     //!< by which paths it sends
    int64_t m_stepsPerByte{0};        //!< pacing: time a byte, times 2^16; 0: none
    int64_t m_nextTime{0};            //!< the earliest start of the next packet
    uint64_t m_posted{0};             //!< packets of all messages posted
    RetransmissionTimer m_timer;      //!< when to retransmit
    MessageLedger m_ledger;           //!< messages not acknowledged
    PathLog m_paths;                  //!< of the packets that are not acknowledged

    PathChoice m_path;                               //!< of the packet before or of the next one
    Counters m_counters;                             //!< what has happened
    int64_t m_stream{-1};                            //!< the random stream of its balancer
    uint64_t m_receivedBytes{0};                     //!< payload that reports said to have come
    std::unique_ptr<PacketTimers> m_packetTimers;    //!< of the packets not acknowledged
    std::unique_ptr<ControlTraces> m_traces;         //!< once somebody connects to them
    std::unique_ptr<AckDeaggregator> m_deaggregator; //!< finds what an acknowledgement covers
    Ptr<SharedControl> m_shared;                     //!< the same as m_control, or null

  public:
    RetransmissionLimits limits; //!< attributes of the queue pair
    int64_t packetTimeout{0};    //!< until a packet is reported to the balancer; 0: never
};

} // namespace aifabric
} // namespace ns3

#endif /* REQUESTOR_H */
