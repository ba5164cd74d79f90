/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REACHABILITY_H
#define REACHABILITY_H

#include "latency-histogram.h"

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
 * What the probes of a ReachabilityProber found in a run, or in a part of it (RunMeasures says what
 * a part is): plain numbers, which outlive the simulation.
 *
 * **Conservation**: sent = answered + lost + not due yet.
 */
struct Reachability
{
    /// Probes from the NICs of one rack to those of another one, or of the same.
    struct Pair
    {
        uint64_t sent{0};            //!< probes sent
        uint64_t lost{0};            //!< of these, not answered in time
        uint64_t alerts{0};          //!< times that a NIC found the rack to be unreachable
        LatencyHistogram roundTrips; //!< round-trip times of the others
    };

    std::vector<uint64_t> racks; //!< number of the switch of each rack, in plane 0
    std::vector<Pair> pairs;     //!< by rack of the sender, then of the receiver

    /// @return the sums of all pairs
    Pair Sum() const;

    /**
     * Add what another part of the same run has found.
     *
     * @param other the other results
     * @throws std::invalid_argument if they are of another fabric
     */
    void Merge(const Reachability& other);

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the results
     * @throws std::invalid_argument if it is damaged or something else
     */
    static Reachability Read(const std::string& bytes);
};

} // namespace aifabric
} // namespace ns3

#endif /* REACHABILITY_H */
