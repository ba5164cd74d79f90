/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_SERIES_H
#define LINK_SERIES_H

#include <cstddef>
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
 * What a LinkSampler saw in a run, or in a part of it (RunMeasures says what a part is): plain
 * numbers, which outlive the simulation.
 */
struct LinkSeries
{
    /// A port at a time; all but the waiting bytes are sums since the start.
    struct State
    {
        uint64_t bytes{0};   //!< bytes on the wire of the frames that it has begun to send
        int64_t busyPs{0};   //!< time spent sending, gaps included, in picoseconds
        uint64_t waiting{0}; //!< bytes that wait
    };

    uint64_t ports{0};          //!< how many there are, in the order of the PortCatalog
    std::vector<int64_t> times; //!< begin of the first interval, ends of all, in picoseconds
    std::vector<State> states;  //!< by time, then port

    /// Forget every other time, from the second one on.
    void Thin();

    /**
     * Add what another part of the same run has seen at the same times.
     *
     * @param other the other series
     * @throws std::invalid_argument if they are of other times or ports
     */
    void Merge(const LinkSeries& other);

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the series
     * @throws std::invalid_argument if it is damaged or something else
     */
    static LinkSeries Read(const std::string& bytes);
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_SERIES_H */
