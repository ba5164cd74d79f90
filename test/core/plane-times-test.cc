/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/plane-times.h"

namespace
{

constexpr int64_t BASE = 1000; //!< round-trip time of the empty fabric
constexpr int64_t SLACK = 700; //!< for reordering

/// @return times with VariationFactor 4 and two planes
PlaneTimes
MakeTimes()
{
    PlaneTimes times;
    times.SetVariationFactor(4);
    times.Start(BASE, SLACK);
    times.AddPlane(1);
    return times;
}

} // namespace

TEST(PlaneTimes, SmoothsAsRfc6298Does)
{
    PlaneTimes times = MakeTimes();
    EXPECT_EQ(times.GetSmoothed(0), BASE);
    times.AddSample(0, 1400); // replaces the time of the fabric
    EXPECT_EQ(times.GetSmoothed(0), 1400);
    EXPECT_EQ(times.GetPatience(0), 1400 + SLACK + 4 * 400);
    times.AddSample(0, 2200);
    EXPECT_EQ(times.GetSmoothed(0), 1400 + 800 / 8);
    EXPECT_EQ(times.GetPatience(0), 1500 + SLACK + 4 * (400 + (800 - 400) / 4));
    EXPECT_EQ(times.GetSmoothed(1), BASE);
    EXPECT_EQ(times.GetSmoothed(7), BASE) << "no packet was sent there";
}

TEST(PlaneTimes, APlaneWithoutSamplesWaitsForTheSlowest)
{
    PlaneTimes times = MakeTimes();
    times.AddSample(0, 5000);
    const int64_t slowest = 5000 + SLACK + 4 * 4000;
    EXPECT_EQ(times.GetLongestPatience(), slowest);
    EXPECT_FALSE(times.IsSampled(1)) << "so MrcRecovery waits longer";
    EXPECT_EQ(times.GetSlowness(), 5000 - BASE);
    EXPECT_EQ(times.GetShortestPatience(), BASE + SLACK) << "packets that are to be looked at";
    EXPECT_EQ(times.GetSackPatience(), 5000 + 4 * 4000) << "without the slack";
}

TEST(PlaneTimes, TheSlackFollowsFalseLosses)
{
    PlaneTimes times = MakeTimes();
    times.AddSample(0, BASE);
    times.LengthenSlack(0, BASE + 300);
    EXPECT_EQ(times.GetPatience(0), BASE + SLACK) << "it was long enough";
    times.LengthenSlack(0, BASE + 3100);
    EXPECT_EQ(times.GetPatience(0), BASE + 3100);
    times.ShortenSlack();
    EXPECT_EQ(times.GetPatience(0), BASE + 3100 - (3100 - SLACK) / 8);
    for (int i = 0; i < 100; ++i)
    {
        times.ShortenSlack();
    }
    EXPECT_NEAR(times.GetPatience(0), BASE + SLACK, 8);
    EXPECT_GE(times.GetPatience(0), BASE + SLACK);
}

TEST(PlaneTimes, WithoutAnyTimeNothingIsLate)
{
    PlaneTimes times;
    times.Start(0, 0);
    times.AddPlane(0);
    EXPECT_EQ(times.GetLongestPatience(), PlaneTimes::FAR / 2);
    EXPECT_EQ(times.GetLeast(), PlaneTimes::FAR);
    times.NoteLeast(50);
    times.NoteLeast(60);
    EXPECT_EQ(times.GetLeast(), 50);
}

TEST(PlaneTimes, KindsOfTransmissionsAreApart)
{
    PlaneTimes times = MakeTimes();
    times.NoteArrival(1, false, 30);
    times.NoteArrival(1, false, 20);
    EXPECT_EQ(times.GetLatest(1, false), 30);
    EXPECT_EQ(times.GetLatest(1, true), -PlaneTimes::FAR);
    EXPECT_EQ(times.GetLatest(0, false), -PlaneTimes::FAR);
}
