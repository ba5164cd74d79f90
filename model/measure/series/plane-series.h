/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANE_SERIES_H
#define PLANE_SERIES_H

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
 * What a PlaneSampler saw in a run, or in a part of it (RunMeasures says what a part is): plain
 * numbers, which outlive the simulation.
 */
struct PlaneSeries
{
    /// Entropy values (EV) of a plane, of all queue pairs of MRC, by their state.
    struct EvCounts
    {
        uint64_t good{0};       //!< EntropySet::State::GOOD
        uint64_t skip{0};       //!< SKIP
        uint64_t assumedBad{0}; //!< ASSUMED_BAD
        uint64_t denied{0};     //!< DENIED
        uint64_t active{0};     //!< of all these, those in use: the others are backups or retired
    };

    /// An entropy value is out of use from now on, or may be used again.
    struct EvChange
    {
        int64_t timePs;     //!< when, in picoseconds
        uint32_t host;      //!< the host that sends
        uint32_t queuePair; //!< its queue pair's number
        uint32_t peer;      //!< the host that receives
        uint32_t plane;     //!< the plane of the EV
        uint32_t path;      //!< its path in the plane: the label of PathView
        uint32_t state;     //!< an EntropySet::State: GOOD, ASSUMED_BAD or DENIED
    };

    uint32_t planes{0};              //!< the number of planes
    bool hasEvs{false};              //!< queue pairs may have entropy values
    std::vector<uint32_t> hosts;     //!< hosts that have counts of their own
    std::vector<int64_t> times;      //!< begin of the first interval, ends of all, in ps
    std::vector<uint64_t> bytes;     //!< sent by all NICs so far, by time and plane
    std::vector<uint64_t> hostBytes; //!< sent by a host's NIC so far, by time, host and plane
    std::vector<EvCounts> evs;       //!< by time and plane; empty without EVs
    std::vector<EvChange> changes;   //!< in the order of time

    /// Forget every other time, from the second one on.
    void Thin();

    /// Put changes in an order that is the same for any number of parts.
    void SortChanges();

    /**
     * Add what another part of the same run has seen at the same times. Hosts that the other part
     * does not simulate add nothing.
     *
     * @param other the other series
     * @throws std::invalid_argument if they are of other times, planes or hosts
     */
    void Merge(const PlaneSeries& other);

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the series
     * @throws std::invalid_argument if it is damaged or something else
     */
    static PlaneSeries Read(const std::string& bytes);
};

} // namespace aifabric
} // namespace ns3

#endif /* PLANE_SERIES_H */
