/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-run.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

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
      m_done(std::move(done)),
      m_ranks(spec.hosts.size())
{
    m_record.spec = spec;
    uint32_t steps = 0;
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        m_ranks[rank].unfinished = m_layout.CountSlices();
        for (uint32_t slice = 0; slice < m_layout.CountSlices(); ++slice)
        {
            steps = std::max(steps, CountSteps(rank, slice));
            AddMessages(rank, slice);
        }
    }
    m_end = m_service->GetRecords().size();
    m_record.steps.resize(steps);
}

uint32_t
CollectiveRun::CountSteps(uint32_t rank, uint32_t slice) const
{
    return m_layout.GetAlgorithm().CountSteps(rank, m_layout.LaneOf(slice));
}

void
CollectiveRun::AddMessages(uint32_t rank, uint32_t slice)
{
    m_first.push_back(m_service->GetRecords().size());
    m_origins.resize(m_first.back());
    for (uint32_t step = 0; step < CountSteps(rank, slice); ++step)
    {
        for (const CollectiveMessage& message : m_layout.GetStep(rank, slice, step).sends)
        {
            m_service->Add(Describe(rank, message.peer, slice, message), this);
            m_origins.push_back({m_index, slice, message.step, rank, message.peer});
        }
    }
}

Flow
CollectiveRun::Describe(uint32_t sender,
                        uint32_t receiver,
                        uint32_t slice,
                        const CollectiveMessage& message) const
{
    Flow flow;
    flow.source = m_record.spec.hosts[sender];
    flow.destination = m_record.spec.hosts[receiver];
    flow.bytes = m_layout.GetBytes(slice, message);
    flow.channel = static_cast<uint16_t>(m_layout.ChannelOf(slice));
    flow.switched = message.switched;
    flow.isSum = message.reduces;
    flow.trafficClass = m_record.spec.trafficClass;
    return flow;
}

CollectiveRecord
CollectiveRun::GetRecord() const
{
    CollectiveRecord record = m_record;
    bool isDone = true;
    for (const Rank& rank : m_ranks)
    {
        if (rank.startPs >= 0)
        {
            record.startPs = Earlier(record.startPs, rank.startPs);
        }
        isDone = isDone && rank.donePs >= 0;
        record.endPs = std::max(record.endPs, rank.donePs);
    }
    record.endPs = isDone ? record.endPs : -1;
    for (uint32_t message = m_first.front(); message < m_end; ++message)
    {
        Count(message, record);
    }
    return record;
}

void
CollectiveRun::Count(uint32_t message, CollectiveRecord& record) const
{
    const FlowRecord& what = m_service->GetRecords()[message];
    if (!what.started)
    {
        return;
    }
    CollectiveRecord::Step& step = record.steps[m_origins[message].step];
    step.firstStartPs = Earlier(step.firstStartPs, what.flow.startPs);
    if (what.received)
    {
        step.lastReceivedPs = std::max(step.lastReceivedPs, what.receivedAt.GetPicoSeconds());
    }
    ++step.messages;
    step.bytes += what.flow.bytes;
    ++record.messages;
}

void
CollectiveRun::SetExtent(const CollectiveExtent& extent)
{
    m_record.extent = extent;
}

void
CollectiveRun::Prepare(uint32_t rank)
{
    std::vector<Slice>& slices = m_ranks[rank].slices;
    if (!slices.empty())
    {
        return;
    }
    slices.resize(m_layout.CountSlices());
    for (uint32_t slice = 0; slice < slices.size(); ++slice)
    {
        slices[slice].next = m_first[std::size_t{rank} * slices.size() + slice];
        slices[slice].arrived.resize(CountSteps(rank, slice));
    }
}

void
CollectiveRun::Start(uint32_t rank)
{
    Prepare(rank);
    m_ranks[rank].startPs = FabricClock::Now();
    if (m_service->TakesReceives())
    {
        PostReceives(rank);
    }
    const uint32_t window = m_layout.GetAlgorithm().GetWindow();
    for (uint32_t slice = 0; slice < m_layout.CountSlices(); ++slice)
    {
        if (window == 0 || m_layout.LaneOf(slice) < window)
        {
            Proceed(rank, slice);
        }
    }
    CheckDone(rank);
}

void
CollectiveRun::PostReceives(uint32_t rank)
{
    for (uint32_t slice = 0; slice < m_layout.CountSlices(); ++slice)
    {
        for (uint32_t step = 0; step < CountSteps(rank, slice); ++step)
        {
            for (const CollectiveMessage& message : m_layout.GetStep(rank, slice, step).receives)
            {
                m_service->PostReceive(Describe(message.peer, rank, slice, message));
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
        m_ranks[rank].unacknowledged += step.sends.size();
        for (const CollectiveMessage& message : step.sends)
        {
            Send(state.next++, m_layout.GetDelayPs(rank, slice, state.step, message));
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
CollectiveRun::Send(uint32_t message, int64_t delayPs)
{
    if (delayPs == 0)
    {
        m_service->StartNow(message);
        return;
    }
    Simulator::Schedule(FabricClock::Until(FabricClock::Now() + delayPs),
                        &MessageService::StartNow,
                        PeekPointer(m_service), // no count: hosts may run on several threads
                        message);
}

void
CollectiveRun::MessageReceived(uint32_t message)
{
    const MessageOrigin& origin = m_origins[message];
    Prepare(origin.receiver);
    const Rank& rank = m_ranks[origin.receiver];
    Slice& slice = m_ranks[origin.receiver].slices[origin.slice];
    ++slice.arrived[origin.step];
    if (rank.startPs >= 0 && origin.step == slice.step &&
        slice.arrived[slice.step] == slice.awaited)
    {
        ++slice.step;
        Proceed(origin.receiver, origin.slice);
        CheckDone(origin.receiver);
    }
}

void
CollectiveRun::MessageCompleted(uint32_t message)
{
    const auto& [collective, slice, step, rank, receiver] = m_origins[message];
    --m_ranks[rank].unacknowledged;
    const CollectiveAlgorithm& algorithm = m_layout.GetAlgorithm();
    const uint32_t window = algorithm.GetWindow();
    const std::size_t place = std::size_t{rank} * m_layout.CountSlices() + slice;
    if (window > 0 && message == m_first[place] &&
        m_layout.LaneOf(slice) + window < algorithm.CountLanes())
    {
        Proceed(rank, slice + window);
    }
    CheckDone(rank);
}

void
CollectiveRun::CheckDone(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    if (state.startPs < 0 || state.unfinished > 0 || state.unacknowledged > 0)
    {
        return;
    }
    state.slices = {};
    state.donePs = FabricClock::Now();
    m_done(rank);
}

} // namespace aifabric
} // namespace ns3
