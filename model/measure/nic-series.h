/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIC_SERIES_H
#define NIC_SERIES_H

#include "nic-counters.h"

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
 * The counters of all NICs over time, as a NicSampler read them in a run, or in a part of it
 * (RunMeasures says what a part is): plain numbers, which outlive the simulation.
 */
struct NicSeries
{
    uint64_t nics{0};                       //!< how many there are
    std::vector<int64_t> times;             //!< begin of the first interval, ends of all, in ps
    std::vector<NicCounters::Entry> states; //!< sums since the start, by time, then host

    /// Forget every other time, from the second one on.
    void Thin();

    /**
     * Add what another part of the same run has seen at the same times.
     *
     * @param other the other series
     * @throws std::invalid_argument if they are of other times or NICs
     */
    void Merge(const NicSeries& other);

    /// @return what a NIC counted in an interval  @param interval its number, from 1 on
    NicCounters::Entry GetChange(std::size_t interval, std::size_t nic) const;

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the series
     * @throws std::invalid_argument if it is damaged or something else
     */
    static NicSeries Read(const std::string& bytes);
};

} // namespace aifabric
} // namespace ns3

#endif /* NIC_SERIES_H */
