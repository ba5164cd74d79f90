/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/path-rotation.h"
#include "ns3/path-view.h"
#include "ns3/permuted-walk.h"

/// Each number comes once a round, at the place that the mask says, and the mask is drawn once a
/// round.
TEST(PermutedWalk, EachNumberOnceARound)
{
    std::mt19937 random(1);
    for (const uint32_t count : {1U, 2U, 64U, 16384U})
    {
        PermutedWalk walk(count);
        std::vector<uint32_t> masks;
        const auto draw = [&](uint32_t bound) {
            EXPECT_EQ(bound, count);
            masks.push_back(random() % bound);
            return masks.back();
        };
        for (uint32_t round = 0; round < 5; ++round)
        {
            std::set<uint32_t> seen;
            for (uint32_t step = 0; step < count; ++step)
            {
                const uint32_t number = walk.Next(draw);
                ASSERT_LT(number, count);
                EXPECT_EQ(number, step ^ masks.back());
                seen.insert(number);
            }
            EXPECT_EQ(seen.size(), count);
            EXPECT_EQ(masks.size(), round + 1);
        }
    }
}

/// Whatever the list and wherever it begins: visits differ by at most one at any time.
TEST(PathRotation, VisitsDifferByAtMostOne)
{
    std::mt19937 random(1);
    for (uint32_t trial = 0; trial < 200; ++trial)
    {
        std::vector<uint16_t> labels;
        std::map<uint16_t, uint32_t> visits;
        const uint32_t size = 1 + random() % 40;
        while (labels.size() < size)
        {
            const uint16_t label = random() % 16384;
            if (visits.emplace(label, 0).second)
            {
                labels.push_back(label);
            }
        }
        PathRotation rotation;
        rotation.SetPaths(labels);
        rotation.SetPosition(random());
        EXPECT_EQ(rotation.GetSize(), size);
        for (uint32_t step = 0; step < 150; ++step)
        {
            ++visits.at(rotation.Next());
            const auto [least, most] =
                std::minmax_element(visits.begin(), visits.end(), [](const auto& a, const auto& b) {
                    return a.second < b.second;
                });
            ASSERT_LE(most->second - least->second, 1U);
        }
    }
}

/// A shorter or longer list is gone round from where the last one was left, modulo its length.
TEST(PathRotation, KeepsItsPlace)
{
    PathRotation rotation;
    rotation.SetPaths({10, 11, 12, 13, 14});
    rotation.SetPosition(8);
    EXPECT_EQ(rotation.Next(), 13);
    rotation.SetPaths({20, 21, 22});
    EXPECT_EQ(rotation.Next(), 21);
    rotation.SetPaths({});
    EXPECT_EQ(rotation.GetSize(), 0U);
    rotation.SetPaths({30, 31, 32, 33});
    EXPECT_EQ(rotation.Next(), 32);
    EXPECT_EQ(rotation.Next(), 33);
    EXPECT_EQ(rotation.Next(), 30);
}

/// Labels in ascending order are the digit-reversed order of cores (DRB): step z goes over core
/// (z mod h, z div h), so the uplink of the edge changes every packet.
TEST(PathRotation, AscendingLabelsAreTheDigitReversedOrder)
{
    const uint32_t h = 4;
    const auto graph = MakeFatTree({2 * h, 1, {}});
    PathRotation rotation;
    rotation.SetPaths(PathView(graph).UsablePaths(0, 127));
    uint32_t lastUplink = h;
    for (uint32_t z = 0; z < h * h; ++z)
    {
        const uint32_t label = rotation.Next();
        EXPECT_EQ(label % h, z % h); // uplink of the edge
        EXPECT_EQ(label / h, z / h); // uplink of the aggregation
        EXPECT_NE(label % h, lastUplink);
        lastUplink = label % h;
    }
}
