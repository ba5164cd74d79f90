/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/hop-latencies.h"
#include "ns3/queue-peaks.h"
#include "ns3/reachability.h"

namespace
{

/// @return marks of two queues and a buffer
QueuePeaks
MakePeaks(uint64_t bytes)
{
    QueuePeaks peaks;
    peaks.queues.push_back({0, 7, bytes, 2});
    peaks.queues.push_back({0, 8, bytes / 2, 1});
    peaks.buffers.push_back({3, QueuePeaks::NONE, 1000, bytes, 2});
    return peaks;
}

/// @return latencies of two switches  @param first of a frame in the first one
HopLatencies
MakeHops(int64_t first)
{
    HopLatencies hops;
    hops.switches.resize(2);
    hops.switches[0].Add(first);
    return hops;
}

/// @return results of two racks
Reachability
MakeResults(uint64_t factor)
{
    Reachability results;
    results.racks = {0, 4};
    results.pairs.resize(4);
    results.pairs[1].sent = 5 * factor;
    results.pairs[1].lost = 2 * factor;
    results.pairs[1].alerts = factor;
    for (uint64_t i = 0; i < factor; ++i)
    {
        results.pairs[2].roundTrips.Add(1000);
    }
    return results;
}

} // namespace

TEST(TelemetryMerge, TheHigherMarkIsKeptAndEventsAreAdded)
{
    QueuePeaks peaks = MakePeaks(500);
    peaks.Merge(QueuePeaks::Read(MakePeaks(800).Write()));
    EXPECT_EQ(peaks.queues[0].maxBytes, 800U);
    EXPECT_EQ(peaks.queues[1].maxBytes, 400U);
    EXPECT_EQ(peaks.buffers[0].maxBytes, 800U);
    EXPECT_EQ(peaks.buffers[0].passes, 4U);
    EXPECT_EQ(peaks.buffers[0].size, 1000U);
}

TEST(TelemetryMerge, LatenciesAreAddedSwitchBySwitch)
{
    HopLatencies hops = MakeHops(100);
    hops.Merge(HopLatencies::Read(MakeHops(300).Write()));
    EXPECT_EQ(hops.switches[0].GetCount(), 2U);
    EXPECT_EQ(hops.switches[0].GetMean(), 200);
    EXPECT_EQ(hops.switches[1].GetCount(), 0U);
}

TEST(TelemetryMerge, ProbesAreAddedPairByPair)
{
    Reachability results = MakeResults(1);
    results.Merge(Reachability::Read(MakeResults(2).Write()));
    EXPECT_EQ(results.Write(), MakeResults(3).Write());
    EXPECT_EQ(results.Sum().sent, 15U);
    EXPECT_EQ(results.Sum().roundTrips.GetCount(), 3U);
}

TEST(TelemetryMerge, OtherFabricsAreNotMerged)
{
    QueuePeaks peaks = MakePeaks(1);
    peaks.buffers.clear();
    EXPECT_NE(FindMergeFault(MakePeaks(1), peaks), "");
    HopLatencies hops = MakeHops(1);
    hops.switches.pop_back();
    EXPECT_NE(FindMergeFault(MakeHops(1), hops), "");
    Reachability results = MakeResults(1);
    results.racks[1] = 5;
    EXPECT_NE(FindMergeFault(MakeResults(1), results), "");
}

TEST(TelemetryMerge, DamagedBytesAreRefused)
{
    const std::string bytes = MakeResults(2).Write();
    EXPECT_THROW(Reachability::Read(bytes.substr(0, bytes.size() - 1)), std::invalid_argument);
    EXPECT_THROW(HopLatencies::Read(bytes), std::invalid_argument);
    EXPECT_THROW(QueuePeaks::Read(bytes), std::invalid_argument);
}
