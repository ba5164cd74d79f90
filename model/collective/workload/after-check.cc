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
#include <string_view>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// By name of steps, the place of the first one among all of a plan.
using FirstPlaces = std::map<std::string_view, std::size_t>;

/// @return the first places of some steps  @param steps all of a plan
FirstPlaces
FirstPlacesOf(const Roles& own, const std::vector<const TrainingStep*>& steps)
{
    FirstPlaces places;
    for (const OwnStep& step : own)
    {
        places.try_emplace(steps[step.place]->name, step.place);
    }
    return places;
}

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

/// @return the hosts of a step, ascending
std::vector<uint32_t>
HostsOf(const TrainingStep& step, const TrainingPlan& plan)
{
    const bool isMessage = step.kind == TrainingStep::Kind::MESSAGE;
    std::vector<uint32_t> hosts = {step.source, step.destination};
    if (!isMessage)
    {
        hosts = plan.communicators[step.communicator].hosts;
    }
    std::sort(hosts.begin(), hosts.end());
    return hosts;
}

/// Checks what the steps of a plan wait for.
class AfterChecker
{
  public:
    /// @param plan the plan; must outlive this  @param roles by host
    AfterChecker(const TrainingPlan& plan, const std::vector<Roles>& roles)
        : m_plan(plan),
          m_steps(AllSteps(plan))
    {
        for (std::size_t place = 0; place < m_steps.size(); ++place)
        {
            m_first.try_emplace(m_steps[place]->name, place);
        }
        std::transform(roles.begin(),
                       roles.end(),
                       std::back_inserter(m_own),
                       [this](const Roles& own) { return FirstPlacesOf(own, m_steps); });
        std::transform(roles.begin(),
                       roles.end(),
                       std::back_inserter(m_begins),
                       [](const Roles& own) { return own.empty() ? 0 : own.front().place; });
    }

    /// Check a step.  @param place of the step  @param last where what comes before ends
    void Check(std::size_t place, std::size_t last) const
    {
        const TrainingStep& step = *m_steps[place];
        std::set<std::string> unused;
        for (const auto& name : step.after.value_or(std::vector<std::string>()))
        {
            if (!IsBefore(m_first, name, last))
            {
                ThrowUnknown(m_steps, place, name, last);
            }
            unused.insert(name);
        }
        if (!unused.empty())
        {
            CheckHosts(step, last, unused);
        }
    }

  private:
    /// @return whether a step of a name comes before a place
    static bool IsBefore(const FirstPlaces& first, const std::string& name, std::size_t place)
    {
        const auto found = first.find(name);
        return found != first.end() && found->second < place;
    }

    /**
     * Check that the hosts of a step can wait for what its after names. A host need not wait if it
     * receives a message, or has done nothing before.
     *
     * @param last where what comes before ends
     * @param unused the names
     * @throws std::invalid_argument that names a host that waits for none of them, or a step that
     * none of the hosts takes part in
     */
    void CheckHosts(const TrainingStep& step, std::size_t last, std::set<std::string> unused) const
    {
        const std::set<std::string> names = unused;
        const bool isMessage = step.kind == TrainingStep::Kind::MESSAGE;
        for (const uint32_t host : HostsOf(step, m_plan))
        {
            bool waits = (isMessage && host == step.destination) || m_begins[host] >= last;
            for (const auto& name : names)
            {
                if (IsBefore(m_own[host], name, last))
                {
                    waits = true;
                    unused.erase(name);
                }
            }
            if (!waits)
            {
                throw std::invalid_argument(step.where + ": after: host " + std::to_string(host) +
                                            " takes part in none of the steps named");
            }
        }
        if (!unused.empty())
        {
            throw std::invalid_argument(step.where +
                                        ": after: no host of this step takes part in " +
                                        Quoted(*unused.begin()));
        }
    }

    const TrainingPlan& m_plan;                     //!< the plan
    const std::vector<const TrainingStep*> m_steps; //!< all of it
    FirstPlaces m_first;                            //!< of all steps
    std::vector<FirstPlaces> m_own;                 //!< of those of a host, by host
    std::vector<std::size_t> m_begins;              //!< the place of the first step, by host
};

} // namespace

void
CheckAfter(const TrainingPlan& plan, const std::vector<Roles>& roles)
{
    const AfterChecker checker(plan, roles);
    std::size_t place = 0;
    std::size_t end = 0; // of the phase
    for (const auto& phase : plan.phases)
    {
        for (end += phase.steps.size(); place < end; ++place)
        {
            checker.Check(place, phase.repeat > 1 ? end : place);
        }
    }
}

} // namespace aifabric
} // namespace ns3
