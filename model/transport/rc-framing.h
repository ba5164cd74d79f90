/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RC_FRAMING_H
#define RC_FRAMING_H

#include "connection.h"
#include "message-ledger.h"

#include "ns3/ack-report.h"
#include "ns3/fabric-frame.h"
#include "ns3/frame-codec.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The headers of a reliable connection (InfiniBand Architecture Specification 1.4, volume 1,
 * chapter 9): which opcode a packet of a write has, and how reports are written into an ACK or NAK.
 *
 * A read is a request, whose RETH has its length, and its answer, a message of the other end. Both
 * are acknowledged as those of writes are, and have PSNs of their own end: loss recovery and
 * congestion control are with who sends the data. A NIC would count the PSNs of the answer with the
 * requester's, and acknowledge nothing.
 *
 * A repair packet of an erasure code (StrictRecovery) is an RDMA WRITE ONLY with the PSN of its
 * message's first packet, and an RETH with the message's length, in which the virtual address is
 * the number of the repair packet.
 */
class RcFraming
{
  public:
    /// Write the headers of a packet of a message.  @param index the packet's place in it
    static void WritePacket(FabricFrame& frame,
                            const PostedMessage& message,
                            uint64_t index,
                            const Connection& connection);

    /// Write those of a packet of a connection of reads: a request, or data that answer one, which
    /// bring an AETH.  @param index the packet's place in its message  @param msn of the AETH
    [[gnu::noinline]] static void WriteRead(FabricFrame& frame,
                                            const PostedMessage& message,
                                            uint64_t index,
                                            const Connection& connection,
                                            uint32_t msn);

    /// @return what a packet of a connection of reads announces; length 0: it is a request, and no
    /// data follow; none: it is not the first of its message
    [[gnu::noinline]] static std::optional<Reth> ReadAnnouncement(const FabricFrame& frame);

    /// Write the headers of a repair packet.  @param repair which repair packet it is, from 1 on
    /// @param mtu payload of a full packet
    static void WriteRepair(FabricFrame& frame,
                            const PostedMessage& message,
                            uint64_t repair,
                            uint16_t mtu);

    /// @return which repair packet a data packet is; 0: none
    static uint64_t GetRepair(const FabricFrame& frame)
    {
        return frame.opcode == RC_WRITE_ONLY ? frame.GetExtra().reth.virtualAddress : 0;
    }

    /// Write an ACK or NAK.  @param syndrome of the AETH
    static void WriteAnswer(FabricFrame& frame,
                            const ResponderReport& report,
                            AethSyndrome syndrome,
                            const Connection& connection);

    /// @return whether an answer is a NAK  @param frame the answer
    static bool IsNak(const FabricFrame& frame)
    {
        return frame.syndrome == AETH_NAK_PSN_SEQUENCE;
    }

  private:
    /// Have the last packet of a message carry the length of the message as immediate data, as NCCL
    /// does.
    [[gnu::noinline]] static void AddImmediate(FabricFrame& frame, const PostedMessage& message);

    /// @return how a packet is written  @param index its place in its message
    /// @param packets packets of the message
    static RoceOpcode WriteOpcode(uint64_t index, uint64_t packets);

    /// @return the same of a packet that answers a read
    static RoceOpcode AnswerOpcode(uint64_t index, uint64_t packets);
};

} // namespace aifabric
} // namespace ns3

#endif /* RC_FRAMING_H */
