/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_COUNTS_H
#define PAUSE_COUNTS_H

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
 * What PFC did in a run, or in a part of it (RunMeasures says what a part is): plain numbers, which
 * outlive the simulation. One entry is about the traffic class of a port that its peer may pause.
 */
struct PauseCounts
{
    /// A class of a port.
    struct Entry
    {
        uint64_t sent{0};           //!< PFC frames for the class that the port has sent
        uint64_t received{0};       //!< PFC frames for the class that have arrived
        uint64_t pauses{0};         //!< pauses of the class, each with all its refreshing frames
        int64_t pausedPs{0};        //!< their sum, in picoseconds
        int64_t longestPs{0};       //!< the longest of them, in picoseconds
        uint64_t storms{0};         //!< of them, longer than PauseMonitor::StormLimit
        uint64_t watchdogStorms{0}; //!< storms that a PfcWatchdog has detected
        uint64_t watchdogDrops{0};  //!< frames that it has dropped
    };

    std::vector<uint8_t> classes; //!< the lossless classes, ascending
    std::vector<Entry> entries;   //!< by port of the PortCatalog, then class

    /// @return an entry  @param port index in the PortCatalog  @param index index in classes
    Entry& At(std::size_t port, std::size_t index)
    {
        return entries.at(port * classes.size() + index);
    }

    /// @return an entry  @param port index in the PortCatalog  @param index index in classes
    const Entry& At(std::size_t port, std::size_t index) const
    {
        return entries.at(port * classes.size() + index);
    }

    /// @return the sums of all entries; of the longest pauses, the longest
    Entry Sum() const;

    /**
     * Add what another part of the same run has counted.
     *
     * @param other the other counts
     * @throws std::invalid_argument if they are of other classes or ports
     */
    void Merge(const PauseCounts& other);

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the counts
     * @throws std::invalid_argument if it is damaged or something else
     */
    static PauseCounts Read(const std::string& bytes);
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_COUNTS_H */
