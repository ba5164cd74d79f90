/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIC_COUNTERS_H
#define NIC_COUNTERS_H

#include "port-catalog.h"

#include "ns3/pause-counts.h"
#include "ns3/roce-net-device.h"

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
 * The counters of all NICs under the names that mlx5 NICs have for them: plain numbers, which
 * outlive the simulation.
 */
struct NicCounters
{
    /// A NIC.
    struct Entry
    {
        uint64_t dataPackets{0};        //!< data packets sent, retransmissions included
        uint64_t retransmissions{0};    //!< data packets sent again
        uint64_t outOfSequence{0};      //!< data packets received with an unexpected PSN
        uint64_t duplicateRequests{0};  //!< data packets received that had come before
        uint64_t packetSeqErr{0};       //!< NAKs for a PSN received
        uint64_t localAckTimeoutErr{0}; //!< expirations of retransmission timers
        uint64_t markedPackets{0};      //!< data packets received with CE (ECN)
        uint64_t cnpsSent{0};           //!< CNPs sent
        uint64_t cnpsHandled{0};        //!< CNPs received
        uint64_t discards{0};           //!< frames received and dropped
        uint64_t trimmed{0};            //!< of these, trimmed ones
        uint64_t pauseFrames{0};        //!< PFC frames received, all lossless classes
        uint64_t pauses{0};             //!< pauses of the NIC
        uint64_t pausedPs{0};           //!< their sum, in picoseconds
        uint64_t pauseFramesSent{0};    //!< PFC frames sent
        uint64_t peerPauses{0};         //!< pauses of its switch by the NIC
        uint64_t peerPausedPs{0};       //!< their sum, in picoseconds
        uint64_t stormWarnings{0};      //!< of these, longer than PauseMonitor::StormLimit
    };

    /// A counter.
    struct Field
    {
        const char* name;         //!< its name in tables
        uint64_t Entry::*counter; //!< where it is
        double unit;              //!< how much of the counter is one in tables
    };

    /// @return all counters, in the order of the columns of tables
    static const std::vector<Field>& GetFields();

    std::vector<Entry> nics; //!< by host

    /**
     * Add what another part of the same run has counted.
     *
     * @param other the other counters
     * @throws std::invalid_argument if they are of another fabric
     */
    void Merge(const NicCounters& other);

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the counters
     * @throws std::invalid_argument if it is damaged or something else
     */
    static NicCounters Read(const std::string& bytes);
};

/**
 * @param nics the NICs, by host
 * @param catalog the ports
 * @param pauses what PFC did, by port; nullptr: nothing
 * @return what the NICs have counted so far, in this part of the run
 */
NicCounters MeasureNics(const std::vector<Ptr<RoceNetDevice>>& nics,
                        const PortCatalog& catalog,
                        const PauseCounts* pauses);

} // namespace aifabric
} // namespace ns3

#endif /* NIC_COUNTERS_H */
