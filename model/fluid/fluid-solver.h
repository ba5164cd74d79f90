/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_SOLVER_H
#define FLUID_SOLVER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What a flow takes of a link.
struct LinkShare
{
    uint32_t link;       //!< the link
    double weight;       //!< load of the link for each unit of the flow's rate; above 0
    bool isFirst{false}; //!< served before what is not: acknowledgements
};

/**
 * @ingroup ai-fabric
 *
 * Max-min fair rates of flows that share links, by progressive filling: all rates grow together;
 * where a link is full, the flows that cross it keep their rate, and the others go on. A flow may
 * load each link by another weight: the share of its paths that cross the link.
 *
 * What is served first, the acknowledgements of a flow, never holds the flow back: it is taken from
 * the capacity of its links, and the rates are computed again until this load changes by less than
 * 0.05 % of the capacity. That ends soon because an acknowledgement is much shorter than what it
 * acknowledges.
 *
 * Rates are then max-min fair if and only if no link is overloaded and each flow crosses a full
 * link on which no other flow has a higher rate (its bottleneck). So after a change only those
 * flows are computed anew that full links join with the changed ones: the flows of a link that was
 * full before or is full then. All others keep their bottleneck, and their rate.
 */
class FluidSolver
{
  public:
    /// @param capacities of the links, in units of rate; above 0
    explicit FluidSolver(std::vector<double> capacities);

    /**
     * Add a flow. Its rate is 0 until Solve().
     *
     * @param shares what it takes of links, each named once; at least one
     * @return its number; those of removed flows are given again
     */
    uint32_t Add(std::vector<LinkShare> shares);

    /// Remove a flow.  @param flow its number
    void Remove(uint32_t flow);

    /**
     * Compute the rates after changes.
     *
     * @return the flows whose rates were computed anew, by number, ascending
     */
    const std::vector<uint32_t>& Solve();

    /// @return the rate of a flow at the last Solve()  @param flow its number
    double GetRate(uint32_t flow) const
    {
        return m_flows[flow].rate;
    }

    /// @return the load of a link at the last Solve()  @param link its number
    double GetLoad(uint32_t link) const
    {
        return m_links[link].load + m_links[link].first;
    }

  private:
    /// A flow.
    struct FlowState
    {
        std::vector<LinkShare> shares;   //!< what it takes of links
        std::vector<uint32_t> positions; //!< by share: its position among the flows of the link
        double rate{0};                  //!< its rate
        bool isOpen{false};              //!< its rate grows
        bool isAffected{false};          //!< its rate is computed anew
    };

    /// A flow of a link.
    struct Member
    {
        uint32_t flow;  //!< the flow
        uint32_t share; //!< the position of the link among its shares
    };

    /// A link.
    struct LinkState
    {
        double capacity{0};          //!< in units of rate
        double load{0};              //!< by flows whose rate is fixed
        double first{0};             //!< by what is served first
        double taken{0};             //!< of the capacity, for this
        double weight{0};            //!< sum of the weights of open flows
        std::vector<Member> members; //!< its flows, without those only served first
        uint32_t open{0};            //!< number of open flows
        bool isFull{false};          //!< at the last Solve()
        bool isSpread{false};        //!< all its flows are affected
        bool isTouched{false};       //!< an affected flow crosses it

        /// @return what is not taken for what is served first
        double GetRest() const
        {
            return capacity - taken;
        }
    };

    /// The rate at which a link is full.
    struct Level
    {
        double rate;   //!< the rate of the open flows
        uint32_t link; //!< the link

        /// @return the order of a heap that has the lowest level on top  @param other another one
        bool operator<(const Level& other) const
        {
            return rate > other.rate || (rate == other.rate && link > other.link);
        }
    };

    /// @return the rate of open flows at which a link is full
    static double LevelOf(const LinkState& link);

    /// Forget what the last Solve() has computed anew, and begin with what has changed.
    void Begin();

    /// A flow is computed anew.  @param flow its number
    void Affect(uint32_t flow);

    /// Look at a link after Fill().  @param link its number
    void Touch(uint32_t link);

    /// All flows of a link are computed anew.  @param link its number
    void AffectAll(uint32_t link);

    /// Affect the flows that full links join with those affected.
    void Spread();

    /// Have the rates of the affected flows grow from 0.
    void Open();

    /// Compute the rates of the open flows, where the others keep theirs.
    void Fill();

    /// Fix the rates of the open flows of a link.  @param link its number  @param rate of each of
    /// them
    void CloseAll(uint32_t link, double rate);

    /// Affect the flows of links that are full now.  @return whether there were others yet
    bool Extend();

    /// Take from the capacities what is served first.  @return whether flows have to be computed
    /// again
    bool TakeFirst();

    std::vector<LinkState> m_links;   //!< by number
    std::vector<FlowState> m_flows;   //!< by number
    std::vector<uint32_t> m_unused;   //!< numbers of flows that were removed
    std::vector<uint32_t> m_added;    //!< flows added since the last Solve()
    std::vector<uint32_t> m_relieved; //!< links that have lost a flow since then
    std::vector<uint32_t> m_affected; //!< flows that are computed anew
    std::size_t m_spreadFlows{0};     //!< of these, those whose links were looked at
    std::vector<uint32_t> m_touched;  //!< links of affected flows, and those that have lost one
    std::vector<Level> m_levels;      //!< a heap
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_SOLVER_H */
