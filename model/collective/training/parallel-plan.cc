/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parallel-plan.h"

#include "parallel-groups.h"

#include "ns3/workload-check.h"

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Writes out what a host does.
class StageWriter
{
  public:
    /// @param plan the plan; must outlive the writer  @param groups its communicators; likewise
    StageWriter(const ParallelPlan& plan, const ParallelGroups& groups, uint32_t host)
        : m_plan(plan),
          m_groups(groups),
          m_host(host),
          m_place(plan.layout.PlaceOf(host)),
          m_stages(plan.layout.SizeOf(ParallelDimension::PIPELINE)),
          m_layers(static_cast<uint32_t>(plan.layers.size()) / (m_stages * plan.chunks))
    {
    }

    /// @return the program
    WorkloadProgram Write()
    {
        for (const PipelineTask& task : ListPipelineTasks(m_plan.schedule,
                                                          m_stages,
                                                          m_place.pipeline,
                                                          m_plan.microbatches,
                                                          m_plan.chunks))
        {
            WriteTask(task);
        }
        if (m_plan.schedule != PipelineSchedule::FORWARD)
        {
            WriteOptimizer();
        }
        return std::move(m_program);
    }

  private:
    /// A chunk by its place in the model, not in its stage.
    using ChunkNumber = uint32_t;

    /// @return a layer of the stage  @param index in the chunk
    const ModelLayer& LayerOf(uint32_t chunk, uint32_t index) const
    {
        return m_plan.layers[(chunk * m_stages + m_place.pipeline) * m_layers + index];
    }

    /// Add a node.  @param waits the nodes that it waits for  @return its index
    uint32_t Push(WorkloadNode node, std::vector<uint32_t> waits)
    {
        node.dependencies = std::move(waits);
        m_program.push_back(std::move(node));
        return static_cast<uint32_t>(m_program.size() - 1);
    }

    /// Compute when all before it is done.
    void Compute(const std::string& name, int64_t durationPs)
    {
        WorkloadNode node;
        node.name = name;
        node.durationPs = durationPs;
        m_last = {Push(std::move(node), m_last)};
    }

    /// @return whether a collective of so many bytes moves any
    bool HasTraffic(ParallelDimension dimension, uint64_t bytes) const
    {
        return bytes > 0 && m_groups.At(dimension, m_host) != ParallelGroups::ALL_HOSTS;
    }

    /// @return a collective; none if it moves nothing
    std::optional<WorkloadNode> MakeCollective(const std::string& name,
                                               ParallelDimension dimension,
                                               CollectiveKind kind,
                                               uint64_t bytes) const
    {
        if (!HasTraffic(dimension, bytes))
        {
            return std::nullopt;
        }
        WorkloadNode node;
        node.name = name;
        node.kind = WorkloadNode::Kind::COLLECTIVE;
        node.collective = kind;
        node.bytes = bytes;
        node.communicator = m_groups.At(dimension, m_host);
        return node;
    }

    /// Sum up or gather the activations of a block when all before it is done.
    void ShareTensor(const ModelLayer& layer, CollectiveKind kind)
    {
        auto node = MakeCollective("tensor", ParallelDimension::TENSOR, kind, layer.tensorBytes);
        if (node)
        {
            node->sumsActivations = true;
            m_last = {Push(std::move(*node), m_last)};
        }
    }

    /// Exchange what goes to experts or comes from them.  @param parts sizes; null: all are alike
    void ExchangeTokens(const std::string& name,
                        const ModelLayer& layer,
                        const std::shared_ptr<const PartSizes>& parts)
    {
        auto node = MakeCollective(name,
                                   ParallelDimension::EXPERT,
                                   CollectiveKind::ALL_TO_ALL,
                                   parts ? parts->GetSize() : layer.expertBytes);
        if (node)
        {
            node->parts = parts;
            m_last = {Push(std::move(*node), m_last)};
        }
    }

    /// Pass a microbatch through a block, in either direction.  @param name of the computation
    void WriteBlock(const std::string& name, int64_t durationPs, const ModelLayer& layer)
    {
        if (m_plan.isSequenceParallel)
        {
            ShareTensor(layer, CollectiveKind::ALL_GATHER);
        }
        Compute(name, durationPs);
        ShareTensor(layer,
                    m_plan.isSequenceParallel ? CollectiveKind::REDUCE_SCATTER
                                              : CollectiveKind::ALL_REDUCE);
    }

    /// @return what goes to experts and comes from them, if that is not all alike
    ExpertParts PartsOf(const ModelLayer& layer, uint32_t microbatch) const
    {
        if (layer.tokens.size() <= 1)
        {
            return layer.tokens.empty() ? ExpertParts{} : layer.tokens[0];
        }
        const std::vector<uint32_t> groups = m_groups.ListOf(ParallelDimension::EXPERT);
        const uint32_t group = m_groups.At(ParallelDimension::EXPERT, m_host) - groups.front();
        return layer.tokens[microbatch * groups.size() + group];
    }

    /// Pass a microbatch through a layer.
    void WriteLayer(const ModelLayer& layer, const PipelineTask& task)
    {
        const bool isBackward = task.isBackward;
        const std::string name = layer.name + (isBackward ? " backward" : " forward");
        const int64_t duration = isBackward ? layer.backwardPs : layer.forwardPs;
        if (!HasTraffic(ParallelDimension::TENSOR, layer.tensorBytes) &&
            !HasTraffic(ParallelDimension::EXPERT, layer.expertBytes))
        {
            Compute(name, duration);
            return;
        }
        const auto writeAttention = [&]() { WriteBlock(name, duration / 2, layer); };
        const auto writeExperts = [&]() {
            // Back as forward: gradients go to the experts as tokens do, and come as their results.
            const ExpertParts parts = PartsOf(layer, task.microbatch);
            ExchangeTokens("dispatch", layer, parts.dispatch);
            WriteBlock(name, duration - duration / 2, layer);
            ExchangeTokens("combine", layer, parts.combine);
        };
        if (isBackward)
        {
            writeExperts();
            writeAttention();
        }
        else
        {
            writeAttention();
            writeExperts();
        }
    }

    /// Send or receive activations or their gradients.  @param from the chunk that sends them
    void WriteMessage(WorkloadNode::Kind kind, const PipelineTask& task, ChunkNumber from)
    {
        const bool isSend = kind == WorkloadNode::Kind::SEND;
        const bool isPeerBehind = isSend != task.isBackward;
        const uint32_t chunks = m_stages * m_plan.chunks;
        WorkloadNode node;
        node.name = task.isBackward ? "activation gradients" : "activations";
        node.kind = kind;
        node.bytes = m_plan.activationBytes;
        ParallelLayout::Place peer = m_place;
        peer.pipeline = (m_place.pipeline + (isPeerBehind ? 1 : m_stages - 1)) % m_stages;
        node.peer = m_plan.layout.HostAt(peer);
        node.tag = ((task.isBackward ? chunks : 0) + from) * m_plan.microbatches + task.microbatch;
        const uint32_t index = Push(std::move(node), m_last);
        if (!isSend)
        {
            m_last = {index};
        }
    }

    /// Pass a microbatch through a chunk.
    void WriteTask(const PipelineTask& task)
    {
        const ChunkNumber chunk = task.chunk * m_stages + m_place.pipeline;
        const ChunkNumber last = m_stages * m_plan.chunks - 1;
        if (chunk != (task.isBackward ? last : 0))
        {
            WriteMessage(WorkloadNode::Kind::RECEIVE,
                         task,
                         task.isBackward ? chunk + 1 : chunk - 1);
        }
        for (uint32_t i = 0; i < m_layers; ++i)
        {
            const ModelLayer& layer = LayerOf(task.chunk, task.isBackward ? m_layers - 1 - i : i);
            WriteLayer(layer, task);
            if (task.isBackward && task.microbatch + 1 == m_plan.microbatches)
            {
                WriteGradients(layer);
            }
        }
        if (chunk != (task.isBackward ? 0 : last))
        {
            WriteMessage(WorkloadNode::Kind::SEND, task, chunk);
        }
    }

    /// Sum up the gradients of a layer when all before it is done.
    void WriteGradients(const ModelLayer& layer)
    {
        const CollectiveKind kind =
            m_plan.isOptimizerSharded ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE;
        WriteBucket("gradients", ParallelDimension::DATA, kind, layer.parameterBytes);
        WriteBucket("expert gradients",
                    ParallelDimension::EXPERT_DATA,
                    kind,
                    layer.expertParameterBytes);
    }

    /// A collective beside the computation, after those of its communicator.
    void WriteBucket(const std::string& name,
                     ParallelDimension dimension,
                     CollectiveKind kind,
                     uint64_t bytes)
    {
        auto node = MakeCollective(name, dimension, kind, bytes);
        if (node)
        {
            std::vector<uint32_t> waits = m_last;
            const uint32_t communicator = node->communicator;
            const auto before = m_buckets.find(communicator);
            if (before != m_buckets.end())
            {
                waits.push_back(before->second);
            }
            m_buckets[communicator] = Push(std::move(*node), std::move(waits));
        }
    }

    /// Compute the optimizer when all gradients are there.
    void WriteOptimizer()
    {
        for (const auto& [communicator, bucket] : m_buckets)
        {
            m_last.push_back(bucket);
        }
        m_buckets.clear();
        Compute("optimizer", m_plan.optimizerPs);
        for (uint32_t chunk = 0; m_plan.isOptimizerSharded && chunk < m_plan.chunks; ++chunk)
        {
            for (uint32_t i = 0; i < m_layers; ++i)
            {
                const ModelLayer& layer = LayerOf(chunk, i);
                WriteBucket("parameters",
                            ParallelDimension::DATA,
                            CollectiveKind::ALL_GATHER,
                            layer.parameterBytes);
                WriteBucket("expert parameters",
                            ParallelDimension::EXPERT_DATA,
                            CollectiveKind::ALL_GATHER,
                            layer.expertParameterBytes);
            }
        }
    }

    const ParallelPlan& m_plan;             //!< the plan
    const ParallelGroups& m_groups;         //!< its communicators
    uint32_t m_host;                        //!< the host
    ParallelLayout::Place m_place;          //!< where it is
    uint32_t m_stages;                      //!< how many there are
    uint32_t m_layers;                      //!< of a chunk
    WorkloadProgram m_program;              //!< what was written
    std::vector<uint32_t> m_last;           //!< what the next computation waits for
    std::map<uint32_t, uint32_t> m_buckets; //!< by communicator: the latest collective beside it
};

/// @return how many nodes a host has, at most
uint64_t
CountNodes(const ParallelPlan& plan)
{
    constexpr uint64_t OF_A_LAYER = 8;   // two blocks: computation, two of tensors, one of experts
    constexpr uint64_t OF_A_MESSAGE = 2; // one comes, one goes
    constexpr uint64_t ONCE = 4;         // of gradients and parameters
    const uint64_t stages = plan.layout.SizeOf(ParallelDimension::PIPELINE);
    const uint64_t passes = plan.schedule == PipelineSchedule::FORWARD ? 1 : 2;
    const uint64_t layers = plan.layers.size() / stages;
    return plan.microbatches * passes * (layers * OF_A_LAYER + plan.chunks * OF_A_MESSAGE) +
           layers * ONCE + 1;
}

} // namespace

TrainingWorkload
MakeWorkload(const ParallelPlan& plan, uint32_t hosts)
{
    if (CountNodes(plan) > MAX_WORKLOAD_NODES / plan.layout.CountHosts())
    {
        throw std::invalid_argument(
            plan.where + ": too many steps: " + std::to_string(plan.microbatches) +
            " microbatches through " + std::to_string(plan.layers.size()) + " layers on " +
            std::to_string(plan.layout.CountHosts()) + " hosts (at most " +
            std::to_string(MAX_WORKLOAD_NODES) + " steps)");
    }
    const ParallelGroups groups(plan.layout, hosts);
    TrainingWorkload workload;
    workload.communicators = groups.GetCommunicators();
    workload.barrier = plan.barrier;
    workload.programOf.assign(hosts, TrainingWorkload::NO_PROGRAM);
    for (uint32_t host = 0; host < plan.layout.CountHosts(); ++host)
    {
        workload.programOf[host] = host;
        workload.programs.push_back(StageWriter(plan, groups, host).Write());
    }
    CheckWorkload(workload, hosts);
    return workload;
}

} // namespace aifabric
} // namespace ns3
