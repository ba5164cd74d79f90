/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-queues.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr double RATE_ROUNDING = 1e-9; //!< share of a rate

/// After which a queue that hardly shrinks is looked at again: its end may be after that of time.
constexpr double MOST_WAIT_PS = 1e12;

} // namespace

FluidQueues::FluidQueues(const std::vector<double>& rates,
                         const Callback<void, uint32_t, double>& passed)
    : m_passed(passed),
      m_links(rates.size())
{
    for (std::size_t link = 0; link < rates.size(); ++link)
    {
        m_links[link].rate = rates[link];
    }
}

FluidQueues::~FluidQueues()
{
    Clear();
}

void
FluidQueues::Clear()
{
    m_review.Cancel();
    m_reviewPs = NEVER;
    m_ways.Clear();
    for (Link& link : m_links)
    {
        const double rate = link.rate;
        const double unit = link.unit;
        link = {};
        link.rate = rate;
        link.unit = unit;
        link.since = FabricClock::Now();
    }
    m_streams.clear();
    m_crossings.clear();
    m_unusedSlots.clear();
    m_slots.clear();
    m_diverted.clear();
    m_dirty.clear();
    m_dues = {};
}

double
FluidQueues::GetServed(uint32_t link) const
{
    return m_links[link].total + m_links[link].left;
}

void
FluidQueues::SetRate(uint32_t stream, const FluidWay& way, double rate)
{
    m_slots.resize(std::max<std::size_t>(m_slots.size(), stream + std::size_t{1}), NONE);
    uint32_t& slot = m_slots[stream];
    if (slot == NONE)
    {
        slot = TakeSlot();
        m_streams[slot] = {way, stream};
    }
    const int64_t due = FabricClock::Now() + way.firstPs;
    m_ways.Add(ChangeOf(slot * MOST_LINKS, rate), due);
    ReviewAt(due);
}

uint32_t
FluidQueues::TakeSlot()
{
    if (m_unusedSlots.empty())
    {
        m_streams.emplace_back();
        m_crossings.resize(m_streams.size() * MOST_LINKS);
        return static_cast<uint32_t>(m_streams.size() - 1);
    }
    const uint32_t slot = m_unusedSlots.back();
    m_unusedSlots.pop_back();
    std::fill_n(m_crossings.begin() + slot * MOST_LINKS, MOST_LINKS, Crossing());
    return slot;
}

void
FluidQueues::SetLinkRate(uint32_t number, double rate)
{
    Link& link = m_links[number];
    Advance(link);
    link.rate = rate;
    CheckBusy(link);
    MarkDirty(number);
}

void
FluidQueues::Reweigh(const std::function<const std::vector<LinkShare>&(uint32_t stream)>& find)
{
    std::vector<double> factors(m_crossings.size(), 1);
    for (uint32_t slot = 0; slot < m_streams.size(); ++slot)
    {
        const Stream& stream = m_streams[slot];
        if (m_slots[stream.item] != slot)
        {
            continue; // it has left
        }
        const std::vector<LinkShare>& links = find(stream.item);
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            const double before = stream.way.links->at(i).weight;
            factors[slot * MOST_LINKS + i] = links[i].weight / before;
        }
    }
    m_ways.Visit([&factors](Change& change) { change.rate *= factors[change.crossing]; });
    for (uint32_t link = 0; link < m_links.size(); ++link)
    {
        ScaleLink(link, factors);
    }
}

void
FluidQueues::ScaleLink(uint32_t number, const std::vector<double>& factors)
{
    Link& link = m_links[number];
    if (link.crossings.empty())
    {
        return;
    }
    Advance(link);
    const double before = link.head;
    link.in = 0;
    link.head = 0;
    for (const uint32_t crossing : link.crossings)
    {
        Crossing& state = m_crossings[crossing];
        state.in *= factors[crossing];
        state.head *= factors[crossing];
        state.out *= factors[crossing];
        link.in += state.in;
        link.head += state.head;
    }
    // What waits takes another share of the link, too; all of it as its front does.
    const double scale = before > 0 && link.head > 0 ? link.head / before : 1;
    link.entered = link.left + (link.entered - link.left) * scale;
    for (Marker& marker : link.markers)
    {
        marker.rate *= factors[marker.crossing];
        marker.place = link.left + (marker.place - link.left) * scale;
    }
    CheckBusy(link);
    MarkDirty(number);
}

void
FluidQueues::Divert(uint32_t stream, std::size_t index, uint32_t other, const FluidWay& way)
{
    const uint32_t slot = m_slots[stream];
    const uint32_t made = TakeSlot();
    const auto at = static_cast<uint32_t>(index);
    const uint32_t from = slot * MOST_LINKS + at;
    const uint32_t to = made * MOST_LINKS + at;
    const bool isWhole = at == m_streams[slot].begin;
    const uint32_t feeder = isWhole ? m_streams[slot].feeder : from - 1;
    m_streams[made] = {way, other, at, feeder, 1};
    m_slots.resize(std::max<std::size_t>(m_slots.size(), other + std::size_t{1}), NONE);
    m_slots[other] = made;
    if (feeder != NONE && !m_crossings[feeder].isGone)
    {
        m_diverted[feeder] = to;
        m_streams[slot].ends += isWhole ? 0 : 1; // the part before, and the one from here on
    }
    Redirect(from, to);
    const double rate = m_crossings[from].in / (IsLost(from) ? 1 : ShareOf(from).weight);
    if (rate > 0)
    {
        Enter(ChangeOf(from, 0));
        Enter(ChangeOf(to, rate));
        return;
    }
    EndChain(from);
}

void
FluidQueues::EndChain(uint32_t crossing)
{
    while (true)
    {
        m_crossings[crossing].isOver = true;
        const uint32_t slot = crossing / MOST_LINKS;
        const uint32_t next = IsLost(crossing) ? NONE : GetNext(crossing);
        if (next == NONE)
        {
            const uint32_t item = m_streams[slot].item;
            EndPart(slot);
            m_passed(item, 0);
            return;
        }
        if (next != crossing + 1)
        {
            m_diverted.erase(crossing);
            EndPart(slot);
        }
        crossing = next;
    }
}

void
FluidQueues::Redirect(uint32_t from, uint32_t to)
{
    const double before = IsLost(from) ? 1 : ShareOf(from).weight;
    m_ways.Visit([this, from, to, before](Change& change) {
        change = change.crossing == from ? ChangeOf(to, change.rate / before) : change;
    });
}

const LinkShare&
FluidQueues::ShareOf(uint32_t crossing) const
{
    return m_streams[crossing / MOST_LINKS].way.links->at(crossing % MOST_LINKS);
}

FluidQueues::Change
FluidQueues::ChangeOf(uint32_t crossing, double rate) const
{
    if (IsLost(crossing))
    {
        return {crossing, NONE, rate};
    }
    const LinkShare& share = ShareOf(crossing);
    return {crossing, share.link, rate * share.weight};
}

bool
FluidQueues::IsLost(uint32_t crossing) const
{
    return crossing % MOST_LINKS == m_streams[crossing / MOST_LINKS].way.links->size();
}

void
FluidQueues::Enter(Change change)
{
    const auto [number, target, rate] = change;
    Crossing& crossing = m_crossings[number];
    crossing.isOver = rate == 0;
    if (target == NONE)
    {
        crossing.in = rate;
        Lose(number, rate);
        return;
    }
    Link& link = m_links[target];
    Advance(link);
    if (crossing.in == 0)
    {
        crossing.place = static_cast<uint32_t>(link.crossings.size());
        link.crossings.push_back(number);
    }
    link.in += rate - crossing.in;
    crossing.in = rate;
    if (link.isBusy)
    {
        link.markers.push_back({link.entered, number, rate});
    }
    else
    {
        link.head += rate - crossing.head;
        crossing.head = rate;
        crossing.isDone = rate == 0;
    }
    CheckBusy(link);
    MarkDirty(target);
}

void
FluidQueues::Advance(Link& link)
{
    const int64_t now = FabricClock::Now();
    const auto time = static_cast<double>(now - link.since);
    link.since = now;
    link.entered += link.in * time;
    link.left = link.isBusy ? std::min(link.entered, link.left + link.rate * time) : link.entered;
    m_most = std::max(m_most, link.unit * (link.entered - link.left));
    if (!link.isBusy)
    {
        link.total += link.left; // small numbers have small errors of rounding
        link.entered = 0;
        link.left = 0;
    }
}

void
FluidQueues::CheckBusy(Link& link)
{
    link.isBusy = link.isBusy || link.in > (1 + RATE_ROUNDING) * link.rate;
}

void
FluidQueues::MarkDirty(uint32_t number)
{
    if (!m_links[number].isDirty)
    {
        m_links[number].isDirty = true;
        m_dirty.push_back(number);
    }
    ReviewAt(FabricClock::Now());
}

void
FluidQueues::ReviewAt(int64_t ps)
{
    if (ps < m_reviewPs)
    {
        m_review.Cancel();
        m_reviewPs = ps;
        const Time wait = FabricClock::Until(ps, FabricClock::REVIEW_TURN);
        m_review = Simulator::Schedule(wait, &FluidQueues::Review, this);
    }
}

void
FluidQueues::Review()
{
    const int64_t now = FabricClock::Now();
    m_ways.TakeUntil(now, [this](const Change& change) { Enter(change); });
    PassDue(now);
    for (std::size_t i = 0; i < m_dirty.size(); ++i)
    {
        m_links[m_dirty[i]].isDirty = false;
        Refresh(m_dirty[i]);
        FindNext(m_dirty[i]);
    }
    m_dirty.clear();
    m_reviewPs = NEVER;
    ReviewAt(FindFirstPs());
}

int64_t
FluidQueues::FindFirstPs()
{
    while (!m_dues.empty() && m_dues.top().version != m_links[m_dues.top().link].version)
    {
        m_dues.pop();
    }
    const int64_t due = m_dues.empty() ? NEVER : m_dues.top().ps;
    return std::min(due, m_ways.GetFirstPs());
}

void
FluidQueues::Refresh(uint32_t number)
{
    Link& link = m_links[number];
    const double scale = link.isBusy && link.head > 0 ? link.rate / link.head : 1;
    for (std::size_t i = 0; i < link.crossings.size();)
    {
        const uint32_t crossing = link.crossings[i];
        Crossing& state = m_crossings[crossing];
        const double rate = state.head * scale;
        const double step = std::abs(rate - state.out);
        const bool isOut = state.isDone;
        if (isOut)
        {
            Remove(link, crossing);
        }
        else
        {
            ++i;
        }
        if (isOut || (step > 0 && step > m_streams[crossing / MOST_LINKS].way.step * state.out))
        {
            Pass(crossing, rate);
        }
    }
}

void
FluidQueues::Remove(Link& link, uint32_t crossing)
{
    const uint32_t last = link.crossings.back();
    link.crossings[m_crossings[crossing].place] = last;
    m_crossings[last].place = m_crossings[crossing].place;
    link.crossings.pop_back();
    if (link.crossings.empty())
    {
        link.in = 0; // without errors of rounding
        link.head = 0;
    }
}

void
FluidQueues::Pass(uint32_t crossing, double rate)
{
    const uint32_t slot = crossing / MOST_LINKS;
    const Stream stream = m_streams[slot];
    m_crossings[crossing].out = rate;
    m_crossings[crossing].isGone = rate == 0;
    const double passed = rate / ShareOf(crossing).weight;
    if (const uint32_t next = GetNext(crossing); next != NONE)
    {
        m_ways.Add(ChangeOf(next, passed), FabricClock::Now() + stream.way.hopPs);
        if (rate == 0 && next != crossing + 1)
        {
            m_diverted.erase(crossing);
            m_streams[next / MOST_LINKS].feeder = NONE;
            EndPart(slot);
        }
        return;
    }
    if (rate == 0)
    {
        EndPart(slot);
    }
    m_passed(stream.item, passed);
}

uint32_t
FluidQueues::GetNext(uint32_t crossing) const
{
    if (!m_diverted.empty())
    {
        const auto found = m_diverted.find(crossing);
        if (found != m_diverted.end())
        {
            return found->second;
        }
    }
    const std::size_t links = m_streams[crossing / MOST_LINKS].way.links->size();
    return crossing % MOST_LINKS + 1 < links ? crossing + 1 : NONE;
}

void
FluidQueues::Lose(uint32_t crossing, double rate)
{
    const uint32_t slot = crossing / MOST_LINKS;
    const uint32_t item = m_streams[slot].item;
    if (rate == 0)
    {
        EndPart(slot);
    }
    m_passed(item, rate);
}

void
FluidQueues::EndPart(uint32_t slot)
{
    if (--m_streams[slot].ends == 0)
    {
        m_slots[m_streams[slot].item] = NONE;
        m_unusedSlots.push_back(slot);
    }
}

void
FluidQueues::FindNext(uint32_t number)
{
    Link& link = m_links[number];
    ++link.version;
    if (!link.isBusy)
    {
        return;
    }
    double wait = 0;
    if (!link.markers.empty())
    {
        wait = (link.markers.front().place - link.left) / link.rate;
    }
    else if (link.in < (1 - RATE_ROUNDING) * link.rate)
    {
        wait = (link.entered - link.left) / (link.rate - link.in);
    }
    else
    {
        return; // it stays as it is
    }
    const int64_t now = FabricClock::Now();
    wait = std::clamp(wait, 1.0, MOST_WAIT_PS);
    m_dues.push({now + std::llround(wait), number, link.version});
}

void
FluidQueues::PassDue(int64_t now)
{
    while (!m_dues.empty() && m_dues.top().ps <= now)
    {
        const Due due = m_dues.top();
        m_dues.pop();
        Link& link = m_links[due.link];
        if (due.version == link.version)
        {
            Advance(link);
            PassMarkers(link);
            MarkDirty(due.link);
        }
    }
}

void
FluidQueues::PassMarkers(Link& link)
{
    const double next = link.left + link.rate; // within a picosecond: times are rounded
    while (!link.markers.empty() && link.markers.front().place <= next)
    {
        const Marker& marker = link.markers.front();
        Crossing& crossing = m_crossings[marker.crossing];
        link.head += marker.rate - crossing.head;
        crossing.head = marker.rate;
        crossing.isDone = marker.rate == 0;
        link.markers.pop_front();
    }
    if (link.markers.empty() && link.entered <= next)
    {
        link.isBusy = false;
        CheckBusy(link);
    }
}

} // namespace aifabric
} // namespace ns3
