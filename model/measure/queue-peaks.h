/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_PEAKS_H
#define QUEUE_PEAKS_H

#include "port-catalog.h"

#include "ns3/fabric-graph.h"

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
 * The high-water marks of queues and buffers in a run, or in a part of it (RunMeasures says what a
 * part is): plain numbers, which outlive the simulation.
 */
struct QueuePeaks
{
    /// A number that is none.
    static constexpr uint64_t NONE = UINT64_MAX;

    /// A queue.
    struct Queue
    {
        uint64_t port{0};      //!< index of its port in the PortCatalog
        uint64_t classes{0};   //!< the traffic classes that it serves (bit c set: class c)
        uint64_t maxBytes{0};  //!< the most bytes that waited
        uint64_t maxFrames{0}; //!< the most frames that waited
    };

    /// The memory of a switch, or the share of a port where each has one of its own.
    struct Buffer
    {
        uint64_t switchId{NONE}; //!< the switch, if its ports share the buffer
        uint64_t port{NONE};     //!< index of the port in the PortCatalog, if it is its own
        uint64_t size{0};        //!< what it holds, in bytes
        uint64_t maxBytes{0};    //!< the most bytes that waited
        uint64_t passes{0};      //!< how often it came to be fuller than QueueMonitor::HighWater
    };

    std::vector<Queue> queues;   //!< by port, then from the lowest class up
    std::vector<Buffer> buffers; //!< by switch or port

    /**
     * Add what another part of the same run has seen.
     *
     * @param other the other marks
     * @throws std::invalid_argument if they are of another fabric
     */
    void Merge(const QueuePeaks& other);

    /// @return the name of a buffer: that of its switch or its port  @param catalog its ports
    static std::string GetName(const Buffer& buffer,
                               const FabricGraph& graph,
                               const PortCatalog& catalog);

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the marks
     * @throws std::invalid_argument if it is damaged or something else
     */
    static QueuePeaks Read(const std::string& bytes);
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_PEAKS_H */
