/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/permuted-walk.h"
#include "ns3/timed-exclusion.h"

namespace
{

/// Goes round some labels in ascending order.
struct Round
{
    explicit Round(uint32_t labels)
        : m_labels(labels)
    {
    }

    /// @return labels of the next packets
    std::vector<uint32_t> Take(TimedExclusion& exclusion, int64_t now, uint32_t count)
    {
        std::vector<uint32_t> labels;
        while (labels.size() < count)
        {
            labels.push_back(exclusion.Choose(now, [this] { return m_next++ % m_labels; }));
        }
        return labels;
    }

    uint32_t m_labels;  //!< number of labels
    uint32_t m_next{0}; //!< candidates so far
};

using Labels = std::vector<uint32_t>;

} // namespace

/// A label is skipped for its time, however many turns it has until then.
TEST(TimedExclusion, ALabelIsSkippedForSomeTime)
{
    TimedExclusion exclusion(4, 100);
    Round round(4);
    exclusion.Exclude(5, 10); // modulo 4
    EXPECT_EQ(round.Take(exclusion, 10, 6), (Labels{0, 2, 3, 0, 2, 3}));
    EXPECT_EQ(round.Take(exclusion, 109, 3), (Labels{0, 2, 3}));
    EXPECT_EQ(exclusion.GetSkipped(), 3U);
    EXPECT_EQ(round.Take(exclusion, 110, 4), (Labels{0, 1, 2, 3}));
    EXPECT_EQ(exclusion.CountExcluded(110), 0U);
}

/// A report on an excluded label begins its time anew, and does not count it twice.
TEST(TimedExclusion, TheTimeBeginsAnew)
{
    TimedExclusion exclusion(4, 100);
    Round round(4);
    exclusion.Exclude(1, 0);
    exclusion.Exclude(1, 60);
    exclusion.Exclude(1, 60);
    EXPECT_EQ(exclusion.CountExcluded(60), 1U);
    EXPECT_EQ(exclusion.CountExcluded(159), 1U);
    EXPECT_EQ(round.Take(exclusion, 159, 3), (Labels{0, 2, 3}));
    EXPECT_EQ(exclusion.CountExcluded(160), 0U);
    exclusion.Exclude(1, 200);
    EXPECT_EQ(exclusion.CountExcluded(299), 1U);
}

/// Half of the labels may be excluded; with one more all are used.
TEST(TimedExclusion, MoreThanHalfAreAllUsed)
{
    TimedExclusion exclusion(4, 100);
    Round round(4);
    exclusion.Exclude(0, 0);
    exclusion.Exclude(2, 10);
    EXPECT_EQ(round.Take(exclusion, 20, 4), (Labels{1, 3, 1, 3}));
    exclusion.Exclude(3, 30);
    EXPECT_EQ(round.Take(exclusion, 30, 4), (Labels{0, 1, 2, 3}));
    EXPECT_EQ(round.Take(exclusion, 100, 4), (Labels{0, 1, 0, 1})) << "0 is used again";
    TimedExclusion single(1, 100);
    single.Exclude(0, 0);
    EXPECT_EQ(single.Choose(0, [] { return 0; }), 0U);
}

/// Against a model that looks at all labels: what is excluded, and what is chosen.
TEST(TimedExclusion, DoesWhatAModelDoes)
{
    constexpr uint32_t LABELS = 16;
    constexpr int64_t DURATION = 50;
    std::mt19937 random(1);
    uint32_t full = 0;
    for (uint32_t seed = 0; seed < 20; ++seed)
    {
        TimedExclusion exclusion(LABELS, DURATION);
        PermutedWalk walk(LABELS);
        std::map<uint32_t, int64_t> until;
        int64_t now = 1;
        for (uint32_t step = 0; step < 2000; ++step, now += random() % 4)
        {
            if (random() % (2 + step / 200) == 0)
            {
                const uint32_t label = random() % LABELS;
                exclusion.Exclude(label, now);
                until[label] = now + DURATION;
            }
            uint32_t excluded = 0;
            for (const auto& [label, end] : until)
            {
                excluded += end > now;
            }
            ASSERT_EQ(exclusion.CountExcluded(now), excluded);
            const uint32_t label = exclusion.Choose(now, [&] {
                return walk.Next([&](uint32_t bound) { return random() % bound; });
            });
            const bool isExcluded = until.count(label) > 0 && until[label] > now;
            ASSERT_TRUE(!isExcluded || 2 * excluded > LABELS);
            full += isExcluded;
        }
    }
    EXPECT_GT(full, 100U) << "both states occur";
}
