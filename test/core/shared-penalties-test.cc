/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/prime-selector.h"
#include "ns3/shared-penalties.h"

namespace
{

constexpr uint32_t PACKET = 100; //!< bytes

/// Two selectors with the same penalties.
struct Pair
{
    explicit Pair(PrimeSelector::DecayMode mode = PrimeSelector::PER_PACKET)
        : first({4}, Parameters(mode), uniform, penalties),
          second({4}, Parameters(mode), uniform, penalties)
    {
    }

    /// @return penalties of 3 and 12 packets
    static PrimeSelector::Parameters Parameters(PrimeSelector::DecayMode mode)
    {
        PrimeSelector::Parameters parameters;
        parameters.decayMode = mode;
        parameters.markPenalty = 3;
        parameters.lossPenalty = 12;
        return parameters;
    }

    std::mt19937 random{1};
    UniformInteger uniform{[this](uint32_t bound) { return random() % bound; }};
    std::shared_ptr<Penalties> penalties{std::make_shared<Penalties>(std::vector<uint16_t>{4})};
    PrimeSelector first;
    PrimeSelector second;
};

} // namespace

TEST(SharedPenalties, WhatOneLearnsTheOtherAvoids)
{
    Pair pair;
    pair.first.Charge(0, 2, PrimeSelector::Signal::LOSS, 0);
    EXPECT_EQ(pair.second.GetPenalty(0, 2, 0), 12);
    for (uint32_t packet = 0; packet < 12; ++packet)
    {
        EXPECT_NE(pair.second.Choose(PACKET, 0, pair.uniform)[0], 2) << packet;
    }
    EXPECT_EQ(pair.first.GetPenalty(0, 2, 0), 0);
}

TEST(SharedPenalties, DecayWithThePacketsOfAll)
{
    Pair pair;
    pair.second.Charge(0, 1, PrimeSelector::Signal::MARK, 0);
    pair.first.Choose(PACKET, 0, pair.uniform);
    pair.second.Choose(PACKET, 0, pair.uniform);
    EXPECT_EQ(pair.first.GetPenalty(0, 1, 0), 1);
    EXPECT_EQ(pair.second.GetPenalty(0, 1, 0), 1);
}

TEST(SharedPenalties, ARoundIsThatOfAll)
{
    Pair pair(PrimeSelector::PER_ROUND);
    pair.second.Charge(0, 1, PrimeSelector::Signal::MARK, 0);
    for (uint32_t packet = 0; packet < 2; ++packet)
    {
        EXPECT_EQ(pair.first.GetPenalty(0, 1, 0), 3);
        pair.first.Choose(PACKET, 0, pair.uniform);
        pair.second.Choose(PACKET, 0, pair.uniform);
    }
    EXPECT_EQ(pair.first.GetPenalty(0, 1, 0), 2) << "four packets";
    EXPECT_EQ(pair.second.GetPenalty(0, 1, 0), 2);
}

TEST(SharedPenalties, BelongToAPairOfHosts)
{
    SharedPenalties pool;
    const auto penalties = pool.Get(1, 2, {4});
    EXPECT_EQ(pool.Get(1, 2, {4}), penalties);
    EXPECT_NE(pool.Get(1, 3, {4}), penalties);
    EXPECT_NE(pool.Get(2, 1, {4}), penalties);
}
