/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "live-paths.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <boost/range/iterator_range.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

/// Two vertices for each switch: one for frames that have only gone up, and one for those that have
/// gone down. An edge is a live link in one direction, so no path goes up again. Edges are in the
/// order of the ports.
struct LivePaths::Graph
    : boost::
          adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, Step>
{
    using adjacency_list::adjacency_list;
};

LivePaths::LivePaths(const FabricGraph& graph, const std::vector<bool>& alive)
    : m_fabric(graph)
{
    if (alive.size() != graph.Links().size())
    {
        throw std::invalid_argument("LivePaths: states of " + std::to_string(alive.size()) +
                                    " links; the fabric has " +
                                    std::to_string(graph.Links().size()));
    }
    MakeGraph(alive);
}

LivePaths::~LivePaths() = default;

void
LivePaths::MakeGraph(const std::vector<bool>& alive)
{
    const auto count = static_cast<uint32_t>(m_fabric.Switches().size());
    m_graph = std::make_unique<Graph>(2 * count);
    for (uint32_t id = 0; id < count; ++id)
    {
        const FabricSwitchSpec& spec = m_fabric.Switches()[id];
        for (uint16_t port = 0; port < spec.portCount; ++port)
        {
            const FabricEnd& peer = m_fabric.PeerOf({false, id, port});
            const uint32_t link = m_fabric.LinkAt({false, id, port});
            if (peer.isHost || !alive[link])
            {
                continue;
            }
            const bool isDown = m_fabric.Switches()[peer.id].tier < spec.tier;
            const Step step{port, 2 * link + isDown};
            boost::add_edge(VertexOf(id, false), VertexOf(peer.id, isDown), step, *m_graph);
            if (isDown)
            {
                boost::add_edge(VertexOf(id, true), VertexOf(peer.id, true), step, *m_graph);
            }
        }
    }
}

const std::vector<LivePath>&
LivePaths::Between(uint32_t source, uint32_t destination, uint16_t plane)
{
    const uint32_t from = m_fabric.LeafOf(source, plane);
    const uint32_t to = m_fabric.LeafOf(destination, plane);
    const auto [entry, isNew] = m_paths.try_emplace(uint64_t{from} << 32 | to);
    if (isNew && from != to)
    {
        const std::vector<uint32_t>& distances = DistancesTo(to);
        // Two links are those of the hosts. Switches have no entries for longer paths.
        if (distances[VertexOf(from, false)] == m_fabric.PathLinks(source, destination) - 2)
        {
            LivePath path;
            Extend(VertexOf(from, false), distances, destination, path, entry->second);
        }
    }
    return entry->second;
}

const std::vector<uint32_t>&
LivePaths::DistancesTo(uint32_t leaf)
{
    const auto [entry, isNew] = m_distances.try_emplace(leaf);
    std::vector<uint32_t>& distances = entry->second;
    if (isNew)
    {
        distances.assign(boost::num_vertices(*m_graph), NONE);
        distances[VertexOf(leaf, true)] = 0;
        boost::breadth_first_search(
            boost::make_reverse_graph(*m_graph),
            VertexOf(leaf, true),
            boost::visitor(boost::make_bfs_visitor(
                boost::record_distances(distances.data(), boost::on_tree_edge()))));
    }
    return distances;
}

void
LivePaths::Extend(uint32_t vertex,
                  const std::vector<uint32_t>& distances,
                  uint32_t destination,
                  LivePath& path,
                  std::vector<LivePath>& paths) const
{
    if (distances[vertex] == 0)
    {
        paths.push_back(path);
        return;
    }
    const uint32_t id = vertex / 2;
    const bool hasChoice = m_fabric.Switches()[id].forwarding.GroupFor(destination).count > 1;
    const LivePath before = path;
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(vertex, *m_graph)))
    {
        const auto next = static_cast<uint32_t>(boost::target(edge, *m_graph));
        if (distances[next] == NONE || distances[next] + 1 != distances[vertex])
        {
            continue;
        }
        const Step& step = (*m_graph)[edge];
        if (hasChoice)
        {
            path.hops.push_back({id, step.port});
        }
        path.links.push_back(step.link);
        path.middle = step.link % 2 ? path.middle : next / 2;
        Extend(next, distances, destination, path, paths);
        path = before;
    }
}

} // namespace aifabric
} // namespace ns3
