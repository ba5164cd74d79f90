/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REQUESTOR_H
#define REQUESTOR_H

#include "connection.h"
#include "message-ledger.h"
#include "path-selector.h"
#include "send-window.h"

#include "ns3/ack-report.h"
#include "ns3/endpoint.h"
#include "ns3/policy-counters.h"
#include "ns3/prefetch-lines.h"
#include "ns3/retransmission-timer.h"

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
 * The half of a queue pair that sends data. It keeps the ledger of posted messages. The recovery
 * chooses the next packet, the SendWindow limits amount and rate, the PathSelector chooses the
 * path; the requestor passes them the reports of the responder. It reads and writes no headers.
 * Times are in picoseconds.
 *
 * Its members are in the order of use, because an all-to-all has more queue pairs than caches hold:
 * three cache lines for what is sent and acknowledged, and then what is seldom needed.
 */
class Requestor
{
  public:
    /// Events since the connection began.
    struct Counters
    {
        uint64_t retransmissions{0}; //!< packets sent again
        uint32_t repairs{0};         //!< repair packets of an erasure code sent
        uint32_t naksReceived{0};    //!< negative acknowledgements received (packet_seq_err)
        uint32_t timeouts{0};        //!< expirations of the timer (local_ack_timeout_err)
        uint32_t reportRequests{0};  //!< requests for a report (TakeReportRequest())
    };

    /// A packet to be built.
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

    /// The queue pair is connected.  @param stream the random stream of the balancer
    void Start(const Connection& connection, int64_t stream);

    /// Reset congestion control and balancer; PSNs continue.
    /// @param sourcePort the UDP source port of an ordinary NIC
    void Renew(const Connection& connection, uint16_t sourcePort);

    /// A message is posted.  @param bytes its length  @param key its R_Key at the other end
    /// @param turn its place among the messages of the NIC  @param asked bytes of a read that it
    /// asks for
    void Post(uint32_t bytes,
              uint32_t key,
              uint64_t turn,
              const Connection& connection,
              uint32_t asked = 0);

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
    /// @return the port; none: no path is fit
    std::optional<PortChoice> ChoosePort(const PortRequest& ports, const Connection& connection);

    /// Take the next packet, which counts as sent; to be called only if it can send.
    /// @param start when its transmission begins  @return the packet
    Departure TakeNext(int64_t start, const Connection& connection);

    /// Process an acknowledgement.  @param report its contents
    /// @return whether any are acknowledged for the first time
    bool AckReceived(const AckReport& report, const Connection& connection, int64_t now);

    /// Process a NACK.  @param report its contents
    /// @return whether other packets are acknowledged for the first time
    bool NackReceived(const NackReport& report, const Connection& connection, int64_t now);

    /// The LossOracle reports that a packet or its acknowledgement was lost.
    /// @param psn the packet, counted from the first one, 24 bits  @param entropy of its path
    void LossReported(uint32_t psn, uint32_t entropy, const Connection& connection, int64_t now);

    /// The receiver grants credit.  @param credit all that it has granted, in bytes
    void CreditReceived(uint64_t credit, const Connection& connection, int64_t now);

    /// @return the demand for credit of the receiver
    CreditDemand GetDemand(const Connection& connection) const;

    /// @return a message that is acknowledged whole and leaves the ledger; none: no more
    /// @param acknowledged the first packet that is not acknowledged
    std::optional<PostedMessage> TakeCompleted(uint64_t acknowledged, const Connection& connection);

    // Timers: the queue pair schedules them

    /// State of the retransmission timer.
    struct TimerCheck
    {
        bool hasExpired; //!< nothing was acknowledged in time, or isInVain
        bool isInVain;   //!< the first missing packet was retransmitted for too long
        bool hasLost;    //!< timers of single packets expired
    };

    /// The first message waits again.
    void StartTimer(int64_t now)
    {
        m_timer.Restart(now);
    }

    /// @return the state of the retransmission timer
    TimerCheck CheckTimer(const Connection& connection, int64_t now);

    /// The timer has expired: count it.  @param isInVain what CheckTimer() found
    /// @return how often in a row
    uint32_t CountTimeout(bool isInVain, const Connection& connection, int64_t now);

    /// The timer has expired, and the queue pair goes on.
    void TimerExpired(const Connection& connection, int64_t now);

    /// @return when CheckTimer() is to be called next  @param recovery of the queue pair
    int64_t GetTimerDue(const LossRecovery& recovery) const;

    /// @return when a probe is due if nothing is acknowledged until then; NEVER: not at all
    /// @param recovery of the queue pair
    int64_t GetProbeDue(const LossRecovery& recovery) const;

    /// @return when GetProbeDue() is to be compared with the time next; NEVER: not at all
    /// @param recovery of the queue pair
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

    /// A packet is sent that asks for no report.  @param number the packet
    void NoteUnasked(uint64_t number)
    {
        m_unaskedEnd = static_cast<uint32_t>(number) + 1;
    }

    /**
     * A report has come: decide whether to ask for another one. A sender that its window blocks
     * needs one if packets on the way asked for none and are too few for AckPolicy. It asks once a
     * round trip, until that probe or a later one is answered.
     *
     * @param least bytes for which the receiver sends a report unasked
     * @param now the current time, which is that of the probe
     * @return whether to send a request now, which counts as sent
     */
    bool TakeReportRequest(uint32_t least, const Connection& connection, int64_t now);

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

    /// Print progress and the reason of waiting in one line.
    void Describe(std::ostream& os, const Connection& connection) const;

    /// Prefetch the state that the next packet or acknowledgement will touch.
    void Prefetch() const
    {
        PrefetchLine(&m_sendWindow);
        m_ledger.Prefetch();
        PrefetchLine(&m_paths);
    }

    /// Release all references at the end of the simulation.
    void Dispose();

  private:
    /// What a report acknowledges for the first time.
    struct Acknowledgement
    {
        LossRecovery::Feedback feedback; //!< of packets
        uint64_t bytes{0};               //!< payload that it acknowledges
    };

    /// Remove acknowledged packets from the ledger.
    /// @param feedback the result of the recovery for the report
    /// @param last the last packet that it acknowledges  @param msn count of messages received
    /// @return all that it acknowledges
    Acknowledgement UpdateLedger(LossRecovery::Feedback feedback,
                                 uint64_t last,
                                 uint32_t msn,
                                 const Connection& connection);

    /// Report lost packets to control and balancer.  @param lost the packets
    /// @param reason how the loss was detected  @param refusal the NACK, if the receiver refused it
    void ReportLost(const std::vector<uint64_t>& lost,
                    LossReason reason,
                    const Connection& connection,
                    int64_t now,
                    const NackReport& refusal = {});

    /// @return the request for a path of a packet  @param ports of the NIC
    /// @param number the packet  @param payload its payload, in bytes
    PathRequest MakeRequest(const PortRequest& ports,
                            uint64_t number,
                            uint32_t payload,
                            const Connection& connection) const;

    /// @return unacknowledged packets that the receiver has not counted as received either
    /// (AckReport::receivedBytes): bitmaps may not have covered those that it has counted
    uint64_t CountOnTheWay(const Connection& connection) const;

    /// Note whether packets are acknowledged.  @param acked how many, for the first time
    /// @return whether any are
    bool NoteProgress(uint64_t acked, int64_t now);

    SendWindow m_sendWindow;     //!< how much and how fast it sends
    uint64_t m_posted{0};        //!< packets of all messages posted
    RetransmissionTimer m_timer; //!< when to retransmit
    MessageLedger m_ledger;      //!< messages not acknowledged
    uint64_t m_receivedBytes{0}; //!< payload that reports acknowledged
    bool m_startsProbe{false};   //!< the next packet schedules a check for a probe
    bool m_awaitsReport{false};  //!< a request for a report is on the way, or its answer
    uint32_t m_unaskedEnd{0};    //!< after the last packet that asked for no report, modulo 2^32
    int64_t m_requestedAt{0};    //!< when the last request for a report was sent
    PathSelector m_paths;        //!< by which paths it sends
    Counters m_counters;         //!< what has happened

  public:
    RetransmissionLimits limits; //!< attributes of the queue pair
};

} // namespace aifabric
} // namespace ns3

#endif /* REQUESTOR_H */
