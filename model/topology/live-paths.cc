/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "live-paths.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

LivePaths::LivePaths(const FabricGraph& graph, std::vector<bool> alive)
    : m_graph(graph),
      m_alive(std::move(alive))
{
    if (m_alive.size() != graph.Links().size())
    {
        throw std::invalid_argument("LivePaths: states of " + std::to_string(m_alive.size()) +
                                    " links; the fabric has " +
                                    std::to_string(graph.Links().size()));
    }
}

const std::vector<LivePath>&
LivePaths::Between(uint32_t source, uint32_t destination, uint16_t plane)
{
    const uint32_t from = m_graph.LeafOf(source, plane);
    const uint32_t to = m_graph.LeafOf(destination, plane);
    const auto [entry, isNew] = m_paths.try_emplace(uint64_t{from} << 32 | to);
    if (isNew && from != to)
    {
        LivePath path;
        Extend(from, to, destination, path, entry->second);
    }
    return entry->second;
}

void
LivePaths::Extend(uint32_t id,
                  uint32_t leaf,
                  uint32_t destination,
                  LivePath& path,
                  std::vector<LivePath>& paths) const
{
    if (id == leaf)
    {
        paths.push_back(path);
        return;
    }
    const ForwardingRule& rule = m_graph.Switches()[id].forwarding;
    const PortGroup& group = rule.GroupFor(destination);
    const bool isDown = rule.IsBelow(destination);
    const LivePath before = path;
    for (uint16_t port = group.first; port < group.first + group.count; ++port)
    {
        const FabricEnd end{false, id, port};
        const uint32_t link = m_graph.LinkAt(end);
        if (!m_alive[link])
        {
            continue;
        }
        if (group.count > 1)
        {
            path.hops.push_back({id, port});
        }
        path.links.push_back(2 * link + isDown);
        path.middle = isDown ? path.middle : m_graph.PeerOf(end).id;
        Extend(m_graph.PeerOf(end).id, leaf, destination, path, paths);
        path = before;
    }
}

} // namespace aifabric
} // namespace ns3
