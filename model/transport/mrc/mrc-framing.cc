/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-framing.h"

#include "ns3/mrc-codec.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

void
MrcFraming::WritePacket(FabricFrame& frame,
                        const Requestor::Departure& departure,
                        const Connection& connection)
{
    const PostedMessage& message = *departure.message;
    const uint64_t index = departure.number - message.firstPacket;
    const MrcMessageNumbers::Names names = m_numbers.Find(message);
    const bool isLast = departure.number + 1 == message.GetEnd();
    frame.payload = message.GetPayload(departure.number, connection.mtu);
    frame.opcode = index > 0 ? (isLast ? MRC_WRITE_LAST : MRC_WRITE_MIDDLE)
                             : (isLast ? MRC_WRITE_ONLY : MRC_WRITE_FIRST);
    FrameExtra& extra = frame.Extra();
    extra.reth = {index * connection.mtu, message.key, message.bytes};
    if (names.immediate)
    {
        // 0xC8 becomes 0xC9, and 0xCA becomes 0xCB
        frame.opcode |= isLast ? 1U : 0U;
        extra.immediate = *names.immediate;
    }
    frame.msn = uint32_t{names.rqmsn} << 16 | names.msn;
    frame.syndrome = MrcCodec::HAS_TIME | (departure.isAgain ? MrcCodec::RETRANSMISSION : 0);
    frame.psn = connection.ToPsn(departure.number);
}

bool
MrcFraming::IsPossible(const FabricFrame& sack, const Connection& connection)
{
    const SackFields& fields = sack.GetExtra().sack;
    const LossRecovery& recovery = *connection.recovery;
    const auto sent = static_cast<int64_t>(recovery.GetSent());
    const auto number = [&](uint32_t psn) {
        return PsnWindow::Unwrap(connection.FromFirst(psn), recovery.GetUnacknowledged());
    };
    const int64_t end = number(fields.cumulativePsn);
    const int64_t trigger = fields.probe == 0 ? number(sack.psn) : 0;
    return end >= 0 && end <= sent && trigger >= 0 && trigger < sent;
}

AckReport
MrcFraming::ReadSack(const FabricFrame& sack, const Connection& connection)
{
    const SackFields& fields = sack.GetExtra().sack;
    AckReport report;
    report.cumulativePsn = connection.FromFirst(fields.cumulativePsn);
    report.bitmapPsn = connection.FromFirst(fields.bitmapPsn);
    report.bitmap = fields.bitmap;
    report.psn = fields.probe ? report.cumulativePsn : connection.FromFirst(sack.psn);
    report.entropy = fields.entropy;
    report.path = static_cast<PathVerdict>(fields.verdict);
    report.marked = report.path == PathVerdict::SKIP_ONCE;
    report.sentAt = sack.sentAt;
    report.outOfOrder = fields.outOfOrder;
    report.penalty = fields.penalty;
    report.restores = fields.restores;
    report.probe = fields.probe;
    // 24 bits, in units of 256 bytes
    const auto more =
        static_cast<int32_t>(static_cast<uint32_t>(fields.receivedBytes - m_receivedBytes));
    m_receivedBytes += std::max(more, 0);
    report.receivedBytes = m_receivedBytes;
    m_numbers.Acknowledge(
        PsnWindow::Unwrap(report.cumulativePsn, connection.recovery->GetUnacknowledged()));
    report.messages = GetAcknowledgedMessages();
    return report;
}

NackReport
MrcFraming::ReadNack(const FabricFrame& nack, const Connection& connection) const
{
    NackReport report;
    report.psn = connection.FromFirst(nack.psn);
    report.messages = GetAcknowledgedMessages();
    report.entropy = nack.GetExtra().sack.entropy;
    report.sentAt = nack.sentAt;
    report.reason = nack.syndrome == MrcCodec::TRIMMED            ? NackReason::TRIMMED
                    : nack.syndrome == MrcCodec::TRIMMED_LAST_HOP ? NackReason::TRIMMED_LAST_HOP
                                                                  : NackReason::NO_RESOURCES;
    return report;
}

} // namespace aifabric
} // namespace ns3
