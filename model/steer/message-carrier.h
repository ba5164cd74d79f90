/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_CARRIER_H
#define MESSAGE_CARRIER_H

#include "flow.h"

#include "ns3/callback.h"
#include "ns3/object.h"
#include "ns3/policy-counters.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class MessageService;
class MessageSteering;

/**
 * @ingroup ai-fabric
 *
 * Carries the messages of a MessageService over the network, and reports to the service what has
 * come and what is acknowledged (PartReceived(), PartCompleted()).
 */
class MessageCarrier : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Serve a service, which has its NICs. To be called once.
     *
     * @param service has the messages; must outlive the carrier
     */
    virtual void Install(MessageService& service) = 0;

    /**
     * Open the connections that a message will use, as far as they are known and not open yet.
     * Unless overridden, they are opened as messages need them.
     *
     * @param flow the message; its start does not matter
     */
    virtual void Open(const Flow& flow);

    /**
     * Carry a message that was started.
     *
     * @param message its number
     */
    virtual void Carry(uint32_t message) = 0;

    /**
     * Ask the source of a message for it, which is a read: MessageService::RequestReceived() is to
     * be called there. Unless overridden, reads are refused.
     *
     * @param message its number
     */
    virtual void Ask(uint32_t message);

    /// A read that was asked for has come.  @param message its number
    virtual void ReadReceived(uint32_t message);

    /**
     * Assign fixed random streams.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;

    /// @return whether it makes a difference that a receiver says which messages it awaits
    virtual bool TakesReceives() const;

    /// A receiver is ready for a message. Unless overridden, nothing follows.
    /// @param flow the message; its start does not matter
    virtual void PostReceive(const Flow& flow);

    /// Set what is called when a queue pair fails.  @param failed called at each failure
    virtual void SetFailureCallback(const Callback<void>& failed) = 0;

    /// Abort all queue pairs, and forget all messages. The next messages take new queue pairs.
    virtual void Abort() = 0;

    /// Add what it and its steerings have counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const = 0;

    /// @return the most queue pairs of one host that had something to send at any time
    virtual uint32_t GetMostActive() const = 0;

    /// @return a host's steering
    virtual Ptr<MessageSteering> GetSteering(uint32_t host) const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* MESSAGE_CARRIER_H */
