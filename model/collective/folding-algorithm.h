/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FOLDING_ALGORITHM_H
#define FOLDING_ALGORITHM_H

#include "collective-algorithm.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Base of the algorithms in which P ranks exchange with one another, P a power of two: the largest
 * that is not above the number N of ranks (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
 * Collective Communication Operations in MPICH", 2005).
 *
 * The first 2(N-P) ranks fold: an odd one gives what it has to the even one before it, which takes
 * part for both, and gets the result from it in the end. So P participants are left, numbered as
 * their ranks are.
 *
 * The blocks stand in the order of *positions*, one position a participant, so that the blocks of
 * an exchange follow one another. A position has one block; that of two folded ranks has one for
 * each of them, except in an all-reduce.
 */
class FoldingAlgorithm : public CollectiveAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint64_t CountBlocks() const override;
    BlockRange GetHome(uint32_t rank) const override;
    uint32_t CountSteps(uint32_t rank, uint32_t lane) const override;
    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override;

  protected:
    /// A message each way between two participants.
    struct Exchange
    {
        uint32_t partner; //!< the other participant
        BlockRange gives; //!< what goes to it
        BlockRange takes; //!< what comes from it
        bool reduces;     //!< what comes is added to what is there
    };

    /// @return the rounds in which each participant can reach each other: the logarithm of P
    uint32_t CountRounds() const;

    /// @return all blocks
    BlockRange GetAll() const;

    /**
     * Positions come in groups of some size, from 0 on.
     *
     * @param size the size, a power of two
     * @return the blocks of its group
     */
    BlockRange GetGroup(uint32_t position, uint32_t size) const;

  private:
    void DoPrepare() override;

    /// @return the position of a participant
    virtual uint32_t GetPosition(uint32_t participant) const = 0;

    /// @return exchanges of each participant
    virtual uint32_t CountExchanges() const = 0;

    /// @return an exchange  @param exchange which, from 0
    virtual Exchange GetExchange(uint32_t participant, uint32_t exchange) const = 0;

    /// @return whether a rank leaves the work to the one before it
    bool IsFolded(uint32_t rank) const;

    /// @return whether a participant works for another rank too
    bool IsPair(uint32_t participant) const;

    /// @return who works for a rank
    uint32_t ParticipantOf(uint32_t rank) const;

    /// @return the rank of a participant
    uint32_t RankOf(uint32_t participant) const;

    /// @return what a folded rank gives  @param peer the other rank
    CollectiveMessage Fold(uint32_t rank, uint32_t peer) const;

    /// @return what a folded rank gets in the end  @param peer the other rank
    CollectiveMessage Unfold(uint32_t rank, uint32_t peer) const;

    uint32_t m_rounds{0};               //!< the logarithm of the number of participants
    uint32_t m_pairs{0};                //!< participants that work for two
    std::vector<uint64_t> m_firstBlock; //!< by position, and the number of blocks behind them
};

} // namespace aifabric
} // namespace ns3

#endif /* FOLDING_ALGORITHM_H */
