/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/probe-judge.h"

namespace
{

/// @return a fabric of two planes
FabricGraph
MakeGraph(int64_t leaves, int64_t hosts)
{
    return MakeLeafSpine({leaves, 3, hosts, 1, 2});
}

std::vector<FabricElement>
AllElements(const FabricGraph& graph)
{
    std::vector<FabricElement> elements;
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        const FabricSwitchSpec& spec = graph.Switches()[id];
        elements.push_back(
            {spec.tier == 0 ? FabricElement::T0 : FabricElement::T1, id, spec.plane});
    }
    for (uint32_t link = 0; link < graph.Links().size(); ++link)
    {
        const FabricLinkSpec& spec = graph.Links()[link];
        const uint16_t plane = graph.Switches()[spec.b.id].plane;
        elements.push_back(spec.a.isHost ? FabricElement{FabricElement::NIC_PORT, spec.a.id, plane}
                                         : FabricElement{FabricElement::LINK, link, plane});
    }
    return elements;
}

/// Sends probes over a fabric in which elements fail, and judges them.
struct Prober
{
    explicit Prober(const FabricGraph& graph)
        : m_graph(graph),
          m_judge(graph, {3, 2})
    {
    }

    std::set<FabricElement> dead;           //!< elements that have failed
    std::function<bool(uint32_t)> isBefore; //!< a link is probed before they fail; empty: none

    /// @return what has changed after a round, such as "+leaf-0 -host-1:0"
    std::string Round()
    {
        for (uint32_t host = 0; host < m_graph.HostCount(); ++host)
        {
            for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
            {
                m_judge.TakeLeafProbe(host, plane, ReachesLeaf(host, plane));
            }
        }
        for (uint32_t link = 0; link < m_graph.Links().size(); ++link)
        {
            const FabricLinkSpec& spec = m_graph.Links()[link];
            if (!spec.a.isHost)
            {
                const ForwardingRule& rule = m_graph.Switches()[spec.a.id].forwarding;
                const uint32_t host = rule.firstHost + (m_round + link) % rule.hostCount;
                m_judge.TakeSpineProbe(link, host, Crosses(link, host));
            }
        }
        ++m_round;
        std::string changes;
        for (const ProbeJudge::Change& change : m_judge.Judge())
        {
            changes += std::string(changes.empty() ? "" : " ") + (change.isBad ? "+" : "-") +
                       change.element.GetName(m_graph);
        }
        return changes;
    }

    const std::set<FabricElement>& GetBad() const
    {
        return m_judge.GetBad();
    }

    /// @return whether a probe to T0 comes back
    bool ReachesLeaf(uint32_t host, uint16_t plane) const
    {
        return dead.count({FabricElement::NIC_PORT, host, plane}) == 0 &&
               dead.count({FabricElement::T0, m_graph.LeafOf(host, plane), plane}) == 0;
    }

    /// @return whether a probe to T1 comes back
    bool Crosses(uint32_t link, uint32_t host) const
    {
        const FabricLinkSpec& spec = m_graph.Links()[link];
        const uint16_t plane = m_graph.Switches()[spec.b.id].plane;
        const bool isDead = dead.count({FabricElement::LINK, link, plane}) > 0 ||
                            dead.count({FabricElement::T1, spec.b.id, plane}) > 0 ||
                            !ReachesLeaf(host, plane);
        return !isDead || (isBefore && isBefore(link));
    }

    const FabricGraph& m_graph; //!< the fabric
    ProbeJudge m_judge;         //!< the judge
    uint32_t m_round{0};        //!< number of the round
};

} // namespace

TEST(ProbeJudge, ClassifiesEachElementThatFails)
{
    const FabricGraph graph = MakeGraph(3, 4);
    for (const FabricElement& element : AllElements(graph))
    {
        const std::string name = element.GetName(graph);
        Prober prober(graph);
        EXPECT_EQ(prober.Round(), "");
        prober.dead = {element};
        EXPECT_EQ(prober.Round(), "") << name;
        EXPECT_EQ(prober.Round(), "") << name;
        EXPECT_EQ(prober.Round(), "+" + name);
        EXPECT_EQ(prober.Round(), "") << name;
        prober.dead.clear();
        EXPECT_EQ(prober.Round(), "") << name;
        EXPECT_EQ(prober.Round(), "-" + name);
        EXPECT_TRUE(prober.GetBad().empty());
    }
}

TEST(ProbeJudge, ClassifiesTwoElementsThatFail)
{
    const FabricGraph graph = MakeGraph(4, 4);
    const std::vector<FabricElement> all = AllElements(graph);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        for (std::size_t j = i + 1; j < all.size(); ++j)
        {
            Prober prober(graph);
            prober.dead = {all[i], all[j]};
            for (uint32_t round = 0; round < 20; ++round)
            {
                prober.Round();
            }
            // What a dead switch hides is not seen.
            for (const FabricElement& element : prober.GetBad())
            {
                EXPECT_EQ(prober.dead.count(element), 1U)
                    << all[i].GetName(graph) << " and " << all[j].GetName(graph) << ": "
                    << element.GetName(graph);
            }
            EXPECT_GE(prober.GetBad().size(), 1U);
            EXPECT_TRUE(all[i].plane == all[j].plane || prober.GetBad().size() == 2);
        }
    }
}

TEST(ProbeJudge, ASwitchThatFailsWithinARoundIsNotItsLinks)
{
    const FabricGraph graph = MakeGraph(3, 4);
    for (const FabricElement& element : AllElements(graph))
    {
        if (element.kind != FabricElement::T1)
        {
            continue;
        }
        const std::string name = element.GetName(graph);
        Prober prober(graph);
        prober.isBefore = [](uint32_t link) { return link % 2 == 0; };
        prober.dead = {element};
        EXPECT_EQ(prober.Round(), "");
        prober.isBefore = nullptr;
        EXPECT_EQ(prober.Round(), "");
        EXPECT_EQ(prober.Round(), "") << "some links have lost three probes, the others two";
        EXPECT_EQ(prober.Round(), "+" + name);
        prober.isBefore = [](uint32_t link) { return link % 2 == 0; };
        EXPECT_EQ(prober.Round(), "");
        prober.dead.clear();
        EXPECT_EQ(prober.Round(), "") << "some links have answered twice, the others once";
        EXPECT_EQ(prober.Round(), "-" + name);
    }
}

TEST(ProbeJudge, OneHostBelowASwitchIsItsPort)
{
    const FabricGraph graph = MakeGraph(3, 1);
    Prober prober(graph);
    prober.dead = {{FabricElement::T0, graph.LeafOf(1, 0), 0}};
    prober.Round();
    prober.Round();
    EXPECT_EQ(prober.Round(), "+host-1:0");
}

TEST(ProbeJudge, ALossNowAndThenIsNoFailure)
{
    const FabricGraph graph = MakeGraph(3, 4);
    Prober prober(graph);
    const FabricElement link = AllElements(graph).back();
    for (uint32_t round = 0; round < 30; ++round)
    {
        prober.dead = round % 3 == 0 ? std::set<FabricElement>() : std::set<FabricElement>{link};
        EXPECT_EQ(prober.Round(), "") << "two losses in a row are less than three";
    }
}
