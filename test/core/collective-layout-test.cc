/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/collective-layout.h"
#include "ns3/config.h"
#include "ns3/direct-algorithm.h"
#include "ns3/double-binary-tree-algorithm.h"
#include "ns3/halving-doubling-algorithm.h"
#include "ns3/pat-algorithm.h"
#include "ns3/recursive-doubling-algorithm.h"
#include "ns3/ring-algorithm.h"
#include "ns3/uinteger.h"

#include <memory>

using namespace ns3;

namespace
{

constexpr uint32_t MTU = 4096; //!< payload of a full packet, in bytes

CollectiveSpec
Make(CollectiveKind kind, TypeId algorithm, uint32_t ranks, uint64_t bytes, uint32_t channels)
{
    CollectiveSpec spec;
    spec.kind = kind;
    spec.algorithm = algorithm;
    spec.hosts.resize(ranks);
    spec.bytes = bytes;
    spec.channels = channels;
    return spec;
}

/// @return what a collective moves, message by message
CollectiveExtent
AddUp(const CollectiveLayout& layout, uint32_t slices)
{
    const CollectiveAlgorithm& algorithm = layout.GetAlgorithm();
    CollectiveExtent extent;
    extent.longestBytes = 0;
    std::vector<uint64_t> sent(algorithm.GetRanks());
    std::vector<uint64_t> received(algorithm.GetRanks());
    for (uint32_t rank = 0; rank < algorithm.GetRanks(); ++rank)
    {
        for (uint32_t slice = 0; slice < slices; ++slice)
        {
            const uint32_t lane = layout.LaneOf(slice);
            for (uint32_t step = 0; step < algorithm.CountSteps(rank, lane); ++step)
            {
                for (const CollectiveMessage& message : algorithm.GetStep(rank, lane, step).sends)
                {
                    const uint64_t bytes = layout.GetBytes(slice, message);
                    EXPECT_GE(bytes, 1);
                    ++extent.messages;
                    extent.bytes += bytes;
                    extent.packets += (bytes + MTU - 1) / MTU;
                    extent.longestBytes = std::max(extent.longestBytes, bytes);
                    sent[rank] += bytes;
                    received[message.peer] += bytes;
                }
            }
        }
    }
    extent.mostBytes = std::max(*std::max_element(sent.begin(), sent.end()),
                                *std::max_element(received.begin(), received.end()));
    return extent;
}

/// A closed form of the bytes of all messages of all ranks: a multiple of the size.
struct Law
{
    CollectiveKind kind; //!< of what
    TypeId algorithm;    //!< by what
    uint32_t ranks;      //!< of how many
    uint64_t times;      //!< the multiple
};

/// @return closed forms  @param ranks number of ranks, a power of two
std::vector<Law>
LawsOf(uint32_t ranks)
{
    using Kind = CollectiveKind;
    const TypeId direct = DirectAlgorithm::GetTypeId();
    const TypeId ring = RingAlgorithm::GetTypeId();
    const TypeId tree = DoubleBinaryTreeAlgorithm::GetTypeId();
    const TypeId halving = HalvingDoublingAlgorithm::GetTypeId();
    const uint64_t others = ranks - 1;
    uint64_t log = 0;
    while (ranks >> (log + 1))
    {
        ++log;
    }
    std::vector<Law> laws{
        {Kind::ALL_TO_ALL, direct, ranks, others},
        {Kind::BROADCAST, direct, ranks, others},
        {Kind::SEND_RECEIVE, direct, ranks, 1},
        {Kind::BROADCAST, ring, ranks, others},
        {Kind::ALL_REDUCE, tree, ranks, 2 * others},
        {Kind::BROADCAST, tree, ranks, others},
        {Kind::REDUCE, direct, ranks, others},
        {Kind::REDUCE, ring, ranks, others},
        {Kind::REDUCE, tree, ranks, others},
        {Kind::SENDRECV, direct, ranks, ranks},
        {Kind::ALL_REDUCE, RecursiveDoublingAlgorithm::GetTypeId(), ranks, ranks * log},
    };
    for (const Kind kind : {Kind::ALL_GATHER, Kind::REDUCE_SCATTER})
    {
        laws.push_back({kind, PatAlgorithm::GetTypeId(), ranks, others});
    }
    for (const TypeId& algorithm : {direct, ring, halving})
    {
        laws.push_back({Kind::ALL_REDUCE, algorithm, ranks, 2 * others});
        laws.push_back({Kind::ALL_GATHER, algorithm, ranks, others});
        laws.push_back({Kind::REDUCE_SCATTER, algorithm, ranks, others});
    }
    return laws;
}

} // namespace

TEST(CollectiveLayout, MovesWhatTheClosedFormSays)
{
    for (const uint32_t ranks : {2, 4, 8, 32})
    {
        for (const Law& law : LawsOf(ranks))
        {
            for (const uint32_t channels : {1, 3})
            {
                const uint64_t bytes = 6 * ranks * ranks * channels;
                const CollectiveLayout layout(
                    Make(law.kind, law.algorithm, ranks, bytes, channels));
                const CollectiveExtent sum = AddUp(layout, layout.CountSlices());
                EXPECT_EQ(sum.bytes, law.times * bytes)
                    << NameOf(law.kind) << " " << law.algorithm << " " << ranks;
                const CollectiveExtent measured = layout.Measure(MTU);
                EXPECT_EQ(measured.bytes, sum.bytes);
                EXPECT_EQ(measured.messages, sum.messages);
                EXPECT_EQ(measured.packets, sum.packets);
                EXPECT_EQ(measured.mostBytes, sum.mostBytes);
                EXPECT_EQ(measured.longestBytes, sum.longestBytes + (channels > 1 ? 1 : 0));
            }
        }
    }
}

TEST(CollectiveLayout, ChunksWhereARankHandsOn)
{
    const auto slices = [](CollectiveKind kind,
                           TypeId algorithm,
                           uint64_t bytes,
                           uint64_t chunk,
                           uint32_t channels) {
        CollectiveSpec spec = Make(kind, algorithm, 8, bytes, channels);
        spec.chunkBytes = chunk;
        return CollectiveLayout(spec).CountSlices();
    };
    const TypeId ring = RingAlgorithm::GetTypeId();
    const TypeId tree = DoubleBinaryTreeAlgorithm::GetTypeId();
    for (const CollectiveKind kind : {CollectiveKind::BROADCAST, CollectiveKind::REDUCE})
    {
        EXPECT_EQ(slices(kind, ring, 8000, 1000, 1), 8);
        EXPECT_EQ(slices(kind, ring, 8001, 1000, 1), 9);
        EXPECT_EQ(slices(kind, ring, 999, 1000, 1), 1);
        EXPECT_EQ(slices(kind, ring, 8000, 1000, 2), 2 * 4);
        EXPECT_EQ(slices(kind, tree, 8000, 1000, 1), 2 * 4); // of each tree
        EXPECT_EQ(slices(kind, ring, uint64_t{1} << 40, 1, 1), CollectiveLayout::MOST_CHUNKS);
    }
    EXPECT_EQ(slices(CollectiveKind::ALL_REDUCE, tree, 8000, 1000, 1), 2 * 4);
    EXPECT_EQ(slices(CollectiveKind::ALL_REDUCE, ring, 8000, 1000, 1), 1);
    EXPECT_EQ(slices(CollectiveKind::ALL_GATHER, ring, 8000, 1000, 1), 1);
    EXPECT_EQ(slices(CollectiveKind::BROADCAST, DirectAlgorithm::GetTypeId(), 8000, 1000, 1), 1);
}

TEST(CollectiveLayout, GathersAndScattersPartsOfTheSize)
{
    for (const CollectiveKind kind : {CollectiveKind::GATHER, CollectiveKind::SCATTER})
    {
        const CollectiveLayout layout(Make(kind, DirectAlgorithm::GetTypeId(), 8, 8000, 1));
        const CollectiveExtent sum = AddUp(layout, layout.CountSlices());
        EXPECT_EQ(sum.bytes, 7 * 1000);
        EXPECT_EQ(sum.longestBytes, 1000);
        EXPECT_EQ(sum.mostBytes, 7 * 1000); // of the root
    }
}

TEST(CollectiveLayout, DoesNotDependOnWholeParts)
{
    // In the sum over all blocks, what one has less another has more.
    for (const uint64_t bytes : {1001, 12345, 999'999'937})
    {
        const CollectiveLayout layout(
            Make(CollectiveKind::ALL_REDUCE, RingAlgorithm::GetTypeId(), 7, bytes, 3));
        EXPECT_EQ(AddUp(layout, layout.CountSlices()).bytes, 12 * bytes);
    }
}

TEST(CollectiveLayout, SlicesAddUpToTheWhole)
{
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i)
    {
        Config::SetDefault("ns3::aifabric::CollectiveAlgorithm::Chunks",
                           UintegerValue(1 + random() % 5));
        const std::vector<Law> laws = LawsOf(2U << random() % 3);
        const Law& law = laws[random() % laws.size()];
        const uint32_t channels = 1 + random() % 9;
        const uint64_t bytes = 1 + random() % (random() % 2 ? 100 : 1'000'000'000);
        const CollectiveLayout layout(Make(law.kind, law.algorithm, law.ranks, bytes, channels));
        const uint64_t blocks = layout.GetAlgorithm().CountBlocks();
        const uint64_t whole = BlockBytes(law.kind, law.ranks, bytes);
        uint64_t sum = 0;
        uint64_t least = std::numeric_limits<uint64_t>::max();
        uint64_t most = 0;
        for (uint32_t slice = 0; slice < layout.CountSlices(); ++slice)
        {
            EXPECT_EQ(layout.ChannelOf(slice) * layout.GetAlgorithm().CountLanes() +
                          layout.LaneOf(slice),
                      slice);
            const uint64_t own = layout.GetBytes(slice, {0, 0, 0, blocks, false});
            sum += own;
            least = std::min(least, own);
            most = std::max(most, own);
        }
        if (whole >= layout.CountSlices())
        {
            EXPECT_EQ(sum, whole);
        }
        EXPECT_LE(most - least, 1);
        // What Measure() says of several channels is true to a byte or two a message.
        const CollectiveExtent measured = layout.Measure(MTU);
        const CollectiveExtent exact = AddUp(layout, layout.CountSlices());
        EXPECT_EQ(measured.messages, exact.messages);
        EXPECT_LE(measured.bytes, exact.bytes + 2 * exact.messages);
        EXPECT_LE(exact.bytes, measured.bytes + 2 * exact.messages);
        EXPECT_LE(exact.longestBytes, measured.longestBytes);
    }
    Config::Reset();
}

/// Of parts of different sizes, each goes once; what has no bytes is not sent, and not awaited.
TEST(CollectiveLayout, PartsOfAnAllToAllMayDiffer)
{
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i)
    {
        const uint32_t ranks = 2 + random() % 9;
        std::vector<uint64_t> bytes(ranks * ranks);
        for (uint64_t& part : bytes)
        {
            part = random() % 2 == 0 ? 0 : random() % (random() % 2 ? 10 : 1'000'000'000);
        }
        CollectiveSpec spec = Make(CollectiveKind::ALL_TO_ALL,
                                   DirectAlgorithm::GetTypeId(),
                                   ranks,
                                   1,
                                   1 + random() % 3);
        spec.parts = std::make_shared<const PartSizes>(ranks, bytes);
        const CollectiveLayout layout(spec);
        std::vector<uint64_t> sent(bytes.size());
        uint64_t messages = 0;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            for (uint32_t slice = 0; slice < layout.CountSlices(); ++slice)
            {
                const CollectiveStep step = layout.GetStep(rank, slice, 0);
                for (const CollectiveMessage& message : step.sends)
                {
                    sent[rank * ranks + message.peer] += layout.GetBytes(slice, message);
                    EXPECT_EQ(message.firstBlock, rank * ranks + message.peer);
                }
                messages += step.sends.size();
                for (const CollectiveMessage& message : step.receives)
                {
                    EXPECT_GT(bytes[message.peer * ranks + rank], 0U);
                }
            }
        }
        for (uint32_t part = 0; part < bytes.size(); ++part)
        {
            const bool isOwn = part / ranks == part % ranks;
            const uint64_t least = bytes[part] == 0 ? 0 : spec.channels; // a byte a message
            EXPECT_EQ(sent[part], isOwn ? 0 : std::max(bytes[part], least));
        }
        EXPECT_EQ(layout.Measure(MTU).messages, messages);
    }
}

TEST(CollectiveLayout, ReceiversCountAsMuchAsSenders)
{
    CollectiveSpec spec = Make(CollectiveKind::ALL_TO_ALL, DirectAlgorithm::GetTypeId(), 4, 1, 1);
    spec.parts = std::make_shared<const PartSizes>(PartSizes::ByReceiver({9000, 1, 0, 1}));
    const CollectiveExtent extent = CollectiveLayout(spec).Measure(MTU);
    EXPECT_EQ(extent.mostBytes, 27000U); // what rank 0 receives
    EXPECT_EQ(extent.longestBytes, 9000U);
    EXPECT_EQ(extent.packets, 3U * 3 + 6);
    EXPECT_EQ(extent.pairs, 9U);
}

TEST(CollectiveLayout, CountsPairsOfSenderAndReceiver)
{
    for (const uint32_t channels : {1, 3})
    {
        const auto count = [channels](TypeId algorithm) {
            return CollectiveLayout(Make(CollectiveKind::ALL_REDUCE, algorithm, 8, 4096, channels))
                .Measure(MTU)
                .pairs;
        };
        EXPECT_EQ(count(RingAlgorithm::GetTypeId()), 8 * channels);
        EXPECT_EQ(count(HalvingDoublingAlgorithm::GetTypeId()), 8 * 3 * channels);
    }
}

TEST(CollectiveLayout, EveryMessageHasAByte)
{
    const CollectiveLayout layout(
        Make(CollectiveKind::ALL_REDUCE, RingAlgorithm::GetTypeId(), 5, 3, 2));
    const CollectiveExtent sum = AddUp(layout, layout.CountSlices());
    EXPECT_EQ(sum.messages, 2 * 5 * 2 * 4);
    EXPECT_EQ(sum.bytes, sum.messages);
}

TEST(CollectiveLayout, RefusesWhatTheAlgorithmCannotDo)
{
    EXPECT_THROW(
        CollectiveLayout(
            Make(CollectiveKind::BROADCAST, RecursiveDoublingAlgorithm::GetTypeId(), 4, 100, 1)),
        std::invalid_argument);
}
