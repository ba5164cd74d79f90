/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEP_ROLES_H
#define STEP_ROLES_H

#include "training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
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
std::vector<const TrainingStep*> AllSteps(const TrainingPlan& plan);

/// @return what each host is in each step, by host
std::vector<Roles> RolesOf(const TrainingPlan& plan, uint32_t hosts);

} // namespace aifabric
} // namespace ns3

#endif /* STEP_ROLES_H */
