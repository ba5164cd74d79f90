/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/path-health.h"

namespace
{

using Labels = std::vector<uint16_t>; //!< labels of paths

} // namespace

/// A mark excludes one path to one leaf until its time, which does not belong to it.
TEST(PathHealth, MarksExpire)
{
    PathHealth health;
    EXPECT_EQ(health.Usable(3, {4, 2, 9}, 0), (Labels{4, 2, 9}));
    health.MarkFailed(3, 2, 100);
    EXPECT_EQ(health.Usable(3, {4, 2, 9}, 99), (Labels{4, 9}));
    EXPECT_EQ(health.Usable(5, {4, 2, 9}, 99), (Labels{4, 2, 9}));
    EXPECT_EQ(health.Usable(3, {4, 2, 9}, 100), (Labels{4, 2, 9}));
    EXPECT_TRUE(health.IsFailed(3, 2, 99));
    EXPECT_FALSE(health.IsFailed(3, 2, 100));
    EXPECT_FALSE(health.IsFailed(3, 4, 99));
    EXPECT_FALSE(health.IsFailed(2, 2, 99));
}

/// If all paths to a leaf are marked, all are used.
TEST(PathHealth, AllFailed)
{
    PathHealth health;
    health.MarkFailed(1, 7, 100);
    health.MarkFailed(1, 8, 50);
    EXPECT_EQ(health.Usable(1, {8, 7}, 10), (Labels{8, 7}));
    EXPECT_EQ(health.Usable(1, {8, 7}, 60), (Labels{8}));
    EXPECT_EQ(health.Usable(1, {7}, 60), (Labels{7}));
    EXPECT_EQ(health.Usable(1, {}, 60), Labels{});
}

/// A mark until now, which is what a time-out of 0 gives, excludes nothing but is counted.
TEST(PathHealth, NoTime)
{
    PathHealth health;
    health.MarkFailed(1, 7, 100);
    EXPECT_EQ(health.Usable(1, {7, 8}, 100), (Labels{7, 8}));
    EXPECT_EQ(health.CountFailed(100), 0U);
    EXPECT_EQ(health.GetMarks(), 1U);
}

/// Whatever is marked in whatever order: as a list of all marks says.
TEST(PathHealth, AsAListOfMarks)
{
    std::mt19937 random(1);
    PathHealth health;
    std::multimap<std::pair<uint32_t, uint16_t>, int64_t> marks;
    const Labels paths{0, 1, 2, 16, 17};
    for (int64_t now = 0; now < 4000; ++now)
    {
        if (random() % 3 == 0)
        {
            const uint32_t leaf = random() % 3;
            const uint16_t path = paths[random() % paths.size()];
            const int64_t until = now + random() % 40;
            health.MarkFailed(leaf, path, until);
            marks.emplace(std::pair(leaf, path), until);
        }
        uint32_t failed = 0;
        for (uint32_t leaf = 0; leaf < 3; ++leaf)
        {
            Labels expected;
            for (const uint16_t path : paths)
            {
                bool isFailed = false;
                const auto [first, last] = marks.equal_range({leaf, path});
                for (auto mark = first; mark != last; ++mark)
                {
                    isFailed = isFailed || now < mark->second;
                }
                ASSERT_EQ(health.IsFailed(leaf, path, now), isFailed);
                failed += isFailed ? 1 : 0;
                if (!isFailed)
                {
                    expected.push_back(path);
                }
            }
            ASSERT_EQ(health.Usable(leaf, paths, now), expected.empty() ? paths : expected);
        }
        ASSERT_EQ(health.CountFailed(now), failed);
    }
    EXPECT_EQ(health.GetMarks(), marks.size());
}
