/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-view.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

PathView::PathView(const FabricGraph& graph)
    : m_graph(graph),
      m_alive(graph.Links().size(), true)
{
}

uint16_t
PathView::GetPlanes() const
{
    return m_graph.Planes();
}

void
PathView::SetLinkAlive(uint32_t link, bool alive)
{
    if (m_alive.at(link) != alive)
    {
        m_alive[link] = alive;
        ++m_version;
    }
}

bool
PathView::IsLinkAlive(uint32_t link) const
{
    return m_alive.at(link);
}

std::vector<uint16_t>
PathView::UsablePaths(uint32_t source, uint32_t destination, uint16_t plane) const
{
    const auto leaf = m_graph.LeafOf(source, plane);
    const auto& up = m_graph.Switches()[leaf].forwarding.up;
    std::vector<uint16_t> labels;
    if (!m_alive[m_graph.LinkAt({true, source, plane})])
    {
        return labels;
    }
    if (leaf == m_graph.LeafOf(destination, plane))
    {
        return Descends(leaf, destination) ? std::vector<uint16_t>{0} : labels;
    }
    for (uint16_t i = 0; i < up.count; ++i)
    {
        const auto middle = Climb(leaf, up.first + i);
        if (middle)
        {
            AddPathsOver(*middle, i, destination, labels);
        }
    }
    std::sort(labels.begin(), labels.end());
    return labels;
}

void
PathView::AddPathsOver(uint32_t middle,
                       uint16_t i,
                       uint32_t destination,
                       std::vector<uint16_t>& labels) const
{
    const auto& rule = m_graph.Switches()[middle].forwarding;
    if (rule.IsBelow(destination))
    {
        if (Descends(middle, destination))
        {
            labels.push_back(i);
        }
        return;
    }
    for (uint16_t j = 0; j < rule.up.count; ++j)
    {
        const auto top = Climb(middle, rule.up.first + j);
        if (top && Descends(*top, destination))
        {
            labels.push_back(static_cast<uint16_t>(j * m_graph.LeafUplinks() + i));
        }
    }
}

std::optional<uint32_t>
PathView::Climb(uint32_t id, uint16_t port) const
{
    const FabricEnd end{false, id, port};
    return m_alive[m_graph.LinkAt(end)] ? std::make_optional(m_graph.PeerOf(end).id) : std::nullopt;
}

bool
PathView::Descends(uint32_t id, uint32_t host) const
{
    const auto& group = m_graph.Switches()[id].forwarding.GroupFor(host);
    for (uint16_t port = group.first; port < group.first + group.count; ++port)
    {
        const FabricEnd end{false, id, port};
        const auto& below = m_graph.PeerOf(end);
        if (m_alive[m_graph.LinkAt(end)] && (below.isHost || Descends(below.id, host)))
        {
            return true;
        }
    }
    return false;
}

} // namespace aifabric
} // namespace ns3
