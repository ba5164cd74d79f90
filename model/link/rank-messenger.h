/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_MESSENGER_H
#define RANK_MESSENGER_H

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/rank-transport.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Sends out-of-band messages between ranks. Each rank has a node of its own for them, with a cable
 * to that of each other rank.
 *
 * Messages of one purpose have a messenger of their own. All ranks create their messengers in the
 * same order.
 */
class RankMessenger : public SimpleRefCount<RankMessenger>
{
  public:
    /**
     * @param delay every message is sent earlier than this before it is received: a look-ahead by
     * which ranks keep in step; positive
     * @param receiver called with each message that comes, before frames and out-of-band events of
     * its picosecond
     */
    RankMessenger(Time delay, const RankTransport::Receiver& receiver);

    /**
     * Send a message. Messages that are received at the same time may be received in any order.
     *
     * @param rank another rank
     * @param due when it is received, in picoseconds; later than the delay from now
     */
    void Send(uint32_t rank, const Ptr<Packet>& message, int64_t due) const;

    /**
     * Send a message to all other ranks.
     *
     * @param due when it is received, in picoseconds; later than the delay from now
     */
    void SendToOthers(const Ptr<Packet>& message, int64_t due) const;

  private:
    std::vector<Ptr<NetDevice>> m_peers; //!< the device of each rank that receives from this one
};

} // namespace aifabric
} // namespace ns3

#endif /* RANK_MESSENGER_H */
