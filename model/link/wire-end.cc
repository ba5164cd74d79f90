/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wire-end.h"

#include "fabric-port.h"
#include "link-direction.h"

#include "ns3/prefetch-lines.h"

namespace ns3
{
namespace aifabric
{

WireEnd::WireEnd()
    : m_isDirect(true),
      m_isLossy(false),
      m_isObserved(false),
      m_prefetches(false),
      m_leadsToHost(false),
      m_isAnnounced(false)
{
}

void
WireEnd::SetReceiver(FrameHandler* handler, uint16_t ingress, uint32_t node)
{
    SetHandler(handler);
    m_ingress = ingress;
    m_node = node;
}

void
WireEnd::SetHandler(FrameHandler* handler)
{
    m_handler = handler;
    m_prefetches = handler->NeedsPrefetch();
    m_leadsToHost = handler->IsHost();
}

WireEnd
WireEnd::MakeEmpty() const
{
    WireEnd end;
    end.SetReceiver(m_handler, m_ingress, m_node);
    end.SetDelay(m_delay);
    end.SetDirect(m_isDirect);
    end.SetLossy(m_isLossy);
    end.SetObserved(m_isObserved);
    return end;
}

uint64_t
WireEnd::CountBytes() const
{
    uint64_t bytes = m_first ? m_first->wireBytes : 0;
    for (uint32_t i = 0; i < m_others.size(); ++i)
    {
        bytes += m_others[i].frame->wireBytes;
    }
    return bytes;
}

void
WireEnd::DeliverSpecial(const Ptr<FabricFrame>& frame, LinkDirection& direction, int64_t now) const
{
    if (m_isLossy && direction.GetSender()->LosesFrame(*frame))
    {
        direction.Lose(frame, now);
        return;
    }
    FabricPort& receiver = *direction.GetReceiver();
    if (m_isObserved)
    {
        receiver.ObserveReceiving(frame);
    }
    if (frame->kind >= FrameKind::PAUSE)
    {
        receiver.ReceivePause(frame->GetExtra().pause, frame->kind, now);
        return;
    }
    m_handler->ReceiveFrame(frame, m_ingress, now);
}

void
WireEnd::PrefetchNext() const
{
    m_handler->PrefetchFrame(*m_first, 3);
    const uint32_t following = m_others.size();
    if (following > 0)
    {
        m_handler->PrefetchFrame(*m_others[0].frame, 2);
    }
    if (following > 1)
    {
        m_handler->PrefetchFrame(*m_others[1].frame, 1);
    }
    if (following > 2)
    {
        PrefetchLine(m_others[2].frame);
    }
}

void
WireEnd::PrefetchNew() const
{
    for (uint32_t step = 1; step <= 2; ++step)
    {
        m_handler->PrefetchFrame(*m_first, step);
        for (uint32_t i = 0; i + step <= 2 && i < m_others.size(); ++i)
        {
            m_handler->PrefetchFrame(*m_others[i].frame, step);
        }
    }
}

} // namespace aifabric
} // namespace ns3
