/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_TELEMETRY_H
#define PATH_TELEMETRY_H

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// What a switch reports of the port by which it sends a packet, in the units of HPCC's header (Li
/// et al., SIGCOMM 2019, figure 7): the time wraps after 16.8 ms, the bytes after 134 MB. Packed,
/// as the records of five switches and what is before them fill a cache line.
struct [[gnu::packed]] HopTelemetry
{
    static constexpr uint32_t BYTES_UNIT = 128; //!< of sent, in bytes
    static constexpr uint32_t QUEUE_UNIT = 80;  //!< of queue, in bytes
    static constexpr uint32_t TIME_BITS = 24;   //!< of time
    static constexpr uint32_t SENT_BITS = 20;   //!< of sent

    uint64_t time : TIME_BITS; //!< when the transmission began, in nanoseconds
    uint64_t sent : SENT_BITS; //!< what the port had sent until then
    uint64_t queue : 16;       //!< what waits at the port behind the packet
    uint64_t : 4;
    float rate; //!< of the port, in bytes per nanosecond; the header has 4 bits for it, which stand
                //!< for usual rates

    /// @return the time since an earlier report of the port, in nanoseconds
    uint32_t GetTimeSince(const HopTelemetry& earlier) const
    {
        return (time - earlier.time) & ((1U << TIME_BITS) - 1);
    }

    /// @return what the port has sent since an earlier report of it, in bytes
    uint32_t GetBytesSince(const HopTelemetry& earlier) const
    {
        return ((sent - earlier.sent) & ((1U << SENT_BITS) - 1)) * BYTES_UNIT;
    }

    /// @return what waits at the port, in bytes
    uint32_t GetQueueBytes() const
    {
        return queue * QUEUE_UNIT;
    }

    /// @return the rate of the port, in bytes per nanosecond
    double GetRate() const
    {
        return rate;
    }

    /// @return how long after an earlier report neither time nor bytes have wrapped, whichever of
    /// the two rates the port had meanwhile, in nanoseconds
    double GetHorizon(const HopTelemetry& earlier) const
    {
        constexpr double TIME = 1U << TIME_BITS;
        constexpr double BYTES = (1U << SENT_BITS) * BYTES_UNIT;
        return std::min(TIME, BYTES / std::max(GetRate(), earlier.GetRate()));
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
    static constexpr uint32_t PATH_BITS = 28;       //!< of path

    PathTelemetry()
        : path(0),
          hops(0)
    {
    }

    /**
     * Let the path go through a port. Its number is a hash of all ports in their order: two paths
     * have the same one with a probability of 2^-28. (The header has 12 bits, to which switches
     * add their numbers by exclusive or: of 100 paths, two are likely to have the same ones.)
     *
     * @param node number of the switch  @param port by which it sends
     */
    void Pass(uint32_t node, uint32_t port)
    {
        const uint64_t key = uint64_t{path} << 36 | (uint64_t{node & 0xFFFFF} << 16 | port);
        path = key * 0x9E3779B97F4A7C15 >> (64 - PATH_BITS);
    }

    /**
     * @param earlier another report
     * @param time from the sending of that one's packet to that of this one's, in nanoseconds
     * @return whether this one can be compared with it: it is of the same path, and so recent that
     * nothing has wrapped since
     */
    bool Follows(const PathTelemetry& earlier, double time) const
    {
        if (path != earlier.path || hops != earlier.hops)
        {
            return false;
        }
        return std::equal(hop,
                          hop + hops,
                          earlier.hop,
                          [time](const HopTelemetry& now, const HopTelemetry& before) {
                              const double since = now.GetTimeSince(before);
                              return std::max(since, time) < now.GetHorizon(before);
                          });
    }

    uint32_t path : PATH_BITS; //!< number of the path, for this purpose
    uint32_t hops : 4;         //!< switches that have reported
    HopTelemetry hop[HOPS];    //!< their reports, in the order of the path; others are not set
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_TELEMETRY_H */
