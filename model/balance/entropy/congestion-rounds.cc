/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-rounds.h"

namespace ns3
{
namespace aifabric
{

CongestionRounds::CongestionRounds(const Parameters& parameters)
    : m_parameters(parameters)
{
}

bool
CongestionRounds::Acked(bool marked, int64_t sentAt, int64_t now, bool isIdle)
{
    if (!m_hasBegun)
    {
        m_hasBegun = true;
        m_roundStart = now;
    }
    ++m_acks;
    m_marks += marked ? 1 : 0;
    const bool isOver = m_parameters.roundSteps > 0 ? now - m_roundStart >= m_parameters.roundSteps
                                                    : sentAt >= m_roundStart;
    if (isOver)
    {
        const bool isCongested = m_marks >= m_parameters.threshold * m_acks;
        m_congested = isCongested ? m_congested + 1 : 0;
        m_acks = 0;
        m_marks = 0;
        m_roundStart = now;
    }
    const bool changes =
        m_congested >= m_parameters.rounds || (isIdle && m_congested >= m_parameters.idleRounds);
    m_congested = changes ? 0 : m_congested;
    return changes;
}

} // namespace aifabric
} // namespace ns3
