/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "preset-options.h"

#include "aggregation-options.h"
#include "option-sets.h"
#include "option-value.h"

#include <set>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

const std::string LOSSLESS = "ns3::aifabric::SharedBuffer::LosslessClasses"; //!< attribute

/// @return a preset: its own options, and what all presets set: racks of two nodes of 8 GPUs,
/// lossless queues, deep spines. The buffers of leaves are 113 MB, divided by their ports.
OptionSets::Set
MakePreset(const std::string& name, const std::string& what, OptionSets::Options options)
{
    const OptionSets::Options common = {{"hostsPerLeaf", "16"},
                                        {"gpusPerNode", "8"},
                                        {"rate", "400Gb/s"},
                                        {"admission", "shared"},
                                        {LOSSLESS, "8"},
                                        {"spineBuffer", "64MB"}};
    options.insert(options.end(), common.begin(), common.end());
    return {name, what, std::move(options)};
}

/// @return the presets
OptionSets
Presets()
{
    return {"preset",
            {MakePreset("g0-static",
                        "one zone, as many uplinks as NICs (1:1), pinned paths",
                        {{"topology", "leaf-spine"},
                         {"leaves", "64"},
                         {"spines", "16"},
                         {"buffer", "3531kB"},
                         {"balancer", "path-pinning"}}),
             MakePreset("g1-2x",
                        "one zone, twice as many uplinks as NICs (1:2), pinned paths",
                        {{"topology", "leaf-spine"},
                         {"leaves", "64"},
                         {"spines", "32"},
                         {"buffer", "2354kB"},
                         {"balancer", "path-pinning"}}),
             MakePreset("g2-te",
                        "one zone, an eighth more uplinks than NICs (1:1.125), traffic engineering",
                        {{"topology", "leaf-spine"},
                         {"leaves", "64"},
                         {"spines", "18"},
                         {"buffer", "3323kB"},
                         {"balancer", "te"}}),
             MakePreset(
                 "zones",
                 "two zones (pods), an aggregation layer with a seventh of the links (7:1), E-ECMP",
                 {{"topology", "three-tier"},
                  {"pods", "2"},
                  {"leavesPerPod", "14"},
                  {"spinesPerPod", "18"},
                  {"cores", "36"},
                  {"buffer", "3323kB"},
                  {"balancer", "e-ecmp"},
                  {"steering", "round-robin"},
                  {"queuePairs", "16"}})}};
}

/// @return whether an option of a preset fits what was given otherwise: in-network aggregation has
/// neither nodes nor queue pairs, and switches that do not balance have no balancer
bool
Fits(const OptionTable& table, const std::string& name)
{
    static const std::set<std::string> OF_QUEUE_PAIRS = {"gpusPerNode", "steering", "queuePairs"};
    if (AggregationOptions::IsInNetwork(table.Get("algorithm")) && OF_QUEUE_PAIRS.count(name) > 0)
    {
        return false;
    }
    if (name == "balancer")
    {
        return table.Get("forwarding") == table.GetDefault("forwarding");
    }
    return name != LOSSLESS || table.Get("admission") == "shared";
}

} // namespace

void
PresetOptions::Declare(OptionTable& table)
{
    table.AddNone("preset",
                  "named set of options, each of which may be overridden: " +
                      Presets().ListNames() + ", or help");
}

bool
PresetOptions::Print(const OptionTable& table, std::ostream& os)
{
    return Presets().Print(table, os);
}

void
PresetOptions::Apply(OptionTable& table)
{
    const OptionSets presets = Presets();
    const OptionSets::Set* const preset = presets.Find(table);
    if (!preset)
    {
        return;
    }
    for (const auto& [name, value] : preset->options)
    {
        if (name == "topology" && table.IsGiven(name) && table.Get(name) != value)
        {
            throw OptionError(name, table.Get(name), value + " with --preset=" + preset->name);
        }
        if (Fits(table, name))
        {
            table.Presume(name, value);
        }
    }
}

} // namespace aifabric
} // namespace ns3
