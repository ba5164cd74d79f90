/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PART_DRAW_H
#define PART_DRAW_H

#include "ns3/part-sizes.h"
#include "ns3/part-skew.h"
#include "ns3/uniform-integer.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Draws how many tokens each expert gets of each rank, anew for each step of a mixture of experts.
 * How unequal the shares of experts are says a PartSkew; which expert has which share is drawn, the
 * same for all senders; and where the size of a token is known, each sender draws an expert for
 * each of its tokens by these shares.
 */
class PartDraw
{
  public:
    static constexpr uint64_t MOST_TOKENS = 100'000'000; //!< that are drawn, of all draws
    static constexpr uint64_t MOST_PARTS = 100'000'000;  //!< that are drawn, of all draws

    /// @param uniform randomness; null: it cannot draw
    explicit PartDraw(UniformInteger uniform);

    /// @return whether it can draw
    bool CanDraw() const;

    /**
     * @param skew how unequal the shares are
     * @param ranks number of ranks, an expert each
     * @param bytes of a rank for all experts, as SkewParts() has it
     * @param tokenBytes size of a token; the last of a sender may be shorter. 0: tokens are not
     * drawn one by one
     * @return the parts of all senders
     * @throws std::length_error with one line, if there are too many tokens or parts
     */
    PartSizes Draw(const PartSkew& skew, uint32_t ranks, uint64_t bytes, uint64_t tokenBytes);

  private:
    /// @return what a sender has for each expert  @param shares of experts, in bytes
    std::vector<uint64_t> DrawTokens(const std::vector<uint64_t>& shares, uint64_t tokenBytes);

    UniformInteger m_uniform; //!< randomness
    uint64_t m_tokens{0};     //!< drawn so far
    uint64_t m_parts{0};      //!< drawn so far
};

} // namespace aifabric
} // namespace ns3

#endif /* PART_DRAW_H */
