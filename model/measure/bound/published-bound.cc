/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "published-bound.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

namespace
{

/**
 * @param links links of a path
 * @param first the first data frame
 * @param slot mean time of a data frame and its gap at line rate, in ps
 * @param parameters links, frames and NICs
 * @return data packets that leave a host before its first ACK can, by the published formula
 */
double
PacketsBeforeAck(uint32_t links,
                 const FrameTime& first,
                 double slot,
                 const BoundParameters& parameters)
{
    auto way = FrameTimes(parameters).Delay(links) + first.On(links - 1);
    return std::ceil(way * parameters.rateFactor / slot) + 1;
}

} // namespace

uint64_t
PublishedI1(uint32_t links, const BoundParameters& parameters)
{
    RequireValid(parameters);
    const FrameTime full = FullFrame(parameters);
    auto slot = full.host + FrameTimes(parameters).gap.host;
    return static_cast<uint64_t>(PacketsBeforeAck(links, full, slot, parameters));
}

double
PublishedBoundPs(uint64_t bytes,
                 uint64_t messages,
                 uint32_t links,
                 const BoundParameters& parameters)
{
    RequireValid(parameters);
    FrameTimes times(parameters);
    Flow message;
    message.bytes = bytes;
    MessagePackets packets(message, parameters);
    auto full = static_cast<double>(messages) * packets.full;
    auto all = static_cast<double>(messages) * packets.Count();
    auto fullSlot = packets.fullTime.host + times.gap.host;
    auto leastSlot = packets.LeastTime().host + times.gap.host;
    auto work = full * fullSlot + (all - full) * leastSlot;
    auto factor = parameters.rateFactor;

    const auto& first = packets.full > 0 ? packets.fullTime : packets.leastTime;
    auto alone = PacketsBeforeAck(links, first, work / all, parameters);
    auto sent = (work - leastSlot) / factor + times.Serialization(packets.LeastTime(), links);
    if (packets.full > 0)
    {
        sent =
            std::max(sent,
                     (full - 1) * fullSlot / factor + times.Serialization(packets.fullTime, links));
    }
    auto answers = parameters.acksInFabric ? std::max(0.0, all - alone) : 0.0;
    auto acks = answers * (times.ack.host + times.gap.host) / factor;
    return std::floor(sent + acks + times.Delay(links) + times.AckWay(links) + times.gap.host);
}

} // namespace aifabric
} // namespace ns3
