/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RESPONDER_H
#define RESPONDER_H

#include "connection.h"

#include "ns3/ack-policy.h"
#include "ns3/arrival-ledger.h"
#include "ns3/fabric-frame.h"
#include "ns3/prefetch-lines.h"
#include "ns3/receiving-end.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The half of a queue pair that receives data: it asks the recovery which packets to accept, keeps
 * the ledger of messages that arrive, and says what is to be reported.
 *
 * **Conservation**: packets received = accepted + discarded.
 */
class Responder
{
  public:
    /// What has happened to it so far.
    struct Counters
    {
        uint64_t packetsAccepted{0};  //!< data packets received and placed
        uint64_t bytesAccepted{0};    //!< their payload
        uint32_t packetsDiscarded{0}; //!< data packets received and not placed
        uint32_t outOfSequence{0};    //!< data packets received with another PSN than expected
        uint32_t duplicates{0};       //!< data packets received that had come before
        uint32_t marked{0};           //!< data packets received with CE (ECN)
        uint32_t maxReordering{0};    //!< the most packets by which one came too early
        uint32_t messages{0};         //!< messages received whole (MSN)
        uint64_t acksSent{0};         //!< acknowledgements sent
        uint64_t naksSent{0};         //!< negative acknowledgements sent
    };

    /// What a data packet says, whatever header carries it.
    struct Arrival
    {
        uint32_t psn;          //!< counted from the first one, 24 bits
        uint32_t payload;      //!< bytes of the message in it
        uint64_t repair;       //!< which repair packet it is; 0: none
        const Reth* announced; //!< the message, if the packet announces it, or nullptr
        uint32_t offset;       //!< then: its place in the message, in packets
        bool isMarked;         //!< it was marked (ECN)
        bool isRequested;      //!< it asks for an acknowledgement
        uint32_t headers{0};   //!< what AckPolicy counts beside the payload, in bytes
    };

    /**
     * A data packet has come.
     *
     * @param arrival the packet
     * @return what to answer, and the number that the answer carries; the AckPolicy has been asked
     */
    ReceivingEnd::Verdict Receive(const Arrival& arrival, const Connection& connection);

    /// A data packet has come that a switch has trimmed.
    /// @param psn of the packet, counted from the first one  @return how to answer
    ReceivingEnd::Verdict ReceiveTrimmed(uint32_t psn, const Connection& connection);

    /// A report is sent that no data packet has triggered: it acknowledges all that has come.
    void ForgetUnreported()
    {
        m_unreported = 0;
    }

    /// Fill in what has come so far.  @param report the report, with the packet that triggers it
    /// @param recovery of the queue pair
    void FillReport(AckReport& report, const ReceivingEnd& recovery) const;

    /// @return a message that has come whole and is taken out, one for each; none: no more
    /// @param recovery of the queue pair
    std::optional<ArrivingMessage> TakeReceived(const ReceivingEnd& recovery);

    /// @return messages that have come whole (MSN), 24 bits
    uint32_t GetMsn() const
    {
        return m_counters.messages & PsnWindow::PSN_MASK;
    }

    /// An answer is sent.  @param isNak whether it is negative
    void CountAnswer(bool isNak)
    {
        ++(isNak ? m_counters.naksSent : m_counters.acksSent);
    }

    /// @return what has happened so far
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// Get what Receive() touches into the cache.
    void Prefetch() const
    {
        PrefetchLine(&m_counters);
        PrefetchLine(&m_arrivals);
    }

    /// @param policy when accepted packets are acknowledged
    void SetAckPolicy(const Ptr<AckPolicy>& policy);

    /// @return when accepted packets are acknowledged
    const Ptr<AckPolicy>& GetAckPolicy() const
    {
        return m_ackPolicy;
    }

    /// @return whether each packet is acknowledged
    bool AcksEach() const
    {
        return m_acksEach;
    }

    /// @return the window, in bytes, below which each packet asks for an acknowledgement
    uint32_t GetLeastWindow() const
    {
        return m_leastWindow;
    }

  private:
    /// @return whether an accepted packet is to be acknowledged now  @param arrival the packet
    /// @param isInOrder whether it was the one that was expected
    /// @param outOfOrder packets that have come before one that is missing, before and with it
    bool IsAckDue(const Arrival& arrival, bool isInOrder, const uint64_t (&outOfOrder)[2]);

    Counters m_counters;        //!< what has happened
    ArrivalLedger m_arrivals;   //!< messages that have begun to come
    Ptr<AckPolicy> m_ackPolicy; //!< when accepted packets are acknowledged
    uint32_t m_leastWindow{0};  //!< below it, each packet asks for an acknowledgement
    uint32_t m_leastCount{0};   //!< the least that a packet adds to m_unreported, in bytes
    uint32_t m_unreported{0};   //!< bytes accepted since the last acknowledgement
    bool m_acksEach{true};      //!< each packet is acknowledged
    bool m_isAsked{false};      //!< while a packet is missing, another one asked for an answer
};

} // namespace aifabric
} // namespace ns3

#endif /* RESPONDER_H */
