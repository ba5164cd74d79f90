/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/te-floors.h"

namespace
{

/// Loads on the way up of the first leaf, one demand of each link's load.
struct Uplinks
{
    /// @param uplinks the loads
    explicit Uplinks(const std::vector<double>& uplinks)
        : loads(2 * graph.Links().size()),
          users(loads.size())
    {
        snapshot.alive.assign(graph.Links().size(), true);
        for (uint32_t link = 0; link < graph.Links().size(); ++link)
        {
            const FabricLinkSpec& spec = graph.Links()[link];
            if (spec.tier == 1 && spec.a.id == 0)
            {
                const double load = uplinks[places.size()];
                places.push_back(2 * link);
                loads[2 * link] = load;
                users[2 * link].push_back(snapshot.demands.size());
                snapshot.demands.push_back({0, 2, load});
            }
        }
    }

    /// @return the floor of an uplink  @param uplink which one
    double FloorOf(uint32_t uplink) const
    {
        return FindFloors(graph, snapshot, loads, users)[places[uplink]];
    }

    FabricGraph graph{MakeLeafSpine({2, 2, 2})}; //!< two uplinks a leaf
    TeSnapshot snapshot;                         //!< its demands
    std::vector<double> loads;                   //!< by link
    std::vector<std::vector<uint32_t>> users;    //!< by link
    std::vector<uint32_t> places;                //!< of the uplinks in these
};

} // namespace

TEST(TeFloors, ALinkBelowTheMeanOfItsLeafIsNotRefined)
{
    const Uplinks uplinks({0.7, 0.1});
    EXPECT_NEAR(uplinks.FloorOf(0), 0.4, 1e-6);
    EXPECT_NEAR(uplinks.FloorOf(1), 0.4, 1e-6);
}

TEST(TeFloors, EqualDemandsMayExceedTheMeanByOne)
{
    const Uplinks uplinks({0.5, 0.5});
    EXPECT_NEAR(uplinks.FloorOf(0), 1, 1e-6);
}

TEST(TeFloors, ADeadLinkDoesNotCount)
{
    Uplinks uplinks({0.7, 0.1});
    uplinks.snapshot.alive[uplinks.places[1] / 2] = false;
    EXPECT_NEAR(uplinks.FloorOf(0), 1.4, 1e-6);
    EXPECT_EQ(uplinks.FloorOf(1), 0);
}
