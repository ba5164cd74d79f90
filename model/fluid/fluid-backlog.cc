/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-backlog.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr double LINE_RATE_ROUNDING = 1e-6; //!< share of a rate

} // namespace

void
FluidBacklog::Set(uint32_t pair,
                  const std::vector<LinkShare>& way,
                  double bytes,
                  double rate,
                  uint32_t active)
{
    const LinkShare& port = way.front();
    const double lineRate = m_solver.GetRest(port.link) / (port.weight * active);
    const auto full = std::find_if(way.begin() + 1, way.end(), [this](const LinkShare& share) {
        return m_solver.IsFull(share.link);
    });
    Place& place = Take(pair);
    const bool isHeld = rate < (1 - LINE_RATE_ROUNDING) * lineRate && full != way.end();
    place.link = isHeld ? *full : LinkShare{0, 0};
    place.sent = isHeld ? bytes * (1 - rate / lineRate) : 0;
    Count(place, 1);
}

void
FluidBacklog::Add(uint32_t pair, double bytes)
{
    Place& place = Take(pair);
    place.behind += bytes;
    Count(place, 1);
}

void
FluidBacklog::Next(uint32_t pair, double bytes)
{
    Place& place = Take(pair);
    place = {{0, 0}, 0, place.behind - bytes};
}

void
FluidBacklog::Clear()
{
    m_places.clear();
    std::fill(m_waiting.begin(), m_waiting.end(), 0);
}

FluidBacklog::Place&
FluidBacklog::Take(uint32_t pair)
{
    m_places.resize(std::max<std::size_t>(m_places.size(), pair + std::size_t{1}));
    Count(m_places[pair], -1);
    return m_places[pair];
}

void
FluidBacklog::Count(const Place& place, double sign)
{
    double& waiting = m_waiting[place.link.link];
    waiting += sign * place.link.weight * (place.sent + place.behind);
    m_most = std::max(m_most, waiting);
}

} // namespace aifabric
} // namespace ns3
