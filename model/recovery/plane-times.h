/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANE_TIMES_H
#define PLANE_TIMES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The round-trip times of the planes of a queue pair, as RFC 6298 smooths them, and after which
 * time a packet of a plane is late: the smoothed round-trip time, VariationFactor mean variations,
 * and a slack for reordering. The slack gets longer when a packet was late and has arrived after
 * all, and shorter with each one that was lost. Times are in picoseconds.
 */
class PlaneTimes
{
  public:
    /// A time that is far away.
    static constexpr int64_t FAR = std::numeric_limits<int64_t>::max() / 2;

    /// Forget all.  @param baseRtt round-trip time of the empty fabric; 0: not known
    /// @param slack by which reordering delays packets at the least
    void Start(int64_t baseRtt, int64_t slack);

    /// @param factor the mean variations after which a packet is late
    void SetVariationFactor(double factor)
    {
        m_variationFactor = static_cast<float>(factor);
    }

    /// @return the mean variations after which a packet is late
    double GetVariationFactor() const
    {
        return static_cast<double>(m_variationFactor);
    }

    /// A packet is sent in a plane.
    void AddPlane(uint16_t plane)
    {
        if (plane >= m_planes.size())
        {
            m_planes.resize(plane + std::size_t{1}, {m_baseRtt, 0, false, {-FAR, -FAR}, 0, 0});
        }
    }

    /// A packet has arrived.  @param isAgain whether it was sent before
    /// @param start when its transmission began
    void NoteArrival(uint16_t plane, bool isAgain, int64_t start)
    {
        Plane& times = m_planes[plane];
        int64_t& latest = times.latest[isAgain];
        latest = std::max(latest, start);
        times.vanished = start > times.silentSince ? 0 : times.vanished;
    }

    /// A packet is lost, and none of its plane has come that was sent later.
    /// @param start when its transmission began
    /// @return whether the plane has lost all packets for a round-trip time
    bool NoteVanished(uint16_t plane, int64_t start);

    /// @return when the transmission of the latest packet that has arrived began; -FAR: none has
    /// @param isAgain of the packets that were sent before, or of the others
    int64_t GetLatest(uint16_t plane, bool isAgain) const
    {
        return m_planes[plane].latest[isAgain];
    }

    /// A report shows a round-trip time, of whatever plane.
    void NoteLeast(int64_t rtt)
    {
        m_leastRtt = std::min(m_leastRtt, rtt);
    }

    /// A report shows the round-trip time of a plane.
    void AddSample(uint16_t plane, int64_t rtt);

    /// @return the smoothed round-trip time of a plane
    int64_t GetSmoothed(uint16_t plane) const
    {
        return plane < m_planes.size() ? m_planes[plane].smoothed : m_baseRtt;
    }

    /// @return by how much the round-trip time of the slowest plane exceeds that of the fabric
    int64_t GetSlowness() const;

    /// @return the shortest round-trip time
    int64_t GetLeast() const
    {
        return m_leastRtt;
    }

    /// @return the round-trip time of the empty fabric; 0: not known
    int64_t GetBase() const
    {
        return m_baseRtt;
    }

    /// A packet that was inferred to be lost has arrived.  @param rtt its round-trip time
    void LengthenSlack(uint16_t plane, int64_t rtt)
    {
        m_slack = std::max(m_slack, rtt - GetSmoothed(plane));
    }

    /// @return what packets may be late by reordering
    int64_t GetSlack() const
    {
        return m_slack;
    }

    /// A packet was lost as inferred.
    void ShortenSlack();

    /// @return whether a sample of a plane has come
    bool IsSampled(uint16_t plane) const
    {
        return m_planes[plane].isSampled;
    }

    /// @return time after which a packet of a plane is late
    int64_t GetPatience(uint16_t plane) const
    {
        return GetPatience(m_planes[plane]);
    }

    /// @return time after which a packet of the fastest plane is late
    int64_t GetShortestPatience() const;

    /// @return time after which a packet of the slowest plane is late
    int64_t GetLongestPatience() const;

    /// @return time without a SACK after which SACKs may be lost: nothing says that packets were
    /// reordered, so it is shorter than that after which packets are late
    int64_t GetSackPatience() const;

  private:
    /// What is known of a plane.
    struct Plane
    {
        int64_t smoothed;  //!< the smoothed round-trip time
        int64_t variation; //!< mean deviation from that
        bool isSampled;    //!< a sample has come; until then the others are those of the fabric
        int64_t latest[2]; //!< the latest start of a packet that has arrived: first, and sent again
        int64_t silentSince; //!< start of the first packet that is lost, and none after it has come
        uint32_t vanished;   //!< packets lost since then
    };

    /// @return time after which a packet of a plane is late
    int64_t GetPatience(const Plane& plane) const;

    /// @return VariationFactor mean variations of the round-trip time
    int64_t GetVariation(const Plane& plane) const;

    float m_variationFactor{0};  //!< mean variations after which a packet is late
    int64_t m_slack{0};          //!< what packets may be late by reordering
    int64_t m_leastSlack{0};     //!< the same at the start
    int64_t m_leastRtt{FAR};     //!< the shortest round-trip time
    int64_t m_baseRtt{0};        //!< of the fabric; 0: not known
    std::vector<Plane> m_planes; //!< by plane
};

} // namespace aifabric
} // namespace ns3

#endif /* PLANE_TIMES_H */
