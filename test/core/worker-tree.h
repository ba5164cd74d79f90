/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKER_TREE_H
#define WORKER_TREE_H

#include "core-test.h"

namespace coretest
{

/// Jobs of workers in one rack or two, with a memory for each rack and one above them; what random
/// schedules of in-network aggregation have in common.
class WorkerTree
{
  protected:
    explicit WorkerTree(uint32_t seed)
        : m_random(seed)
    {
    }

    /// @return a number from 0 to the most
    uint32_t Draw(uint32_t most)
    {
        return std::uniform_int_distribution<uint32_t>(0, most)(m_random);
    }

    /// @return a worker's value of a fragment
    int32_t ValueOf(uint32_t job, uint32_t worker, uint32_t sequence, uint32_t v = 0) const
    {
        std::minstd_rand random(1 + job * 7919 + worker * 104729 + sequence * 1299709 + v * 31);
        random.discard(3);
        return static_cast<int32_t>(random() % 2000001) - 1000000;
    }

    uint32_t RackOf(uint32_t worker) const
    {
        return m_racks == 1 ? 0 : worker % 2;
    }

    /// @return bitmap of the workers below a memory
    uint32_t ExpectedIn(uint32_t place) const
    {
        uint32_t bitmap = 0;
        for (uint32_t w = 0; w < m_workers; ++w)
        {
            bitmap |= m_racks == 1 || place == 2 || RackOf(w) == place ? 1U << w : 0;
        }
        return bitmap;
    }

    std::mt19937 m_random; //!< draws the schedule
    uint32_t m_jobs;       //!< number of jobs
    uint32_t m_workers;    //!< workers of each job
    uint32_t m_loss;       //!< percent of packets that are lost, and percent that come twice
    uint32_t m_racks;      //!< 1 or 2
};

} // namespace coretest

#endif /* WORKER_TREE_H */
