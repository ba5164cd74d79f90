/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "probe-judge.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{
namespace aifabric
{

ProbeJudge::ProbeJudge(const FabricGraph& graph, const Limits& limits)
    : m_graph(graph),
      m_limits(limits),
      m_ports(graph.HostCount() * graph.Planes()),
      m_links(graph.Links().size()),
      m_isAnswered(m_ports.size(), true)
{
}

ProbeJudge::Streak&
ProbeJudge::GetPort(uint32_t host, uint16_t plane)
{
    return m_ports[host * m_graph.Planes() + plane];
}

void
ProbeJudge::Count(Streak& streak, bool isAnswered) const
{
    streak.lost = isAnswered ? 0 : std::min(streak.lost + 1, m_limits.losses);
    streak.answered = isAnswered ? std::min(streak.answered + 1, m_limits.answers) : 0;
    if (streak.lost == m_limits.losses)
    {
        streak.isBad = true;
    }
    else if (streak.answered == m_limits.answers)
    {
        streak.isBad = false;
    }
}

void
ProbeJudge::TakeLeafProbe(uint32_t host, uint16_t plane, bool isAnswered)
{
    Count(GetPort(host, plane), isAnswered);
    m_isAnswered[host * m_graph.Planes() + plane] = isAnswered;
}

void
ProbeJudge::TakeSpineProbe(uint32_t link, uint32_t host, bool isAnswered)
{
    const uint16_t plane = m_graph.Switches()[m_graph.Links()[link].b.id].plane;
    if (m_isAnswered[host * m_graph.Planes() + plane])
    {
        Count(m_links[link], isAnswered);
    }
}

ProbeJudge::Verdict
ProbeJudge::JudgeGroup(const std::vector<const Streak*>& members, bool wasBad)
{
    constexpr std::size_t LEAST = 2; // one alone may as well be the only bad one
    const auto all = [&members](auto test) {
        return std::all_of(members.begin(), members.end(), [&test](const Streak* streak) {
            return test(*streak);
        });
    };
    if (members.size() < LEAST || all([](const Streak& s) { return !s.isBad; }))
    {
        return Verdict::EACH;
    }
    if (all([](const Streak& s) { return s.isBad; }))
    {
        return Verdict::WHOLE;
    }
    const bool fails = !wasBad && all([](const Streak& s) { return s.isBad || s.lost > 0; });
    const bool recovers = wasBad && all([](const Streak& s) { return !s.isBad || s.answered > 0; });
    return fails || recovers ? Verdict::WAIT : Verdict::EACH;
}

void
ProbeJudge::Keep(const FabricElement& element, Elements& bad) const
{
    if (m_bad.count(element) > 0)
    {
        bad.insert(element);
    }
}

void
ProbeJudge::JudgeLeaf(uint32_t id, Elements& bad)
{
    const FabricSwitchSpec& spec = m_graph.Switches()[id];
    const FabricElement leaf{FabricElement::T0, id, spec.plane};
    std::vector<const Streak*> members;
    for (uint32_t i = 0; i < spec.forwarding.hostCount; ++i)
    {
        members.push_back(&GetPort(spec.forwarding.firstHost + i, spec.plane));
    }
    const Verdict verdict = JudgeGroup(members, m_bad.count(leaf) > 0);
    if (verdict == Verdict::WHOLE)
    {
        bad.insert(leaf);
    }
    else if (verdict == Verdict::WAIT)
    {
        Keep(leaf, bad);
    }
    for (uint32_t i = 0; i < members.size(); ++i)
    {
        const FabricElement port{FabricElement::NIC_PORT,
                                 spec.forwarding.firstHost + i,
                                 spec.plane};
        if (verdict != Verdict::EACH)
        {
            Keep(port, bad);
        }
        else if (members[i]->isBad)
        {
            bad.insert(port);
        }
    }
}

void
ProbeJudge::JudgeSpine(uint32_t id, Elements& bad) const
{
    const FabricSwitchSpec& spec = m_graph.Switches()[id];
    const FabricElement spine{FabricElement::T1, id, spec.plane};
    std::vector<const Streak*> members;
    std::vector<FabricElement> elements;
    for (uint16_t port = 0; port < spec.portCount; ++port)
    {
        const uint32_t link = m_graph.LinkAt({false, id, port});
        if (m_graph.Links()[link].b.id != id)
        {
            continue; // it leads up
        }
        const FabricElement leaf{FabricElement::T0, m_graph.Links()[link].a.id, spec.plane};
        const FabricElement element{FabricElement::LINK, link, spec.plane};
        if (bad.count(leaf) > 0)
        {
            Keep(element, bad); // no probe has tried it
            continue;
        }
        members.push_back(&m_links[link]);
        elements.push_back(element);
    }
    const Verdict verdict = JudgeGroup(members, m_bad.count(spine) > 0);
    if (verdict == Verdict::WHOLE)
    {
        bad.insert(spine);
    }
    else if (verdict == Verdict::WAIT || members.empty())
    {
        Keep(spine, bad);
    }
    for (std::size_t i = 0; i < members.size(); ++i)
    {
        if (verdict != Verdict::EACH)
        {
            Keep(elements[i], bad);
        }
        else if (members[i]->isBad)
        {
            bad.insert(elements[i]);
        }
    }
}

std::vector<ProbeJudge::Change>
ProbeJudge::Judge()
{
    Elements bad;
    for (const uint8_t tier : {0, 1})
    {
        for (uint32_t id = 0; id < m_graph.Switches().size(); ++id)
        {
            if (m_graph.Switches()[id].tier == tier)
            {
                tier == 0 ? JudgeLeaf(id, bad) : JudgeSpine(id, bad);
            }
        }
    }
    std::vector<Change> changes;
    for (const FabricElement& element : m_bad)
    {
        if (bad.count(element) == 0)
        {
            changes.push_back({element, false});
        }
    }
    for (const FabricElement& element : bad)
    {
        if (m_bad.count(element) == 0)
        {
            changes.push_back({element, true});
        }
    }
    m_bad = std::move(bad);
    return changes;
}

} // namespace aifabric
} // namespace ns3
