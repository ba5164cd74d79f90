/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_LIMIT_H
#define QUEUE_LIMIT_H

#include "ns3/fabric-transmitter.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * A limit of the queues of a switch, in bytes: room, or a marking threshold. A port whose link is
 * degraded has a fraction of it (FabricTransmitter::GetQueueFactor()).
 *
 * Next to the limit is the least that a port has of it. Most queues are shorter than that, and need
 * no other comparison. It is 0 until SetLeastFactor() sets it, which changes no result.
 */
class QueueLimit
{
  public:
    /// @param bytes the limit of a port whose link is not degraded
    QueueLimit(uint64_t bytes = 0)
        : m_bytes(bytes)
    {
    }

    /// @return the limit of a port whose link is not degraded, in bytes
    operator uint64_t() const
    {
        return m_bytes;
    }

    /// @param least the least FabricTransmitter::GetQueueFactor() of all ports, in (0, 1]
    void SetLeastFactor(double least)
    {
        m_least = static_cast<uint64_t>(static_cast<double>(m_bytes) * least);
    }

    /// @return what no port has less of than of the limit, in bytes
    uint64_t GetLeast() const
    {
        return m_least;
    }

    /// @return whether a queue is longer than the limit of its port  @param bytes its length
    /// @param egress the port
    bool IsExceeded(uint64_t bytes, const FabricTransmitter& egress) const
    {
        return bytes > m_least && IsExceededAt(bytes, egress);
    }

  private:
    /// IsExceeded() where a port may have less.  @param bytes its length  @param egress the port
    /// @return whether the queue is longer
    [[gnu::noinline]] bool IsExceededAt(uint64_t bytes, const FabricTransmitter& egress) const
    {
        return bytes > egress.ScaleLimit(m_bytes);
    }

    uint64_t m_bytes;    //!< the limit where no link is degraded
    uint64_t m_least{0}; //!< no port has less
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_LIMIT_H */
