/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-plan-csv.h"

#include "rank-planner.h"

#include "ns3/table-reader.h"

#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t UNKNOWN = UINT32_MAX; //!< marks a node without a line

/// The ranks that a table gives to the nodes of a fabric.
class NodeRanks
{
  public:
    /// Start with nodes that have no ranks.
    explicit NodeRanks(const FabricGraph& graph)
        : m_graph(graph)
    {
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            m_places.emplace(graph.SwitchName(id), m_ranks.size());
            m_ranks.push_back(UNKNOWN);
        }
        for (uint32_t host = 0; host < graph.HostCount(); ++host)
        {
            m_places.emplace("host-" + std::to_string(host), m_ranks.size());
            m_ranks.push_back(UNKNOWN);
        }
    }

    /// Take a row.
    void Add(const TableReader& table, uint32_t ranks)
    {
        const auto place = m_places.find(std::string(table.GetField(0)));
        table.Require(place != m_places.end(),
                      0,
                      "a host or switch of this fabric (such as host-0 or " +
                          m_graph.SwitchName(0) + ")");
        auto& rank = m_ranks[place->second];
        table.Require(rank == UNKNOWN, 0, "new: it has a line above");
        const auto value = ParseDigits(table.GetField(1));
        table.Require(value && *value < ranks, 1, "a rank (0.." + std::to_string(ranks - 1) + ")");
        rank = static_cast<uint32_t>(*value);
    }

    /// Check that nothing is missing.
    void CheckComplete(const TableReader& table) const
    {
        for (uint32_t id = 0; id < m_graph.Switches().size(); ++id)
        {
            if (m_ranks[id] == UNKNOWN)
            {
                table.FailText("has no line for " + m_graph.SwitchName(id) +
                               " (each switch needs one)");
            }
        }
    }

    /// @return the rank of a node  @param node a host or a switch
    uint32_t RankOf(const FabricEnd& node) const
    {
        const auto given = m_ranks[node.isHost ? m_graph.Switches().size() + node.id : node.id];
        return given == UNKNOWN ? m_ranks[m_graph.LeafOf(node.id)] : given;
    }

  private:
    const FabricGraph& m_graph;                            //!< the fabric
    std::unordered_map<std::string, std::size_t> m_places; //!< places in m_ranks, by name
    std::vector<uint32_t> m_ranks;                         //!< ranks of switches, then of hosts
};

} // namespace

RankPlan
ReadRankPlanCsv(std::istream& input,
                const std::string& name,
                const FabricGraph& graph,
                uint32_t ranks)
{
    TableReader table(input, name, {"node", "rank"});
    NodeRanks nodes(graph);
    while (table.Next())
    {
        nodes.Add(table, ranks);
    }
    nodes.CheckComplete(table);
    return RankPlan(graph, ranks, [&](const FabricEnd& node) { return nodes.RankOf(node); });
}

RankPlan
MakeRankPlan(const std::string& plan, const FabricGraph& graph, uint32_t ranks)
{
    if (plan == "auto")
    {
        return PlanRanks(graph, ranks);
    }
    auto input = OpenTable(plan);
    return ReadRankPlanCsv(input, plan, graph, ranks);
}

} // namespace aifabric
} // namespace ns3
