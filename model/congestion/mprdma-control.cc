/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mprdma-control.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/fork-object.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MprdmaControl);

TypeId
MprdmaControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::MprdmaControl")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<MprdmaControl>()
            .AddAttribute("InitialWindow",
                          "Window at the begin (packets; 0: 1.5 bandwidth-delay products of all "
                          "planes, as the 151 packets in the evaluation of REPS).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MprdmaControl::m_firstPackets),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("MaxWindow",
                          "The largest window (packets; 0: InitialWindow).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MprdmaControl::m_mostPackets),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("MinWindow",
                          "The smallest window (packets).",
                          DoubleValue(1),
                          MakeDoubleAccessor(&MprdmaControl::m_leastPackets),
                          MakeDoubleChecker<double>(1, 1e6))
            .AddAttribute("Increase",
                          "What a window of unmarked bytes adds to the window (packets).",
                          DoubleValue(1),
                          MakeDoubleAccessor(&MprdmaControl::m_increase),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("Decrease",
                          "Which share of the bytes that an acknowledgement with a mark "
                          "acknowledges is taken from the window. MP-RDMA has 0.5.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&MprdmaControl::m_decrease),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

double
MprdmaControl::DeriveFirst(const FabricFacts& facts) const
{
    constexpr double BANDWIDTH_DELAY_PRODUCTS = 1.5; // the evaluation of REPS
    NS_ABORT_MSG_IF(facts.GetBdp() == 0,
                    "MprdmaControl: InitialWindow=0 stands for 1.5 bandwidth-delay products of the "
                    "fabric, which this NIC does not know; set InitialWindow");
    const double first = BANDWIDTH_DELAY_PRODUCTS * facts.GetBdp() / facts.mtu;
    return std::max(m_mostPackets > 0 ? std::min(first, m_mostPackets) : first, m_leastPackets);
}

void
MprdmaControl::Start(const FabricFacts& facts)
{
    const double first = m_firstPackets > 0 ? m_firstPackets : DeriveFirst(facts);
    const double most = m_mostPackets > 0 ? m_mostPackets : first;
    NS_ABORT_MSG_IF(m_leastPackets > most || first > most || first < m_leastPackets,
                    "MprdmaControl: InitialWindow=" << first << " is not between MinWindow="
                                                    << m_leastPackets << " and MaxWindow=" << most);
    m_lineRate = facts.portRate;
    m_mtu = facts.mtu;
    m_window = first * m_mtu;
    m_most = most * m_mtu;
}

void
MprdmaControl::LineRateChanged(DataRate lineRate)
{
    m_lineRate = lineRate; // the window stays: it follows the marks
}

uint64_t
MprdmaControl::GetWindow() const
{
    return static_cast<uint64_t>(m_window);
}

DataRate
MprdmaControl::GetRate() const
{
    return m_lineRate;
}

bool
MprdmaControl::Acknowledged(uint32_t bytes, const AckReport& report, int64_t)
{
    m_marks += report.marked ? 1 : 0;
    if (report.marked)
    {
        Reduce(m_decrease * bytes);
        return true;
    }
    m_window = std::min(m_window + m_increase * m_mtu * bytes / m_window, m_most);
    return true;
}

void
MprdmaControl::Lost(const LossSample& loss, int64_t)
{
    m_lossBytes += loss.bytes;
    Reduce(static_cast<double>(loss.bytes));
}

void
MprdmaControl::Reduce(double bytes)
{
    m_window = std::max(m_window - bytes, m_leastPackets * m_mtu);
}

std::optional<MarkingLaw>
MprdmaControl::GetMarkingLaw(const FabricFacts& facts) const
{
    MarkingLaw law; // the evaluation of REPS
    law.least = 0.2 * facts.GetPortBdp();
    law.most = 0.8 * facts.GetPortBdp();
    law.isOnlySignal = true;
    law.source = "0.2 to 0.8 bandwidth-delay products of a port";
    return law;
}

void
MprdmaControl::Count(PolicyCounters& counters) const
{
    counters["mprdma_marks"] += m_marks;
    counters["mprdma_lost_bytes"] += m_lossBytes;
}

Ptr<CongestionControl>
MprdmaControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
