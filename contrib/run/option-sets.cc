/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"

#include "ns3/message-text.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

const std::string LOSSLESS = "ns3::aifabric::SharedBuffer::LosslessClasses"; //!< attribute

/// A named set of options.
struct OptionSet
{
    std::string name; //!< its name
    std::string what; //!< what it is
    std::string text; //!< what it sets: name=value, with a space between two

    /// @return the names and values that it sets
    std::vector<std::pair<std::string, std::string>> GetOptions() const
    {
        std::vector<std::pair<std::string, std::string>> options;
        std::istringstream items(text);
        for (std::string item; items >> item;)
        {
            const std::size_t equal = item.find('=');
            options.emplace_back(item.substr(0, equal), item.substr(equal + 1));
        }
        return options;
    }

    /// @return the value of an option; empty if it does not set it
    std::string ValueOf(const std::string& option) const
    {
        for (const auto& [name, value] : GetOptions())
        {
            if (name == option)
            {
                return value;
            }
        }
        return "";
    }
};

/// What all presets set: racks of two nodes of 8 GPUs, lossless queues, deep spines.
const std::string RACKS = " hostsPerLeaf=16 gpusPerNode=8 rate=400Gb/s admission=shared " +
                          LOSSLESS + "=8 spineBuffer=64MB";

/// The presets. The buffers of leaves are 113 MB, divided by their ports.
const std::vector<OptionSet> PRESETS = {
    {"g0-static",
     "one zone, as many uplinks as NICs (1:1), pinned paths",
     "topology=leaf-spine leaves=64 spines=16 buffer=3531kB balancer=path-pinning" + RACKS},
    {"g1-2x",
     "one zone, twice as many uplinks as NICs (1:2), pinned paths",
     "topology=leaf-spine leaves=64 spines=32 buffer=2354kB balancer=path-pinning" + RACKS},
    {"g2-te",
     "one zone, an eighth more uplinks than NICs (1:1.125), traffic engineering",
     "topology=leaf-spine leaves=64 spines=18 buffer=3323kB balancer=te" + RACKS},
    {"zones",
     "two zones (pods), an aggregation layer with a seventh of the links (7:1), E-ECMP",
     "topology=three-tier pods=2 leavesPerPod=14 spinesPerPod=18 cores=36 buffer=3323kB "
     "balancer=e-ecmp steering=round-robin queuePairs=16" +
         RACKS}};

/// The stacks. The first one is that of a run without the option.
const std::vector<OptionSet> STACKS = {
    {"ideal",
     "only the paths differ: no congestion control, lost packets are known at once",
     "transport=rc rateControl=fixed recovery=oracle ackPolicy=per-packet admission=port"},
    {"roce",
     "RoCE as deployed: DCQCN over lossless queues (PFC), go-back-N",
     "transport=rc rateControl=dcqcn recovery=go-back-n ackPolicy=coalesced admission=shared " +
         LOSSLESS + "=8"},
    {"hpcc",
     "HPCC: telemetry of switches (INT) sets the windows, over lossless queues (PFC), go-back-N",
     "transport=rc rateControl=hpcc recovery=go-back-n ackPolicy=per-packet admission=shared " +
         LOSSLESS + "=8"},
    {"power-tcp",
     "PowerTCP: as hpcc, and windows by power",
     "transport=rc rateControl=power-tcp recovery=go-back-n ackPolicy=per-packet "
     "admission=shared " +
         LOSSLESS + "=8"},
    {"theta-power-tcp",
     "PowerTCP without telemetry: by round-trip times; PFC, go-back-N",
     "transport=rc rateControl=theta-power-tcp recovery=go-back-n ackPolicy=per-packet "
     "admission=shared " +
         LOSSLESS + "=8"},
    {"timely",
     "TIMELY: rates by the gradient of round-trip times; PFC, go-back-N",
     "transport=rc rateControl=timely recovery=go-back-n ackPolicy=per-packet admission=shared " +
         LOSSLESS + "=8"},
    {"swift",
     "Swift: windows by delays in fabric and hosts, over queues that drop packets; SACK",
     "transport=rc rateControl=swift recovery=sack ackPolicy=per-packet admission=shared"},
    {"uec",
     "Ultra Ethernet: sprayed packets, NSCC, trimming, selective repeat, REPS",
     "transport=spray rateControl=nscc recovery=selective-repeat ackPolicy=unordered "
     "admission=trimming balancer=reps"},
    {"mrc",
     "MRC: one queue pair over all planes, NSCC, trimming",
     "transport=mrc rateControl=nscc recovery=mrc ackPolicy=mrc admission=trimming balancer=mrc"}};

/// @return the names of sets
std::vector<std::string>
NamesOf(const std::vector<OptionSet>& sets)
{
    std::vector<std::string> names;
    for (const OptionSet& set : sets)
    {
        names.push_back(set.name);
    }
    return names;
}

/// @return the names of sets, separated by commas
std::string
ListNames(const std::vector<OptionSet>& sets)
{
    return Listed(NamesOf(sets), sets.size());
}

/// @return whether an option has its default
bool
IsUsual(const OptionTable& table, const std::string& name)
{
    return table.Get(name) == table.At(name).row.usual;
}

/// @return whether an option of a preset fits what was given otherwise: in-network aggregation has
/// neither nodes nor queue pairs, and switches that do not balance have no balancer
bool
FitsPreset(const OptionTable& table, const std::string& name, const std::string& /* value */)
{
    static const std::set<std::string> OF_QUEUE_PAIRS = {"gpusPerNode", "steering", "queuePairs"};
    if (HasSumsAlone(table) && OF_QUEUE_PAIRS.count(name) > 0)
    {
        return false;
    }
    if (name == "balancer")
    {
        return IsUsual(table, "forwarding");
    }
    return name != LOSSLESS || table.Get("admission") == "shared";
}

/// @return whether an option of a stack can be meant, beside what was given
bool
FitsStack(const OptionTable& table, const std::string& name, const std::string& value)
{
    if (value == "coalesced") // which other recoveries than the stack's do not take
    {
        return table.Get("recovery") == "go-back-n";
    }
    if (name == "balancer")
    {
        return IsUsual(table, "forwarding") && IsUsual(table, "steering");
    }
    const bool isAttribute = name.find("::") != std::string::npos;
    return !isAttribute || !table.At("admission").isGiven || table.Get("admission") == "shared";
}

/// @return the stack that is meant by the congestion control alone: the first one that has it; auto
/// if there is none, or if a transport is given
std::string
StackOfControl(const OptionTable& table)
{
    const std::string control = "rateControl";
    const OptionTable::Option& transport = table.At("transport");
    if (!table.At(control).isGiven || !IsUsual(table, "transport") || HasSumsAlone(table))
    {
        return AUTO;
    }
    const auto stack = std::find_if(STACKS.begin() + 1, STACKS.end(), [&](const OptionSet& one) {
        return one.ValueOf(control) == table.Get(control) &&
               (!transport.isGiven || one.ValueOf("transport") == table.Get("transport"));
    });
    return stack == STACKS.end() ? AUTO : stack->name;
}

/// Give options the values of the set that an option selects.
/// @param fixed the option of a set that must not be given otherwise
/// @param fits whether an option of a set fits what was given otherwise
void
Apply(OptionTable& table,
      const std::string& option,
      const std::vector<OptionSet>& sets,
      const std::string& fixed,
      bool (*fits)(const OptionTable&, const std::string&, const std::string&))
{
    const std::string& usual = table.At(option).row.usual;
    const bool isOpen = option == "stack" && table.Get(option) == usual;
    const std::string given = isOpen ? StackOfControl(table) : table.Get(option);
    if (given == usual)
    {
        return;
    }
    const auto set = std::find_if(sets.begin(), sets.end(), [&given](const OptionSet& one) {
        return one.name == given;
    });
    OptionError::ThrowIf(set == sets.end(),
                         option,
                         given,
                         OptionError::OneOf(given, NamesOf(sets), usual));
    OptionError::ThrowIf(option == "stack" && HasSumsAlone(table),
                         option,
                         given,
                         "auto with in-network aggregation, which has transports of its own");
    for (const auto& [name, value] : set->GetOptions())
    {
        if (name == fixed && table.At(name).isGiven && table.Get(name) != value)
        {
            throw OptionError(name, table.Get(name), value + " with --" + option + "=" + given);
        }
        if (fits(table, name, value))
        {
            table.Presume(name, value);
        }
    }
}

/// @return the value of an option or attribute of a scenario; empty if it does not apply
std::string
ValueOf(const FabricScenario& scenario, const std::string& name)
{
    const auto attribute = scenario.attributes.find(name);
    if (attribute != scenario.attributes.end())
    {
        return attribute->second;
    }
    const auto option = scenario.options.find(name);
    return option != scenario.options.end() && option->is_string() ? option->get<std::string>()
                                                                   : "";
}

/// @return whether a scenario has all that a stack sets, whatever its balancer is
bool
Has(const FabricScenario& scenario, const OptionSet& stack)
{
    const auto options = stack.GetOptions();
    return std::all_of(options.begin(), options.end(), [&](const auto& option) {
        return option.first == "balancer" || ValueOf(scenario, option.first) == option.second;
    });
}

} // namespace

/// The options that select a named set of others.
// clang-format off
const OptionGroup SET_ROWS = {"Named sets of options", {
    {"stack", AUTO, Plain("set"),
     std::string("transport, congestion control, loss recovery, acknowledgements and buffers that "
                 "belong together, each of which may be overridden: ") +
         ListNames(STACKS) +
         ", or help (auto: the first one that has the given --rateControl, else ideal)"},
    {"preset", NONE, Plain("set"),
     std::string("named set of options, each of which may be overridden: ") +
         ListNames(PRESETS) + ", or help"},
}};

// clang-format on

bool
PrintSets(const OptionTable& table, std::ostream& os)
{
    for (const auto& [option, sets] : {std::pair("stack", &STACKS), std::pair("preset", &PRESETS)})
    {
        if (table.Get(option) == "help")
        {
            for (const OptionSet& set : *sets)
            {
                os << set.name << "\n    " << set.what << "\n";
                for (const auto& [name, value] : set.GetOptions())
                {
                    os << "    --" << name << "=" << value << "\n";
                }
            }
            return true;
        }
    }
    return false;
}

void
ApplySets(OptionTable& table)
{
    Apply(table, "preset", PRESETS, "topology", FitsPreset);
    Apply(table, "stack", STACKS, "transport", FitsStack);
}

nlohmann::ordered_json
FindStack(const FabricScenario& scenario)
{
    if (scenario.HasSumsAlone())
    {
        return nullptr;
    }
    const auto found = std::find_if(STACKS.begin(), STACKS.end(), [&](const auto& stack) {
        return Has(scenario, stack);
    });
    return found == STACKS.end() ? "own" : found->name;
}

std::string
DescribeStack(const FabricScenario& scenario)
{
    std::string line = FindStack(scenario).get<std::string>() + ": ";
    line += ValueOf(scenario, "transport");
    for (const char* const name :
         {"balancer", "rateControl", "recovery", "ackPolicy", "admission", "marker"})
    {
        const std::string value = ValueOf(scenario, name);
        line += value.empty() ? "" : ", " + std::string(name) + " " + value;
    }
    return line;
}

} // namespace aifabric
} // namespace ns3
