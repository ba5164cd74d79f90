/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_FRAMING_H
#define MRC_FRAMING_H

#include "mrc-message-numbers.h"

#include "ns3/ack-report.h"
#include "ns3/connection.h"
#include "ns3/fabric-frame.h"
#include "ns3/requestor.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The headers of an MRC connection at the end that sends data (OCP MRC 1.0): what its data packets
 * carry, and what the SACKs and NACKs of the other end report. MrcCodec has their bits.
 */
class MrcFraming
{
  public:
    /// Write the headers of a data packet, except for those that all packets share.
    void WritePacket(FabricFrame& frame,
                     const Requestor::Departure& departure,
                     const Connection& connection);

    /// @return whether all packets that a SACK acknowledges have been sent: another SACK is forged
    /// or belongs to an earlier connection
    static bool IsPossible(const FabricFrame& sack, const Connection& connection);

    /// Read a SACK, which is possible.  @return what it reports
    AckReport ReadSack(const FabricFrame& sack, const Connection& connection);

    /// Read a NACK that refuses one packet.  @return what it reports
    NackReport ReadNack(const FabricFrame& nack, const Connection& connection) const;

    /// @return the numbers of the messages that this end sends
    MrcMessageNumbers& GetNumbers()
    {
        return m_numbers;
    }

  private:
    /// @return messages that the other end has whole (MSN), 24 bits
    uint32_t GetAcknowledgedMessages() const
    {
        return m_numbers.GetAcknowledged() & PsnWindow::PSN_MASK;
    }

    MrcMessageNumbers m_numbers; //!< of messages that this end sends
    uint64_t m_receivedBytes{0}; //!< payload that the other end has received, by its SACKs
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_FRAMING_H */
