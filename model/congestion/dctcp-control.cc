/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dctcp-control.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <limits>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(DctcpControl);

TypeId
DctcpControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::DctcpControl")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<DctcpControl>()
            .AddAttribute("Gain",
                          "Weight of the last round in alpha, the average share of marks: g.",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&DctcpControl::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialAlpha",
                          "Alpha at the begin.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&DctcpControl::m_firstAlpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Increase",
                          "What a round without a cut adds to the rate (bit/s).",
                          DataRateValue(DataRate("1Gb/s")),
                          MakeDataRateAccessor(&DctcpControl::m_increase),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "The rate is not cut below this (bit/s); above 0.",
                          DataRateValue(DataRate("100Mb/s")),
                          MakeDataRateAccessor(&DctcpControl::m_leastRate),
                          MakeDataRateChecker())
            .AddAttribute("Window",
                          "Most payload bytes that may be unacknowledged (0: unlimited).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DctcpControl::m_window),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "ResetOnLoss",
                "Whether a gap leads back to line rate, as the retransmission timer of the "
                "queue pair always does. A trimmed packet and the timer of a packet never do.",
                BooleanValue(true),
                MakeBooleanAccessor(&DctcpControl::m_resetsOnLoss),
                MakeBooleanChecker());
    return tid;
}

void
DctcpControl::Start(const FabricFacts& facts)
{
    NS_ABORT_MSG_IF(m_leastRate.GetBitRate() == 0, "DctcpControl: MinRate=0bps; it is above 0");
    DctcpRate::Parameters parameters;
    parameters.gain = m_gain;
    parameters.firstAlpha = m_firstAlpha;
    parameters.increase = static_cast<double>(m_increase.GetBitRate());
    parameters.leastRate = static_cast<double>(m_leastRate.GetBitRate());
    if (m_rate)
    {
        m_pastMarks += m_rate->GetMarks();
        m_pastCuts += m_rate->GetCuts();
    }
    m_rate.emplace(parameters, static_cast<double>(facts.portRate.GetBitRate()));
}

void
DctcpControl::LineRateChanged(DataRate lineRate)
{
    m_rate->SetLineRate(static_cast<double>(lineRate.GetBitRate()));
}

uint64_t
DctcpControl::GetWindow() const
{
    return m_window ? m_window : std::numeric_limits<uint64_t>::max();
}

DataRate
DctcpControl::GetRate() const
{
    return DataRate(static_cast<uint64_t>(m_rate->GetRate()));
}

bool
DctcpControl::Acknowledged(uint32_t, const AckReport& report, int64_t now)
{
    m_rate->Acked(report.marked, report.sentAt, now);
    return true;
}

void
DctcpControl::Lost(const LossSample& loss, int64_t now)
{
    switch (loss.reason)
    {
    case LossReason::TRIMMED:
    case LossReason::TRIMMED_LAST_HOP:
        m_rate->Acked(true, loss.sentAt, now); // its queue was longer than one that marks
        break;
    case LossReason::NO_RESOURCES:
        break; // the receiver refused it, not the fabric
    case LossReason::PACKET_TIMEOUT:
        break; // other packets may be acknowledged: their marks say what the rate is to be
    case LossReason::GAP:
        if (m_resetsOnLoss)
        {
            m_rate->Reset();
        }
        break;
    case LossReason::TIMEOUT:
        m_rate->Reset();
        break;
    }
}

std::optional<MarkingLaw>
DctcpControl::GetMarkingLaw(const FabricFacts& facts) const
{
    MarkingLaw law; // RFC 8257: above 1/7 of the bandwidth-delay product
    law.floor = 2 * facts.mtu;
    law.least = std::max<double>(facts.GetPortBdp() / 7, law.floor);
    law.most = law.least;
    law.isOnlySignal = true;
    law.source = "1/7 of the bandwidth-delay product of a port, at least two packets";
    return law;
}

void
DctcpControl::Count(PolicyCounters& counters) const
{
    counters["dctcp_marks"] += m_pastMarks + m_rate->GetMarks();
    counters["dctcp_cuts"] += m_pastCuts + m_rate->GetCuts();
}

Ptr<CongestionControl>
DctcpControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
