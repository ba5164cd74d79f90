/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ev-table.h"

#include "ns3/host-balancer.h"

namespace ns3
{
namespace aifabric
{

void
EvTable::Clear()
{
    m_set.reset();
    m_left = 0;
    m_denied.clear();
    m_prober = {};
}

void
EvTable::Fill(EntropySet::Parameters parameters,
              const UniformInteger& uniform,
              const EvProfile* profile,
              const StateTrace& trace)
{
    parameters.paths = m_paths;
    m_set.emplace(parameters, uniform, profile);
    m_trace = &trace;
    for (const uint32_t entropy : m_denied)
    {
        if (const std::optional<Entry> entry = Find(entropy))
        {
            DenyEntry(*entry);
        }
    }
}

uint32_t
EvTable::ToEntropy(Entry entry) const
{
    return PathChoice::FIRST_PORT + entry.plane * m_paths + m_set->GetPath(entry);
}

std::optional<EvTable::Entry>
EvTable::Find(uint32_t entropy) const
{
    if (!m_set || entropy < PathChoice::FIRST_PORT)
    {
        return std::nullopt;
    }
    const uint32_t label = entropy - PathChoice::FIRST_PORT;
    return m_set->Find(label / m_paths, label % m_paths);
}

std::optional<uint16_t>
EvTable::FindPlane(uint32_t entropy) const
{
    if (!m_set || entropy < PathChoice::FIRST_PORT)
    {
        return std::nullopt;
    }
    const uint32_t plane = (entropy - PathChoice::FIRST_PORT) / m_paths;
    return plane < m_set->GetPlanes() ? std::optional<uint16_t>(plane) : std::nullopt;
}

std::optional<PathChoice>
EvTable::Choose(uint32_t freePlanes, uint32_t alivePlanes, const UniformInteger& uniform)
{
    std::optional<Entry> entry = m_set->Choose(freePlanes, alivePlanes, uniform);
    if (!entry)
    {
        entry = m_set->ChooseDenied(freePlanes, alivePlanes);
    }
    return entry ? std::optional(ToChoice(*entry)) : std::nullopt;
}

std::optional<PathChoice>
EvTable::ChooseControl(uint32_t alivePlanes, const UniformInteger& uniform)
{
    const std::optional<Entry> entry = m_set->ChooseControl(alivePlanes, uniform);
    return entry ? std::optional(ToChoice(*entry)) : std::nullopt;
}

void
EvTable::Skip(Entry entry)
{
    const State before = m_set->GetState(entry);
    m_set->Skip(entry);
    TraceState(entry, before);
}

void
EvTable::Retire(Entry entry, int64_t now, const PathProber::Parameters& probing)
{
    const State before = m_set->GetState(entry);
    if (m_set->Retire(entry, m_set->GetLeast()))
    {
        ++m_retired;
        m_prober.Start(ToNumber(entry), now, probing);
    }
    TraceState(entry, before);
}

void
EvTable::RetirePlane(uint16_t plane,
                     uint32_t alivePlanes,
                     int64_t now,
                     const PathProber::Parameters& probing)
{
    if (m_set->CountActive(plane) == 0 || !m_set->HasOther(plane, alivePlanes))
    {
        return;
    }
    ++m_silent;
    m_left |= 1U << plane;
    for (uint16_t slot = 0; slot < m_set->GetSlots(); ++slot)
    {
        const Entry entry{plane, slot};
        const State before = m_set->GetState(entry);
        if (m_set->Retire(entry, 0))
        {
            ++m_retired;
            m_prober.Start(ToNumber(entry), now, probing);
            TraceState(entry, before);
        }
    }
}

void
EvTable::Reinstate(uint32_t entropy, int64_t retiredAt)
{
    const std::optional<Entry> entry = Find(entropy);
    if (entry && !(m_left >> entry->plane & 1) && m_prober.Cancel(ToNumber(*entry), retiredAt) &&
        m_set->Restore(*entry))
    {
        ++m_reinstated;
        TraceState(*entry, State::ASSUMED_BAD);
    }
}

std::optional<PathChoice>
EvTable::TakeProbe(int64_t now, const PathProber::Parameters& probing)
{
    const std::optional<uint32_t> number = m_prober.Take(now, probing);
    if (!number)
    {
        return std::nullopt;
    }
    ++m_probes;
    return ToChoice({static_cast<uint16_t>(*number / m_set->GetSlots()),
                     static_cast<uint16_t>(*number % m_set->GetSlots())});
}

void
EvTable::ProbeAnswered(uint32_t entropy,
                       bool isMarked,
                       int64_t now,
                       const PathProber::Parameters& probing)
{
    const std::optional<Entry> entry = Find(entropy);
    if (!entry || !m_prober.Answered(ToNumber(*entry), now, probing) || !m_set->Restore(*entry))
    {
        return;
    }
    ++m_returned;
    m_left &= ~(1U << entry->plane);
    TraceState(*entry, State::ASSUMED_BAD);
    if (isMarked)
    {
        Skip(*entry);
    }
}

void
EvTable::Deny(uint32_t entropy)
{
    const std::optional<Entry> entry = Find(entropy);
    if (m_denied.insert(entropy).second && entry)
    {
        DenyEntry(*entry);
    }
}

void
EvTable::DenyEntry(Entry entry)
{
    const State before = m_set->GetState(entry);
    m_prober.Stop(ToNumber(entry));
    m_set->Deny(entry);
    ++m_deniedCount;
    TraceState(entry, before);
}

void
EvTable::Allow(uint32_t entropy)
{
    m_denied.erase(entropy);
    const std::optional<Entry> entry = Find(entropy);
    if (entry && m_set->GetState(*entry) == State::DENIED)
    {
        m_set->Restore(*entry);
        TraceState(*entry, State::DENIED);
    }
}

void
EvTable::TraceState(Entry entry, State before) const
{
    const State state = m_set->GetState(entry);
    if (!m_trace->IsEmpty() && state != before)
    {
        (*m_trace)(ToEntropy(entry), static_cast<uint8_t>(state));
    }
}

void
EvTable::Count(PolicyCounters& counters) const
{
    counters["ev_retired"] += m_retired;
    counters["ev_returned"] += m_returned;
    counters["ev_reinstated"] += m_reinstated;
    counters["denied_evs"] += m_deniedCount;
    counters["ev_probes"] += m_probes;
    counters["silent_planes"] += m_silent;
}

} // namespace aifabric
} // namespace ns3
