/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-plan.h"

#include "link-load.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

RankPlan::RankPlan(const FabricGraph& graph, uint32_t ranks, const Function& rankOf)
    : m_ranks(ranks),
      m_hostRank(graph.HostCount()),
      m_switchRank(graph.Switches().size()),
      m_isCut(graph.Links().size())
{
    const uint64_t nodes = uint64_t{graph.HostCount()} + graph.Switches().size();
    if (ranks == 0 || ranks > nodes) // before anything is made for each pair of them
    {
        throw std::invalid_argument("ranks: " + std::to_string(ranks) + " is not in 1.." +
                                    std::to_string(nodes) + " (each needs a host or a switch)");
    }
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        const FabricEnd node{true, host, 0};
        Place(graph, node, rankOf(node));
    }
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        const FabricEnd node{false, id, 0};
        Place(graph, node, rankOf(node));
    }
    CheckRanksUsed();
    CheckHosts(graph);
    Cut(graph);
}

void
RankPlan::Place(const FabricGraph& graph, const FabricEnd& node, uint32_t rank)
{
    if (rank >= m_ranks)
    {
        const auto name =
            node.isHost ? "host-" + std::to_string(node.id) : graph.SwitchName(node.id);
        throw std::invalid_argument("plan: rank " + std::to_string(rank) + " of " + name +
                                    " is not in 0.." + std::to_string(m_ranks - 1));
    }
    (node.isHost ? m_hostRank : m_switchRank)[node.id] = rank;
}

void
RankPlan::CheckRanksUsed() const
{
    std::vector<bool> used(m_ranks);
    for (const auto* ranks : {&m_hostRank, &m_switchRank})
    {
        for (auto rank : *ranks)
        {
            used[rank] = true;
        }
    }
    const auto idle = std::find(used.begin(), used.end(), false);
    if (idle != used.end())
    {
        throw std::invalid_argument("plan: rank " + std::to_string(idle - used.begin()) +
                                    " has no host and no switch (each of the " +
                                    std::to_string(m_ranks) + " ranks needs one)");
    }
}

void
RankPlan::CheckHosts(const FabricGraph& graph) const
{
    for (const auto& link : graph.Links())
    {
        if (link.a.isHost && graph.Planes() > 1 && RankOf(link.a) != RankOf(link.b))
        {
            throw std::invalid_argument(
                "plan: host-" + std::to_string(link.a.id) + " is on rank " +
                std::to_string(RankOf(link.a)) + ", and " + graph.SwitchName(link.b.id) +
                " on rank " + std::to_string(RankOf(link.b)) +
                " (with several planes a host has to be with all its leaves)");
        }
    }
}

void
RankPlan::Cut(const FabricGraph& graph)
{
    const auto loads = UniformLinkLoads(graph);
    double total = 0;
    m_work.resize(m_ranks);
    for (uint32_t id = 0; id < loads.size(); ++id)
    {
        const auto a = RankOf(graph.Links()[id].a);
        const auto b = RankOf(graph.Links()[id].b);
        total += 2 * loads[id];
        m_work[a] += loads[id];
        m_work[b] += loads[id];
        if (a != b)
        {
            m_isCut[id] = true;
            m_cutLinks.push_back(id);
            m_crossing += 2 * loads[id];
        }
    }
    m_crossing /= total;
    for (auto& work : m_work)
    {
        work /= total;
    }
}

uint32_t
RankPlan::GetRanks() const
{
    return m_ranks;
}

uint32_t
RankPlan::RankOfHost(uint32_t host) const
{
    return m_hostRank[host];
}

uint32_t
RankPlan::RankOfSwitch(uint32_t id) const
{
    return m_switchRank[id];
}

uint32_t
RankPlan::RankOf(const FabricEnd& end) const
{
    return end.isHost ? RankOfHost(end.id) : RankOfSwitch(end.id);
}

bool
RankPlan::IsCut(uint32_t link) const
{
    return m_isCut[link];
}

const std::vector<uint32_t>&
RankPlan::CutLinks() const
{
    return m_cutLinks;
}

double
RankPlan::GetWorkShare(uint32_t rank) const
{
    return m_work[rank];
}

double
RankPlan::GetImbalance() const
{
    return *std::max_element(m_work.begin(), m_work.end()) * m_ranks;
}

double
RankPlan::GetCrossingShare() const
{
    return m_crossing;
}

} // namespace aifabric
} // namespace ns3
