/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-loads.h"

namespace ns3
{
namespace aifabric
{

uint32_t
FluidLoads::AddGroup(const std::vector<LinkShare>& added)
{
    Group group;
    group.firstShare = static_cast<uint32_t>(shares.size());
    for (const LinkShare& share : added)
    {
        shares.push_back({share});
    }
    group.endShare = static_cast<uint32_t>(shares.size());
    groups.push_back(group);
    return static_cast<uint32_t>(groups.size() - 1);
}

void
FluidLoads::SetWeights(uint32_t group, const std::vector<double>& weights)
{
    Withdraw(group);
    const Group& state = groups[group];
    for (uint32_t i = state.firstShare; i < state.endShare; ++i)
    {
        LinkShare& share = shares[i].what;
        const double weight = weights.at(i - state.firstShare);
        links[share.link].whole += share.isFirst ? 0 : state.solvedFlows * (weight - share.weight);
        share.weight = weight;
    }
}

void
FluidLoads::Update(uint32_t group)
{
    Group& state = groups[group];
    const double more = static_cast<double>(state.flows) - state.solvedFlows;
    for (uint32_t i = state.firstShare; i < state.endShare; ++i)
    {
        const LinkShare& share = shares[i].what;
        links[share.link].whole += share.isFirst ? 0 : more * share.weight;
    }
    if (state.flows == 0)
    {
        Remove(group);
    }
    else if (state.solvedFlows == 0)
    {
        Enter(group);
    }
    state.solvedFlows = state.flows;
    state.solvedBack = state.back;
}

void
FluidLoads::OpenAll()
{
    for (Group& group : groups)
    {
        group.isOpen = group.flows > 0;
        group.isLoaded = false;
        group.lastRate = group.rate;
    }
    for (Link& link : links)
    {
        link.load = 0;
        link.first = link.reserved;
        link.open = static_cast<uint32_t>(link.members.size());
        link.weight = link.whole;
    }
}

void
FluidLoads::Enter(uint32_t group)
{
    for (uint32_t i = groups[group].firstShare; i < groups[group].endShare; ++i)
    {
        if (!shares[i].what.isFirst)
        {
            std::vector<Member>& members = links[shares[i].what.link].members;
            shares[i].position = static_cast<uint32_t>(members.size());
            members.push_back({group, i});
        }
    }
}

void
FluidLoads::Remove(uint32_t group)
{
    for (uint32_t i = groups[group].firstShare; i < groups[group].endShare; ++i)
    {
        if (!shares[i].what.isFirst)
        {
            std::vector<Member>& members = links[shares[i].what.link].members;
            const Member last = members.back();
            members[shares[i].position] = last;
            shares[last.share].position = shares[i].position;
            members.pop_back();
            Link& link = links[shares[i].what.link];
            link.whole = members.empty() ? 0 : link.whole; // without errors of rounding
        }
    }
}

void
FluidLoads::Withdraw(uint32_t group)
{
    Group& state = groups[group];
    if (!state.isLoaded)
    {
        return;
    }
    state.isLoaded = false;
    for (uint32_t i = state.firstShare; i < state.endShare; ++i)
    {
        const LinkShare& share = shares[i].what;
        if (share.isFirst)
        {
            links[share.link].first -= state.rate * state.solvedBack * share.weight;
        }
        else
        {
            links[share.link].load -= state.rate * state.solvedFlows * share.weight;
        }
    }
}

void
FluidLoads::Close(uint32_t group, double rate)
{
    Group& state = groups[group];
    state.isOpen = false;
    state.isLoaded = true;
    state.rate = rate;
    for (uint32_t i = state.firstShare; i < state.endShare; ++i)
    {
        const LinkShare& share = shares[i].what;
        Link& link = links[share.link];
        if (share.isFirst)
        {
            link.first += rate * state.back * share.weight;
            continue;
        }
        link.load += rate * state.flows * share.weight;
        link.weight -= state.flows * share.weight;
        if (--link.open == 0)
        {
            link.weight = 0; // without errors of rounding
        }
    }
}

} // namespace aifabric
} // namespace ns3
