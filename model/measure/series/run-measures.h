/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_MEASURES_H
#define RUN_MEASURES_H

#include "ns3/policy-counters.h"

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
 * What was measured in a run, or in a part of it: plain numbers, which outlive the simulation.
 *
 * **Parts.** A run may be dealt out to several simulations, each of which builds the whole fabric
 * and lets all but its own part stand idle. Each measures all that it has built. Merge() adds
 * up, or takes the larger where a maximum was measured, so that an idle object adds exactly nothing
 * and the merged measures are those of the whole run. What is lost may be counted in another part
 * than what is sent: only the sums obey the conservation law, sent = delivered + lost + in flight.
 *
 * Merge() is commutative and associative, as far as the sums of Port::frameTime are exact; they are
 * where each port is idle in all parts but one.
 */
struct RunMeasures
{
    /// The time of what has not happened.
    static constexpr int64_t NEVER_PS = -1;

    /// What the sending half of a port counted: one direction of a link.
    struct Port
    {
        uint64_t sentFrames{0};      //!< transmissions begun
        uint64_t sentBytes{0};       //!< their bytes on the wire, gaps not counted
        uint64_t lostFrames{0};      //!< frames lost on the link
        uint64_t flightFrames{0};    //!< frames on the link at the end
        uint64_t refusedFrames{0};   //!< frames that did not find room
        int64_t busyTime{0};         //!< time spent sending, gaps included, in time steps
        double frameTime{0};         //!< frames waiting or in transmission, times time, in steps
        uint64_t maxFrames{0};       //!< most frames waiting or in transmission at any time
        uint64_t maxWaitingBytes{0}; //!< most bytes waiting at any time

        /// @return frames that arrived; of a part that has not counted all of the others, nothing
        uint64_t GetDeliveredFrames() const
        {
            return sentFrames - lostFrames - flightFrames;
        }
    };

    /// What became of a flow: the largest of what the parts know.
    struct FlowTimes
    {
        int64_t receivedPs{NEVER_PS};  //!< all of it had come, in ps
        int64_t completedPs{NEVER_PS}; //!< all of it was acknowledged, in ps
        uint64_t pieces{1};            //!< RDMA writes that it was divided into

        /// @return whether all of it had come
        bool IsReceived() const
        {
            return receivedPs != NEVER_PS;
        }

        /// @return whether all of it was acknowledged
        bool IsCompleted() const
        {
            return completedPs != NEVER_PS;
        }
    };

    std::vector<Port> ports;      //!< in the order of PortCatalog::GetPorts()
    PolicyCounters drops;         //!< frames that switches dropped, by FabricSwitch::DropReason
    PolicyCounters totals;        //!< what queue pairs and lossless classes counted
    PolicyCounters policies;      //!< what policies counted
    std::vector<FlowTimes> flows; //!< by flow

    /// @return frames delivered over all links
    uint64_t CountPacketHops() const;

    /**
     * Add what another part of the same run has measured.
     *
     * @param other the other measures
     * @throws std::invalid_argument if they are of another fabric, or of other flows
     */
    void Merge(const RunMeasures& other);

    /// @return all of it as a string of bytes, exactly
    std::string Write() const;

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the measures
     * @throws std::invalid_argument if it is damaged or something else
     */
    static RunMeasures Read(const std::string& bytes);
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_MEASURES_H */
