/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ARRIVAL_LEDGER_H
#define ARRIVAL_LEDGER_H

#include "ns3/growing-ring.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// A message of the other end that has begun to come.
struct ArrivingMessage
{
    uint64_t end;   //!< the number after its last packet
    uint32_t bytes; //!< its length
    uint32_t key;   //!< what it is known by
};

/**
 * @ingroup ai-fabric
 *
 * The messages of the other end that have begun to come and are not whole, by number. Packets come
 * in any order, so a message may begin before the one in front of it has.
 */
class ArrivalLedger
{
  public:
    /// A message has begun to come, or begins again by a repair packet.
    void Announce(const ArrivingMessage& message);

    /// @return whether there is none
    bool IsEmpty() const
    {
        return m_messages.empty();
    }

    /// @return whether the first message, of at least one, has come whole  @param expected the
    /// first packet that has not come
    bool IsFirstWhole(uint64_t expected) const
    {
        return m_messages.front().end <= expected;
    }

    /// @return the first message, which leaves the ledger
    ArrivingMessage TakeFirst()
    {
        return m_messages.pop_front();
    }

  private:
    GrowingRing<ArrivingMessage, 1> m_messages; //!< by number
};

} // namespace aifabric
} // namespace ns3

#endif /* ARRIVAL_LEDGER_H */
