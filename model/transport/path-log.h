/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_LOG_H
#define PATH_LOG_H

#include "ns3/growing-ring.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The entropy that each packet took when it was sent last, of the packets that are not
 * acknowledged.
 */
class PathLog
{
  public:
    /// Note the path of a packet.  @param number the packet: one that was noted before, or the next
    /// @param entropy of this transmission
    void Note(uint64_t number, uint32_t entropy)
    {
        const uint64_t index = number - m_first;
        if (index == m_entropies.size())
        {
            m_entropies.push_back(entropy);
        }
        else
        {
            m_entropies[index] = entropy;
        }
    }

    /// @return the entropy of a packet's last transmission  @param number the packet
    uint32_t Get(uint64_t number) const
    {
        return m_entropies[number - m_first];
    }

    /// @return the same of the first packet that is not acknowledged; 0 if none was sent
    uint32_t GetOldest() const
    {
        return m_entropies.empty() ? 0 : m_entropies.front();
    }

    /// Forget the packets before one.  @param number the first that is not acknowledged
    void ForgetBefore(uint64_t number)
    {
        for (; m_first < number; ++m_first)
        {
            m_entropies.pop_front();
        }
    }

  private:
    uint64_t m_first{0};                  //!< the number of the first packet in the next
    GrowingRing<uint32_t, 4> m_entropies; //!< by packet
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_LOG_H */
