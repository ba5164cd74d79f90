/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGESTION_CONTROL_H
#define CONGESTION_CONTROL_H

#include "ns3/ack-report.h"
#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-facts.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/policy-counters.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

struct PathTelemetry;

/// How a loss was detected.
enum class LossReason : uint8_t
{
    GAP,              //!< later packets arrived, or the recovery inferred it otherwise
    TRIMMED,          //!< a switch has cut off the data
    TRIMMED_LAST_HOP, //!< the last switch before the receiver has cut off the data
    NO_RESOURCES,     //!< the receiver had no room for it
    PACKET_TIMEOUT,   //!< the timer of the packet expired; others may be acknowledged meanwhile
    TIMEOUT,          //!< the retransmission timer expired: nothing was acknowledged
};

/// Packets that are lost.
struct LossSample
{
    uint64_t bytes{0};                  //!< their payload if they are full; of TIMEOUT: all that is
                                        //!< not acknowledged
    LossReason reason{LossReason::GAP}; //!< how it was detected
    int64_t sentAt{0};                  //!< of a refused packet: when its transmission began, in
                                        //!< picoseconds; 0: not known
};

/// Marks (ECN) that a congestion control expects of switches.
struct MarkingLaw
{
    double least{0};             //!< longest queue without marks, in bytes
    double most{0};              //!< longest queue that does not mark each packet, in bytes
    double floor{0};             //!< of `most` at a port of any rate, in bytes
    double share{1};             //!< of packets that is marked at `most`
    bool atLastHop{true};        //!< also in front of the receiver
    bool isOnlySignal{false};    //!< without marks the sender never slows down
    const char* source{nullptr}; //!< what the two lengths are derived from

    /// Mark earlier where buffers are shorter than the law expects.
    /// @param bytes the longest queue that `most` may be
    void LimitTo(double bytes)
    {
        const double factor = most > bytes ? bytes / most : 1;
        least *= factor;
        most *= factor;
    }
};

/// Demand of a sender for credit of the receiver: bytes since the connection began.
struct CreditDemand
{
    uint64_t wanted{0};      //!< credit with which it can send all that it has to send
    uint64_t unsolicited{0}; //!< what it has sent and will send without credit
};

/**
 * @ingroup ai-fabric
 *
 * How much and how fast one queue pair may send: a window and a rate, which follow the feedback
 * of the network. Each queue pair has a control of its own; the state of the connection itself
 * (what was sent and acknowledged) is the queue pair's.
 *
 * A subclass named XyzControl is offered as `--rateControl=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class alignas(64) CongestionControl : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * The queue pair is connected, or starts again.
     *
     * @param facts the fabric
     */
    virtual void Start(const FabricFacts& facts);

    /**
     * The rate of the port changes.
     *
     * @param lineRate the new rate
     */
    virtual void LineRateChanged(DataRate lineRate);

    /// @return the most payload bytes that may be unacknowledged
    virtual uint64_t GetWindow() const = 0;

    /// @return the rate, gaps and headers included; the line rate or more: no pacing
    virtual DataRate GetRate() const = 0;

    /// @return whether a new rate holds for the packet that waits for its time, too; false here:
    /// from the next one on
    virtual bool MovesWaiting() const;

    /// @return whether the queue pair has to call PacketSent()
    virtual bool WantsSent() const;

    /**
     * A data packet is sent or retransmitted.
     *
     * @param bytes its payload
     * @param start when its transmission begins, in picoseconds; maybe in the past
     * @return whether window or rate may have changed
     */
    virtual bool PacketSent(uint32_t bytes, int64_t start);

    /**
     * Packets were acknowledged.
     *
     * @param bytes payload bytes that are acknowledged for the first time; the sum over a message
     * is its length
     * @param report the acknowledgement: of the packet that triggered it, whether it was marked
     * (ECN), whether it was retransmitted, and when it was sent: `now - report.sentAt` is the
     * round-trip time
     * @param now the current time, in picoseconds
     * @return whether window or rate may have changed
     */
    virtual bool Acknowledged(uint32_t bytes, const AckReport& report, int64_t now);

    /**
     * Packets are lost, or the retransmission timer expired.
     *
     * @param loss the packets
     * @param now the current time, in picoseconds
     */
    virtual void Lost(const LossSample& loss, int64_t now);

    /// @return whether it sends only with the receiver's credit, beside a first allowance;
    /// false here. Then the transport has to carry credits (TransportTraits::carriesCredits).
    virtual bool UsesCredits() const;

    /// @return payload bytes that may be sent without further credit; a packet may be sent if this
    /// is above 0. Called only if it uses credits
    virtual uint64_t GetCredit() const;

    /// @return the demand to announce to the receiver; called only if it uses credits
    /// @param waiting payload bytes that wait to be sent, the first time or again
    virtual CreditDemand GetDemand(uint64_t waiting) const;

    /**
     * The receiver grants credit. The next announcement makes up for a lost one.
     *
     * @param credit all payload bytes that it has granted since the connection began
     * @param now the current time, in picoseconds
     * @return whether that is more than before
     */
    virtual bool CreditReceived(uint64_t credit, int64_t now);

    /// @return whether it needs the telemetry (INT) of the packets that are acknowledged, all of
    /// which have to take one path; false here
    virtual bool NeedsTelemetry() const;

    /**
     * An acknowledgement has brought telemetry. Acknowledged() is called next, and may say that the
     * window has changed; unless it is negative (NAK) and acknowledges nothing for the first time:
     * then only Lost() may be called.
     *
     * @param telemetry what switches wrote into the packet that triggered it
     * @param sentAt when that one was sent, in picoseconds
     * @param now the current time, in picoseconds
     */
    virtual void TelemetryReceived(const PathTelemetry& telemetry, int64_t sentAt, int64_t now);

    /// A congestion notification packet arrived (RoCEv2, A17.9.3).
    /// @param now the current time, in picoseconds
    virtual void CnpReceived(int64_t now);

    /// @return whether window or rate may change without feedback, such as by a timer
    virtual bool ChangesByItself() const;

    /// @param changed called at such a change; null: nothing
    void SetChangeCallback(Callback<void> changed);

    /// @return whether rate and window follow the feedback of the network; true here
    virtual bool Adapts() const;

    /**
     * Derive defaults of its attributes from the fabric; none here.
     *
     * @param roundTrip of a full packet and its acknowledgement through the empty fabric
     * @return the defaults, by the attributes' full names
     */
    virtual std::map<std::string, Time> GetUsualTimes(Time roundTrip) const;

    /**
     * Make another one for another queue pair; as TcpCongestionOps::Fork() does. A subclass that
     * overrides it by ForkObject(*this) makes queue pairs cheap to open.
     *
     * @return another one with the same attributes, of one that has not been used yet
     */
    virtual Ptr<CongestionControl> Fork() const;

    /// @return what it derives from a fabric, for the summary of a run; empty: nothing, as here
    virtual std::string Describe(const FabricFacts& facts) const;

    /// Add what it has counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const;

    /// @return how switches have to mark for it; none: it needs no marks, as here
    /// @param facts the fabric: rate and base RTT
    virtual std::optional<MarkingLaw> GetMarkingLaw(const FabricFacts& facts) const;

  protected:
    void DoDispose() override;

    /// Window or rate has changed by itself; as after a timer.
    void NotifyChange() const;

  private:
    Callback<void> m_changed; //!< what to call then
};

} // namespace aifabric
} // namespace ns3

#endif /* CONGESTION_CONTROL_H */
