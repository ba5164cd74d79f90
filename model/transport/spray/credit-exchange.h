/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CREDIT_EXCHANGE_H
#define CREDIT_EXCHANGE_H

#include "credit-pacer.h"
#include "spray-credits.h"

#include "ns3/connection.h"
#include "ns3/event-id.h"
#include "ns3/policy-counters.h"
#include "ns3/requestor.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The credit of one sprayed connection, at both of its ends: what data packets announce, and the
 * frames that ask for credit and give it. SprayCredits counts; the CreditPacer of the receiver's
 * NIC says when credit is given. Times are in picoseconds.
 *
 * A sender that has packets and neither credit nor the prospect of some sends a request, and again
 * when its retransmission timer expires, or all packets with its last announcement came trimmed.
 * The receiver answers a request for what it has given already by repeating its last credit.
 *
 * Requests, credits and announcements can be lost. A sender that waits for credit checks every
 * RequestInterval whether any has come, and repeats its request if none has. Each repetition has
 * another entropy, so that a dead path does not lose all of them. It doubles the interval up to
 * AckTimeout, so that the many senders of an incast do not fill the receiver's link with requests.
 */
class CreditExchange : public CreditGiver
{
  public:
    /// @param requestor of its queue pair  @param number of the queue pair
    /// @param quantum unit of credit, in bytes
    /// @param interval time without credit until a request is repeated; 0: AckTimeout alone
    CreditExchange(const Connection& connection,
                   const Requestor& requestor,
                   uint32_t number,
                   uint32_t quantum,
                   int64_t interval);

    // The sending end

    /// Add to a data packet what the sender needs credit for.  @param frame the packet, complete
    /// but for that
    [[gnu::noinline]] void Announce(FabricFrame& frame);

    /// A data packet has come without what it announces.  @param nack the answer to it
    void AnnouncementRefused(const FabricFrame& nack);

    /// Send a request, if the requestor cannot send without credit and expects none.
    /// @param isUrgent an earlier request or its answer may be lost
    void AskForCredit(bool isUrgent, int64_t now);

    /// Do not repeat the request: nothing is left to be sent, or the simulation ends.
    void StopRequests()
    {
        m_requestTimer.Cancel();
    }

    /// Credit has come.  @param frame the credit  @return all credit so far, in bytes
    uint64_t CreditReceived(const FabricFrame& frame)
    {
        return m_sums.CreditReceived(frame.msn);
    }

    // The receiving end

    /// A data packet has come that announces demand.
    /// @param isLastHop whether the switch before this host has trimmed it, if any has
    void PacketReceived(const FabricFrame& frame, bool isLastHop, int64_t now);

    /// A packet or a request has come that announces demand.
    void DemandReceived(const FabricFrame& frame, int64_t now);

    /// A request has come.  @param frame the request  @param port where it came in
    void RequestReceived(const FabricFrame& frame, uint16_t port, int64_t now);

    bool OwesCredit() const override;
    uint32_t GiveCredit(uint32_t packets, uint16_t port, int64_t now) override;

    /// Add the frames that it has sent.  @param counters where
    void Count(PolicyCounters& counters) const;

  private:
    /// @return whether the requestor cannot send without credit
    bool IsStarved() const;

    /// Send a request.
    void SendRequest(int64_t now);

    /// A frame announces demand.  @param start when its transmission begins
    void AnnouncementSent(int64_t start);

    /// Repeat the request, if the requestor is starved and no credit has come since the last check.
    void CheckCredit();

    /// Schedule CheckCredit().
    void ScheduleCheck();

    /// Send a credit that says what was given.  @param entropy of its path
    /// @param port where it leaves
    void SendCredit(uint32_t entropy, uint16_t port, int64_t now);

    /// Send a credit or a request.  @param frame the frame, complete but for what both share
    /// @param entropy of its path  @param port where it leaves
    void Send(Ptr<FabricFrame> frame, uint32_t entropy, uint16_t port, int64_t now);

    /// @return bytes of a full packet on the wire, with the gap
    uint32_t GetSpacedBytes() const;

    const Connection& m_connection; //!< the connection
    CreditPacer& m_pacer;           //!< of its NIC
    const Requestor& m_requestor;   //!< of the same queue pair
    uint32_t m_number;              //!< of the queue pair
    uint32_t m_entropy{0};          //!< of the last packet that announced demand
    SprayCredits m_sums;            //!< what was announced and given
    uint64_t m_creditsSent{0};      //!< credits sent, repeated ones included
    uint64_t m_requestsSent{0};     //!< requests sent
    int64_t m_firstInterval;        //!< time without credit until a repetition; 0: none
    int64_t m_interval{0};          //!< the same after repetitions
    uint64_t m_checked{0};          //!< credit at the last check, in units
    EventId m_requestTimer;         //!< when CheckCredit() runs next
};

} // namespace aifabric
} // namespace ns3

#endif /* CREDIT_EXCHANGE_H */
