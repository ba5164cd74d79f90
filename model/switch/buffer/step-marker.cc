/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "step-marker.h"

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
                                          MakeUintegerAccessor(&StepMarker::m_threshold),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

bool
StepMarker::Marks(uint32_t bytes, const FabricTransmitter& egress)
{
    return m_threshold.IsExceeded(bytes, egress);
}

void
StepMarker::SetLeastFactor(double least)
{
    m_threshold.SetLeastFactor(least);
}

} // namespace aifabric
} // namespace ns3
