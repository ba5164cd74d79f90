/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linked-node.h"

#include "fabric-transmitter.h"

#include "ns3/fabric-clock.h"
#include "ns3/frame-source.h"
#include "ns3/prefetch-lines.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace ns3
{
namespace aifabric
{

LinkedNode&
LinkedNode::Of(WindowSimulator& windows, uint32_t node)
{
    WindowNode* found = windows.GetNode(node);
    if (!found)
    {
        found = new LinkedNode(windows, node);
        windows.SetNode(node, Ptr<WindowNode>(found, false));
    }
    return *static_cast<LinkedNode*>(found);
}

LinkedNode::LinkedNode(WindowSimulator& windows, uint32_t node)
    : m_windows(windows),
      m_node(node),
      m_room(node)
{
}

LinkedNode::~LinkedNode()
{
}

void
LinkedNode::Join(WindowSimulator& windows, const std::vector<uint32_t>& nodes)
{
    LinkedNode& first = Of(windows, nodes.front());
    for (std::size_t i = 1; i < nodes.size(); ++i)
    {
        LinkedNode& other = Of(windows, nodes[i]);
        windows.Join(first.m_room, nodes[i]);
        other.m_room = first.m_room;
        first.m_others.push_back(&other);
    }
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
            delay = std::min<uint64_t>(delay, least * STEPS);
        }
    }
    m_inboxes.swap(inboxes); // what moves keeps its address
    for (std::size_t port = 0; port < m_inboxes.size(); ++port)
    {
        if (m_inboxes[port].First()) // maybe handed over just now
        {
            Announce(port);
        }
    }
    return delay;
}

std::vector<uint32_t>
LinkedNode::GetNeighbours() const
{
    std::vector<uint32_t> nodes;
    for (const FabricTransmitter* const sender : m_links)
    {
        if (sender)
        {
            nodes.push_back(sender->GetNode());
        }
    }
    return nodes;
}

void
LinkedNode::TakeOver(uint32_t place)
{
    m_links[place]->HandOver();
    Announce(place);
}

uint64_t
LinkedNode::Run(WindowWorker& worker, uint64_t end)
{
    const int64_t begin = worker.GetTs() / STEPS;
    worker.SwapLists(m_arrivals, m_scattered);
    Collect(begin, end);
    worker.Count(m_arrived);
    for (LinkedNode* const other : m_others)
    {
        other->Collect(begin, end);
        worker.Count(other->m_arrived);
    }
    worker.Enter(m_node);
    if (!m_others.empty())
    {
        RunRoom(worker);
    }
    const Arrival* const last = m_arrivals.data() + m_arrived;
    for (const Arrival* arrival = m_arrivals.data(); arrival != last; ++arrival)
    {
        Receive(*arrival, worker);
    }
    m_arrived = 0;
    worker.SwapLists(m_arrivals, m_scattered);
    worker.RunEvents();
    uint64_t next = std::min(m_next, Settle(worker, end));
    for (LinkedNode* const other : m_others)
    {
        next = std::min({next, other->m_next, other->Settle(worker, end)});
    }
    return next;
}

inline void
LinkedNode::Receive(const Arrival& arrival, WindowWorker& worker)
{
    const uint32_t port = arrival.place & ((1 << PORT_BITS) - 1);
    const int64_t now = m_begin + static_cast<int64_t>(arrival.place >> PORT_BITS);
    const uint64_t ts = now * STEPS + FabricClock::FinestTurnOfPort(port);
    worker.Advance(ts);
    const WireEnd& inbox = m_inboxes[port];
    const Ptr<FabricFrame> frame(static_cast<FabricFrame*>(arrival.what), false);
    if (inbox.IsSpecial(*frame))
    {
        inbox.DeliverSpecial(frame, m_links[port]->GetDirection(), now);
        return;
    }
    inbox.DeliverPlain(frame, now);
}

void
LinkedNode::RunRoom(WindowWorker& worker)
{
    std::vector<LinkedNode*> all = m_others;
    all.insert(all.begin(), this);
    std::vector<std::size_t> done(all.size());
    const auto arrivalOf = [&all, &done](std::size_t i) {
        const LinkedNode& node = *all[i];
        return done[i] < node.m_arrived ? node.GetTs(node.m_arrivals[done[i]]) : NEVER;
    };
    while (true)
    {
        std::size_t first = 0;
        for (std::size_t i = 1; i < all.size(); ++i)
        {
            first = arrivalOf(i) < arrivalOf(first) ? i : first;
        }
        if (arrivalOf(first) == NEVER)
        {
            break;
        }
        worker.Enter(all[first]->m_node);
        all[first]->Receive(all[first]->m_arrivals[done[first]++], worker);
    }
    for (LinkedNode* const node : all)
    {
        node->m_arrived = 0;
    }
}

void
LinkedNode::Prefetch(uint32_t step) const
{
    constexpr uint8_t USUAL_CLASS = 3; // of RoCE
    if (step == 0)
    {
        m_arriving.ForEach([this](uint32_t port) { PrefetchLine(&m_inboxes[port]); });
        m_touched.ForEach([this](uint32_t port) { m_senders[port]->Prefetch(USUAL_CLASS); });
        return;
    }
    m_arriving.ForEach([this](uint32_t port) { m_inboxes[port].Prefetch(); });
}

void
LinkedNode::Collect(int64_t begin, uint64_t end)
{
    const auto last = static_cast<int64_t>(end / STEPS);
    const auto rest = static_cast<int64_t>(end % STEPS);
    m_begin = begin;
    m_next = NEVER;
    uint64_t most = 0;
    uint32_t ports = 0;
    m_arriving.KeepIf([&](uint32_t port) {
        WireEnd& inbox = m_inboxes[port];
        const int64_t turn = FabricClock::FinestTurnOfPort(port);
        const int64_t until = last + (turn < rest); // what comes before it is in the window
        const std::size_t before = m_arrived;
        CollectFrom(port, until);
        if (m_arrived > before)
        {
            ++ports;
            most = std::max(most, m_arrivals[m_arrived - 1].place);
        }
        if (!inbox.First())
        {
            inbox.SetAnnounced(false);
            return false;
        }
        m_next = std::min<uint64_t>(m_next, inbox.GetArrival() * STEPS + turn);
        return true;
    });
    if (ports > 1)
    {
        Sort(most);
    }
}

inline void
LinkedNode::CollectFrom(uint32_t port, int64_t until)
{
    WireEnd& inbox = m_inboxes[port];
    const std::size_t most = m_arrived + inbox.CountFrames();
    if (most > m_arrivals.size())
    {
        m_arrivals.resize(2 * most);
    }
    Arrival* const begin = m_arrivals.data() + m_arrived;
    Arrival* end = begin;
    inbox.PopUntil(until, [port, &end, from = m_begin](FabricFrame* frame, int64_t arrival) {
        PrefetchLine(frame);
        *end++ = {static_cast<uint64_t>(arrival - from) << PORT_BITS | port, frame};
    });
    m_arrived += end - begin;
}

void
LinkedNode::Sort(uint64_t most)
{
    constexpr uint32_t MOST_BITS = 8; // of the bucket's number
    constexpr std::size_t FEW = 24;
    const std::size_t size = m_arrived;
    if (size > FEW)
    {
        const uint32_t bits = std::min<uint32_t>(64 - __builtin_clzll(size), MOST_BITS);
        const uint32_t width = 64 - __builtin_clzll(most | 1);
        const uint32_t shift = width > bits ? width - bits : 0;
        std::array<uint32_t, (1 << MOST_BITS) + 1> begins;
        std::fill_n(begins.begin(), (1 << bits) + 1, 0);
        for (std::size_t i = 0; i < size; ++i)
        {
            ++begins[(m_arrivals[i].place >> shift) + 1];
        }
        std::partial_sum(begins.begin(), begins.begin() + (1 << bits), begins.begin());
        m_scattered.resize(m_arrivals.size());
        for (std::size_t i = 0; i < size; ++i)
        {
            m_scattered[begins[m_arrivals[i].place >> shift]++] = m_arrivals[i];
        }
        m_arrivals.swap(m_scattered);
    }
    for (std::size_t i = 1; i < size; ++i)
    {
        if (m_arrivals[i - 1].place <= m_arrivals[i].place) // most are in place now
        {
            continue;
        }
        const Arrival arrival = m_arrivals[i];
        std::size_t to = i;
        for (; to > 0 && m_arrivals[to - 1].place > arrival.place; --to)
        {
            m_arrivals[to] = m_arrivals[to - 1];
        }
        m_arrivals[to] = arrival;
    }
}

uint64_t
LinkedNode::Settle(WindowWorker& worker, uint64_t end)
{
    const int64_t last = end / STEPS - 1; // the picosecond that is whole
    uint64_t next = NEVER;
    m_touched.KeepIf([this, last, &next, &worker](uint32_t port) {
        FabricTransmitter& sender = *m_senders[port];
        const int64_t start = sender.Settle(last);
        const WireEnd& wire = sender.GetWire();
        if (wire.First() && !wire.IsAnnounced())
        {
            LinkedNode& receiver = sender.GetReceiver();
            if (receiver.GetWorker() == GetWorker())
            {
                receiver.Announce(wire.GetIngress());
            }
            else
            {
                worker.Notify(receiver, wire.GetIngress());
            }
        }
        if (start == aifabric::NEVER)
        {
            return false;
        }
        next = std::min<uint64_t>(next, start * STEPS + STEPS - 1); // decided late
        return true;
    });
    return next;
}

} // namespace aifabric
} // namespace ns3
