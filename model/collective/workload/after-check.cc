/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "after-check.h"

#include "ns3/message-text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Places of steps among all of a plan, ascending.
using Places = std::vector<std::size_t>;

/**
 * @param step the place of a step
 * @param name a name that stands in its after
 * @param last how many steps might have been meant
 * @throws std::invalid_argument that says that no step has the name
 */
[[noreturn]] void
ThrowUnknown(const std::vector<const TrainingStep*>& steps,
             std::size_t step,
             const std::string& name,
             std::size_t last)
{
    std::vector<std::string> names;
    std::transform(steps.begin(),
                   steps.begin() + static_cast<std::ptrdiff_t>(last),
                   std::back_inserter(names),
                   [](const TrainingStep* other) { return other->name; });
    throw std::invalid_argument(steps[step]->where + ": after: no step " + Quoted(name) +
                                " comes before" + Hint(name, names));
}

/// @return whether a host takes part in one of some steps  @param own its roles
bool
IsInAny(const Roles& own, const Places& steps)
{
    return std::any_of(steps.begin(), steps.end(), [&own](std::size_t step) {
        return own[step] != Role::NONE;
    });
}

/// @return whether a host may wait for none of the steps that an after names: it receives a
/// message, or has done nothing before
/// @param own its roles  @param step the place of the step  @param last where what comes before
/// ends
bool
NeedsNoWait(const Roles& own, std::size_t step, std::size_t last)
{
    const auto end = own.begin() + static_cast<std::ptrdiff_t>(last);
    return own[step] == Role::RECEIVER ||
           std::all_of(own.begin(), end, [](Role role) { return role == Role::NONE; });
}

/**
 * Check that the hosts of a step can wait for what its after names.
 *
 * @param roles roles by host
 * @param step the place of the step  @param last where what comes before ends
 * @param waits by name, the places of the steps that come before
 * @throws std::invalid_argument that names a host that waits for none of them, or a step that none
 * of the hosts takes part in
 */
void
CheckHosts(const TrainingStep& what,
           const std::vector<Roles>& roles,
           std::size_t step,
           std::size_t last,
           const std::map<std::string, Places>& waits)
{
    std::set<std::string> unused;
    std::transform(waits.begin(),
                   waits.end(),
                   std::inserter(unused, unused.end()),
                   [](const auto& wait) { return wait.first; });
    for (std::size_t host = 0; host < roles.size(); ++host)
    {
        const Roles& own = roles[host];
        bool waitsFor = own[step] == Role::NONE || NeedsNoWait(own, step, last);
        for (const auto& [name, places] : waits)
        {
            if (own[step] != Role::NONE && IsInAny(own, places))
            {
                waitsFor = true;
                unused.erase(name);
            }
        }
        if (!waitsFor)
        {
            throw std::invalid_argument(what.where + ": after: host " + std::to_string(host) +
                                        " takes part in none of the steps named");
        }
    }
    if (!unused.empty())
    {
        throw std::invalid_argument(what.where + ": after: no host of this step takes part in " +
                                    Quoted(*unused.begin()));
    }
}

} // namespace

void
CheckAfter(const TrainingPlan& plan, const std::vector<Roles>& roles)
{
    const auto steps = AllSteps(plan);
    std::map<std::string, Places> places;
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        places[steps[i]->name].push_back(i);
    }
    std::size_t i = 0;
    std::size_t end = 0; // of the phase
    for (const auto& phase : plan.phases)
    {
        for (end += phase.steps.size(); i < end; ++i)
        {
            const std::size_t last = phase.repeat > 1 ? end : i;
            std::map<std::string, Places> waits;
            for (const auto& name : steps[i]->after.value_or(std::vector<std::string>()))
            {
                const Places& all = places[name];
                waits[name] = {all.begin(), std::lower_bound(all.begin(), all.end(), last)};
                if (waits[name].empty())
                {
                    ThrowUnknown(steps, i, name, last);
                }
            }
            if (!waits.empty())
            {
                CheckHosts(*steps[i], roles, i, last, waits);
            }
        }
    }
}

} // namespace aifabric
} // namespace ns3
