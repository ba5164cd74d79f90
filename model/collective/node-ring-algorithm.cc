/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-ring-algorithm.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(NodeRingAlgorithm);

TypeId
NodeRingAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::NodeRingAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<NodeRingAlgorithm>();
    return tid;
}

bool
NodeRingAlgorithm::Supports(CollectiveKind kind) const
{
    return CreateObject<RingAlgorithm>()->Supports(kind);
}

void
NodeRingAlgorithm::DoPrepare()
{
    m_nodes = RankNodes(GetRanks(), GetNodes());
    m_rings.clear();
    m_rankAt.assign(m_nodes.CountPerNode(), std::vector<uint32_t>(GetRanks()));
    for (uint32_t ring = 0; ring < m_nodes.CountPerNode(); ++ring)
    {
        for (uint32_t rank = 0; rank < GetRanks(); ++rank)
        {
            m_rankAt[ring][PlaceOf(rank, ring)] = rank;
        }
        m_rings.push_back(CreateObject<RingAlgorithm>());
        m_rings.back()->Prepare(GetKind(), GetRanks(), PlaceOf(GetRoot(), ring));
    }
}

bool
NodeRingAlgorithm::IsChunked() const
{
    return m_rings[0]->IsChunked();
}

uint32_t
NodeRingAlgorithm::CountLanes() const
{
    return m_nodes.CountPerNode() * CollectiveAlgorithm::CountLanes();
}

uint64_t
NodeRingAlgorithm::CountBlocks() const
{
    return m_rings[0]->CountBlocks();
}

uint32_t
NodeRingAlgorithm::RingOf(uint32_t lane) const
{
    return lane % m_nodes.CountPerNode();
}

uint32_t
NodeRingAlgorithm::PlaceOf(uint32_t rank, uint32_t ring) const
{
    const uint32_t node = m_nodes.NodeOf(rank);
    const uint32_t size = m_nodes.CountRanks(node);
    return m_nodes.CountBefore(node) + (m_nodes.IndexOf(rank) + size - ring) % size;
}

uint32_t
NodeRingAlgorithm::CountSteps(uint32_t rank, uint32_t lane) const
{
    const uint32_t ring = RingOf(lane);
    return m_rings[ring]->CountSteps(PlaceOf(rank, ring), lane);
}

CollectiveStep
NodeRingAlgorithm::GetStep(uint32_t rank, uint32_t lane, uint32_t step) const
{
    const uint32_t ring = RingOf(lane);
    CollectiveStep result = m_rings[ring]->GetStep(PlaceOf(rank, ring), lane, step);
    for (auto* messages : {&result.sends, &result.receives})
    {
        for (CollectiveMessage& message : *messages)
        {
            message.peer = m_rankAt[ring][message.peer];
            // A block belongs to a place; here it belongs to the rank in that place.
            message.firstBlock =
                CountBlocks() > 1 ? m_rankAt[ring][message.firstBlock] : message.firstBlock;
        }
    }
    return result;
}

} // namespace aifabric
} // namespace ns3
