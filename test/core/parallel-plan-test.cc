/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/parallel-plan.h"

namespace
{

using Kind = WorkloadNode::Kind;

constexpr int64_t FORWARD_PS = 1000;  // of a layer
constexpr int64_t BACKWARD_PS = 2200; // of a layer
constexpr uint64_t MIB = 1 << 20;

/// @return a plan of layers with computation alone
ParallelPlan
MakePlan(const ParallelLayout::Sizes& sizes, uint32_t layers)
{
    ParallelPlan plan;
    plan.layout = ParallelLayout(sizes, ParallelLayout::USUAL_ORDER);
    ModelLayer layer;
    layer.name = "layer";
    layer.forwardPs = FORWARD_PS;
    layer.backwardPs = BACKWARD_PS;
    plan.layers.assign(layers, layer);
    return plan;
}

/// When nodes end if communication takes no time.
class Clock
{
  public:
    explicit Clock(const TrainingWorkload& workload)
        : m_workload(workload)
    {
        for (uint32_t host = 0; host < workload.programOf.size(); ++host)
        {
            const WorkloadProgram& program = workload.programs[workload.programOf[host]];
            m_ends.emplace_back(program.size(), -1);
            for (uint32_t i = 0; i < program.size(); ++i)
            {
                if (program[i].kind == Kind::SEND)
                {
                    m_sends[{host, program[i].peer, program[i].tag}] = i;
                }
            }
        }
    }

    /// @return when the last node ends, in ps
    int64_t End()
    {
        int64_t end = 0;
        for (uint32_t host = 0; host < m_ends.size(); ++host)
        {
            for (uint32_t i = 0; i < m_ends[host].size(); ++i)
            {
                end = std::max(end, EndOf(host, i));
            }
        }
        return end;
    }

  private:
    /// @return when a node ends, in ps
    int64_t EndOf(uint32_t host, uint32_t index)
    {
        int64_t& end = m_ends[host][index];
        if (end >= 0)
        {
            return end;
        }
        const WorkloadNode& node = m_workload.programs[m_workload.programOf[host]][index];
        int64_t begin = 0;
        for (const uint32_t other : node.dependencies)
        {
            begin = std::max(begin, EndOf(host, other));
        }
        if (node.kind == Kind::RECEIVE)
        {
            begin = std::max(begin, EndOf(node.peer, m_sends.at({node.peer, host, node.tag})));
        }
        end = begin + (node.kind == Kind::COMPUTE ? node.durationPs : 0);
        return end;
    }

    const TrainingWorkload& m_workload;                                   //!< the workload
    std::vector<std::vector<int64_t>> m_ends;                             //!< by host and node
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> m_sends; //!< by ends and tag
};

/// @return the bytes of what hosts do, of all hosts, by name
std::map<std::string, uint64_t>
BytesByName(const TrainingWorkload& workload)
{
    std::map<std::string, uint64_t> bytes;
    for (const uint32_t program : workload.programOf)
    {
        for (const WorkloadNode& node : workload.programs[program])
        {
            if (node.kind != Kind::COMPUTE && node.kind != Kind::RECEIVE)
            {
                bytes[node.name] += node.bytes;
            }
        }
    }
    return bytes;
}

/// @return the nodes of a name  @param program whose nodes
std::vector<uint32_t>
Find(const WorkloadProgram& program, const std::string& name)
{
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < program.size(); ++i)
    {
        if (program[i].name == name)
        {
            found.push_back(i);
        }
    }
    return found;
}

} // namespace

/// Without communication, GPipe and 1F1B take (m + p - 1)(f + b) (Narayanan et al., SC 2021,
/// section 2.2), and so do the optimizers after it.
TEST(ParallelPlan, PipelinesTakeTheirTime)
{
    for (const auto schedule : {PipelineSchedule::GPIPE, PipelineSchedule::ONE_F_ONE_B})
    {
        for (uint32_t stages = 1; stages <= 6; ++stages)
        {
            for (uint32_t microbatches = 1; microbatches <= 9; ++microbatches)
            {
                ParallelPlan plan = MakePlan({1, stages, 1, 1}, 2 * stages);
                plan.schedule = schedule;
                plan.microbatches = microbatches;
                plan.optimizerPs = 77;
                const TrainingWorkload workload = MakeWorkload(plan, stages);
                EXPECT_EQ(Clock(workload).End(),
                          (microbatches + stages - 1) * 2 * (FORWARD_PS + BACKWARD_PS) + 77);
            }
        }
    }
}

/// Interleaved, the stages wait for 1 / v of that: m (f + b) + (p - 1)(f + b) / v.
TEST(ParallelPlan, InterleavedPipelinesWaitLess)
{
    for (uint32_t stages = 2; stages <= 5; ++stages)
    {
        for (uint32_t chunks = 2; chunks <= 4; ++chunks)
        {
            for (uint32_t rounds = 1; rounds <= 3; ++rounds)
            {
                ParallelPlan plan = MakePlan({1, stages, 1, 1}, stages * chunks);
                plan.schedule = PipelineSchedule::INTERLEAVED;
                plan.chunks = chunks;
                plan.microbatches = rounds * stages;
                const TrainingWorkload workload = MakeWorkload(plan, stages);
                EXPECT_EQ(Clock(workload).End(),
                          (plan.microbatches * chunks + stages - 1) * (FORWARD_PS + BACKWARD_PS))
                    << stages << " " << chunks << " " << rounds;
            }
        }
    }
}

/// Inference has forward passes alone, and no optimizer.
TEST(ParallelPlan, ForwardPassesAlone)
{
    ParallelPlan plan = MakePlan({1, 4, 1, 1}, 4);
    plan.schedule = PipelineSchedule::FORWARD;
    plan.microbatches = 8;
    plan.optimizerPs = 77;
    plan.activationBytes = MIB;
    const TrainingWorkload workload = MakeWorkload(plan, 4);
    EXPECT_EQ(Clock(workload).End(), 11 * FORWARD_PS);
    EXPECT_EQ(BytesByName(workload), (std::map<std::string, uint64_t>{{"activations", 24 * MIB}}));
}

/// Sums over all hosts. Of tensors: 4 a layer, microbatch and host, all-gathers and reduce-scatters
/// two each; of experts: 4; of activations: 2 a boundary; of gradients: 1 a layer.
TEST(ParallelPlan, DimensionsSendTheirBytes)
{
    constexpr uint64_t BATCHES = 6;
    constexpr uint64_t LAYERS = 4; // of a stage
    ParallelPlan plan = MakePlan({2, 3, 8, 4}, LAYERS * 3);
    plan.microbatches = BATCHES;
    plan.activationBytes = 5 * MIB;
    for (ModelLayer& layer : plan.layers)
    {
        layer.tensorBytes = 2 * MIB;
        layer.expertBytes = 3 * MIB;
        layer.parameterBytes = 7 * MIB;
        layer.expertParameterBytes = 11 * MIB;
    }
    constexpr uint64_t HOSTS = 2 * 3 * 8;
    const uint64_t passes = HOSTS * BATCHES * LAYERS;
    std::map<std::string, uint64_t> expected = {
        {"tensor", passes * 4 * 2 * MIB},
        {"dispatch", passes * 2 * 3 * MIB},
        {"combine", passes * 2 * 3 * MIB},
        {"activations", HOSTS / 3 * 2 * BATCHES * 5 * MIB},
        {"activation gradients", HOSTS / 3 * 2 * BATCHES * 5 * MIB},
        {"gradients", HOSTS * LAYERS * 7 * MIB},
        {"expert gradients", HOSTS * LAYERS * 11 * MIB}};
    EXPECT_EQ(BytesByName(MakeWorkload(plan, HOSTS)), expected);
    plan.schedule = PipelineSchedule::INTERLEAVED;
    plan.chunks = 2;
    for (const char* name : {"activations", "activation gradients"})
    {
        expected[name] = HOSTS / 3 * 5 * BATCHES * 5 * MIB; // 5 boundaries of 6 chunks
    }
    EXPECT_EQ(BytesByName(MakeWorkload(plan, HOSTS)), expected);
    plan.isSequenceParallel = true;
    plan.isOptimizerSharded = true;
    expected["tensor"] *= 2;
    expected["parameters"] = expected["gradients"];
    expected["expert parameters"] = expected["expert gradients"];
    EXPECT_EQ(BytesByName(MakeWorkload(plan, HOSTS)), expected);
}

/// A dimension of one rank and sizes of 0 send nothing; messages keep the order.
TEST(ParallelPlan, WhatIsAloneSendsNothing)
{
    ParallelPlan plan = MakePlan({1, 2, 2, 2}, 2);
    for (ModelLayer& layer : plan.layers)
    {
        layer.tensorBytes = MIB;
        layer.expertParameterBytes = MIB;
    }
    const TrainingWorkload workload = MakeWorkload(plan, 6);
    for (const auto& [name, bytes] : BytesByName(MakeWorkload(plan, 4)))
    {
        EXPECT_EQ(bytes, 0U) << name;
    }
    EXPECT_EQ(workload.programOf[4], TrainingWorkload::NO_PROGRAM);
    EXPECT_EQ(workload.communicators[0].hosts.size(), 6U);
    for (const auto& program : workload.programs)
    {
        for (const WorkloadNode& node : program)
        {
            EXPECT_NE(node.kind, Kind::COLLECTIVE) << node.name;
        }
    }
}

/// The gradients of a layer of the last microbatch are sent while the layer below computes; the
/// optimizer waits for all of them and for the last computation.
TEST(ParallelPlan, GradientsAreSentWhileComputing)
{
    ParallelPlan plan = MakePlan({1, 1, 2, 1}, 3);
    plan.microbatches = 2;
    for (ModelLayer& layer : plan.layers)
    {
        layer.parameterBytes = MIB;
    }
    const WorkloadProgram program = MakeWorkload(plan, 2).programs[0];
    const auto computations = Find(program, "layer backward");
    const auto gradients = Find(program, "gradients");
    ASSERT_EQ(computations.size(), 6U);
    ASSERT_EQ(gradients.size(), 3U);
    for (uint32_t i = 0; i < 3; ++i)
    {
        const uint32_t computation = computations[3 + i];
        const std::vector<uint32_t> waits = program[gradients[i]].dependencies;
        EXPECT_EQ(waits,
                  i == 0 ? std::vector<uint32_t>{computation}
                         : (std::vector<uint32_t>{computation, gradients[i - 1]}));
        EXPECT_EQ(program[computation].dependencies,
                  std::vector<uint32_t>{i == 0 ? computation - 1 : computations[2 + i]});
    }
    EXPECT_EQ(program.back().name, "optimizer");
    EXPECT_EQ(program.back().dependencies, (std::vector<uint32_t>{computations[5], gradients[2]}));
}

/// A layer's blocks: half of the time each; tokens go out before the second one forward, and before
/// the first one backward.
TEST(ParallelPlan, BlocksOfALayer)
{
    ParallelPlan plan = MakePlan({2, 1, 2, 2}, 1);
    plan.layers[0].tensorBytes = MIB;
    plan.layers[0].expertBytes = MIB;
    plan.layers[0].forwardPs = 1001;
    const auto names = [&plan]() {
        const WorkloadProgram program = MakeWorkload(plan, 4).programs[0];
        std::vector<std::string> all;
        for (const WorkloadNode& node : program)
        {
            all.push_back(node.kind == Kind::COLLECTIVE
                              ? NameOf(node.collective)
                              : node.name + " " + std::to_string(node.durationPs));
        }
        return all;
    };
    EXPECT_EQ(names(),
              (std::vector<std::string>{"layer forward 500",
                                        "all-reduce",
                                        "all-to-all",
                                        "layer forward 501",
                                        "all-reduce",
                                        "all-to-all",
                                        "all-to-all",
                                        "layer backward 1100",
                                        "all-reduce",
                                        "all-to-all",
                                        "layer backward 1100",
                                        "all-reduce",
                                        "optimizer 0"}));
    plan.isSequenceParallel = true;
    plan.layers[0].expertBytes = 0;
    EXPECT_EQ(names(),
              (std::vector<std::string>{"all-gather",
                                        "layer forward 500",
                                        "reduce-scatter",
                                        "all-gather",
                                        "layer forward 501",
                                        "reduce-scatter",
                                        "all-gather",
                                        "layer backward 1100",
                                        "reduce-scatter",
                                        "all-gather",
                                        "layer backward 1100",
                                        "reduce-scatter",
                                        "optimizer 0"}));
}

/// Without expert parallel ranks, the gradients of experts are summed up where all others are, one
/// after the other.
TEST(ParallelPlan, ExpertsOfOneRankAreAsAllOthers)
{
    ParallelPlan plan = MakePlan({1, 1, 2, 1}, 1);
    plan.layers[0].parameterBytes = MIB;
    plan.layers[0].expertParameterBytes = MIB;
    const TrainingWorkload workload = MakeWorkload(plan, 2);
    EXPECT_EQ(workload.communicators.size(), 2U);
    const WorkloadProgram& program = workload.programs[0];
    ASSERT_EQ(program.size(), 5U);
    EXPECT_EQ(program[3].name, "expert gradients");
    EXPECT_EQ(program[3].dependencies, (std::vector<uint32_t>{1, 2}));
}

TEST(ParallelPlan, RefusesTooManySteps)
{
    ParallelPlan plan = MakePlan({1, 2, 1, 1}, 10'000);
    plan.where = "t.toml:1";
    plan.microbatches = 1'000'000;
    EXPECT_EQ(RefusalOf([&] { MakeWorkload(plan, 2); }),
              "t.toml:1: too many steps: 1000000 microbatches through 10000 layers on 2 hosts (at "
              "most 16777216 steps)");
}
