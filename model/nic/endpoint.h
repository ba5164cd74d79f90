/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENDPOINT_H
#define ENDPOINT_H

#include "ns3/data-rate.h"
#include "ns3/fabric-frame.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <ostream>

namespace ns3
{
namespace aifabric
{

class EndpointNic;

/**
 * @ingroup ai-fabric
 *
 * How an endpoint answers a frame: with none, one or several frames. They wait in the queue of
 * their class at the port where the frame came in.
 */
class Outbox
{
  public:
    /// @param port where the frame came in  @param now the current time, in picoseconds
    /// @param heldFor how long the frame has waited in the host, in picoseconds
    Outbox(EndpointNic& nic, uint16_t port, int64_t now, int64_t heldFor = 0)
        : m_nic(nic),
          m_port(port),
          m_now(now),
          m_heldFor(heldFor)
    {
    }

    /// @return a new frame
    Ptr<FabricFrame> CreateFrame() const;

    /// Send a frame.  @param frame the frame, complete but for its ingress
    void Send(Ptr<FabricFrame> frame) const;

    /// @return the current time, in picoseconds
    int64_t GetNow() const
    {
        return m_now;
    }

    /// @return the port where the frame came in
    uint16_t GetPort() const
    {
        return m_port;
    }

  private:
    EndpointNic& m_nic; //!< the NIC
    uint16_t m_port;    //!< where the frame came in
    int64_t m_now;      //!< the current time, in picoseconds
    int64_t m_heldFor;  //!< how long the frame has waited in the host, in picoseconds
};

/// Ports of a NIC that an endpoint may choose from.
struct PortRequest
{
    uint32_t planes; //!< how many ports there are, one a plane
    uint32_t free;   //!< bit p set: port p can begin a packet of the endpoint at once
    int64_t now;     //!< the current time
};

/// Which port an endpoint wants.
struct PortChoice
{
    uint16_t plane; //!< the port
    bool anyPlane;  //!< another port may send the packet that can do so earlier
};

/**
 * @ingroup ai-fabric
 *
 * What a NIC serves: something with a number that makes frames when a port is free for them, and
 * gets the frames that are sent to this number: one end of a transport.
 *
 * Call EndpointNic::BeginChange() before and EndChange() after any change that affects CanSend():
 * frames that should have started before are made first. Times are in picoseconds.
 */
class alignas(64) Endpoint : public Object
{
  public:
    bool isReady{false};      //!< for the NIC: it stands in line for a port
    bool isBackground{false}; //!< no run waits for what it sends

    static constexpr uint8_t NO_LINE = UINT8_MAX; //!< no line of a NIC
    uint8_t pacedLine{NO_LINE}; //!< for the NIC: the line where it waits for GetNextTime()

    /// What an endpoint has made of a frame.
    enum class Reception : uint8_t
    {
        DATA,    //!< it was data
        REPORT,  //!< it reported on data that was sent
        TRIMMED, //!< it was trimmed, and of no use
        UNKNOWN, //!< it was of no use
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Give it its place. Called by its NIC, once.
     *
     * @param number its number there: 24 bits
     * @param stream the first of the random streams for its policies
     */
    virtual void Install(EndpointNic* nic, uint32_t number, int64_t stream) = 0;

    // Sending

    /// @return whether there is a packet that may be sent, now or when GetNextTime() comes
    virtual bool CanSend() const = 0;

    /// @return the earliest time at which its rate allows the next packet
    virtual int64_t GetNextTime() const = 0;

    /// @return whether GetNextTime() has changed since the last call, other than by Fill(); false
    /// unless overridden
    virtual bool TakeMoved();

    /// @return the traffic class of its packets
    virtual uint8_t GetClass() const = 0;

    /// @return the turn of what it would send (EndpointNic::TakeTurn()): OldestFirstScheduler
    /// serves the smallest first. To be called only if it can send
    virtual uint64_t GetTurn() const = 0;

    /// @return bytes of a full packet on the wire, which a common rate of several ports is charged
    /// with until the packet is made
    virtual uint32_t GetPacketBytes() const = 0;

    /**
     * Choose the port of the next packet. Called if there are several, when the endpoint gets in
     * line and can send.
     *
     * @return which it wants: the first that can send the packet, unless overridden; none: it
     * waits until a port becomes free, and is asked again
     */
    virtual std::optional<PortChoice> ChoosePort(const PortRequest& ports);

    /**
     * Make the next packet; called only if it can send.
     *
     * @param frame where; a new frame
     * @param start when its transmission begins; maybe in the past
     */
    virtual void Fill(FabricFrame& frame, int64_t start) = 0;

    /// The rate of the port has changed.
    virtual void LineRateChanged(DataRate lineRate);

    /// Ports of the NIC have failed or work again.  @param local bit p set: port p has a link
    virtual void PortsChanged(uint32_t local);

    // Receiving

    /**
     * A frame has come.
     *
     * @param outbox how to answer
     * @return what was made of it
     */
    virtual Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) = 0;

    // Prefetching: nothing else depends on it

    /// A frame will be received soon: get what it will touch into the cache.
    /// @param step 1: of the endpoint, 2: of what it points to
    virtual void PrefetchArrival(const FabricFrame& frame, uint32_t step) const;

    /// A packet will be made soon: get what it will touch into the cache.  @param step as above
    virtual void PrefetchDeparture(uint32_t step) const;

    // State

    /// @return whether it has work that is not done; unless overridden, whether it can send
    virtual bool IsPending() const;

    /// @return a number that grows as long as it gets on
    virtual uint64_t GetProgress() const = 0;

    /// @return whether it has given up; false unless overridden
    virtual bool HasFailed() const;

    /// Say in one line what it is and why it waits, for a report of a stall.
    virtual void Describe(std::ostream& os) const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* ENDPOINT_H */
