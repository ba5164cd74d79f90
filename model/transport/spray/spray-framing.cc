/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spray-framing.h"

#include "ns3/spray-codec.h"

namespace ns3
{
namespace aifabric
{

void
SprayFraming::WritePacket(FabricFrame& frame,
                          const Requestor::Departure& departure,
                          const Connection& connection)
{
    const PostedMessage& message = *departure.message;
    frame.opcode = departure.number + 1 == message.GetEnd() ? SPRAY_LAST : SPRAY_DATA;
    frame.payload = message.GetPayload(departure.number, connection.mtu);
    frame.msn = message.key;
    frame.offset = departure.number - message.firstPacket;
    frame.offset |= departure.isAgain ? RETRANSMISSION : 0;
    frame.psn = connection.ToPsn(departure.number);
}

void
SprayFraming::WriteReport(FabricFrame& ack,
                          const AckReport& report,
                          const FabricFrame& trigger,
                          const Connection& connection)
{
    const bool isProbe = trigger.opcode == SPRAY_PROBE;
    ack.syndrome = trigger.offset & RETRANSMISSION ? 1 : 0;
    SackFields& sack = ack.Extra().sack;
    sack.bitmap = report.bitmap;
    sack.receivedBytes = report.receivedBytes;
    sack.cumulativePsn = connection.ToPsn(report.cumulativePsn);
    sack.bitmapPsn = connection.ToPsn(report.bitmapPsn);
    sack.outOfOrder = report.outOfOrder;
    sack.penalty = report.penalty;
    sack.probe = isProbe ? trigger.syndrome : 0;
}

AckReport
SprayFraming::ReadAck(const FabricFrame& ack, const Connection& connection)
{
    const SackFields& sack = ack.GetExtra().sack;
    AckReport report{connection.ReadReport(ack)};
    report.cumulativePsn = connection.FromFirst(sack.cumulativePsn);
    report.bitmapPsn = connection.FromFirst(sack.bitmapPsn);
    report.bitmap = sack.bitmap;
    report.receivedBytes = sack.receivedBytes;
    report.outOfOrder = sack.outOfOrder;
    report.penalty = sack.penalty;
    report.probe = sack.probe == SprayCodec::REPORT_REQUEST ? AckReport::REQUEST : sack.probe;
    report.isRetransmission = ack.syndrome != 0;
    return report;
}

NackReport
SprayFraming::ReadNack(const FabricFrame& nack, const Connection& connection)
{
    const bool isLastHop = nack.syndrome == SprayCodec::TRIMMED_LAST_HOP;
    return {connection.ReadReport(nack),
            isLastHop ? NackReason::TRIMMED_LAST_HOP : NackReason::TRIMMED};
}

} // namespace aifabric
} // namespace ns3
