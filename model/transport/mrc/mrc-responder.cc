/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-responder.h"

#include "mrc-queue-pair.h"

#include "ns3/abort.h"
#include "ns3/roce-net-device.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t FAR_BELOW = 1 << 22; //!< packets before the window that the sender sends no more
constexpr uint64_t BITMAP_BITS = 64;   //!< of a bitmap
constexpr uint64_t MOST_UNITS = (1U << 24); //!< these counts are modulo this
constexpr uint32_t LEAST_COUNTED = 1024;    //!< what a packet adds to SackGenThreshold, in bytes
constexpr std::size_t MOST_MARKED = 256;    //!< EVs whose marks it counts

/// The reasons for which it refuses packets, and their counters.
constexpr std::pair<MrcCodec::NackCode, const char*> REASONS[] = {
    {MrcCodec::TRIMMED, "nacks_trimmed"},
    {MrcCodec::TRIMMED_LAST_HOP, "nacks_trimmed_last_hop"},
    {MrcCodec::NO_BITMAP, "nacks_no_bitmap"},
    {MrcCodec::OUT_OF_WINDOW, "nacks_out_of_window"},
    {MrcCodec::UNEXPECTED, "nacks_unexpected"},
};

} // namespace

int64_t
MrcResponder::ToNumber(uint32_t psn) const
{
    return PsnWindow::Unwrap(m_queuePair.GetConnection().FromFirst(psn),
                             m_queuePair.GetRecovery().GetExpected());
}

bool
MrcResponder::Refuses(const FabricFrame& frame, int64_t number, int64_t now)
{
    const int64_t expected = m_queuePair.GetRecovery().GetExpected();
    m_windowEnd = std::max<uint64_t>(m_windowEnd, expected + uint64_t{m_queuePair.GetRange()});
    const int64_t tracked = m_queuePair.GetTrackedRange();
    MrcCodec::NackCode code = MrcCodec::UNEXPECTED;
    const Reth& reth = frame.GetExtra().reth;
    const bool isWithin =
        reth.virtualAddress <= reth.length && frame.payload <= reth.length - reth.virtualAddress;
    if (number >= static_cast<int64_t>(m_windowEnd))
    {
        code = MrcCodec::OUT_OF_WINDOW;
    }
    else if (tracked > 0 && number - expected >= tracked)
    {
        code = MrcCodec::NO_BITMAP;
    }
    else if (isWithin && !m_queuePair.HasFailed())
    {
        return number - expected < -FAR_BELOW;
    }
    ++m_refused;
    SendNack(frame, m_queuePair.HasFailed() ? MrcCodec::UNEXPECTED : code, now);
    return true;
}

void
MrcResponder::ReceiveData(const FabricFrame& frame, const Outbox& outbox)
{
    const Connection& connection = m_queuePair.GetConnection();
    const Reth& reth = frame.GetExtra().reth;
    const int64_t number = ToNumber(frame.psn);
    if (Refuses(frame, number, outbox.GetNow()))
    {
        return;
    }
    const uint32_t mtu = m_queuePair.GetMtu();
    const bool isLast = frame.opcode >= MRC_WRITE_LAST;
    NS_ABORT_MSG_IF(!isLast && frame.payload != mtu,
                    "MrcQueuePair::Mtu is " << mtu << " at one end and not at the other");
    const Reth message{0, reth.remoteKey, reth.length};
    const auto offset = static_cast<uint32_t>(connection.CountPackets(reth.length) - 1);
    const bool isAgain = frame.syndrome & MrcCodec::RETRANSMISSION;
    const bool exceedsBitmap = NoteArrival(frame, number);
    const bool isRequested =
        (frame.flags & BTH_ACK_REQ) != 0 || isAgain || exceedsBitmap || CountsEnough(frame.payload);
    const ReceivingEnd::Verdict verdict =
        m_queuePair.ReceivePacket({connection.FromFirst(frame.psn),
                                   frame.payload,
                                   0,
                                   isLast ? &message : nullptr,
                                   offset,
                                   frame.GetEcn() == ECN_CE,
                                   isRequested});
    CompleteImmediates();
    if (verdict.answer != ReceivingEnd::Answer::NONE)
    {
        SendSack(frame, outbox.GetNow());
    }
}

bool
MrcResponder::CountsEnough(uint32_t payload)
{
    const uint32_t threshold = m_queuePair.GetResponder().GetLeastWindow();
    m_unreported += payload;
    m_rounding += std::max(payload, LEAST_COUNTED) - payload;
    return m_rounding > 0 && threshold > 0 && m_unreported + m_rounding >= threshold;
}

bool
MrcResponder::NoteArrival(const FabricFrame& frame, uint64_t number)
{
    if (MrcCodec::HasImmediate(frame.opcode) && number >= m_queuePair.GetRecovery().GetExpected())
    {
        m_immediates.emplace(number, frame.GetExtra().immediate);
    }
    m_arrivedEnd = std::max(m_arrivedEnd, number + 1);
    if (number + BITMAP_BITS < m_arrivedEnd)
    {
        return true;
    }
    m_lowestUnreported = std::min(m_lowestUnreported, number);
    return m_lowestUnreported + BITMAP_BITS < m_arrivedEnd;
}

void
MrcResponder::CompleteImmediates()
{
    while (!m_immediates.empty() &&
           m_immediates.begin()->first < m_queuePair.GetRecovery().GetExpected())
    {
        const uint32_t immediate = m_immediates.begin()->second;
        m_immediates.erase(m_immediates.begin());
        if (!m_immediateReceived.IsNull())
        {
            m_immediateReceived(&m_queuePair, immediate);
        }
    }
}

uint64_t
MrcResponder::CountKept() const
{
    AckReport report;
    m_queuePair.GetResponder().FillReport(report, m_queuePair.GetRecovery());
    return report.outOfOrder + m_immediates.size() + m_marked.size();
}

void
MrcResponder::ReceiveTrimmed(const FabricFrame& frame, const Outbox& outbox)
{
    const Connection& connection = m_queuePair.GetConnection();
    const int64_t number = ToNumber(frame.psn);
    const int64_t expected = m_queuePair.GetRecovery().GetExpected();
    if (number - expected >= int64_t{m_queuePair.GetRange()} || number - expected < -FAR_BELOW ||
        m_queuePair.HasFailed())
    {
        return;
    }
    const ReceivingEnd::Verdict verdict =
        m_queuePair.GetResponder().ReceiveTrimmed(connection.FromFirst(frame.psn), connection);
    if (verdict.answer == ReceivingEnd::Answer::ACK)
    {
        SendSack(frame, outbox.GetNow());
    }
    else if (verdict.answer == ReceivingEnd::Answer::NAK)
    {
        const bool isLastHop = frame.GetTos() >> 2 == m_queuePair.m_lastHopDscp;
        SendNack(frame,
                 isLastHop ? MrcCodec::TRIMMED_LAST_HOP : MrcCodec::TRIMMED,
                 outbox.GetNow());
    }
}

void
MrcResponder::ReceiveProbe(const FabricFrame& frame, int64_t now)
{
    m_queuePair.GetResponder().ForgetUnreported();
    SendSack(frame, now);
}

void
MrcResponder::SendNack(const FabricFrame& frame, MrcCodec::NackCode code, int64_t now)
{
    m_queuePair.GetResponder().CountAnswer(true);
    ++m_nacks[code];
    Ptr<FabricFrame> nack = m_queuePair.GetConnection().nic->CreateFrame();
    nack->opcode = MRC_NACK;
    nack->psn = frame.psn;
    nack->syndrome = code;
    nack->sentAt = frame.sentAt;
    nack->Extra().immediate = m_queuePair.GetNumber();
    nack->Extra().sack.entropy = frame.entropy;
    m_queuePair.m_controlPaths.Send(std::move(nack), now);
}

void
MrcResponder::Count(PolicyCounters& counters) const
{
    counters["sacks"] += m_sacks;
    for (const auto& [code, name] : REASONS)
    {
        const auto found = m_nacks.find(code);
        counters[name] += found != m_nacks.end() ? found->second : 0;
    }
}

uint64_t
MrcResponder::TakeBitmapBase()
{
    const uint64_t latest = m_arrivedEnd - std::min(m_arrivedEnd, BITMAP_BITS);
    const uint64_t wanted = std::min(m_lowestUnreported, latest);
    m_lowestUnreported = NO_PACKET;
    return std::max(m_queuePair.GetRecovery().GetExpected(), wanted);
}

uint8_t
MrcResponder::GetVerdict(const FabricFrame& frame)
{
    const bool isMarked = frame.GetEcn() == ECN_CE;
    PathVerdict verdict = isMarked ? PathVerdict::SKIP_ONCE : PathVerdict::NONE;
    if (m_queuePair.m_alwaysSkipMarks > 0)
    {
        if (!isMarked || m_marked.size() >= MOST_MARKED)
        {
            m_marked.erase(frame.entropy);
        }
        else if (++m_marked[frame.entropy] >= m_queuePair.m_alwaysSkipMarks)
        {
            m_marked.erase(frame.entropy);
            verdict = PathVerdict::SKIP_ALWAYS;
        }
    }
    return static_cast<uint8_t>(verdict);
}

void
MrcResponder::SendSack(const FabricFrame& frame, int64_t now)
{
    const Connection& connection = m_queuePair.GetConnection();
    const LossRecovery& recovery = m_queuePair.GetRecovery();
    const bool isProbe = frame.opcode == MRC_PROBE;
    ++m_sacks;
    m_unreported = 0;
    m_rounding = 0;
    m_queuePair.GetResponder().CountAnswer(false);
    AckReport report;
    report.psn = isProbe ? 0 : connection.FromFirst(frame.psn);
    m_queuePair.GetResponder().FillReport(report, recovery);
    recovery.FillReport(report, isProbe ? recovery.GetExpected() : TakeBitmapBase());
    Ptr<FabricFrame> answer = connection.nic->CreateFrame();
    answer->opcode = MRC_SACK;
    answer->psn = isProbe ? connection.ToPsn(recovery.GetExpected() - 1) : frame.psn;
    answer->sentAt = frame.sentAt;
    answer->Extra().immediate = m_queuePair.GetNumber();
    SackFields& sack = answer->Extra().sack;
    sack.bitmap = report.bitmap;
    sack.receivedBytes = (report.receivedBytes + SackFields::BYTES_UNIT - 1) /
                         SackFields::BYTES_UNIT % MOST_UNITS * SackFields::BYTES_UNIT;
    sack.probe = isProbe ? frame.psn : 0;
    sack.verdict = GetVerdict(frame);
    sack.cumulativePsn = connection.ToPsn(report.cumulativePsn);
    sack.bitmapPsn = connection.ToPsn(report.bitmapPsn);
    sack.outOfOrder = report.outOfOrder;
    sack.entropy = frame.entropy;
    sack.range = m_queuePair.m_dynamicRange ? m_queuePair.m_rangeUnits : 0;
    sack.penalty = m_penalty;
    sack.restores = m_restores;
    m_queuePair.m_controlPaths.Send(std::move(answer), now);
}

} // namespace aifabric
} // namespace ns3
