/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/psn-window.h"

using ns3::aifabric::PsnWindow;

namespace
{

/// The same as a PsnWindow, without any art.
struct PlainWindow
{
    /// @return whether a number is new
    bool Insert(uint64_t number)
    {
        if (Contains(number))
        {
            return false;
        }
        m_numbers.insert(number);
        while (m_numbers.erase(m_base) > 0)
        {
            ++m_base;
        }
        return true;
    }

    /// @return how many numbers before one are new
    uint64_t InsertBefore(uint64_t end)
    {
        uint64_t fresh = 0;
        while (m_base < end)
        {
            fresh += Insert(m_base) ? 1 : 0;
        }
        return fresh;
    }

    /// @return whether a number has come
    bool Contains(uint64_t number) const
    {
        return number < m_base || m_numbers.count(number) > 0;
    }

    /// @return the first number that has not come
    uint64_t GetBase() const
    {
        return m_base;
    }

    uint64_t m_base{0};           //!< the first number that has not come
    std::set<uint64_t> m_numbers; //!< numbers beyond it
};

/// Insert numbers into both windows, and compare all that can be asked around the base.
/// @param numbers the numbers in their order
void
Compare(const std::vector<uint64_t>& numbers)
{
    PsnWindow window;
    PlainWindow plain;
    for (uint64_t number : numbers)
    {
        ASSERT_EQ(window.Contains(number), plain.Contains(number)) << number;
        ASSERT_EQ(window.Insert(number), plain.Insert(number)) << number;
        ASSERT_EQ(window.GetBase(), plain.GetBase()) << number;
        ASSERT_TRUE(window.Contains(number)) << number;
        const uint64_t from = plain.GetBase() > 70 ? plain.GetBase() - 70 : 0;
        for (uint64_t asked = from; asked < plain.GetBase() + 200; ++asked)
        {
            ASSERT_EQ(window.Contains(asked), plain.Contains(asked)) << asked << ", " << number;
        }
    }
}

} // namespace

TEST(PsnWindow, InOrder)
{
    std::vector<uint64_t> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    Compare(numbers);
}

TEST(PsnWindow, Backwards)
{
    std::vector<uint64_t> numbers(500);
    std::iota(numbers.rbegin(), numbers.rend(), 0);
    Compare(numbers);
}

TEST(PsnWindow, OneHole)
{
    for (uint64_t hole : {0, 1, 62, 63, 64, 65, 127, 128, 300})
    {
        std::vector<uint64_t> numbers;
        for (uint64_t number = 0; number < 400; ++number)
        {
            if (number != hole)
            {
                numbers.push_back(number);
            }
        }
        numbers.push_back(hole);
        numbers.push_back(hole);
        numbers.push_back(400);
        Compare(numbers);
    }
}

TEST(PsnWindow, FarAhead)
{
    Compare({100000, 0, 1, 99999, 2, 100001, 100000, 63, 64});
}

TEST(PsnWindow, RandomOrder)
{
    for (uint32_t seed = 1; seed <= 60; ++seed)
    {
        std::mt19937 random(seed);
        const uint64_t spread = uint64_t{1} << seed % 11;
        std::vector<uint64_t> numbers;
        uint64_t front = 0;
        for (uint32_t i = 0; i < 1500; ++i)
        {
            // ahead by up to the spread, sometimes an old one again
            numbers.push_back(random() % 8 == 0 ? random() % (front + 1)
                                                : front + random() % spread);
            front += random() % 3 > 0;
        }
        Compare(numbers);
    }
}

TEST(PsnWindow, RandomPermutation)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        std::mt19937 random(seed);
        std::vector<uint64_t> numbers(1024);
        std::iota(numbers.begin(), numbers.end(), 0);
        for (std::size_t i = numbers.size() - 1; i > 0; --i)
        {
            std::swap(numbers[i], numbers[random() % (i + 1)]);
        }
        Compare(numbers);
    }
}

TEST(PsnWindow, AllBeforeOne)
{
    for (uint32_t seed = 1; seed <= 60; ++seed)
    {
        std::mt19937 random(seed);
        const uint64_t spread = uint64_t{1} << seed % 11;
        PsnWindow window;
        PlainWindow plain;
        for (uint32_t i = 0; i < 1500; ++i)
        {
            const uint64_t number = window.GetBase() + random() % spread;
            if (random() % 4 > 0)
            {
                ASSERT_EQ(window.Insert(number), plain.Insert(number)) << seed;
            }
            else
            {
                ASSERT_EQ(window.InsertBefore(number), plain.InsertBefore(number)) << seed;
            }
            ASSERT_EQ(window.GetBase(), plain.GetBase()) << seed;
            ASSERT_EQ(window.Contains(number + 1), plain.Contains(number + 1)) << seed;
        }
        EXPECT_EQ(window.InsertBefore(window.GetBase() - 1), 0U);
    }
}

TEST(PsnWindow, UnwrapFindsTheNearest)
{
    constexpr int64_t WRAP = 1 << 24;
    constexpr int64_t HALF = 1 << 23;
    for (int64_t reference : {int64_t{0},
                              int64_t{5},
                              HALF,
                              WRAP - 1,
                              WRAP,
                              WRAP + 1,
                              3 * WRAP - 2,
                              (int64_t{1} << 32) - 1,
                              int64_t{1} << 32,
                              (int64_t{1} << 40) + 7})
    {
        for (int64_t distance : {int64_t{0},
                                 int64_t{1},
                                 int64_t{-1},
                                 int64_t{1000},
                                 int64_t{-1000},
                                 HALF - 1,
                                 -HALF + 1})
        {
            const int64_t number = reference + distance;
            const auto psn = static_cast<uint32_t>(number & (WRAP - 1));
            EXPECT_EQ(PsnWindow::Unwrap(psn, reference), number)
                << "reference " << reference << " distance " << distance;
        }
    }
}

TEST(PsnWindow, UnwrapKnownValues)
{
    EXPECT_EQ(PsnWindow::Unwrap(0xFFFFFF, 0), -1);
    EXPECT_EQ(PsnWindow::Unwrap(0, 0xFFFFFF), 0x1000000);
    EXPECT_EQ(PsnWindow::Unwrap(0x000005, 0x1FFFFFE), 0x2000005);
    EXPECT_EQ(PsnWindow::Unwrap(0xFFFFFE, 0x2000001), 0x1FFFFFE);
}
