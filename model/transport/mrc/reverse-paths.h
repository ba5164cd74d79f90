/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REVERSE_PATHS_H
#define REVERSE_PATHS_H

#include <algorithm>
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
 *
 * A plane in which nothing arrives any more, while packets arrive in others, is left out: the
 * other end has denied it, or it has lost everything. The planes carry equal load, so FEW packets
 * for each plane that all come in others are no chance.
 */
class ReversePaths
{
  public:
    /// Packets for each plane, all of which come in others, after which a plane is left out.
    static constexpr uint32_t FEW = 4;

    /// A way to send a control packet.
    struct Way
    {
        uint16_t plane;   //!< its plane
        uint32_t entropy; //!< its EV
    };

    /// A packet of the other end has arrived.  @param entropy its EV
    void Note(uint16_t plane, uint32_t entropy)
    {
        if (plane >= m_latest.size())
        {
            m_latest.resize(plane + 1);
        }
        m_latest[plane] = {entropy, ++m_arrivals};
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
        const uint32_t known = m_known & alive;
        uint64_t newest = 0;
        for (uint16_t plane = 0; plane < m_latest.size(); ++plane)
        {
            newest = known >> plane & 1 ? std::max(newest, m_latest[plane].arrival) : newest;
        }
        do
        {
            m_last = m_last + 1U < m_latest.size() ? m_last + 1 : 0;
        } while (!(known >> m_last & 1) || IsSilent(m_last, newest));
        return {m_last, m_latest[m_last].entropy};
    }

  private:
    /// The last packet of the other end in a plane.
    struct Arrival
    {
        uint32_t entropy; //!< its EV
        uint64_t arrival; //!< its number among the packets of all planes
    };

    /// @return whether packets have arrived in other planes only  @param newest the last arrival
    bool IsSilent(uint16_t plane, uint64_t newest) const
    {
        return newest - m_latest[plane].arrival > FEW * m_latest.size();
    }

    std::vector<Arrival> m_latest; //!< by plane
    uint64_t m_arrivals{0};        //!< packets of the other end
    uint32_t m_known{0};           //!< bit p set: a packet has arrived in plane p
    uint16_t m_last{0};            //!< plane of the last control packet
};

} // namespace aifabric
} // namespace ns3

#endif /* REVERSE_PATHS_H */
