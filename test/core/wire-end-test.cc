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

/// Notes the frames that arrive.
struct Receiver : FrameHandler
{
    void ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now) override
    {
        psns.push_back(frame->psn);
        EXPECT_EQ(ingress, 3);
        EXPECT_EQ(now, 700);
    }

    void PrefetchFrame(const FabricFrame& frame, uint32_t step) const override
    {
        prefetched.emplace_back(frame.psn, step);
    }

    bool NeedsPrefetch() const override
    {
        return true;
    }

    bool IsHost() const override
    {
        return true;
    }

    std::vector<uint32_t> psns;                                    //!< of the frames that came
    mutable std::vector<std::pair<uint32_t, uint32_t>> prefetched; //!< PSN and step
};

/// A wire with frames 1, 2, ... that arrive 100 ps one after the other.
struct Wire
{
    /// @param frames how many
    explicit Wire(uint32_t frames)
    {
        end.SetReceiver(&receiver, 3, 9);
        for (uint32_t i = 1; i <= frames; ++i)
        {
            const Ptr<FabricFrame> frame = pool->Create();
            frame->psn = i;
            frame->wireBytes = 1000 * i;
            end.Push(GetPointer(frame), 100 * i);
        }
    }

    ~Wire()
    {
        while (FabricFrame* frame = end.Pop())
        {
            frame->Unref();
        }
    }

    Ptr<FabricFramePool> pool{Create<FabricFramePool>()}; //!< of the frames
    Receiver receiver;                                    //!< who receives
    WireEnd end;                                          //!< the wire's end
};

} // namespace

TEST(WireEnd, FramesArriveInOrder)
{
    Wire wire(3);
    EXPECT_EQ(wire.end.CountFrames(), 3U);
    EXPECT_EQ(wire.end.CountBytes(), 6000U);
    EXPECT_EQ(wire.end.GetLastArrival(), 300);
    LinkDirection direction(nullptr);
    for (uint32_t i = 1; i <= 3; ++i)
    {
        EXPECT_EQ(wire.end.GetArrival(), 100 * i);
        wire.end.Deliver(Ptr<FabricFrame>(wire.end.Pop(), false), direction, 700);
    }
    EXPECT_EQ(wire.receiver.psns, (std::vector<uint32_t>{1, 2, 3}));
    EXPECT_EQ(wire.end.First(), nullptr);
}

TEST(WireEnd, AnArrivalIsTheEndOfTheTransmissionAndTheDelay)
{
    Wire wire(0);
    wire.end.SetDelay(500'000);
    EXPECT_EQ(wire.end.GetArrivalOf(1000), 501'000);
    EXPECT_TRUE(wire.end.LeadsToHost());
    EXPECT_TRUE(wire.end.NeedsPrefetch());
}

TEST(WireEnd, EachFrameOfTheFirstOnesIsPrefetchedByOneStep)
{
    Wire wire(4);
    wire.end.PrefetchNext();
    const std::vector<std::pair<uint32_t, uint32_t>> expected{{1, 3}, {2, 2}, {3, 1}};
    EXPECT_EQ(wire.receiver.prefetched, expected);
}
