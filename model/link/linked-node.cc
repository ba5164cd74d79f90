/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linked-node.h"

#include "fabric-transmitter.h"

#include "ns3/fabric-clock.h"
#include "ns3/frame-source.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

LinkedNode&
LinkedNode::Of(WindowSimulator& windows, uint32_t node)
{
    if (!windows.GetNode(node))
    {
        windows.SetNode(node, Create<LinkedNode>(windows, node));
    }
    return *static_cast<LinkedNode*>(windows.GetNode(node));
}

LinkedNode::LinkedNode(WindowSimulator& windows, uint32_t node)
    : m_windows(windows),
      m_node(node),
      m_stepsPerPs(FabricClock::StepsPerPs())
{
}

LinkedNode::~LinkedNode()
{
}

uint32_t
LinkedNode::AddSender(FabricTransmitter* sender)
{
    m_senders.push_back(sender);
    m_touched.Resize(m_senders.size());
    m_windows.SetUnprepared();
    return m_senders.size() - 1;
}

void
LinkedNode::AddLink(FabricTransmitter* sender, uint16_t ingress)
{
    if (ingress >= m_links.size())
    {
        m_links.resize(ingress + 1, nullptr);
        m_arriving.Resize(m_links.size());
    }
    m_links[ingress] = sender;
    m_windows.SetUnprepared();
}

void
LinkedNode::RemoveSender(uint32_t sender)
{
    m_touched.Remove(sender);
    m_senders[sender] = nullptr;
}

void
LinkedNode::RemoveLink(uint16_t ingress)
{
    m_arriving.Remove(ingress);
    m_links[ingress] = nullptr;
}

uint64_t
LinkedNode::Prepare()
{
    std::vector<WireEnd> inboxes(m_links.size());
    uint64_t delay = NEVER;
    for (std::size_t port = 0; port < m_links.size(); ++port)
    {
        if (FabricTransmitter* const sender = m_links[port])
        {
            sender->MoveWire(inboxes[port]);
            const int64_t least = std::max<int64_t>(inboxes[port].GetDelay(), 1);
            delay = std::min(delay, least * m_stepsPerPs);
        }
    }
    m_inboxes.swap(inboxes); // what moves keeps its address
    return delay;
}

uint64_t
LinkedNode::Run(WindowSimulator& windows, uint64_t end)
{
    constexpr std::size_t AHEAD = 16; // frames: by then the line of a frame has come
    uint64_t next = Collect(end);
    Sort();
    const std::size_t size = m_arrivals.size();
    for (std::size_t i = 0; i < size; ++i)
    {
        if (i + AHEAD < size)
        {
            __builtin_prefetch(m_arrivals[i + AHEAD].frame, 1);
        }
        const Arrival arrival = m_arrivals[i];
        windows.RunEventsBefore(arrival.ts);
        windows.Advance(arrival.ts);
        m_inboxes[arrival.port].Deliver(Ptr<FabricFrame>(arrival.frame, false),
                                        m_links[arrival.port]->GetDirection(),
                                        static_cast<int64_t>(arrival.ts / m_stepsPerPs));
    }
    m_arrivals.clear();
    windows.RunEvents();
    return std::min(next, Settle(end));
}

uint64_t
LinkedNode::Collect(uint64_t end)
{
    uint64_t next = NEVER;
    m_arriving.KeepIf([this, end, &next](uint32_t port) {
        WireEnd& inbox = m_inboxes[port];
        const int64_t turn = FabricClock::TurnOfPort(port);
        while (inbox.First())
        {
            const uint64_t ts = inbox.GetArrival() * m_stepsPerPs + turn;
            if (ts >= end)
            {
                next = std::min(next, ts);
                return true;
            }
            m_arrivals.push_back({ts, inbox.Pop(), port});
        }
        return false;
    });
    return next;
}

void
LinkedNode::Sort()
{
    std::sort(m_arrivals.begin(), m_arrivals.end(), [](const Arrival& a, const Arrival& b) {
        return a.ts != b.ts ? a.ts < b.ts : a.port < b.port;
    });
}

uint64_t
LinkedNode::Settle(uint64_t end)
{
    const int64_t last = end / m_stepsPerPs - 1; // the picosecond that is whole
    uint64_t next = NEVER;
    m_touched.KeepIf([this, last, &next](uint32_t port) {
        FabricTransmitter& sender = *m_senders[port];
        sender.Advance(last);
        const WireEnd& wire = sender.GetWire();
        if (wire.First())
        {
            sender.GetReceiver().Announce(wire.GetIngress(), wire.GetArrival() * m_stepsPerPs);
        }
        const int64_t start = sender.NextStart();
        if (start == aifabric::NEVER)
        {
            return false;
        }
        next = std::min(next, start * m_stepsPerPs + m_stepsPerPs - 1); // decided late
        return true;
    });
    return next;
}

} // namespace aifabric
} // namespace ns3
