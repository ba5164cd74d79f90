/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIPELINE_SCHEDULE_H
#define PIPELINE_SCHEDULE_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * In which order a stage of a pipeline passes its microbatches through its layers. With m
 * microbatches, p stages and times f and b of the forward and backward pass of a stage, an
 * iteration without communication takes (m + p - 1)(f + b), INTERLEAVED with v chunks
 * m (f + b) + (p - 1)(f + b) / v, and FORWARD (m + p - 1) f.
 *
 * Narayanan et al., SC 2021 (arXiv 2104.04473), section 2.2 and figures 3 and 4.
 */
enum class PipelineSchedule : uint8_t
{
    FORWARD,     //!< forward passes alone, as inference has
    GPIPE,       //!< all forward passes, then all backward ones (Huang et al., NeurIPS 2019)
    ONE_F_ONE_B, //!< 1F1B: a backward pass as soon as there is one (PipeDream-Flush)
    INTERLEAVED, //!< 1F1B, where a stage has several chunks of layers that do not follow each other
};

/// A microbatch passes through the layers of a chunk.
struct PipelineTask
{
    bool isBackward{false}; //!< backward, or else forward
    uint32_t microbatch{0}; //!< which microbatch
    uint32_t chunk{0};      //!< which chunk of the stage
};

/**
 * @param stages number of stages
 * @param stage which of them
 * @param microbatches their number; of INTERLEAVED a multiple of the stages
 * @param chunks of a stage; 1 but of INTERLEAVED
 * @return what the stage does, in order; each chunk has its microbatches in order
 */
std::vector<PipelineTask> ListPipelineTasks(PipelineSchedule schedule,
                                            uint32_t stages,
                                            uint32_t stage,
                                            uint32_t microbatches,
                                            uint32_t chunks);

} // namespace aifabric
} // namespace ns3

#endif /* PIPELINE_SCHEDULE_H */
