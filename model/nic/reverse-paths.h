/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REVERSE_PATHS_H
#define REVERSE_PATHS_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * By which paths an MRC responder sends its control packets: one entropy value (EV) for each plane,
 * and the planes in turn (MrcQueuePair). The EV of a plane is that of the last packet of the other
 * end that arrived in this plane, so a path that the other end has retired is left with its next
 * packet. This simplifies MRC, whose responder also probes random EVs of its own.
 */
class ReversePaths
{
  public:
    /// A way to send a control packet.
    struct Way
    {
        uint16_t plane;   //!< its plane
        uint32_t entropy; //!< its EV
    };

    /// A packet of the other end has arrived.  @param entropy its EV
    void Note(uint16_t plane, uint32_t entropy)
    {
        if (plane >= m_entropies.size())
        {
            m_entropies.resize(plane + 1);
        }
        m_entropies[plane] = entropy;
        m_known |= uint32_t{1} << plane;
    }

    /// @return whether no packet has arrived in any of some planes
    /// @param alive bit p set: plane p may be used
    bool IsEmpty(uint32_t alive) const
    {
        return (m_known & alive) == 0;
    }

    /// @return the next way; to be called unless IsEmpty()  @param alive as there
    Way Take(uint32_t alive)
    {
        do
        {
            m_last = m_last + 1U < m_entropies.size() ? m_last + 1 : 0;
        } while (!((m_known & alive) >> m_last & 1));
        return {m_last, m_entropies[m_last]};
    }

  private:
    std::vector<uint32_t> m_entropies; //!< by plane
    uint32_t m_known{0};               //!< bit p set: a packet has arrived in plane p
    uint16_t m_last{0};                //!< plane of the last control packet
};

} // namespace aifabric
} // namespace ns3

#endif /* REVERSE_PATHS_H */
