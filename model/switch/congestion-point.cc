/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-point.h"

#include "ns3/dispose-of.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/log.h"

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("CongestionPoint");

void
CongestionPoint::Initialize()
{
    if (m_marker)
    {
        m_marker->Initialize();
        m_atLastHop = m_marker->IsAtLastHop();
    }
}

void
CongestionPoint::Mark(FabricFrame& frame, const FabricTransmitter& egress)
{
    if (frame.GetEcn() != ECN_NOT_ECT && !(frame.flags & FRAME_TRIMMED) &&
        (m_atLastHop || !egress.LeadsToHost()) &&
        m_marker->Marks(egress.GetLane(frame.GetClass()).GetBytes(), egress))
    {
        NS_LOG_LOGIC("marks a frame of host " << frame.source << " for host " << frame.destination);
        frame.MarkCongestion();
    }
}

void
CongestionPoint::SetLeastFactor(double least)
{
    if (m_marker)
    {
        m_marker->SetLeastFactor(least);
    }
}

int64_t
CongestionPoint::AssignStreams(int64_t stream)
{
    return m_marker ? m_marker->AssignStreams(stream) : 0;
}

void
CongestionPoint::Dispose()
{
    DisposeOf(m_marker);
}

} // namespace aifabric
} // namespace ns3
