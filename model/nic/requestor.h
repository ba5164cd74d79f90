/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REQUESTOR_H
#define REQUESTOR_H

#include "ack-report.h"
#include "connection.h"
#include "endpoint.h"
#include "message-ledger.h"
#include "path-selector.h"
#include "retransmission-timer.h"
#include "send-window.h"

#include "ns3/policy-counters.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The half of a queue pair that sends data: it keeps the ledger of posted messages, asks the
 * recovery what to send next, its SendWindow how much and how fast, and its PathSelector by which
 * path, and tells them what the reports of the other end mean. No header is known here. Times are
 * in picoseconds.
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

    Requestor() = default;

    /// One with the same attributes and policies like its own.  @param other not in use
    Requestor(const Requestor& other);

    /// The queue pair gets its place.  @param connection the connection
    /// @param stream the random stream of the balancer
    void Start(const Connection& connection, int64_t stream);

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
        return m_sendWindow.MaySend(recovery, m_posted);
    }

    /// @return the earliest time at which the rate allows the next packet
    int64_t GetNextTime() const
    {
        return m_sendWindow.GetNextTime();
    }

    /// Choose the port of the next packet; to be called only if it can send.
    /// @param ports the ports  @param connection the connection
    /// @return the port; none: no path is fit
    std::optional<PortChoice> ChoosePort(const PortRequest& ports, const Connection& connection);

    /// Take the next packet, which counts as sent; to be called only if it can send.
    /// @param start when its transmission begins  @param connection the connection
    /// @return the packet
    Departure TakeNext(int64_t start, const Connection& connection);

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

    /// @return a message that is acknowledged whole and leaves the ledger; none: no more
    /// @param acknowledged the first packet that is not acknowledged
    /// @param connection the connection
    std::optional<PostedMessage> TakeCompleted(uint64_t acknowledged, const Connection& connection);

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
    /// @param connection the connection  @param now the current time  @return how often in a row
    uint32_t CountTimeout(bool isInVain, const Connection& connection, int64_t now);

    /// The timer has expired, and the queue pair goes on.  @param connection the connection
    /// @param now the current time
    void TimerExpired(const Connection& connection, int64_t now);

    /// @return when CheckTimer() is to be called next  @param recovery of the queue pair
    int64_t GetTimerDue(const LossRecovery& recovery) const;

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

    /// @return whether expirations have doubled the timeout, so that an acknowledgement shortens it
    bool HasBackedOff() const
    {
        return m_timer.HasBackedOff();
    }

    // State

    /// @return how much and how fast it sends
    const SendWindow& GetSendWindow() const
    {
        return m_sendWindow;
    }

    /// @return how much and how fast it sends
    SendWindow& GetSendWindow()
    {
        return m_sendWindow;
    }

    /// @return by which paths it sends
    const PathSelector& GetPaths() const
    {
        return m_paths;
    }

    /// @return by which paths it sends
    PathSelector& GetPaths()
    {
        return m_paths;
    }

    /// @return whether it has given up, because the timer expired too often
    bool HasFailed() const
    {
        return m_sendWindow.HasFailed();
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

    /// Add what its policies have counted.  @param counters where
    /// @param countsControl whether its control is among them
    void Count(PolicyCounters& counters, bool countsControl) const;

    /// Say in one line how far it is and why it waits.  @param os where
    /// @param connection the connection
    void Describe(std::ostream& os, const Connection& connection) const;

    /// Get what a packet or its acknowledgement will touch into the cache.
    void Prefetch() const
    {
        __builtin_prefetch(&m_sendWindow, 1);
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

    /// Take what a report acknowledges out of the ledger.  @param feedback what the recovery made
    /// of it
    /// @param last the last packet that it acknowledges  @param msn messages that have come whole
    /// @param connection the connection
    /// @return all that it acknowledges
    News UpdateLedger(LossRecovery::Feedback feedback,
                      uint64_t last,
                      uint32_t msn,
                      const Connection& connection);

    /// Tell control and balancer of lost packets.  @param lost the packets
    /// @param reason how that was found out  @param mtu payload of a full packet, in bytes
    /// @param now the time  @param sentAt start of the transmission, if it was refused
    void ReportLost(const std::vector<uint64_t>& lost,
                    LossReason reason,
                    uint32_t mtu,
                    int64_t now,
                    int64_t sentAt = 0);

    /// @return what the balancer is told of a packet  @param ports of the NIC
    /// @param number the packet  @param payload its payload, in bytes  @param connection the
    /// connection
    PathRequest MakeRequest(const PortRequest& ports,
                            uint64_t number,
                            uint32_t payload,
                            const Connection& connection) const;

    /// Note whether packets are acknowledged.  @param news how many, for the first time
    /// @param now the time  @return whether any are
    bool NoteProgress(uint64_t news, int64_t now);

    SendWindow m_sendWindow;     //!< how much and how fast it sends
    uint64_t m_posted{0};        //!< packets of all messages posted
    RetransmissionTimer m_timer; //!< when to retransmit
    MessageLedger m_ledger;      //!< messages not acknowledged
    uint64_t m_receivedBytes{0}; //!< payload that reports said to have come
    bool m_startsProbe{false};   //!< the next packet schedules a check for a probe
    PathSelector m_paths;        //!< by which paths it sends
    Counters m_counters;         //!< what has happened

  public:
    RetransmissionLimits limits; //!< attributes of the queue pair
};

} // namespace aifabric
} // namespace ns3

#endif /* REQUESTOR_H */
