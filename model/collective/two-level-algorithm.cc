/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "two-level-algorithm.h"

#include "ring-algorithm.h"

#include "ns3/abort.h"
#include "ns3/make-object.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TwoLevelAlgorithm);

TypeId
TwoLevelAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::TwoLevelAlgorithm")
            .SetParent<CollectiveAlgorithm>()
            .SetGroupName("AiFabric")
            .AddConstructor<TwoLevelAlgorithm>()
            .AddAttribute("Inner",
                          "The algorithm between nodes, among one rank of each; not this one. "
                          "Without effect on NvlsTreeAlgorithm.",
                          TypeIdValue(RingAlgorithm::GetTypeId()),
                          MakeTypeIdAccessor(&TwoLevelAlgorithm::m_innerType),
                          MakeTypeIdChecker());
    return tid;
}

void
TwoLevelAlgorithm::NotifyConstructionCompleted()
{
    CollectiveAlgorithm::NotifyConstructionCompleted();
    NS_ABORT_MSG_IF(m_innerType == GetTypeId() || m_innerType.IsChildOf(GetTypeId()),
                    "TwoLevelAlgorithm::Inner is " << m_innerType.GetName()
                                                   << "; it has to be an algorithm of one level");
}

TypeId
TwoLevelAlgorithm::GetInnerType() const
{
    return m_innerType;
}

bool
TwoLevelAlgorithm::Supports(CollectiveKind kind) const
{
    if (m_innerType == GetTypeId())
    {
        return false;
    }
    switch (kind)
    {
    case CollectiveKind::ALL_TO_ALL:
        return true;
    case CollectiveKind::ALL_REDUCE:
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
    case CollectiveKind::BROADCAST:
    case CollectiveKind::REDUCE:
        return MakeObject<CollectiveAlgorithm>(GetInnerType(), "TwoLevelAlgorithm::Inner")
            ->Supports(kind);
    default:
        return false;
    }
}

void
TwoLevelAlgorithm::DoPrepare()
{
    m_nodes = RankNodes(GetRanks(), GetNodes());
    m_nodes.RequireEqual(GetInstanceTypeId().GetName());
    if (HasInner())
    {
        m_inner = MakeObject<CollectiveAlgorithm>(GetInnerType(), "TwoLevelAlgorithm::Inner");
        m_inner->Prepare(GetKind(), m_nodes.CountNodes(), m_nodes.NodeOf(GetRoot()));
        m_inner->SetChunks(CollectiveAlgorithm::CountLanes());
    }
}

void
TwoLevelAlgorithm::SetChunks(uint32_t chunks)
{
    CollectiveAlgorithm::SetChunks(chunks);
    if (m_inner)
    {
        m_inner->SetChunks(chunks);
    }
}

bool
TwoLevelAlgorithm::HasInner() const
{
    return GetKind() != CollectiveKind::ALL_TO_ALL;
}

bool
TwoLevelAlgorithm::IsChunked() const
{
    return HasInner() && (HasStages() || m_inner->IsChunked());
}

bool
TwoLevelAlgorithm::IsTree() const
{
    return HasInner() && m_inner->IsTree();
}

uint32_t
TwoLevelAlgorithm::GetMostChunks() const
{
    constexpr uint32_t STEPS = 8; // slots of a buffer of NCCL (NCCL_STEPS)
    return m_inner->IsChunked() ? m_inner->GetMostChunks() : STEPS;
}

bool
TwoLevelAlgorithm::HasStages() const
{
    return m_nodes.CountNodes() > 1 && m_nodes.CountPerNode() > 1;
}

uint32_t
TwoLevelAlgorithm::CountLanes() const
{
    return HasInner() ? m_inner->CountLanes() : CollectiveAlgorithm::CountLanes();
}

uint64_t
TwoLevelAlgorithm::CountBlocks() const
{
    return HasInner() ? m_nodes.CountPerNode() * m_inner->CountBlocks()
                      : uint64_t{GetRanks()} * GetRanks();
}

BlockRange
TwoLevelAlgorithm::GetHome(uint32_t rank) const
{
    if (!HasInner())
    {
        return CollectiveAlgorithm::GetHome(rank);
    }
    const BlockRange home = m_inner->GetHome(m_nodes.NodeOf(rank));
    return {m_nodes.IndexOf(rank) * m_inner->CountBlocks() + home.firstBlock, home.blocks};
}

bool
TwoLevelAlgorithm::HasFirst(uint32_t rank) const
{
    const bool isShared = m_nodes.CountPerNode() > 1;
    switch (GetKind())
    {
    case CollectiveKind::ALL_GATHER:
        return false;
    case CollectiveKind::BROADCAST:
        return isShared && m_nodes.NodeOf(rank) == m_nodes.NodeOf(GetRoot());
    default:
        return isShared;
    }
}

bool
TwoLevelAlgorithm::HasLast(uint32_t rank) const
{
    const bool isShared = m_nodes.CountPerNode() > 1;
    switch (GetKind())
    {
    case CollectiveKind::REDUCE_SCATTER:
        return false;
    case CollectiveKind::REDUCE:
        return isShared && m_nodes.NodeOf(rank) == m_nodes.NodeOf(GetRoot());
    default:
        return isShared;
    }
}

uint32_t
TwoLevelAlgorithm::CountSteps(uint32_t rank, uint32_t lane) const
{
    if (!HasInner())
    {
        return HasFirst(rank) + (m_nodes.CountNodes() > 1);
    }
    return HasFirst(rank) + m_inner->CountSteps(m_nodes.NodeOf(rank), lane) + HasLast(rank);
}

CollectiveStep
TwoLevelAlgorithm::GetStep(uint32_t rank, uint32_t lane, uint32_t step) const
{
    const bool hasFirst = HasFirst(rank);
    if (!HasInner())
    {
        return hasFirst && step == 0 ? Collect(rank) : Exchange(rank, step);
    }
    if (hasFirst && step == 0)
    {
        return First(rank);
    }
    const uint32_t inner = step - hasFirst;
    return inner < m_inner->CountSteps(m_nodes.NodeOf(rank), lane) ? Across(rank, lane, inner)
                                                                   : Last(rank, step);
}

uint32_t
TwoLevelAlgorithm::Behind(uint32_t rank, uint32_t distance) const
{
    return m_nodes.RankOf(m_nodes.NodeOf(rank),
                          (m_nodes.IndexOf(rank) + distance) % m_nodes.CountPerNode());
}

CollectiveMessage
TwoLevelAlgorithm::Rail(uint32_t owner, uint32_t peer, uint32_t step, bool reduces) const
{
    const uint64_t blocks = m_inner->CountBlocks();
    const auto switched = static_cast<uint16_t>(UsesNodeSwitch() ? m_nodes.CountPerNode() : 0);
    return {peer, step, m_nodes.IndexOf(owner) * blocks, blocks, reduces, switched};
}

CollectiveStep
TwoLevelAlgorithm::First(uint32_t rank) const
{
    const bool reduces = GetKind() != CollectiveKind::BROADCAST;
    const bool sends = reduces || rank == GetRoot();
    CollectiveStep result;
    for (uint32_t distance = 1; distance < m_nodes.CountPerNode(); ++distance)
    {
        const uint32_t peer = Behind(rank, distance);
        if (sends)
        {
            result.sends.push_back(Rail(peer, peer, 0, reduces));
        }
        if (reduces || peer == GetRoot())
        {
            result.receives.push_back(Rail(rank, peer, 0, reduces));
        }
    }
    return result;
}

CollectiveStep
TwoLevelAlgorithm::Across(uint32_t rank, uint32_t lane, uint32_t step) const
{
    const uint64_t firstBlock = m_nodes.IndexOf(rank) * m_inner->CountBlocks();
    CollectiveStep result = m_inner->GetStep(m_nodes.NodeOf(rank), lane, step);
    for (auto* messages : {&result.sends, &result.receives})
    {
        const bool isSent = messages == &result.sends;
        for (CollectiveMessage& message : *messages)
        {
            message.peer = m_nodes.RankOf(message.peer, m_nodes.IndexOf(rank));
            message.step += HasFirst(isSent ? message.peer : rank);
            message.firstBlock += firstBlock;
        }
    }
    return result;
}

CollectiveStep
TwoLevelAlgorithm::Last(uint32_t rank, uint32_t step) const
{
    const bool isRoot = rank == GetRoot();
    CollectiveStep result;
    for (uint32_t distance = 1; distance < m_nodes.CountPerNode(); ++distance)
    {
        const uint32_t peer = Behind(rank, distance);
        const bool isPeerRoot = peer == GetRoot();
        bool sends = true;
        bool receives = true;
        if (GetKind() == CollectiveKind::REDUCE)
        {
            sends = isPeerRoot;
            receives = isRoot;
        }
        else if (GetKind() == CollectiveKind::BROADCAST) // the root has all
        {
            sends = !isPeerRoot;
            receives = !isRoot;
        }
        if (sends)
        {
            result.sends.push_back(Rail(rank, peer, step, false));
        }
        if (receives)
        {
            result.receives.push_back(Rail(peer, peer, step, false));
        }
    }
    return result;
}

CollectiveStep
TwoLevelAlgorithm::Collect(uint32_t rank) const
{
    const uint64_t ranks = GetRanks();
    CollectiveStep result;
    for (uint32_t distance = 1; distance < m_nodes.CountPerNode(); ++distance)
    {
        const uint32_t peer = Behind(rank, distance);
        for (uint32_t node = 0; node < m_nodes.CountNodes(); ++node)
        {
            const uint32_t target = m_nodes.RankOf(node, m_nodes.IndexOf(peer));
            const uint32_t own = m_nodes.RankOf(node, m_nodes.IndexOf(rank));
            result.sends.push_back({peer, 0, rank * ranks + target, 1, false});
            result.receives.push_back({peer, 0, peer * ranks + own, 1, false});
        }
    }
    return result;
}

CollectiveStep
TwoLevelAlgorithm::Exchange(uint32_t rank, uint32_t step) const
{
    const uint64_t ranks = GetRanks();
    const uint32_t nodes = m_nodes.CountNodes();
    const uint32_t own = m_nodes.NodeOf(rank);
    CollectiveStep result;
    for (uint32_t distance = 1; distance < nodes; ++distance)
    {
        const uint32_t node = (own + distance) % nodes;
        const uint32_t peer = m_nodes.RankOf(node, m_nodes.IndexOf(rank));
        for (uint32_t index = 0; index < m_nodes.CountPerNode(); ++index)
        {
            const uint64_t given = m_nodes.RankOf(own, index);
            const uint64_t taken = m_nodes.RankOf(node, index);
            result.sends.push_back({peer, step, given * ranks + peer, 1, false});
            result.receives.push_back({peer, step, taken * ranks + rank, 1, false});
        }
    }
    return result;
}

} // namespace aifabric
} // namespace ns3
