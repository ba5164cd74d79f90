/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POLICY_COUNTERS_H
#define POLICY_COUNTERS_H

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What policies have to tell when a run is over: numbers by name, such as reps_freezes. Each object
 * adds its own to those of the others, so that they are sums over all switches and queue pairs. The
 * name begins with the policy's; RunReport puts them in run.json.
 */
using PolicyCounters = std::map<std::string, uint64_t>;

} // namespace aifabric
} // namespace ns3

#endif /* POLICY_COUNTERS_H */
