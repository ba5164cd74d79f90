/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parallel-section.h"

#include "part-draw.h"
#include "part-section.h"

#include "ns3/message-text.h"
#include "ns3/workload-check.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t MOST_LAYERS = 10'000;          //!< of a model
constexpr uint32_t MOST_MICROBATCHES = 1'000'000; //!< of an iteration

/// A name and what it means.
template <typename T>
using Choices = std::vector<std::pair<std::string, T>>;

const Choices<PipelineSchedule> SCHEDULES = {{"gpipe", PipelineSchedule::GPIPE},
                                             {"1f1b", PipelineSchedule::ONE_F_ONE_B},
                                             {"interleaved", PipelineSchedule::INTERLEAVED},
                                             {"forward", PipelineSchedule::FORWARD}};
const Choices<bool> SUMS = {{"all-reduce", false}, {"reduce-scatter", true}};
const Choices<ParallelDimension> DIMENSIONS = {{"tp", ParallelDimension::TENSOR},
                                               {"dp", ParallelDimension::DATA},
                                               {"pp", ParallelDimension::PIPELINE}};

/// @return what a name means  @param key whose value is a name; without it, otherwise
template <typename T>
T
GetChoice(const TomlSection& section,
          const std::string& key,
          const Choices<T>& choices,
          T otherwise)
{
    const std::string name = section.GetText(key);
    std::vector<std::string> names;
    for (const auto& [known, meaning] : choices)
    {
        if (known == name)
        {
            return meaning;
        }
        names.push_back(known);
    }
    if (!name.empty())
    {
        section.Fail(key,
                     Quoted(name) + " is none" + Hint(name, names) + "; there are " +
                         Listed(names));
    }
    return otherwise;
}

/// @return a number of bytes, 0 if it is not there
uint64_t
GetSize(const TomlSection& section, const std::string& key)
{
    return section.Has(key) ? section.GetBytes(key, MAX_WORKLOAD_BYTES) : 0;
}

/// @return a time in picoseconds  @param otherwise the time if it is not there
int64_t
GetTime(const TomlSection& section, const std::string& key, int64_t otherwise)
{
    return section.Has(key) ? section.GetDuration(key) : otherwise;
}

/// @return which ranks are neighbours
ParallelLayout::Order
GetOrder(const TomlSection& section)
{
    ParallelLayout::Order order = ParallelLayout::USUAL_ORDER;
    if (!section.Has("order"))
    {
        return order;
    }
    const std::vector<std::string> names = section.GetTexts("order");
    std::size_t found = 0;
    for (const auto& [name, dimension] : DIMENSIONS)
    {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at != names.end() && names.size() == order.size())
        {
            order[at - names.begin()] = dimension;
            ++found;
        }
    }
    if (found != order.size())
    {
        section.Fail("order",
                     "is not tp, dp and pp, neighbours first, such as [\"tp\", \"dp\", \"pp\"]");
    }
    return order;
}

/// @return the layout  @param section [parallelism]  @param hosts number of hosts of the fabric
ParallelLayout
GetLayout(const TomlSection& section, uint32_t hosts)
{
    ParallelLayout::Sizes sizes;
    sizes.tensor = section.GetNumber("tp", 1, hosts, 1);
    sizes.pipeline = section.GetNumber("pp", 1, hosts, 1);
    const uint64_t model = uint64_t{sizes.tensor} * sizes.pipeline;
    const std::string product =
        "tp = " + std::to_string(sizes.tensor) + " times pp = " + std::to_string(sizes.pipeline);
    const bool isRest = !section.Has("dp") || section.IsText("dp");
    if (isRest && section.Has("dp") && section.GetText("dp") != "rest")
    {
        section.Fail("dp", "is not a number or \"rest\"");
    }
    if (isRest && hosts % model != 0)
    {
        section.Fail(product + " does not divide the " + std::to_string(hosts) + " hosts");
    }
    sizes.data =
        isRest ? static_cast<uint32_t>(hosts / model) : section.GetNumber("dp", 1, hosts, 1);
    if (model * sizes.data > hosts)
    {
        section.Fail(product + " times dp = " + std::to_string(sizes.data) + " is more than the " +
                     std::to_string(hosts) + " hosts");
    }
    sizes.expert = section.GetNumber("ep", 1, hosts, 1);
    if (sizes.data % sizes.expert != 0)
    {
        section.Fail("ep",
                     std::to_string(sizes.expert) +
                         " does not divide dp = " + std::to_string(sizes.data));
    }
    return {sizes, GetOrder(section)};
}

/// Refuse keys that say what comes after the forward passes, if there are these alone.
void
RefuseUnused(const TomlSection& section,
             PipelineSchedule schedule,
             const std::vector<std::string>& keys)
{
    for (const std::string& key : keys)
    {
        if (schedule == PipelineSchedule::FORWARD && section.Has(key))
        {
            section.Fail(key, "has no effect with schedule = \"forward\"");
        }
    }
}

/// Add what goes to experts to a layer.  @param dispatch its parts; null: all are alike
void
AddTokens(ModelLayer& layer, const std::shared_ptr<const PartSizes>& dispatch)
{
    if (dispatch)
    {
        const auto combine = std::make_shared<const PartSizes>(dispatch->Transposed());
        layer.tokens.push_back({dispatch, combine});
    }
}

/// @return a layer  @param section its table  @param experts number of expert parallel ranks
ModelLayer
GetLayer(const TomlSection& section, uint32_t experts)
{
    section.CheckKeys({"name",
                       "repeat",
                       "forward",
                       "backward",
                       "tensor",
                       "experts",
                       "skew",
                       "draw",
                       "token",
                       "parameters",
                       "expertParameters"});
    ModelLayer layer;
    layer.name = section.Has("name") ? section.GetText("name") : "layer";
    layer.forwardPs = GetTime(section, "forward", 0);
    const int64_t twice = std::min(2 * layer.forwardPs, MAX_WORKLOAD_DELAY_PS);
    layer.backwardPs = GetTime(section, "backward", twice);
    layer.tensorBytes = GetSize(section, "tensor");
    layer.expertBytes = GetSize(section, "experts");
    layer.parameterBytes = GetSize(section, "parameters");
    layer.expertParameterBytes = GetSize(section, "expertParameters");
    if (section.Has("skew") && layer.expertBytes == 0)
    {
        section.Fail("skew", "needs experts, the bytes that a rank sends them");
    }
    if (!IsDrawn(section))
    {
        AddTokens(layer, GetPartSizes(section, experts, layer.expertBytes));
    }
    return layer;
}

/// Draw what goes to experts, anew for each microbatch and group.  @param section of the layer
/// @param plan with all but layers  @param layer where to put it
void
DrawTokens(const TomlSection& section, const ParallelPlan& plan, PartDraw& draw, ModelLayer& layer)
{
    const uint32_t experts = plan.layout.SizeOf(ParallelDimension::EXPERT);
    const uint64_t groups = plan.layout.CountHosts() / experts;
    for (uint64_t i = 0; i < plan.microbatches * groups; ++i)
    {
        AddTokens(layer, DrawPartSizes(section, experts, layer.expertBytes, draw));
    }
}

/// Read the model.  @param section [model]  @param draw who draws  @param plan where to put it
void
ReadModel(const TomlSection& section, PartDraw draw, ParallelPlan& plan)
{
    section.CheckKeys({"layers", "activations", "optimizer"});
    RefuseUnused(section, plan.schedule, {"optimizer"});
    plan.activationBytes = GetSize(section, "activations");
    plan.optimizerPs = GetTime(section, "optimizer", 0);
    for (const TomlSection& entry : section.GetSections("layers", "a layer"))
    {
        RefuseUnused(entry, plan.schedule, {"backward", "parameters", "expertParameters"});
        const ModelLayer layer = GetLayer(entry, plan.layout.SizeOf(ParallelDimension::EXPERT));
        const uint32_t repeat = entry.GetNumber("repeat", 1, MOST_LAYERS, 1);
        if (plan.layers.size() + repeat > MOST_LAYERS)
        {
            entry.Fail("more than " + std::to_string(MOST_LAYERS) + " layers");
        }
        for (uint32_t i = 0; i < repeat; ++i)
        {
            plan.layers.push_back(layer);
            if (IsDrawn(entry))
            {
                DrawTokens(entry, plan, draw, plan.layers.back());
            }
        }
    }
    const uint32_t stages = plan.layout.SizeOf(ParallelDimension::PIPELINE);
    if (plan.layers.empty())
    {
        section.Fail("layers: at least one is needed");
    }
    if (plan.layers.size() % (uint64_t{stages} * plan.chunks) != 0)
    {
        section.Fail(
            std::to_string(plan.layers.size()) +
            " layers are not a multiple of pp = " + std::to_string(stages) +
            (plan.chunks == 1 ? "" : " times virtualStages = " + std::to_string(plan.chunks)));
    }
}

/// Read how a pipeline goes.  @param section [parallelism]  @param plan where to put it
void
ReadSchedule(const TomlSection& section, ParallelPlan& plan)
{
    constexpr uint32_t USUAL_CHUNKS = 2;
    plan.schedule = GetChoice(section, "schedule", SCHEDULES, PipelineSchedule::ONE_F_ONE_B);
    plan.microbatches = section.GetNumber("microbatches", 1, MOST_MICROBATCHES, 1);
    if (plan.schedule != PipelineSchedule::INTERLEAVED)
    {
        if (section.Has("virtualStages"))
        {
            section.Fail("virtualStages", "needs schedule = \"interleaved\"");
        }
        return;
    }
    plan.chunks = section.GetNumber("virtualStages", 2, MOST_LAYERS, USUAL_CHUNKS);
    const uint32_t stages = plan.layout.SizeOf(ParallelDimension::PIPELINE);
    if (stages == 1)
    {
        section.Fail("schedule", "interleaved needs pp of 2 or more");
    }
    if (plan.microbatches % stages != 0)
    {
        section.Fail("interleaved needs microbatches of a multiple of pp = " +
                     std::to_string(stages));
    }
}

} // namespace

ParallelLayout
ReadParallelLayout(const TomlSection& section, uint32_t hosts)
{
    section.CheckKeys({"tp", "pp", "dp", "ep", "order"});
    ParallelLayout layout = GetLayout(section, hosts);
    if (layout.CountHosts() != hosts)
    {
        section.Fail("phases are of all hosts: tp times pp times dp is " +
                     std::to_string(layout.CountHosts()) + ", and there are " +
                     std::to_string(hosts) + " hosts");
    }
    return layout;
}

ParallelPlan
ReadParallelPlan(const TomlSection& file, uint32_t hosts, const UniformInteger& uniform)
{
    file.CheckKeys({"title", "barrier", "parallelism", "model"});
    file.GetText("title");
    if (!file.Has("parallelism"))
    {
        file.Fail("[model] needs [parallelism]");
    }
    const TomlSection section = file.GetSection("parallelism", "[parallelism]");
    section.CheckKeys({"tp",
                       "pp",
                       "dp",
                       "ep",
                       "order",
                       "microbatches",
                       "schedule",
                       "virtualStages",
                       "sequenceParallel",
                       "gradients"});
    ParallelPlan plan;
    plan.where = section.Where();
    plan.barrier = file.GetBool("barrier");
    plan.layout = GetLayout(section, hosts);
    ReadSchedule(section, plan);
    RefuseUnused(section, plan.schedule, {"gradients"});
    plan.isSequenceParallel = section.GetBool("sequenceParallel");
    plan.isOptimizerSharded = GetChoice(section, "gradients", SUMS, false);
    ReadModel(file.GetSection("model", "[model]"), PartDraw(uniform), plan);
    return plan;
}

} // namespace aifabric
} // namespace ns3
