/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "step-marker.h"

#include "ns3/fabric-transmitter.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(StepMarker);

TypeId
StepMarker::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::StepMarker")
                            .SetParent<EcnMarker>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<StepMarker>()
                            .AddAttribute("Threshold",
                                          "Longest queue without marks (bytes).",
                                          UintegerValue(400000),
                                          MakeUintegerAccessor(&StepMarker::SetThreshold,
                                                               &StepMarker::GetThreshold),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

bool
StepMarker::Marks(uint32_t bytes, const FabricTransmitter& egress)
{
    return bytes > m_leastThreshold && IsAbove(bytes, egress);
}

bool
StepMarker::IsAbove(uint32_t bytes, const FabricTransmitter& egress) const
{
    return bytes > egress.ScaleLimit(m_threshold);
}

void
StepMarker::SetLeastFactor(double least)
{
    m_leastFactor = least;
    m_leastThreshold = static_cast<uint32_t>(m_threshold * least);
}

void
StepMarker::SetThreshold(uint32_t bytes)
{
    m_threshold = bytes;
    SetLeastFactor(m_leastFactor);
}

uint32_t
StepMarker::GetThreshold() const
{
    return m_threshold;
}

} // namespace aifabric
} // namespace ns3
