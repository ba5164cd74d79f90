/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "entropy-set.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return a share of a number for each plane, at least 1
uint32_t
ShareOf(uint32_t number, uint32_t planes)
{
    return std::max(1U, number / planes);
}

} // namespace

EntropySet::EntropySet(const Parameters& parameters,
                       const UniformInteger& uniform,
                       const EvProfile* profile)
    : m_parameters(parameters),
      m_slots(
          profile
              ? profile->GetSlots()
              : std::min({ShareOf(parameters.total, parameters.planes), parameters.paths, MOST})),
      m_target(std::min(ShareOf(parameters.active, parameters.planes), m_slots)),
      m_least(std::min(ShareOf(parameters.leastActive > 0 ? parameters.leastActive
                                                          : parameters.planes * m_slots / 4,
                               parameters.planes),
                       m_target)),
      m_seed(uniform(UINT32_MAX)),
      m_profile(profile),
      m_planes(parameters.planes, {static_cast<uint16_t>(m_target), 0, 0}),
      m_order(parameters.planes * m_slots),
      m_states((parameters.planes * m_slots + 3) / 4, 0)
{
    for (uint32_t plane = 0; plane < parameters.planes; ++plane)
    {
        uint8_t* const order = GetOrder(plane);
        std::iota(order, order + m_slots, 0);
        uint32_t slot = profile && profile->IsOrdered() ? m_target : 0;
        for (; profile && slot < m_slots; ++slot)
        {
            std::swap(order[slot], order[slot + uniform(m_slots - slot)]);
        }
    }
}

std::size_t
EntropySet::GetBytes() const
{
    return sizeof(*this) + m_planes.capacity() * sizeof(Plane) + m_order.capacity() +
           m_states.capacity();
}

std::optional<EntropySet::Entry>
EntropySet::Find(uint32_t plane, uint32_t path) const
{
    if (plane >= m_parameters.planes || path >= m_parameters.paths)
    {
        return std::nullopt;
    }
    const uint32_t slot = m_profile ? m_profile->Find(plane, path).value_or(m_slots)
                                    : GetPermutation(plane).Invert(path);
    if (slot >= m_slots)
    {
        return std::nullopt;
    }
    return Entry{static_cast<uint16_t>(plane), static_cast<uint16_t>(slot)};
}

EntropySet::State
EntropySet::GetState(Entry entry) const
{
    const uint32_t index = entry.plane * m_slots + entry.slot;
    return static_cast<State>(m_states[index / 4] >> 2 * (index % 4) & 3);
}

EntropySet::Counts
EntropySet::Count(uint16_t plane) const
{
    Counts counts;
    counts.active = CountActive(plane);
    for (uint32_t slot = 0; slot < m_slots; ++slot)
    {
        ++counts.states[static_cast<std::size_t>(GetState({plane, static_cast<uint16_t>(slot)}))];
    }
    return counts;
}

void
EntropySet::SetState(Entry entry, State state)
{
    const uint32_t index = entry.plane * m_slots + entry.slot;
    const uint32_t shift = 2 * (index % 4);
    uint8_t& states = m_states[index / 4];
    states = (states & ~(3U << shift)) | static_cast<uint32_t>(state) << shift;
}

uint32_t
EntropySet::FindPlace(Entry entry)
{
    const uint8_t* order = GetOrder(entry.plane);
    return std::find(order, order + m_slots, entry.slot) - order;
}

std::optional<EntropySet::Entry>
EntropySet::Choose(uint32_t freePlanes, uint32_t alivePlanes, const UniformInteger& uniform)
{
    const uint32_t planes = m_parameters.planes;
    uint32_t candidates = 0;
    uint32_t least = UINT32_MAX;
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        if (alivePlanes >> plane & 1 && m_planes[plane].active > 0)
        {
            candidates |= 1U << plane;
            least = std::min(least, m_planes[plane].sent);
        }
    }
    candidates &= freePlanes;
    while (candidates != 0)
    {
        std::optional<uint16_t> best;
        for (uint32_t step = 1; step <= planes; ++step)
        {
            const uint16_t plane = (m_last + step) % planes;
            if (candidates >> plane & 1 && (!best || m_planes[plane].sent < m_planes[*best].sent))
            {
                best = plane;
            }
        }
        if (m_planes[*best].sent >= least + m_parameters.planeLead)
        {
            return std::nullopt; // a plane that is not free has fallen behind
        }
        const std::optional<Entry> entry = Rotate(*best, uniform);
        if (entry)
        {
            CountSent(*best, alivePlanes);
            return entry;
        }
        candidates &= ~(1U << *best);
    }
    return std::nullopt;
}

std::optional<EntropySet::Entry>
EntropySet::ChooseControl(uint32_t alivePlanes, const UniformInteger& uniform)
{
    for (uint32_t step = 0; step < m_parameters.planes; ++step)
    {
        m_lastControl = (m_lastControl + 1) % m_parameters.planes;
        if (alivePlanes >> m_lastControl & 1 && m_planes[m_lastControl].active > 0)
        {
            if (const std::optional<Entry> entry = Rotate(m_lastControl, uniform))
            {
                return entry;
            }
        }
    }
    return std::nullopt;
}

std::optional<EntropySet::Entry>
EntropySet::ChooseDenied(uint32_t freePlanes, uint32_t alivePlanes)
{
    const uint32_t planes = m_parameters.planes;
    std::optional<uint16_t> next;
    for (uint32_t step = planes; step > 0; --step)
    {
        const uint16_t plane = (m_last + step) % planes;
        if (!(alivePlanes >> plane & 1))
        {
            continue;
        }
        if (m_planes[plane].active > 0)
        {
            return std::nullopt;
        }
        next = freePlanes >> plane & 1 ? plane : next;
    }
    if (!next)
    {
        return std::nullopt;
    }
    m_last = *next;
    Plane& plane = m_planes[*next];
    plane.turn = plane.turn + 1U < m_slots ? plane.turn + 1 : 0;
    return Entry{*next, plane.turn};
}

std::optional<EntropySet::Entry>
EntropySet::Rotate(uint16_t number, const UniformInteger& uniform)
{
    Plane& plane = m_planes[number];
    uint8_t* order = GetOrder(number);
    bool hasRestored = false;
    for (uint32_t step = 0; step < 2U * plane.active; ++step)
    {
        if (plane.turn >= plane.active)
        {
            plane.turn = 0;
        }
        std::swap(order[plane.turn], order[plane.turn + uniform(plane.active - plane.turn)]);
        const Entry entry{number, order[plane.turn++]};
        const State state = GetState(entry);
        if (state == State::GOOD)
        {
            return entry;
        }
        if (state == State::SKIP && !hasRestored)
        {
            SetState(entry, State::GOOD);
            hasRestored = true;
        }
    }
    return std::nullopt;
}

void
EntropySet::CountSent(uint32_t plane, uint32_t alivePlanes)
{
    m_last = plane;
    ++m_planes[plane].sent;
    // A plane that is not alive keeps up with the others, so that it does not have to catch up.
    uint32_t least = UINT32_MAX;
    for (uint32_t other = 0; other < m_parameters.planes; ++other)
    {
        if (alivePlanes >> other & 1 && m_planes[other].active > 0)
        {
            least = std::min(least, m_planes[other].sent);
        }
    }
    for (uint32_t other = 0; other < m_parameters.planes; ++other)
    {
        Plane& each = m_planes[other];
        each.sent = std::max(each.sent, least) - least;
    }
}

void
EntropySet::Skip(Entry entry)
{
    Plane& plane = m_planes[entry.plane];
    const uint32_t place = FindPlace(entry);
    if (place >= plane.active)
    {
        return; // it has no turns
    }
    uint8_t* const backup = m_parameters.swapsOnSkip ? FindBackup(entry.plane) : nullptr;
    if (backup)
    {
        uint8_t* const order = GetOrder(entry.plane);
        std::swap(order[place], *backup);
        std::rotate(backup, backup + 1, order + m_slots); // the last of the backups from now on
    }
    else
    {
        SetState(entry, State::SKIP);
    }
}

uint8_t*
EntropySet::FindBackup(uint16_t plane)
{
    uint8_t* const end = GetOrder(plane) + m_slots;
    uint8_t* const backup =
        std::find_if(GetOrder(plane) + m_planes[plane].active, end, [this, plane](uint16_t slot) {
            return GetState({plane, slot}) == State::GOOD;
        });
    return backup == end ? nullptr : backup;
}

bool
EntropySet::Withdraw(Entry entry, State state, uint32_t least)
{
    Plane& plane = m_planes[entry.plane];
    uint8_t* order = GetOrder(entry.plane);
    const uint32_t place = FindPlace(entry);
    if (place < plane.active)
    {
        if (uint8_t* const backup = FindBackup(entry.plane))
        {
            std::swap(order[place], *backup);
        }
        else if (plane.active > least)
        {
            std::swap(order[place], order[--plane.active]);
        }
        else
        {
            return false;
        }
    }
    SetState(entry, state);
    return true;
}

bool
EntropySet::HasOther(uint32_t plane, uint32_t alivePlanes) const
{
    for (uint32_t other = 0; other < m_parameters.planes; ++other)
    {
        if (other != plane && alivePlanes >> other & 1 && m_planes[other].active > 0)
        {
            return true;
        }
    }
    return false;
}

bool
EntropySet::Retire(Entry entry, uint32_t least)
{
    const State state = GetState(entry);
    if (state == State::ASSUMED_BAD || state == State::DENIED)
    {
        return false;
    }
    if (Withdraw(entry, State::ASSUMED_BAD, least))
    {
        return true;
    }
    SetState(entry, State::SKIP);
    return false;
}

void
EntropySet::Deny(Entry entry)
{
    Withdraw(entry, State::DENIED, 0);
}

bool
EntropySet::Restore(Entry entry)
{
    const State state = GetState(entry);
    if (state != State::ASSUMED_BAD && state != State::DENIED)
    {
        return false;
    }
    SetState(entry, State::GOOD);
    Plane& plane = m_planes[entry.plane];
    if (plane.active < m_target)
    {
        uint8_t* order = GetOrder(entry.plane);
        std::swap(order[FindPlace(entry)], order[plane.active++]);
    }
    return true;
}

} // namespace aifabric
} // namespace ns3
