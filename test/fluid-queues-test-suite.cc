/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/fluid-delays.h"
#include "ns3/fluid-detours.h"
#include "ns3/fluid-queues.h"
#include "ns3/fluid-senders.h"

#include <cmath>
#include <map>
#include <optional>
#include <vector>

static Suite g_fluidQueues("ai-fabric-fluid-queues", TestSuite::Type::UNIT);

namespace
{

/// Streams that cross links of 1 byte a picosecond, each after 10 ps.
struct FluidQueuesTestCase : FabricTestCase
{
    /// Make the links.
    void Make(std::size_t count)
    {
        queues = std::make_unique<FluidQueues>(std::vector<double>(count, 1),
                                               MakeCallback(&FluidQueuesTestCase::Pass, this));
    }

    /// A stream of bytes enters its first link at a rate of 1 from some time on.
    void Send(uint32_t stream, const std::vector<LinkShare>& links, int64_t ps, int64_t bytes)
    {
        const FluidWay way{&links, 0, 10};
        ScheduleFunction(PicoSeconds(ps), [this, stream, way] { queues->SetRate(stream, way, 1); });
        ScheduleFunction(PicoSeconds(ps + bytes),
                         [this, stream, way] { queues->SetRate(stream, way, 0); });
    }

    /// Note the rate behind the last link.
    void Pass(uint32_t stream, double rate)
    {
        rates[stream].push_back(rate);
        ends[stream] = FabricClock::Now();
    }

    std::unique_ptr<FluidQueues> queues;           //!< the links
    std::map<uint32_t, std::vector<double>> rates; //!< behind the last link, by stream
    std::map<uint32_t, int64_t> ends;              //!< when the last rate was another one, in ps
};

/// A stream that leaves by link 0, to link 1, or while link 0 is cut by link 2, to link 3. Link 0
/// has half of the rate of the others.
struct FluidDetoursTestCase : FabricTestCase
{
    /// The stream begins, over links of which the first one is slow.
    void Begin()
    {
        queues.SetLinkRate(0, 0.5);
        SetRate(1);
    }

    /// Set the rate of the stream.
    void SetRate(double rate)
    {
        detours.SetRate(1, 2, {nullptr, 0, 10}, rate);
    }

    /// Cut link 0, or restore it.
    void SetCut(bool cut)
    {
        isCut = cut;
        detours.Update();
    }

    /// @return the next link
    std::optional<LinkShare> Next(const std::vector<LinkShare>& way, std::size_t index) const
    {
        if (index == 0)
        {
            return LinkShare{isCut ? 2U : 0U, 1};
        }
        const uint32_t before = way[0].link;
        return before == 0 && isCut ? std::nullopt : std::optional<LinkShare>({before + 1, 1});
    }

    /// Note what has come.
    void Pass(uint32_t, double now)
    {
        received += rate * static_cast<double>(FabricClock::Now() - since);
        rate = now;
        since = FabricClock::Now();
        end = now == 0 ? since : 0;
    }

    /// Note what was lost, and send it again at once.
    void Lose(uint32_t, double bytes)
    {
        lost += bytes;
        detours.Hold(1);
        SetRate(1);
        ScheduleFunction(PicoSeconds(std::llround(bytes)), [this] { SetRate(0); });
    }

    FluidQueues queues{std::vector<double>(4, 1),
                       MakeCallback(&FluidDetoursTestCase::PassQueues, this)}; //!< the links
    FluidDetours detours{queues,
                         [this](uint32_t, const std::vector<LinkShare>& way, std::size_t index) {
                             return Next(way, index);
                         },
                         MakeCallback(&FluidDetoursTestCase::Pass, this),
                         MakeCallback(&FluidDetoursTestCase::Lose, this),
                         MakeCallback(&FluidDetoursTestCase::End, this),
                         1000}; //!< of the stream
    bool isCut{false};          //!< link 0
    double rate{0};             //!< at which the stream comes
    int64_t since{0};           //!< since when, in ps
    int64_t end{0};             //!< when all has come, in ps
    double received{0};         //!< bytes
    double lost{0};             //!< bytes
    /// Bytes of the stream that have crossed each link, also those that are lost behind it
    std::vector<double> crossed = std::vector<double>(4, 0);

    /// All parts of the stream have ended.
    void End(uint32_t, const std::vector<FluidTrack>& tracks)
    {
        for (const FluidTrack& track : tracks)
        {
            for (const LinkShare& share : track.links)
            {
                crossed[share.link] += track.bytes;
            }
        }
    }

    /// A part of the stream leaves its last link.
    void PassQueues(uint32_t part, double now)
    {
        detours.Pass(part, now);
    }
};

/// Notes when items are due.
struct DueItems
{
    void Note(uint32_t item)
    {
        items.emplace_back(item, FabricClock::Now());
    }

    std::vector<std::pair<uint32_t, int64_t>> items; //!< and the times, in ps
};

using Items = std::vector<std::pair<uint32_t, int64_t>>;

} // namespace

/// Two streams that come at the same time share a link equally, and the next link has no queue.
FABRIC_TEST_F(FluidQueuesTestCase, g_fluidQueues, "Streams that come together leave together")
{
    Make(2);
    const std::vector<LinkShare> both = {{0, 1}, {1, 1}};
    Send(1, both, 0, 1000);
    Send(2, both, 0, 1000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends[1], 2010, "half of the rate, and one hop");
    NS_TEST_EXPECT_MSG_EQ(ends[2], 2010, "the same");
    NS_TEST_EXPECT_MSG_EQ_TOL(rates[1].front(), 0.5, 1e-9, "half of the rate");
    NS_TEST_EXPECT_MSG_EQ_TOL(queues->GetMostQueued(), 1000, 2, "half of the bytes");
    NS_TEST_EXPECT_MSG_EQ_TOL(queues->GetServed(0), 2000, 2, "conservation");
    NS_TEST_EXPECT_MSG_EQ_TOL(queues->GetServed(1), 2000, 2, "conservation");
}

/// What waits would take 14 h to leave: hardly less comes than the link serves.
FABRIC_TEST_F(FluidQueuesTestCase, g_fluidQueues, "A queue that hardly shrinks")
{
    Make(1);
    const std::vector<LinkShare> link = {{0, 1}};
    const FluidWay way{&link, 0, 10};
    ScheduleFunction(PicoSeconds(0), [this, way] { queues->SetRate(0, way, 1e5); });
    ScheduleFunction(PicoSeconds(1000), [this, way] { queues->SetRate(0, way, 0); });
    ScheduleFunction(PicoSeconds(1000), [this, way] { queues->SetRate(1, way, 1 - 2e-9); });
    ScheduleFunction(PicoSeconds(200000000), [this, way] { queues->SetRate(1, way, 0); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(ends[0]), 1e8, 2, "at the rate of the link");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(ends[1]), 3e8 - 1000, 2, "behind it");
}

/// A stream that comes while bytes wait leaves behind them, however much later it ends.
FABRIC_TEST_F(FluidQueuesTestCase, g_fluidQueues, "First come, first served")
{
    Make(1);
    const std::vector<LinkShare> link = {{0, 1}};
    Send(1, link, 0, 1000);
    Send(2, link, 0, 1000);
    Send(3, link, 1500, 100);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends[1], 2000, "not held back by what comes later");
    NS_TEST_EXPECT_MSG_EQ(ends[3], 2100, "after 500 bytes of each of the others");
    NS_TEST_EXPECT_MSG_EQ_TOL(rates[3].front(), 1, 1e-9, "alone in front of the queue");
}

/// A stream over another link has the rate there that the first link leaves it.
FABRIC_TEST_F(FluidQueuesTestCase, g_fluidQueues, "A queue holds back what other links get")
{
    Make(3);
    const std::vector<LinkShare> left = {{0, 1}, {1, 1}};
    const std::vector<LinkShare> right = {{0, 1}, {2, 1}};
    const std::vector<LinkShare> other = {{1, 1}};
    Send(1, left, 0, 1000);
    Send(2, right, 0, 1000);
    Send(3, other, 0, 400); // 400 + 10 ps at the rate of 1, with half of the rate of the first one
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends[2], 2010, "the first link is the bottleneck");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(ends[3]), 595, 2, "10 + 390 / (2 / 3)");
    NS_TEST_EXPECT_MSG_EQ(ends[1], 2010, "the second link catches up");
    NS_TEST_EXPECT_MSG_EQ_TOL(queues->GetServed(1), 1400, 4, "conservation");
}

/// Half of 1,000 bytes cross a link at a rate of 1, and the others at half of it; or those of 200
/// ps do, and the last 400 at 1 again.
FABRIC_TEST_F(FluidQueuesTestCase, g_fluidQueues, "A link gets slow, and whole again")
{
    Make(2);
    const std::vector<LinkShare> slow = {{0, 1}};
    const std::vector<LinkShare> back = {{1, 1}};
    Send(1, slow, 0, 1000);
    Send(2, back, 0, 1000);
    ScheduleFunction(PicoSeconds(500), [this] {
        queues->SetLinkRate(0, 0.5);
        queues->SetLinkRate(1, 0.5);
    });
    ScheduleFunction(PicoSeconds(700), [this] { queues->SetLinkRate(1, 1); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends[1], 1500, "500 / 1 + 500 / 0.5");
    NS_TEST_EXPECT_MSG_EQ(ends[2], 1100, "500 / 1 + 100 / 0.5 + 400 / 1");
    NS_TEST_EXPECT_MSG_EQ_TOL(queues->GetMostQueued(), 250, 1, "1000 - 500 - 500 * 0.5");
}

/// From 505 ps on two streams load a link by twice their bytes. What waits then, and what is under
/// way to it, counts twice, too.
FABRIC_TEST_F(FluidQueuesTestCase, g_fluidQueues, "Streams take other parts of a link")
{
    Make(2);
    queues->SetUnit(0, 0.5);
    std::vector<LinkShare> once = {{0, 1}};
    std::vector<LinkShare> second = {{1, 1}, {0, 1}};
    Send(1, once, 0, 1000);
    Send(2, second, 0, 500);
    ScheduleFunction(PicoSeconds(505), [&] {
        const std::vector<LinkShare> twice = {{0, 2}};
        const std::vector<LinkShare> other = {{1, 1}, {0, 2}};
        queues->Reweigh([&](uint32_t stream) -> const std::vector<LinkShare>& {
            return stream == 1 ? twice : other;
        });
        once = twice;
        second = other;
    });
    Simulator::Run();
    // 505 have left, 495 wait and count 2 * 495, and 2 * 5 and 2 * 495 come from then on.
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(ends[1]), 2495, 2, "505 + 990 + 10 + 990");
    NS_TEST_EXPECT_MSG_EQ_TOL(queues->GetServed(0), 2495, 4, "conservation");
    NS_TEST_EXPECT_MSG_EQ_TOL(queues->GetMostQueued(), 747.5, 5, "1,495 loads, half a byte each");
}

/// Of 1,000 bytes 250 have passed a link when it is cut, and 250 wait. These are lost, with those
/// under way behind it. The others take another way.
FABRIC_TEST_F(FluidDetoursTestCase, g_fluidQueues, "A link is cut")
{
    Begin();
    ScheduleFunction(PicoSeconds(500), [this] { SetCut(true); });
    ScheduleFunction(PicoSeconds(1000), [this] { SetRate(0); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(lost, 255, 1, "250 that wait, and 5 behind");
    NS_TEST_EXPECT_MSG_EQ_TOL(received, 1000, 1, "in the end all");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(end), 1765, 2, "1500 + 255 + 10");
    NS_TEST_EXPECT_MSG_EQ_TOL(crossed[0], 500, 1, "what waits crosses it, and is lost");
    NS_TEST_EXPECT_MSG_EQ_TOL(crossed[1], 245, 1, "what is not lost");
    NS_TEST_EXPECT_MSG_EQ_TOL(crossed[2], 755, 1, "the others, and what was lost");
    NS_TEST_EXPECT_MSG_EQ(crossed[3], crossed[2], "all of it");
}

/// What waits at a link that is whole again before it has left is not lost.
FABRIC_TEST_F(FluidDetoursTestCase, g_fluidQueues, "A link is cut, and back")
{
    Begin();
    ScheduleFunction(PicoSeconds(500), [this] { SetCut(true); });
    ScheduleFunction(PicoSeconds(700), [this] { SetCut(false); });
    ScheduleFunction(PicoSeconds(1000), [this] { SetRate(0); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(lost, 100, 1, "200 ps at 0.5");
    NS_TEST_EXPECT_MSG_EQ_TOL(received, 1000, 1, "in the end all");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(end),
                              1810,
                              2,
                              "800 by link 0, 5 of them behind it when it was cut, at 0.5; at 1500 "
                              "100 more come, and wait for 50 of the others");
}

/// A number may be given again when its stream has left.
FABRIC_TEST_F(FluidQueuesTestCase, g_fluidQueues, "Numbers of streams are given again")
{
    Make(1);
    const std::vector<LinkShare> link = {{0, 1}};
    Send(1, link, 0, 100);
    Send(1, link, 200, 100);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((rates[1] == std::vector<double>{1, 0, 1, 0}), true, "twice");
    NS_TEST_EXPECT_MSG_EQ(ends[1], 300, "without delay");
}

/// Items are called back in the order of their times, and none after Clear().
FABRIC_TEST(g_fluidQueues, "Delays")
{
    DueItems due;
    FluidDelays delays(MakeCallback(&DueItems::Note, &due));
    delays.Add(1, 30);
    delays.Add(2, 10);
    ScheduleFunction(PicoSeconds(5), [&delays] { delays.Add(3, 10); });
    ScheduleFunction(PicoSeconds(20), [&delays] { delays.Add(4, 10); });
    ScheduleFunction(PicoSeconds(40), [&delays] { delays.Add(5, 10); });
    ScheduleFunction(PicoSeconds(45), [&delays] { delays.Clear(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(due.items.size(), 4, "all but the last one");
    NS_TEST_EXPECT_MSG_EQ((due.items[0] == Items::value_type{2, 10}), true, "the shortest");
    NS_TEST_EXPECT_MSG_EQ((due.items[1] == Items::value_type{3, 15}), true, "the next one");
    NS_TEST_EXPECT_MSG_EQ((due.items[2] == Items::value_type{1, 30}), true, "added first");
    NS_TEST_EXPECT_MSG_EQ((due.items[3] == Items::value_type{4, 30}), true, "at once");
}

/// Two senders of a group end in the order of their bytes, and have the rate to themselves then.
FABRIC_TEST(g_fluidQueues, "Senders that are alike")
{
    DueItems left;
    FluidSenders senders({1}, 1, MakeCallback(&DueItems::Note, &left));
    const uint32_t group = senders.AddGroup({{0, 1}});
    senders.Send(1, group, 300, 0);
    senders.Send(2, group, 100, 0);
    ScheduleFunction(PicoSeconds(300), [&senders] { senders.Reserve(0, 0.5); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((left.items == Items{{2, 200}, {1, 500}}),
                          true,
                          "100 at 1 / 2; 100 at 1 and 100 at 1 / 2");
}

/// An end that is put off, and put off less, comes when the bytes have been sent.
FABRIC_TEST(g_fluidQueues, "Ends that are put off")
{
    DueItems left;
    FluidSenders senders({1, 1}, 1, MakeCallback(&DueItems::Note, &left));
    senders.Send(1, senders.AddGroup({{0, 1}}), 300, 0);
    senders.Send(2, senders.AddGroup({{1, 1}}), 350, 0);
    ScheduleFunction(PicoSeconds(100), [&senders] { senders.Reserve(0, 0.5); });
    ScheduleFunction(PicoSeconds(200), [&senders] { senders.Reserve(0, -0.5); });
    ScheduleFunction(PicoSeconds(300), [&senders] { senders.Reserve(1, 0.5); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((left.items == Items{{1, 350}, {2, 400}}), true, "300 and 350 bytes");
}

/// A link gets slow at half time, a sender has more to send than it knew, and weights are doubled.
FABRIC_TEST(g_fluidQueues, "Senders whose links change")
{
    DueItems left;
    FluidSenders senders({1, 1, 1}, 1, MakeCallback(&DueItems::Note, &left));
    const uint32_t slow = senders.AddGroup({{0, 1}});
    const uint32_t extended = senders.AddGroup({{1, 1}});
    const uint32_t heavy = senders.AddGroup({{2, 1}});
    senders.Send(1, slow, 1000, 0);
    senders.Send(2, extended, 1000, 0);
    senders.Send(3, heavy, 1000, 0);
    ScheduleFunction(PicoSeconds(500), [&] {
        senders.SetCapacity(0, 0.5);
        NS_TEST_EXPECT_MSG_EQ_TOL(senders.GetRest(2, extended), 500, 1e-6, "half of it");
        NS_TEST_EXPECT_MSG_EQ(senders.Extend(2, extended, 100), true, "it is there");
        NS_TEST_EXPECT_MSG_EQ(senders.Extend(2, heavy, 100), false, "not there");
        senders.SetShares(heavy, {{2, 4}});
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((left.items == Items{{2, 1100}, {1, 1500}, {3, 2500}}),
                          true,
                          "500 + 600 / 1; 500 + 500 / 0.5; 500 + 500 / 0.25");
}

/// Where many groups change, the next rates are computed in the time of a packet. Who begins in an
/// empty group waits for them; who begins beside others has their rate at once.
FABRIC_TEST(g_fluidQueues, "Rates that are put off")
{
    constexpr uint32_t GROUPS = 5000;
    constexpr double PACKET = 1000; // bytes, in as many picoseconds
    DueItems left;
    FluidSenders senders({GROUPS}, PACKET, MakeCallback(&DueItems::Note, &left));
    for (uint32_t item = 0; item < GROUPS; ++item)
    {
        senders.Send(item, senders.AddGroup({{0, 1}}), item == 0 ? 100 : 1e6, 0);
    }
    ScheduleFunction(PicoSeconds(300), [&senders] {
        senders.Send(GROUPS, 0, 500, 0);
        senders.Send(GROUPS + 1, 1, 1000, 0);
    });
    Simulator::Stop(PicoSeconds(10000));
    Simulator::Run();
    const Items expected{{0, 100}, {GROUPS + 1, 1300}, {GROUPS, 1500}};
    NS_TEST_EXPECT_MSG_EQ((left.items == expected), true, "300 + 1000; 1000 + 500");
}

/// A rate that changes by less than the step of the stream goes no further, but its end does.
FABRIC_TEST_F(FluidQueuesTestCase, g_fluidQueues, "Steps of rates")
{
    Make(1);
    const std::vector<LinkShare> link = {{0, 1}};
    const FluidWay way{&link, 0, 10};
    const auto set = [this](uint32_t stream, const FluidWay& on, double rate) {
        queues->SetRate(stream, on, rate);
    };
    const FluidWay coarse{&link, 0, 10, 0.1};
    set(1, coarse, 0.5);
    set(2, way, 0.5);
    ScheduleFunction(PicoSeconds(100), [&] { set(3, way, 0.05); }); // 1 / 1.05 of both
    for (const uint32_t stream : {1, 2, 3})
    {
        ScheduleFunction(PicoSeconds(200), [&, stream] { set(stream, way, 0); });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((rates[1] == std::vector<double>{0.5, 0}),
                          true,
                          "5 % are less than 10 %");
    NS_TEST_EXPECT_MSG_EQ(rates[2].size(), 3, "but more than 0.1 %");
    NS_TEST_EXPECT_MSG_EQ(ends[1], 205, "the end comes when 5 bytes that waited have left");
}
