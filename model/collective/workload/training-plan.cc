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

/// The steps of a plan, and the tags of messages.
class PlanSteps
{
  public:
    /// @param plan the plan; must outlive this
    explicit PlanSteps(const TrainingPlan& plan)
        : m_steps(AllSteps(plan))
    {
        uint32_t tag = 0;
        for (const auto& phase : plan.phases)
        {
            uint32_t ofRound = 0;
            for (const auto& step : phase.steps)
            {
                m_tags.push_back(tag + ofRound);
                ofRound += step.kind == TrainingStep::Kind::MESSAGE ? step.repeat : 0;
            }
            m_tagsOfRound.push_back(ofRound);
            tag += phase.repeat * ofRound;
        }
    }

    /// @return a step  @param place among all of the plan
    const TrainingStep& At(std::size_t place) const
    {
        return *m_steps[place];
    }

    /// @return the tag of a message in a round of its phase, on all hosts the same  @param place
    /// that of the step  @param phase number of the phase
    uint32_t GetTag(std::size_t place, std::size_t phase, uint32_t round) const
    {
        return m_tags[place] + round * m_tagsOfRound[phase];
    }

  private:
    std::vector<const TrainingStep*> m_steps; //!< by place
    std::vector<uint32_t> m_tags;             //!< in the first round, by place
    std::vector<uint32_t> m_tagsOfRound;      //!< how many a round has, by phase
};

/// Writes out what the hosts of some roles do.
class ProgramWriter
{
  public:
    /// @param plan the plan; must outlive the writer  @param steps those of the plan; likewise
    ProgramWriter(const TrainingPlan& plan, const PlanSteps& steps)
        : m_plan(plan),
          m_steps(steps)
    {
    }

    /// @return the program  @param roles of the hosts
    WorkloadProgram Write(const Roles& roles)
    {
        auto end = roles.begin();
        std::size_t last = 0; // the place behind the phase
        for (std::size_t phase = 0; phase < m_plan.phases.size(); ++phase)
        {
            last += m_plan.phases[phase].steps.size();
            const auto begin = end;
            end = std::lower_bound(begin, roles.end(), OwnStep{last, Role::MEMBER});
            const uint32_t rounds = m_plan.phases[phase].repeat;
            m_coming.clear();
            for (auto own = begin; own != end && rounds > 1; ++own)
            {
                m_coming.insert(m_steps.At(own->place).name);
            }
            for (uint32_t round = 0; round < rounds; ++round)
            {
                for (auto own = begin; own != end; ++own)
                {
                    WriteStep(*own, m_steps.GetTag(own->place, phase, round), round);
                }
            }
        }
        return std::move(m_program);
    }

  private:
    /// Write a step, as often as it is repeated.  @param tag of the message
    /// @param round of the phase
    void WriteStep(const OwnStep& own, uint32_t tag, uint32_t round)
    {
        const TrainingStep& step = m_steps.At(own.place);
        WorkloadNode node = NodeOf(step, own.role);
        node.dependencies = WaitsOf(step);
        for (uint32_t i = 0; i < step.repeat; ++i)
        {
            node.tag = step.kind == TrainingStep::Kind::MESSAGE ? tag + i : 0;
            if (!step.drawn.empty() && node.kind == WorkloadNode::Kind::COLLECTIVE)
            {
                node.parts = step.drawn[std::size_t{round} * step.repeat + i];
                node.bytes = node.parts->GetSize();
            }
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
    const PlanSteps& m_steps;                 //!< its steps
    WorkloadProgram m_program;                //!< what was written
    std::map<std::string, uint32_t> m_latest; //!< by name: the latest node
    std::set<std::string> m_coming;           //!< names of its steps of a repeated phase
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

/// @return a line for each phase in which steps have an after, and messages do not
std::vector<std::string>
NoteMessagesInOrder(const TrainingPlan& plan)
{
    std::vector<std::string> notes;
    for (const TrainingPhase& phase : plan.phases)
    {
        const auto isInOrder = [](const TrainingStep& step) {
            return step.kind == TrainingStep::Kind::MESSAGE && !step.after;
        };
        const auto count = std::count_if(phase.steps.begin(), phase.steps.end(), isInOrder);
        if (count > 0 && std::any_of(phase.steps.begin(), phase.steps.end(), [](const auto& step) {
                return step.after.has_value();
            }))
        {
            notes.push_back(
                (phase.name.empty() ? "" : phase.name + ": ") + std::to_string(count) +
                (count == 1 ? " message has no after, as other steps have: it waits for "
                            : " messages have no after, as other steps have: each waits for ") +
                "the step before it at its sender and at its receiver");
        }
    }
    return notes;
}

} // namespace

TrainingWorkload
MakeWorkload(const TrainingPlan& plan, uint32_t hosts)
{
    CheckLength(plan, hosts);
    const auto roles = RolesOf(plan, hosts);
    CheckAfter(plan, roles);
    const PlanSteps steps(plan);
    TrainingWorkload workload;
    workload.communicators = plan.communicators;
    workload.barrier = plan.barrier;
    workload.notes = NoteMessagesInOrder(plan);
    std::map<Roles, uint32_t> programs;
    for (const auto& ofHost : roles)
    {
        if (ofHost.empty())
        {
            workload.programOf.push_back(TrainingWorkload::NO_PROGRAM);
            continue;
        }
        const auto next = static_cast<uint32_t>(workload.programs.size());
        const auto [program, isNew] = programs.emplace(ofHost, next);
        if (isNew)
        {
            workload.programs.push_back(ProgramWriter(plan, steps).Write(ofHost));
        }
        workload.programOf.push_back(program->second);
    }
    CheckWorkload(workload, hosts);
    return workload;
}

} // namespace aifabric
} // namespace ns3
