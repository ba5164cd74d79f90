/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOTIFICATION_POINT_H
#define NOTIFICATION_POINT_H

#include "connection.h"

#include "ns3/congestion-control.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The notification point of a queue pair (RoCEv2, A17.9.2; Zhu et al., SIGCOMM 2015): the receiver
 * of a marked packet sends a congestion notification packet (CNP) to the sender, unless it has sent
 * one less than a gap ago. Both ends have the same congestion control, so an end knows from its own
 * whether the other one needs CNPs.
 */
class NotificationPoint
{
  public:
    /// What the gap between two CNPs is for.
    enum Scope : uint8_t
    {
        QUEUE_PAIR,  //!< each queue pair
        DESTINATION, //!< all queue pairs of the NIC to the same host
        NIC,         //!< all queue pairs of the NIC
    };

    /// The queue pair begins.  @param control its congestion control
    void Start(const CongestionControl& control);

    /// @return whether the other end needs CNPs
    bool IsOn() const
    {
        return m_isOn;
    }

    /// A marked packet has come; to be called only if it is on.
    /// @param now the current time, in picoseconds
    /// @return whether a CNP is to be sent, which then counts as sent
    bool TakeTurn(const Connection& connection, int64_t now);

    /// Write a CNP.  @param frame where, a new frame  @param data the packet that it answers
    void Write(FabricFrame& frame, const FabricFrame& data, const Connection& connection) const;

    /// A CNP has come.
    void CountReceived()
    {
        ++m_received;
    }

    /// @return CNPs sent
    uint64_t GetSent() const
    {
        return m_sent;
    }

    /// @return CNPs received
    uint64_t GetReceived() const
    {
        return m_received;
    }

    // Attributes

    Time gap;                //!< between two CNPs; 0: what the congestion control asks for
    Scope scope{QUEUE_PAIR}; //!< what the gap is for
    uint8_t dscp{48};        //!< DSCP of CNPs

  private:
    /// @return when the next CNP may be sent
    int64_t& GetNext(const Connection& connection);

    bool m_isOn{false};      //!< the other end needs CNPs
    int64_t m_controlGap{0}; //!< what the congestion control asks for
    int64_t m_next{0};       //!< when the queue pair may send the next one
    uint64_t m_sent{0};      //!< CNPs sent
    uint64_t m_received{0};  //!< CNPs received
};

} // namespace aifabric
} // namespace ns3

#endif /* NOTIFICATION_POINT_H */
