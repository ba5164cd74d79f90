/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecn-marker.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EcnMarker);

TypeId
EcnMarker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EcnMarker")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddAttribute("AtDequeue",
                          "Mark packets by the queue that they leave behind, instead of by the "
                          "queue that they join.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&EcnMarker::m_atDequeue),
                          MakeBooleanChecker())
            .AddAttribute(
                "AtLastHop",
                "Whether packets are also marked in the queue of a link to a host. A "
                "sender that looks for another path at each mark should not get marks for "
                "the receiver's own link.",
                BooleanValue(true),
                MakeBooleanAccessor(&EcnMarker::m_atLastHop),
                MakeBooleanChecker())
            .AddAttribute("LeastBytes",
                          "What a port has at least of the longest threshold that is given as a "
                          "time (bytes); its other thresholds grow alike.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EcnMarker::m_leastBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MostBytes",
                          "What a port has at most of the longest threshold that is given as a "
                          "time (bytes), such as a share of its buffer; its other thresholds "
                          "shrink alike.",
                          UintegerValue(UINT32_MAX),
                          MakeUintegerAccessor(&EcnMarker::m_mostBytes),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
EcnMarker::DoInitialize()
{
    NS_ABORT_MSG_IF(m_mostBytes < m_leastBytes,
                    "EcnMarker::MostBytes is "
                        << m_mostBytes << ": it must be at least LeastBytes, " << m_leastBytes);
    Object::DoInitialize();
}

bool
EcnMarker::IsAtDequeue() const
{
    return m_atDequeue;
}

bool
EcnMarker::IsAtLastHop() const
{
    return m_atLastHop;
}

double
EcnMarker::FitTimed(double bytes) const
{
    const double fit = std::min<double>(std::max<double>(bytes, m_leastBytes), m_mostBytes);
    return bytes > 0 ? fit / bytes : 1;
}

void
EcnMarker::SetLeastFactor(double least)
{
    NS_ABORT_MSG_IF(least < 1,
                    GetInstanceTypeId().GetName()
                        << " cannot scale its thresholds, as degraded links need it");
}

void
EcnMarker::Count(PolicyCounters&) const
{
}

int64_t
EcnMarker::AssignStreams(int64_t)
{
    return 0;
}

} // namespace aifabric
} // namespace ns3
