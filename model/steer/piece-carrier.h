/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIECE_CARRIER_H
#define PIECE_CARRIER_H

#include "ns3/queue-pair.h"

#include <cstdint>
#include <functional>

namespace ns3
{
namespace aifabric
{

class MessageService;

/**
 * @ingroup ai-fabric
 *
 * Carries the pieces into which a MessageSteering divides messages.
 */
class PieceCarrier
{
  public:
    /// Called with a queue pair, and whether it is new.
    using Prepare = std::function<void(const Ptr<QueuePair>&, bool)>;

    virtual ~PieceCarrier();

    /// @return the service, which has the messages
    virtual MessageService& GetService() const = 0;

    /**
     * Post a piece on a lane that may be used by others too.
     *
     * @param bytes its length, in bytes
     * @param lane the number of the lane
     * @return the number of its queue pair
     */
    virtual uint32_t Post(uint32_t message, uint64_t bytes, uint32_t lane) = 0;

    /**
     * Post a piece on a lane that has no other message until the piece is acknowledged.
     *
     * @param bytes its length, in bytes
     * @param prepare called before the piece is posted
     */
    virtual void PostAlone(uint32_t message, uint64_t bytes, const Prepare& prepare) = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* PIECE_CARRIER_H */
