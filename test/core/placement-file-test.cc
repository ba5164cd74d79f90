/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/placement-file.h"

namespace
{

/// Ranks by group.
using Groups = std::vector<std::vector<uint32_t>>;

/// @return the hosts of a text, of 16 hosts
std::vector<uint32_t>
Hosts(const std::string& text)
{
    std::istringstream input(text);
    return ReadPlacement(input, "map.txt", 16);
}

/// @return the groups of a text, of 16 ranks
Groups
RankGroups(const std::string& text)
{
    std::istringstream input(text);
    return ReadRankGroups(input, "groups.txt", 16);
}

TEST(PlacementFile, ReadsHostsInTheOrderOfRanks)
{
    EXPECT_EQ(Hosts("4\n0\n15\n"), (std::vector<uint32_t>{4, 0, 15}));
    EXPECT_EQ(Hosts("# rank 0 first\r\n\n 7 \r\n\n#8\n3"), (std::vector<uint32_t>{7, 3}));
}

TEST(PlacementFile, RefusesBadHosts)
{
    const auto error = [](const std::string& text) { return RefusalOf([&] { Hosts(text); }); };
    EXPECT_EQ(error("0\n#\n16\n"), "map.txt:3: '16' is not a host (0..15)");
    EXPECT_EQ(error("0\n-1\n"), "map.txt:2: '-1' is not a host (0..15)");
    EXPECT_EQ(error("0\nhost-1\n"), "map.txt:2: 'host-1' is not a host (0..15)");
    EXPECT_EQ(error("0\n1.0\n"), "map.txt:2: '1.0' is not a host (0..15)");
    EXPECT_EQ(error("3\n0\n3\n"), "map.txt:3: host 3 has a rank already, in line 1");
    EXPECT_EQ(error("0 1\n"), "map.txt:1: 2 numbers; a line is the host of one rank");
    EXPECT_EQ(error("5\n"), "map.txt: has 1 ranks (at least 2, the number of a host a line)");
    EXPECT_EQ(error(""), "map.txt: has 0 ranks (at least 2, the number of a host a line)");
    EXPECT_EQ(RefusalOf([] { ReadPlacementFile("/no/map.txt", 16); }),
              "/no/map.txt: cannot be read");
}

/// GPUs have the hosts that their nodes say, whichever leaves they hang at.
TEST(PlacementFile, ReadsGpusOfNodes)
{
    const FabricGraph graph = MakeLeafSpine({4, 2, 4});
    for (const GpuNodes::Mapping mapping : {GpuNodes::Mapping::RACK, GpuNodes::Mapping::RAIL})
    {
        const GpuNodes nodes(graph, 2, mapping);
        const auto read = [&nodes](const std::string& text) {
            std::istringstream input(text);
            return ReadPlacement(input, "map.txt", 16, nodes);
        };
        EXPECT_EQ(read("7:1\n0:0\n5\n"),
                  (std::vector<uint32_t>{nodes.HostOf(7, 1), nodes.HostOf(0, 0), 5}));
        const auto error = [&](const std::string& text) { return RefusalOf([&] { read(text); }); };
        for (const char* bad : {"8:0", "0:2", ":1", "1:", "1:1:1"})
        {
            EXPECT_EQ(error(std::string("0\n") + bad + "\n"),
                      "map.txt:2: '" + std::string(bad) + "' is not node:GPU (0..7:0..1)");
        }
        const std::string same = std::to_string(nodes.HostOf(1, 0));
        EXPECT_EQ(error("1:0\n" + same + "\n"),
                  "map.txt:2: host " + same + " has a rank already, in line 1");
    }
    EXPECT_EQ(Hosts("3:0\n1\n"), (std::vector<uint32_t>{3, 1})) << "each host is a node";
}

TEST(PlacementFile, ReadsGroupsOfRanks)
{
    EXPECT_EQ(RankGroups("0 1 2\n3,4, 5\n"), (Groups{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_EQ(RankGroups("0 , 1 ,2 3\n"), (Groups{{0, 1, 2, 3}}));
    EXPECT_EQ(RankGroups("# groups\n\n15\t0\r\n0 1"), (Groups{{15, 0}, {0, 1}}));
}

TEST(PlacementFile, RefusesBadGroups)
{
    const auto error = [](const std::string& text) { return RefusalOf([&] { RankGroups(text); }); };
    EXPECT_EQ(error("0 1\n2 16\n"), "groups.txt:2: '16' is not a rank (0..15)");
    EXPECT_EQ(error("0 1\n2 3 2\n"), "groups.txt:2: rank 2 stands there twice");
    EXPECT_EQ(error("0 1\n\n2\n"), "groups.txt:3: one rank; a communicator has at least 2");
    for (const std::string line : {"2,3,", ",2,3", "2,,3", "2, ,3", ",", "2 3 , \t"})
    {
        EXPECT_EQ(error("0, 1\n" + line + "\n"),
                  "groups.txt:2: there is nothing before or after a comma");
    }
    EXPECT_EQ(error("#\n"), "groups.txt: has no communicator (its ranks in one line)");
    EXPECT_EQ(RefusalOf([] { ReadRankGroupFile("/no/groups.txt", 16); }),
              "/no/groups.txt: cannot be read");
}

} // namespace
