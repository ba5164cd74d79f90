/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRIME_SELECTOR_H
#define PRIME_SELECTOR_H

#include "part-walk.h"
#include "shared-penalties.h"

#include "ns3/uniform-integer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The choice of PRIME (arXiv 2507.23012): a round robin over all combinations of the parts of an
 * entropy (PartWalk), which skips combinations with a penalty. A mark or a loss charges each part
 * of the entropy of its packet, because the sender does not know which hop is to blame. Penalties
 * decay (PenaltyTable).
 *
 * The law of a search: it looks at as many combinations as there are, from the cursors on, and
 * takes the first one without a penalty, else the first one with the least penalty of those. Then
 * the walk has advanced by a whole cycle, so the same combination is not the next one. A search
 * that does not begin with a cycle may miss combinations, because a new cycle has a new order.
 * Excluded values are passed over; they do not count as looks.
 */
class PrimeSelector
{
  public:
    /// What advances the decay of penalties.
    enum DecayMode
    {
        PER_PACKET, //!< each choice
        PER_ROUND,  //!< each round of the part (PartWalk)
        TIME,       //!< each interval of time
    };

    /// How to find the next combination.
    enum SearchMode
    {
        TUPLE,    //!< of the next cycle of the walk the combination with the least sum
        PER_TIER, //!< in each part by itself, the next value with the least penalty
    };

    /// What a packet reports of its path.
    enum class Signal : uint8_t
    {
        MARK,    //!< congestion (ECN)
        LOSS,    //!< severe congestion: trimmed or lost
        TIMEOUT, //!< a timer has expired
    };

    /// Of a penalty: the usual one.
    static constexpr uint32_t USUAL = UINT32_MAX;

    /// The parameters.
    struct Parameters
    {
        uint32_t markPenalty{USUAL};     //!< USUAL: the number of values of the part
        uint32_t lossPenalty{USUAL};     //!< USUAL: 4 times the number of values of the part
        uint32_t timeoutPenalty{USUAL};  //!< USUAL: that of a loss
        uint32_t decay{1};               //!< by how much penalties decay in a step of the decay
        DecayMode decayMode{PER_PACKET}; //!< what a step of the decay is
        int64_t decayInterval{1};        //!< a step with TIME, in any unit of time
        bool marksAccumulate{false};     //!< false: a mark charges only a penalty of 0
        bool lossesOverwrite{true};      //!< false: a loss or timeout adds its penalty
        uint64_t exploreBytes{0};        //!< first bytes that ignore penalties
        SearchMode searchMode{TUPLE};    //!< how to find a combination
    };

    /**
     * @param sizes the number of values of each part, the one that changes fastest first
     * @param uniform randomness
     * @param penalties those of the values, if other selectors with the same sizes use them too. A
     * round of a part is then as many choices of all selectors as one of them has in a round
     */
    PrimeSelector(const std::vector<uint16_t>& sizes,
                  const Parameters& parameters,
                  const UniformInteger& uniform,
                  std::shared_ptr<Penalties> penalties = nullptr);

    /**
     * Choose for a packet.
     *
     * @param bytes of the packet
     * @param now the time, in the unit of the decay interval
     * @param uniform randomness
     * @return a value of each part, valid until the next call
     */
    const std::vector<uint16_t>& Choose(uint32_t bytes, int64_t now, const UniformInteger& uniform);

    /**
     * Charge a value of a part.
     *
     * @param signal what its packet reports
     * @param now the time, in the unit of the decay interval
     */
    void Charge(uint32_t part, uint32_t value, Signal signal, int64_t now);

    /**
     * Say which values of part 0 cannot be used at all. They are avoided, also while it explores,
     * unless there are no others.
     *
     * @param values bit v set: value v, below 32, cannot be used
     */
    void Exclude(uint32_t values)
    {
        m_excluded = values;
    }

    /// @return the penalty of a value  @param now the time, in the unit of the decay interval
    uint64_t GetPenalty(uint32_t part, uint32_t value, int64_t now) const
    {
        return m_penalties->table.Get(part, value, GetClock(part, now));
    }

    /// @return whether the next choice ignores penalties
    bool IsExploring() const
    {
        return m_sent < m_parameters.exploreBytes;
    }

    /// @return combinations that were skipped because of a penalty; with PER_TIER, values
    uint64_t GetSkipped() const
    {
        return m_skipped;
    }

    /// @return choices that found no combination free of penalties
    uint64_t GetForced() const
    {
        return m_forced;
    }

  private:
    /// The penalty of a value that cannot be used: more than any sum of others.
    static constexpr uint64_t UNUSABLE = uint64_t{1} << 62;

    /// @return the clock by which a part's penalties decay
    uint64_t GetClock(uint32_t part, int64_t now) const;

    /// @return the sum of the penalties at the cursors; more than any other: one is excluded
    uint64_t GetCost(int64_t now) const;

    /// @return the penalty of a value, or UNUSABLE
    uint64_t GetCost(uint32_t part, uint32_t value, int64_t now) const;

    /// @return the least penalty of a part
    uint64_t FindLeast(uint32_t part, int64_t now) const;

    /// Take the values at the cursors.
    void Take();

    /// Choose without regard to penalties.  @param uniform randomness
    void Explore(const UniformInteger& uniform);

    /// Advance the walk until its value of part 0 is not excluded, or all are.
    /// @param uniform randomness
    void PassExcluded(const UniformInteger& uniform);

    /// Of as many combinations as there are, choose the first one with the least sum of penalties.
    /// @param uniform randomness
    void SearchTuple(int64_t now, const UniformInteger& uniform);

    /// Choose the next value with the least penalty, in each part.  @param uniform randomness
    void SearchParts(int64_t now, const UniformInteger& uniform);

    Parameters m_parameters;                //!< the parameters
    PartWalk m_walk;                        //!< the order of use
    uint64_t m_combinations;                //!< how many there are
    bool m_isShared;                        //!< other selectors have the same penalties
    std::shared_ptr<Penalties> m_penalties; //!< of the values
    std::vector<uint16_t> m_choice;         //!< the last one
    uint32_t m_excluded{0};                 //!< values of part 0 that cannot be used
    uint64_t m_sent{0};                     //!< bytes of all packets so far
    uint64_t m_skipped{0};                  //!< combinations, or values, that were skipped
    uint64_t m_forced{0};                   //!< choices without one that is free of penalties
};

} // namespace aifabric
} // namespace ns3

#endif /* PRIME_SELECTOR_H */
