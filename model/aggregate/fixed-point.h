/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIXED_POINT_H
#define FIXED_POINT_H

#include "ns3/gradient-vector.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Real numbers as integers of 32 bits, because switches add integers only: a number times a scale,
 * rounded. What does not fit becomes the largest or smallest integer, and an addition that
 * overflows does so too (saturation). A saturated sum only says that the sum is to be computed in
 * floats.
 */
class FixedPoint
{
  public:
    static constexpr double ATP_SCALE = 1e6; //!< the scale of ATP's public code

    /// @param scale integers that a 1 becomes, above 0
    explicit FixedPoint(double scale = ATP_SCALE);

    /// @return the nearest integer; of two that are equally near, the one further from 0
    /// @param value the number; not a number gives the smallest integer
    int32_t Convert(double value) const
    {
        // The half is added before the fraction is cut off, since std::round() is a call.
        const double scaled = value * m_scale;
        return Saturate(scaled + std::copysign(0.5, scaled));
    }

    /// @return whether Convert() does not saturate numbers between minus this and this
    /// @param magnitude this, 0 or more
    bool Fits(double magnitude) const
    {
        return magnitude * m_scale < MOST - 1;
    }

    /// @return whether no sum of some of a few numbers saturates, however Convert() or
    /// ConvertRandomly() round them  @param magnitude the numbers are between minus this and this
    /// @param numbers how many
    bool FitsSum(double magnitude, uint32_t numbers) const
    {
        return numbers * (magnitude * m_scale + 1) < MOST;
    }

    /// @return whether an exact sum is an integer that is not saturated
    static bool HasRoomFor(int64_t sum)
    {
        return (sum > LEAST) & (sum < MOST); // without a branch
    }

    /// @return the same as Convert(), without its comparisons  @param value a number that fits
    int32_t ConvertFitting(double value) const
    {
        const double scaled = value * m_scale;
        return static_cast<int32_t>(scaled + std::copysign(0.5, scaled));
    }

    /**
     * Round at random, so that the mean is exact.
     *
     * @param value the number
     * @param draw uniform in [0, 1)
     * @return the integer above if the draw and the distance to the integer below are 1 or more
     * together, otherwise the integer below
     */
    int32_t ConvertRandomly(double value, double draw) const;

    /// @return the number of an integer  @param value the integer
    double ToReal(int64_t value) const;

    /// @return the sum, saturated; what is saturated stays so, that no later addition hides it
    /// @param a one integer  @param b the other one
    static int32_t Add(int32_t a, int32_t b)
    {
        const int64_t sum = int64_t{a} + b;
        return IsSaturated(a)   ? a
               : IsSaturated(b) ? b
               : sum > MOST     ? MOST
               : sum < LEAST    ? LEAST
                                : sum;
    }

    /// Add integers to others, one by one.  @param values as many
    static void AddTo(GradientVector& sums, const GradientVector& values);

    /// @return whether one of some integers is saturated  @param values the integers
    static bool HasSaturated(const GradientVector& values);

    /// @return whether an integer may stand for one that does not fit  @param value the integer
    static bool IsSaturated(int32_t value)
    {
        return (value == LEAST) | (value == MOST); // without a branch
    }

  private:
    static constexpr int32_t LEAST = std::numeric_limits<int32_t>::min(); //!< smallest integer
    static constexpr int32_t MOST = std::numeric_limits<int32_t>::max();  //!< largest integer

    /// @return a number without its fraction as an integer, saturated  @param value the number
    static int32_t Saturate(double value)
    {
        // The conversion comes last: the compiler vectorises it only if it is not within a branch.
        const double atLeast = value > LEAST ? value : LEAST; // LEAST also for not a number
        return static_cast<int32_t>(atLeast < MOST ? atLeast : MOST);
    }

    double m_scale; //!< integers that a 1 becomes
};

} // namespace aifabric
} // namespace ns3

#endif /* FIXED_POINT_H */
