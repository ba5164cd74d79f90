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
    std::vector<uint16_t> labels;
    for (const LabelledPaths& choice : CountPaths(source, destination, plane))
    {
        labels.push_back(choice.label);
    }
    return labels;
}

std::vector<LabelledPaths>
PathView::CountPaths(uint32_t source, uint32_t destination, uint16_t plane) const
{
    const auto leaf = m_graph.LeafOf(source, plane);
    const auto& up = m_graph.Switches()[leaf].forwarding.up;
    std::vector<LabelledPaths> labels;
    if (!m_alive[m_graph.LinkAt({true, source, plane})])
    {
        return labels;
    }
    if (leaf == m_graph.LeafOf(destination, plane))
    {
        const uint32_t paths = CountDescents(leaf, destination);
        return paths > 0 ? std::vector<LabelledPaths>{{0, paths}} : labels;
    }
    for (uint16_t i = 0; i < up.count; ++i)
    {
        const auto middle = Climb(leaf, up.first + i);
        if (middle)
        {
            AddPathsOver(*middle, i, destination, labels);
        }
    }
    std::sort(labels.begin(), labels.end(), [](const LabelledPaths& a, const LabelledPaths& b) {
        return a.label < b.label;
    });
    return labels;
}

void
PathView::AddPathsOver(uint32_t middle,
                       uint16_t i,
                       uint32_t destination,
                       std::vector<LabelledPaths>& labels) const
{
    const auto& rule = m_graph.Switches()[middle].forwarding;
    if (rule.IsBelow(destination))
    {
        if (const uint32_t paths = CountDescents(middle, destination); paths > 0)
        {
            labels.push_back({i, paths});
        }
        return;
    }
    for (uint16_t j = 0; j < rule.up.count; ++j)
    {
        const auto top = Climb(middle, rule.up.first + j);
        if (const uint32_t paths = top ? CountDescents(*top, destination) : 0; paths > 0)
        {
            labels.push_back({static_cast<uint16_t>(j * m_graph.LeafUplinks() + i), paths});
        }
    }
}

std::optional<uint32_t>
PathView::Climb(uint32_t id, uint16_t port) const
{
    const FabricEnd end{false, id, port};
    return m_alive[m_graph.LinkAt(end)] ? std::make_optional(m_graph.PeerOf(end).id) : std::nullopt;
}

uint32_t
PathView::CountDescents(uint32_t id, uint32_t host) const
{
    const auto& group = m_graph.Switches()[id].forwarding.GroupFor(host);
    uint32_t paths = 0;
    for (uint16_t port = group.first; port < group.first + group.count; ++port)
    {
        const FabricEnd end{false, id, port};
        if (m_alive[m_graph.LinkAt(end)])
        {
            const auto& below = m_graph.PeerOf(end);
            paths += below.isHost ? 1 : CountDescents(below.id, host);
        }
    }
    return paths;
}

} // namespace aifabric
} // namespace ns3
