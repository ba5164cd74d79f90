/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pipeline-schedule.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Forward passes before the first backward one.  @param all how many there are
uint32_t
CountWarmUp(PipelineSchedule schedule,
            uint32_t stages,
            uint32_t stage,
            uint32_t all,
            uint32_t chunks)
{
    const uint32_t behind = stages - 1 - stage; // stages
    switch (schedule)
    {
    case PipelineSchedule::ONE_F_ONE_B:
        return std::min(behind, all);
    case PipelineSchedule::INTERLEAVED:
        // A round trip of the stages behind it, and of all chunks but one through all stages.
        return std::min(2 * behind + (chunks - 1) * stages, all);
    case PipelineSchedule::FORWARD:
    case PipelineSchedule::GPIPE:
        break;
    }
    return all;
}

/**
 * Chunks take turns, each with as many microbatches as there are stages, and backward passes begin
 * with the last chunk.
 *
 * @param number of the pass among those of its direction
 */
PipelineTask
TaskAt(bool isBackward, uint32_t number, uint32_t stages, uint32_t chunks)
{
    if (chunks == 1)
    {
        return {isBackward, number, 0};
    }
    const uint32_t round = number / (stages * chunks);
    const uint32_t chunk = number / stages % chunks;
    return {isBackward, round * stages + number % stages, isBackward ? chunks - 1 - chunk : chunk};
}

} // namespace

std::vector<PipelineTask>
ListPipelineTasks(PipelineSchedule schedule,
                  uint32_t stages,
                  uint32_t stage,
                  uint32_t microbatches,
                  uint32_t chunks)
{
    const uint32_t all = microbatches * chunks;
    const uint32_t warmUp = CountWarmUp(schedule, stages, stage, all, chunks);
    std::vector<PipelineTask> tasks;
    for (uint32_t i = 0; i < warmUp; ++i)
    {
        tasks.push_back(TaskAt(false, i, stages, chunks));
    }
    if (schedule == PipelineSchedule::FORWARD)
    {
        return tasks;
    }
    for (uint32_t i = warmUp; i < all; ++i)
    {
        tasks.push_back(TaskAt(false, i, stages, chunks));
        tasks.push_back(TaskAt(true, i - warmUp, stages, chunks));
    }
    for (uint32_t i = all - warmUp; i < all; ++i)
    {
        tasks.push_back(TaskAt(true, i, stages, chunks));
    }
    return tasks;
}

} // namespace aifabric
} // namespace ns3
