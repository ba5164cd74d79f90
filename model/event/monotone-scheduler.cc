/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "monotone-scheduler.h"

#include "fabric-clock.h"
#include "prefetch-lines.h"
#include "prefetching-event.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/event-impl.h"
#include "ns3/log.h"

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("MonotoneScheduler");
NS_OBJECT_ENSURE_REGISTERED(MonotoneScheduler);

namespace
{

/**
 * @param word not zero
 * @return the position of its lowest bit that is set
 */
inline uint32_t
LowestBit(uint64_t word)
{
    return __builtin_ctzll(word);
}

/**
 * @param word not zero
 * @return the position of its highest bit that is set
 */
inline uint32_t
HighestBit(uint64_t word)
{
    return 63 - __builtin_clzll(word);
}

/**
 * @param position of a bit
 * @return a word with that bit
 */
constexpr uint64_t
Bit(uint32_t position)
{
    return uint64_t{1} << position;
}

} // namespace

TypeId
MonotoneScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::MonotoneScheduler")
                            .SetParent<Scheduler>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<MonotoneScheduler>();
    return tid;
}

MonotoneScheduler::MonotoneScheduler()
    : m_fineBits(FabricClock::StepsPerPs() > 1 ? DIGIT_BITS : 0),
      m_nodes(1)
{
    NS_LOG_FUNCTION(this);
}

MonotoneScheduler::~MonotoneScheduler()
{
    NS_LOG_FUNCTION(this);
}

void
MonotoneScheduler::Insert(const Scheduler::Event& ev)
{
    NS_LOG_FUNCTION(this << ev.impl << ev.key.m_ts << ev.key.m_uid);
    if (ev.key.m_ts < m_floor)
    {
        Retreat(ev.key.m_ts);
    }
    Add(Allocate(ev));
}

bool
MonotoneScheduler::IsEmpty() const
{
    return m_occupied == 0;
}

Scheduler::Event
MonotoneScheduler::PeekNext() const
{
    NS_LOG_FUNCTION(this);
    NS_ASSERT_MSG(!IsEmpty(), "no event is pending");
    const Bucket bucket = GetLowest();
    uint32_t next = m_levels[bucket.level].buckets[bucket.digit].first;
    if (bucket.level > 0)
    {
        for (uint32_t node = next; node != NONE; node = m_nodes[node].next)
        {
            next = m_nodes[node].event < m_nodes[next].event ? node : next;
        }
    }
    return m_nodes[next].event;
}

Scheduler::Event
MonotoneScheduler::RemoveNext()
{
    NS_LOG_FUNCTION(this);
    NS_ASSERT_MSG(!IsEmpty(), "no event is pending");
    while (m_levels[0].words == 0)
    {
        Open(GetLowest());
    }
    if (m_isPrefetching && m_ahead-- == 0)
    {
        LookAhead();
    }
    const Bucket bucket{0, m_levels[0].GetLowest()};
    List& list = m_levels[0].buckets[bucket.digit];
    const uint32_t node = list.first;
    list.first = m_nodes[node].next;
    if (list.first == NONE)
    {
        MarkEmpty(bucket);
    }
    const Scheduler::Event event = m_nodes[node].event;
    Release(node);
    return event;
}

void
MonotoneScheduler::Remove(const Scheduler::Event& ev)
{
    NS_LOG_FUNCTION(this << ev.impl << ev.key.m_ts << ev.key.m_uid);
    const Bucket bucket = Locate(ev.key.m_ts);
    List& list = m_levels[bucket.level].buckets[bucket.digit];
    uint32_t previous = NONE;
    uint32_t node = list.first;
    while (node != NONE && m_nodes[node].event != ev)
    {
        previous = node;
        node = m_nodes[node].next;
    }
    NS_ABORT_MSG_IF(node == NONE, "event " << ev.key.m_uid << " is not pending");
    (previous == NONE ? list.first : m_nodes[previous].next) = m_nodes[node].next;
    list.last = list.last == node ? previous : list.last;
    if (list.first == NONE)
    {
        MarkEmpty(bucket);
    }
    Release(node);
}

MonotoneScheduler::Bucket
MonotoneScheduler::Locate(uint64_t ts) const
{
    const uint64_t difference = (ts ^ m_floor) >> m_fineBits;
    const uint32_t level = difference < DIGITS ? 0 : HighestBit(difference) / DIGIT_BITS;
    const uint32_t digit = (ts >> (m_fineBits + level * DIGIT_BITS)) & (DIGITS - 1);
    return {level, digit};
}

uint32_t
MonotoneScheduler::Level::GetLowest() const
{
    const uint32_t word = LowestBit(words);
    return word * 64 + LowestBit(occupied[word]);
}

MonotoneScheduler::Bucket
MonotoneScheduler::GetLowest() const
{
    const uint32_t level = LowestBit(m_occupied);
    return {level, m_levels[level].GetLowest()};
}

void
MonotoneScheduler::MarkOccupied(Bucket bucket)
{
    Level& level = m_levels[bucket.level];
    const uint32_t word = bucket.digit / 64;
    level.occupied[word] |= Bit(bucket.digit % 64);
    level.words |= Bit(word);
    m_occupied |= Bit(bucket.level);
}

void
MonotoneScheduler::MarkEmpty(Bucket bucket)
{
    Level& level = m_levels[bucket.level];
    const uint32_t word = bucket.digit / 64;
    level.occupied[word] &= ~Bit(bucket.digit % 64);
    if (level.occupied[word] != 0)
    {
        return;
    }
    level.words &= ~Bit(word);
    if (level.words == 0)
    {
        m_occupied &= ~Bit(bucket.level);
    }
}

uint32_t
MonotoneScheduler::Allocate(const Scheduler::Event& ev)
{
    const bool isFar = (ev.key.m_ts - m_floor) >> (m_fineBits + NEAR_BITS) != 0;
    if (m_free[isFar] == NONE)
    {
        Grow(isFar);
    }
    const uint32_t node = m_free[isFar];
    m_free[isFar] = m_nodes[node].next;
    m_nodes[node].event = ev;
    return node;
}

void
MonotoneScheduler::Grow(bool isFar)
{
    for (uint32_t i = 0; i < CHUNK; ++i)
    {
        m_nodes.push_back({Scheduler::Event(), m_free[isFar], isFar});
        m_free[isFar] = m_nodes.size() - 1;
    }
}

void
MonotoneScheduler::Release(uint32_t node)
{
    uint32_t& free = m_free[m_nodes[node].isFar];
    m_nodes[node].next = free;
    free = node;
}

void
MonotoneScheduler::Add(uint32_t node)
{
    const Scheduler::EventKey& key = m_nodes[node].event.key;
    const Bucket bucket = Locate(key.m_ts);
    List& list = m_levels[bucket.level].buckets[bucket.digit];
    if (list.first == NONE)
    {
        m_nodes[node].next = NONE;
        list = {node, node};
        MarkOccupied(bucket);
    }
    else if (bucket.level > 0 || m_nodes[list.last].event.key < key)
    {
        m_nodes[node].next = NONE;
        m_nodes[list.last].next = node;
        list.last = node;
    }
    else
    {
        AddInOrder(list, node);
    }
}

void
MonotoneScheduler::AddInOrder(List& list, uint32_t node)
{
    uint32_t* link = &list.first;
    while (m_nodes[*link].event < m_nodes[node].event)
    {
        link = &m_nodes[*link].next;
    }
    m_nodes[node].next = *link;
    *link = node;
}

uint32_t
MonotoneScheduler::AddAll(uint32_t first)
{
    uint32_t count = 0;
    while (first != NONE)
    {
        const uint32_t node = first;
        first = m_nodes[node].next;
        PrefetchLine(m_nodes[node].event.impl); // its turn comes soon
        Add(node);
        ++count;
    }
    return count;
}

void
MonotoneScheduler::LookAhead()
{
    const Level& level = m_levels[0];
    m_coming.clear();
    for (uint64_t words = level.words; words && m_coming.size() < MOST_AHEAD; words &= words - 1)
    {
        const uint32_t word = LowestBit(words);
        for (uint64_t bits = level.occupied[word]; bits && m_coming.size() < MOST_AHEAD;
             bits &= bits - 1)
        {
            const List& list = level.buckets[word * 64 + LowestBit(bits)];
            for (uint32_t node = list.first; node != NONE; node = m_nodes[node].next)
            {
                m_coming.push_back(m_nodes[node].event.impl);
            }
        }
    }
    m_ahead = m_coming.size() - 1;
    Announce();
}

void
MonotoneScheduler::Announce()
{
    std::size_t coming = 0;
    for (EventImpl* impl : m_coming)
    {
        if (IsPrefetching(impl))
        {
            m_coming[coming++] = impl;
        }
    }
    for (uint32_t step = 0; step < PrefetchingEvent::STEPS; ++step)
    {
        for (std::size_t i = 0; i < coming; ++i)
        {
            static_cast<const PrefetchingEvent*>(m_coming[i])->Prefetch(step);
        }
    }
}

bool
MonotoneScheduler::IsPrefetching(EventImpl* impl)
{
    if (!impl)
    {
        return false;
    }
    const std::type_info* type = &typeid(*impl);
    if (type != m_prefetchingType && type != m_otherType)
    {
        (dynamic_cast<PrefetchingEvent*>(impl) ? m_prefetchingType : m_otherType) = type;
    }
    return type == m_prefetchingType;
}

MonotoneScheduler::List
MonotoneScheduler::Take(Bucket bucket)
{
    List& list = m_levels[bucket.level].buckets[bucket.digit];
    const List taken = list;
    list.first = NONE;
    MarkEmpty(bucket);
    return taken;
}

void
MonotoneScheduler::Open(Bucket bucket)
{
    const uint32_t shift = m_fineBits + bucket.level * DIGIT_BITS;
    const List list = Take(bucket);
    m_floor = m_nodes[list.first].event.key.m_ts >> shift << shift;
    const uint32_t count = AddAll(list.first);
    m_isPrefetching = bucket.level == 1 && count >= WORTH_PREFETCHING;
    m_ahead = 0;
}

void
MonotoneScheduler::Retreat(uint64_t ts)
{
    const uint32_t level = Locate(ts).level;
    uint32_t chain = NONE;
    while ((m_occupied & (Bit(level) - 1)) != 0)
    {
        const List list = Take(GetLowest());
        m_nodes[list.last].next = chain;
        chain = list.first;
    }
    m_floor = ts >> (m_fineBits + DIGIT_BITS) << (m_fineBits + DIGIT_BITS);
    AddAll(chain);
}

} // namespace aifabric
} // namespace ns3
