/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-bound.h"

#include "ns3/time-units.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// What a GPU sends, or receives: start and time of each message, in ps.
using Work = std::vector<std::pair<int64_t, double>>;

/// @return when all of it can be done, at the earliest, in ps
double
EarliestEnd(Work work)
{
    std::sort(work.begin(), work.end());
    double end = 0;
    for (const auto& [start, duration] : work)
    {
        end = std::max(end, static_cast<double>(start)) + duration;
    }
    return end;
}

} // namespace

double
NodeBoundPs(const std::vector<Flow>& flows, uint64_t rate, int64_t latencyPs)
{
    std::unordered_map<uint32_t, Work> sent;
    std::unordered_map<uint32_t, Work> received;
    for (const Flow& flow : flows)
    {
        if (flow.inNode && flow.bytes > 0)
        {
            const double up = std::floor(flow.GetUpBytes() * BIT_PS_PER_BYTE / rate);
            const double down = std::floor(flow.GetDownBytes() * BIT_PS_PER_BYTE / rate);
            sent[flow.source].emplace_back(flow.startPs, up);
            received[flow.destination].emplace_back(flow.startPs, down);
        }
    }
    double bound = 0;
    for (auto* ends : {&sent, &received})
    {
        for (auto& entry : *ends)
        {
            bound = std::max(bound, EarliestEnd(std::move(entry.second)) + 2.0 * latencyPs);
        }
    }
    return bound;
}

} // namespace aifabric
} // namespace ns3
