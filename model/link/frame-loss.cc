/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-loss.h"

#include "ns3/fabric-frame.h"

namespace ns3
{
namespace aifabric
{

FrameLoss::FrameLoss(double probability, double burst, Kind kind, int dscp)
    : m_enter(probability),
      m_stay(probability),
      m_kind(kind),
      m_dscp(dscp)
{
    if (burst != 0)
    {
        m_stay = 1 - 1 / burst;
        m_enter = probability / (burst * (1 - probability));
    }
}

double
FrameLoss::GetMostProbability(double burst)
{
    return burst / (burst + 1);
}

bool
FrameLoss::Loses(const FabricFrame& frame, UniformRandomVariable& random)
{
    if (!Concerns(frame))
    {
        return false;
    }
    m_bad = random.GetValue() < (m_bad ? m_stay : m_enter);
    return m_bad;
}

bool
FrameLoss::Concerns(const FabricFrame& frame) const
{
    const bool hasIp = frame.kind < FrameKind::PAUSE;
    if (m_dscp != ANY_DSCP && (!hasIp || frame.GetTos() >> 2 != m_dscp))
    {
        return false;
    }
    const bool isData = frame.kind == FrameKind::IP ||
                        (hasIp && frame.payload > 0 && !(frame.flags & FRAME_TRIMMED));
    return m_kind == ALL || isData == (m_kind == DATA);
}

} // namespace aifabric
} // namespace ns3
