/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-times.h"

#include "ns3/time-units.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace aifabric
{

LinkTimes::LinkTimes(const FabricGraph& graph, const BoundParameters& parameters)
    : m_graph(graph),
      m_parameters(parameters)
{
}

double
LinkTimes::PsPerByte(uint32_t link, bool isDown) const
{
    // A port rounds the time of a frame and that of a gap to whole picoseconds, where a byte takes
    // no whole number of them: less than 2 ps of at least 80 bytes.
    constexpr double ROUNDING = 1.0 / 40;
    const FabricLinkSpec& spec = m_graph.Links()[link];
    const uint64_t ofKind = spec.a.isHost || m_parameters.fabricRate == 0 ? m_parameters.linkRate
                                                                          : m_parameters.fabricRate;
    const auto rate = static_cast<double>(spec.rate > 0 ? spec.rate : ofKind);
    const double speed = m_parameters.speeds ? (*m_parameters.speeds)[2 * link + isDown] : 1;
    if (speed == 1)
    {
        return BIT_PS_PER_BYTE / rate;
    }
    if (speed == 0)
    {
        return std::numeric_limits<double>::infinity();
    }
    const double time = BIT_PS_PER_BYTE / (rate * speed);
    return time == std::floor(time) ? time : time - ROUNDING;
}

double
LinkTimes::LeastPsPerByte(uint32_t link) const
{
    return std::min(PsPerByte(link, false), PsPerByte(link, true));
}

double
LinkTimes::MostPsPerByte(uint32_t link) const
{
    return std::max(PsPerByte(link, false), PsPerByte(link, true));
}

double
LinkTimes::DelayPs(uint32_t link) const
{
    return static_cast<double>(m_graph.Links()[link].delayPs.value_or(m_parameters.linkDelayPs));
}

double
LinkTimes::EmptyPs(uint32_t source) const
{
    constexpr double LEAST = 1; // a delay of 0 takes a picosecond, too
    return 2 * std::max(LEAST, DelayPs(m_graph.LinkAt({true, source, 0})));
}

} // namespace aifabric
} // namespace ns3
