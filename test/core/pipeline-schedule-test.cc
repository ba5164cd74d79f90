/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/pipeline-schedule.h"

namespace
{

/// @return the tasks of a stage of four, such as "F0 F1 B0", with a prime a chunk
std::string
TaskText(PipelineSchedule schedule, uint32_t stage, uint32_t microbatches, uint32_t chunks = 1)
{
    std::string text;
    for (const auto& task : ListPipelineTasks(schedule, 4, stage, microbatches, chunks))
    {
        text += (text.empty() ? "" : " ") + std::string(task.isBackward ? "B" : "F") +
                std::to_string(task.microbatch) + std::string(task.chunk, '\'');
    }
    return text;
}

} // namespace

TEST(PipelineSchedule, ForwardAndGpipe)
{
    EXPECT_EQ(TaskText(PipelineSchedule::FORWARD, 2, 3), "F0 F1 F2");
    EXPECT_EQ(TaskText(PipelineSchedule::GPIPE, 2, 3), "F0 F1 F2 B0 B1 B2");
}

/// Figure 4 of Narayanan et al., SC 2021, upper half.
TEST(PipelineSchedule, OneForwardOneBackward)
{
    EXPECT_EQ(TaskText(PipelineSchedule::ONE_F_ONE_B, 0, 6), "F0 F1 F2 F3 B0 F4 B1 F5 B2 B3 B4 B5");
    EXPECT_EQ(TaskText(PipelineSchedule::ONE_F_ONE_B, 3, 4), "F0 B0 F1 B1 F2 B2 F3 B3");
    EXPECT_EQ(TaskText(PipelineSchedule::ONE_F_ONE_B, 0, 2), "F0 F1 B0 B1");
}

/// Its lower half: the first device begins with 1 2 3 4 1' 2' 3' 4' 5 6, then 7 and 1' backward.
TEST(PipelineSchedule, Interleaved)
{
    EXPECT_EQ(TaskText(PipelineSchedule::INTERLEAVED, 0, 8, 2),
              "F0 F1 F2 F3 F0' F1' F2' F3' F4 F5 F6 B0' F7 B1' F4' B2' F5' B3' F6' B0 F7' B1 "
              "B2 B3 B4' B5' B6' B7' B4 B5 B6 B7");
    EXPECT_EQ(TaskText(PipelineSchedule::INTERLEAVED, 3, 4, 2),
              "F0 F1 F2 F3 F0' B0' F1' B1' F2' B2' F3' B3' B0 B1 B2 B3");
}

/// Each microbatch passes each chunk once in each direction, in order, and forward before backward.
TEST(PipelineSchedule, EveryPassOnce)
{
    for (const auto schedule :
         {PipelineSchedule::GPIPE, PipelineSchedule::ONE_F_ONE_B, PipelineSchedule::INTERLEAVED})
    {
        const uint32_t most = schedule == PipelineSchedule::INTERLEAVED ? 3 : 1;
        for (uint32_t stages = 2; stages <= 5; ++stages)
        {
            for (uint32_t stage = 0; stage < stages; ++stage)
            {
                for (uint32_t rounds = 1; rounds <= 3; ++rounds)
                {
                    const uint32_t microbatches = rounds * stages;
                    std::map<std::pair<bool, uint32_t>, uint32_t> next;
                    for (const auto& task :
                         ListPipelineTasks(schedule, stages, stage, microbatches, most))
                    {
                        const auto number = next[{task.isBackward, task.chunk}]++;
                        EXPECT_EQ(task.microbatch, number);
                        const uint32_t forward = next[{false, task.chunk}];
                        EXPECT_TRUE(!task.isBackward || number < forward);
                    }
                    EXPECT_EQ(next.size(), 2 * most);
                    for (const auto& [what, count] : next)
                    {
                        EXPECT_EQ(count, microbatches);
                    }
                }
            }
        }
    }
}
