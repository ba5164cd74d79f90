/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/sticky-cache.h"

#include <list>

namespace
{

/// @return the labels of the next packets
std::vector<int>
Take(StickyCache& cache, uint32_t count)
{
    std::vector<int> labels;
    for (uint32_t i = 0; i < count; ++i)
    {
        labels.push_back(cache.Next());
    }
    return labels;
}

} // namespace

/// The first packets use labels in order, whatever is acknowledged; then the oldest one stays.
TEST(StickyCache, ExploresAndThenStays)
{
    StickyCache cache(8, 4);
    EXPECT_EQ(Take(cache, 2), (std::vector<int>{0, 1}));
    cache.Acked(1, false);
    cache.Acked(0, false);
    EXPECT_EQ(Take(cache, 5), (std::vector<int>{2, 3, 1, 1, 1}));
    EXPECT_EQ(cache.GetUses(), 3U);
}

/// A mark removes the oldest label, whichever was marked; so does a loss.
TEST(StickyCache, AMarkRemovesTheOldest)
{
    StickyCache cache(8, 0);
    for (const uint16_t label : {5, 3, 7})
    {
        cache.Acked(label, false);
    }
    cache.Acked(3, false); // it is there already
    EXPECT_EQ(Take(cache, 1), (std::vector<int>{5}));
    cache.Acked(7, true);
    EXPECT_EQ(Take(cache, 2), (std::vector<int>{3, 3}));
    cache.Lost();
    EXPECT_EQ(Take(cache, 1), (std::vector<int>{7}));
    cache.Acked(3, false); // at the end again
    cache.Lost();
    EXPECT_EQ(Take(cache, 1), (std::vector<int>{3}));
    cache.Lost();
    cache.Lost();
    EXPECT_EQ(cache.GetRemovals(), 4U) << "nothing was left for the last one";
}

/// With nothing remembered labels are used in order, round and round, from where it was.
TEST(StickyCache, CountsOnWhenEmpty)
{
    StickyCache cache(3, 100); // no more than there are labels
    EXPECT_EQ(Take(cache, 5), (std::vector<int>{0, 1, 2, 0, 1}));
    cache.Acked(1, false);
    EXPECT_EQ(Take(cache, 2), (std::vector<int>{1, 1}));
    cache.Acked(1, true);
    EXPECT_EQ(Take(cache, 3), (std::vector<int>{2, 0, 1}));
}

/// It is an ordered set without duplicates.
TEST(StickyCache, IsAnOrderedSet)
{
    std::mt19937 random(1);
    for (const uint32_t labels : {1U, 2U, 16U, 256U})
    {
        StickyCache cache(labels, labels / 2);
        std::list<int> model;
        uint32_t counter = 0;
        for (uint32_t step = 0; step < 20000; ++step)
        {
            const int label = random() % labels;
            switch (random() % 4)
            {
            case 0:
                cache.Acked(label, false);
                if (std::find(model.begin(), model.end(), label) == model.end())
                {
                    model.push_back(label);
                }
                break;
            case 1:
                random() % 2 ? cache.Acked(label, true) : cache.Lost();
                if (!model.empty())
                {
                    model.pop_front();
                }
                break;
            default:
                const bool counts = counter < labels / 2 || model.empty();
                const int expected = counts ? static_cast<int>(counter++ % labels) : model.front();
                ASSERT_EQ(cache.Next(), expected) << labels << " labels, step " << step;
            }
        }
    }
}
