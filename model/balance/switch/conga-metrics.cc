/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "conga-metrics.h"

namespace ns3
{
namespace aifabric
{

void
CongaMetrics::Resize(uint32_t leaves, uint32_t uplinks, uint32_t othersUplinks, int64_t ageing)
{
    m_uplinks = uplinks;
    m_othersUplinks = othersUplinks;
    m_ageing = ageing;
    m_sent.assign(uint64_t{leaves} * uplinks, {});
    m_received.assign(uint64_t{leaves} * othersUplinks, {});
    m_turn.assign(leaves, 0);
}

void
CongaMetrics::Receive(uint32_t leaf, const CongaTag& tag, int64_t now)
{
    if (tag.uplink < m_othersUplinks)
    {
        Received& received = m_received[leaf * m_othersUplinks + tag.uplink];
        received.hasChanged |= !received.isKnown || received.metric != tag.metric;
        received.isKnown = true;
        received.metric = tag.metric;
    }
    if (tag.hasFeedback && tag.feedbackUplink < m_uplinks)
    {
        m_sent[leaf * m_uplinks + tag.feedbackUplink] = {now, tag.feedback};
    }
}

std::optional<uint32_t>
CongaMetrics::FindNext(uint32_t leaf) const
{
    std::optional<uint32_t> known;
    uint32_t uplink = m_turn[leaf];
    for (uint32_t i = 0; i < m_othersUplinks; ++i)
    {
        const Received& received = m_received[leaf * m_othersUplinks + uplink];
        if (received.hasChanged)
        {
            return uplink;
        }
        if (received.isKnown && !known)
        {
            known = uplink;
        }
        uplink = uplink + 1 == m_othersUplinks ? 0 : uplink + 1;
    }
    return known;
}

void
CongaMetrics::GiveFeedback(uint32_t leaf, CongaTag& tag)
{
    const std::optional<uint32_t> uplink = FindNext(leaf);
    if (!uplink)
    {
        return;
    }
    Received& received = m_received[leaf * m_othersUplinks + *uplink];
    received.hasChanged = false;
    tag.hasFeedback = true;
    tag.feedbackUplink = *uplink;
    tag.feedback = received.metric;
    m_turn[leaf] = (*uplink + 1) % m_othersUplinks;
}

uint32_t
CongaMetrics::GetMetric(uint32_t leaf, uint32_t uplink, int64_t now) const
{
    const Sent& sent = m_sent[leaf * m_uplinks + uplink];
    const int64_t halvings = (now - sent.time) / m_ageing;
    return halvings < CongaTag::BITS ? sent.metric >> halvings : 0;
}

} // namespace aifabric
} // namespace ns3
