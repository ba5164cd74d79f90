/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/entropy-set.h"
#include "ns3/label-permutation.h"
#include "ns3/path-prober.h"

namespace
{

constexpr uint32_t ALL = UINT32_MAX; //!< planes

using State = EntropySet::State;
using Entry = EntropySet::Entry;

/// Random integers that a test can repeat.
struct Dice
{
    explicit Dice(uint32_t seed)
        : m_engine(seed)
    {
    }

    /// @return a random number
    uint32_t operator()(uint32_t bound)
    {
        return m_engine() % bound;
    }

    std::mt19937 m_engine; //!< the source
};

EntropySet::Parameters
OnePlane(uint32_t total, uint32_t active)
{
    EntropySet::Parameters parameters;
    parameters.paths = 64;
    parameters.total = total;
    parameters.active = active;
    return parameters;
}

/// @return how often each EV of plane 0 comes
std::map<uint16_t, uint32_t>
Count(EntropySet& set, uint32_t packets, Dice& dice)
{
    std::map<uint16_t, uint32_t> counts;
    for (uint32_t i = 0; i < packets; ++i)
    {
        ++counts[set.Choose(ALL, ALL, std::ref(dice))->slot];
    }
    return counts;
}

} // namespace

/// Each number comes once, and the way back is right, for counts of all kinds.
TEST(LabelPermutation, IsABijection)
{
    for (const uint32_t count : {1U, 2U, 3U, 7U, 8U, 31U, 255U, 256U, 1000U, 65536U})
    {
        for (const uint32_t seed : {0U, 1U, 0xDEADBEEFU})
        {
            const LabelPermutation order(count, seed);
            std::vector<bool> seen(count, false);
            for (uint32_t position = 0; position < count; ++position)
            {
                const uint32_t number = order.Apply(position);
                ASSERT_LT(number, count);
                ASSERT_FALSE(seen[number]);
                seen[number] = true;
                ASSERT_EQ(order.Invert(number), position);
            }
        }
    }
}

/// The first numbers of many orders are spread over all numbers.
TEST(LabelPermutation, OrdersDiffer)
{
    std::map<uint32_t, uint32_t> firsts;
    Dice dice(1);
    for (uint32_t i = 0; i < 16000; ++i)
    {
        ++firsts[LabelPermutation(16, dice(UINT32_MAX)).Apply(0)];
    }
    for (uint32_t number = 0; number < 16; ++number)
    {
        EXPECT_NEAR(firsts[number], 1000, 250);
    }
}

/// In a rotation each EV in use comes once, and no other.
TEST(EntropySet, ARotationUsesEachOnce)
{
    Dice dice(1);
    EntropySet set(OnePlane(32, 16), std::ref(dice));
    for (uint32_t rotation = 0; rotation < 10; ++rotation)
    {
        const auto counts = Count(set, 16, dice);
        EXPECT_EQ(counts.size(), 16U);
    }
}

/// The paths of a plane are distinct, and found again.
TEST(EntropySet, PathsAreDistinct)
{
    Dice dice(1);
    EntropySet::Parameters parameters;
    parameters.planes = 8;
    parameters.paths = 256;
    const EntropySet set(parameters, std::ref(dice));
    EXPECT_EQ(set.GetSlots(), 32U);
    for (uint16_t plane = 0; plane < 8; ++plane)
    {
        std::set<uint32_t> paths;
        for (uint16_t slot = 0; slot < 32; ++slot)
        {
            const uint32_t path = set.GetPath({plane, slot});
            paths.insert(path);
            EXPECT_EQ(set.Find(plane, path)->slot, slot);
        }
        EXPECT_EQ(paths.size(), 32U);
        uint32_t found = 0;
        for (uint32_t path = 0; path < 256; ++path)
        {
            found += set.Find(plane, path).has_value();
        }
        EXPECT_EQ(found, 32U);
    }
    EXPECT_FALSE(set.Find(8, 0));
    EXPECT_FALSE(set.Find(0, 256));
}

/// There are no more EVs than paths.
TEST(EntropySet, NoMoreThanPaths)
{
    Dice dice(1);
    EntropySet::Parameters parameters;
    parameters.planes = 4;
    parameters.paths = 4;
    const EntropySet set(parameters, std::ref(dice));
    EXPECT_EQ(set.GetSlots(), 4U);
    EXPECT_EQ(set.CountActive(3), 4U);
}

TEST(EntropySet, ASkippedEvLosesATurn)
{
    Dice dice(1);
    EntropySet set(OnePlane(4, 4), std::ref(dice));
    set.Skip({0, 2});
    EXPECT_EQ(set.GetState({0, 2}), State::SKIP);
    EXPECT_EQ(Count(set, 3, dice).count(2), 0U);
    // The next packet begins a rotation, but for the turn that the skipped EV may still have lost.
    Count(set, 4, dice);
    EXPECT_EQ(set.GetState({0, 2}), State::GOOD);
}

/// If all are skipped, a packet goes on: it restores one and takes it.
TEST(EntropySet, AllSkippedIsNoStandstill)
{
    Dice dice(1);
    EntropySet set(OnePlane(8, 8), std::ref(dice));
    for (uint16_t slot = 0; slot < 8; ++slot)
    {
        set.Skip({0, slot});
    }
    EXPECT_TRUE(set.Choose(ALL, ALL, std::ref(dice)));
}

/// A backup of the same plane takes the place of an EV that is retired; without backups, fewer are
/// in use, but not fewer than the least number.
TEST(EntropySet, RetiredEvsAreReplacedInTheirPlane)
{
    Dice dice(1);
    EntropySet::Parameters parameters = OnePlane(12, 8);
    parameters.planes = 2;
    parameters.total = 24;
    parameters.active = 16;
    parameters.leastActive = 4;
    EntropySet set(parameters, std::ref(dice));
    uint32_t retired = 0;
    for (uint16_t slot = 0; slot < 12; ++slot)
    {
        retired += set.Retire({1, slot}, set.GetLeast());
        EXPECT_EQ(set.CountActive(0), 8U);
    }
    EXPECT_EQ(retired, 10U);
    EXPECT_EQ(set.CountActive(1), 2U);
    EXPECT_FALSE(set.Retire({1, 0}, set.GetLeast())) << "it is out of use already";
    EXPECT_TRUE(set.Restore({1, 0}));
    EXPECT_FALSE(set.Restore({1, 0}));
    EXPECT_EQ(set.CountActive(1), 3U);
}

/// What the operator denies is not used, not even as a backup, and may be the last one.
TEST(EntropySet, DeniedEvsAreNotUsed)
{
    Dice dice(1);
    EntropySet set(OnePlane(2, 1), std::ref(dice));
    set.Deny({0, 0});
    EXPECT_EQ(Count(set, 4, dice).count(0), 0U);
    set.Deny({0, 1});
    EXPECT_FALSE(set.Choose(ALL, ALL, std::ref(dice)));
    EXPECT_FALSE(set.ChooseDenied(0, ALL)) << "the port is not free";
    EXPECT_FALSE(set.ChooseDenied(ALL, 0)) << "there is no port";
    EXPECT_TRUE(set.ChooseDenied(ALL, ALL)) << "none is left in use";
    EXPECT_TRUE(set.Restore({0, 1}));
    EXPECT_FALSE(set.ChooseDenied(ALL, ALL)) << "one is in use";
    EXPECT_TRUE(set.Choose(ALL, ALL, std::ref(dice)));
}

/// Control packets take planes in turn, and data packets do as if there were none.
TEST(EntropySet, ControlPacketsTakeNoTurnOfData)
{
    EntropySet::Parameters parameters = OnePlane(8, 8);
    parameters.planes = 2;
    Dice dice(1);
    EntropySet set(parameters, std::ref(dice));
    std::map<uint16_t, uint32_t> data;
    std::map<uint16_t, uint32_t> control;
    for (uint32_t i = 0; i < 10; ++i)
    {
        ++data[set.Choose(ALL, ALL, std::ref(dice))->plane];
        ++control[set.ChooseControl(ALL, std::ref(dice))->plane];
    }
    EXPECT_EQ(data, (std::map<uint16_t, uint32_t>{{0, 5}, {1, 5}}));
    EXPECT_EQ(control, data);
    EXPECT_EQ(set.ChooseControl(0b10, std::ref(dice))->plane, 1U);
    EXPECT_FALSE(set.ChooseControl(0b100, std::ref(dice)));
}

/// Where all are denied, planes with ports take turns, and so do the EVs of each.
TEST(EntropySet, DeniedEvsTakeTurnsWhereNoneIsLeft)
{
    Dice dice(1);
    EntropySet::Parameters parameters = OnePlane(12, 6);
    parameters.planes = 3;
    EntropySet set(parameters, std::ref(dice));
    for (uint16_t plane = 0; plane < 2; ++plane)
    {
        for (uint16_t slot = 0; slot < 4; ++slot)
        {
            set.Deny({plane, slot});
        }
    }
    EXPECT_FALSE(set.ChooseDenied(ALL, ALL)) << "plane 2 has EVs in use";
    std::map<std::pair<uint16_t, uint16_t>, uint32_t> counts;
    for (uint32_t i = 0; i < 16; ++i)
    {
        const auto entry = set.ChooseDenied(ALL, 0b011);
        ASSERT_TRUE(entry);
        ++counts[{entry->plane, entry->slot}];
    }
    EXPECT_EQ(counts.size(), 8U);
    for (const auto& [entry, count] : counts)
    {
        EXPECT_EQ(count, 2U) << entry.first << ' ' << entry.second;
    }
    EXPECT_EQ(set.ChooseDenied(0b010, 0b011)->plane, 1U) << "the other port is not free";
}

/// With SwapOnSkip a backup takes the turns of an EV that is skipped, which becomes a backup.
TEST(EntropySet, SkippedEvsCanBeSwapped)
{
    Dice dice(1);
    EntropySet::Parameters parameters = OnePlane(3, 2);
    parameters.swapsOnSkip = true;
    EntropySet set(parameters, std::ref(dice));
    set.Skip({0, 0});
    EXPECT_EQ(set.GetState({0, 0}), State::GOOD);
    const auto counts = Count(set, 4, dice);
    EXPECT_EQ(counts, (std::map<uint16_t, uint32_t>{{1, 2}, {2, 2}}));
}

/// Planes carry the same load however long their ports are busy; dead ones carry none, and do not
/// catch up later.
TEST(EntropySet, PlanesCarryEqualLoad)
{
    Dice dice(1);
    EntropySet::Parameters parameters;
    parameters.planes = 4;
    parameters.paths = 64;
    EntropySet set(parameters, std::ref(dice));
    std::vector<int64_t> sent(4);
    const auto send = [&](uint32_t packets, uint32_t alive) {
        for (uint32_t i = 0; i < packets; ++i)
        {
            // Plane 3 is free only every eighth time.
            const uint32_t free = dice(8) == 0 ? 0xF : 0x7;
            const auto entry = set.Choose(free, alive, std::ref(dice));
            if (entry)
            {
                ++sent[entry->plane];
            }
            for (uint32_t plane = 0; plane < 4 && alive == 0xF; ++plane)
            {
                ASSERT_LE(sent[plane], *std::min_element(sent.begin(), sent.end()) + 2);
            }
        }
    };
    send(10000, 0xF);
    const std::vector<int64_t> before = sent;
    send(1000, 0xD);
    EXPECT_EQ(sent[1], before[1]);
    const int64_t behind = sent[0] - sent[1];
    EXPECT_GT(behind, 50);
    for (uint32_t i = 0; i < 400; ++i)
    {
        ++sent[set.Choose(0xF, 0xF, std::ref(dice))->plane];
    }
    EXPECT_NEAR(sent[0] - sent[1], behind, 2);
}

/// Random events: an EV in use is GOOD or SKIP, no plane uses fewer than the least number as long
/// as nobody denies, and what is in use comes once in a rotation.
TEST(EntropySet, RandomEventsKeepTheLaws)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        Dice dice(seed);
        EntropySet::Parameters parameters;
        parameters.planes = 1 + dice(8);
        parameters.paths = 1 + dice(300);
        parameters.total = 1 + dice(256);
        parameters.active = 1 + dice(parameters.total);
        parameters.leastActive = dice(parameters.active + 1);
        parameters.swapsOnSkip = dice(2) == 0;
        EntropySet set(parameters, std::ref(dice));
        for (uint32_t step = 0; step < 2000; ++step)
        {
            const Entry entry{static_cast<uint16_t>(dice(parameters.planes)),
                              static_cast<uint16_t>(dice(set.GetSlots()))};
            switch (dice(4))
            {
            case 0:
                set.Skip(entry);
                break;
            case 1:
                set.Retire(entry, set.GetLeast());
                break;
            case 2:
                set.Restore(entry);
                break;
            default: {
                const auto chosen = set.Choose(ALL, ALL, std::ref(dice));
                ASSERT_TRUE(chosen);
                ASSERT_EQ(set.GetState(*chosen), State::GOOD);
            }
            }
            ASSERT_GE(set.CountActive(entry.plane), 1U);
            ASSERT_LE(set.CountActive(entry.plane), set.GetSlots());
        }
    }
}

/// Three answers in a row bring a path back; a failed probe doubles the interval.
TEST(PathProber, AnswersInARow)
{
    const PathProber::Parameters parameters{10, 50, 3, 64, 1000};
    PathProber prober;
    EXPECT_EQ(prober.GetDue(), PathProber::NEVER);
    prober.Start(7, 100, parameters);
    EXPECT_EQ(prober.GetDue(), 110);
    EXPECT_FALSE(prober.Take(109, parameters));
    EXPECT_EQ(prober.Take(110, parameters), 7U); // fails
    EXPECT_FALSE(prober.Take(110, parameters));
    EXPECT_EQ(prober.GetDue(), 120);
    EXPECT_EQ(prober.Take(120, parameters), 7U); // interval 20 from now on; fails
    EXPECT_EQ(prober.GetDue(), 140);
    EXPECT_EQ(prober.Take(140, parameters), 7U); // interval 40; fails
    EXPECT_EQ(prober.Take(180, parameters), 7U); // interval 50, the longest
    EXPECT_EQ(prober.GetDue(), 230);
    EXPECT_FALSE(prober.Answered(7, 181, parameters));
    EXPECT_FALSE(prober.Answered(7, 181, parameters)) << "one probe, one answer";
    EXPECT_EQ(prober.GetDue(), 191);
    EXPECT_EQ(prober.Take(191, parameters), 7U);
    EXPECT_FALSE(prober.Answered(7, 192, parameters));
    EXPECT_EQ(prober.Take(201, parameters), 7U);
    EXPECT_EQ(prober.CountPaths(), 1U);
    EXPECT_TRUE(prober.Answered(7, 203, parameters));
    EXPECT_EQ(prober.CountPaths(), 0U);
    EXPECT_EQ(prober.GetDue(), PathProber::NEVER);
}

/// A path that is lost again soon needs twice as many answers; after a long time, the first number.
TEST(PathProber, RelapsesNeedMoreAnswers)
{
    const PathProber::Parameters parameters{1, 1, 3, 8, 100};
    PathProber prober;
    int64_t now = 0;
    const auto countAnswers = [&]() {
        prober.Start(1, now, parameters);
        for (uint32_t answers = 1;; ++answers)
        {
            now = prober.GetDue();
            EXPECT_EQ(prober.Take(now, parameters), 1U);
            if (prober.Answered(1, now, parameters))
            {
                return answers;
            }
        }
    };
    EXPECT_EQ(countAnswers(), 3U);
    EXPECT_EQ(countAnswers(), 6U);
    EXPECT_EQ(countAnswers(), 8U);
    EXPECT_EQ(countAnswers(), 8U);
    now += 101;
    EXPECT_EQ(countAnswers(), 3U);
    prober.Start(1, now, parameters);
    prober.Stop(1);
    EXPECT_EQ(prober.GetDue(), PathProber::NEVER);
}

TEST(PathProber, AFalseAlarmEnds)
{
    const PathProber::Parameters parameters{10, 10, 3, 8, 100};
    PathProber prober;
    prober.Start(5, 7, parameters);
    EXPECT_FALSE(prober.Cancel(5, 6)) << "of another loss";
    EXPECT_FALSE(prober.Cancel(4, 7)) << "another path";
    EXPECT_TRUE(prober.Cancel(5, 7));
    EXPECT_FALSE(prober.Cancel(5, 7)) << "it has ended";
    EXPECT_EQ(prober.GetDue(), PathProber::NEVER);
}

TEST(EntropySet, TakesHalfAKibibyte)
{
    Dice dice(1);
    for (const uint32_t planes : {1U, 2U, 4U, 8U})
    {
        EntropySet::Parameters parameters;
        parameters.planes = planes;
        parameters.paths = 65536 / planes;
        const EntropySet set(parameters, dice);
        EXPECT_EQ(set.GetSlots() * planes, 256U);
        EXPECT_LE(set.GetBytes(), 512U) << planes << " planes";
    }
}

TEST(EntropySet, SkippedOnesTakeTurnsWithAllBackups)
{
    Dice dice(5);
    EntropySet::Parameters parameters = OnePlane(8, 1);
    parameters.swapsOnSkip = true;
    EntropySet set(parameters, dice);
    std::set<uint32_t> used;
    for (uint32_t packet = 0; packet < 8; ++packet)
    {
        const Entry entry = *set.Choose(ALL, ALL, dice);
        used.insert(entry.slot);
        set.Skip(entry);
    }
    EXPECT_EQ(used.size(), 8U);
}
