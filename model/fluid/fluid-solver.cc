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

/// Share of the capacity by which the load of a full link may be less, by rounding.
constexpr double ROUNDING = 1e-9;

/// Share of the capacity by which the load of what is served first may be another one than the one
/// that rates were computed with.
constexpr double TOLERANCE = 5e-4;

constexpr uint32_t MOST_ROUNDS = 20; //!< until what is served first is left as it is

} // namespace

FluidSolver::FluidSolver(std::vector<double> capacities)
    : m_links(capacities.size())
{
    for (std::size_t link = 0; link < capacities.size(); ++link)
    {
        m_links[link].capacity = capacities[link];
    }
}

uint32_t
FluidSolver::Add(std::vector<LinkShare> shares)
{
    uint32_t flow = static_cast<uint32_t>(m_flows.size());
    if (m_unused.empty())
    {
        m_flows.emplace_back();
    }
    else
    {
        flow = m_unused.back();
        m_unused.pop_back();
    }
    FlowState& state = m_flows[flow];
    state.shares = std::move(shares);
    state.positions.clear();
    for (uint32_t share = 0; share < state.shares.size(); ++share)
    {
        std::vector<Member>& members = m_links[state.shares[share].link].members;
        if (state.shares[share].isFirst)
        {
            state.positions.push_back(0);
            continue;
        }
        state.positions.push_back(static_cast<uint32_t>(members.size()));
        members.push_back({flow, share});
    }
    m_added.push_back(flow);
    return flow;
}

void
FluidSolver::Remove(uint32_t flow)
{
    FlowState& state = m_flows[flow];
    for (uint32_t share = 0; share < state.shares.size(); ++share)
    {
        const uint32_t link = state.shares[share].link;
        if (state.shares[share].isFirst)
        {
            m_links[link].first -= state.rate * state.shares[share].weight;
            m_relieved.push_back(link);
            continue;
        }
        std::vector<Member>& members = m_links[link].members;
        const Member last = members.back();
        members[state.positions[share]] = last;
        m_flows[last.flow].positions[last.share] = state.positions[share];
        members.pop_back();
        m_links[link].load -= state.rate * state.shares[share].weight;
        m_relieved.push_back(link);
    }
    m_added.erase(std::remove(m_added.begin(), m_added.end(), flow), m_added.end());
    state = {};
    m_unused.push_back(flow);
}

const std::vector<uint32_t>&
FluidSolver::Solve()
{
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
FluidSolver::Begin()
{
    for (const uint32_t flow : m_affected)
    {
        m_flows[flow].isAffected = false;
    }
    for (const uint32_t link : m_touched)
    {
        m_links[link].isSpread = false;
        m_links[link].isTouched = false;
    }
    m_affected.clear();
    m_touched.clear();
    m_spreadFlows = 0;
    for (const uint32_t flow : m_added)
    {
        Affect(flow);
    }
    for (const uint32_t link : m_relieved)
    {
        Touch(link);
        if (m_links[link].isFull)
        {
            AffectAll(link);
        }
    }
    m_added.clear();
    m_relieved.clear();
}

void
FluidSolver::Affect(uint32_t flow)
{
    FlowState& state = m_flows[flow];
    if (state.isAffected)
    {
        return;
    }
    state.isAffected = true;
    m_affected.push_back(flow);
    for (const LinkShare& share : state.shares)
    {
        Touch(share.link);
    }
}

void
FluidSolver::Touch(uint32_t link)
{
    if (!m_links[link].isTouched)
    {
        m_links[link].isTouched = true;
        m_touched.push_back(link);
    }
}

void
FluidSolver::AffectAll(uint32_t link)
{
    if (m_links[link].isSpread)
    {
        return;
    }
    m_links[link].isSpread = !m_links[link].members.empty();
    for (const Member& member : m_links[link].members)
    {
        Affect(member.flow);
    }
}

void
FluidSolver::Spread()
{
    for (; m_spreadFlows < m_affected.size(); ++m_spreadFlows)
    {
        for (const LinkShare& share : m_flows[m_affected[m_spreadFlows]].shares)
        {
            if (m_links[share.link].isFull && !share.isFirst)
            {
                AffectAll(share.link);
            }
        }
    }
}

void
FluidSolver::Open()
{
    for (const uint32_t flow : m_affected)
    {
        FlowState& state = m_flows[flow];
        for (const LinkShare& share : state.shares)
        {
            LinkState& link = m_links[share.link];
            if (share.isFirst)
            {
                link.first -= state.rate * share.weight;
                continue;
            }
            link.load -= state.rate * share.weight;
            link.weight += share.weight;
            ++link.open;
        }
        state.rate = 0;
        state.isOpen = true;
    }
    for (const uint32_t link : m_touched)
    {
        LinkState& state = m_links[link];
        if (state.open == state.members.size())
        {
            state.load = 0; // without errors of rounding
        }
        if (state.open > 0)
        {
            m_levels.push_back({LevelOf(state), link});
        }
    }
    std::make_heap(m_levels.begin(), m_levels.end());
}

double
FluidSolver::LevelOf(const LinkState& link)
{
    return std::max(0.0, link.GetRest() - link.load) / link.weight;
}

void
FluidSolver::Fill()
{
    while (!m_levels.empty())
    {
        std::pop_heap(m_levels.begin(), m_levels.end());
        const Level lowest = m_levels.back();
        m_levels.pop_back();
        const LinkState& link = m_links[lowest.link];
        if (link.open == 0)
        {
            continue;
        }
        const double level = LevelOf(link);
        if (level > lowest.rate) // flows of the link were fixed meanwhile
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
    for (const Member& member : m_links[link].members)
    {
        FlowState& flow = m_flows[member.flow];
        if (!flow.isOpen)
        {
            continue;
        }
        flow.isOpen = false;
        flow.rate = rate;
        for (const LinkShare& share : flow.shares)
        {
            LinkState& other = m_links[share.link];
            if (share.isFirst)
            {
                other.first += rate * share.weight;
                continue;
            }
            other.load += rate * share.weight;
            other.weight -= share.weight;
            if (--other.open == 0)
            {
                other.weight = 0; // without errors of rounding
            }
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
        LinkState& link = m_links[m_touched[i]];
        link.isFull = !link.members.empty() && link.load >= (1 - ROUNDING) * link.GetRest();
        if (link.isFull)
        {
            AffectAll(m_touched[i]);
        }
    }
    return m_affected.size() > before;
}

bool
FluidSolver::TakeFirst()
{
    bool isAgain = false;
    const std::size_t links = m_touched.size();
    for (std::size_t i = 0; i < links; ++i)
    {
        LinkState& link = m_links[m_touched[i]];
        if (std::abs(link.first - link.taken) <= TOLERANCE * link.capacity)
        {
            continue;
        }
        link.taken = std::clamp(link.first, 0.0, link.capacity / 2);
        if (link.isFull || link.load > link.GetRest())
        {
            AffectAll(m_touched[i]);
            isAgain = true;
        }
    }
    return isAgain;
}

} // namespace aifabric
} // namespace ns3
