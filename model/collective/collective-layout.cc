/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-layout.h"

#include "ns3/flow.h"
#include "ns3/make-object.h"
#include "ns3/part-of.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ns3
{
namespace aifabric
{

namespace
{

/// What a rank sends or receives.
struct Load
{
    uint64_t bytes{0};     //!< in the fabric
    uint64_t packets{0};   //!< in the fabric
    uint64_t nodeBytes{0}; //!< within nodes
};

/// Add the loads of all ranks to an extent.  @param sent by rank  @param received by rank
void
SumUp(const std::vector<Load>& sent, const std::vector<Load>& received, CollectiveExtent& extent)
{
    for (std::size_t rank = 0; rank < sent.size(); ++rank)
    {
        extent.bytes += sent[rank].bytes;
        extent.packets += sent[rank].packets;
        extent.mostBytes = std::max({extent.mostBytes, sent[rank].bytes, received[rank].bytes});
        extent.mostPackets =
            std::max({extent.mostPackets, sent[rank].packets, received[rank].packets});
        extent.mostNodeBytes =
            std::max({extent.mostNodeBytes, sent[rank].nodeBytes, received[rank].nodeBytes});
    }
}

/// Add the loads of NICs that ranks share to an extent.  @param loads what ranks send, or receive
/// @param nics by rank
void
SumUpNics(const std::vector<Load>& loads,
          const std::vector<uint32_t>& nics,
          CollectiveExtent& extent)
{
    std::map<uint32_t, Load> sums; // by NIC
    for (std::size_t rank = 0; rank < nics.size(); ++rank)
    {
        Load& sum = sums[nics[rank]];
        sum.bytes += loads[rank].bytes;
        sum.packets += loads[rank].packets;
        extent.mostNicBytes = std::max(extent.mostNicBytes, sum.bytes);
        extent.mostNicPackets = std::max(extent.mostNicPackets, sum.packets);
    }
}

} // namespace

CollectiveLayout::CollectiveLayout(const CollectiveSpec& spec)
    : m_channels(spec.channels),
      m_parts(spec.parts),
      m_nics(spec.nics)
{
    m_algorithm = MakeObject<CollectiveAlgorithm>(spec.algorithm, "CollectiveSpec::algorithm");
    if (spec.chunks)
    {
        m_algorithm->SetChunks(*spec.chunks);
    }
    const auto ranks = static_cast<uint32_t>(spec.hosts.size());
    m_algorithm->Prepare(spec.kind, ranks, spec.root, spec.nodes);
    m_bytes = BlockBytes(spec.kind, ranks, spec.bytes);
    if (spec.chunkBytes && m_algorithm->IsChunked())
    {
        Chunk(*spec.chunkBytes, m_algorithm->UsesNodeSwitch() ? spec.nodeChunkBytes : 0);
    }
    m_lanes = m_algorithm->CountLanes();
    m_blocks = m_algorithm->CountBlocks();
    ReadProtocol(spec);
}

void
CollectiveLayout::ReadProtocol(const CollectiveSpec& spec)
{
    if (!spec.protocol)
    {
        return;
    }
    const auto protocol =
        MakeObject<CollectiveProtocol>(*spec.protocol, "CollectiveSpec::protocol");
    const RankShape shape = RankNodes(m_algorithm->GetRanks(), spec.nodes).GetShape();
    m_cost = protocol->CostOf(m_algorithm->IsTree(), shape);
    const double most = protocol->GetMostBandwidth(1);
    if (shape.nodes == 1 && most > 0 && spec.travel.nodeRate > 0)
    {
        m_cost.efficiency = std::min(m_cost.efficiency, most / spec.travel.nodeRate);
    }
    if (m_algorithm->UsesNodeSwitch())
    {
        const int64_t travelPs = (spec.kind == CollectiveKind::ALL_REDUCE ? 2 : 1) * // sum and copy
                                 spec.travel.nodePs;
        m_cost.basePs = std::max<int64_t>(0, protocol->GetSwitchPs() - travelPs);
        m_cost.nodePs = 0;
    }
    m_cost.nodePs = std::max<int64_t>(0, m_cost.nodePs - spec.travel.nodePs);
    m_cost.networkPs = std::max<int64_t>(0, m_cost.networkPs - spec.travel.networkPs);
}

void
CollectiveLayout::Chunk(uint64_t bytes, uint64_t nodeBytes)
{
    m_algorithm->SetChunks(1);
    const uint64_t perChunk = m_channels * std::max(bytes * m_algorithm->CountLanes(), nodeBytes);
    const uint64_t most = std::min(MOST_CHUNKS, m_algorithm->GetMostChunks());
    m_algorithm->SetChunks(std::clamp<uint64_t>((m_bytes + perChunk - 1) / perChunk, 1, most));
}

bool
CollectiveLayout::IsInNode(uint32_t a, uint32_t b) const
{
    const std::vector<uint32_t>& nodes = m_algorithm->GetNodes();
    return !nodes.empty() && nodes[a] == nodes[b];
}

const CollectiveAlgorithm&
CollectiveLayout::GetAlgorithm() const
{
    return *m_algorithm;
}

uint32_t
CollectiveLayout::CountSlices() const
{
    return m_channels * m_lanes;
}

uint32_t
CollectiveLayout::LaneOf(uint32_t slice) const
{
    return slice % m_lanes;
}

uint32_t
CollectiveLayout::ChannelOf(uint32_t slice) const
{
    return slice / m_lanes;
}

CollectiveStep
CollectiveLayout::GetStep(uint32_t rank, uint32_t slice, uint32_t step) const
{
    CollectiveStep result = m_algorithm->GetStep(rank, LaneOf(slice), step);
    if (m_parts)
    {
        for (auto* messages : {&result.sends, &result.receives})
        {
            const auto isLeftOut = [this, slice](const CollectiveMessage& message) {
                return GetBytes(slice, message) == 0;
            };
            messages->erase(std::remove_if(messages->begin(), messages->end(), isLeftOut),
                            messages->end());
        }
    }
    return result;
}

uint64_t
CollectiveLayout::GetPartBytes(uint32_t slice, const CollectiveMessage& message) const
{
    const uint32_t slices = CountSlices();
    const auto first = m_parts->GetBytes().begin() + static_cast<int64_t>(message.firstBlock);
    uint64_t whole = 0;
    uint64_t bytes = 0;
    std::for_each(first, first + static_cast<int64_t>(message.blocks), [&](uint64_t part) {
        whole += part;
        bytes += PartBegin(part, slices, slice + 1) - PartBegin(part, slices, slice);
    });
    return whole == 0 ? 0 : std::max<uint64_t>(1, bytes);
}

int64_t
CollectiveLayout::GetDelayPs(uint32_t rank,
                             uint32_t slice,
                             uint32_t step,
                             const CollectiveMessage& message) const
{
    const int64_t latencyPs = IsInNode(rank, message.peer) ? m_cost.nodePs : m_cost.networkPs;
    const uint32_t window = m_algorithm->GetWindow();
    const bool isLater = window > 0 && LaneOf(slice) >= window; // it follows a lane that has paid
    return latencyPs + (step == 0 && !isLater ? m_cost.basePs : 0);
}

uint64_t
CollectiveLayout::GetBytes(uint32_t slice, const CollectiveMessage& message) const
{
    const uint64_t bytes = GetDataBytes(slice, message);
    return m_cost.efficiency < 1
               ? static_cast<uint64_t>(std::ceil(static_cast<double>(bytes) / m_cost.efficiency))
               : bytes;
}

uint64_t
CollectiveLayout::GetDataBytes(uint32_t slice, const CollectiveMessage& message) const
{
    if (m_parts)
    {
        return GetPartBytes(slice, message);
    }
    const uint32_t slices = CountSlices();
    const uint64_t own = PartBegin(m_bytes, slices, slice + 1) - PartBegin(m_bytes, slices, slice);
    const uint64_t end = PartBegin(own, m_blocks, message.firstBlock + message.blocks);
    return std::max<uint64_t>(1, end - PartBegin(own, m_blocks, message.firstBlock));
}

CollectiveExtent
CollectiveLayout::Measure(uint32_t mtu) const
{
    const uint32_t ranks = m_algorithm->GetRanks();
    CollectiveExtent extent;
    std::vector<Load> sent(ranks);
    std::vector<Load> received(ranks);
    const auto add = [this, mtu, &extent, &sent, &received](uint32_t rank, uint32_t lane) {
        std::set<uint32_t> peers;
        for (uint32_t step = 0; step < m_algorithm->CountSteps(rank, lane); ++step)
        {
            for (const CollectiveMessage& message : GetStep(rank, lane, step).sends)
            {
                const uint64_t bytes = GetBytes(lane, message);
                ++extent.messages;
                peers.insert(message.peer);
                extent.longestBytes = std::max(extent.longestBytes, bytes);
                const bool isInNode = IsInNode(rank, message.peer);
                Flow flow;
                flow.bytes = isInNode ? bytes : 0;
                flow.switched = message.switched;
                flow.isSum = message.reduces;
                sent[rank].nodeBytes += static_cast<uint64_t>(flow.GetUpBytes());
                received[message.peer].nodeBytes += static_cast<uint64_t>(flow.GetDownBytes());
                for (Load* load : {&sent[rank], &received[message.peer]})
                {
                    load->bytes += isInNode ? 0 : bytes;
                    load->packets += isInNode ? 0 : (bytes + mtu - 1) / mtu;
                }
            }
        }
        extent.pairs += peers.size();
    };
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        for (uint32_t lane = 0; lane < m_lanes; ++lane)
        {
            add(rank, lane);
        }
    }
    SumUp(sent, received, extent);
    SumUpNics(sent, m_nics, extent);
    SumUpNics(received, m_nics, extent);
    extent.longestBytes += m_channels > 1 ? 1 : 0; // other channels may have a byte more
    for (uint64_t* value : {&extent.messages,
                            &extent.pairs,
                            &extent.packets,
                            &extent.bytes,
                            &extent.mostBytes,
                            &extent.mostPackets,
                            &extent.mostNicBytes,
                            &extent.mostNicPackets,
                            &extent.mostNodeBytes})
    {
        *value *= m_channels;
    }
    return extent;
}

} // namespace aifabric
} // namespace ns3
