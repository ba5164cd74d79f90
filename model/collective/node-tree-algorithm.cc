/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-tree-algorithm.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t TREES = 2; //!< of a channel

} // namespace

NS_OBJECT_ENSURE_REGISTERED(NodeTreeAlgorithm);

TypeId
NodeTreeAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::NodeTreeAlgorithm")
                            .SetParent<TreeAlgorithm>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<NodeTreeAlgorithm>();
    return tid;
}

bool
NodeTreeAlgorithm::Supports(CollectiveKind kind) const
{
    return kind == CollectiveKind::ALL_REDUCE;
}

void
NodeTreeAlgorithm::DoPrepare()
{
    m_nodes = RankNodes(GetRanks(), GetNodes());
    m_trees = CreateObject<DoubleBinaryTreeAlgorithm>();
    m_trees->SetAttribute("Trees", UintegerValue(TREES));
    m_trees->Prepare(GetKind(), m_nodes.CountNodes(), 0);
}

uint32_t
NodeTreeAlgorithm::CountLanes() const
{
    return TREES * m_nodes.CountPerNode() * CollectiveAlgorithm::CountLanes();
}

uint32_t
NodeTreeAlgorithm::GetWindow() const
{
    constexpr uint32_t SLOTS = 16; // chunks of a tree
    return GetRanks() > 1 ? SLOTS * TREES * m_nodes.CountPerNode() : 0;
}

uint32_t
NodeTreeAlgorithm::ChannelOf(uint32_t lane) const
{
    return lane / TREES % m_nodes.CountPerNode();
}

uint32_t
NodeTreeAlgorithm::PlaceOf(uint32_t rank, uint32_t lane) const
{
    const uint32_t size = m_nodes.CountRanks(m_nodes.NodeOf(rank));
    return (m_nodes.IndexOf(rank) + size - ChannelOf(lane)) % size;
}

uint32_t
NodeTreeAlgorithm::RankAt(uint32_t node, uint32_t place, uint32_t lane) const
{
    return m_nodes.RankOf(node, (place + ChannelOf(lane)) % m_nodes.CountRanks(node));
}

std::optional<uint32_t>
NodeTreeAlgorithm::GetParent(uint32_t rank, uint32_t lane) const
{
    const uint32_t node = m_nodes.NodeOf(rank);
    const uint32_t place = PlaceOf(rank, lane);
    if (place > 0)
    {
        return RankAt(node, place - 1, lane);
    }
    const std::optional<uint32_t> above = m_trees->GetParent(node, lane);
    return above ? std::optional(RankAt(*above, 0, lane)) : std::nullopt;
}

std::vector<uint32_t>
NodeTreeAlgorithm::GetChildren(uint32_t rank, uint32_t lane) const
{
    const uint32_t node = m_nodes.NodeOf(rank);
    const uint32_t place = PlaceOf(rank, lane);
    std::vector<uint32_t> children;
    if (place == 0)
    {
        for (const uint32_t below : m_trees->GetChildren(node, lane))
        {
            children.push_back(RankAt(below, 0, lane));
        }
    }
    if (place + 1 < m_nodes.CountRanks(node))
    {
        children.push_back(RankAt(node, place + 1, lane));
    }
    return children;
}

} // namespace aifabric
} // namespace ns3
