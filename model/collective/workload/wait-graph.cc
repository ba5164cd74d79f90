/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wait-graph.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace aifabric
{

namespace
{

/// The waits of a graph, by who waits.
struct Waits
{
    std::vector<std::size_t> first; //!< by node: where its waits begin; one more for the end
    std::vector<uint32_t> others;   //!< for whom
};

/// How far the search has come with a node.
enum class State : uint8_t
{
    NEW,    //!< not seen
    OPEN,   //!< on the way from where the search began
    CLOSED, //!< no circle can be reached from it
};

/// A depth-first walk along the waits.
class Walk
{
  public:
    /// @param waits the waits; must outlive the walk
    explicit Walk(const Waits& waits)
        : m_waits(waits),
          m_states(waits.first.size() - 1, State::NEW),
          m_next(waits.first.begin(), waits.first.end() - 1)
    {
    }

    /// @return a circle that can be reached from a node, if there is one not found before
    /// @param start the node
    std::vector<uint32_t> FindFrom(uint32_t start)
    {
        Open(start);
        while (!m_way.empty())
        {
            const uint32_t node = m_way.back();
            if (m_next[node] == m_waits.first[node + 1])
            {
                m_states[node] = State::CLOSED;
                m_way.pop_back();
                continue;
            }
            const uint32_t other = m_waits.others[m_next[node]++];
            if (m_states[other] == State::OPEN)
            {
                return {std::find(m_way.begin(), m_way.end(), other), m_way.end()};
            }
            Open(other);
        }
        return {};
    }

  private:
    /// Go to a node, unless it was seen before.
    void Open(uint32_t node)
    {
        if (m_states[node] == State::NEW)
        {
            m_states[node] = State::OPEN;
            m_way.push_back(node);
        }
    }

    const Waits& m_waits;            //!< the waits
    std::vector<State> m_states;     //!< by node
    std::vector<std::size_t> m_next; //!< by node: the wait to look at next
    std::vector<uint32_t> m_way;     //!< from the start to here
};

} // namespace

WaitGraph::WaitGraph(uint32_t nodes)
    : m_nodes(nodes)
{
}

void
WaitGraph::Add(uint32_t node, uint32_t other)
{
    m_waits.emplace_back(node, other);
}

std::vector<uint32_t>
WaitGraph::FindCycle() const
{
    Waits waits{std::vector<std::size_t>(m_nodes + 1), std::vector<uint32_t>(m_waits.size())};
    for (const auto& wait : m_waits)
    {
        ++waits.first[wait.first + 1];
    }
    std::partial_sum(waits.first.begin(), waits.first.end(), waits.first.begin());
    std::vector<std::size_t> place(waits.first.begin(), waits.first.end() - 1);
    for (const auto& [node, other] : m_waits)
    {
        waits.others[place[node]++] = other;
    }
    Walk walk(waits);
    for (uint32_t node = 0; node < m_nodes; ++node)
    {
        const std::vector<uint32_t> cycle = walk.FindFrom(node);
        if (!cycle.empty())
        {
            return cycle;
        }
    }
    return {};
}

} // namespace aifabric
} // namespace ns3
