/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFTER_CHECK_H
#define AFTER_CHECK_H

#include "step-roles.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Check that each after of a plan names steps that come before, or elsewhere in the same phase when
 * that is repeated; that a host of the step takes part in each of them; and that each of its hosts
 * takes part in one of them, unless it receives a message or has done nothing before.
 *
 * @param roles roles by host
 * @throws std::invalid_argument with one line that names the place and the step or host
 */
void CheckAfter(const TrainingPlan& plan, const std::vector<Roles>& roles);

} // namespace aifabric
} // namespace ns3

#endif /* AFTER_CHECK_H */
