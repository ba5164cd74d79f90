/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "process-cost.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace ns3
{
namespace aifabric
{

double
ProcessCost::GetCpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

uint64_t
ProcessCost::GetPeakResidentBytes()
{
    constexpr uint64_t KIB = 1024;
    std::ifstream status("/proc/self/status");
    for (std::string name; status >> name;)
    {
        if (name == "VmHWM:") // rusage has the memory of who has started the process, too
        {
            uint64_t kibibytes = 0;
            status >> kibibytes;
            return kibibytes * KIB;
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * KIB;
}

uint64_t
ProcessCost::GetAvailableBytes()
{
    const uint64_t machine = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    uint64_t group = 0; // the file says "max" if there is no limit
    std::ifstream("/sys/fs/cgroup/memory.max") >> group;
    uint64_t least = group > 0 ? std::min(group, machine) : machine;
    uint64_t pages = 0; // that the process has, with the code of its libraries
    std::ifstream("/proc/self/statm") >> pages;
    const uint64_t mapped = pages * sysconf(_SC_PAGESIZE);
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) // ulimit -v and -d
    {
        rlimit limit{};
        if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        {
            const uint64_t taken = resource == RLIMIT_AS ? mapped : 0;
            least = std::min<uint64_t>(least, limit.rlim_cur - std::min(taken, limit.rlim_cur));
        }
    }
    return least;
}

uint64_t
ProcessCost::RaiseOpenFiles(uint64_t files)
{
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < files && files <= limit.rlim_max)
    {
        limit.rlim_cur = files;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur;
}

double
ProcessCost::GetWallSeconds() const
{
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - m_begin;
    return seconds.count();
}

} // namespace aifabric
} // namespace ns3
