/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_SOURCE_H
#define GRADIENT_SOURCE_H

#include "fixed-point.h"

#include "ns3/gradient-vector.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The gradients of a job's workers: real numbers in an interval around 0, which are a hash of the
 * seed, the worker and the place. Each is one of 2^32 numbers at equal distances, with equal
 * probability. So any of them can be computed anywhere: what a worker sends, and the sum that it
 * has to get.
 *
 * A key of 64 bits is hashed once for many places; what is left for each place has 32 bits and no
 * branch, so that the compiler computes several places at a time.
 */
class GradientSource
{
  public:
    /**
     * What workers may get as the sums of all. Which of both it is, depends on the order in which
     * switches and servers add: a sum that saturates on the way is computed in floats, even if
     * values of the other sign would bring it back.
     */
    struct Sums
    {
        std::vector<int32_t> fixed; //!< in fixed point; empty: one does not fit
        std::vector<int32_t> bits;  //!< of floats (AddFloats()); empty: no sum of some workers'
                                    //!< numbers saturates, in whatever order
    };

    GradientSource() = default;

    /**
     * @param seed of the hash
     * @param magnitude the numbers are between minus this and this
     * @param scale of the fixed point
     * @param roundsRandomly whether numbers are rounded at random, with the exact mean
     */
    GradientSource(uint32_t seed, double magnitude, double scale, bool roundsRandomly);

    /// @return a number  @param place its place in the gradient
    double GetReal(uint32_t worker, uint64_t place) const;

    /// @return numbers in fixed point  @param first the place of the first one
    std::vector<int32_t> GetFixed(uint32_t worker, uint64_t first, uint32_t count) const;

    /// Compute numbers in fixed point.  @param first the place of the first one
    /// @param [out] values the numbers, as many as it has
    void ComputeFixed(uint32_t worker, uint64_t first, GradientVector& values) const;

    /// The same, and add them to others, where no sum saturates (FitsSums()).
    /// @param [in,out] sums as many
    void ComputeFixed(uint32_t worker,
                      uint64_t first,
                      GradientVector& values,
                      GradientVector& sums) const;

    /// @return the bits of numbers as floats  @param first the place of the first one
    std::vector<int32_t> GetFloats(uint32_t worker, uint64_t first, uint32_t count) const;

    /**
     * @param first the place of the first number
     * @param count how many numbers
     * @return the sums over all workers: in fixed point, in floats, or both
     */
    Sums GetSums(uint32_t workers, uint64_t first, uint32_t count) const;

    /// @return whether GetSums() is in fixed point only, at all places
    bool FitsSums(uint32_t workers) const
    {
        return m_fixed.FitsSum(m_step * TWO_TO_31, workers);
    }

    /**
     * Add up floats in double precision.
     *
     * @param floats the bits of floats, by worker
     * @return the bits of the sums as floats
     */
    static std::vector<int32_t> AddFloats(const std::vector<std::vector<int32_t>>& floats);

  private:
    static constexpr double TWO_TO_31 = 2147483648.0; //!< half of the numbers of a worker

    /// What the random bits are for.
    enum Use : uint32_t
    {
        REAL = 0,    //!< a number
        ROUNDING = 1 //!< the rounding of a number at random
    };

    /// @return the key of the 2^32 places with equal upper bits  @param use what for
    uint64_t MakeKey(uint32_t worker, uint64_t place, Use use) const;

    /// @return 32 random bits as an integer  @param key of the places
    /// @param place lower bits of the place
    static int32_t Draw(uint64_t key, uint32_t place);

    /// @return a number  @param draw its random bits
    double ToReal(int32_t draw) const;

    /// Compute numbers in fixed point, one by one.
    void ComputeEach(uint32_t worker, uint64_t first, GradientVector& values) const;

    /// @return whether ComputeFitting() computes the numbers of a vector
    bool IsFitting(uint64_t first, const GradientVector& values) const
    {
        return m_fits && !m_roundsRandomly &&
               static_cast<uint32_t>(first) <= UINT32_MAX - values.GetRoom();
    }

    uint32_t m_seed{1};           //!< of the hash
    double m_step{1 / TWO_TO_31}; //!< distance of neighbouring numbers
    FixedPoint m_fixed;           //!< the fixed point
    bool m_fits{true};            //!< no number saturates the fixed point
    bool m_roundsRandomly{false}; //!< otherwise to the nearest
};

} // namespace aifabric
} // namespace ns3

#endif /* GRADIENT_SOURCE_H */
