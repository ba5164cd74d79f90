/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXCLUSION_BITMAP_H
#define EXCLUSION_BITMAP_H

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
 * For each label, how often it is still to be skipped, because of what its packets have reported
 * (uet-htsim, UecMpBitmap; csg-htsim, EQDS, with one bit a label).
 */
class ExclusionBitmap
{
  public:
    /// The parameters.
    struct Parameters
    {
        uint32_t labels{64};      //!< number of labels, at least 1
        uint8_t most{15};         //!< no label is skipped more often than that
        bool agesEachSkip{false}; //!< whether each skipped label gets closer to its next use; else
                                  //!< only the first one that a packet skips
    };

    /// Create a bitmap that excludes no path.
    explicit ExclusionBitmap(const Parameters& parameters)
        : m_parameters(parameters),
          m_skips(parameters.labels, 0)
    {
    }

    /// Skip a label more often.  @param label the label, modulo their number  @param times how
    /// often
    void Exclude(uint32_t label, uint32_t times)
    {
        uint8_t& skips = m_skips[label % m_parameters.labels];
        skips = std::min<uint32_t>(skips + times, m_parameters.most);
    }

    /// @return how often a label is to be skipped
    uint32_t GetSkips(uint32_t label) const
    {
        return m_skips[label];
    }

    /**
     * Choose the label of a packet: the first candidate that is not to be skipped; if there is
     * none, the candidate after as many as there are labels.
     *
     * @tparam Walk type of the function
     * @param walk gives the next candidate
     * @return the label
     */
    template <typename Walk>
    uint32_t Choose(Walk&& walk)
    {
        uint32_t label = walk();
        bool ages = true;
        for (uint32_t tries = 0; m_skips[label] > 0 && tries <= m_parameters.labels; ++tries)
        {
            m_skips[label] -= ages ? 1 : 0;
            ages = m_parameters.agesEachSkip;
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
    Parameters m_parameters;      //!< the parameters
    std::vector<uint8_t> m_skips; //!< how often they are to be skipped, by label
    uint64_t m_skipped{0};        //!< candidates that were skipped
};

} // namespace aifabric
} // namespace ns3

#endif /* EXCLUSION_BITMAP_H */
