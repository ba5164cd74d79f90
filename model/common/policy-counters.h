/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POLICY_COUNTERS_H
#define POLICY_COUNTERS_H

#include <algorithm>
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
 * What policies, queue pairs and switches have counted when a run is over: numbers by name, such as
 * reps_freezes. Each object adds its own to those of the others, so that they are sums over all
 * switches and queue pairs. RunReport puts them in run.json under that name, and MergeCounters()
 * adds up those of ranks; so who counts something new changes nothing else. The name of what a
 * policy counts begins with the policy's.
 */
using PolicyCounters = std::map<std::string, uint64_t>;

/// Add what others counted; of a name that begins with max_, keep the larger.
inline void
MergeCounters(PolicyCounters& counters, const PolicyCounters& others)
{
    for (const auto& [name, count] : others)
    {
        uint64_t& sum = counters[name];
        sum = name.rfind("max_", 0) == 0 ? std::max(sum, count) : sum + count;
    }
}

} // namespace aifabric
} // namespace ns3

#endif /* POLICY_COUNTERS_H */
