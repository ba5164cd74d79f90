/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARALLEL_PLAN_H
#define PARALLEL_PLAN_H

#include "parallel-layout.h"
#include "pipeline-schedule.h"

#include "ns3/part-sizes.h"
#include "ns3/training-workload.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Unequal parts of what goes to experts.
struct ExpertParts
{
    std::shared_ptr<const PartSizes> dispatch; //!< on their way to the experts
    std::shared_ptr<const PartSizes> combine;  //!< on their way back
};

/**
 * @ingroup ai-fabric
 *
 * A transformer's layer, as one host passes a microbatch through it: two blocks, attention and MLP,
 * each with half of the time, and with experts instead of the MLP if expertBytes is not 0.
 */
struct ModelLayer
{
    std::string name;           //!< for results
    int64_t forwardPs{0};       //!< computation of the forward pass, in picoseconds
    int64_t backwardPs{0};      //!< computation of the backward pass, in picoseconds
    uint64_t tensorBytes{0};    //!< activations that tensor parallel ranks sum up after a block
    uint64_t expertBytes{0};    //!< of a rank for all experts: once there, once back
    uint64_t parameterBytes{0}; //!< gradients of a rank, but of experts
    uint64_t expertParameterBytes{0}; //!< gradients of a rank's experts
    /// Unequal parts of expertBytes. None: all are alike; one: always these; else drawn ones, by
    /// microbatch, and of each by group of expert parallel ranks.
    std::vector<ExpertParts> tokens;
};

/**
 * @ingroup ai-fabric
 *
 * The training of a model by hosts that divide it in several dimensions.
 *
 * Each block of a layer ends, forward and backward, with an all-reduce of its tensorBytes; so a
 * layer has four, as in Narayanan et al., SC 2021, section 3.2: 8 b s h (t - 1) / t values a
 * microbatch and host. With isSequenceParallel, a block begins with an all-gather and ends with a
 * reduce-scatter instead (Korthikanti et al., MLSys 2023; without their second all-gather of the
 * backward pass, which they hide).
 *
 * Activations go to the next stage, and their gradients back, while the sender computes on. In the
 * backward pass of the last microbatch the gradients of a layer are sent as soon as they are there,
 * one layer after the other, while the next layer computes: over EXPERT_DATA those of experts, over
 * DATA all others (in one row, if each rank has all experts). The optimizer waits for all.
 */
struct ParallelPlan
{
    std::string where;                                        //!< place in the text, for messages
    ParallelLayout layout;                                    //!< which host has which part
    PipelineSchedule schedule{PipelineSchedule::ONE_F_ONE_B}; //!< in which order
    uint32_t chunks{1};                                       //!< of layers, of a stage
    uint32_t microbatches{1};                                 //!< of an iteration, each pipeline's
    bool isSequenceParallel{false};                           //!< as above
    /// Whether each data parallel rank has a part of the optimizer's state (ZeRO-1, Rajbhandari et
    /// al., SC 2020): a reduce-scatter of gradients, and an all-gather of parameters after the
    /// optimizer, or else an all-reduce.
    bool isOptimizerSharded{false};
    bool barrier{false};            //!< as TrainingWorkload::barrier
    std::vector<ModelLayer> layers; //!< in order; their number is a multiple of stages and chunks
    uint64_t activationBytes{0};    //!< of a host and microbatch, between two stages
    int64_t optimizerPs{0};         //!< of the optimizer, in picoseconds
};

/**
 * Write out what each host does.
 *
 * @param hosts number of hosts of the fabric; those that the layout leaves do nothing
 * @return the workload, checked; communicator 0 is of all hosts, the others are groups of more than
 * one host, such as "tp 0"
 * @throws std::invalid_argument with one line that says what is wrong
 */
TrainingWorkload MakeWorkload(const ParallelPlan& plan, uint32_t hosts);

} // namespace aifabric
} // namespace ns3

#endif /* PARALLEL_PLAN_H */
