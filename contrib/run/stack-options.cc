/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stack-options.h"

#include "aggregation-options.h"
#include "option-sets.h"
#include "option-value.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

const std::string TRANSPORT = "transport"; //!< option that a stack does not let contradict it
const std::string ADMISSION = "admission"; //!< option

/// @return the stacks. The first one is that of a run without the option.
const OptionSets&
Stacks()
{
    static const OptionSets STACKS(
        "stack",
        {{"ideal",
          "only the paths differ: no congestion control, lost packets are known at once",
          {{TRANSPORT, "rc"},
           {"rateControl", "fixed"},
           {"recovery", "oracle"},
           {"ackPolicy", "per-packet"},
           {ADMISSION, "port"}}},
         {"roce",
          "RoCE as deployed: DCQCN over lossless queues (PFC), go-back-N",
          {{TRANSPORT, "rc"},
           {"rateControl", "dcqcn"},
           {"recovery", "go-back-n"},
           {"ackPolicy", "coalesced"},
           {ADMISSION, "shared"},
           {"ns3::aifabric::SharedBuffer::LosslessClasses", "8"}}},
         {"uec",
          "Ultra Ethernet: sprayed packets, NSCC, trimming, selective repeat, REPS",
          {{TRANSPORT, "spray"},
           {"rateControl", "nscc"},
           {"recovery", "selective-repeat"},
           {"ackPolicy", "unordered"},
           {ADMISSION, "trimming"},
           {"balancer", "reps"}}},
         {"mrc",
          "MRC: one queue pair over all planes, NSCC, trimming",
          {{TRANSPORT, "mrc"},
           {"rateControl", "nscc"},
           {"recovery", "mrc"},
           {"ackPolicy", "mrc"},
           {ADMISSION, "trimming"},
           {"balancer", "mrc"}}}});
    return STACKS;
}

/// @return whether an option of a stack can be meant, beside what was given
bool
Fits(const OptionTable& table, const std::string& name)
{
    if (name == "balancer")
    {
        return table.Get("forwarding") == table.GetDefault("forwarding") &&
               table.Get("steering") == table.GetDefault("steering");
    }
    const bool isAttribute = name.find("::") != std::string::npos;
    return !isAttribute || !table.IsGiven(ADMISSION) || table.Get(ADMISSION) == "shared";
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
Has(const FabricScenario& scenario, const OptionSets::Set& stack)
{
    return std::all_of(stack.options.begin(), stack.options.end(), [&](const auto& option) {
        return option.first == "balancer" || ValueOf(scenario, option.first) == option.second;
    });
}

} // namespace

void
StackOptions::Declare(OptionTable& table)
{
    table.AddAuto("stack",
                  "transport, congestion control, loss recovery, acknowledgements and buffers that "
                  "belong together, each of which may be overridden: " +
                      Stacks().ListNames() + ", or help (auto: " + Stacks().GetSets().front().name +
                      ")");
}

bool
StackOptions::Print(const OptionTable& table, std::ostream& os)
{
    return Stacks().Print(table, os);
}

void
StackOptions::Apply(OptionTable& table)
{
    const OptionSets::Set* const stack = Stacks().Find(table);
    if (!stack)
    {
        return;
    }
    OptionError::ThrowIf(AggregationOptions::IsInNetwork(table.Get("algorithm")),
                         "stack",
                         stack->name,
                         "auto with in-network aggregation, which has transports of its own");
    for (const auto& [name, value] : stack->options)
    {
        if (name == TRANSPORT && table.IsGiven(name) && table.Get(name) != value)
        {
            throw OptionError(name, table.Get(name), value + " with --stack=" + stack->name);
        }
        if (Fits(table, name))
        {
            table.Presume(name, value);
        }
    }
}

std::string
StackOptions::Describe(const FabricScenario& scenario)
{
    const auto& stacks = Stacks().GetSets();
    const auto found = std::find_if(stacks.begin(), stacks.end(), [&](const auto& stack) {
        return Has(scenario, stack);
    });
    std::string line = (found == stacks.end() ? "own" : found->name) + ": ";
    line += ValueOf(scenario, TRANSPORT);
    for (const char* const name :
         {"balancer", "rateControl", "recovery", "ackPolicy", ADMISSION.c_str(), "marker"})
    {
        const std::string value = ValueOf(scenario, name);
        line += value.empty() ? "" : ", " + std::string(name) + " " + value;
    }
    return line;
}

} // namespace aifabric
} // namespace ns3
