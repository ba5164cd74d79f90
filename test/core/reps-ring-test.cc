/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/reps-ring.h"

namespace
{

/// @return what Next() says, -1 for a new label
int
Next(RepsRing& ring)
{
    const auto label = ring.Next();
    return label ? *label : -1;
}

/// @return what Next() says
std::vector<int>
Take(RepsRing& ring, uint32_t count)
{
    std::vector<int> labels;
    for (uint32_t i = 0; i < count; ++i)
    {
        labels.push_back(Next(ring));
    }
    return labels;
}

} // namespace

/// Labels that were acknowledged unmarked are used once each, the oldest first.
TEST(RepsRing, GoodLabelsAreUsedOnceInOrder)
{
    RepsRing ring({8, 100, 16});
    EXPECT_EQ(Next(ring), -1);
    ring.Acked(7, false, 1);
    ring.Acked(5, false, 2);
    ring.Acked(9, false, 3);
    EXPECT_EQ(Take(ring, 4), (std::vector<int>{7, 5, 9, -1}));
}

TEST(RepsRing, MarkedLabelsAreForgotten)
{
    RepsRing ring({8, 100, 16});
    ring.Acked(1, true, 1);
    ring.Acked(2, false, 2);
    ring.Acked(3, true, 3);
    EXPECT_EQ(Take(ring, 2), (std::vector<int>{2, -1}));
}

/// When it is full, the oldest label makes room.
TEST(RepsRing, TheOldestIsOverwritten)
{
    RepsRing ring({8, 100, 16});
    for (uint16_t label = 0; label < 11; ++label)
    {
        ring.Acked(label, false, label);
    }
    EXPECT_EQ(Take(ring, 9), (std::vector<int>{3, 4, 5, 6, 7, 8, 9, 10, -1}));
}

/// Until it is frozen it is a queue of bounded length that loses its head when it is full.
TEST(RepsRing, IsABoundedQueue)
{
    std::mt19937 random(1);
    for (const uint32_t slots : {1U, 2U, 8U, 13U})
    {
        RepsRing ring({slots, 100, 16});
        std::deque<int> model;
        for (uint32_t step = 0; step < 20000; ++step)
        {
            if (random() % 2 == 0)
            {
                const uint16_t label = random() % 1000;
                const bool marked = random() % 4 == 0;
                ring.Acked(label, marked, step);
                if (!marked)
                {
                    model.push_back(label);
                }
                if (model.size() > slots)
                {
                    model.pop_front();
                }
                continue;
            }
            const int expected = model.empty() ? -1 : model.front();
            ASSERT_EQ(Next(ring), expected) << slots << " slots, step " << step;
            if (!model.empty())
            {
                model.pop_front();
            }
        }
    }
}

/// Frozen, it gives its labels in turn, used or not; good labels still replace others.
TEST(RepsRing, FrozenLabelsAreUsedAgain)
{
    RepsRing ring({8, 100, 16});
    for (const uint16_t label : {1, 2, 3})
    {
        ring.Acked(label, false, 0);
    }
    EXPECT_EQ(Take(ring, 3), (std::vector<int>{1, 2, 3}));
    EXPECT_TRUE(ring.TimerExpired(10));
    EXPECT_TRUE(ring.IsFrozen());
    EXPECT_EQ(Take(ring, 5), (std::vector<int>{1, 2, 3, 1, 2}));
    ring.Acked(4, false, 20);
    EXPECT_EQ(Take(ring, 5), (std::vector<int>{3, 4, 1, 2, 3}));
    EXPECT_FALSE(ring.TimerExpired(30)); // frozen already
    EXPECT_EQ(ring.GetFreezes(), 1U);
}

/// Frozen once more, it begins with the first label again.
TEST(RepsRing, FrozenTwice)
{
    RepsRing ring({8, 100, 0});
    for (const uint16_t base : {10, 20})
    {
        ring.Acked(base, false, 10 * base);
        ring.Acked(base + 1, false, 10 * base);
        EXPECT_TRUE(ring.TimerExpired(10 * base));
        EXPECT_EQ(Take(ring, 3), (std::vector<int>{base, base + 1, base}));
        ring.Acked(0, true, 10 * base + 101);
        EXPECT_FALSE(ring.IsFrozen());
    }
}

/// Frozen while it is empty, it draws new labels.
TEST(RepsRing, FrozenAndEmpty)
{
    RepsRing ring({8, 100, 16});
    EXPECT_TRUE(ring.TimerExpired(10));
    EXPECT_EQ(Take(ring, 3), (std::vector<int>{-1, -1, -1}));
}

/// The first feedback after the freezing time empties it, and then 16 packets explore; meanwhile it
/// does not freeze.
TEST(RepsRing, ThawsByFeedbackAndExplores)
{
    RepsRing ring({8, 100, 16});
    ring.Acked(1, false, 0);
    ring.TimerExpired(10);
    ring.Acked(2, true, 110); // not after the freezing time
    EXPECT_TRUE(ring.IsFrozen());
    EXPECT_EQ(ring.GetThaws(), 0U);
    ring.Acked(3, true, 111); // a mark is feedback too
    EXPECT_FALSE(ring.IsFrozen());
    EXPECT_EQ(ring.GetThaws(), 1U);
    ring.Acked(4, false, 112);
    EXPECT_FALSE(ring.TimerExpired(113));
    std::vector<int> expected(16, -1);
    expected.push_back(4);
    expected.push_back(-1);
    EXPECT_EQ(Take(ring, 18), expected);
    EXPECT_TRUE(ring.TimerExpired(114));
    EXPECT_EQ(ring.GetFreezes(), 2U);
}

/// A label that is used more than once is used so often before the next one.
TEST(RepsRing, LabelsAreUsedSoOften)
{
    RepsRing ring({4, 100, 16, 3});
    ring.Acked(7, false, 1);
    ring.Acked(5, false, 2);
    EXPECT_EQ(Take(ring, 4), (std::vector<int>{7, 7, 7, 5}));
    ring.Acked(9, false, 3);
    EXPECT_EQ(Take(ring, 6), (std::vector<int>{5, 5, 9, 9, 9, -1}));
    for (uint16_t label = 0; label < 5; ++label)
    {
        ring.Acked(label, false, 4);
    }
    EXPECT_EQ(Take(ring, 2), (std::vector<int>{1, 1}));
    ring.Acked(5, false, 5); // in the place of 1, which has one use left
    EXPECT_EQ(Take(ring, 4), (std::vector<int>{2, 2, 2, 3}));
    EXPECT_EQ(ring.GetUses(), 15U);
}

/// Frozen, its labels take turns however often they may be used.
TEST(RepsRing, FrozenLabelsTakeTurns)
{
    RepsRing ring({4, 100, 0, 2});
    ring.Acked(1, false, 0);
    ring.Acked(2, false, 0);
    EXPECT_EQ(Next(ring), 1);
    EXPECT_TRUE(ring.TimerExpired(10));
    EXPECT_EQ(Take(ring, 4), (std::vector<int>{1, 2, 1, 2}));
}

/// A timer that may not freeze it does not, and thaws it if it is time.
TEST(RepsRing, MayNotFreeze)
{
    RepsRing ring({4, 100, 0});
    ring.Acked(1, false, 0);
    EXPECT_FALSE(ring.TimerExpired(10, false));
    EXPECT_FALSE(ring.IsFrozen());
    EXPECT_EQ(ring.GetFreezes(), 0U);
    EXPECT_TRUE(ring.TimerExpired(20, true));
    EXPECT_FALSE(ring.TimerExpired(121, false));
    EXPECT_FALSE(ring.IsFrozen());
    EXPECT_EQ(ring.GetThaws(), 1U);
}
