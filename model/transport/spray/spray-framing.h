/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPRAY_FRAMING_H
#define SPRAY_FRAMING_H

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
 * The headers of a sprayed connection: where a packet belongs in its message, and how reports are
 * written into ACKs and read from them. SprayCodec has their bits.
 */
class SprayFraming
{
  public:
    /// Write the headers of a data packet, except for those that all packets share.
    static void WritePacket(FabricFrame& frame,
                            const Requestor::Departure& departure,
                            const Connection& connection);

    /// @return the place of a data packet in its message, in packets
    static uint32_t GetOffset(const FabricFrame& frame)
    {
        return frame.offset & ~RETRANSMISSION;
    }

    /// Write the report of an ACK.  @param trigger the packet that triggers it
    static void WriteReport(FabricFrame& ack,
                            const AckReport& report,
                            const FabricFrame& trigger,
                            const Connection& connection);

    /// @return the report of an ACK
    static AckReport ReadAck(const FabricFrame& ack, const Connection& connection);

    /// @return the report of a NACK
    static NackReport ReadNack(const FabricFrame& nack, const Connection& connection);

  private:
    static constexpr uint32_t RETRANSMISSION = 1U << 31; //!< in FabricFrame::offset: sent before
};

} // namespace aifabric
} // namespace ns3

#endif /* SPRAY_FRAMING_H */
