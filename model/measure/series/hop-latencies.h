/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOP_LATENCIES_H
#define HOP_LATENCIES_H

#include "latency-histogram.h"

#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How long frames stay in each switch, in a run or in a part of it (RunMeasures says what a part
 * is): plain numbers, which outlive the simulation.
 */
struct HopLatencies
{
    std::vector<LatencyHistogram> switches; //!< by number of the switch

    /**
     * Add what another part of the same run has seen.
     *
     * @param other the other latencies
     * @throws std::invalid_argument if they are of another fabric
     */
    void Merge(const HopLatencies& other);

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the latencies
     * @throws std::invalid_argument if it is damaged or something else
     */
    static HopLatencies Read(const std::string& bytes);
};

} // namespace aifabric
} // namespace ns3

#endif /* HOP_LATENCIES_H */
