/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "compute-bound.h"

#include "host-streams.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the time that a node takes whatever the fabric does, in ps
int64_t
DelayOf(const WorkloadNode& node)
{
    return node.kind == WorkloadNode::Kind::COMPUTE ? node.durationPs : 0;
}

/// @return the longest chain of nodes that wait for each other, in ps
int64_t
LongestChain(const WorkloadProgram& program, const StreamTable& streams)
{
    std::vector<std::vector<uint32_t>> dependents(program.size());
    std::vector<std::vector<uint32_t>> followers(program.size()); // which wait for the begin
    std::vector<std::size_t> waiting(program.size());
    std::vector<uint32_t> ready;
    for (uint32_t i = 0; i < program.size(); ++i)
    {
        for (const std::vector<uint32_t>* others :
             {&program[i].dependencies, &streams.PredecessorsOf(i)})
        {
            waiting[i] += others->size();
            for (const uint32_t other : *others)
            {
                dependents[other].push_back(i);
            }
        }
        waiting[i] += program[i].startDependencies.size();
        for (const uint32_t other : program[i].startDependencies)
        {
            followers[other].push_back(i);
        }
        if (waiting[i] == 0)
        {
            ready.push_back(i);
        }
    }
    std::vector<int64_t> begin(program.size()); // by node
    int64_t longest = 0;
    while (!ready.empty())
    {
        const uint32_t node = ready.back();
        ready.pop_back();
        const int64_t end = begin[node] + DelayOf(program[node]);
        longest = std::max(longest, end);
        const auto release = [&](uint32_t dependent, int64_t ps) {
            begin[dependent] = std::max(begin[dependent], ps);
            if (--waiting[dependent] == 0)
            {
                ready.push_back(dependent);
            }
        };
        for (const uint32_t dependent : dependents[node])
        {
            release(dependent, end);
        }
        for (const uint32_t follower : followers[node])
        {
            release(follower, begin[node]);
        }
    }
    return longest;
}

/// @return the time of the busiest stream, in ps  @param limits nodes that they do at a time
int64_t
BusiestStream(const WorkloadProgram& program,
              const StreamTable& streams,
              const std::vector<uint32_t>& limits)
{
    std::vector<int64_t> work(limits.size());
    for (uint32_t i = 0; i < program.size(); ++i)
    {
        if (streams.StreamOf(i) != StreamTable::NONE)
        {
            work[streams.StreamOf(i)] += DelayOf(program[i]);
        }
    }
    int64_t most = 0;
    for (std::size_t stream = 0; stream < work.size(); ++stream)
    {
        most = std::max(most, work[stream] / limits[stream]);
    }
    return most;
}

} // namespace

int64_t
ComputeBoundPs(const TrainingWorkload& workload,
               uint32_t processorOperations,
               uint32_t streamOperations)
{
    int64_t bound = 0;
    for (const WorkloadProgram& program : workload.programs)
    {
        const StreamTable streams(program);
        const auto limits = streams.GetLimits(processorOperations, streamOperations);
        bound = std::max(
            {bound, LongestChain(program, streams), BusiestStream(program, streams, limits)});
    }
    return bound;
}

} // namespace aifabric
} // namespace ns3
