/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TE_SOLVER_H
#define TE_SOLVER_H

#include "fabric-graph.h"
#include "live-paths.h"
#include "traffic-demand.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What traffic engineering knows when it computes paths.
struct TeSnapshot
{
    std::vector<bool> alive;            //!< whether frames cross a link, by link id
    std::vector<TrafficDemand> demands; //!< who sends to whom, and how fast
    double capacity{1};                 //!< of a link between switches, in line rates of a host
    uint16_t plane{0};                  //!< the plane that is computed
};

/// The paths that traffic engineering has computed.
struct TeSolution
{
    /// By demand: the choices of the switches; none where both hosts have one leaf, or no path is
    /// left.
    std::vector<std::vector<PathHop>> paths;
    std::vector<bool> isPlaced; //!< by demand: whether there is a path
    /// Load of a link as a share of its capacity, by link: twice the id, and 1 more on the way down
    std::vector<double> loads;
    double maxLoad{0};       //!< the largest of them
    double greedyMaxLoad{0}; //!< the same before paths were refined
    uint32_t refinements{0}; //!< how often paths of demands were changed to lower a load
};

/**
 * @ingroup ai-fabric
 *
 * Computes a path for each demand so that the largest load of a link is small, then the next one,
 * and so on: central traffic engineering as a pure function of a snapshot.
 *
 * 1. Constrained shortest path first (CSPF): the demands, the fastest first, take the path whose
 *    links are all below their capacity with them, and whose most loaded link is the least loaded
 *    one. If no path has room for a demand, the constraint is dropped for it.
 * 2. Refinement: a demand of a link with the largest load takes a path on which no link reaches
 *    that load. If there is none, a chain of demands changes paths: the demand takes a path in
 * spite of one link that is full, another demand leaves this link, and so on, back and forth
 * between two switches in the middle. On two tiers and with equal demands, such a chain is the
 * alternating path of Koenig's proof that a bipartite multigraph of degree d has an edge coloring
 * with d colors; so without failures, equal demands get the least possible maximum. If no link with
 *    the largest load can be lowered, these links are stuck, and those with the next load are
 *    refined. A leaf's link whose load is below the mean of the leaf's live links is not refined;
 *    nor is one less than a demand above it, if all demands of the leaf are equal.
 *
 * Paths of an earlier solution are kept if they are alive, so that few table entries change.
 */
class TeSolver
{
  public:
    /**
     * @param graph the fabric; must outlive this
     * @param snapshot what is known
     * @param sweeps times that all demands of links with the largest load are tried, at most
     * @throws std::invalid_argument if the snapshot does not fit the fabric
     */
    TeSolver(const FabricGraph& graph, const TeSnapshot& snapshot, uint32_t sweeps);

    /**
     * Compute the paths.
     *
     * @param previous the paths of an earlier solution with the same demands; or nothing
     * @return the paths
     */
    TeSolution Solve(const std::vector<std::vector<PathHop>>& previous = {});

  private:
    /// A demand without a path.
    static constexpr uint32_t UNPLACED = UINT32_MAX;

    /// A change of a path.
    struct Move
    {
        uint32_t demand; //!< of what
        uint32_t path;   //!< the path before
    };

    /// @return the paths of a demand  @param demand its index
    const std::vector<LivePath>& PathsOf(uint32_t demand) const
    {
        return *m_choices[demand];
    }

    /// @return the path that a demand has  @param demand its index, placed
    const LivePath& PathOf(uint32_t demand) const
    {
        return PathsOf(demand)[m_chosen[demand]];
    }

    /// Find the paths of all demands.
    void FindChoices();

    /// Give demands the paths that they had.  @param previous these paths
    void KeepPrevious(const std::vector<std::vector<PathHop>>& previous);

    /// Give all demands without a path one.
    void PlaceRest();

    /// @return the path for a demand that has none  @param demand its index
    uint32_t FindBest(uint32_t demand) const;

    /// Lower the largest load, then the largest one of links that are not stuck, and so on.
    void Refine();

    /// @return the largest load of a link that is to be refined; 0: none is
    double FindWorst() const;

    /// Refine some links no longer.  @param limit their load, at least
    void MarkStuck(double limit);

    /// @return whether the largest load of some links could be lowered  @param limit the load
    bool Sweep(double limit);

    /// @return whether a demand could leave a link with the largest load, and no link has reached
    /// that load by it  @param demand its index  @param limit the load
    bool Improve(uint32_t demand, double limit);

    /// @return the same, with a chain of demands between two switches in the middle
    /// @param demand the first of them  @param first a path of it  @param back the other switch
    /// @param limit the load
    bool TryChain(uint32_t demand, uint32_t first, uint32_t back, double limit);

    /// @return a demand whose leaving takes a link below a load; UNPLACED: none
    /// @param limit the load  @param moves demands that must stay
    uint32_t FindVictim(uint32_t link, double limit, const std::vector<Move>& moves) const;

    /// @return the path of a demand over a switch in the middle with the least load; UNPLACED: none
    /// @param demand its index  @param middle the switch
    uint32_t FindVia(uint32_t demand, uint32_t middle) const;

    /// @return the largest load of a path's links with more on them
    /// @param more the rate of what is added
    double LoadWith(const LivePath& path, double more) const;

    /// @return the links of a path that have reached a load  @param limit the load
    std::vector<uint32_t> FindFull(const LivePath& path, double limit) const;

    /// Change the path of a demand.  @param demand its index  @param path the path, or UNPLACED
    void Assign(uint32_t demand, uint32_t path);

    /// @return the largest load of a link
    double MaxLoad() const;

    const FabricGraph& m_graph;                          //!< the fabric
    const TeSnapshot& m_snapshot;                        //!< what is known
    uint32_t m_sweeps;                                   //!< at most
    LivePaths m_live;                                    //!< the paths between leaves
    std::vector<const std::vector<LivePath>*> m_choices; //!< the paths, by demand
    std::vector<uint32_t> m_chosen;                      //!< the path, by demand
    std::vector<double> m_loads;                         //!< of links, in capacities
    std::vector<std::vector<uint32_t>> m_users;          //!< demands on a link, by link
    std::vector<double> m_floors;                        //!< loads from which on links are refined
    uint32_t m_refinements{0};                           //!< changes that lowered a load
};

} // namespace aifabric
} // namespace ns3

#endif /* TE_SOLVER_H */
