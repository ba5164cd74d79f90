/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BOUND_FRAMES_H
#define BOUND_FRAMES_H

#include "ns3/flow.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the completion-time bounds know of links, frames and NICs. The defaults are those of
 * McClure et al., "Load Balancing for AI Training Workloads" (arXiv 2507.21372v2), section 5.1.
 *
 * The serialization time of a frame is rounded down to a whole picosecond, and so is that of the
 * gap after it: a simulator whose clock ticks in picoseconds or finer never spends less.
 */
struct BoundParameters
{
    uint64_t linkRate{800'000'000'000}; //!< rate of the fastest link of a host, in bit/s
    uint64_t fabricRate{0}; //!< of the fastest link between switches, in bit/s; 0: as linkRate
    int64_t linkDelayPs{500'000}; //!< propagation delay of the shortest link, in ps
    int64_t switchLatencyPs{0};   //!< least time between arrival and queue in a switch, in ps
    int64_t nicLatencyPs{0};      //!< least time between arrival and endpoint in a NIC, in ps
    uint32_t payloadBytes{4096};  //!< payload of a full data packet, in bytes
    uint32_t headerBytes{62};     //!< the rest of a data packet's frame, in bytes
    uint32_t ackBytes{64};        //!< frame of an acknowledgement, in bytes
    uint32_t requestBytes{78};    //!< frame of the request of a read, in bytes
    uint32_t gapBytes{20};        //!< what a wire stays silent after a frame, in bytes

    /**
     * The share of the line rate of all its ports, over 0 to 1, that the data of a host together is
     * paced to: frame after frame, without credit for later. Use 1 if anything else limits the
     * rate.
     */
    double rateFactor{1.0};

    /// Most data packets that one acknowledgement answers; 0 if there is no such limit.
    uint32_t packetsPerAck{1};

    /**
     * Whether no data frame of a host follows another one directly while an acknowledgement waits:
     * true of a NIC that alternates between the two, and of one that prefers acknowledgements.
     */
    bool acksAlternate{true};

    /// Whether acknowledgements leave by the ports of hosts (AckBypass: they do not).
    bool acksInFabric{true};

    /// Whether an acknowledgement may report what others report that leave later by other ports.
    bool acksOvertake{false};

    /// What is left for good of the rate of each link, by twice its id, and 1 more on the way down;
    /// 0: it is cut; null: all of all. With several planes the bounds do not know it.
    std::shared_ptr<const std::vector<double>> speeds{};

    uint64_t nodeRate{0};     //!< of a GPU in the fabric of its node, in bit/s; 0: there is none
    int64_t nodeLatencyPs{0}; //!< of a message in the fabric of a node, in ps
};

/**
 * Check the parameters.
 *
 * @throws std::invalid_argument if one is out of range
 */
void RequireValid(const BoundParameters& parameters);

/**
 * How long a frame occupies a link, in ps.
 */
struct FrameTime
{
    /// @param bytes bytes of the frame  @param parameters links
    FrameTime(uint64_t bytes, const BoundParameters& parameters)
        : host(Serialize(bytes, parameters.linkRate)),
          fabric(
              Serialize(bytes, parameters.fabricRate ? parameters.fabricRate : parameters.linkRate))
    {
    }

    /// @return the time of so many bytes, rounded down  @param rate in bit/s
    static double Serialize(uint64_t bytes, uint64_t rate);

    /// @return the time on so many links at one end of a path  @param links how many; the first is
    /// a host's
    double On(uint32_t links) const
    {
        return links == 0 ? 0 : host + (links - 1) * fabric;
    }

    double host;   //!< on a link of a host
    double fabric; //!< on a link between switches
};

/// @return the frame of a full packet  @param parameters links and frames
FrameTime FullFrame(const BoundParameters& parameters);

/**
 * The times of what is not data, in ps.
 */
struct FrameTimes
{
    /// @param parameters links and frames
    explicit FrameTimes(const BoundParameters& parameters)
        : toSwitch(static_cast<double>(parameters.linkDelayPs + parameters.switchLatencyPs)),
          toHost(static_cast<double>(parameters.linkDelayPs + parameters.nicLatencyPs)),
          gap(parameters.gapBytes, parameters),
          ack(parameters.ackBytes, parameters)
    {
    }

    /// @return the time of a frame on its way  @param links links of its path
    double Way(const FrameTime& frame, uint32_t links) const
    {
        return Serialization(frame, links) + Delay(links);
    }

    /// @return delays and latencies of the last links of a path
    double Delay(uint32_t links) const
    {
        return links == 0 ? 0 : (links - 1) * toSwitch + toHost;
    }

    /// @return the time of a frame on all links of a path  @param links links of its path
    static double Serialization(const FrameTime& frame, uint32_t links)
    {
        return links == 0 ? 0 : frame.On(links - 1) + frame.host;
    }

    /// @return the time of an ACK on its way  @param links links of its path
    double AckWay(uint32_t links) const
    {
        return Way(ack, links);
    }

    double toSwitch; //!< propagation of a link, and latency of the switch behind it
    double toHost;   //!< propagation of a link, and latency of the NIC behind it
    FrameTime gap;   //!< silence after a frame
    FrameTime ack;   //!< an acknowledgement
};

/**
 * A message as data frames: full ones, and shorter ones. Of a message in several pieces
 * (lower-bound.cc, proof 6)
 * these are the fewest full ones, and what is known of the others together.
 */
struct MessagePackets
{
    /**
     * @param flow the message
     * @param parameters links and frames
     */
    MessagePackets(const Flow& flow, const BoundParameters& parameters);

    /// @return the number of data packets, at least
    uint64_t Count() const
    {
        return full + others;
    }

    /// @return the time of the shortest frame
    const FrameTime& LeastTime() const
    {
        return others > 0 ? leastTime : fullTime;
    }

    uint64_t full;        //!< number of full packets
    uint64_t others;      //!< number of others
    FrameTime fullTime;   //!< frame of a full packet
    FrameTime leastTime;  //!< frame of the shortest of the others
    FrameTime othersWork; //!< all of the others together
};

} // namespace aifabric
} // namespace ns3

#endif /* BOUND_FRAMES_H */
