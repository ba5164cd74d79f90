/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "conweave-sink.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return what the first leaf is to be sent for a packet
ConweaveTag::Kind
FindAnswer(const ConweaveTag& tag)
{
    switch (tag.kind)
    {
    case ConweaveTag::REQUEST:
        return ConweaveTag::REPLY;
    case ConweaveTag::TAIL:
        return ConweaveTag::CLEAR;
    default:
        return ConweaveTag::NONE;
    }
}

} // namespace

void
ConweaveSink::Resize(const Parameters& parameters)
{
    m_parameters = parameters;
    m_flows.Resize(parameters.slots);
    m_queues.assign(uint64_t{parameters.ports} * parameters.queues, {});
}

int64_t
ConweaveSink::GetGap(uint32_t tailNs, uint32_t sentNs)
{
    const auto gap = static_cast<int32_t>(tailNs - sentNs); // they wrap around
    return ConweaveTag::PS_PER_NS * std::max(gap, 0);
}

ConweaveSink::Decision
ConweaveSink::PacketArrives(const LeafFlow& flow,
                            uint32_t port,
                            const ConweaveTag& tag,
                            int64_t now)
{
    Decision decision;
    decision.answer = FindAnswer(tag);
    const auto slot = m_flows.FindOrAdd(flow, now, m_parameters.inactive);
    if (!slot)
    {
        ++m_counters.untracked;
        return decision;
    }
    State& state = slot->state;
    const bool isExpired = now - slot->lastSeen > m_parameters.inactive;
    slot->lastSeen = now;
    const auto ahead = static_cast<int8_t>(tag.epoch - state.epoch); // they wrap around
    if (ahead < 0 && !isExpired)
    {
        decision.answer = ConweaveTag::NONE; // it is too late for one
        return decision;
    }
    if (ahead != 0)
    {
        decision.released = FreeQueue(state);
        state.epoch = tag.epoch;
        state.hasOld = false;
        state.isRerouted = false;
    }
    if (tag.isRerouted)
    {
        ReroutedArrives(state, port, tag, now, decision);
    }
    else
    {
        OldArrives(state, tag, now, decision);
    }
    return decision;
}

void
ConweaveSink::OldArrives(State& state, const ConweaveTag& tag, int64_t now, Decision& decision)
{
    state.hasOld = true;
    state.oldSentNs = tag.sentNs;
    state.oldReceived = now;
    if (tag.kind == ConweaveTag::TAIL)
    {
        state.isRerouted = true;
        const uint32_t queue = FreeQueue(state);
        if (queue != NO_QUEUE)
        {
            decision.verdict = {ArrivalVerdict::RELEASE, queue};
        }
    }
    else if (state.queue != NO_QUEUE)
    {
        m_queues[state.queue].deadline =
            now + GetGap(state.tailNs, tag.sentNs) + m_parameters.extra;
        decision.timed = state.queue;
    }
}

void
ConweaveSink::ReroutedArrives(State& state,
                              uint32_t port,
                              const ConweaveTag& tag,
                              int64_t now,
                              Decision& decision)
{
    state.tailNs = tag.tailNs;
    if (state.isRerouted)
    {
        return;
    }
    if (state.queue == NO_QUEUE)
    {
        const int64_t due = state.hasOld ? state.oldReceived + GetGap(tag.tailNs, state.oldSentNs)
                                         : now + m_parameters.fallback;
        if (due + m_parameters.extra > now)
        {
            TakeQueue(state, port);
        }
        if (state.queue == NO_QUEUE)
        {
            state.isRerouted = true;
            return;
        }
        m_queues[state.queue].deadline = due + m_parameters.extra;
        decision.timed = state.queue;
    }
    ++m_counters.held;
    decision.verdict = {ArrivalVerdict::HOLD, state.queue};
}

void
ConweaveSink::TakeQueue(State& state, uint32_t port)
{
    const auto first = m_queues.begin() + static_cast<int64_t>(port) * m_parameters.queues;
    const auto end = first + m_parameters.queues;
    const auto free = std::find_if(first, end, [](const Queue& queue) { return !queue.user; });
    if (free == end)
    {
        ++m_counters.overflows;
        return;
    }
    free->user = &state;
    state.queue = free - m_queues.begin();
    const uint32_t used = std::count_if(first, end, [](const Queue& queue) { return queue.user; });
    m_counters.maxQueues = std::max(m_counters.maxQueues, used);
}

uint32_t
ConweaveSink::FreeQueue(State& state)
{
    const uint32_t queue = state.queue;
    if (queue != NO_QUEUE)
    {
        m_queues[queue] = {};
        state.queue = NO_QUEUE;
    }
    return queue;
}

void
ConweaveSink::TimeOut(uint32_t queue)
{
    State& state = *m_queues[queue].user;
    state.isRerouted = true;
    FreeQueue(state);
    ++m_counters.timeouts;
}

} // namespace aifabric
} // namespace ns3
