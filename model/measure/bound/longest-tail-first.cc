/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "longest-tail-first.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace ns3
{
namespace aifabric
{

void
AddShared(std::vector<PortWork>& jobs, PortWork job, uint32_t ports)
{
    job.work = std::floor(job.work / ports);
    bool isSame =
        !jobs.empty() && jobs.back().release == job.release && jobs.back().tail == job.tail;
    if (isSame)
    {
        jobs.back().work += job.work;
        jobs.back().least = std::min(jobs.back().least, job.least);
        return;
    }
    jobs.push_back(job);
}

double
LongestTailFirst(std::vector<PortWork> jobs)
{
    auto isEarlier = [](const PortWork& a, const PortWork& b) { return a.release < b.release; };
    auto hasLessTail = [](const PortWork& a, const PortWork& b) { return a.tail < b.tail; };
    std::sort(jobs.begin(), jobs.end(), isEarlier);
    std::priority_queue<PortWork, std::vector<PortWork>, decltype(hasLessTail)> ready(hasLessTail);
    double now = 0;
    double bound = 0;
    for (auto next = jobs.begin(); next != jobs.end() || !ready.empty();)
    {
        if (ready.empty())
        {
            now = std::max(now, next->release);
        }
        for (; next != jobs.end() && next->release <= now; ++next)
        {
            ready.push(*next);
        }
        auto job = ready.top();
        ready.pop();
        auto slice = std::min(
            job.work,
            (next == jobs.end() ? std::numeric_limits<double>::infinity() : next->release) - now);
        now += slice;
        job.work -= slice;
        if (job.work > 0)
        {
            ready.push(job);
            continue;
        }
        bound = std::max(bound, now + job.tail);
    }
    return bound;
}

} // namespace aifabric
} // namespace ns3
