/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEP_ROLES_H
#define STEP_ROLES_H

#include "training-plan.h"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What a host is in a step.
enum class Role : uint8_t
{
    MEMBER,   //!< one of the communicator
    SENDER,   //!< it sends
    RECEIVER, //!< it receives
};

/// A step that a host takes part in.
struct OwnStep
{
    std::size_t place; //!< of the step among all of a plan
    Role role;         //!< what the host is in it

    /// @return the order by place  @param other another one
    bool operator<(const OwnStep& other) const
    {
        return std::tie(place, role) < std::tie(other.place, other.role);
    }
};

/// The steps that a host takes part in, in order.
using Roles = std::vector<OwnStep>;

/// @return the steps of a plan, phase after phase
std::vector<const TrainingStep*> AllSteps(const TrainingPlan& plan);

/// @return what each host does, by host
std::vector<Roles> RolesOf(const TrainingPlan& plan, uint32_t hosts);

} // namespace aifabric
} // namespace ns3

#endif /* STEP_ROLES_H */
