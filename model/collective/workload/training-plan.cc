/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-plan.h"

#include "after-check.h"
#include "step-roles.h"
#include "workload-check.h"

#include <algorithm>
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
            m_coming = phase.repeat > 1 ? OwnNames(phase, step) : std::set<std::string>();
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
    /// @return names of the steps of a phase that the host takes part in  @param first the place of
    /// its first step
    std::set<std::string> OwnNames(const TrainingPhase& phase, std::size_t first) const
    {
        std::set<std::string> names;
        for (std::size_t i = 0; i < phase.steps.size(); ++i)
        {
            if (m_roles[first + i] != Role::NONE)
            {
                names.insert(phase.steps[i].name);
            }
        }
        return names;
    }

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
            if (found != m_latest.end() || m_coming.count(name) > 0)
            {
                waits.insert(found == m_latest.end() ? Last() : found->second);
            }
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
        else if (step.kind == TrainingStep::Kind::MESSAGE)
        {
            const bool isSender = role == Role::SENDER;
            node.kind = isSender ? WorkloadNode::Kind::SEND : WorkloadNode::Kind::RECEIVE;
            node.peer = isSender ? step.destination : step.source;
            node.bytes = step.bytes;
        }
        else if (const std::size_t ranks = m_plan.communicators[step.communicator].hosts.size();
                 step.bytes > 0 && ranks > 1 && (!m_plan.skipBelowRanks || step.bytes >= ranks))
        {
            node.kind = WorkloadNode::Kind::COLLECTIVE;
            node.collective = step.collective;
            node.algorithm = step.algorithm;
            node.bytes = step.bytes;
            node.parts = step.parts;
            node.communicator = step.communicator;
            node.root = step.root;
        }
        return node;
    }

    const TrainingPlan& m_plan;               //!< the plan
    const Roles& m_roles;                     //!< what the host is in each step
    WorkloadProgram m_program;                //!< what was written
    std::map<std::string, uint32_t> m_latest; //!< by name: the latest node
    std::set<std::string> m_coming;           //!< names of its steps of a repeated phase
    uint32_t m_tag{0};                        //!< of the next message
};

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
