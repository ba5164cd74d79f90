/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACK_POLICY_H
#define ACK_POLICY_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * When a responder acknowledges packets that it has accepted. A packet that it refuses is answered
 * at once, whatever the policy. An object has attributes and no state, so queue pairs share it.
 *
 * A subclass named XyzAckPolicy is offered as `--ackPolicy=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class AckPolicy : public Object
{
  public:
    /// What a responder knows when a packet has come.
    struct Arrival
    {
        uint32_t unreported; //!< bytes since the last acknowledgement, with this packet: payload,
                             //!< and headers if the transport counts them; each packet counts as
                             //!< GetLeastCount() or more
        bool isInOrder;      //!< the packet is the one that was expected
        bool isMarked;       //!< it was marked (ECN)
        bool isRequested;    //!< it asks for an acknowledgement (the AckReq bit of its BTH)
        bool isFirst;        //!< it is the first packet of the connection
        bool fillsGap;       //!< nothing is missing any more, and while something was, a packet
                             //!< asked for an acknowledgement
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return whether an acknowledgement is due  @param arrival the packet that has come
    virtual bool IsDue(const Arrival& arrival) const = 0;

    /// @return whether each packet is acknowledged; then IsDue() is not called, and each packet
    /// requests an ACK. Otherwise the last packet of a message, a retransmission, and a packet that
    /// fills the window request one.
    virtual bool IsEach() const;

    /// @return the smallest window, in bytes, at which a full window still triggers an ACK without
    /// requests for one with each packet; 0 here
    virtual uint32_t GetLeastWindow() const;

    /// @return the least that a packet adds to the bytes since the last acknowledgement; 0 here
    virtual uint32_t GetLeastCount() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* ACK_POLICY_H */
