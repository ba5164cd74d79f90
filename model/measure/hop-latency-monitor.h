/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOP_LATENCY_MONITOR_H
#define HOP_LATENCY_MONITOR_H

#include "ns3/fabric-frame.h"
#include "ns3/fabric-switch.h"
#include "ns3/hop-latencies.h"
#include "ns3/latency-sums.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Measures how long each frame stays in each switch: from the arrival of its last bit to the begin
 * of its transmission (RFC 1242, section 3.8, store and forward), which is FabricSwitch::Latency
 * and the time in the queue. PFC frames, frames that begin in a switch, and frames that do not
 * leave it are not counted.
 *
 * It observes the ports by their trace sources (FabricPort::Receive, FabricPort::Send), so ports
 * schedule their departures; without it, nothing on the path of a frame is different.
 */
class HopLatencyMonitor
{
  public:
    /// @param switches the switches, by number; must outlive this, which must outlive the
    /// simulation
    explicit HopLatencyMonitor(const std::vector<Ptr<FabricSwitch>>& switches);

    /// @return what was seen until now
    const HopLatencies& GetLatencies() const
    {
        return m_latencies;
    }

    /// @return the times of the frames that have left each switch since the last call, or since
    /// the start
    std::vector<LatencySums> TakeRecent();

  private:
    static constexpr std::size_t LEAST_ARRIVALS = 1024; //!< frames that are kept anyway

    /// A frame that has come to a switch.
    struct Arrival
    {
        Ptr<const FabricFrame> frame; //!< kept, so that no other frame takes its memory
        int64_t time;                 //!< when, in picoseconds
    };

    /// A frame has come.
    void Received(const Ptr<const FabricFrame>& frame);

    /// Forget the frames that only this monitor keeps: switches have dropped or consumed them.
    void ForgetGone();

    /// A frame is sent.
    void Sent(uint32_t switchId, const FabricFrame& frame);

    HopLatencies m_latencies;                                   //!< what was seen
    std::vector<LatencySums> m_recent;                          //!< since TakeRecent(), by switch
    std::unordered_map<const FabricFrame*, Arrival> m_arrivals; //!< frames that may be in switches
    std::size_t m_mostArrivals{LEAST_ARRIVALS};                 //!< with more, some may be gone
};

} // namespace aifabric
} // namespace ns3

#endif /* HOP_LATENCY_MONITOR_H */
