/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bitmap-balancer.h"

#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(BitmapBalancer);

TypeId
BitmapBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::BitmapBalancer")
            .SetParent<ExclusionBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<BitmapBalancer>()
            .AddAttribute("LogEntropies",
                          "Logarithm to base 2 of the number of labels of a queue pair.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&BitmapBalancer::m_logEntropies),
                          MakeUintegerChecker<uint32_t>(0, 14))
            .AddAttribute("MarkSkips",
                          "How many more of its turns a label is skipped after a mark (ECN).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&BitmapBalancer::m_markSkips),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("LossSkips",
                          "How many more of its turns a label is skipped after its packet was "
                          "trimmed or lost.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&BitmapBalancer::m_lossSkips),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("TimeoutSkips",
                          "How many more of its turns a label is skipped after a timeout.",
                          UintegerValue(15),
                          MakeUintegerAccessor(&BitmapBalancer::m_timeoutSkips),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("MaxSkips",
                          "The most turns that a label is skipped.",
                          UintegerValue(15),
                          MakeUintegerAccessor(&BitmapBalancer::m_maxSkips),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("ExcludedRtts",
                          "For how long a label is skipped after a mark, a loss or a timeout, "
                          "unless more than half of the labels are: Ultra Ethernet's rule (base "
                          "RTTs; 0: turns, as MarkSkips and the others say).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&BitmapBalancer::m_excludedRtts),
                          MakeDoubleChecker<double>(0, 1e6));
    return tid;
}

ExclusionBalancer::Skips
BitmapBalancer::GetSkips() const
{
    return {m_markSkips, m_lossSkips, m_timeoutSkips};
}

ExclusionBitmap::Parameters
BitmapBalancer::GetParameters() const
{
    return {1U << m_logEntropies, m_maxSkips, false};
}

double
BitmapBalancer::GetExcludedRtts() const
{
    return m_excludedRtts;
}

Ptr<HostBalancer>
BitmapBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
