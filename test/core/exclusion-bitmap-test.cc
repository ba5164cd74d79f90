/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/exclusion-bitmap.h"
#include "ns3/label-fifo.h"
#include "ns3/permuted-walk.h"

namespace
{

/// @return labels in ascending order
std::vector<uint32_t>
Take(ExclusionBitmap& bitmap, uint32_t count, uint32_t& place)
{
    PermutedWalk walk(4);
    const auto noMask = [](uint32_t) { return 0; };
    for (uint32_t i = 0; i < place; ++i)
    {
        walk.Next(noMask);
    }
    std::vector<uint32_t> labels;
    while (labels.size() < count)
    {
        labels.push_back(bitmap.Choose([&] {
            place = (place + 1) % 4;
            return walk.Next(noMask);
        }));
    }
    return labels;
}

} // namespace

/// The vector of the specification: a label that is to be skipped twice loses two of its turns.
TEST(ExclusionBitmap, ALabelLosesItsTurns)
{
    ExclusionBitmap bitmap({4, 15, false});
    bitmap.Exclude(1, 2);
    uint32_t place = 0;
    EXPECT_EQ(Take(bitmap, 10, place), (std::vector<uint32_t>{0, 2, 3, 0, 2, 3, 0, 1, 2, 3}));
    EXPECT_EQ(bitmap.GetSkipped(), 2U);
}

/// Of neighbors that are skipped by the same packet only the first one ages: 1 and 2 are both to be
/// skipped once, and 2 is skipped twice.
TEST(ExclusionBitmap, OnlyTheFirstSkippedLabelAges)
{
    ExclusionBitmap bitmap({4, 15, false});
    bitmap.Exclude(1, 1);
    bitmap.Exclude(2, 1);
    uint32_t place = 0;
    EXPECT_EQ(Take(bitmap, 9, place), (std::vector<uint32_t>{0, 3, 0, 1, 3, 0, 1, 2, 3}));
}

/// With one bit a label, each skipped label loses one turn.
TEST(ExclusionBitmap, EachSkippedLabelAges)
{
    ExclusionBitmap bitmap({4, 1, true});
    bitmap.Exclude(1, 1);
    bitmap.Exclude(1, 1);
    bitmap.Exclude(2, 4);
    uint32_t place = 0;
    EXPECT_EQ(Take(bitmap, 6, place), (std::vector<uint32_t>{0, 3, 0, 1, 2, 3}));
}

/// Penalties add up to the most there is, for a label modulo their number.
TEST(ExclusionBitmap, Saturates)
{
    ExclusionBitmap bitmap({4, 15, false});
    bitmap.Exclude(5, 1);
    bitmap.Exclude(1, 4);
    EXPECT_EQ(bitmap.GetSkips(1), 5U);
    bitmap.Exclude(1, 15);
    EXPECT_EQ(bitmap.GetSkips(1), 15U);
    bitmap.Exclude(2, 1000);
    EXPECT_EQ(bitmap.GetSkips(2), 15U);
    EXPECT_EQ(bitmap.GetSkips(0), 0U);
}

/// If all labels are to be skipped, a packet takes the candidate after as many as there are, and
/// only the first one ages.
TEST(ExclusionBitmap, GivesUpAfterARound)
{
    ExclusionBitmap bitmap({4, 15, false});
    for (uint32_t label = 0; label < 4; ++label)
    {
        bitmap.Exclude(label, 3);
    }
    uint32_t place = 0;
    EXPECT_EQ(Take(bitmap, 2, place), (std::vector<uint32_t>{1, 3}));
    EXPECT_EQ(place, 0U); // two packets, six candidates each
    EXPECT_EQ(bitmap.GetSkips(0), 2U);
    EXPECT_EQ(bitmap.GetSkips(1), 3U);
    EXPECT_EQ(bitmap.GetSkips(2), 2U);
    EXPECT_EQ(bitmap.GetSkips(3), 3U);
}

/// It is first in, first out, whatever its length.
TEST(LabelFifo, EachLabelOnceInOrder)
{
    std::mt19937 random(1);
    LabelFifo fifo;
    std::deque<uint16_t> model;
    uint64_t uses = 0;
    for (uint32_t step = 0; step < 20000; ++step)
    {
        if (random() % 100 < (step / 1000 % 2 ? 30 : 70))
        {
            model.push_back(random() % 16384);
            fifo.Add(model.back());
        }
        else
        {
            const std::optional<uint16_t> label = fifo.Take();
            ASSERT_EQ(label.has_value(), !model.empty());
            if (label)
            {
                ASSERT_EQ(*label, model.front());
                model.pop_front();
                ++uses;
            }
        }
        ASSERT_EQ(fifo.GetSize(), model.size());
    }
    EXPECT_EQ(fifo.GetUses(), uses);
    EXPECT_GT(uses, 5000U);
    fifo.Add(7);
    fifo.Clear();
    EXPECT_FALSE(fifo.Take().has_value());
    EXPECT_EQ(fifo.GetUses(), uses);
}
