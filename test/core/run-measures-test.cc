/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/run-measures.h"

#include <cstring>
#include <type_traits>

namespace
{

using Random = std::mt19937_64;

// All values have 8 bytes, so that records can be compared, and filled, as bytes.
static_assert(sizeof(RunMeasures::Port) == 9 * sizeof(uint64_t));
static_assert(sizeof(RunMeasures::FlowTimes) == 3 * sizeof(uint64_t));

/// How much of everything there is.
struct Shape
{
    std::size_t ports; //!< ports
    std::size_t flows; //!< flows
};

template <typename T>
void
Fill(T& record, Random& random, uint64_t most)
{
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<uint64_t> words(sizeof(T) / sizeof(uint64_t));
    std::generate(words.begin(), words.end(), [&]() {
        return std::uniform_int_distribution<uint64_t>(0, most)(random);
    });
    std::memcpy(static_cast<void*>(&record), words.data(), sizeof(T));
}

/// @return measures without any idle object
RunMeasures
AnyMeasures(const Shape& shape, Random& random, uint64_t most)
{
    RunMeasures measures;
    measures.ports.resize(shape.ports);
    for (RunMeasures::Port& port : measures.ports)
    {
        Fill(port, random, most);
    }
    for (const char* name : {"no route", "no buffer"})
    {
        Fill(measures.drops[name], random, most);
    }
    for (const char* name : {"acks", "data_packets", "max_reordering_packets"})
    {
        Fill(measures.totals[name], random, most);
    }
    for (const char* name : {"flowlets", "plb_relabels", "reps_freezes", "reps_thaws"})
    {
        if (random() % 2)
        {
            Fill(measures.policies[name], random, most);
        }
    }
    measures.flows.resize(shape.flows);
    for (RunMeasures::FlowTimes& times : measures.flows)
    {
        Fill(times, random, most);
    }
    return measures;
}

/// @return measures as a run may leave them: sums are exact
RunMeasures
AnyRun(const Shape& shape, Random& random)
{
    RunMeasures run = AnyMeasures(shape, random, uint64_t{1} << 40);
    for (RunMeasures::Port& port : run.ports)
    {
        port.frameTime = random() >> 24;
    }
    return run;
}

RunMeasures
IdlePart(const Shape& shape)
{
    RunMeasures idle;
    idle.ports.resize(shape.ports);
    idle.flows.resize(shape.flows);
    return idle;
}

/// @return whether records are the same, bit by bit
template <typename T>
bool
AreSame(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Expect two measures to be the same, bit by bit.
void
ExpectSame(const RunMeasures& a, const RunMeasures& b)
{
    EXPECT_TRUE(AreSame(a.ports, b.ports));
    EXPECT_EQ(a.drops, b.drops);
    EXPECT_EQ(a.totals, b.totals);
    EXPECT_EQ(a.policies, b.policies);
    EXPECT_TRUE(AreSame(a.flows, b.flows));
}

/// @return the sum of two measures
RunMeasures
Merged(RunMeasures a, const RunMeasures& b)
{
    a.Merge(b);
    return a;
}

/// Deal out a number that is added up.  @param parts a reference to it for each part
template <typename T>
void
DealSum(std::vector<T*> parts, T total, Random& random)
{
    for (T* part : parts)
    {
        *part = std::uniform_int_distribution<T>(0, total)(random);
        total -= *part;
    }
    *parts[random() % parts.size()] += total;
}

/// @return references to something in each part  @param find finds it in a part
template <typename F>
auto
Refer(std::vector<RunMeasures>& parts, F find)
{
    std::vector<decltype(find(parts[0]))> references;
    for (RunMeasures& part : parts)
    {
        references.push_back(find(part));
    }
    return references;
}

/// Deals out a run as several processes would measure it.
struct Dealer
{
    Dealer(std::size_t parts, Random& random)
        : m_parts(parts),
          m_random(random)
    {
    }

    /// @return the parts
    std::vector<RunMeasures> Deal(const RunMeasures& run)
    {
        m_parts.assign(m_parts.size(), IdlePart({run.ports.size(), run.flows.size()}));
        for (std::size_t i = 0; i < run.ports.size(); ++i)
        {
            // A port works in one part; what arrives in another may be lost there.
            AnyPart().ports[i] = run.ports[i];
            for (RunMeasures& part : m_parts)
            {
                part.ports[i].lostFrames = 0;
            }
            DealSum(Refer(m_parts, [i](RunMeasures& part) { return &part.ports[i].lostFrames; }),
                    run.ports[i].lostFrames,
                    m_random);
        }
        DealCounters(&RunMeasures::drops, run);
        DealCounters(&RunMeasures::totals, run);
        DealCounters(&RunMeasures::policies, run);
        for (std::size_t i = 0; i < run.flows.size(); ++i)
        {
            AnyPart().flows[i].receivedPs = run.flows[i].receivedPs;
            AnyPart().flows[i].completedPs = run.flows[i].completedPs;
            AnyPart().flows[i].pieces = run.flows[i].pieces;
        }
        return m_parts;
    }

    RunMeasures& AnyPart()
    {
        return m_parts[m_random() % m_parts.size()];
    }

    /// Deal out what was counted by name.
    void DealCounters(PolicyCounters RunMeasures::*which, const RunMeasures& run)
    {
        for (const auto& [name, count] : run.*which)
        {
            const bool isMaximum = name.rfind("max_", 0) == 0;
            RunMeasures& part = AnyPart();
            (part.*which)[name] = isMaximum ? count : count / 3;
            uint64_t& other = (AnyPart().*which)[name];
            other += isMaximum ? 0 : count - count / 3;
        }
    }

    std::vector<RunMeasures> m_parts; //!< the parts
    Random& m_random;                 //!< the source
};

} // namespace

TEST(RunMeasures, ThePartsOfARunMergeIntoIt)
{
    for (uint32_t seed = 1; seed <= 200; ++seed)
    {
        Random random(seed);
        const Shape shape{1 + random() % 20, 1 + random() % 20};
        const RunMeasures run = AnyRun(shape, random);
        std::vector<RunMeasures> parts = Dealer(1 + random() % 6, random).Deal(run);
        std::shuffle(parts.begin(), parts.end(), random);
        RunMeasures merged = parts[0];
        for (std::size_t i = 1; i < parts.size(); ++i)
        {
            merged.Merge(RunMeasures::Read(parts[i].Write()));
        }
        ExpectSame(merged, run);
    }
}

TEST(RunMeasures, AnIdlePartAddsNothing)
{
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        Random random(seed);
        const Shape shape{random() % 20, random() % 20};
        const RunMeasures run = AnyRun(shape, random);
        ExpectSame(Merged(run, IdlePart(shape)), run);
        ExpectSame(Merged(IdlePart(shape), run), run);
    }
}

TEST(RunMeasures, TheOrderOfMergingDoesNotMatter)
{
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        Random random(seed);
        const Shape shape{random() % 20, random() % 20};
        const RunMeasures a = AnyRun(shape, random);
        const RunMeasures b = AnyRun(shape, random);
        const RunMeasures c = AnyRun(shape, random);
        ExpectSame(Merged(a, b), Merged(b, a));
        ExpectSame(Merged(Merged(a, b), c), Merged(a, Merged(b, c)));
    }
}

TEST(RunMeasures, SumsAndMaxima)
{
    RunMeasures a = IdlePart({1, 1});
    a.ports[0] = {10, 1000, 1, 2, 3, 70, 0.5, 4, 500};
    a.drops = {{"no route", 1}};
    a.totals = {{"acks", 1}, {"max_reordering_packets", 6}};
    a.policies = {{"flowlets", 7}};
    a.flows[0].receivedPs = 100;
    RunMeasures b = IdlePart({1, 1});
    b.ports[0] = {20, 3000, 5, 1, 2, 30, 0.25, 3, 900};
    b.drops = {{"no route", 4}};
    b.totals = {{"acks", 2}, {"max_reordering_packets", 3}};
    b.policies = {{"flowlets", 3}, {"reps_freezes", 0}};
    b.flows[0].completedPs = 200;
    a.Merge(b);
    RunMeasures expected = IdlePart({1, 1});
    expected.ports[0] = {30, 4000, 6, 3, 5, 100, 0.75, 4, 900};
    expected.drops = {{"no route", 5}};
    expected.totals = {{"acks", 3}, {"max_reordering_packets", 6}};
    expected.policies = {{"flowlets", 10}, {"reps_freezes", 0}};
    expected.flows[0] = {100, 200};
    ExpectSame(a, expected);
}

TEST(RunMeasures, NothingGetsLostInTheSum)
{
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        Random random(seed);
        RunMeasures run = AnyRun({1 + random() % 20, 1}, random);
        std::vector<uint64_t> delivered;
        uint64_t hops = 0;
        for (RunMeasures::Port& port : run.ports)
        {
            delivered.push_back(random() >> 24);
            port.sentFrames = delivered.back() + port.lostFrames + port.flightFrames;
            hops += delivered.back();
        }
        const std::vector<RunMeasures> parts = Dealer(1 + random() % 6, random).Deal(run);
        RunMeasures merged = parts[0];
        std::for_each(parts.begin() + 1, parts.end(), [&merged](const RunMeasures& part) {
            merged.Merge(part);
        });
        for (std::size_t i = 0; i < delivered.size(); ++i)
        {
            EXPECT_EQ(merged.ports[i].GetDeliveredFrames(), delivered[i]);
        }
        EXPECT_EQ(merged.CountPacketHops(), hops);
    }
}

TEST(RunMeasures, OtherRunsAreRefused)
{
    const Shape shape{4, 5};
    for (const auto& row : {std::make_pair(Shape{5, 5}, "4 and 5 ports"),
                            std::make_pair(Shape{4, 0}, "5 and 0 flows")})
    {
        RunMeasures measures = IdlePart(shape);
        EXPECT_EQ(RefusalOf([&] { measures.Merge(IdlePart(row.first)); }),
                  std::string("measures of different runs cannot be merged: ") + row.second);
        ExpectSame(measures, IdlePart(shape));
    }
}

TEST(RunMeasures, ReadsWhatWasWritten)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        Random random(seed);
        const RunMeasures measures =
            AnyMeasures({random() % 20, random() % 20}, random, ~uint64_t{0});
        ExpectSame(RunMeasures::Read(measures.Write()), measures);
    }
    ExpectSame(RunMeasures::Read(RunMeasures().Write()), RunMeasures());
}

TEST(RunMeasures, RefusesWhatIsDamaged)
{
    Random random(1);
    const std::string bytes = AnyRun({3, 3}, random).Write();
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_THROW(RunMeasures::Read(bytes.substr(0, size)), std::invalid_argument);
    }
    EXPECT_THROW(RunMeasures::Read(bytes + '\0'), std::invalid_argument);
    EXPECT_THROW(RunMeasures::Read(bytes + bytes), std::invalid_argument);
    for (int i = 0; i < 1000; ++i)
    {
        std::string damaged = bytes;
        for (std::size_t left = 1 + random() % 8; left > 0; --left)
        {
            damaged[random() % damaged.size()] = static_cast<char>(random());
        }
        if (damaged != bytes)
        {
            EXPECT_THROW(RunMeasures::Read(damaged), std::invalid_argument);
        }
    }
}
