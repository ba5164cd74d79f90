/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_MESSAGE_NUMBERS_H
#define MRC_MESSAGE_NUMBERS_H

#include "ns3/growing-ring.h"
#include "ns3/message-ledger.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The numbers that an MRC requestor gives its messages in the METH: MSN, that of the message, and
 * RQMSN, that of the message among those with an immediate; and the immediates themselves. Numbers
 * count from 0 and have 16 bits in the header.
 */
class MrcMessageNumbers
{
  public:
    /// What the packets of a message carry.
    struct Names
    {
        uint16_t msn;                      //!< messages that were posted before it
        uint16_t rqmsn;                    //!< of these, with an immediate; 0: it has none itself
        std::optional<uint32_t> immediate; //!< its own, if it has one
    };

    /// A message with an immediate is posted.  @param first its first packet
    /// @param value the immediate
    void PostImmediate(uint64_t first, uint32_t value)
    {
        m_immediates.push_back({first, value});
    }

    /// @return messages with an immediate that are not acknowledged
    uint32_t CountImmediates() const
    {
        return m_immediates.size();
    }

    /// @return what a packet carries; first transmissions are in order
    /// @param message the message of the packet, which is not acknowledged
    Names Find(const PostedMessage& message);

    /// The receiver has all packets before one.  @param number the packet
    void Acknowledge(uint64_t number);

    /// @return messages that the receiver has whole
    uint32_t GetAcknowledged() const
    {
        return m_acknowledged;
    }

  private:
    /// A message that was begun.
    struct Span
    {
        uint64_t first; //!< its first packet
        uint64_t end;   //!< the number after its last packet
    };

    /// A message with an immediate.
    struct Immediate
    {
        uint64_t first; //!< its first packet
        uint32_t value; //!< the immediate
    };

    GrowingRing<Span> m_begun;            //!< messages that are not acknowledged
    GrowingRing<Immediate> m_immediates;  //!< of messages that are not acknowledged
    uint32_t m_acknowledged{0};           //!< messages acknowledged
    uint32_t m_acknowledgedImmediates{0}; //!< of these, with an immediate
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_MESSAGE_NUMBERS_H */
