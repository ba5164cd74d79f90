/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "step-marker.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(StepMarker);

TypeId
StepMarker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::StepMarker")
            .SetParent<EcnMarker>()
            .SetGroupName("AiFabric")
            .AddConstructor<StepMarker>()
            .AddAttribute("Threshold",
                          "Longest queue without marks (bytes).",
                          UintegerValue(400000),
                          MakeUintegerAccessor(&StepMarker::m_threshold),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ThresholdTime",
                          "The same as the time in which the port sends that queue "
                          "at its own rate; 0: Threshold holds at each port.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&StepMarker::SetTime, &StepMarker::GetTime),
                          MakeTimeChecker(Time(0)));
    return tid;
}

bool
StepMarker::Marks(uint32_t bytes, const FabricTransmitter& egress)
{
    return bytes > m_threshold.GetLeast() && bytes > GetThreshold(egress);
}

uint64_t
StepMarker::GetThreshold(const FabricTransmitter& egress) const
{
    if (!m_timed.IsTimed())
    {
        return egress.ScaleLimit(m_threshold);
    }
    const double bytes = m_timed.GetBytes(egress);
    return egress.ScaleLimit(static_cast<uint64_t>(bytes * FitTimed(bytes)));
}

void
StepMarker::SetLeastFactor(double least)
{
    m_threshold.SetLeastFactor(m_timed.IsTimed() ? 0 : least);
}

void
StepMarker::SetTime(Time time)
{
    m_timed.SetTime(time);
    m_threshold.SetLeastFactor(0); // until SetLeastFactor()
}

Time
StepMarker::GetTime() const
{
    return m_timed.GetTime();
}

} // namespace aifabric
} // namespace ns3
