/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/dctcp-rate.h"

namespace
{

/// @return parameters in Gb/s that are easy to compute with
DctcpRate::Parameters
Plain()
{
    DctcpRate::Parameters parameters;
    parameters.gain = 1.0 / 16;
    parameters.increase = 1;
    parameters.leastRate = 0.1;
    return parameters;
}

/// The rule by sequence numbers, as Ethereal's simulator has it, of packets in order.
struct BySequence
{
    DctcpRate::Parameters parameters; //!< what does not change
    double lineRate;                  //!< the most
    double rate;                      //!< the rate
    double alpha;                     //!< share of marks
    uint64_t updatedTo{0};            //!< what had been sent at the last update
    double marks{0};                  //!< in the round
    double packets{0};                //!< of the round
    bool isReduced{false};            //!< in a reduction
    uint64_t reducedTo{0};            //!< what had been sent when it was cut

    /// A packet is acknowledged.  @param acked packets up to and with it
    void Acked(uint64_t acked, uint64_t sent, bool marked)
    {
        marks += marked ? 1 : 0;
        const bool isUpdate = acked > updatedTo;
        if (isUpdate && updatedTo == 0)
        {
            packets = static_cast<double>(sent) + 1;
            updatedTo = sent;
        }
        else if (isUpdate)
        {
            alpha =
                (1 - parameters.gain) * alpha + parameters.gain * std::min(1.0, marks / packets);
            marks = 0;
            packets = static_cast<double>(sent - acked) + 1;
            updatedTo = sent;
        }
        isReduced = isReduced && acked <= reducedTo;
        if (marked && !isReduced)
        {
            rate = std::max(parameters.leastRate, rate * (1 - alpha / 2));
            isReduced = true;
            reducedTo = sent;
        }
        if (isUpdate && !isReduced)
        {
            rate = std::min(lineRate, rate + parameters.increase);
        }
    }
};

} // namespace

/// Four packets a round, sent at 0, 1, 2, 3, 10, 11, ... and acknowledged ten later.
TEST(DctcpRate, ByHand)
{
    DctcpRate dctcp(Plain(), 400);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 400);
    EXPECT_DOUBLE_EQ(dctcp.GetAlpha(), 1);
    dctcp.Acked(true, 0, 10); // the first acknowledgement begins a round, and the mark cuts by half
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 200);
    EXPECT_DOUBLE_EQ(dctcp.GetAlpha(), 1);
    dctcp.Acked(true, 1, 11);
    dctcp.Acked(false, 2, 12);
    dctcp.Acked(true, 3, 13);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 200) << "once a round of data";
    dctcp.Acked(false, 10, 20); // sent when the round began, not after it
    EXPECT_DOUBLE_EQ(dctcp.GetAlpha(), 1);
    dctcp.Acked(false, 11, 21); // 3 of 6, and the cut is over
    const double first = 15.0 / 16 + 1.0 / 16 * 3 / 6;
    EXPECT_DOUBLE_EQ(dctcp.GetAlpha(), first);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 201);
    dctcp.Acked(false, 12, 22);
    dctcp.Acked(true, 13, 23);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 201 * (1 - first / 2));
    dctcp.Acked(false, 22, 32); // 1 of 3; sent before the cut, so nothing is added
    const double second = 15.0 / 16 * first + 1.0 / 16 / 3;
    EXPECT_DOUBLE_EQ(dctcp.GetAlpha(), second);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 201 * (1 - first / 2));
    dctcp.Acked(true, 33, 43); // 1 of 1, and the next cut is with the new alpha
    const double third = 15.0 / 16 * second + 1.0 / 16;
    EXPECT_DOUBLE_EQ(dctcp.GetAlpha(), third);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 201 * (1 - first / 2) * (1 - third / 2));
    EXPECT_EQ(dctcp.GetMarks(), 5U);
    EXPECT_EQ(dctcp.GetCuts(), 3U);
}

TEST(DctcpRate, WithoutMarksItStaysAtLineRateAndAlphaDecays)
{
    DctcpRate dctcp(Plain(), 400);
    double alpha = 1;
    for (int64_t round = 1; round <= 100; ++round)
    {
        dctcp.Acked(false, 10 * round - 9, 10 * round);
        alpha *= round == 1 ? 1 : 15.0 / 16;
        EXPECT_DOUBLE_EQ(dctcp.GetRate(), 400);
        EXPECT_NEAR(dctcp.GetAlpha(), alpha, 1e-12);
    }
    EXPECT_EQ(dctcp.GetCuts(), 0U);
}

TEST(DctcpRate, IsNotCutBelowTheLeast)
{
    DctcpRate dctcp(Plain(), 400);
    for (int64_t round = 1; round <= 100; ++round)
    {
        dctcp.Acked(true, 10 * round - 9, 10 * round);
    }
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 0.1);
    EXPECT_EQ(dctcp.GetCuts(), 100U);
    dctcp.Acked(false, 1001, 1010);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 1.1);
    dctcp.Reset();
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 400);
    DctcpRate slow(Plain(), 0.05); // a port slower than the least
    slow.Acked(true, 0, 10);
    EXPECT_DOUBLE_EQ(slow.GetRate(), 0.05);
}

TEST(DctcpRate, FollowsThePort)
{
    DctcpRate dctcp(Plain(), 400);
    dctcp.SetLineRate(100);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 100);
    dctcp.SetLineRate(400);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 400) << "it was at line rate";
    dctcp.Acked(true, 0, 10);
    dctcp.SetLineRate(300);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 200) << "it was not";
    dctcp.SetLineRate(150);
    EXPECT_DOUBLE_EQ(dctcp.GetRate(), 150);
}

/// Of packets in order, rounds by time are rounds by sequence numbers.
TEST(DctcpRate, RoundsAreThoseOfSequenceNumbers)
{
    uint64_t cuts = 0;
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        std::mt19937 random(seed);
        DctcpRate dctcp(Plain(), 400);
        BySequence model{Plain(), 400, 400, 1};
        std::deque<int64_t> onTheWay; // when packets were sent
        uint64_t sent = 0;
        uint64_t acked = 0;
        int64_t now = 0;
        while (acked < 5000)
        {
            ++now; // no two things happen at one time
            if (onTheWay.empty() || (random() % 2 == 0 && onTheWay.size() < 1 + seed))
            {
                onTheWay.push_back(now);
                ++sent;
                continue;
            }
            const bool marked = random() % 100 < seed;
            dctcp.Acked(marked, onTheWay.front(), now);
            onTheWay.pop_front();
            model.Acked(++acked, sent, marked);
            ASSERT_NEAR(dctcp.GetAlpha(), model.alpha, 1e-9) << "seed " << seed << " " << acked;
            ASSERT_NEAR(dctcp.GetRate(), model.rate, 1e-9) << "seed " << seed << " " << acked;
        }
        cuts += dctcp.GetCuts();
    }
    EXPECT_GT(cuts, 1000U);
}

/// In whatever order acknowledgements come, the rate and alpha stay in their bounds, and it is cut
/// at most once between a cut and the first acknowledgement of what was sent after it.
TEST(DctcpRate, StaysInItsBounds)
{
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        std::mt19937 random(seed);
        DctcpRate dctcp(Plain(), 400);
        std::vector<int64_t> onTheWay;
        int64_t cutAt = -1;
        for (int64_t now = 0; now < 5000; ++now)
        {
            onTheWay.push_back(now);
            const std::size_t which = random() % onTheWay.size();
            if (random() % 3 == 0)
            {
                continue;
            }
            const int64_t sentAt = onTheWay[which];
            onTheWay.erase(onTheWay.begin() + static_cast<std::ptrdiff_t>(which));
            const double before = dctcp.GetRate();
            const uint64_t cuts = dctcp.GetCuts();
            dctcp.Acked(random() % 4 == 0, sentAt, now + 1);
            ASSERT_GE(dctcp.GetRate(), std::min(before / 2, 0.1));
            ASSERT_LE(dctcp.GetRate(), std::min(400.0, before + 1));
            ASSERT_GE(dctcp.GetAlpha(), 0);
            ASSERT_LE(dctcp.GetAlpha(), 1);
            if (dctcp.GetCuts() > cuts)
            {
                ASSERT_GT(sentAt, cutAt);
                cutAt = now + 1;
            }
        }
        EXPECT_GT(dctcp.GetCuts(), 10U);
    }
}
