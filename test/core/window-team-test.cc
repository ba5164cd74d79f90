/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/window-team.h"

#include <chrono>
#include <ctime>
#include <thread>

namespace
{

using std::chrono::milliseconds;

/// @return the processor time of this thread, in seconds
double
GetProcessorTime()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace

TEST(WindowTeam, EachThreadDoesItsPartOfEachRoundOnce)
{
    constexpr uint32_t SIZE = 4;
    constexpr uint32_t ROUNDS = 2000;
    std::vector<uint32_t> done(SIZE);
    WindowTeam team(SIZE);
    for (uint32_t round = 1; round <= ROUNDS; ++round)
    {
        team.Run([&done](uint32_t worker) { ++done[worker]; });
        EXPECT_EQ(done, std::vector<uint32_t>(SIZE, round));
    }
}

TEST(WindowTeam, ThreadsThatSleepAreWoken)
{
    constexpr uint32_t SIZE = 3;
    std::vector<uint32_t> done(SIZE);
    WindowTeam team(SIZE);
    for (uint32_t round = 0; round < 4 * SIZE; ++round)
    {
        team.Run([&done, round](uint32_t worker) {
            if (worker == round % SIZE)
            {
                std::this_thread::sleep_for(milliseconds(5)); // longer than the others ask
            }
            ++done[worker];
        });
        EXPECT_EQ(done, std::vector<uint32_t>(SIZE, round + 1));
    }
    std::this_thread::sleep_for(milliseconds(5)); // those that sleep also end
}

TEST(WindowTeam, WhoWaitsForLongTakesNoProcessorTime)
{
    WindowTeam team(2);
    const double before = GetProcessorTime();
    team.Run([](uint32_t worker) {
        if (worker > 0)
        {
            std::this_thread::sleep_for(milliseconds(200));
        }
    });
    EXPECT_LT(GetProcessorTime() - before, 0.05);
}
