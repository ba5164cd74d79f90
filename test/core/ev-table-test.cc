/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/ev-table.h"
#include "ns3/function-callback.h"
#include "ns3/host-balancer.h"

namespace
{

using State = EntropySet::State;

constexpr uint32_t PATHS = 64;                             //!< of a plane
constexpr PathProber::Parameters PROBING{10, 80, 1, 4, 0}; //!< one answer is enough

/// A table of two planes, and the states that it has reported.
struct TracedTable
{
    TracedTable()
    {
        trace.ConnectWithoutContext(
            FunctionCallback<void, uint32_t, uint8_t>([this](uint32_t entropy, uint8_t state) {
                states.emplace_back(entropy, static_cast<State>(state));
            }));
        table.SetPaths(PATHS);
    }

    /// Set up the EVs.
    void Fill()
    {
        EntropySet::Parameters parameters;
        parameters.planes = 2;
        parameters.total = 16;
        parameters.active = 16; // no backup takes the place of a retired one
        table.Fill(parameters, uniform, nullptr, trace);
    }

    /// @return an entropy that the table has chosen
    uint32_t Choose()
    {
        return table.Choose(3, 3, uniform)->entropy;
    }

    EvTable table;                                  //!< the table
    std::vector<std::pair<uint32_t, State>> states; //!< reported

    std::mt19937 m_engine{1}; //!< randomness

    EvTable::StateTrace trace; //!< appends to the states
    UniformInteger uniform{[this](uint32_t bound) { return m_engine() % bound; }}; //!< randomness
};

/// States that are to be reported.
using States = std::vector<std::pair<uint32_t, State>>;

} // namespace

TEST(EvTable, AnEntropyNamesPlaneAndPath)
{
    TracedTable bench;
    EXPECT_FALSE(bench.table.IsFilled());
    EXPECT_FALSE(bench.table.Find(PathChoice::FIRST_PORT)) << "there are no EVs yet";
    bench.Fill();
    for (int i = 0; i < 40; ++i)
    {
        const PathChoice choice = *bench.table.Choose(3, 3, bench.uniform);
        EXPECT_EQ((choice.entropy - PathChoice::FIRST_PORT) / PATHS, choice.plane);
        EXPECT_EQ(bench.table.Find(choice.entropy)->plane, choice.plane);
    }
    EXPECT_FALSE(bench.table.Find(PathChoice::FIRST_PORT - 1));
}

TEST(EvTable, ARetiredEvComesBackAfterAProbe)
{
    TracedTable bench;
    bench.Fill();
    const uint32_t entropy = bench.Choose();
    bench.table.Retire(*bench.table.Find(entropy), 100, PROBING);
    EXPECT_EQ(bench.table.GetProbeDue(), 110);
    EXPECT_FALSE(bench.table.TakeProbe(109, PROBING));
    EXPECT_EQ(bench.table.TakeProbe(110, PROBING)->entropy, entropy);
    bench.table.ProbeAnswered(entropy, true, 115, PROBING);
    const States expected = {{entropy, State::ASSUMED_BAD},
                             {entropy, State::GOOD},
                             {entropy, State::SKIP}};
    EXPECT_EQ(bench.states, expected) << "the probe was marked, so the EV skips a turn";
    PolicyCounters counters;
    bench.table.Count(counters);
    EXPECT_EQ(counters["ev_retired"], 1U);
    EXPECT_EQ(counters["ev_probes"], 1U);
    EXPECT_EQ(counters["ev_returned"], 1U);
    EXPECT_EQ(counters["ev_reinstated"], 0U);
}

TEST(EvTable, AFalseLossIsTakenBackOnce)
{
    TracedTable bench;
    bench.Fill();
    const uint32_t entropy = bench.Choose();
    bench.table.Retire(*bench.table.Find(entropy), 100, PROBING);
    bench.table.Reinstate(entropy, 99);
    EXPECT_EQ(bench.states.size(), 1U) << "another loss has retired it";
    bench.table.Reinstate(entropy, 100);
    bench.table.Reinstate(entropy, 100);
    const States expected = {{entropy, State::ASSUMED_BAD}, {entropy, State::GOOD}};
    EXPECT_EQ(bench.states, expected);
    EXPECT_EQ(bench.table.GetProbeDue(), PathProber::NEVER);
}

TEST(EvTable, TheDenylistHoldsUntilTheNextConnection)
{
    uint32_t entropy = 0;
    {
        TracedTable other;
        other.Fill();
        entropy = other.Choose();
    }
    TracedTable bench; // the same randomness, so the same EVs
    bench.table.Deny(entropy);
    EXPECT_TRUE(bench.states.empty());
    bench.Fill();
    bench.table.Deny(entropy);
    const States denied = {{entropy, State::DENIED}};
    EXPECT_EQ(bench.states, denied);
    for (int i = 0; i < 40; ++i)
    {
        EXPECT_NE(bench.Choose(), entropy);
    }
    bench.table.Allow(entropy);
    EXPECT_EQ(bench.states.back(), std::make_pair(entropy, State::GOOD));
    for (uint32_t path = 0; path < 2 * PATHS; ++path)
    {
        bench.table.Deny(PathChoice::FIRST_PORT + path);
    }
    bench.table.Clear();
    bench.states.clear();
    bench.Fill();
    EXPECT_TRUE(bench.states.empty()) << "a new connection has no denylist";
}
