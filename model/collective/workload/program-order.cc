/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-order.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Lists the nodes of a program, each after those that it depends on.
class Lister
{
  public:
    /// @param program the program; must outlive the lister
    explicit Lister(const WorkloadProgram& program)
        : m_program(program),
          m_next(program.size()),
          m_isOpen(program.size())
    {
    }

    /// @return the nodes, in order
    std::vector<uint32_t> List()
    {
        for (uint32_t node = 0; node < m_program.size(); ++node)
        {
            Add(node);
        }
        return m_listed;
    }

  private:
    /// List a node after all that it depends on, unless it is listed.  @param start the node
    void Add(uint32_t start)
    {
        Open(start);
        while (!m_way.empty())
        {
            const uint32_t node = m_way.back();
            if (m_next[node] == m_program[node].dependencies.size())
            {
                m_listed.push_back(node);
                m_way.pop_back();
                continue;
            }
            Open(m_program[node].dependencies[m_next[node]++]);
        }
    }

    /// Go to a node, unless it was seen before.
    void Open(uint32_t node)
    {
        if (!m_isOpen[node])
        {
            m_isOpen[node] = true;
            m_way.push_back(node);
        }
    }

    const WorkloadProgram& m_program; //!< the program
    std::vector<std::size_t> m_next;  //!< by node: the dependency to look at next
    std::vector<bool> m_isOpen;       //!< by node: whether it was seen
    std::vector<uint32_t> m_way;      //!< from where the search began to here
    std::vector<uint32_t> m_listed;   //!< nodes in order
};

} // namespace

WorkloadProgram
OrderByDependencies(WorkloadProgram program)
{
    const std::vector<uint32_t> order = Lister(program).List();
    std::vector<uint32_t> places(order.size());
    WorkloadProgram ordered;
    for (const uint32_t node : order)
    {
        places[node] = static_cast<uint32_t>(ordered.size());
        ordered.push_back(std::move(program[node]));
        for (uint32_t& dependency : ordered.back().dependencies)
        {
            dependency = places[dependency];
        }
    }
    return ordered;
}

} // namespace aifabric
} // namespace ns3
