/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_PLAN_H
#define RANK_PLAN_H

#include "fabric-graph.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Which rank of a distributed run simulates which host and which switch. Links whose ends are on
 * two ranks are cut: frames cross them as messages between processes. A host stands on one rank
 * with its whole NIC.
 *
 * The work of a node is expected to be the frames that it receives, and these to be those of
 * uniform traffic (UniformLinkLoads()). Shares are shares of all packet-hops of the fabric.
 *
 * PlanRanks() makes a plan by itself, ReadRankPlan() reads one; all queries are O(1).
 */
class RankPlan
{
  public:
    /// Says on which rank a node is to be; of the end, `port` is 0 and means nothing.
    using Function = std::function<uint32_t(const FabricEnd&)>;

    /**
     * Take a plan and check it. Any link between switches may be cut. In a fabric of one plane that
     * of a host may be cut too; with several planes it may not, because the engines of ns-3 see one
     * channel of each device, and would not learn of a neighbor behind the others.
     *
     * @param graph the fabric; not used afterwards
     * @param rankOf called once for each host and each switch
     * @throws std::invalid_argument with one line, if a rank is out of range or has no node, or
     *         a host stands apart from a leaf of several
     */
    RankPlan(const FabricGraph& graph, uint32_t ranks, const Function& rankOf);

    /// @return the number of ranks
    uint32_t GetRanks() const;
    /// @return the rank of a host
    uint32_t RankOfHost(uint32_t host) const;
    /// @return the rank of a switch  @param id id of the switch
    uint32_t RankOfSwitch(uint32_t id) const;
    /// @return the rank of the node that a port belongs to  @param end the port
    uint32_t RankOf(const FabricEnd& end) const;

    /// @return whether the ends of a link are on two ranks  @param link id of the link
    bool IsCut(uint32_t link) const;
    /// @return the links that are cut, in ascending order
    const std::vector<uint32_t>& CutLinks() const;

    /// @return the expected share of the work, 0 to 1
    double GetWorkShare(uint32_t rank) const;
    /// @return the greatest work of a rank over the mean of all ranks, 1 if all are equal
    double GetImbalance() const;
    /// @return the expected share of packet-hops that cross cut links, 0 to 1
    double GetCrossingShare() const;

  private:
    /// Give a node its rank.
    void Place(const FabricGraph& graph, const FabricEnd& node, uint32_t rank);

    /// Find the links that are cut, and what crosses them.
    void Cut(const FabricGraph& graph);

    /// Check that hosts of several planes stand with their leaves.
    void CheckHosts(const FabricGraph& graph) const;

    /// Check that each rank has a node.
    void CheckRanksUsed() const;

    uint32_t m_ranks;                   //!< number of ranks
    std::vector<uint32_t> m_hostRank;   //!< ranks of hosts
    std::vector<uint32_t> m_switchRank; //!< ranks of switches
    std::vector<bool> m_isCut;          //!< by link
    std::vector<uint32_t> m_cutLinks;   //!< the links that are cut
    std::vector<double> m_work;         //!< share of the work, by rank
    double m_crossing{0};               //!< share of packet-hops that cross cut links
};

} // namespace aifabric
} // namespace ns3

#endif /* RANK_PLAN_H */
