/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMED_EXCLUSION_H
#define TIMED_EXCLUSION_H

#include "ns3/growing-ring.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Labels that are not used for some time after their packets have reported congestion, unless more
 * than half of all labels are in this state: then all are used (Ultra Ethernet). Times are in
 * picoseconds.
 */
class TimedExclusion
{
  public:
    /// @param labels number of labels, at least 1  @param duration time for which one is excluded
    TimedExclusion(uint32_t labels, int64_t duration)
        : m_duration(duration),
          m_until(labels, 0)
    {
    }

    /// Exclude a label from now on; the time of one that is excluded begins anew.
    /// @param label the label, modulo their number
    void Exclude(uint32_t label, int64_t now)
    {
        Expire(now);
        int64_t& until = m_until[label % m_until.size()];
        m_excluded += until == 0 ? 1 : 0;
        until = now + m_duration;
        m_ends.push_back({until, static_cast<uint32_t>(label % m_until.size())});
    }

    /// @return how many labels are excluded
    uint32_t CountExcluded(int64_t now)
    {
        Expire(now);
        return m_excluded;
    }

    /**
     * Choose the label of a packet: the first candidate that is not excluded; if more than half of
     * the labels are excluded, the first candidate.
     *
     * @tparam Walk type of the function
     * @param walk gives the next candidate; each label is one of any `2 * labels - 1` in a row
     * @return the label
     */
    template <typename Walk>
    uint32_t Choose(int64_t now, Walk&& walk)
    {
        uint32_t label = walk();
        Expire(now);
        while (m_until[label] != 0 && 2 * m_excluded <= m_until.size())
        {
            ++m_skipped;
            label = walk();
        }
        return label;
    }

    /// @return candidates that were skipped
    uint64_t GetSkipped() const
    {
        return m_skipped;
    }

  private:
    /// When the exclusion of a label ends.
    struct End
    {
        int64_t time;   //!< the time
        uint32_t label; //!< the label
    };

    /// Use the labels again whose time has passed.
    void Expire(int64_t now)
    {
        while (!m_ends.empty() && m_ends.front().time <= now)
        {
            const End end = m_ends.pop_front();
            if (m_until[end.label] == end.time) // else it was excluded again
            {
                m_until[end.label] = 0;
                --m_excluded;
            }
        }
    }

    int64_t m_duration;           //!< time for which a label is excluded
    std::vector<int64_t> m_until; //!< by label: end of its exclusion; 0: it is not excluded
    GrowingRing<End> m_ends;      //!< in order of time
    uint32_t m_excluded{0};       //!< labels that are excluded
    uint64_t m_skipped{0};        //!< candidates that were skipped
};

} // namespace aifabric
} // namespace ns3

#endif /* TIMED_EXCLUSION_H */
