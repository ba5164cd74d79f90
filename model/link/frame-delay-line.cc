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
#include "ns3/simulator.h"

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
                       Time latency)
{
    if (latency.GetPicoSeconds() <= 0 || ports.empty())
    {
        return nullptr;
    }
    const uint32_t node = ports.front()->GetDevice()->GetNode()->GetId();
    const auto line = Create<FrameDelayLine>(handler, node, latency.GetPicoSeconds());
    for (const Ptr<FabricPort>& port : ports)
    {
        port->SetHandler(PeekPointer(line));
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
    m_held.push_back(Held{now + m_latency, PeekPointer(frame), ingress});
    if (isFirst)
    {
        ScheduleFirst();
    }
}

void
FrameDelayLine::ScheduleFirst()
{
    const Held& first = m_held.front();
    Ref();
    Simulator::ScheduleWithContext(
        m_node,
        FabricClock::Until(first.due, FabricClock::TurnOfPort(first.ingress)),
        this);
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
