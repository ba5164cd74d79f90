/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/longest-tail-first.h"

namespace
{

/// @return the bound by all sets of jobs, one by one
double
BoundOfSets(const std::vector<PortWork>& jobs)
{
    double bound = 0;
    for (uint32_t set = 1; set < 1U << jobs.size(); ++set)
    {
        double release = 1e18;
        double tail = 1e18;
        double work = 0;
        for (uint32_t i = 0; i < jobs.size(); ++i)
        {
            if (set >> i & 1)
            {
                release = std::min(release, jobs[i].release);
                tail = std::min(tail, jobs[i].tail);
                work += jobs[i].work;
            }
        }
        bound = std::max(bound, release + work + tail);
    }
    return bound;
}

} // namespace

TEST(LongestTailFirst, IsTheBestOfAllSets)
{
    std::mt19937 random(1);
    auto draw = [&random](double most) { return std::floor(random() % 1000 * most / 1000); };
    for (int run = 0; run < 300; ++run)
    {
        std::vector<PortWork> jobs(1 + random() % 8);
        for (PortWork& job : jobs)
        {
            job = {draw(100), 1 + draw(30), draw(100), 1};
        }
        EXPECT_EQ(LongestTailFirst(jobs), BoundOfSets(jobs)) << "run " << run;
    }
}

TEST(LongestTailFirst, JobsOfOneReleaseAndTailAreOne)
{
    std::vector<PortWork> jobs;
    AddShared(jobs, {5, 41, 7, 3}, 4);
    AddShared(jobs, {5, 9, 7, 2}, 4);
    AddShared(jobs, {6, 9, 7, 2}, 4);
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_EQ(jobs[0].work, 10 + 2) << "each rounded down";
    EXPECT_EQ(jobs[0].least, 2);
}
