/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-run.h"

#include "ns3/fabric-clock.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the earlier of two times, in picoseconds  @param first negative: there is none
int64_t
Earlier(int64_t first, int64_t second)
{
    return first < 0 ? second : std::min(first, second);
}

} // namespace

CollectiveRun::CollectiveRun(const CollectiveSpec& spec,
                             uint32_t index,
                             Ptr<MessageService> service,
                             std::vector<MessageOrigin>& origins,
                             RankDone done)
    : m_layout(spec),
      m_index(index),
      m_service(service),
      m_origins(origins),
      m_done(std::move(done))
{
    m_record.spec = spec;
    const auto ranks = static_cast<uint32_t>(spec.hosts.size());
    const uint32_t slices = m_layout.CountSlices();
    m_busy = ranks;
    m_ranks.resize(ranks);
    uint32_t steps = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_ranks[rank].unfinished = slices;
        m_ranks[rank].slices.resize(slices);
        for (uint32_t slice = 0; slice < slices; ++slice)
        {
            const uint32_t count = m_layout.GetAlgorithm().CountSteps(rank, m_layout.LaneOf(slice));
            m_ranks[rank].slices[slice].arrived.resize(count);
            steps = std::max(steps, count);
        }
    }
    m_record.steps.resize(steps);
}

const CollectiveRecord&
CollectiveRun::GetRecord() const
{
    return m_record;
}

void
CollectiveRun::SetExtent(const CollectiveExtent& extent)
{
    m_record.extent = extent;
}

void
CollectiveRun::Start(uint32_t rank)
{
    m_record.startPs = Earlier(m_record.startPs, FabricClock::Now());
    m_ranks[rank].started = true;
    if (m_service->TakesReceives())
    {
        PostReceives(rank);
    }
    for (uint32_t slice = 0; slice < m_layout.CountSlices(); ++slice)
    {
        Proceed(rank, slice);
    }
    CheckDone(rank);
}

void
CollectiveRun::PostReceives(uint32_t rank)
{
    const CollectiveSpec& spec = m_record.spec;
    for (uint32_t slice = 0; slice < m_layout.CountSlices(); ++slice)
    {
        for (uint32_t step = 0; step < m_ranks[rank].slices[slice].arrived.size(); ++step)
        {
            for (const CollectiveMessage& message : m_layout.GetStep(rank, slice, step).receives)
            {
                Flow flow;
                flow.source = spec.hosts[message.peer];
                flow.destination = spec.hosts[rank];
                flow.bytes = m_layout.GetBytes(slice, message);
                flow.channel = static_cast<uint16_t>(m_layout.ChannelOf(slice));
                m_service->PostReceive(flow);
            }
        }
    }
}

void
CollectiveRun::Proceed(uint32_t rank, uint32_t slice)
{
    Slice& state = m_ranks[rank].slices[slice];
    while (state.step < state.arrived.size())
    {
        const CollectiveStep step = m_layout.GetStep(rank, slice, state.step);
        state.awaited = static_cast<uint32_t>(step.receives.size());
        for (const CollectiveMessage& message : step.sends)
        {
            Send(rank, slice, message);
        }
        if (state.arrived[state.step] < state.awaited)
        {
            return;
        }
        ++state.step;
    }
    --m_ranks[rank].unfinished;
}

void
CollectiveRun::Send(uint32_t rank, uint32_t slice, const CollectiveMessage& message)
{
    const CollectiveSpec& spec = m_record.spec;
    Flow flow;
    flow.startPs = FabricClock::Now();
    flow.source = spec.hosts[rank];
    flow.destination = spec.hosts[message.peer];
    flow.bytes = m_layout.GetBytes(slice, message);
    flow.channel = static_cast<uint16_t>(m_layout.ChannelOf(slice));
    const uint32_t number = m_service->Add(flow, this);
    m_origins.resize(number + 1);
    m_origins[number] = {m_index, slice, message.step, rank, message.peer};
    CollectiveRecord::Step& step = m_record.steps[message.step];
    step.firstStartPs = Earlier(step.firstStartPs, flow.startPs);
    ++step.messages;
    step.bytes += flow.bytes;
    ++m_record.messages;
    ++m_ranks[rank].unacknowledged;
    m_service->Start(number);
}

void
CollectiveRun::MessageReceived(uint32_t message)
{
    const MessageOrigin origin = m_origins[message];
    int64_t& last = m_record.steps[origin.step].lastReceivedPs;
    last = std::max(last, FabricClock::Now());
    Rank& rank = m_ranks[origin.receiver];
    Slice& slice = rank.slices[origin.slice];
    ++slice.arrived[origin.step];
    if (rank.started && origin.step == slice.step && slice.arrived[slice.step] == slice.awaited)
    {
        ++slice.step;
        Proceed(origin.receiver, origin.slice);
        CheckDone(origin.receiver);
    }
}

void
CollectiveRun::MessageCompleted(uint32_t message)
{
    const uint32_t rank = m_origins[message].sender;
    --m_ranks[rank].unacknowledged;
    CheckDone(rank);
}

void
CollectiveRun::CheckDone(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    if (!state.started || state.unfinished > 0 || state.unacknowledged > 0)
    {
        return;
    }
    state.slices.clear();
    m_lastDonePs = std::max(m_lastDonePs, FabricClock::Now());
    if (--m_busy == 0)
    {
        m_record.endPs = m_lastDonePs;
    }
    m_done(rank);
}

} // namespace aifabric
} // namespace ns3
