/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-detours.h"

#include "ns3/fabric-clock.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

FluidDetours::FluidDetours(FluidQueues& queues,
                           NextLink next,
                           const Callback<void, uint32_t, double>& passed,
                           const Callback<void, uint32_t, double>& lost,
                           const EndCallback& ended,
                           int64_t noticePs)
    : m_queues(queues),
      m_next(std::move(next)),
      m_passed(passed),
      m_lost(lost),
      m_ended(ended),
      m_noticePs(noticePs),
      m_notices(MakeCallback(&FluidDetours::Collect, this))
{
}

void
FluidDetours::Clear()
{
    m_notices.Clear();
    m_items.clear();
    m_parts.clear();
    m_unused.clear();
}

void
FluidDetours::SetRate(uint32_t item, std::size_t links, const FluidWay& times, double rate)
{
    m_items.resize(std::max<std::size_t>(m_items.size(), item + std::size_t{1}));
    bool reaches = true;
    if (m_items[item].entry == NONE)
    {
        m_items[item].links = links;
        reaches = Open(item, times);
    }
    const uint32_t entry = m_items[item].entry;
    m_queues.SetRate(entry, m_parts[entry].way, rate);
    if (!reaches)
    {
        Check(entry, m_parts[entry].links.size() - 1);
    }
    m_items[item].entry = rate > 0 ? m_items[item].entry : NONE;
}

bool
FluidDetours::Open(uint32_t item, const FluidWay& times)
{
    const uint32_t number = AddPart(false);
    Part& part = m_parts[number];
    part = {item, 0, {}, times, 0};
    part.way.links = &part.links;
    m_items[item].entry = number;
    ++m_items[item].ends;
    m_items[item].isHeld = false;
    return Complete(number);
}

uint32_t
FluidDetours::AddPart(bool isNew)
{
    if (isNew || m_unused.empty())
    {
        m_parts.emplace_back();
        return static_cast<uint32_t>(m_parts.size() - 1);
    }
    const uint32_t number = m_unused.back();
    m_unused.pop_back();
    return number;
}

void
FluidDetours::Update()
{
    for (uint32_t number = 0; number < m_parts.size(); ++number) // to which others are added
    {
        const std::size_t begin = m_parts[number].begin;
        const std::size_t end = std::max(m_parts[number].links.size(), begin + 1);
        for (std::size_t index = begin; index < end && m_queues.IsThere(number); ++index)
        {
            Check(number, index);
        }
    }
    m_unused.clear();
    for (uint32_t number = 0; number < m_parts.size(); ++number)
    {
        if (!m_queues.IsThere(number))
        {
            m_unused.push_back(number);
        }
    }
}

void
FluidDetours::Check(uint32_t number, std::size_t index)
{
    if (m_queues.IsOver(number, index))
    {
        return; // what comes there is another part's
    }
    const Part& part = m_parts[number];
    const std::optional<LinkShare> next = m_next(part.item, part.links, index);
    const bool isLost = part.IsLost();
    if (isLost ? next.has_value() : !next || next->link != part.links[index].link)
    {
        Divert(number, index, next);
    }
}

void
FluidDetours::Divert(uint32_t number, std::size_t index, const std::optional<LinkShare>& next)
{
    const uint32_t made = AddPart(true);
    const Part& from = m_parts[number];
    Part& part = m_parts[made];
    part = {from.item, index, from.links, from.way, 0};
    part.links.resize(index);
    part.way.links = &part.links;
    if (next)
    {
        part.links.push_back(*next);
        Complete(made);
    }
    const uint32_t item = part.item;
    uint32_t& entry = m_items[item].entry;
    entry = entry == number && index == 0 ? made : entry;
    ++m_items[item].ends;
    m_queues.Divert(number, index, made, part.way);
}

bool
FluidDetours::Complete(uint32_t number)
{
    Part& part = m_parts[number];
    while (part.links.size() < m_items[part.item].links)
    {
        const std::optional<LinkShare> next = m_next(part.item, part.links, part.links.size());
        // Where it is lost, some link stands for what it will be diverted from.
        part.links.push_back(next ? *next : LinkShare{0, 1});
        if (!next)
        {
            return false;
        }
    }
    return true;
}

void
FluidDetours::Pass(uint32_t stream, double rate)
{
    Part& part = m_parts[stream];
    const uint32_t number = part.item;
    Item& item = m_items[number];
    if (part.IsLost())
    {
        Count(item);
        item.losing += (rate > 0) - (part.rate > 0);
        item.lostRate = item.losing > 0 ? item.lostRate + rate - part.rate : 0;
    }
    else
    {
        item.rate += rate - part.rate;
    }
    if (part.IsLost() && !item.isCollecting)
    {
        item.isCollecting = true;
        m_notices.Add(number, m_noticePs);
    }
    SetPartRate(part, rate);
    if (rate == 0)
    {
        --item.ends;
        item.tracks.push_back({part.links, part.bytes, part.IsLost()});
        part.bytes = 0;
    }
    if (rate == 0 && !m_queues.IsThere(stream))
    {
        m_unused.push_back(stream);
    }
    Report(number);
}

void
FluidDetours::SetPartRate(Part& part, double rate)
{
    const int64_t now = FabricClock::Now();
    part.bytes += part.rate * (now - part.since);
    part.since = now;
    part.rate = rate;
}

void
FluidDetours::Count(Item& item)
{
    const int64_t now = FabricClock::Now();
    item.lost += std::max(0.0, item.lostRate) * (now - item.since);
    item.since = now;
}

void
FluidDetours::Collect(uint32_t number)
{
    constexpr double LEAST_BYTES = 1; // fewer are errors of rounding
    Item& item = m_items[number];
    Count(item);
    const double lost = item.lost;
    item.lost = 0;
    item.isCollecting = item.losing > 0;
    if (item.isCollecting)
    {
        m_notices.Add(number, m_noticePs);
    }
    if (lost >= LEAST_BYTES)
    {
        m_lost(number, lost);
    }
    Report(number);
}

void
FluidDetours::Report(uint32_t number)
{
    constexpr double LEAST_RATE = 1e-12; // bytes a picosecond: nothing comes now
    Item& item = m_items[number];
    const bool isOver = item.ends == 0 && item.entry == NONE && !item.isCollecting && !item.isHeld;
    if (isOver)
    {
        const std::vector<FluidTrack> tracks = std::exchange(item, {}).tracks;
        m_ended(number, tracks);
    }
    m_passed(number, isOver ? 0 : std::max(m_items[number].rate, LEAST_RATE));
}

} // namespace aifabric
} // namespace ns3
