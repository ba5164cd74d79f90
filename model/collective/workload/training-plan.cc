/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-plan.h"

#include "workload-check.h"

#include "ns3/message-text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// What a host is in a step.
enum class Role : uint8_t
{
    NONE,     //!< it takes no part
    MEMBER,   //!< one of the communicator
    SENDER,   //!< it sends
    RECEIVER, //!< it receives
};

/// Roles of a host, by step, phase after phase.
using Roles = std::vector<Role>;

/// @return the steps of a plan, phase after phase
std::vector<const TrainingStep*>
AllSteps(const TrainingPlan& plan)
{
    std::vector<const TrainingStep*> steps;
    for (const auto& phase : plan.phases)
    {
        for (const auto& step : phase.steps)
        {
            steps.push_back(&step);
        }
    }
    return steps;
}

/// @return what each host is in each step, by host
std::vector<Roles>
RolesOf(const TrainingPlan& plan, uint32_t hosts)
{
    const auto steps = AllSteps(plan);
    std::vector<Roles> roles(hosts, Roles(steps.size(), Role::NONE));
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        const TrainingStep& step = *steps[i];
        if (step.kind == TrainingStep::Kind::MESSAGE)
        {
            roles[step.source][i] = Role::SENDER;
            roles[step.destination][i] = Role::RECEIVER;
            continue;
        }
        for (const uint32_t host : plan.communicators[step.communicator].hosts)
        {
            roles[host][i] = Role::MEMBER;
        }
    }
    return roles;
}

/// Writes out what the hosts of some roles do.
class ProgramWriter
{
  public:
    /// @param plan the plan; must outlive the writer  @param roles the roles; likewise
    ProgramWriter(const TrainingPlan& plan, const Roles& roles)
        : m_plan(plan),
          m_roles(roles)
    {
    }

    /// @return the program
    WorkloadProgram Write()
    {
        std::size_t step = 0;
        for (const auto& phase : m_plan.phases)
        {
            for (uint32_t round = 0; round < phase.repeat; ++round)
            {
                for (std::size_t i = 0; i < phase.steps.size(); ++i)
                {
                    WriteStep(phase.steps[i], m_roles[step + i]);
                }
            }
            step += phase.steps.size();
        }
        return std::move(m_program);
    }

  private:
    /// Write a step, as often as it is repeated.  @param role the host's role
    void WriteStep(const TrainingStep& step, Role role)
    {
        const uint32_t tag = m_tag; // on all hosts the same, whether they take part or not
        m_tag += step.kind == TrainingStep::Kind::MESSAGE ? step.repeat : 0;
        if (role == Role::NONE)
        {
            return;
        }
        WorkloadNode node = NodeOf(step, role);
        node.dependencies = WaitsOf(step);
        for (uint32_t i = 0; i < step.repeat; ++i)
        {
            node.tag = step.kind == TrainingStep::Kind::MESSAGE ? tag + i : 0;
            m_program.push_back(node);
            node.dependencies = {Last()};
        }
        m_latest[step.name] = Last();
    }

    /// @return index of the node that was written last
    uint32_t Last() const
    {
        return static_cast<uint32_t>(m_program.size() - 1);
    }

    /// @return the nodes that a step waits for
    std::vector<uint32_t> WaitsOf(const TrainingStep& step) const
    {
        std::set<uint32_t> waits;
        if (m_program.empty())
        {
            return {};
        }
        if (!step.after)
        {
            return {Last()};
        }
        for (const auto& name : *step.after)
        {
            const auto found = m_latest.find(name);
            waits.insert(found == m_latest.end() ? Last() : found->second);
        }
        return {waits.begin(), waits.end()};
    }

    /// @return the node of a step  @param role the host's role
    WorkloadNode NodeOf(const TrainingStep& step, Role role) const
    {
        WorkloadNode node;
        node.name = step.name;
        if (step.kind == TrainingStep::Kind::COMPUTE)
        {
            node.durationPs = step.durationPs;
        }
        else if (step.bytes == 0)
        {
            return node; // nothing is sent: a delay of 0
        }
        else if (step.kind == TrainingStep::Kind::MESSAGE)
        {
            const bool isSender = role == Role::SENDER;
            node.kind = isSender ? WorkloadNode::Kind::SEND : WorkloadNode::Kind::RECEIVE;
            node.peer = isSender ? step.destination : step.source;
            node.bytes = step.bytes;
        }
        else if (const std::size_t ranks = m_plan.communicators[step.communicator].hosts.size();
                 ranks > 1 && (!m_plan.skipBelowRanks || step.bytes >= ranks))
        {
            node.kind = WorkloadNode::Kind::COLLECTIVE;
            node.collective = step.collective;
            node.algorithm = step.algorithm;
            node.bytes = step.bytes;
            node.communicator = step.communicator;
            node.root = step.root;
        }
        return node;
    }

    const TrainingPlan& m_plan;               //!< the plan
    const Roles& m_roles;                     //!< what the host is in each step
    WorkloadProgram m_program;                //!< what was written
    std::map<std::string, uint32_t> m_latest; //!< by name: the latest node
    uint32_t m_tag{0};                        //!< of the next message
};

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

/**
 * @param roles roles by host
 * @param step the place of a step
 * @param waits the places of what it waits for
 * @return a host of the step that takes no part in any of them, if there is one
 */
std::optional<std::size_t>
FindStranger(const std::vector<Roles>& roles, std::size_t step, const Places& waits)
{
    for (std::size_t host = 0; host < roles.size(); ++host)
    {
        const Roles& own = roles[host];
        const bool isThere = std::any_of(waits.begin(), waits.end(), [&own](std::size_t other) {
            return own[other] != Role::NONE;
        });
        if (own[step] != Role::NONE && !isThere)
        {
            return host;
        }
    }
    return std::nullopt;
}

/**
 * Check that what a step waits for is done by all of its hosts, in a step before it or earlier in
 * the same phase.
 *
 * @param roles roles by host
 */
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
            for (const auto& name : steps[i]->after.value_or(std::vector<std::string>()))
            {
                const Places& all = places[name];
                const Places waits(all.begin(), std::lower_bound(all.begin(), all.end(), last));
                if (waits.empty())
                {
                    ThrowUnknown(steps, i, name, last);
                }
                if (const auto host = FindStranger(roles, i, waits))
                {
                    throw std::invalid_argument(steps[i]->where + ": after: host " +
                                                std::to_string(*host) + " takes no part in step " +
                                                Quoted(name));
                }
            }
        }
    }
}

/// Refuse a plan with too many nodes before they are written.
void
CheckLength(const TrainingPlan& plan, uint32_t hosts)
{
    uint64_t nodes = 0;
    for (const auto& phase : plan.phases)
    {
        uint64_t ofPhase = 0;
        for (const auto& step : phase.steps)
        {
            ofPhase +=
                uint64_t{step.repeat} * (step.kind == TrainingStep::Kind::MESSAGE
                                             ? 2
                                             : plan.communicators[step.communicator].hosts.size());
            if (ofPhase > MAX_WORKLOAD_NODES || nodes + ofPhase * phase.repeat > MAX_WORKLOAD_NODES)
            {
                throw std::invalid_argument(step.where +
                                            ": too many steps, repeated ones and those of all " +
                                            std::to_string(hosts) + " hosts counted (at most " +
                                            std::to_string(MAX_WORKLOAD_NODES) + ")");
            }
        }
        nodes += ofPhase * phase.repeat;
    }
}

} // namespace

TrainingWorkload
MakeWorkload(const TrainingPlan& plan, uint32_t hosts)
{
    CheckLength(plan, hosts);
    const auto roles = RolesOf(plan, hosts);
    CheckAfter(plan, roles);
    TrainingWorkload workload;
    workload.communicators = plan.communicators;
    workload.barrier = plan.barrier;
    std::map<Roles, uint32_t> programs;
    for (const auto& ofHost : roles)
    {
        if (std::count(ofHost.begin(), ofHost.end(), Role::NONE) ==
            static_cast<std::ptrdiff_t>(ofHost.size()))
        {
            workload.programOf.push_back(TrainingWorkload::NO_PROGRAM);
            continue;
        }
        const auto next = static_cast<uint32_t>(workload.programs.size());
        const auto [program, isNew] = programs.emplace(ofHost, next);
        if (isNew)
        {
            workload.programs.push_back(ProgramWriter(plan, ofHost).Write());
        }
        workload.programOf.push_back(program->second);
    }
    CheckWorkload(workload, hosts);
    return workload;
}

} // namespace aifabric
} // namespace ns3
