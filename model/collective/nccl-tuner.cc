/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nccl-tuner.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NcclTuner::NcclTuner(uint64_t nicRate, uint64_t nodeRate)
    : m_nicRate(static_cast<double>(nicRate) / 8),
      m_nodeRate(static_cast<double>(nodeRate) / 8)
{
}

bool
NcclTuner::HasTrees(CollectiveKind kind)
{
    return kind == CollectiveKind::ALL_REDUCE;
}

double
NcclTuner::GetRingPs(CollectiveKind kind, RankShape shape, const Option& option)
{
    const ProtocolCost cost = option.protocol->CostOf(false, shape);
    const bool isChain = HasRoot(kind); // each rank hands all of it on
    const double rounds = kind == CollectiveKind::ALL_REDUCE ? 2 : 1;
    const double ranks = static_cast<double>(shape.nodes) * shape.perNode;
    const double across = rounds * (shape.nodes - 1);
    const double messages = isChain ? ranks : rounds * (ranks - 1);
    const double latencyPs =
        cost.basePs + (messages - across) * cost.nodePs + across * cost.networkPs;
    const bool hasPlateau = kind == CollectiveKind::ALL_REDUCE && shape.nodes > 1;
    return latencyPs * (hasPlateau ? option.protocol->GetRingPlateau() : 1);
}

double
NcclTuner::GetTreePs(RankShape shape, const Option& option)
{
    const ProtocolCost cost = option.protocol->CostOf(true, shape);
    uint32_t levels = 0;
    while (shape.nodes >> (levels + 1) > 0)
    {
        ++levels;
    }
    return cost.basePs + 2.0 * (shape.perNode - 1) * cost.nodePs + 2.0 * levels * cost.networkPs;
}

double
NcclTuner::GetBandwidth(CollectiveKind kind,
                        RankShape shape,
                        uint64_t bytes,
                        const Option& option) const
{
    const double nics = m_nicRate * shape.perNode;
    const bool isTwice = option.isTree && shape.nodes == 2;
    double bus = shape.nodes == 1 ? m_nodeRate : nics * (isTwice ? 2 : 1);
    bus = shape.perNode > 1 ? std::min(bus, m_nodeRate) : bus;
    bus *= option.protocol->GetShare(option.isTree, bytes);
    const double most = option.protocol->GetMostBandwidth(shape.nodes);
    bus = most > 0 ? std::min(bus, most) : bus;
    return bus / (option.isTree ? 2 : BusFactor(kind, shape.nodes * shape.perNode));
}

double
NcclTuner::GetTimePs(CollectiveKind kind,
                     RankShape shape,
                     uint64_t bytes,
                     const Option& option) const
{
    constexpr double PS_PER_S = 1e12;
    const double latencyPs =
        option.isTree ? GetTreePs(shape, option) : GetRingPs(kind, shape, option);
    return latencyPs +
           PS_PER_S * static_cast<double>(bytes) / GetBandwidth(kind, shape, bytes, option);
}

NcclTuner::Option
NcclTuner::Choose(CollectiveKind kind,
                  RankShape shape,
                  uint64_t bytes,
                  const std::vector<Option>& options) const
{
    return *std::min_element(options.begin(), options.end(), [&](const auto& a, const auto& b) {
        return GetTimePs(kind, shape, bytes, a) < GetTimePs(kind, shape, bytes, b);
    });
}

} // namespace aifabric
} // namespace ns3
