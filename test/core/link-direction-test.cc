/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/fabric-frame-pool.h"
#include "ns3/link-direction.h"
#include "ns3/wire-end.h"

using namespace ns3;

namespace
{

/// Keeps what is carried.
struct Carrier : FrameCarrier
{
    void Carry(const Ptr<FabricFrame>& frame, int64_t, int64_t arrival) override
    {
        frames.push_back(frame);
        EXPECT_EQ(arrival, 500);
    }

    Ptr<FabricFrame> TakeLost(int64_t) override
    {
        return nullptr;
    }

    uint32_t CountFrames(int64_t) const override
    {
        return frames.size();
    }

    uint64_t CountBytes(int64_t) const override
    {
        return 4158 * frames.size();
    }

    std::vector<Ptr<FabricFrame>> frames; //!< what is carried
};

} // namespace

// What a cut loses is tested with ports, in ai-fabric-transmitter.

TEST(LinkDirection, FramesSimplyArriveIfTheLinkIsUpAndNoCarrierHasThem)
{
    LinkDirection direction(nullptr);
    WireEnd wire;
    EXPECT_TRUE(direction.IsDirect());
    direction.SetUp(false, wire, 1000);
    EXPECT_FALSE(direction.IsUp());
    EXPECT_FALSE(wire.IsDirect());
    EXPECT_TRUE(direction.WasCutSince(1000));
    EXPECT_FALSE(direction.WasCutSince(1001));
    direction.SetUp(true, wire, 2000);
    EXPECT_TRUE(wire.IsDirect());
    Carrier carrier;
    direction.SetCarrier(&carrier);
    EXPECT_TRUE(direction.IsUp());
    EXPECT_FALSE(direction.IsDirect());
}

TEST(LinkDirection, ACarrierCountsWhatItCarriesAndAGhostCountsNothing)
{
    const auto pool = Create<FabricFramePool>();
    LinkDirection direction(nullptr);
    WireEnd wire;
    wire.Push(GetPointer(pool->Create()), 500);
    EXPECT_EQ(direction.CountFrames(wire), 1U);
    Carrier carrier;
    direction.SetCarrier(&carrier);
    EXPECT_EQ(direction.CountFrames(wire), 0U);
    direction.SendElsewhere(pool->Create(), 0, 500);
    EXPECT_EQ(direction.CountFrames(wire), 1U);
    EXPECT_EQ(direction.CountBytes(wire), 4158U);
    direction.SetCarrier(nullptr);
    direction.SetGhost();
    EXPECT_EQ(direction.CountFrames(wire), 0U);
    wire.Pop()->Unref();
}
