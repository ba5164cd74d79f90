/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEND_ARBITER_H
#define SEND_ARBITER_H

#include "endpoint-scheduler.h"
#include "endpoint.h"

#include "ns3/egress-queues.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-port.h"
#include "ns3/fabric-transmitter.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Puts the endpoints of a NIC in line for its ports. An endpoint that can send stands in one line:
 * that of the only port; with several, that of the port which it chooses; or, if the ports have a
 * rate in common, in a line in front of those. Times are in picoseconds.
 */
class SendArbiter
{
  public:
    /// @param pool where frames come from  @param gap bytes between two frames
    void Install(Ptr<FabricFramePool> pool, uint32_t gap);

    /// Add a port.  @param line its line, new
    void AddPort(const Ptr<FabricPort>& port, const Ptr<EndpointScheduler>& line);

    /// @param line of several ports, in front of theirs; new
    void SetCommonLine(const Ptr<EndpointScheduler>& line);

    /// The ports send data at a fraction of their rates; or these have changed.
    /// @param fraction the fraction, above 0 and up to 1
    void SetRateFraction(double fraction);

    /// @return the fraction
    double GetRateFraction() const
    {
        return m_fraction;
    }

    /// @return how many ports there are
    std::size_t GetPorts() const
    {
        return m_transmitters.size();
    }

    /// @return the sending half of a port  @param port its number
    FabricTransmitter& GetTransmitter(std::size_t port) const
    {
        return *m_transmitters[port];
    }

    /// Something will change that concerns what is sent.
    void BeginChange(int64_t now)
    {
        for (FabricTransmitter* transmitter : m_transmitters)
        {
            transmitter->Advance(now);
        }
    }

    /// It has changed.  @param endpoint whose state has changed
    void EndChange(Endpoint* endpoint, int64_t now);

    /// Endpoints that wait for a free port look for one again, in the order in which they began to
    /// wait, until no port is free: a port has become free, is open again, or its link works.
    void PlaceWaiting(int64_t now);

    /// A port is about to send a packet of an endpoint.  @param bytes of the packet on the wire
    /// @param busy the line of the port
    void PacketDeparts(Endpoint* endpoint, uint32_t bytes, int64_t now, EndpointScheduler& busy);

    /// @return a new frame
    Ptr<FabricFrame> CreateFrame()
    {
        return m_pool->Create();
    }

    /// @return bytes between two frames
    uint32_t GetGap() const
    {
        return m_gap;
    }

    /// Forget all: the simulation ends.
    void Dispose();

  private:
    static constexpr uint8_t ALL_CLASSES = 0xFF;                  //!< traffic classes, a bit each
    static constexpr uint8_t COMMON_LINE = Endpoint::NO_LINE - 1; //!< number of m_common

    /// Put an endpoint that may send and stands in no line into one; with several ports.
    /// @param busy the line whose port is just about to send, or nullptr
    void Enlist(Endpoint* endpoint, int64_t now, const EndpointScheduler* busy);

    /// Put an endpoint in line for a port, or let it wait for a free one.
    /// @param busy the line whose port is just about to send, or nullptr
    void EnlistAtPort(Endpoint* endpoint, int64_t now, const EndpointScheduler* busy);

    /// Put an endpoint in line for the port that it chooses.
    /// @param busy the line whose port is just about to send, or nullptr
    /// @return whether it has chosen one: otherwise it wants one that is not free
    bool EnlistAtChoice(Endpoint* endpoint, int64_t now, const EndpointScheduler* busy);

    /// @return whether a port can begin a packet of an endpoint that waits
    bool HasFreePort(int64_t now) const;

    /// The time of an endpoint that waits for it has moved.
    void Move(Endpoint* endpoint, int64_t now);

    /// An endpoint can send no more: it does not wait any longer.
    void StopWaiting(Endpoint* endpoint);

    /// Look for ports for the endpoints that wait when the next port becomes free.
    void SchedulePlacingOfAll(int64_t now);

    /// @return the ports that can begin a packet at once, a bit each
    /// @param trafficClass the class of the packet
    /// @param busy the line whose port is just about to send, or nullptr
    uint32_t FindFree(uint8_t trafficClass, int64_t now, const EndpointScheduler* busy) const;

    /// Look for a port again when the next one becomes free.
    /// @param trafficClass for packets of this class
    void SchedulePlacing(uint8_t trafficClass, int64_t now);

    /// @return the first port that can send one more packet  @param plane where to begin
    /// @param trafficClass the class of the packet
    /// @param busy the line whose port is just about to send, or nullptr
    uint32_t FindFirst(uint32_t plane,
                       uint8_t trafficClass,
                       int64_t now,
                       const EndpointScheduler* busy) const;

    /// Let endpoints that wait for the common rate of the ports go on to these, as far as it
    /// allows, and schedule the next time.
    void Release(int64_t now);

    /// Schedule the next Release(), unless an earlier one is.
    void ScheduleRelease(int64_t now);

    /// @return time that the common rate is charged with when an endpoint goes on to a port, until
    /// its packet is made
    int64_t GetCharge(const Endpoint& endpoint) const;

    /// Let endpoints go on to ports, and make all ports start what they can.
    void ResumePorts();

    Ptr<FabricFramePool> m_pool;                    //!< where frames come from
    uint32_t m_gap{0};                              //!< bytes between two frames
    std::vector<FabricTransmitter*> m_transmitters; //!< by plane
    std::vector<Ptr<EndpointScheduler>> m_lines;    //!< by plane
    std::vector<Ptr<FabricPort>> m_ports;           //!< by plane
    Ptr<EndpointScheduler> m_common; //!< of several ports, in front of theirs, if m_pacing is not 0
    std::vector<Endpoint*> m_waiting; //!< they want a port that is not free
    std::array<uint32_t, EgressQueues::CLASSES> m_waitingOf{}; //!< how many these are, by class
    double m_fraction{1};        //!< of the rates of the ports, for data
    int64_t m_pacing{0};         //!< of several ports together (Pacing); 0: none
    int64_t m_releaseAt{NEVER};  //!< when Release() is scheduled
    int64_t m_placeAt{NEVER};    //!< when PlaceWaiting() is scheduled
    bool m_resumePending{false}; //!< ResumePorts is scheduled
};

} // namespace aifabric
} // namespace ns3

#endif /* SEND_ARBITER_H */
