/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "preset-options.h"

#include "aggregation-options.h"
#include "option-value.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Options, by their names.
using Options = std::vector<std::pair<std::string, std::string>>;

const std::string LOSSLESS = "ns3::aifabric::SharedBuffer::LosslessClasses"; //!< attribute

/// A named set of options.
struct Preset
{
    std::string name; //!< its name
    std::string what; //!< what it is
    Options options;  //!< what it sets, beside what all presets set
};

/// @return what all presets set: racks of two nodes of 8 GPUs, lossless queues, deep spines
const Options&
CommonOptions()
{
    static const Options OPTIONS = {{"hostsPerLeaf", "16"},
                                    {"gpusPerNode", "8"},
                                    {"rate", "400Gb/s"},
                                    {"admission", "shared"},
                                    {LOSSLESS, "8"},
                                    {"spineBuffer", "64MB"}};
    return OPTIONS;
}

/// @return the presets. The buffers of leaves are 113 MB, divided by their ports.
const std::vector<Preset>&
Presets()
{
    static const std::vector<Preset> PRESETS = {
        {"g0-static",
         "one zone, as many uplinks as NICs (1:1), pinned paths",
         {{"topology", "leaf-spine"},
          {"leaves", "64"},
          {"spines", "16"},
          {"buffer", "3531kB"},
          {"balancer", "path-pinning"}}},
        {"g1-2x",
         "one zone, twice as many uplinks as NICs (1:2), pinned paths",
         {{"topology", "leaf-spine"},
          {"leaves", "64"},
          {"spines", "32"},
          {"buffer", "2354kB"},
          {"balancer", "path-pinning"}}},
        {"g2-te",
         "one zone, an eighth more uplinks than NICs (1:1.125), traffic engineering",
         {{"topology", "leaf-spine"},
          {"leaves", "64"},
          {"spines", "18"},
          {"buffer", "3323kB"},
          {"balancer", "te"}}},
        {"zones",
         "two zones (pods), an aggregation layer with a seventh of the links (7:1), E-ECMP",
         {{"topology", "three-tier"},
          {"pods", "2"},
          {"leavesPerPod", "14"},
          {"spinesPerPod", "18"},
          {"cores", "36"},
          {"buffer", "3323kB"},
          {"balancer", "e-ecmp"},
          {"steering", "round-robin"},
          {"queuePairs", "16"}}}};
    return PRESETS;
}

/// @return the names of the presets
std::string
ListNames()
{
    std::string names;
    for (const Preset& preset : Presets())
    {
        names += (names.empty() ? "" : ", ") + preset.name;
    }
    return names;
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

/// @return all options that a preset sets
Options
AllOptions(const Preset& preset)
{
    Options all = preset.options;
    all.insert(all.end(), CommonOptions().begin(), CommonOptions().end());
    return all;
}

} // namespace

void
PresetOptions::Declare(OptionTable& table)
{
    table.AddNone("preset",
                  "named set of options, each of which may be overridden: " + ListNames() +
                      ", or help");
}

bool
PresetOptions::Print(const OptionTable& table, std::ostream& os)
{
    if (table.Get("preset") != "help")
    {
        return false;
    }
    for (const Preset& preset : Presets())
    {
        os << preset.name << "\n    " << preset.what << "\n";
        for (const auto& [name, value] : AllOptions(preset))
        {
            os << "    --" << name << "=" << value << "\n";
        }
    }
    return true;
}

void
PresetOptions::Apply(OptionTable& table)
{
    const std::string given = table.Get("preset");
    if (given == OptionTable::NONE)
    {
        return;
    }
    const std::vector<Preset>& presets = Presets();
    const auto found = std::find_if(presets.begin(), presets.end(), [&given](const Preset& preset) {
        return preset.name == given;
    });
    OptionError::ThrowIf(found == presets.end(),
                         "preset",
                         given,
                         "one of " + ListNames() + ", or none");
    for (const auto& [name, value] : AllOptions(*found))
    {
        if (name == "topology" && table.IsGiven(name) && table.Get(name) != value)
        {
            throw OptionError(name, table.Get(name), value + " with --preset=" + given);
        }
        if (Fits(table, name))
        {
            table.Presume(name, value);
        }
    }
}

} // namespace aifabric
} // namespace ns3
