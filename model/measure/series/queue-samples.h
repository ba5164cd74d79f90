/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_SAMPLES_H
#define QUEUE_SAMPLES_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a QueueSampler saw in a run, or in a part of it (RunMeasures says what a part is): plain
 * numbers, which outlive the simulation.
 */
struct QueueSamples
{
    /// What the queues of a layer hold at a time.
    struct LayerState
    {
        uint64_t frames{0};      //!< waiting or in transmission
        uint64_t bytes{0};       //!< waiting
        uint64_t maxFrames{0};   //!< waiting or in transmission at the fullest port
        uint64_t pausedPorts{0}; //!< ports with a class that is paused
    };

    std::vector<int64_t> times;     //!< when samples were taken, in ps
    std::vector<LayerState> states; //!< by time and then by layer

    /**
     * Add what another part of the same run has seen at the same times: sums, and the larger of two
     * maxima. Idle ports add nothing.
     *
     * @param other the other samples
     * @throws std::invalid_argument if they are of other times or layers
     */
    void Merge(const QueueSamples& other);

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the samples
     * @throws std::invalid_argument if it is damaged or something else
     */
    static QueueSamples Read(const std::string& bytes);
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_SAMPLES_H */
