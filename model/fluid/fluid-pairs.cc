/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-pairs.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{
namespace aifabric
{

std::pair<uint32_t, bool>
FluidPairs::Find(const Flow& flow)
{
    const Line line(flow.source, flow.destination, flow.channel, flow.trafficClass, flow.ordered);
    const auto [found, isNew] = m_numbers.try_emplace(line, static_cast<uint32_t>(m_pairs.size()));
    if (isNew)
    {
        Make(flow);
    }
    return {found->second, isNew};
}

uint32_t
FluidPairs::Make(const Flow& flow)
{
    FluidPair& made = m_pairs.emplace_back();
    made.source = flow.source;
    made.destination = flow.destination;
    made.links = m_graph.PathLinks(flow.source, flow.destination);
    return m_pairs.size() - 1;
}

bool
FluidPairs::Add(uint32_t message, uint32_t number)
{
    m_messages.resize(std::max<std::size_t>(m_messages.size(), message + std::size_t{1}));
    m_messages[message] = {number, FluidPair::NONE, 0, 0, false};
    FluidPair& pair = m_pairs[number];
    const bool isFirst = pair.first == FluidPair::NONE;
    (isFirst ? pair.first : m_messages[pair.last].next) = message;
    pair.last = message;
    return isFirst;
}

uint32_t
FluidPairs::AddPiece(uint32_t message, uint64_t bytes, uint32_t lane)
{
    NS_ABORT_MSG_IF(lane > UINT16_MAX, "FluidPairs: there are too many queue pairs");
    Flow flow = m_service->GetFlow(message);
    flow.bytes = bytes;
    flow.channel = static_cast<uint16_t>(lane);
    m_pieces.push_back({flow, message});
    return m_pieces.size() - 1;
}

uint32_t
FluidPairs::RemoveFirst(uint32_t number)
{
    FluidPair& pair = m_pairs[number];
    pair.first = m_messages[pair.first].next;
    return pair.first;
}

void
FluidPairs::Clear()
{
    m_numbers.clear();
    m_pairs.clear();
    m_pieces.clear();
}

} // namespace aifabric
} // namespace ns3
