/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-delay-line.h"

#include "fabric-net-device.h"
#include "fabric-port.h"

#include "ns3/fabric-clock.h"
#include "ns3/node.h"
#include "ns3/pacing.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

FrameDelayLine::FrameDelayLine(FrameHandler& handler, uint32_t node, int64_t latency)
    : m_handler(&handler),
      m_node(node),
      m_latency(latency)
{
}

FrameDelayLine::~FrameDelayLine()
{
}

Ptr<FrameDelayLine>
FrameDelayLine::Insert(const std::vector<Ptr<FabricPort>>& ports,
                       FrameHandler& handler,
                       Time latency,
                       int64_t pacing)
{
    Ptr<FrameDelayLine> line;
    for (std::size_t index = 0; index < ports.size(); ++index)
    {
        const bool isSorted = FabricClock::StepsPerPs() > 1 && FabricClock::SharesTurn(index);
        if (latency.GetPicoSeconds() <= 0 && pacing == 0 && !isSorted)
        {
            continue;
        }
        const uint32_t node = ports[index]->GetDevice()->GetNode()->GetId();
        line = line ? line : Create<FrameDelayLine>(handler, node, latency.GetPicoSeconds());
        line->m_pacing = pacing;
        ports[index]->SetHandler(PeekPointer(line));
    }
    return line;
}

void
FrameDelayLine::ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now)
{
    if (!m_handler)
    {
        return;
    }
    const bool isFirst = m_held.empty();
    frame->Ref();
    m_held.push_back(
        Held{m_pacing > 0 ? Delay(*frame, now) : now + m_latency, PeekPointer(frame), ingress});
    if (isFirst)
    {
        ScheduleFirst();
    }
    else if (FabricClock::SharesTurn(ingress))
    {
        SortLast();
    }
}

int64_t
FrameDelayLine::Delay(FabricFrame& frame, int64_t now)
{
    m_freeAt = std::max(now, m_freeAt) + Pacing::Spread(frame.GetSize(), m_pacing);
    const int64_t due = m_freeAt + m_latency;
    frame.Extra().heldFor += due - now;
    return due;
}

void
FrameDelayLine::SortLast()
{
    for (uint32_t i = m_held.size() - 1; i > 0; --i)
    {
        Held& before = m_held[i - 1];
        if (before.due != m_held[i].due || before.ingress < m_held[i].ingress)
        {
            break;
        }
        std::swap(before, m_held[i]);
    }
}

void
FrameDelayLine::ScheduleFirst()
{
    const Held& first = m_held.front();
    const int64_t turn = FabricClock::SharesTurn(first.ingress)
                             ? FabricClock::SORTED_TURN
                             : FabricClock::TurnOfPort(first.ingress);
    Ref();
    Simulator::ScheduleWithContext(m_node, FabricClock::Until(first.due, turn), this);
}

void
FrameDelayLine::Notify()
{
    if (m_held.empty())
    {
        return; // disposed of
    }
    const Held first = m_held.pop_front();
    if (!m_held.empty())
    {
        ScheduleFirst();
    }
    m_handler->ReceiveFrame(Ptr<FabricFrame>(first.frame, false), first.ingress, first.due);
}

void
FrameDelayLine::PrefetchFrame(const FabricFrame& frame, uint32_t step) const
{
    if (m_handler)
    {
        m_handler->PrefetchFrame(frame, step);
    }
}

bool
FrameDelayLine::NeedsPrefetch() const
{
    return m_handler && m_handler->NeedsPrefetch();
}

bool
FrameDelayLine::IsHost() const
{
    return m_handler && m_handler->IsHost();
}

bool
FrameDelayLine::SetsClasses() const
{
    return m_handler && m_handler->SetsClasses();
}

void
FrameDelayLine::QueueFactorChanged()
{
    if (m_handler)
    {
        m_handler->QueueFactorChanged();
    }
}

uint32_t
FrameDelayLine::GetFrames() const
{
    return m_held.size();
}

void
FrameDelayLine::Dispose()
{
    while (!m_held.empty())
    {
        m_held.pop_front().frame->Unref();
    }
    m_handler = nullptr;
}

} // namespace aifabric
} // namespace ns3
