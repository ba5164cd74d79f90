/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/parallel-layout.h"

namespace
{

using Dimension = ParallelDimension;
using HostGroups = std::vector<std::vector<uint32_t>>;

constexpr ParallelLayout::Order TP_PP_DP = {Dimension::TENSOR,
                                            Dimension::PIPELINE,
                                            Dimension::DATA};
constexpr std::array<Dimension, 5> DIMENSIONS = {Dimension::TENSOR,
                                                 Dimension::DATA,
                                                 Dimension::PIPELINE,
                                                 Dimension::EXPERT,
                                                 Dimension::EXPERT_DATA};

} // namespace

/// The example of Megatron-LM: 16 GPUs, tensors of 2 ranks, 4 stages.
TEST(ParallelLayout, HasTheGroupsOfMegatron)
{
    const ParallelLayout layout({2, 4, 2, 2}, ParallelLayout::USUAL_ORDER);
    EXPECT_EQ(layout.CountHosts(), 16U);
    EXPECT_EQ(layout.ListGroups(Dimension::TENSOR),
              (HostGroups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}}));
    const HostGroups data{{0, 2}, {1, 3}, {4, 6}, {5, 7}, {8, 10}, {9, 11}, {12, 14}, {13, 15}};
    EXPECT_EQ(layout.ListGroups(Dimension::DATA), data);
    EXPECT_EQ(layout.ListGroups(Dimension::EXPERT), data);
    EXPECT_EQ(layout.ListGroups(Dimension::PIPELINE),
              (HostGroups{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}));
}

/// With --use-tp-pp-dp-mapping.
TEST(ParallelLayout, PutsStagesSideBySide)
{
    const ParallelLayout layout({2, 4, 2, 1}, TP_PP_DP);
    EXPECT_EQ(layout.ListGroups(Dimension::PIPELINE),
              (HostGroups{{0, 2, 4, 6}, {1, 3, 5, 7}, {8, 10, 12, 14}, {9, 11, 13, 15}}));
    EXPECT_EQ(layout.GroupOf(Dimension::DATA, 11), (std::vector<uint32_t>{3, 11}));
    EXPECT_EQ(layout.GroupOf(Dimension::TENSOR, 11), (std::vector<uint32_t>{10, 11}));
}

TEST(ParallelLayout, ExpertsDivideTheDataParallelRanks)
{
    const ParallelLayout layout({2, 1, 8, 4}, ParallelLayout::USUAL_ORDER);
    EXPECT_EQ(layout.ListGroups(Dimension::EXPERT),
              (HostGroups{{0, 2, 4, 6}, {1, 3, 5, 7}, {8, 10, 12, 14}, {9, 11, 13, 15}}));
    EXPECT_EQ(layout.GroupOf(Dimension::EXPERT_DATA, 10), (std::vector<uint32_t>{2, 10}));
}

/// Each host is in one group of each dimension, and at its own place.
TEST(ParallelLayout, GroupsDivideTheHosts)
{
    std::mt19937 random(1);
    for (uint32_t i = 0; i < 200; ++i)
    {
        ParallelLayout::Sizes sizes;
        sizes.tensor = 1 + random() % 4;
        sizes.pipeline = 1 + random() % 4;
        sizes.expert = 1 + random() % 3;
        sizes.data = sizes.expert * (1 + random() % 4);
        ParallelLayout::Order order = ParallelLayout::USUAL_ORDER;
        std::shuffle(order.begin(), order.end(), random);
        const ParallelLayout layout(sizes, order);
        for (const Dimension dimension : DIMENSIONS)
        {
            std::vector<uint32_t> all;
            for (const auto& group : layout.ListGroups(dimension))
            {
                EXPECT_EQ(group.size(), layout.SizeOf(dimension));
                EXPECT_EQ(layout.GroupOf(dimension, group.back()), group);
                all.insert(all.end(), group.begin(), group.end());
            }
            std::sort(all.begin(), all.end());
            ASSERT_EQ(all.size(), layout.CountHosts());
            for (uint32_t host = 0; host < all.size(); ++host)
            {
                EXPECT_EQ(all[host], host);
                EXPECT_EQ(layout.HostAt(layout.PlaceOf(host)), host);
            }
        }
    }
}
