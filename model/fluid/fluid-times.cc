/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-times.h"

#include "ns3/time-units.h"

#include <cmath>

namespace ns3
{
namespace aifabric
{

double
FluidTimes::ToBytesPerPs(uint64_t rate)
{
    return static_cast<double>(rate) / BIT_PS_PER_BYTE;
}

uint64_t
FluidTimes::GetFirstBytes(const Flow& flow) const
{
    return std::min<uint64_t>(flow.bytes, m_bound.payloadBytes) + m_bound.headerBytes +
           m_bound.gapBytes;
}

double
FluidTimes::GetExcess(const Flow& flow, uint32_t ports) const
{
    const uint64_t extra = m_bound.headerBytes + m_bound.gapBytes;
    const uint64_t packets = (flow.bytes + m_bound.payloadBytes - 1) / m_bound.payloadBytes;
    const uint64_t most = (packets + ports - 1) / ports; // packets of a port
    const uint64_t full = most * (m_bound.payloadBytes + extra);
    // A port has one packet more than all others, the last one, or so have several.
    const uint64_t less = packets % ports == 1 ? packets * m_bound.payloadBytes - flow.bytes : 0;
    const double mean = static_cast<double>(flow.bytes + packets * extra) / ports;
    return ports == 1 ? 0 : (full - less - mean) / ToBytesPerPs(m_bound.linkRate);
}

double
FluidTimes::GetWay(const Flow& flow, uint32_t links) const
{
    // A short last packet cannot overtake the full one before it, and follows it on each link.
    const FrameTime frame(GetFirstBytes(flow) - m_bound.gapBytes, m_bound);
    return m_times.Way(frame, links) - frame.host - m_times.gap.host; // both are past the source
}

int64_t
FluidTimes::GetHopPs(const Flow& flow, uint32_t links) const
{
    return std::llround((GetWay(flow, links) - GetLastWay()) / (links - 1));
}

int64_t
FluidTimes::GetAckHopPs(uint32_t links) const
{
    const double way = m_times.AckWay(links) - m_times.ack.host - m_times.toHost;
    return std::llround(way / (links - 1));
}

} // namespace aifabric
} // namespace ns3
