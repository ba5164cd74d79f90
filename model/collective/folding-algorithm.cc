/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "folding-algorithm.h"

#include <numeric>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FoldingAlgorithm);

TypeId
FoldingAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::FoldingAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("AiFabric");
    return tid;
}

void
FoldingAlgorithm::DoPrepare()
{
    m_rounds = 0;
    while (GetRanks() >> m_rounds > 1)
    {
        ++m_rounds;
    }
    const uint32_t participants = 1U << m_rounds;
    m_pairs = GetRanks() - participants;
    const bool hasParts = GetKind() != CollectiveKind::ALL_REDUCE;
    m_firstBlock.assign(participants + 1, 0);
    for (uint32_t participant = 0; participant < participants; ++participant)
    {
        m_firstBlock[GetPosition(participant) + 1] = hasParts && IsPair(participant) ? 2 : 1;
    }
    std::partial_sum(m_firstBlock.begin(), m_firstBlock.end(), m_firstBlock.begin());
}

uint32_t
FoldingAlgorithm::CountRounds() const
{
    return m_rounds;
}

uint64_t
FoldingAlgorithm::CountBlocks() const
{
    return m_firstBlock.back();
}

BlockRange
FoldingAlgorithm::GetAll() const
{
    return {0, CountBlocks()};
}

BlockRange
FoldingAlgorithm::GetGroup(uint32_t position, uint32_t size) const
{
    const uint32_t first = position & ~(size - 1);
    return {m_firstBlock[first], m_firstBlock[first + size] - m_firstBlock[first]};
}

BlockRange
FoldingAlgorithm::GetHome(uint32_t rank) const
{
    return {m_firstBlock[GetPosition(ParticipantOf(rank))] + IsFolded(rank), 1};
}

bool
FoldingAlgorithm::IsFolded(uint32_t rank) const
{
    return rank < 2 * m_pairs && rank % 2 == 1;
}

bool
FoldingAlgorithm::IsPair(uint32_t participant) const
{
    return participant < m_pairs;
}

uint32_t
FoldingAlgorithm::ParticipantOf(uint32_t rank) const
{
    return rank < 2 * m_pairs ? rank / 2 : rank - m_pairs;
}

uint32_t
FoldingAlgorithm::RankOf(uint32_t participant) const
{
    return IsPair(participant) ? 2 * participant : participant + m_pairs;
}

CollectiveMessage
FoldingAlgorithm::Fold(uint32_t rank, uint32_t peer) const
{
    const bool reduces = GetKind() != CollectiveKind::ALL_GATHER;
    const BlockRange range = reduces ? GetAll() : GetHome(rank);
    return {peer, 0, range.firstBlock, range.blocks, reduces};
}

CollectiveMessage
FoldingAlgorithm::Unfold(uint32_t rank, uint32_t peer) const
{
    const bool scatters = GetKind() == CollectiveKind::REDUCE_SCATTER;
    const BlockRange range = scatters ? GetHome(rank) : GetAll();
    return {peer, 0, range.firstBlock, range.blocks, false};
}

uint32_t
FoldingAlgorithm::CountSteps(uint32_t rank, uint32_t) const
{
    if (IsFolded(rank))
    {
        return 1;
    }
    return CountExchanges() + (IsPair(ParticipantOf(rank)) ? 2 : 0);
}

CollectiveStep
FoldingAlgorithm::GetStep(uint32_t rank, uint32_t, uint32_t step) const
{
    if (IsFolded(rank))
    {
        return {{Fold(rank, rank - 1)}, {Unfold(rank, rank - 1)}};
    }
    const uint32_t participant = ParticipantOf(rank);
    const bool isPair = IsPair(participant);
    if (isPair && step == 0)
    {
        return {{}, {Fold(rank + 1, rank + 1)}};
    }
    const uint32_t number = step - isPair;
    if (number == CountExchanges())
    {
        return {{Unfold(rank + 1, rank + 1)}, {}};
    }
    const Exchange exchange = GetExchange(participant, number);
    const auto& [partner, gives, takes, reduces] = exchange;
    const uint32_t peer = RankOf(partner);
    const uint32_t peerStep = number + IsPair(partner);
    return {{{peer, peerStep, gives.firstBlock, gives.blocks, reduces}},
            {{peer, step, takes.firstBlock, takes.blocks, reduces}}};
}

} // namespace aifabric
} // namespace ns3
