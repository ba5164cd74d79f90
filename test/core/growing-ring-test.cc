/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/growing-ring.h"

namespace
{

/// Check that a ring holds what a deque does.  @tparam Ring its type  @param ring the ring
/// @param expected the deque
template <typename Ring>
void
ExpectSame(const Ring& ring, const std::deque<int>& expected)
{
    ASSERT_EQ(ring.size(), expected.size());
    ASSERT_EQ(ring.empty(), expected.empty());
    for (uint32_t i = 0; i < ring.size(); ++i)
    {
        ASSERT_NE(ring[i], nullptr);
        ASSERT_EQ(*ring[i], expected[i]);
    }
    if (!expected.empty())
    {
        ASSERT_EQ(*ring.front(), expected.front());
        ASSERT_EQ(*ring.back(), expected.back());
        ASSERT_EQ(ring.Place(), &ring.front());
    }
}

/// @return a ring that fills its first block, and begins anywhere in it
/// @param added how many numbers were removed at the front and added at the back
GrowingRing<uint64_t>
MakeWrapped(uint64_t added)
{
    GrowingRing<uint64_t> ring;
    for (uint64_t i = 0; i < 8; ++i)
    {
        ring.push_back(i);
    }
    for (uint64_t i = 0; i < added; ++i)
    {
        ring.pop_front();
        ring.push_back(8 + i);
    }
    return ring;
}

} // namespace

/// Law: whatever is done, a ring of elements that can only be moved is what a deque is, wherever
/// its first block is.
template <typename Ring>
struct GrowingRingLaw : testing::Test
{
};

using Rings = testing::Types<GrowingRing<std::unique_ptr<int>>,
                             GrowingRing<std::unique_ptr<int>, 1>,
                             GrowingRing<std::unique_ptr<int>, 8>>;
TYPED_TEST_SUITE(GrowingRingLaw, Rings);

TYPED_TEST(GrowingRingLaw, IsADeque)
{
    std::mt19937 random(1);
    for (int run = 0; run < 50; ++run)
    {
        TypeParam ring;
        std::deque<int> expected;
        for (int i = 0; i < 2000; ++i)
        {
            const bool grows = random() % 1000 < (i / 200 % 2 ? 350U : 600U);
            if (grows || expected.empty())
            {
                ring.push_back(std::make_unique<int>(i));
                expected.push_back(i);
            }
            else if (random() % 5 == 0)
            {
                ASSERT_EQ(*ring.pop_back(), expected.back());
                expected.pop_back();
            }
            else
            {
                ASSERT_EQ(*ring.pop_front(), expected.front());
                expected.pop_front();
            }
            if (random() % 50 == 0)
            {
                TypeParam other(std::move(ring));
                ExpectSame(ring, {});
                ring.push_back(std::make_unique<int>(-1));
                ring = std::move(other);
            }
            ExpectSame(ring, expected);
        }
    }
}

/// The first elements are within a ring that has room, and the others are not.
TEST(GrowingRing, HasRoom)
{
    GrowingRing<uint64_t, 2> ring;
    const auto isWithin = [&ring](const uint64_t& element) {
        const auto* place = reinterpret_cast<const char*>(&element);
        const auto* begin = reinterpret_cast<const char*>(&ring);
        return place >= begin && place < begin + sizeof(ring);
    };
    ring.push_back(1);
    ring.push_back(2);
    EXPECT_TRUE(isWithin(ring.front()));
    EXPECT_TRUE(isWithin(ring.back()));
    GrowingRing<uint64_t, 2> other(std::move(ring));
    EXPECT_FALSE(isWithin(other.front()));
    EXPECT_EQ(other.back(), 2U);
    other.push_back(3);
    ring = std::move(other);
    EXPECT_FALSE(isWithin(ring.front()));
    EXPECT_EQ(ring.size(), 3U);
}

/// It grows in whatever place of the block it begins.
TEST(GrowingRing, GrowsWhereverItBegins)
{
    for (uint64_t added = 0; added < 20; ++added)
    {
        GrowingRing<uint64_t> ring = MakeWrapped(added);
        const uint64_t* const next = ring.NextPlace();
        ring.push_back(8 + added); // the ninth
        EXPECT_NE(&ring.back(), next) << "the block was full";
        ASSERT_EQ(ring.size(), 9U);
        for (uint64_t i = 0; i < 9; ++i)
        {
            EXPECT_EQ(ring[i], added + i);
        }
    }
}

/// What is removed is released at once: a callback does not live on in the block.
TEST(GrowingRing, ReleasesWhatIsRemoved)
{
    GrowingRing<std::function<int()>> ring;
    const auto held = std::make_shared<int>(7);
    for (int i = 0; i < 5; ++i)
    {
        ring.push_back([held]() { return *held; });
    }
    EXPECT_EQ(held.use_count(), 6);
    EXPECT_EQ(ring.pop_front()(), 7);
    EXPECT_EQ(held.use_count(), 5);
    ring = {};
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_TRUE(ring.empty());
}

/// A copy has the same elements, and its own.
TEST(GrowingRing, CopiesAreApart)
{
    GrowingRing<uint64_t> ring = MakeWrapped(5);
    GrowingRing<uint64_t> copy(ring);
    ring.pop_front();
    copy.push_back(99);
    EXPECT_EQ(ring.size(), 7U);
    ASSERT_EQ(copy.size(), 9U);
    for (uint64_t i = 0; i < 8; ++i)
    {
        EXPECT_EQ(copy[i], 5 + i);
    }
    EXPECT_EQ(copy.back(), 99U);
}

/// What a ring was moved from is empty and can be used.
TEST(GrowingRing, IsEmptyOnceMoved)
{
    GrowingRing<uint64_t> ring = MakeWrapped(3);
    GrowingRing<uint64_t> other(std::move(ring));
    EXPECT_EQ(other.size(), 8U);
    EXPECT_TRUE(ring.empty());
    ring.push_back(1);
    EXPECT_EQ(ring.front(), 1U);
    other = std::move(ring);
    EXPECT_EQ(other.size(), 1U);
    EXPECT_TRUE(ring.empty());
    ring.push_back(2);
    EXPECT_EQ(ring.back(), 2U);
    EXPECT_EQ(other.back(), 1U);
    GrowingRing<uint64_t>& same = other;
    other = std::move(same);
    ASSERT_EQ(other.size(), 1U);
    EXPECT_EQ(other.back(), 1U);
}

/// The oldest elements leave as long as they are accepted, beyond the end of the block, too.
TEST(GrowingRing, GivesItsOldestElementsWhileTheyAreAccepted)
{
    GrowingRing<uint64_t> ring = MakeWrapped(3);
    const uint64_t first = ring.front();
    std::vector<uint64_t> taken;
    const auto takeBefore = [&taken](uint64_t end) {
        return [&taken, end](uint64_t value) {
            const bool isBefore = value < end;
            if (isBefore)
            {
                taken.push_back(value);
            }
            return isBefore;
        };
    };
    ring.PopWhile(takeBefore(first));
    EXPECT_TRUE(taken.empty());
    ring.PopWhile(takeBefore(first + 6));
    EXPECT_EQ(
        taken,
        (std::vector<uint64_t>{first, first + 1, first + 2, first + 3, first + 4, first + 5}));
    ASSERT_EQ(ring.size(), 2U);
    EXPECT_EQ(ring.front(), first + 6);
    ring.PopWhile(takeBefore(first + 100));
    EXPECT_TRUE(ring.empty());
    ring.push_back(7);
    EXPECT_EQ(ring.front(), 7U);
    GrowingRing<uint64_t> empty;
    empty.PopWhile(takeBefore(first));
    empty.Pop(0);
    EXPECT_TRUE(empty.empty());
}
