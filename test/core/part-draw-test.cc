/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/part-draw.h"

namespace
{

/// @return who draws  @param seed of the draws
PartDraw
MakeDraw(uint32_t seed)
{
    const auto random = std::make_shared<std::mt19937>(seed);
    return PartDraw([random](uint32_t bound) {
        return std::uniform_int_distribution<uint32_t>(0, bound - 1)(*random);
    });
}

/// @return a skew  @param text it
PartSkew
SkewOf(const std::string& text)
{
    return ParsePartSkew(text).value();
}

} // namespace

TEST(PartDraw, SharesChangeTheirExperts)
{
    PartDraw draw = MakeDraw(1);
    const std::vector<uint64_t> zipf = {144, 72, 48, 36};
    std::set<std::vector<uint64_t>> orders;
    for (uint32_t i = 0; i < 500; ++i)
    {
        const PartSizes parts = draw.Draw(SkewOf("zipf:1"), 4, 25 * 12, 0);
        std::vector<uint64_t> row(parts.GetBytes().begin(), parts.GetBytes().begin() + 4);
        EXPECT_EQ(PartSizes::ByReceiver(row), parts); // all senders alike
        orders.insert(row);
        std::sort(row.rbegin(), row.rend());
        EXPECT_EQ(row, zipf);
    }
    EXPECT_EQ(orders.size(), 24U);
}

/// The expected number of tokens of each expert is its share, with the variance of as many single
/// draws; each sender has all of its bytes.
TEST(PartDraw, TokensFollowTheShares)
{
    PartDraw draw = MakeDraw(2);
    constexpr uint32_t DRAWS = 400;
    constexpr uint32_t TOKENS = 100;
    constexpr uint64_t TOKEN = 16;
    std::array<double, 2> sum{}; // of the hot expert: tokens, and their squares
    for (uint32_t i = 0; i < DRAWS; ++i)
    {
        // The hot one of four has half of all.
        const PartSizes parts = draw.Draw(SkewOf("hot:3"), 4, 4 * TOKENS * TOKEN / 6, TOKEN);
        const std::vector<uint64_t>& bytes = parts.GetBytes();
        std::array<uint64_t, 4> columns{};
        for (uint32_t sender = 0; sender < 4; ++sender)
        {
            uint64_t row = 0;
            for (uint32_t expert = 0; expert < 4; ++expert)
            {
                columns[expert] += bytes[sender * 4 + expert];
                row += bytes[sender * 4 + expert];
            }
            EXPECT_NEAR(row, TOKENS * TOKEN, TOKEN / 2);
        }
        const double hot = *std::max_element(columns.begin(), columns.end()) / double{TOKEN};
        sum[0] += hot;
        sum[1] += hot * hot;
    }
    const double mean = sum[0] / DRAWS;
    EXPECT_NEAR(mean, 200, 4 * 10 / std::sqrt(DRAWS)); // 400 tokens, variance 100
    EXPECT_NEAR(sum[1] / DRAWS - mean * mean, 100, 35);
}

TEST(PartDraw, TheLastTokenMayBeShorter)
{
    PartDraw draw = MakeDraw(3);
    const PartSizes parts = draw.Draw(SkewOf("zipf:0"), 2, 25, 10);
    for (uint32_t sender = 0; sender < 2; ++sender)
    {
        const uint64_t first = parts.GetBytes()[sender * 2];
        const uint64_t second = parts.GetBytes()[sender * 2 + 1];
        EXPECT_EQ(first + second, 25U);
        EXPECT_TRUE(first % 10 == 0 || second % 10 == 0);
    }
}

TEST(PartDraw, RefusesTooMany)
{
    PartDraw draw = MakeDraw(4);
    EXPECT_EQ(RefusalOf<std::length_error>(
                  [&draw] { draw.Draw(SkewOf("zipf:0"), 2, uint64_t{1} << 40, 1); }),
              "more than 100000000 tokens are drawn, of all steps together");
    EXPECT_EQ(RefusalOf<std::length_error>([&draw] { draw.Draw(SkewOf("zipf:0"), 10001, 1, 0); }),
              "more than 100000000 parts are drawn, of all steps together");
    EXPECT_FALSE(PartDraw(nullptr).CanDraw());
}
