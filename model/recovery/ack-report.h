/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACK_REPORT_H
#define ACK_REPORT_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// What a receiver advises about the path of a packet (MRC: the m field of the SACK header).
enum class PathVerdict : uint8_t
{
    NONE,        //!< nothing
    SKIP_ONCE,   //!< not to take it the next time
    SKIP_ALWAYS, //!< not to take it any more
};

/// Why a responder refuses a packet.
enum class NackReason : uint8_t
{
    OUT_OF_SEQUENCE,  //!< another one is expected
    TRIMMED,          //!< it came without its data
    TRIMMED_LAST_HOP, //!< so, cut by the last switch
    NO_RESOURCES,     //!< the receiver had no place for it
};

/**
 * @ingroup ai-fabric
 *
 * What a responder says in any report. PSNs are counted from the first one of the connection and
 * have 24 bits.
 */
struct ResponderReport
{
    uint32_t psn{0};      //!< the packet that the report is about
    uint32_t messages{0}; //!< messages that have come whole (MSN), 24 bits
    uint32_t entropy{0};  //!< of the packet that triggered the report
    bool marked{false};   //!< whether that one was marked (ECN)
    int64_t sentAt{0};    //!< when its transmission began, in picoseconds
    int64_t heldFor{0};   //!< how long it and the report waited in hosts, in picoseconds
                          //!< (EndpointNic::ReceiveRate)
    uint8_t hops{0};      //!< switches that the report has passed
};

/**
 * @ingroup ai-fabric
 *
 * Header-independent acknowledgement report. An AETH carries the fields of ResponderReport: the PSN
 * of the packet (GoBackNRecovery has received all before it), the entropy in the UDP source port,
 * and the mark in the BECN bit. The fields here are for headers that carry more; they have these
 * values where a header does not carry them.
 */
struct AckReport : ResponderReport
{
    static constexpr uint16_t REQUEST = UINT16_MAX; //!< as probe: one that only asks for reports

    uint32_t cumulativePsn{0};    //!< the first packet that has not come
    uint32_t bitmapPsn{0};        //!< the packet of bit 0 in the next
    uint64_t bitmap{0};           //!< bit i set: packet bitmapPsn + i has come
    uint64_t receivedBytes{0};    //!< payload that has come; 0: not reported
    uint32_t outOfOrder{0};       //!< packets that have come before one that is missing
    uint16_t probe{0};            //!< which probe it answers; 0: none
    uint8_t penalty{0};           //!< share of the window that the receiver takes, in 1/128
    bool restores{false};         //!< it gives back what it took
    bool isRetransmission{false}; //!< what triggered the report was sent again
    bool isChosen{true};          //!< the balancer chose the path of that, as its sender knows
    PathVerdict path{PathVerdict::NONE}; //!< what it advises about the path
};

/// Header-independent report on a packet that the responder did not accept.
struct NackReport : ResponderReport
{
    NackReason reason{NackReason::OUT_OF_SEQUENCE}; //!< why; out of sequence: psn is the packet
                                                    //!< that is expected
};

} // namespace aifabric
} // namespace ns3

#endif /* ACK_REPORT_H */
