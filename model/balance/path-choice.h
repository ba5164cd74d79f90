/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_CHOICE_H
#define PATH_CHOICE_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// A packet that needs a path.
struct PathRequest
{
    uint32_t planes{1};      //!< ports of the NIC, one a plane
    uint32_t freePorts{1};   //!< bit p set: port p can begin the packet at once
    uint32_t bytes{0};       //!< payload
    uint8_t trafficClass{0}; //!< of the packet
    uint64_t number{0};      //!< of the packet: its PSN, counted from the first one and not wrapped
    uint64_t window{0};      //!< payload bytes that may be unacknowledged
    int64_t now{0};          //!< the time of the choice, in picoseconds
};

/// The path of a packet.
struct PathChoice
{
    /// The first UDP source port of RoCEv2 senders, whose label is 0.
    static constexpr uint16_t FIRST_PORT = 0xC000;

    uint32_t entropy{0};  //!< by which switches choose: UDP source port, and above it flow label
    uint16_t plane{0};    //!< whose port sends the packet
    bool anyPlane{false}; //!< another port may send it that can do so earlier
};

/// What became of a packet, or what its receiver says about its path.
enum class PathEvent : uint8_t
{
    GOOD,    //!< it has arrived
    MARKED,  //!< it has arrived with a mark (ECN), or the receiver advises to skip the path
    BAD,     //!< it has arrived; the receiver advises not to take the path any more
    TRIMMED, //!< a switch has cut off its data
    TRIMMED_LAST_HOP, //!< the last switch has, in front of the receiver
    LOST,             //!< it is known to be lost
    OVERDUE,          //!< nothing has answered it for RcQueuePair::PacketTimeout: lost, or late
    TIMED_OUT,        //!< the retransmission timer expired; the oldest that is not acknowledged
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_CHOICE_H */
