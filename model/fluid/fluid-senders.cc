/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-senders.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace ns3
{
namespace aifabric
{

FluidSenders::FluidSenders(std::vector<double> capacities,
                           double packet,
                           const Callback<void, uint32_t>& left)
    : m_capacities(std::move(capacities)),
      m_packet(packet),
      m_left(left),
      m_solver(m_capacities)
{
}

FluidSenders::~FluidSenders()
{
    Clear();
}

void
FluidSenders::Clear()
{
    m_solve.Cancel();
    m_end.Cancel();
    m_solver = FluidSolver(m_capacities);
    m_groups.clear();
    m_stale.clear();
    m_ends = {};
    m_solvePs = 0;
    m_horizonPs = NEVER;
}

void
FluidSenders::SetRateCallback(const Callback<void, uint32_t, double>& changed)
{
    m_changed = changed;
}

uint32_t
FluidSenders::AddGroup(const std::vector<LinkShare>& shares)
{
    m_groups.emplace_back();
    return m_solver.AddGroup(shares);
}

void
FluidSenders::Send(uint32_t item, uint32_t group, double bytes, double back)
{
    Group& state = m_groups[group];
    Serve(state, FabricClock::Now());
    if (state.senders.empty())
    {
        state.served = 0;
        state.rate = 0; // until rates are computed
    }
    state.senders.push_back({state.served + bytes, item, back, 0});
    std::push_heap(state.senders.begin(), state.senders.end());
    m_solver.Join(group, back);
    MarkStale(group);
    ScheduleSolve();
}

void
FluidSenders::Reserve(uint32_t link, double change)
{
    m_solver.Reserve(link, change);
    ScheduleSolve();
}

void
FluidSenders::SetShares(uint32_t group, const std::vector<LinkShare>& shares)
{
    std::vector<double> weights;
    for (const LinkShare& share : shares)
    {
        weights.push_back(share.weight);
    }
    m_solver.SetWeights(group, weights);
    ScheduleSolve();
}

void
FluidSenders::SetCapacity(uint32_t link, double capacity)
{
    m_capacities[link] = capacity;
    m_solver.SetCapacity(link, capacity);
    ScheduleSolve();
}

bool
FluidSenders::Extend(uint32_t item, uint32_t group, double bytes)
{
    std::vector<Sender>& senders = m_groups[group].senders;
    const auto found = std::find_if(senders.begin(), senders.end(), [item](const Sender& sender) {
        return sender.item == item;
    });
    if (found == senders.end())
    {
        return false;
    }
    found->end += bytes;
    std::make_heap(senders.begin(), senders.end());
    MarkStale(group);
    ScheduleSolve();
    return true;
}

double
FluidSenders::GetRest(uint32_t item, uint32_t group) const
{
    const Group& state = m_groups[group];
    const double served = state.served + state.rate * (FabricClock::Now() - state.since);
    for (const Sender& sender : state.senders)
    {
        if (sender.item == item)
        {
            return std::max(0.0, sender.end - served);
        }
    }
    return 0;
}

void
FluidSenders::Serve(Group& group, int64_t now)
{
    group.served += group.rate * (now - group.since);
    group.since = now;
}

void
FluidSenders::MarkStale(uint32_t number)
{
    if (!m_groups[number].isStale)
    {
        m_groups[number].isStale = true;
        m_stale.push_back(number);
    }
}

void
FluidSenders::ScheduleSolve()
{
    if (m_solve.IsExpired())
    {
        const int64_t ps = std::max(FabricClock::Now(), m_solvePs);
        const Time wait = FabricClock::Until(ps, FabricClock::REVIEW_TURN);
        m_solve = Simulator::Schedule(wait, &FluidSenders::Solve, this);
    }
}

void
FluidSenders::Solve()
{
    TakeRates();
    RefreshStale();
    ScheduleEnd();
}

void
FluidSenders::TakeRates()
{
    const int64_t now = FabricClock::Now();
    const std::vector<uint32_t>& changed = m_solver.Solve();
    double most = 0; // rate
    for (const uint32_t group : changed)
    {
        Serve(m_groups[group], now);
        m_groups[group].rate = m_solver.GetRate(group);
        most = std::max(most, m_groups[group].rate);
        MarkStale(group);
    }
    const bool isPutOff = changed.size() > FluidSolver::MANY;
    m_solvePs = isPutOff ? now + std::llround(m_packet / most) : 0;
    if (!m_solver.IsSettled())
    {
        ScheduleSolve();
    }
}

void
FluidSenders::RefreshStale()
{
    constexpr std::size_t FEW = 4; // a part of all: a heap of all is made faster
    constexpr int64_t SPAN = 4;    // times until rates are computed, for which ends are queued
    const bool areMany = m_stale.size() > m_groups.size() / FEW;
    const int64_t now = FabricClock::Now();
    for (const uint32_t group : m_stale)
    {
        Refresh(group, now);
        if (!areMany)
        {
            QueueEnd(group);
        }
    }
    m_stale.clear();
    if (areMany)
    {
        QueueAll(m_solvePs > now ? now + SPAN * (m_solvePs - now) : NEVER);
    }
}

void
FluidSenders::QueueAll(int64_t horizonPs)
{
    m_horizonPs = horizonPs;
    std::vector<End> ends;
    for (uint32_t number = 0; number < m_groups.size(); ++number)
    {
        Group& group = m_groups[number];
        group.queuedPs = NEVER;
        if (group.endPs < NEVER && group.endPs <= horizonPs)
        {
            group.queuedPs = group.endPs;
            ends.push_back({group.endPs, number});
        }
    }
    m_ends = std::priority_queue<End>(std::less<End>(), std::move(ends));
}

void
FluidSenders::Refresh(uint32_t number, int64_t now)
{
    Group& group = m_groups[number];
    group.isStale = false;
    group.endPs = NEVER;
    if (group.senders.empty())
    {
        return;
    }
    Serve(group, now);
    group.rate =
        m_solver.GetRate(number); // also of a group that was empty, where that is as before
    const double rest = (group.senders.front().end - group.served) / group.rate;
    group.endPs = group.since + std::max<int64_t>(0, std::llround(rest));
    if (!m_changed.IsNull())
    {
        Report(group);
    }
}

void
FluidSenders::QueueEnd(uint32_t number)
{
    Group& group = m_groups[number];
    if (group.endPs < group.queuedPs && group.endPs <= m_horizonPs)
    {
        group.queuedPs = group.endPs;
        m_ends.push({group.endPs, number});
    }
}

bool
FluidSenders::TakeEnd()
{
    const End end = m_ends.top();
    m_ends.pop();
    Group& group = m_groups[end.group];
    if (end.ps != group.queuedPs)
    {
        return false;
    }
    group.queuedPs = NEVER;
    return group.endPs == end.ps;
}

void
FluidSenders::Report(Group& group) const
{
    for (Sender& sender : group.senders)
    {
        if (sender.rate != group.rate)
        {
            sender.rate = group.rate;
            m_changed(sender.item, sender.rate);
        }
    }
}

void
FluidSenders::DropPutOff()
{
    while (!m_ends.empty() && m_ends.top().ps != m_groups[m_ends.top().group].endPs)
    {
        const uint32_t group = m_ends.top().group;
        TakeEnd();
        QueueEnd(group);
    }
}

void
FluidSenders::ScheduleEnd()
{
    DropPutOff();
    if (m_ends.empty() && m_horizonPs < NEVER)
    {
        QueueAll(NEVER);
    }
    if (m_ends.empty())
    {
        m_end.Cancel();
    }
    else if (m_end.IsExpired() || m_ends.top().ps != m_endPs)
    {
        m_end.Cancel();
        m_endPs = m_ends.top().ps;
        m_end = Simulator::Schedule(FabricClock::Until(m_endPs), &FluidSenders::EndDue, this);
    }
}

void
FluidSenders::EndDue()
{
    const int64_t now = FabricClock::Now();
    while (!m_ends.empty() && m_ends.top().ps <= now)
    {
        const uint32_t group = m_ends.top().group;
        if (TakeEnd())
        {
            EndGroup(group);
        }
        else
        {
            QueueEnd(group);
        }
    }
    ScheduleSolve();
    if (m_solvePs > now)
    {
        ScheduleEnd();
    }
}

void
FluidSenders::EndGroup(uint32_t number)
{
    constexpr double HALF = 0.5; // a picosecond: times are rounded
    Serve(m_groups[number], FabricClock::Now());
    m_groups[number].endPs = NEVER;
    MarkStale(number);
    bool isFirst = true; // it is due, whatever was rounded
    while (!m_groups[number].senders.empty())
    {
        Group& group = m_groups[number];
        const Sender sender = group.senders.front();
        if (!isFirst && sender.end - group.served > group.rate * HALF)
        {
            return;
        }
        isFirst = false;
        std::pop_heap(group.senders.begin(), group.senders.end());
        group.senders.pop_back();
        m_solver.Leave(number, sender.back);
        m_left(sender.item); // may send again, and add groups
    }
}

} // namespace aifabric
} // namespace ns3
