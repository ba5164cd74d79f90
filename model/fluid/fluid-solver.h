/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_SOLVER_H
#define FLUID_SOLVER_H

#include "fluid-loads.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Max-min fair rates of flows that share links, by progressive filling: all rates grow together;
 * where a link is full, the flows that cross it keep their rate, and the others go on. A flow may
 * load each link by another weight: the share of its paths that cross the link.
 *
 * Flows that load the same links by the same weights have the same rate. They are a group, and the
 * work depends on the number of groups only.
 *
 * What is served first, the acknowledgements of a flow, never holds the flow back: it is taken from
 * the capacity of its links, and the rates are computed again until this load changes by less than
 * 0.05 % of the capacity. That ends soon because an acknowledgement is much shorter than what it
 * acknowledges, and because a group that has flows again is expected to have its last rate.
 *
 * Rates are then max-min fair if and only if no link is overloaded and each flow crosses a full
 * link on which no other flow has a higher rate (its bottleneck). So after a change only those
 * groups are computed anew that full links join with the changed ones: the groups of a link that
 * was full before or is full then. All others keep their bottleneck, and their rate.
 *
 * If that was most of many groups at the last Solve(), all are computed anew, once: to find them
 * takes longer. What is served first then may lag (IsSettled()).
 */
class FluidSolver
{
  public:
    static constexpr std::size_t MANY = 4096; //!< groups: if more change, time is saved

    /// @param capacities of the links, in units of rate; above 0
    explicit FluidSolver(std::vector<double> capacities);

    /**
     * Add a group. It has no flow.
     *
     * @param shares what each of its flows takes of links, each link named once; at least one of
     * them not served first
     * @return its number
     */
    uint32_t AddGroup(const std::vector<LinkShare>& shares)
    {
        return m_loads.AddGroup(shares);
    }

    /**
     * Add a flow to a group.
     *
     * @param group its number
     * @param back load of the acknowledgements of the flow for each unit of its rate; 0: none
     */
    void Join(uint32_t group, double back);

    /// Remove a flow from a group.  @param group its number  @param back as it joined
    void Leave(uint32_t group, double back);

    /// More, or less, is served first on a link, beside what flows have.  @param link its number
    /// @param change of the load
    void Reserve(uint32_t link, double change);

    /// Set what each flow of a group takes of its links from now on.  @param group its number
    /// @param weights those of its shares, in their order
    void SetWeights(uint32_t group, const std::vector<double>& weights);

    /// Set the capacity of a link from now on.  @param link its number
    /// @param capacity in units of rate; above 0
    void SetCapacity(uint32_t link, double capacity);

    /**
     * Compute the rates after changes.
     *
     * @return the groups whose rates were computed anew, by number, ascending
     */
    const std::vector<uint32_t>& Solve();

    /// @return whether the last Solve() had the loads of what is served first; otherwise the next
    /// one has them
    bool IsSettled() const
    {
        return m_reserved.empty();
    }

    /// @return the rate of each flow of a group at the last Solve()  @param group its number
    double GetRate(uint32_t group) const
    {
        return m_loads.groups[group].rate;
    }

    /// @return the load of a link at the last Solve()  @param link its number
    double GetLoad(uint32_t link) const
    {
        return m_loads.links[link].load + m_loads.links[link].first;
    }

  private:
    /// The rate at which a link is full.
    struct Level
    {
        double rate;   //!< the rate of flows of open groups
        uint32_t link; //!< the link

        /// @return the order of a heap that has the lowest level on top  @param other another one
        bool operator<(const Level& other) const
        {
            return rate > other.rate || (rate == other.rate && link > other.link);
        }
    };

    /// A group has another number of flows.  @param group its number
    void Change(uint32_t group);

    /// Compute the rates of all groups; those that have another one are affected.
    void SolveAll();

    /// Forget what the last Solve() has computed anew.
    void Forget();

    /// Begin with what has changed.
    void Begin();

    /// Begin with groups and links that faults have changed.
    void BeginFaults();

    /// Begin with a group that has changed.  @param group its number
    void BeginGroup(uint32_t group);

    /// The flows of a group have changed.  @param group its number
    void UpdateGroup(uint32_t group);

    /// A group is computed anew.  @param group its number
    void Affect(uint32_t group);

    /// Look at a link after Fill().  @param share what is taken of it
    void Touch(const LinkShare& share);

    /// All groups of a link are computed anew.  @param link its number
    void AffectAll(uint32_t link);

    /// Affect the groups that full links join with those affected.
    void Spread();

    /// Have the rates of the affected groups grow from 0.
    void Open();

    /// Compute the rates of the open groups, where the others keep theirs.
    void Fill();

    /// Fix the rates of the open groups of a link.  @param link its number  @param rate of each
    /// of their flows
    void CloseAll(uint32_t link, double rate);

    /// Affect the groups of links that are full now.  @return whether there were others yet
    bool Extend();

    /// Take from the capacity of a link what is expected to be served first.
    /// @param link its number  @return whether groups have to be computed again
    bool TakeExpected(uint32_t link);

    /// Take from the capacities what is served first.  @return whether groups have to be computed
    /// again
    bool TakeFirst();

    FluidLoads m_loads;               //!< what flows take of links
    std::vector<uint32_t> m_changed;  //!< groups whose flows have changed since the last Solve()
    std::vector<uint32_t> m_reserved; //!< links of which more or less is served first since then
    std::vector<uint32_t> m_weighted; //!< groups that have other weights since then
    std::vector<uint32_t> m_resized;  //!< links that have other capacities since then
    std::vector<uint32_t> m_affected; //!< groups that are computed anew
    std::size_t m_entered{0};         //!< how many groups have flows
    std::size_t m_spreadGroups{0};    //!< of these, those whose links were looked at
    std::vector<uint32_t> m_touched;  //!< links of affected groups, and those that have lost one
    std::vector<Level> m_levels;      //!< a heap
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_SOLVER_H */
