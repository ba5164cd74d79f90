/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_TELEMETRY_H
#define PATH_TELEMETRY_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// What a switch reports of the port by which it sends a packet, in the units of HPCC's header (Li
/// et al., SIGCOMM 2019, figure 7): the time wraps after 16.8 ms, the bytes after 134 MB.
struct HopTelemetry
{
    static constexpr uint32_t BYTES_UNIT = 128;        //!< of sent, in bytes
    static constexpr uint32_t QUEUE_UNIT = 80;         //!< of queue, in bytes
    static constexpr uint64_t RATE_UNIT = 100'000'000; //!< of rate, in bit/s

    uint32_t time : 24; //!< when the transmission began, in nanoseconds
    uint32_t : 8;
    uint32_t sent : 20; //!< what the port had sent until then
    uint32_t : 12;
    uint16_t queue; //!< what waits at the port behind the packet
    uint16_t rate;  //!< of the port; the header has 4 bits for it, which stand for usual rates

    /// @return the time since an earlier report of the port, in nanoseconds
    uint32_t GetTimeSince(const HopTelemetry& earlier) const
    {
        return (time - earlier.time) & 0xFFFFFF;
    }

    /// @return what the port has sent since an earlier report of it, in bytes
    uint32_t GetBytesSince(const HopTelemetry& earlier) const
    {
        return ((sent - earlier.sent) & 0xFFFFF) * BYTES_UNIT;
    }

    /// @return what waits at the port, in bytes
    uint32_t GetQueueBytes() const
    {
        return uint32_t{queue} * QUEUE_UNIT;
    }

    /// @return the rate of the port, in bytes per nanosecond
    double GetRate() const
    {
        constexpr double BITS_PER_SECOND = 8e9; // a byte per nanosecond
        return rate * (RATE_UNIT / BITS_PER_SECOND);
    }
};

/**
 * @ingroup ai-fabric
 *
 * In-band network telemetry (INT): what the switches on the path of a packet have reported, as
 * HPCC's header has it. The sender reserves the header, each switch fills in a hop, and the
 * acknowledgement carries it back.
 */
struct PathTelemetry
{
    static constexpr uint32_t HOPS = 5;             //!< switches that there is room for
    static constexpr uint32_t BYTES = 2 + 8 * HOPS; //!< of the header: number and path, then hops

    uint16_t path{0};       //!< exclusive or of numbers of the ports, by which paths differ
    uint16_t hops{0};       //!< switches that have reported
    HopTelemetry hop[HOPS]; //!< their reports, in the order of the path; others are not set
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_TELEMETRY_H */
