/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/enum.h"
#include "ns3/frame-loss.h"
#include "ns3/integer.h"
#include "ns3/link-fault.h"

#include <limits>

static Suite g_linkFlap("ai-fabric-link-flap", TestSuite::Type::SYSTEM);

namespace
{

constexpr int64_t MICROSECOND = 1000000;      //!< in picoseconds
constexpr uint16_t FRAME_BYTES = 1000;        //!< size of test frames on the wire
constexpr int64_t SENDING = 10 * FRAME_BYTES; //!< how long one takes at 800 Gb/s, in picoseconds
constexpr int64_t DELAY = 500000;             //!< of a cable, in picoseconds
constexpr int64_t SPACING = 100000;           //!< between two test frames, in picoseconds

/// When a fault happens. Times are in picoseconds.
struct Schedule
{
    int64_t start;  //!< when it begins
    int64_t stop;   //!< when it ends for good; 0: never
    int64_t period; //!< from one begin to the next; 0: it does not flap
    double duty;    //!< part of the period for which it lasts
    uint64_t count; //!< periods; 0: until it ends
};

/// From when until when something lasts, in picoseconds.
using Intervals = std::vector<std::pair<int64_t, int64_t>>;

/// @return when a fault that flaps lasts
Intervals
IntervalsOf(const Schedule& schedule)
{
    Intervals intervals;
    const int64_t lasting = std::llround(schedule.period * schedule.duty);
    const int64_t stop = schedule.stop > 0 ? schedule.stop : std::numeric_limits<int64_t>::max();
    int64_t begin = schedule.start;
    for (uint64_t i = 0; (schedule.count == 0 || i < schedule.count) && begin < stop; ++i)
    {
        intervals.emplace_back(begin, std::min(begin + lasting, stop));
        begin += schedule.period;
    }
    return intervals;
}

FailureHelper
Fault(const Schedule& schedule)
{
    FailureHelper helper;
    helper.SetAttribute("Start", TimeValue(PicoSeconds(schedule.start)));
    helper.SetAttribute("Stop", TimeValue(PicoSeconds(schedule.stop)));
    helper.SetAttribute("Period", TimeValue(PicoSeconds(schedule.period)));
    helper.SetAttribute("Duty", DoubleValue(schedule.duty));
    helper.SetAttribute("Count", UintegerValue(schedule.count));
    return helper;
}

/// @return intervals that overlap put together, ascending
Intervals
Unite(Intervals intervals)
{
    std::sort(intervals.begin(), intervals.end());
    Intervals united;
    for (const auto& [begin, end] : intervals)
    {
        if (united.empty() || begin > united.back().second)
        {
            united.emplace_back(begin, end);
        }
        united.back().second = std::max(united.back().second, end);
    }
    return united;
}

/// @return the sum of the lengths of intervals
int64_t
LengthOf(const Intervals& intervals)
{
    int64_t length = 0;
    for (const auto& [begin, end] : intervals)
    {
        length += end - begin;
    }
    return length;
}

/// Put test frames in the queue of a host, one each SPACING.
/// @param payload of each second one, in bytes
void
SendFrames(const Ptr<Fabric>& fabric, uint32_t frames, uint16_t payload)
{
    for (uint32_t i = 0; i < frames; ++i)
    {
        ScheduleFunction(PicoSeconds(i * SPACING), [=] {
            Ptr<FabricFrame> frame = MakeFrame(*fabric, 0, 1, i % 4, FRAME_BYTES);
            frame->payload = i % 2 * payload;
            SendFrame(*fabric, frame);
        });
    }
}

} // namespace

/// Cables that flap are down when they should be, and lose the frames that are sent or in flight
/// then, and no others.
struct LinkFlapTestCase : FabricTestCase
{
    static constexpr uint32_t FRAMES = 2000; //!< of a case

    /// @return a schedule that is over when all frames are sent
    static Schedule DrawSchedule(std::mt19937& random)
    {
        const auto draw = [&random](int64_t least, int64_t most) {
            return std::uniform_int_distribution<int64_t>(least, most)(random);
        };
        Schedule schedule{};
        schedule.start = draw(1, 50 * MICROSECOND);
        schedule.period = draw(1000, 20 * MICROSECOND);
        schedule.duty = static_cast<double>(draw(10, 990)) / 1000;
        schedule.count = draw(0, 6);
        schedule.stop = schedule.count == 0 || draw(0, 2) == 0
                            ? schedule.start + draw(1, 100 * MICROSECOND)
                            : 0;
        return schedule;
    }

    /// @return when the cable was down, after comparison with what should be
    Intervals Check(const std::vector<Schedule>& schedules)
    {
        Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
        Intervals down;
        Trace(*fabric->GetChannel(0), "LinkState", [&down](bool up) {
            const int64_t now = FabricClock::Now();
            if (!up)
            {
                down.emplace_back(now, now);
            }
            down.back().second = now;
        });
        Intervals expected;
        uint64_t begins = 0;
        for (const Schedule& schedule : schedules)
        {
            FailureHelper helper = Fault(schedule);
            helper.SetAttribute("Down", BooleanValue(true));
            Trace(*helper.Install(*fabric, 0), "Begin", [&begins](Ptr<const LinkFault>) {
                ++begins;
            });
            const Intervals more = IntervalsOf(schedule);
            expected.insert(expected.end(), more.begin(), more.end());
        }
        uint64_t received = 0;
        Trace(*fabric->GetChannel(0)->GetPort(1), "Receive", [&received](Ptr<const FabricFrame>) {
            ++received;
        });
        SendFrames(fabric, FRAMES, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(begins, expected.size(), "begins");
        expected = Unite(expected);
        NS_TEST_EXPECT_MSG_EQ((down == expected), true, "down " << LengthOf(down) << " ps");
        const auto& counters = fabric->GetNic(0)->GetPort(0)->GetTransmitter().GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.sentFrames, FRAMES, "all frames are sent");
        NS_TEST_EXPECT_MSG_EQ(counters.lostFrames, CountLost(expected), "lost");
        NS_TEST_EXPECT_MSG_EQ(received + counters.lostFrames, FRAMES, "conservation");
        Simulator::Destroy();
        return down;
    }

    /// @return how many of the frames are lost  @param down when the cable is down
    static uint64_t CountLost(const Intervals& down)
    {
        uint64_t lost = 0;
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            const int64_t sent = i * SPACING;
            lost += std::any_of(down.begin(), down.end(), [sent](const auto& interval) {
                return sent < interval.second && sent + SENDING + DELAY >= interval.first;
            });
        }
        return lost;
    }
};

FABRIC_TEST_F(LinkFlapTestCase, g_linkFlap, "Cables that flap")
{
    constexpr int CASES = 60;
    const int64_t start = 20 * MICROSECOND + 3333;
    // down for 30 % of each 10 us, 5 times
    const Intervals down = Check({{start, 0, 10 * MICROSECOND, 0.3, 5}});
    NS_TEST_EXPECT_MSG_EQ(down.size(), 5, "flaps");
    NS_TEST_EXPECT_MSG_EQ(LengthOf(down), 15 * MICROSECOND, "count * period * duty");
    // the end cuts the third flap short
    const int64_t stop = start + 21 * MICROSECOND;
    NS_TEST_EXPECT_MSG_EQ(LengthOf(Check({{start, stop, 10 * MICROSECOND, 0.3, 0}})),
                          7 * MICROSECOND,
                          "until the end");
    NS_TEST_EXPECT_MSG_EQ(LengthOf(Check({{start, stop, 10 * MICROSECOND, 0.3, 2}})),
                          6 * MICROSECOND,
                          "the count comes first");
    std::mt19937 random(1);
    for (int i = 0; i < CASES; ++i)
    {
        std::vector<Schedule> schedules(1 + random() % 3);
        for (Schedule& schedule : schedules)
        {
            schedule = DrawSchedule(random);
        }
        Check(schedules);
    }
}

/// Losses in bursts have the share and the mean length that were asked for.
struct LossBurstTestCase : FabricTestCase
{
    /// @param probability the share that is lost
    void Check(double probability, double burst)
    {
        constexpr uint32_t FRAMES = 1000000;
        constexpr double TOLERANCE = 0.05; // of bursts of 20 there are 500: 4 sigma are 18 %
        Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
        const Ptr<FabricFrame> frame = MakeFrame(*fabric, 0, 1, 3, FRAME_BYTES);
        const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        FrameLoss loss(probability, burst, FrameLoss::ALL, FrameLoss::ANY_DSCP);
        double lost = 0;
        double bursts = 0;
        bool before = false;
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            const bool isLost = loss.Loses(*frame, *random);
            lost += isLost;
            bursts += isLost && !before;
            before = isLost;
        }
        const double mean = burst > 0 ? burst : 1 / (1 - probability);
        const double tolerance = mean > 2 ? 4 * TOLERANCE : TOLERANCE;
        NS_TEST_EXPECT_MSG_EQ_TOL(lost / FRAMES, probability, tolerance * probability, "share");
        NS_TEST_EXPECT_MSG_EQ_TOL(lost / bursts, mean, tolerance * mean, "length");
    }
};

FABRIC_TEST_F(LossBurstTestCase, g_linkFlap, "Losses in bursts")
{
    Check(0.01, 20);
    Check(0.3, 2);
    Check(0.5, 1); // isolated losses, every other frame
    Check(0.2, 0); // independent losses, whose bursts have a mean of 1 / (1 - P)
    NS_TEST_EXPECT_MSG_EQ(FrameLoss::GetMostProbability(1), 0.5, "isolated losses");
}

/// A fault that loses some frames loses no others, whether alone or beside other faults.
struct LossKindTestCase : FabricTestCase
{
    /// How many frames are lost: those with payload and the others.
    using Lost = std::pair<uint64_t, uint64_t>;

    void Check(const std::vector<std::pair<FrameLoss::Kind, int>>& faults, const Lost& expected)
    {
        constexpr uint32_t FRAMES = 2000;
        Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
        for (const auto& [kind, dscp] : faults)
        {
            FailureHelper helper = Fault({1, 0, 0, 0.5, 0});
            helper.SetAttribute("LossProbability", DoubleValue(1));
            helper.SetAttribute("LossFrames", EnumValue(kind));
            helper.SetAttribute("LossDscp", IntegerValue(dscp));
            helper.Install(*fabric, 0);
        }
        Lost lost;
        Trace(*fabric->GetNic(0)->GetPort(0), "Loss", [&lost](Ptr<const FabricFrame> frame, Time) {
            ++(frame->payload > 0 ? lost.first : lost.second);
        });
        SendFrames(fabric, FRAMES, FRAME_BYTES / 2);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(lost.first, expected.first, "with payload");
        NS_TEST_EXPECT_MSG_EQ(lost.second, expected.second, "without");
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(LossKindTestCase, g_linkFlap, "Losses of some frames")
{
    // Each second frame has payload: those with the DSCPs 8 and 24. The others have 0 and 16.
    Check({{FrameLoss::ALL, -1}}, {1000, 1000});
    Check({{FrameLoss::DATA, -1}}, {1000, 0});
    Check({{FrameLoss::CONTROL, -1}}, {0, 1000});
    Check({{FrameLoss::ALL, 16}}, {0, 500});
    Check({{FrameLoss::ALL, 24}}, {500, 0});
    Check({{FrameLoss::CONTROL, 24}}, {0, 0});
    Check({{FrameLoss::ALL, 17}}, {0, 0});
    Check({{FrameLoss::ALL, 16}, {FrameLoss::DATA, 8}}, {500, 500});
}

FABRIC_TEST(g_linkFlap, "What is data, and what is not")
{
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    const Ptr<FabricFrame> frame = MakeFrame(*fabric, 0, 1, 3, FRAME_BYTES);
    const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    const auto isControl = [&] {
        return FrameLoss(1, 0, FrameLoss::CONTROL, FrameLoss::ANY_DSCP).Loses(*frame, *random);
    };
    frame->payload = 1;
    NS_TEST_EXPECT_MSG_EQ(isControl(), false, "a packet with payload");
    frame->flags = FRAME_TRIMMED;
    NS_TEST_EXPECT_MSG_EQ(isControl(), true, "a trimmed packet");
    frame->flags = 0;
    frame->kind = FrameKind::IP;
    NS_TEST_EXPECT_MSG_EQ(isControl(), false, "a packet of another protocol");
    for (const FrameKind kind : {FrameKind::PAUSE, FrameKind::PFC})
    {
        frame->kind = kind;
        NS_TEST_EXPECT_MSG_EQ(isControl(), true, "flow control of links");
        NS_TEST_EXPECT_MSG_EQ(FrameLoss(1, 0, FrameLoss::ALL, 24).Loses(*frame, *random),
                              false,
                              "has no DSCP");
    }
}
