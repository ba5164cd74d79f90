/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/flow-bound.h"
#include "ns3/lower-bound.h"
#include "ns3/network-assembly.h"

#include <memory>
#include <utility>
#include <vector>

namespace
{

constexpr uint64_t GIGA = 1'000'000'000; //!< bit/s
constexpr double FULL = 4158;            //!< bytes of a full frame
constexpr double ACK = 64;               //!< bytes of an acknowledgement
constexpr double GAP = 20;               //!< bytes of the gap after a frame

/// @return a flow that starts at 0
Flow
FlowOf(uint32_t source, uint32_t destination, uint64_t packets)
{
    Flow flow;
    flow.source = source;
    flow.destination = destination;
    flow.bytes = packets * 4096;
    return flow;
}

/// @return two switches with two hosts each, joined by two links, of which one is twice as long
/// @param hosts rates of the hosts, in Gb/s  @param middle rate of each link in between, in Gb/s
FabricGraph
MakePair(const std::vector<uint64_t>& hosts, uint64_t middle)
{
    NetworkAssembly pair;
    pair.AddSwitch("left");
    pair.AddSwitch("right");
    for (uint32_t host = 0; host < hosts.size(); ++host)
    {
        pair.Attach(host, host / 2, {hosts[host] * GIGA, 500'000});
    }
    pair.Join(0, 1, {middle * GIGA, 3'000'000});
    pair.Join(0, 1, {middle * GIGA, 6'000'000});
    return pair.Finish();
}

/// @return a leaf-spine fabric of uniform links, as a fabric of any shape
FabricGraph
MakeUniform(uint32_t leaves, uint32_t spines, uint32_t hosts)
{
    NetworkAssembly network;
    const NetworkAssembly::Cable cable{800 * GIGA, 500'000};
    for (uint32_t id = 0; id < leaves + spines; ++id)
    {
        network.AddSwitch("s-" + std::to_string(id));
    }
    for (uint32_t host = 0; host < leaves * hosts; ++host)
    {
        network.Attach(host, host / hosts, cable);
    }
    for (uint32_t leaf = 0; leaf < leaves; ++leaf)
    {
        for (uint32_t spine = 0; spine < spines; ++spine)
        {
            network.Join(leaf, leaves + spine, cable);
        }
    }
    return network.Finish();
}

} // namespace

TEST(GraphBound, OfOneMessageIsThatOfTheSlowerHostAndTheShorterLink)
{
    // 80, 320 and 20 ps a byte at 100, 25 and 400 Gb/s.
    const BoundParameters parameters;
    const double way = FULL * (80 + 20 + 320) + 500'000 + 3'000'000 + 500'000;
    const double back = ACK * (320 + 20 + 80) + 4'000'000;
    const FabricGraph toSlow = MakePair({100, 100, 25, 100}, 400);
    EXPECT_EQ(CompletionBoundPs(toSlow, {FlowOf(0, 2, 1)}, parameters), way + back);
    EXPECT_EQ(CompletionBoundPs(toSlow, {FlowOf(0, 2, 11)}, parameters),
              way + back + 10 * (FULL + GAP) * 320);
    EXPECT_EQ(CompletionBoundPs(toSlow, {FlowOf(2, 0, 11)}, parameters),
              way + back + 10 * (FULL + GAP) * 320);
}

TEST(GraphBound, KnowsTheLinksBetweenSites)
{
    // Two hosts of 400 Gb/s send over two links of 25 Gb/s together.
    const FabricGraph graph = MakePair({400, 400, 400, 400}, 25);
    const BoundParameters parameters;
    const std::vector<Flow> flows{FlowOf(0, 2, 1000), FlowOf(1, 3, 1000)};
    const double least = 2000 * (FULL + GAP) * 320 / 2;
    const double bound = CompletionBoundPs(graph, flows, parameters);
    EXPECT_GT(bound, least);
    EXPECT_LT(bound, least + 12'000'000);
}

TEST(GraphBound, TakesTheFasterOfALongAndAShortPath)
{
    // The direct link takes 9 us; two links by way of another switch take 2 us.
    NetworkAssembly triangle;
    for (uint32_t id = 0; id < 3; ++id)
    {
        triangle.AddSwitch("s-" + std::to_string(id));
        triangle.Attach(id, id, {800 * GIGA, 0});
    }
    triangle.Join(0, 1, {800 * GIGA, 9'000'000});
    triangle.Join(0, 2, {800 * GIGA, 1'000'000});
    triangle.Join(2, 1, {800 * GIGA, 1'000'000});
    const double bound = CompletionBoundPs(triangle.Finish(), {FlowOf(0, 1, 1)}, BoundParameters());
    EXPECT_EQ(bound, 4 * 10 * (FULL + ACK) + 4'000'000);
}

TEST(GraphBound, IsThatOfAClosNetworkWhereLinksAreAlike)
{
    std::mt19937 random(5);
    BoundParameters parameters;
    parameters.acksAlternate = false; // the proof that is left out
    int equal = 0;
    for (int round = 0; round < 300; ++round)
    {
        const uint32_t leaves = 2 + random() % 3;
        const uint32_t spines = 1 + random() % 3;
        const uint32_t hosts = 2 + random() % 2;
        const FabricGraph clos = MakeLeafSpine({leaves, spines, hosts});
        const FabricGraph any = MakeUniform(leaves, spines, hosts);
        parameters.rateFactor = random() % 2 ? 1 : 0.7;
        parameters.switchLatencyPs = random() % 2 ? 0 : 300'000;
        parameters.nicLatencyPs = random() % 2 ? 0 : 700'000;
        std::vector<Flow> flows;
        for (uint32_t i = 0; i < 1 + random() % 9; ++i)
        {
            const uint32_t source = random() % clos.HostCount();
            const uint32_t destination =
                (source + 1 + random() % (clos.HostCount() - 1)) % clos.HostCount();
            flows.push_back(FlowOf(source, destination, 1 + random() % 30));
            flows.back().bytes -= random() % 4000;
            flows.back().startPs = static_cast<int64_t>(random() % 3) * 1'000'000;
        }
        const double expected = CompletionBoundPs(clos, flows, parameters);
        const double bound = CompletionBoundPs(any, flows, parameters);
        EXPECT_LE(bound, expected + 1);
        EXPECT_GT(bound, 0.7 * expected);
        equal += std::abs(bound - expected) <= 1;
    }
    EXPECT_GT(equal, 150);
}

TEST(GraphBound, AcknowledgementsThatBypassTheFabricMeetNoFault)
{
    const FabricGraph clos = MakeLeafSpine({2, 2, 2});
    BoundParameters parameters;
    parameters.speeds = std::make_shared<const std::vector<double>>(2 * clos.Links().size(), 0.5);
    const Flow flow = FlowOf(0, 2, 1);
    const double inFabric = FlowBound(clos, parameters).Of(flow);
    parameters.acksInFabric = false;
    // Four links take the acknowledgement once instead of twice its time.
    const double ackPs = FrameTimes(parameters).ack.host;
    EXPECT_NEAR(inFabric - FlowBound(clos, parameters).Of(flow), 4 * ackPs, 8);
}

TEST(GraphBound, KnowsLinksThatFaultsSlowForGood)
{
    // A Clos network whose links are slow has the bound of a file with these rates.
    const FabricGraph clos = MakeLeafSpine({2, 2, 2});
    const auto slow = [&clos](uint32_t link, double up, double down) {
        std::vector<double> speeds(2 * clos.Links().size(), 1);
        speeds[2 * link] = up;
        speeds[2 * link + 1] = down;
        BoundParameters parameters;
        parameters.speeds = std::make_shared<const std::vector<double>>(std::move(speeds));
        return parameters;
    };
    NetworkAssembly network;
    for (const char* name : {"leaf-0", "leaf-1", "spine-0", "spine-1"})
    {
        network.AddSwitch(name);
    }
    for (uint32_t host = 0; host < 4; ++host)
    {
        network.Attach(host, host / 2, {(host == 1 ? 200 : 800) * GIGA, 500'000});
    }
    for (uint32_t link = 0; link < 4; ++link)
    {
        network.Join(link / 2, 2 + link % 2, {800 * GIGA, 500'000});
    }
    const FabricGraph file = network.Finish();
    for (const Flow& flow : {FlowOf(1, 2, 100), FlowOf(2, 1, 100), FlowOf(1, 0, 3)})
    {
        const double bound = CompletionBoundPs(clos, {flow}, slow(1, 0.25, 0.25));
        EXPECT_EQ(bound, CompletionBoundPs(file, {flow}, {}));
        EXPECT_EQ(FlowBound(clos, slow(1, 0.25, 0.25)).Of(flow), bound);
        EXPECT_GT(bound, 3 * FlowBound(clos, {}).Of(flow) - 10e6);
    }
    EXPECT_EQ(CompletionBoundPs(clos, {FlowOf(2, 3, 9)}, slow(1, 0.25, 0.25)),
              CompletionBoundPs(clos, {FlowOf(2, 3, 9)}, {}));
    // Only one direction is slow, and it is the other one.
    EXPECT_LT(CompletionBoundPs(clos, {FlowOf(2, 1, 100)}, slow(1, 0.25, 1)),
              CompletionBoundPs(clos, {FlowOf(2, 1, 100)}, slow(1, 1, 0.25)));
    // Of two uplinks one is dead: two hosts have the rate of one.
    const std::vector<Flow> both{FlowOf(0, 2, 10000), FlowOf(1, 3, 10000)};
    EXPECT_NEAR(CompletionBoundPs(clos, both, slow(4, 0, 0)) / CompletionBoundPs(clos, both, {}),
                2,
                0.02);
}

TEST(GraphBound, OfAMessageWithoutAByteIsTwoDelaysOfItsSendersLink)
{
    const Flow empty = FlowOf(1, 2, 0);
    EXPECT_EQ(FlowBound(MakeLeafSpine({2, 2, 2}), {}).Of(empty), 1'000'000);
    EXPECT_EQ(CompletionBoundPs(MakePair({100, 100, 100, 100}, 100), {empty}, {}), 1'000'000);
    BoundParameters parameters;
    parameters.linkDelayPs = 0;
    EXPECT_EQ(FlowBound(MakeLeafSpine({2, 2, 2}), parameters).Of(empty), 2);
}
