/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/conweave-sink.h"
#include "ns3/conweave-source.h"
#include "ns3/random-variable-stream.h"

namespace
{

constexpr int64_t US = 1000000;        //!< a microsecond, in picoseconds
constexpr int64_t REPLY = 8 * US;      //!< after which a reply is late
constexpr int64_t BUSY = 16 * US;      //!< for which a mark counts
constexpr int64_t INACTIVE = 300 * US; //!< after which a flow begins anew
constexpr int64_t EXTRA = 16 * US;     //!< for which a TAIL may be late
constexpr int64_t FALLBACK = 200 * US; //!< the same where no packet came on the old path
constexpr uint32_t FIRST_UP = 4;       //!< port of uplink 0
const LeafFlow FLOW{1, 9, 50000};      //!< a flow
const LeafFlow OTHER{2, 9, 50000};     //!< another one

/// The first leaf of flows: 4 uplinks, 3 leaves.
struct FirstLeaf
{
    ConweaveSource source; //!< it
    EgressGroup group;     //!< all uplinks
    ns3::Ptr<ns3::UniformRandomVariable> random{
        ns3::CreateObject<ns3::UniformRandomVariable>()}; //!< draws paths

    FirstLeaf()
    {
        ConweaveSource::Parameters parameters{};
        parameters.reply = REPLY;
        parameters.inactive = INACTIVE;
        parameters.busy = BUSY;
        parameters.leaves = 3;
        parameters.uplinks = 4;
        parameters.slots = 64;
        source.Resize(parameters);
        for (uint16_t uplink = 0; uplink < 4; ++uplink)
        {
            // ports are compared, and not used
            group.members.push_back(reinterpret_cast<FabricTransmitter*>(64 + 64 * uplink));
            group.ports.push_back(FIRST_UP + uplink);
        }
        random->SetStream(1);
    }

    /// @return what a packet of the flow carries, with its uplink  @param now the time
    ConweaveTag Send(int64_t now, const LeafFlow& flow = FLOW)
    {
        ConweaveTag tag = source.PacketArrives(flow, now);
        const auto place =
            source.Choose(flow, tag.kind == ConweaveTag::TAIL, 2, group, FIRST_UP, now, *random);
        EXPECT_TRUE(place);
        tag.uplink = *place;
        return tag;
    }

    /// A control packet of leaf 2 comes.  @param now the time
    void Get(ConweaveTag::Kind kind, uint8_t epoch, uint8_t uplink, int64_t now)
    {
        ConweaveTag tag{};
        tag.kind = kind;
        tag.epoch = epoch;
        tag.uplink = uplink;
        source.ControlArrives(FLOW, 2, tag, now);
    }
};

/// @return the last leaf of flows: 2 ports with 2 queues each
ConweaveSink
MakeSink()
{
    ConweaveSink sink;
    ConweaveSink::Parameters parameters{};
    parameters.inactive = INACTIVE;
    parameters.extra = EXTRA;
    parameters.fallback = FALLBACK;
    parameters.ports = 2;
    parameters.queues = 2;
    parameters.slots = 64;
    sink.Resize(parameters);
    return sink;
}

/// @return what a packet carries  @param sent when it was at the first leaf
/// @param tail when the TAIL was, if it is rerouted
ConweaveTag
MakeWoven(ConweaveTag::Kind kind, uint8_t epoch, int64_t sent, int64_t tail = 0)
{
    ConweaveTag tag{};
    tag.kind = kind;
    tag.epoch = epoch;
    tag.sentNs = sent / 1000;
    tag.tailNs = tail / 1000;
    tag.isRerouted = tail > 0;
    return tag;
}

} // namespace

TEST(ConweaveSource, AnEpochEndsWithAReplyInTime)
{
    FirstLeaf leaf;
    const ConweaveTag first = leaf.Send(0);
    EXPECT_EQ(first.kind, ConweaveTag::REQUEST);
    EXPECT_EQ(leaf.Send(1 * US).kind, ConweaveTag::DATA);
    leaf.Get(ConweaveTag::REPLY, first.epoch, 0, REPLY);
    const ConweaveTag next = leaf.Send(REPLY + US);
    EXPECT_EQ(next.kind, ConweaveTag::REQUEST);
    EXPECT_EQ(next.epoch, first.epoch + 1);
    EXPECT_EQ(next.uplink, first.uplink);
    EXPECT_FALSE(next.isRerouted);
    leaf.Get(ConweaveTag::REPLY, first.epoch, 0, REPLY + 2 * US); // of the epoch before
    EXPECT_EQ(leaf.Send(REPLY + 3 * US).kind, ConweaveTag::DATA);
}

TEST(ConweaveSource, ALateReplyReroutesOnceUntilTheClear)
{
    FirstLeaf leaf;
    for (uint8_t uplink = 0; uplink < 4; ++uplink)
    {
        if (uplink != 3)
        {
            leaf.Get(ConweaveTag::NOTIFY, 0, uplink, 0);
        }
    }
    const ConweaveTag first = leaf.Send(US);
    leaf.Get(ConweaveTag::REPLY, first.epoch, 0, REPLY + 2 * US); // too late
    const ConweaveTag tail = leaf.Send(REPLY + 3 * US);
    EXPECT_EQ(tail.kind, ConweaveTag::TAIL);
    EXPECT_EQ(tail.uplink, first.uplink);
    EXPECT_FALSE(tail.isRerouted);
    std::set<uint32_t> uplinks;
    for (int64_t t = REPLY + 4 * US; t < 100 * US; t += US)
    {
        const ConweaveTag tag = leaf.Send(t);
        EXPECT_EQ(tag.kind, ConweaveTag::DATA);
        EXPECT_TRUE(tag.isRerouted);
        EXPECT_EQ(tag.tailNs, tail.sentNs);
        EXPECT_EQ(tag.epoch, first.epoch);
        uplinks.insert(tag.uplink);
    }
    EXPECT_EQ(uplinks.size(), 1); // on one new path
    leaf.Get(ConweaveTag::REPLY, first.epoch, 0, 100 * US);
    EXPECT_EQ(leaf.Send(101 * US).kind, ConweaveTag::DATA);
    leaf.Get(ConweaveTag::CLEAR, first.epoch, 0, 102 * US);
    const ConweaveTag next = leaf.Send(103 * US);
    EXPECT_EQ(next.kind, ConweaveTag::REQUEST);
    EXPECT_EQ(next.epoch, first.epoch + 1);
    EXPECT_EQ(next.uplink, *uplinks.begin());
    EXPECT_EQ(leaf.source.GetCounters().reroutes, 1);
}

TEST(ConweaveSource, MarkedPathsAreNotTaken)
{
    for (uint32_t n = 0; n < 20; ++n)
    {
        FirstLeaf leaf;
        leaf.random->SetStream(n);
        const ConweaveTag first = leaf.Send(0);
        for (uint8_t uplink = 0; uplink < 4; ++uplink)
        {
            if (uplink != first.uplink)
            {
                leaf.Get(ConweaveTag::NOTIFY, 0, uplink, REPLY);
            }
        }
        leaf.Send(REPLY + US);
        EXPECT_EQ(leaf.Send(REPLY + 2 * US).uplink, first.uplink); // both that are drawn are busy
    }
    std::set<uint32_t> uplinks;
    for (uint32_t n = 0; n < 20; ++n)
    {
        FirstLeaf leaf;
        leaf.random->SetStream(n);
        leaf.Send(0);
        leaf.Get(ConweaveTag::NOTIFY, 0, 1, 0);
        leaf.Send(BUSY + US);
        uplinks.insert(leaf.Send(BUSY + 2 * US).uplink);
    }
    EXPECT_EQ(uplinks.count(1), 1); // a mark is forgotten
}

TEST(ConweaveSource, AFlowThatPausesBeginsAnew)
{
    std::set<uint32_t> uplinks;
    for (uint32_t n = 0; n < 20; ++n)
    {
        FirstLeaf leaf;
        leaf.random->SetStream(n);
        const ConweaveTag first = leaf.Send(0);
        leaf.Send(REPLY + US); // TAIL, whose CLEAR is lost
        const ConweaveTag next = leaf.Send(REPLY + 2 * US + INACTIVE);
        EXPECT_EQ(next.kind, ConweaveTag::REQUEST);
        EXPECT_EQ(next.epoch, first.epoch + 1);
        EXPECT_FALSE(next.isRerouted);
        uplinks.insert(next.uplink - first.uplink);
    }
    EXPECT_GT(uplinks.size(), 1); // it draws a path
}

TEST(ConweaveSource, AFlowLeavesAPathThatIsGone)
{
    FirstLeaf leaf;
    const ConweaveTag first = leaf.Send(0);
    leaf.group.members.erase(leaf.group.members.begin() + first.uplink);
    leaf.group.ports.erase(leaf.group.ports.begin() + first.uplink);
    leaf.Send(US);
    EXPECT_EQ(leaf.source.GetCounters().moves, 1);
}

TEST(ConweaveSource, AFullTableDoesNotKnowNewFlows)
{
    FirstLeaf leaf;
    uint32_t unknown = 0;
    for (uint32_t flow = 0; flow < 1000; ++flow)
    {
        const LeafFlow key{flow, 900, 1};
        const bool isKnown = leaf.source.PacketArrives(key, 0).IsOfFlow();
        unknown += !isKnown;
        EXPECT_EQ(
            leaf.source.Choose(key, false, 2, leaf.group, FIRST_UP, 0, *leaf.random).has_value(),
            isKnown);
    }
    EXPECT_EQ(unknown, 1000 - 64);
    EXPECT_EQ(leaf.source.GetCounters().untracked, unknown);
    EXPECT_TRUE(leaf.source.PacketArrives({5000, 900, 1}, 2 * INACTIVE + US).IsOfFlow());
}

TEST(ConweaveSink, PacketsOnTheNewPathWaitForTheTail)
{
    ConweaveSink sink = MakeSink();
    auto decision = sink.PacketArrives(FLOW, 1, MakeWoven(ConweaveTag::REQUEST, 1, 0), 10 * US);
    EXPECT_EQ(decision.answer, ConweaveTag::REPLY);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::FORWARD);
    decision =
        sink.PacketArrives(FLOW, 1, MakeWoven(ConweaveTag::DATA, 1, 10 * US, 9 * US), 13 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::HOLD);
    const uint32_t queue = decision.verdict.queue;
    EXPECT_EQ(queue / 2, 1); // of port 1
    EXPECT_EQ(decision.timed, queue);
    EXPECT_EQ(sink.GetDeadline(queue), (10 + 9) * US + EXTRA); // as long after the last one
    decision = sink.PacketArrives(FLOW, 1, MakeWoven(ConweaveTag::DATA, 1, 6 * US), 20 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::FORWARD);
    EXPECT_EQ(sink.GetDeadline(queue), (20 + 3) * US + EXTRA);
    decision = sink.PacketArrives(FLOW, 1, MakeWoven(ConweaveTag::TAIL, 1, 9 * US), 25 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::RELEASE);
    EXPECT_EQ(decision.verdict.queue, queue);
    EXPECT_EQ(decision.answer, ConweaveTag::CLEAR);
    EXPECT_EQ(sink.GetDeadline(queue), ConweaveSink::NEVER);
    decision =
        sink.PacketArrives(FLOW, 1, MakeWoven(ConweaveTag::DATA, 1, 12 * US, 9 * US), 26 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::FORWARD);
    EXPECT_EQ(sink.GetCounters().held, 1);
    EXPECT_EQ(sink.GetCounters().maxQueues, 1);
}

TEST(ConweaveSink, NoPacketWaitsBehindTheTail)
{
    ConweaveSink sink = MakeSink();
    auto decision = sink.PacketArrives(FLOW, 0, MakeWoven(ConweaveTag::TAIL, 1, 5 * US), 10 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::FORWARD);
    EXPECT_EQ(decision.answer, ConweaveTag::CLEAR);
    decision =
        sink.PacketArrives(FLOW, 0, MakeWoven(ConweaveTag::DATA, 1, 6 * US, 5 * US), 11 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::FORWARD);
    decision = sink.PacketArrives(FLOW, 0, MakeWoven(ConweaveTag::DATA, 0, 4 * US), 12 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::FORWARD); // of an epoch that is over
}

TEST(ConweaveSink, ATailThatDoesNotComeIsNotWaitedForForever)
{
    ConweaveSink sink = MakeSink();
    auto decision =
        sink.PacketArrives(FLOW, 0, MakeWoven(ConweaveTag::DATA, 1, 6 * US, 5 * US), 10 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::HOLD);
    EXPECT_EQ(sink.GetDeadline(0), 10 * US + FALLBACK + EXTRA); // no packet on the old path
    sink.TimeOut(0);
    EXPECT_EQ(sink.GetCounters().timeouts, 1);
    decision =
        sink.PacketArrives(FLOW, 0, MakeWoven(ConweaveTag::DATA, 1, 7 * US, 5 * US), 230 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::FORWARD);
    decision = sink.PacketArrives(FLOW, 0, MakeWoven(ConweaveTag::TAIL, 1, 5 * US), 240 * US);
    EXPECT_EQ(decision.answer, ConweaveTag::CLEAR); // late, and not lost
    decision = sink.PacketArrives(OTHER, 0, MakeWoven(ConweaveTag::REQUEST, 1, 0), 300 * US);
    decision =
        sink.PacketArrives(OTHER, 0, MakeWoven(ConweaveTag::DATA, 1, 90 * US, 80 * US), 397 * US);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::FORWARD); // the TAIL was due at 380, or 396
}

TEST(ConweaveSink, ANewEpochReleasesWhatTheOldOneHolds)
{
    ConweaveSink sink = MakeSink();
    sink.PacketArrives(FLOW, 0, MakeWoven(ConweaveTag::DATA, 1, 6 * US, 5 * US), 10 * US);
    const auto decision =
        sink.PacketArrives(FLOW, 0, MakeWoven(ConweaveTag::REQUEST, 2, 30 * US), 40 * US);
    EXPECT_EQ(decision.released, 0);
    EXPECT_EQ(decision.verdict.action, ArrivalVerdict::FORWARD);
    EXPECT_EQ(sink.GetDeadline(0), ConweaveSink::NEVER);
}

TEST(ConweaveSink, AFlowWithoutAQueueIsNotPutInOrder)
{
    ConweaveSink sink = MakeSink();
    for (uint32_t flow = 0; flow < 3; ++flow)
    {
        const auto decision = sink.PacketArrives({flow, 9, 1},
                                                 0,
                                                 MakeWoven(ConweaveTag::DATA, 1, 6 * US, 5 * US),
                                                 10 * US);
        EXPECT_EQ(decision.verdict.action,
                  flow < 2 ? ArrivalVerdict::HOLD : ArrivalVerdict::FORWARD);
    }
    const auto again =
        sink.PacketArrives({2, 9, 1}, 0, MakeWoven(ConweaveTag::DATA, 1, 7 * US, 5 * US), 11 * US);
    EXPECT_EQ(again.verdict.action, ArrivalVerdict::FORWARD); // nor those that follow
    EXPECT_EQ(sink.GetCounters().overflows, 1);
    EXPECT_EQ(sink.GetCounters().maxQueues, 2);
    const auto other =
        sink.PacketArrives({3, 10, 1}, 1, MakeWoven(ConweaveTag::DATA, 1, 6 * US, 5 * US), 12 * US);
    EXPECT_EQ(other.verdict.action, ArrivalVerdict::HOLD); // another port has its own
}

TEST(ConweaveSink, EpochsWrapAround)
{
    ConweaveSink sink = MakeSink();
    int64_t now = 10 * US;
    for (uint32_t epoch = 1; epoch < 600; ++epoch, now += 10 * US)
    {
        const auto first =
            sink.PacketArrives(FLOW, 0, MakeWoven(ConweaveTag::REQUEST, epoch, now), now + US);
        EXPECT_EQ(first.answer, ConweaveTag::REPLY);
        const auto tail = sink.PacketArrives(FLOW,
                                             0,
                                             MakeWoven(ConweaveTag::TAIL, epoch, now + US),
                                             now + 2 * US);
        EXPECT_EQ(tail.answer, ConweaveTag::CLEAR);
        const auto late = sink.PacketArrives(FLOW,
                                             0,
                                             MakeWoven(ConweaveTag::REQUEST, epoch - 1, 0),
                                             now + 3 * US);
        EXPECT_EQ(late.answer, ConweaveTag::NONE);
    }
}
