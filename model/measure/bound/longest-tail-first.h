/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LONGEST_TAIL_FIRST_H
#define LONGEST_TAIL_FIRST_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Work for the ports of a cut, in ps (proof 1 of lower-bound.cc).
 */
struct PortWork
{
    double release; //!< cannot begin earlier
    double work;    //!< occupies a port so long
    double tail;    //!< completion follows no earlier than this after it
    double least;   //!< the shortest frame in it and its gap
};

/**
 * Add a job as large as it must be when several ports share it.
 *
 * @param jobs where to
 * @param job the job of all ports together
 */
void AddShared(std::vector<PortWork>& jobs, PortWork job, uint32_t ports);

/**
 * @param jobs the work for one port
 * @return the largest of (least release + all work + least tail) over all sets of the jobs
 */
double LongestTailFirst(std::vector<PortWork> jobs);

} // namespace aifabric
} // namespace ns3

#endif /* LONGEST_TAIL_FIRST_H */
