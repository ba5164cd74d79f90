/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Share of the capacity by which the load of what is served first may be another one than the one
/// that rates were computed with.
constexpr double TOLERANCE = 5e-4;

constexpr uint32_t MOST_ROUNDS = 20; //!< until what is served first is left as it is

} // namespace

FluidSolver::FluidSolver(std::vector<double> capacities)
{
    m_loads.links.resize(capacities.size());
    for (std::size_t link = 0; link < capacities.size(); ++link)
    {
        m_loads.links[link].capacity = capacities[link];
    }
}

void
FluidSolver::Join(uint32_t group, double back)
{
    ++m_loads.groups[group].flows;
    m_loads.groups[group].back += back;
    Change(group);
}

void
FluidSolver::Leave(uint32_t group, double back)
{
    FluidLoads::Group& state = m_loads.groups[group];
    --state.flows;
    state.back = state.flows == 0 ? 0 : state.back - back; // without errors of rounding
    Change(group);
}

void
FluidSolver::Reserve(uint32_t link, double change)
{
    m_loads.links[link].first += change;
    m_loads.links[link].reserved += change;
    m_loads.links[link].expected += change;
    m_reserved.push_back(link);
}

void
FluidSolver::SetWeights(uint32_t group, const std::vector<double>& weights)
{
    m_loads.SetWeights(group, weights);
    m_weighted.push_back(group);
}

void
FluidSolver::SetCapacity(uint32_t link, double capacity)
{
    m_loads.links[link].capacity = capacity;
    m_resized.push_back(link);
}

void
FluidSolver::Change(uint32_t group)
{
    if (!m_loads.groups[group].isChanged)
    {
        m_loads.groups[group].isChanged = true;
        m_changed.push_back(group);
    }
}

const std::vector<uint32_t>&
FluidSolver::Solve()
{
    if (m_affected.size() > std::max(std::size_t{MANY}, m_entered / 2))
    {
        SolveAll();
        return m_affected;
    }
    Forget();
    Begin();
    uint32_t rounds = 0;
    do
    {
        do
        {
            Spread();
            Open();
            Fill();
        } while (Extend());
    } while (TakeFirst() && ++rounds < MOST_ROUNDS);
    std::sort(m_affected.begin(), m_affected.end());
    return m_affected;
}

void
FluidSolver::SolveAll()
{
    Forget();
    for (const uint32_t group : m_changed)
    {
        UpdateGroup(group);
    }
    m_changed.clear();
    m_reserved.clear();
    m_weighted.clear();
    m_resized.clear();
    m_loads.OpenAll();
    for (uint32_t number = 0; number < m_loads.links.size(); ++number)
    {
        FluidLoads::Link& link = m_loads.links[number];
        link.taken = std::clamp(link.expected, 0.0, link.capacity / 2);
        if (link.open > 0)
        {
            m_levels.push_back({link.GetLevel(), number});
        }
    }
    std::make_heap(m_levels.begin(), m_levels.end());
    Fill();
    for (uint32_t number = 0; number < m_loads.links.size(); ++number)
    {
        FluidLoads::Link& link = m_loads.links[number];
        link.CheckFull();
        link.expected = link.first;
        if (std::abs(link.expected - link.taken) > TOLERANCE * link.capacity)
        {
            m_reserved.push_back(number);
        }
    }
    for (uint32_t group = 0; group < m_loads.groups.size(); ++group)
    {
        FluidLoads::Group& state = m_loads.groups[group];
        if (std::abs(state.rate - state.lastRate) > FluidLoads::ROUNDING * state.rate)
        {
            state.isAffected = true;
            m_affected.push_back(group);
        }
    }
}

void
FluidSolver::Forget()
{
    for (const uint32_t group : m_affected)
    {
        m_loads.groups[group].isAffected = false;
    }
    for (const uint32_t link : m_touched)
    {
        m_loads.links[link].isSpread = false;
        m_loads.links[link].isTouched = false;
        m_loads.links[link].isCrossed = false;
    }
    m_affected.clear();
    m_touched.clear();
    m_spreadGroups = 0;
}

void
FluidSolver::Begin()
{
    for (const uint32_t group : m_changed)
    {
        BeginGroup(group);
    }
    m_changed.clear();
    for (const uint32_t link : m_reserved)
    {
        Touch({link, 0, true});
    }
    m_reserved.clear();
    BeginFaults();
    const std::size_t links = m_touched.size();
    for (std::size_t i = 0; i < links; ++i)
    {
        const uint32_t link = m_touched[i];
        if (m_loads.links[link].isFull && m_loads.links[link].isCrossed)
        {
            AffectAll(link);
        }
        TakeExpected(link);
    }
}

void
FluidSolver::BeginFaults()
{
    for (const uint32_t group : m_weighted)
    {
        const FluidLoads::Group& state = m_loads.groups[group];
        if (state.flows > 0)
        {
            Affect(group);
        }
    }
    for (const uint32_t link : m_resized)
    {
        Touch({link, 0});
        AffectAll(link);
    }
    m_weighted.clear();
    m_resized.clear();
}

void
FluidSolver::BeginGroup(uint32_t group)
{
    FluidLoads::Group& state = m_loads.groups[group];
    state.isChanged = false;
    if (state.flows == state.solvedFlows &&
        std::abs(state.back - state.solvedBack) <= FluidLoads::ROUNDING * state.back)
    {
        return; // some flows have taken the place of others
    }
    m_loads.Withdraw(group);
    for (uint32_t i = state.firstShare; i < state.endShare; ++i)
    {
        const LinkShare& share = m_loads.shares[i].what;
        if (share.isFirst)
        {
            m_loads.links[share.link].expected +=
                state.rate * (state.back - state.solvedBack) * share.weight;
        }
        Touch(share);
    }
    UpdateGroup(group);
    if (state.flows > 0)
    {
        Affect(group);
    }
}

void
FluidSolver::UpdateGroup(uint32_t group)
{
    FluidLoads::Group& state = m_loads.groups[group];
    state.isChanged = false;
    m_entered += (state.flows > 0) - (state.solvedFlows > 0);
    m_loads.Update(group);
}

void
FluidSolver::Affect(uint32_t group)
{
    FluidLoads::Group& state = m_loads.groups[group];
    if (state.isAffected)
    {
        return;
    }
    state.isAffected = true;
    m_affected.push_back(group);
    for (uint32_t i = state.firstShare; i < state.endShare; ++i)
    {
        Touch(m_loads.shares[i].what);
    }
}

void
FluidSolver::Touch(const LinkShare& share)
{
    FluidLoads::Link& link = m_loads.links[share.link];
    link.isCrossed = link.isCrossed || !share.isFirst;
    if (!link.isTouched)
    {
        link.isTouched = true;
        m_touched.push_back(share.link);
    }
}

void
FluidSolver::AffectAll(uint32_t link)
{
    if (m_loads.links[link].isSpread)
    {
        return;
    }
    m_loads.links[link].isSpread = !m_loads.links[link].members.empty();
    for (const FluidLoads::Member& member : m_loads.links[link].members)
    {
        Affect(member.group);
    }
}

void
FluidSolver::Spread()
{
    for (; m_spreadGroups < m_affected.size(); ++m_spreadGroups)
    {
        const FluidLoads::Group& group = m_loads.groups[m_affected[m_spreadGroups]];
        for (uint32_t i = group.firstShare; i < group.endShare; ++i)
        {
            const LinkShare& share = m_loads.shares[i].what;
            if (!share.isFirst && m_loads.links[share.link].isFull)
            {
                AffectAll(share.link);
            }
        }
    }
}

void
FluidSolver::Open()
{
    for (const uint32_t group : m_affected)
    {
        m_loads.Withdraw(group);
        FluidLoads::Group& state = m_loads.groups[group];
        state.isOpen = true;
        for (uint32_t i = state.firstShare; i < state.endShare; ++i)
        {
            const LinkShare& share = m_loads.shares[i].what;
            if (!share.isFirst)
            {
                m_loads.links[share.link].weight += state.flows * share.weight;
                ++m_loads.links[share.link].open;
            }
        }
    }
    for (const uint32_t link : m_touched)
    {
        FluidLoads::Link& state = m_loads.links[link];
        if (state.open == state.members.size())
        {
            state.load = 0; // without errors of rounding
        }
        if (state.open > 0)
        {
            m_levels.push_back({state.GetLevel(), link});
        }
    }
    std::make_heap(m_levels.begin(), m_levels.end());
}

void
FluidSolver::Fill()
{
    while (!m_levels.empty())
    {
        std::pop_heap(m_levels.begin(), m_levels.end());
        const Level lowest = m_levels.back();
        m_levels.pop_back();
        const FluidLoads::Link& link = m_loads.links[lowest.link];
        if (link.open == 0)
        {
            continue;
        }
        const double level = link.GetLevel();
        if (level > lowest.rate) // groups of the link were fixed meanwhile
        {
            m_levels.push_back({level, lowest.link});
            std::push_heap(m_levels.begin(), m_levels.end());
            continue;
        }
        CloseAll(lowest.link, lowest.rate);
    }
}

void
FluidSolver::CloseAll(uint32_t link, double rate)
{
    for (const FluidLoads::Member& member : m_loads.links[link].members)
    {
        if (m_loads.groups[member.group].isOpen)
        {
            m_loads.Close(member.group, rate);
        }
    }
}

bool
FluidSolver::Extend()
{
    const std::size_t before = m_affected.size();
    const std::size_t links = m_touched.size();
    for (std::size_t i = 0; i < links; ++i)
    {
        FluidLoads::Link& link = m_loads.links[m_touched[i]];
        if (!link.isCrossed)
        {
            continue; // what crosses it is as before
        }
        link.CheckFull();
        if (link.isFull)
        {
            AffectAll(m_touched[i]);
        }
    }
    return m_affected.size() > before;
}

bool
FluidSolver::TakeExpected(uint32_t link)
{
    FluidLoads::Link& state = m_loads.links[link];
    if (std::abs(state.expected - state.taken) <= TOLERANCE * state.capacity)
    {
        return false;
    }
    state.taken = std::clamp(state.expected, 0.0, state.capacity / 2);
    if (!state.isFull && state.load <= state.GetRest())
    {
        return false;
    }
    AffectAll(link);
    return true;
}

bool
FluidSolver::TakeFirst()
{
    bool isAgain = false;
    const std::size_t links = m_touched.size();
    for (std::size_t i = 0; i < links; ++i)
    {
        m_loads.links[m_touched[i]].expected = m_loads.links[m_touched[i]].first;
        isAgain = TakeExpected(m_touched[i]) || isAgain;
    }
    return isAgain;
}

} // namespace aifabric
} // namespace ns3
