/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/link-finder.h"

namespace
{

using Links = std::vector<uint32_t>; //!< numbers of links

/// @return a fabric of 4 leaves with 4 hosts and 4 uplinks each
FabricGraph
LeafSpine(uint16_t planes)
{
    return MakeLeafSpine({4, 4, 4, 1, planes});
}

std::vector<std::string>
NamesOf(const FabricGraph& graph, const Links& links)
{
    std::vector<std::string> names;
    for (const uint32_t link : links)
    {
        names.push_back(graph.LinkName(link));
    }
    return names;
}

} // namespace

TEST(LinkFinder, FindsEachLinkByNumberNameAndEnds)
{
    const FabricGraph graph = LeafSpine(2);
    const LinkFinder finder(graph);
    for (uint32_t link = 0; link < graph.Links().size(); ++link)
    {
        const std::string name = graph.LinkName(link);
        const std::string lower = name.substr(0, name.find("--"));
        const std::string upper = name.substr(name.find("--") + 2);
        for (const std::string& where :
             {std::to_string(link), name, lower, upper, upper + "--" + lower})
        {
            EXPECT_EQ(finder.Find(where), Links{link}) << where;
        }
    }
}

TEST(LinkFinder, PlanesShareNoLinkAndAreTheFabric)
{
    const FabricGraph graph = LeafSpine(4);
    const LinkFinder finder(graph);
    Links all;
    for (const std::string plane : {"0", "1", "2", "3"})
    {
        const Links links = finder.Find("plane-" + plane);
        EXPECT_EQ(links.size(), 32U);
        for (const std::string& name : NamesOf(graph, links))
        {
            EXPECT_NE(name.find("--plane" + plane + "-"), std::string::npos) << name;
        }
        all.insert(all.end(), links.begin(), links.end());
    }
    std::sort(all.begin(), all.end());
    Links numbers(graph.Links().size());
    std::iota(numbers.begin(), numbers.end(), 0);
    EXPECT_EQ(all, numbers);
    EXPECT_EQ(LinkFinder(LeafSpine(1)).Find("plane-0").size(), 32U);
}

TEST(LinkFinder, AnOpticServesConsecutivePorts)
{
    const FabricGraph graph = LeafSpine(2);
    const LinkFinder pairs(graph); // as many ports as a NIC
    EXPECT_EQ(pairs.GetOpticPorts(), 2U);
    EXPECT_EQ(
        NamesOf(graph, pairs.Find("optic-plane1-leaf-2:3")),
        (std::vector<std::string>{"host-10:1--plane1-leaf-2:2", "host-11:1--plane1-leaf-2:3"}));
    EXPECT_EQ(pairs.Find("optic-host-5:0"), pairs.Find("host-5"));
    const LinkFinder triples(graph, 3);
    EXPECT_EQ(triples.Find("optic-plane0-leaf-0:7"),
              triples.Find("plane0-leaf-0:6+plane0-leaf-0:7"));
    EXPECT_EQ(triples.Find("optic-plane0-leaf-0:4").size(), 3U);
    EXPECT_EQ(LinkFinder(graph, 100).Find("optic-plane0-spine-3:2"), pairs.Find("plane0-spine-3"));
    EXPECT_EQ(LinkFinder(graph, 1).Find("optic-plane0-spine-3:2"), pairs.Find("plane0-spine-3:2"));
}

TEST(LinkFinder, OpticsDivideThePortsOfSwitches)
{
    const FabricGraph graph = LeafSpine(2);
    for (const uint32_t ports : {1, 2, 3, 8, 9})
    {
        const LinkFinder finder(graph, ports);
        std::vector<uint32_t> served(graph.Links().size());
        for (const FabricEnd& optic : finder.GetOptics())
        {
            for (const uint32_t link : finder.FindOptic(optic))
            {
                ++served[link];
            }
        }
        for (uint32_t link = 0; link < served.size(); ++link)
        {
            EXPECT_EQ(served[link], graph.Links()[link].a.isHost ? 1U : 2U) << "both ends";
        }
    }
}

TEST(LinkFinder, SeveralPlacesAreOneSet)
{
    const FabricGraph graph = LeafSpine(2);
    const LinkFinder finder(graph);
    const Links both = finder.Find("host-1+plane0-leaf-0");
    EXPECT_EQ(both.size(), 2U + 8U - 1U) << "one link is of both";
    EXPECT_TRUE(std::is_sorted(both.begin(), both.end()));
    EXPECT_EQ(finder.Find("plane-1+plane-0").size(), graph.Links().size());
}

TEST(LinkFinder, KnowsNoOtherPlaces)
{
    const FabricGraph graph = LeafSpine(2);
    const LinkFinder finder(graph);
    for (const std::string where : {"",
                                    "+",
                                    "host-1+",
                                    "+host-1",
                                    "host-1+host-16",
                                    "plane-2",
                                    "plane-",
                                    "plane--1",
                                    "plane-01",
                                    "plane0",
                                    "leaf-0",
                                    "host-01",
                                    "host-1:2",
                                    "host-1:",
                                    "host-1:0:0",
                                    "optic-",
                                    "optic-plane0-leaf-0",
                                    "optic-plane0-leaf-0:8",
                                    "optic-optic-plane0-leaf-0:0",
                                    "plane0-leaf-0:x",
                                    "64",
                                    "4294967296",
                                    "plane0-leaf-0--plane1-spine-0"})
    {
        EXPECT_TRUE(finder.Find(where).empty()) << where;
    }
}
