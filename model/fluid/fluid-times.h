/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_TIMES_H
#define FLUID_TIMES_H

#include "ns3/bound-frames.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How long packets of messages take behind the NIC of their source, where nothing is in their way.
 */
class FluidTimes
{
  public:
    /// @param bound what is known of links, frames and NICs
    explicit FluidTimes(const BoundParameters& bound)
        : m_bound(bound),
          m_times(bound)
    {
    }

    /// @return a rate in bytes a picosecond  @param rate in bit/s
    static double ToBytesPerPs(uint64_t rate);

    /// @return the packets of a message  @param flow the message
    double CountPackets(const Flow& flow) const
    {
        return std::ceil(static_cast<double>(flow.bytes) / m_bound.payloadBytes);
    }

    /// @return bytes of the first packet of a message, with header and gap  @param flow the message
    uint64_t GetFirstBytes(const Flow& flow) const;

    /// @return the time from the end of a message on the first link, without queues, until it has
    /// come, in ps  @param flow the message  @param links of its path
    double GetWay(const Flow& flow, uint32_t links) const;

    /// @return the same from its end on the last link. A gap that takes longer than the link's
    /// delay ends after the message has come; hops are that much shorter then, and the way is the
    /// same.
    double GetLastWay() const
    {
        return std::max(0.0, m_times.toHost - m_times.gap.host);
    }

    /// @return the time from the end of a packet on a link to its end on the next one, in ps
    /// @param flow the message  @param links of its path
    int64_t GetHopPs(const Flow& flow, uint32_t links) const;

    /// @return the same of an acknowledgement  @param links of its path
    int64_t GetAckHopPs(uint32_t links) const;

    /// @return by how much the port of a host that sends most of a message ends after the mean of
    /// all ports, which take one packet after the other, in ps  @param flow the message
    /// @param ports how many ports
    double GetExcess(const Flow& flow, uint32_t ports) const;

    /// @return the times of what is not data
    const FrameTimes& GetFrames() const
    {
        return m_times;
    }

  private:
    BoundParameters m_bound; //!< links, frames and NICs
    FrameTimes m_times;      //!< what follows from them
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_TIMES_H */
