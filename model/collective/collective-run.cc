/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-run.h"

#include "part-of.h"

#include "ns3/fabric-clock.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

CollectiveRun::CollectiveRun(const CollectiveSpec& spec,
                             uint32_t index,
                             Ptr<MessageService> service,
                             std::vector<MessageOrigin>& origins,
                             RankDone done)
    : m_index(index),
      m_service(service),
      m_origins(origins),
      m_done(std::move(done))
{
    m_record.spec = spec;
    ObjectFactory factory;
    factory.SetTypeId(spec.algorithm);
    m_algorithm = factory.Create<CollectiveAlgorithm>();
    const auto ranks = static_cast<uint32_t>(spec.hosts.size());
    m_algorithm->Prepare(spec.kind, ranks, spec.root);
    m_lanes = m_algorithm->CountLanes();
    m_slices = spec.channels * m_lanes;
    m_blocks = m_algorithm->CountBlocks();
    m_busy = ranks;
    m_ranks.resize(ranks);
    uint32_t steps = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_ranks[rank].unfinished = m_slices;
        m_ranks[rank].slices.resize(m_slices);
        for (uint32_t slice = 0; slice < m_slices; ++slice)
        {
            const uint32_t count = m_algorithm->CountSteps(rank, slice % m_lanes);
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
CollectiveRun::Start(uint32_t rank)
{
    if (m_record.startPs < 0)
    {
        m_record.startPs = FabricClock::Now();
    }
    m_ranks[rank].started = true;
    for (uint32_t slice = 0; slice < m_slices; ++slice)
    {
        Proceed(rank, slice);
    }
    CheckDone(rank);
}

void
CollectiveRun::Proceed(uint32_t rank, uint32_t slice)
{
    Slice& state = m_ranks[rank].slices[slice];
    while (state.step < state.arrived.size())
    {
        const CollectiveStep step = m_algorithm->GetStep(rank, slice % m_lanes, state.step);
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
    const auto ranks = static_cast<uint32_t>(spec.hosts.size());
    const uint64_t all = BlockBytes(spec.kind, ranks, spec.bytes);
    const uint64_t own = PartBegin(all, m_slices, slice + 1) - PartBegin(all, m_slices, slice);
    const uint64_t bytes = PartBegin(own, m_blocks, message.firstBlock + message.blocks) -
                           PartBegin(own, m_blocks, message.firstBlock);
    Flow flow;
    flow.startPs = FabricClock::Now();
    flow.source = spec.hosts[rank];
    flow.destination = spec.hosts[message.peer];
    flow.bytes = std::max<uint64_t>(1, bytes);
    flow.channel = static_cast<uint16_t>(slice / m_lanes);
    const uint32_t number = m_service->Add(flow, this);
    m_origins.resize(number + 1);
    m_origins[number] = {m_index, slice, message.step, rank, message.peer};
    CollectiveRecord::Step& step = m_record.steps[message.step];
    step.firstStartPs = step.messages == 0 ? flow.startPs : step.firstStartPs;
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
    m_record.steps[origin.step].lastReceivedPs = FabricClock::Now();
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
    if (--m_busy == 0)
    {
        m_record.endPs = FabricClock::Now();
    }
    m_done(rank);
}

} // namespace aifabric
} // namespace ns3
