/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAGMENT_H
#define FRAGMENT_H

#include "ns3/gradient-vector.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A piece of a job's gradients, as large as a packet: the values of one worker, or the sum of some
 * workers' values.
 */
struct Fragment
{
    uint64_t key{0};         //!< MakeKey(): equal for all workers
    uint32_t bitmap{0};      //!< bit w set: worker w's values are in the sum
    uint32_t expected{0};    //!< bitmap of the sum that is complete where the fragment is
    uint16_t slot{0};        //!< where a switch adds it up
    uint16_t port{0};        //!< port of the switch by which it came
    uint8_t priority{0};     //!< 0 is the lowest (ESA)
    bool isResent{false};    //!< the worker sends it again
    bool isMarked{false};    //!< a packet of the sum has met congestion
    bool hasCollided{false}; //!< a packet of the sum has found its slot taken
    GradientVector values;   //!< in fixed point

    /// @return the key  @param job number of the job  @param sequence number of the fragment
    static constexpr uint64_t MakeKey(uint16_t job, uint32_t sequence)
    {
        return uint64_t{job} << 32 | sequence;
    }

    /// @return number of the job
    uint16_t GetJob() const
    {
        return key >> 32;
    }

    /// @return number of the fragment in its job
    uint32_t GetSequence() const
    {
        return key;
    }

    /// @return whether nothing is missing of the sum
    bool IsComplete() const
    {
        return (bitmap & expected) == expected;
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAGMENT_H */
