/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rc-framing.h"

#include "ns3/rc-codec.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

RoceOpcode
RcFraming::WriteOpcode(uint64_t index, uint64_t packets)
{
    if (packets == 1)
    {
        return RC_WRITE_ONLY;
    }
    if (index == 0)
    {
        return RC_WRITE_FIRST;
    }
    return index + 1 == packets ? RC_WRITE_LAST : RC_WRITE_MIDDLE;
}

void
RcFraming::WritePacket(FabricFrame& frame,
                       const PostedMessage& message,
                       uint64_t index,
                       const Connection& connection)
{
    frame.opcode = WriteOpcode(index, message.packets);
    frame.payload = std::min<uint64_t>(connection.mtu, message.bytes - index * connection.mtu);
    if (RcCodec::HasReth(frame.opcode))
    {
        frame.Extra().reth = Reth{0, message.key, message.bytes};
    }
    if (frame.opcode >= RC_WRITE_LAST && connection.immediate) // WRITE_LAST and WRITE_ONLY
    {
        AddImmediate(frame, message);
    }
}

RoceOpcode
RcFraming::AnswerOpcode(uint64_t index, uint64_t packets)
{
    if (packets == 1)
    {
        return RC_READ_RESPONSE_ONLY;
    }
    if (index == 0)
    {
        return RC_READ_RESPONSE_FIRST;
    }
    return index + 1 == packets ? RC_READ_RESPONSE_LAST : RC_READ_RESPONSE_MIDDLE;
}

void
RcFraming::WriteRead(FabricFrame& frame,
                     const PostedMessage& message,
                     uint64_t index,
                     const Connection& connection,
                     uint32_t msn)
{
    frame.opcode = message.isRequest ? RC_READ_REQUEST : AnswerOpcode(index, message.packets);
    frame.payload = message.GetPayload(message.firstPacket + index, connection.mtu);
    if (index == 0)
    {
        frame.Extra().reth = Reth{0, message.key, message.bytes};
    }
    if (RcCodec::HasAeth(frame.opcode))
    {
        frame.syndrome = AETH_ACK;
        frame.msn = msn;
    }
}

std::optional<Reth>
RcFraming::ReadAnnouncement(const FabricFrame& frame)
{
    const bool isRequest = frame.opcode == RC_READ_REQUEST;
    if (!isRequest && frame.opcode != RC_READ_RESPONSE_FIRST &&
        frame.opcode != RC_READ_RESPONSE_ONLY)
    {
        return std::nullopt;
    }
    Reth announced = frame.GetExtra().reth;
    announced.length = isRequest ? 0 : announced.length;
    return announced;
}

void
RcFraming::AddImmediate(FabricFrame& frame, const PostedMessage& message)
{
    frame.opcode = frame.opcode == RC_WRITE_ONLY ? RC_WRITE_ONLY_IMM : RC_WRITE_LAST_IMM;
    frame.Extra().immediate = message.bytes;
}

void
RcFraming::WriteRepair(FabricFrame& frame,
                       const PostedMessage& message,
                       uint64_t repair,
                       uint16_t mtu)
{
    frame.opcode = RC_WRITE_ONLY;
    const uint32_t length = message.GetLength();     // 0 of a request, as ReadAnnouncement() has it
    frame.payload = std::min<uint32_t>(mtu, length); // as the longest packet of all
    frame.Extra().reth = Reth{repair, message.key, length};
}

void
RcFraming::WriteAnswer(FabricFrame& frame,
                       const ResponderReport& report,
                       AethSyndrome syndrome,
                       const Connection& connection)
{
    frame.opcode = RC_ACK;
    frame.syndrome = syndrome;
    frame.msn = report.messages;
    frame.psn = (report.psn + connection.firstPsn) & PsnWindow::PSN_MASK;
    frame.flags = BTH_MIG_REQ | (report.marked ? BTH_BECN : 0);
    frame.SetTos(connection.ackDscp << 2);
    frame.sentAt = report.sentAt;
}

} // namespace aifabric
} // namespace ns3
