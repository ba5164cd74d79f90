/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_SET_H
#define PORT_SET_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A set of the ports of a node, which is quick to go through where few are in it.
 */
class PortSet
{
  public:
    /// @param ports how many there are
    void Resize(uint32_t ports)
    {
        m_words.resize((ports + 63) / 64);
    }

    /// Add a port.  @param port its index
    void Add(uint32_t port)
    {
        m_words[port / 64] |= uint64_t{1} << (port % 64);
    }

    /// Remove a port.  @param port its index
    void Remove(uint32_t port)
    {
        m_words[port / 64] &= ~(uint64_t{1} << (port % 64));
    }

    /// Call a function for each port, in order.  @param visit takes the port's index, and returns
    /// whether it stays in the set
    template <typename F>
    void KeepIf(F&& visit)
    {
        ForEach([this, &visit](uint32_t port) {
            if (!visit(port))
            {
                Remove(port);
            }
        });
    }

    /// Call a function for each port, in order.  @param visit takes the port's index
    template <typename F>
    void ForEach(F&& visit) const
    {
        for (std::size_t word = 0; word < m_words.size(); ++word)
        {
            for (uint64_t left = m_words[word]; left; left &= left - 1)
            {
                visit(static_cast<uint32_t>(64 * word + __builtin_ctzll(left)));
            }
        }
    }

  private:
    std::vector<uint64_t> m_words; //!< a bit a port
};

} // namespace aifabric
} // namespace ns3

#endif /* PORT_SET_H */
