/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_LOADS_H
#define FLUID_LOADS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What flows take of a link.
struct LinkShare
{
    uint32_t link; //!< the link
    double weight; //!< load of the link for each unit of a flow's rate; above 0
    /// By acknowledgements, which are served before all else: for each unit of their own load.
    bool isFirst{false};
};

/**
 * @ingroup ai-fabric
 *
 * Which groups of flows load which links by how much: the data of a FluidSolver.
 *
 * **Conservation**: the load of a link is the sum of the rates of the flows that cross it, times
 * their weights, of all groups whose load is there (Group::isLoaded).
 */
struct FluidLoads
{
    static constexpr double ROUNDING = 1e-9; //!< share by which numbers may differ

    /// A group of flows.
    struct Group
    {
        uint32_t firstShare{0};  //!< number of the first of its shares
        uint32_t endShare{0};    //!< number that follows its last one
        uint32_t flows{0};       //!< how many flows it has
        uint32_t solvedFlows{0}; //!< how many it had at the last Solve()
        double back{0};          //!< load of acknowledgements for each unit of the rate
        double solvedBack{0};    //!< the same at the last Solve()
        double rate{0};          //!< of each flow; without flows: when it had some
        double lastRate{0};      //!< the rate before OpenAll()
        bool isChanged{false};   //!< it has other flows than at the last Solve()
        bool isOpen{false};      //!< its rate grows
        bool isLoaded{false};    //!< its links have its load
        bool isAffected{false};  //!< its rate is computed anew
    };

    /// What a group takes of a link.
    struct Share
    {
        LinkShare what;       //!< the link and the weight
        uint32_t position{0}; //!< of the group among those of the link
    };

    /// A group of a link.
    struct Member
    {
        uint32_t group; //!< the group
        uint32_t share; //!< number of the share
    };

    /// A link.
    struct Link
    {
        double capacity{0};          //!< in units of rate
        double load{0};              //!< by groups whose rate is fixed
        double first{0};             //!< by what is served first
        double reserved{0};          //!< of this, what groups do not cause
        double expected{0};          //!< what this will be
        double taken{0};             //!< of the capacity, for this
        double weight{0};            //!< sum of the weights of flows of open groups
        double whole{0};             //!< the same of all groups
        std::vector<Member> members; //!< groups with flows, without those only served first
        uint32_t open{0};            //!< number of open groups
        bool isFull{false};          //!< at the last Solve()
        bool isSpread{false};        //!< all its groups are affected
        bool isTouched{false};       //!< affected groups, or their acknowledgements, load it
        bool isCrossed{false};       //!< affected groups do, or one that has lost all flows

        /// @return the rate of flows of open groups at which it is full
        double GetLevel() const
        {
            return std::max(0.0, GetRest() - load) / weight;
        }

        /// Find out whether it is full: its load may be less by rounding.
        void CheckFull()
        {
            isFull = !members.empty() && load >= (1 - ROUNDING) * GetRest();
        }

        /// @return what is not taken for what is served first
        double GetRest() const
        {
            return capacity - taken;
        }
    };

    /// @return the number of a new group  @param added what each of its flows takes of links
    uint32_t AddGroup(const std::vector<LinkShare>& added);

    /// Take the load of a group off its links, and set its weights anew.  @param group its number
    /// @param weights by share
    void SetWeights(uint32_t group, const std::vector<double>& weights);

    /// Enter a group among those of its links if it has flows now, remove it if it has none now,
    /// and count its flows.  @param group its number
    void Update(uint32_t group);

    /// Open all groups that have flows, and take all loads of groups off.
    void OpenAll();

    /// Enter a group among those of its links.  @param group its number
    void Enter(uint32_t group);

    /// Remove a group from those of its links.  @param group its number
    void Remove(uint32_t group);

    /// Take the load of a group off its links.  @param group its number
    void Withdraw(uint32_t group);

    /// Fix the rate of a group.  @param group its number  @param rate of each of its flows
    void Close(uint32_t group, double rate);

    std::vector<Link> links;   //!< by number
    std::vector<Group> groups; //!< by number
    std::vector<Share> shares; //!< those of groups, one group after the other
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_LOADS_H */
