/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "conweave-source.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

bool
ConweaveSource::State::Locate(const EgressGroup& group)
{
    if (place < group.members.size() && group.members[place] == port)
    {
        return true;
    }
    const auto found = std::find(group.members.begin(), group.members.end(), port);
    place = found - group.members.begin();
    return found != group.members.end();
}

void
ConweaveSource::Resize(const Parameters& parameters)
{
    m_parameters = parameters;
    m_flows.Resize(parameters.slots);
    m_busyUntil.assign(uint64_t{parameters.leaves} * parameters.uplinks, 0);
}

ConweaveTag
ConweaveSource::PacketArrives(const LeafFlow& flow, int64_t now)
{
    // longer than the last leaf keeps the epoch of a flow that it does not see
    const auto slot = m_flows.FindOrAdd(flow, now, 2 * m_parameters.inactive);
    ConweaveTag tag{};
    if (!slot)
    {
        ++m_counters.untracked;
        return tag;
    }
    State& state = slot->state;
    const bool isExpired = now - slot->lastSeen > m_parameters.inactive;
    slot->lastSeen = now;
    tag.sentNs = now / ConweaveTag::PS_PER_NS;
    tag.kind = ConweaveTag::DATA;
    if (isExpired || state.isOver)
    {
        tag.kind = ConweaveTag::REQUEST;
        ++state.epoch;
        state.isRerouted = false;
        state.isOver = false;
        state.isToMove |= isExpired;
        state.deadline = now + m_parameters.reply;
        ++m_counters.requests;
    }
    tag.isRerouted = state.isRerouted;
    if (!state.isRerouted && now > state.deadline)
    {
        tag.kind = ConweaveTag::TAIL;
        state.tailNs = tag.sentNs;
        state.isRerouted = true;
        state.isToMove = true;
        ++m_counters.reroutes;
    }
    tag.tailNs = state.isRerouted ? state.tailNs : 0;
    tag.epoch = state.epoch;
    return tag;
}

std::optional<uint32_t>
ConweaveSource::Draw(uint32_t leaf,
                     const EgressGroup& group,
                     uint32_t firstUp,
                     int64_t now,
                     UniformRandomVariable& random) const
{
    for (uint32_t i = 0; i < 2; ++i)
    {
        const uint32_t place = random.GetInteger(0, group.members.size() - 1);
        const uint32_t uplink = group.ports[place] - firstUp;
        if (m_busyUntil[leaf * m_parameters.uplinks + uplink] <= now)
        {
            return place;
        }
    }
    return std::nullopt;
}

std::optional<uint32_t>
ConweaveSource::Choose(const LeafFlow& flow,
                       bool isTail,
                       uint32_t leaf,
                       const EgressGroup& group,
                       uint32_t firstUp,
                       int64_t now,
                       UniformRandomVariable& random)
{
    const auto slot = m_flows.Find(flow);
    if (!slot)
    {
        return std::nullopt;
    }
    State& state = slot->state;
    const bool hasPath = state.Locate(group);
    if (hasPath && (isTail || !state.isToMove))
    {
        return state.place;
    }
    state.isToMove = isTail;
    const std::optional<uint32_t> drawn = Draw(leaf, group, firstUp, now, random);
    if (drawn || !hasPath)
    {
        const uint32_t last = group.members.size() - 1;
        const uint32_t place = drawn ? *drawn : random.GetInteger(0, last);
        m_counters.moves += state.port && group.members[place] != state.port;
        state.place = place;
        state.port = group.members[place];
    }
    return state.place;
}

void
ConweaveSource::ControlArrives(const LeafFlow& flow,
                               uint32_t leaf,
                               const ConweaveTag& tag,
                               int64_t now)
{
    if (tag.kind == ConweaveTag::NOTIFY)
    {
        if (tag.uplink < m_parameters.uplinks)
        {
            m_busyUntil[leaf * m_parameters.uplinks + tag.uplink] = now + m_parameters.busy;
        }
        return;
    }
    const auto slot = m_flows.Find(flow);
    if (!slot || slot->state.epoch != tag.epoch)
    {
        return;
    }
    State& state = slot->state;
    if (tag.kind == ConweaveTag::CLEAR && state.isRerouted)
    {
        state.isOver = true;
        ++m_counters.clears;
    }
    if (tag.kind == ConweaveTag::REPLY && !state.isRerouted && now <= state.deadline)
    {
        state.isOver = true;
        ++m_counters.replies;
    }
}

} // namespace aifabric
} // namespace ns3
