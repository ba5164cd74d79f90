/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "step-roles.h"

namespace ns3
{
namespace aifabric
{

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

std::vector<Roles>
RolesOf(const TrainingPlan& plan, uint32_t hosts)
{
    const auto steps = AllSteps(plan);
    std::vector<Roles> roles(hosts);
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        const TrainingStep& step = *steps[i];
        if (step.kind == TrainingStep::Kind::MESSAGE)
        {
            roles[step.source].push_back({i, Role::SENDER});
            roles[step.destination].push_back({i, Role::RECEIVER});
            continue;
        }
        for (const uint32_t host : plan.communicators[step.communicator].hosts)
        {
            roles[host].push_back({i, Role::MEMBER});
        }
    }
    return roles;
}

} // namespace aifabric
} // namespace ns3
