/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-rooms.h"

#include "ns3/abort.h"

#include <numeric>

namespace ns3
{
namespace aifabric
{

void
WindowRooms::Reserve(uint32_t node)
{
    while (node >= m_nodes.size())
    {
        m_nodes.push_back({nullptr, static_cast<uint32_t>(m_nodes.size()), {}});
    }
    m_agenda.Resize(m_nodes.size());
}

void
WindowRooms::SetNode(uint32_t node, Ptr<WindowNode> what)
{
    Reserve(node);
    m_nodes[node].what = what;
}

void
WindowRooms::Join(uint32_t room, uint32_t node)
{
    Reserve(std::max(room, node));
    NS_ABORT_MSG_IF(m_nodes[room].room != room || m_nodes[node].room != node ||
                        !m_nodes[node].events.empty(),
                    "WindowSimulator::Join: node " << node << " is not by itself, or has events");
    m_nodes[node].room = room;
    Wake(room, m_agenda.GetNext(node));
    m_agenda.Set(node, WindowNode::NEVER);
}

void
WindowRooms::Add(uint32_t room, const Scheduler::Event& event)
{
    Reserve(room);
    m_nodes[room].events.push(event);
    Wake(room, event.key.m_ts);
}

uint64_t
WindowRooms::Prepare()
{
    uint64_t length = WindowNode::NEVER;
    for (const Node& node : m_nodes)
    {
        length = std::min(length, node.what ? node.what->Prepare() : WindowNode::NEVER);
    }
    return length;
}

std::vector<uint32_t>
WindowRooms::SortByPlace() const
{
    std::vector<double> places(m_nodes.size());
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
    {
        uint32_t below = 0; // neighbours that have a place
        double sum = 0;
        if (const WindowNode* const what = GetNode(node))
        {
            for (const uint32_t neighbour : what->GetNeighbours())
            {
                below += neighbour < node;
                sum += neighbour < node ? places[neighbour] : 0;
            }
        }
        places[node] = below == 0 ? node : sum / below;
    }
    std::vector<uint32_t> rooms(m_nodes.size());
    std::iota(rooms.begin(), rooms.end(), 0);
    std::stable_sort(rooms.begin(), rooms.end(), [&places](uint32_t a, uint32_t b) {
        return places[a] < places[b];
    });
    return rooms;
}

void
WindowRooms::Share(uint32_t workers, const std::vector<uint64_t>& work)
{
    std::vector<std::vector<uint32_t>> shares(workers);
    const uint64_t all = std::accumulate(work.begin(), work.end(), uint64_t{0});
    std::vector<uint32_t> workerOf(m_nodes.size());
    uint64_t before = 0;
    for (const uint32_t room : SortByPlace())
    {
        const uint64_t middle = before + work[room] / 2;
        workerOf[room] =
            std::min<uint64_t>(workers * middle / std::max<uint64_t>(all, 1), workers - 1);
        before += work[room];
    }
    for (uint32_t number = 0; number < m_nodes.size(); ++number)
    {
        const Node& node = m_nodes[number];
        if (node.what)
        {
            node.what->SetWorker(workerOf[node.room]);
        }
        if (node.room == number)
        {
            shares[workerOf[number]].push_back(number);
        }
    }
    m_agenda.SetShares(shares);
}

void
WindowRooms::Clear(Events& events)
{
    for (; !events.empty(); events.pop())
    {
        events.top().impl->Unref();
    }
}

void
WindowRooms::Clear()
{
    for (Node& node : m_nodes)
    {
        Clear(node.events);
    }
    m_nodes.clear();
    m_agenda.Clear();
}

} // namespace aifabric
} // namespace ns3
