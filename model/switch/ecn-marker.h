/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ECN_MARKER_H
#define ECN_MARKER_H

#include "ns3/object.h"
#include "ns3/policy-counters.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * When a switch marks packets with congestion experienced (RFC 3168): a law over the length of the
 * queue that the packet joins or leaves.
 */
class EcnMarker : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Decide about a packet. Departures of one port come in order, those of several ports need not:
     * a marker that draws random numbers has to draw them port by port (FabricTransmitter).
     *
     * @param bytes bytes in the queue of the packet's class, without the packet
     * @param egress the port that the packet is sent by
     * @return whether a packet is to be marked
     */
    virtual bool Marks(uint32_t bytes, const FabricTransmitter& egress) = 0;

    /// @return whether packets are marked when they leave the queue instead of when they join it
    bool IsAtDequeue() const;

    /// @return whether packets are also marked where the next hop is their host
    bool IsAtLastHop() const;

    /**
     * Ports have another fraction of their marking thresholds
     * (FabricTransmitter::GetQueueFactor()), because their links are degraded. Unless a subclass
     * scales its thresholds, it refuses fractions below 1.
     *
     * @param least the least fraction of all ports, in (0, 1]
     */
    virtual void SetLeastFactor(double least);

    /// Add what it has counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const;

    /**
     * Assign fixed random streams to the marker.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    void DoInitialize() override;

    /**
     * Bring the thresholds of a port within LeastBytes and MostBytes, if they are times.
     *
     * @param bytes the longest of them, in bytes
     * @return the factor that all of them need
     */
    double FitTimed(double bytes) const;

  private:
    bool m_atDequeue{false};          //!< mark when a packet leaves
    bool m_atLastHop{true};           //!< mark where the next hop is a host
    uint32_t m_leastBytes{0};         //!< bounds of the longest threshold that is a time
    uint32_t m_mostBytes{UINT32_MAX}; //!< see m_leastBytes
};

} // namespace aifabric
} // namespace ns3

#endif /* ECN_MARKER_H */
