/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nccl-tuner.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the logarithm to base 2, rounded down
uint32_t
FloorLog2(uint32_t number)
{
    uint32_t result = 0;
    while (number >> (result + 1) > 0)
    {
        ++result;
    }
    return result;
}

} // namespace

NcclTuner::NcclTuner(uint64_t nicRate,
                     uint64_t nodeRate,
                     const std::optional<SwitchRates>& switches)
    : m_nicRate(static_cast<double>(nicRate) / 8),
      m_nodeRate(static_cast<double>(nodeRate) / 8),
      m_switches(switches)
{
}

std::optional<NcclTuner::SwitchRates>
NcclTuner::FindSwitches(const std::string& gpu)
{
    // nvlsEfficiency and perChMaxNVLSTreeBws of src/graph/tuning.cc, the largest rates in a node of
    // src/graph/search.cc
    static const std::map<std::string, SwitchRates> RATES = {{"h100", {0.85, 60e9, 57.7e9, 45.5e9}},
                                                             {"b200", {0.74, 90e9, 96e9, 80e9}}};
    const auto found = RATES.find(gpu);
    return found == RATES.end() ? std::nullopt : std::make_optional(found->second);
}

std::vector<NcclTuner::Algorithm>
NcclTuner::ListAlgorithms(CollectiveKind kind, RankShape shape) const
{
    std::vector<Algorithm> algorithms = {Algorithm::RING};
    if (kind == CollectiveKind::ALL_REDUCE)
    {
        algorithms.push_back(Algorithm::TREE);
        if (m_switches && shape.perNode > 1)
        {
            algorithms.push_back(Algorithm::NVLS);
        }
    }
    return algorithms;
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
    return cost.basePs + 2.0 * (shape.perNode - 1) * cost.nodePs +
           2.0 * FloorLog2(shape.nodes) * cost.networkPs;
}

double
NcclTuner::GetNvlsPs(RankShape shape, const Option& option)
{
    constexpr double NETWORK_PS = 20.9e6; // a message of NVLSTree between nodes
    return static_cast<double>(option.protocol->GetSwitchPs()) +
           2.0 * FloorLog2(shape.nodes) * NETWORK_PS;
}

double
NcclTuner::GetLatencyPs(CollectiveKind kind, RankShape shape, const Option& option)
{
    switch (option.algorithm)
    {
    case Algorithm::TREE:
        return GetTreePs(shape, option);
    case Algorithm::NVLS:
        return GetNvlsPs(shape, option);
    default:
        return GetRingPs(kind, shape, option);
    }
}

double
NcclTuner::GetBandwidth(CollectiveKind kind,
                        RankShape shape,
                        uint64_t bytes,
                        const Option& option) const
{
    if (option.algorithm == Algorithm::NVLS)
    {
        return GetNvlsBandwidth(shape);
    }
    const bool isTree = option.algorithm == Algorithm::TREE;
    const double nics = m_nicRate * shape.perNode;
    const bool isTwice = isTree && shape.nodes == 2;
    double bus = shape.nodes == 1 ? m_nodeRate : nics * (isTwice ? 2 : 1);
    bus = shape.perNode > 1 ? std::min(bus, m_nodeRate) : bus;
    bus *= option.protocol->GetShare(isTree, bytes);
    const double most = option.protocol->GetMostBandwidth(shape.nodes);
    bus = most > 0 ? std::min(bus, most) : bus;
    return bus / (isTree ? 2 : BusFactor(kind, shape.nodes * shape.perNode));
}

double
NcclTuner::GetNvlsBandwidth(RankShape shape) const
{
    const double gpus = shape.perNode;
    const double inNode = std::min(m_switches->channel, m_nodeRate / (gpus + 1));
    double bus = 2 * inNode * m_switches->share * (gpus - 1) / gpus; // sum and copy: twice
    if (shape.nodes > 1)
    {
        const bool isPair = shape.nodes == 2;
        bus = std::min(
            {bus, m_nicRate * (isPair ? 2 : 1), isPair ? m_switches->pair : m_switches->network});
    }
    return gpus * bus / BusFactor(CollectiveKind::ALL_REDUCE, shape.nodes * shape.perNode);
}

double
NcclTuner::GetTimePs(CollectiveKind kind,
                     RankShape shape,
                     uint64_t bytes,
                     const Option& option) const
{
    constexpr double PS_PER_S = 1e12;
    return GetLatencyPs(kind, shape, option) +
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
