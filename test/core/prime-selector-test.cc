/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/prime-selector.h"

namespace
{

using Values = std::vector<uint16_t>;
using Signal = PrimeSelector::Signal;

constexpr uint32_t PACKET = 100; //!< bytes of a packet

/// @return penalties of 1 and 4, as in the tests of the specification, and no exploration
PrimeSelector::Parameters
SmallPenalties(uint32_t decay)
{
    PrimeSelector::Parameters parameters;
    parameters.markPenalty = 1;
    parameters.lossPenalty = 4;
    parameters.decay = decay;
    return parameters;
}

/// A selector, its randomness and its clock.
struct Bench
{
    Bench(const Values& sizes, const PrimeSelector::Parameters& parameters, uint32_t seed = 1)
        : random(seed),
          uniform([this](uint32_t n) { return random() % n; }),
          selector(sizes, parameters, uniform)
    {
    }

    /// @return the choice for a packet
    Values Choose()
    {
        return selector.Choose(PACKET, now, uniform);
    }

    /// Charge an entropy.
    void Charge(const Values& values, Signal signal)
    {
        for (uint32_t part = 0; part < values.size(); ++part)
        {
            selector.Charge(part, values[part], signal, now);
        }
    }

    /// @return the penalties of two values of a part
    std::vector<uint64_t> Penalties(uint32_t part) const
    {
        return {selector.GetPenalty(part, 0, now), selector.GetPenalty(part, 1, now)};
    }

    std::mt19937 random;    //!< what is drawn from
    UniformInteger uniform; //!< draws
    PrimeSelector selector; //!< what is tested
    int64_t now{0};         //!< the time
};

/// PRIME with SearchMode::TUPLE as the pseudo-code of the specification has it: each penalty is a
/// number that each choice decreases, and a choice looks at as many combinations as there are.
struct PrimeModel
{
    PrimeModel(const Values& sizes,
               const PrimeSelector::Parameters& parameters,
               const UniformInteger& uniform)
        : m_parameters(parameters)
    {
        for (const uint16_t size : sizes)
        {
            Values order;
            for (uint16_t value = 0; value < size; ++value)
            {
                order.push_back(value);
            }
            Shuffle(order, uniform);
            m_orders.push_back(order);
            m_cursors.push_back(0);
            m_penalties.emplace_back(size, 0);
            m_combinations *= size;
        }
    }

    /// @return the choice for a packet
    Values Choose(uint32_t bytes, const UniformInteger& uniform)
    {
        Values best = Candidate(uniform);
        const uint32_t looks = m_sent < m_parameters.exploreBytes ? 1 : m_combinations;
        for (uint32_t look = 1; look < looks && Cost(best) > 0; ++look)
        {
            const Values values = Candidate(uniform);
            best = Cost(values) < Cost(best) ? values : best;
        }
        m_sent += bytes;
        for (auto& penalties : m_penalties)
        {
            for (uint64_t& penalty : penalties)
            {
                penalty -= std::min<uint64_t>(penalty, m_parameters.decay);
            }
        }
        return best;
    }

    /// Charge an entropy.
    void Charge(const Values& values, Signal signal)
    {
        for (uint32_t part = 0; part < values.size(); ++part)
        {
            uint64_t& penalty = m_penalties[part][values[part]];
            const uint64_t size = m_orders[part].size();
            const auto find = [](uint64_t given, uint64_t usual) {
                return given == PrimeSelector::USUAL ? usual : given;
            };
            const uint64_t mark = find(m_parameters.markPenalty, size);
            const uint64_t loss = find(m_parameters.lossPenalty, 4 * size);
            const uint64_t late = find(m_parameters.timeoutPenalty, loss);
            if (signal == Signal::MARK)
            {
                penalty += penalty == 0 || m_parameters.marksAccumulate ? mark : 0;
                continue;
            }
            const uint64_t severe = signal == Signal::TIMEOUT ? late : loss;
            penalty = m_parameters.lossesOverwrite ? std::max(penalty, severe) : penalty + severe;
        }
    }

    /// @return the next combination of the round robin
    Values Candidate(const UniformInteger& uniform)
    {
        Values values;
        for (uint32_t part = 0; part < m_orders.size(); ++part)
        {
            values.push_back(m_orders[part][m_cursors[part]]);
        }
        Advance(uniform);
        return values;
    }

    /// @return the sum of penalties
    uint64_t Cost(const Values& values) const
    {
        uint64_t cost = 0;
        for (uint32_t part = 0; part < values.size(); ++part)
        {
            cost += m_penalties[part][values[part]];
        }
        return cost;
    }

    /// Turn the odometer.
    void Advance(const UniformInteger& uniform)
    {
        for (uint32_t part = 0; part < m_orders.size(); ++part)
        {
            if (++m_cursors[part] < m_orders[part].size())
            {
                return;
            }
            m_cursors[part] = 0;
            Shuffle(m_orders[part], uniform);
        }
    }

    PrimeSelector::Parameters m_parameters;         //!< the parameters
    std::vector<Values> m_orders;                   //!< of the values, by part
    std::vector<uint32_t> m_cursors;                //!< by part
    std::vector<std::vector<uint64_t>> m_penalties; //!< by part and value
    uint32_t m_combinations{1};                     //!< of values
    uint64_t m_sent{0};                             //!< bytes
};

} // namespace

/// PRIME specification, tests 1 and 2: without feedback each cycle has all combinations.
TEST(PrimeSelector, WithoutFeedbackEachCombinationOnceACycle)
{
    for (const auto mode : {PrimeSelector::TUPLE, PrimeSelector::PER_TIER})
    {
        PrimeSelector::Parameters parameters = SmallPenalties(1);
        parameters.searchMode = mode;
        Bench bench({2, 2}, parameters);
        for (uint32_t cycle = 0; cycle < 9; ++cycle)
        {
            std::vector<Values> choices;
            while (choices.size() < 4)
            {
                choices.push_back(bench.Choose());
            }
            EXPECT_EQ(std::set<Values>(choices.begin(), choices.end()).size(), 4U);
            EXPECT_NE(choices[0][0], choices[1][0]);
            EXPECT_EQ(choices[0][1], choices[1][1]);
            EXPECT_EQ(choices[2][1], choices[3][1]);
        }
        EXPECT_EQ(bench.selector.GetSkipped(), 0U);
        EXPECT_EQ(bench.selector.GetForced(), 0U);
    }
}

/// Test 3: the choices that begin before the given number of bytes ignore penalties.
TEST(PrimeSelector, ExploresTheFirstBytes)
{
    PrimeSelector::Parameters parameters = SmallPenalties(0);
    parameters.exploreBytes = 1000;
    Bench bench({4}, parameters);
    bench.Charge({0}, Signal::MARK);
    std::set<Values> seen;
    for (const uint32_t bytes : {997, 1, 1, 1})
    {
        EXPECT_TRUE(bench.selector.IsExploring());
        seen.insert(bench.selector.Choose(bytes, 0, bench.uniform));
    }
    EXPECT_FALSE(bench.selector.IsExploring());
    EXPECT_EQ(seen.size(), 4U);
    for (uint32_t i = 0; i < 10; ++i)
    {
        EXPECT_NE(bench.Choose(), (Values{0}));
    }
}

/// Test 4: marks do not add up, a loss raises a penalty, a timeout does not lower it, and nothing
/// but choices lowers it.
TEST(PrimeSelector, Severity)
{
    Bench bench({2, 2}, SmallPenalties(0));
    bench.Charge({0, 0}, Signal::MARK);
    bench.Charge({0, 0}, Signal::MARK);
    EXPECT_EQ(bench.Penalties(0), (std::vector<uint64_t>{1, 0}));
    EXPECT_EQ(bench.Penalties(1), (std::vector<uint64_t>{1, 0}));
    bench.Charge({0, 0}, Signal::LOSS);
    EXPECT_EQ(bench.Penalties(0), (std::vector<uint64_t>{4, 0}));
    bench.Charge({0, 0}, Signal::TIMEOUT);
    bench.Charge({0, 0}, Signal::MARK);
    bench.Choose();
    EXPECT_EQ(bench.Penalties(0), (std::vector<uint64_t>{4, 0}));
    EXPECT_EQ(bench.Penalties(1), (std::vector<uint64_t>{4, 0}));
}

/// Defaults are a round for a mark, and four for a loss and a timeout, of the part's own size.
TEST(PrimeSelector, DefaultPenalties)
{
    for (const bool isMark : {true, false})
    {
        Bench bench({3, 5}, {});
        bench.Charge({0, 0}, isMark ? Signal::MARK : Signal::LOSS);
        bench.Charge({1, 1}, isMark ? Signal::MARK : Signal::TIMEOUT);
        const uint64_t rounds = isMark ? 1 : 4;
        EXPECT_EQ(bench.Penalties(0), (std::vector<uint64_t>{3 * rounds, 3 * rounds}));
        EXPECT_EQ(bench.Penalties(1), (std::vector<uint64_t>{5 * rounds, 5 * rounds}));
    }
    PrimeSelector::Parameters parameters = SmallPenalties(1);
    parameters.timeoutPenalty = 64;
    Bench bench({3}, parameters);
    bench.Charge({0}, Signal::TIMEOUT);
    EXPECT_EQ(bench.Penalties(0), (std::vector<uint64_t>{64, 0}));
    bench.Charge({0}, Signal::LOSS);
    EXPECT_EQ(bench.Penalties(0), (std::vector<uint64_t>{64, 0})); // never lower
}

/// Test 5: a choice lowers each penalty by the decay, to no less than 0.
TEST(PrimeSelector, DecaysWithEachPacket)
{
    for (const uint32_t decay : {1U, 3U})
    {
        Bench bench({2, 2}, SmallPenalties(decay));
        bench.Charge({0, 1}, Signal::LOSS);
        for (const uint64_t left : {4 - decay, 4 > 2 * decay ? 4 - 2 * decay : 0})
        {
            bench.Choose();
            EXPECT_EQ(bench.Penalties(0), (std::vector<uint64_t>{left, 0}));
            EXPECT_EQ(bench.Penalties(1), (std::vector<uint64_t>{0, left}));
        }
    }
}

/// Test 6: the next choice has none of the parts of a marked entropy.
TEST(PrimeSelector, AvoidsAllPartsOfAMarkedEntropy)
{
    for (const auto mode : {PrimeSelector::TUPLE, PrimeSelector::PER_TIER})
    {
        PrimeSelector::Parameters parameters = SmallPenalties(0);
        parameters.searchMode = mode;
        uint64_t skipped = 0;
        for (uint32_t seed = 1; seed <= 20; ++seed)
        {
            Bench bench({2, 2}, parameters, seed);
            bench.Charge({0, 0}, Signal::MARK);
            EXPECT_EQ(bench.Choose(), (Values{1, 1}));
            skipped += bench.selector.GetSkipped();
            EXPECT_EQ(bench.selector.GetForced(), 0U);
        }
        EXPECT_GT(skipped, 0U);
    }
}

/// Test 7: if all combinations have penalties, the one with the least sum is chosen.
TEST(PrimeSelector, TakesTheLeastPenalty)
{
    for (const auto mode : {PrimeSelector::TUPLE, PrimeSelector::PER_TIER})
    {
        PrimeSelector::Parameters parameters = SmallPenalties(0);
        parameters.searchMode = mode;
        for (uint32_t seed = 1; seed <= 20; ++seed)
        {
            Bench bench({2, 2}, parameters, seed);
            bench.Charge({0, 0}, Signal::MARK);
            bench.Charge({0, 1}, Signal::LOSS);
            bench.Charge({1, 0}, Signal::MARK);
            bench.Charge({1, 1}, Signal::MARK);
            EXPECT_EQ(bench.Penalties(0), (std::vector<uint64_t>{4, 1}));
            EXPECT_EQ(bench.Penalties(1), (std::vector<uint64_t>{1, 4}));
            for (uint32_t i = 1; i <= 5; ++i)
            {
                EXPECT_EQ(bench.Choose(), (Values{1, 0}));
                EXPECT_EQ(bench.selector.GetForced(), i);
            }
        }
    }
}

/// Of equal sums, the first one of the round robin is chosen: the others get their turns.
TEST(PrimeSelector, EqualPenaltiesTakeTurns)
{
    Bench bench({4}, SmallPenalties(0));
    for (uint16_t value = 0; value < 4; ++value)
    {
        bench.Charge({value}, Signal::LOSS);
    }
    Bench calm({4}, SmallPenalties(0));
    EXPECT_EQ(bench.Choose(), calm.Choose());
}

/// A penalty of P blocks a value for P packets. Each value in turn is skipped, and not owed later.
TEST(PrimeSelector, ASkippedValueLosesItsTurn)
{
    PrimeSelector::Parameters parameters;
    Bench bench({4}, parameters, 3);
    const Values first = bench.Choose(); // its order has three more values
    bench.Charge(first, Signal::MARK);   // 4 packets
    std::vector<uint32_t> uses(4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        ++uses[bench.Choose()[0]];
    }
    EXPECT_EQ(uses[first[0]], 0U);
    for (uint32_t i = 0; i < 8; ++i)
    {
        ++uses[bench.Choose()[0]];
    }
    EXPECT_LE(uses[first[0]], 3U);
    EXPECT_GE(uses[first[0]], 1U);
}

/// Whatever happens, it chooses as the pseudo-code of the specification does.
TEST(PrimeSelector, AgreesWithThePseudoCode)
{
    std::mt19937 events(7);
    for (uint32_t trial = 0; trial < 200; ++trial)
    {
        Values sizes(1 + events() % 3);
        for (uint16_t& size : sizes)
        {
            size = 1 + events() % 6;
        }
        PrimeSelector::Parameters parameters;
        parameters.markPenalty = events() % 3 ? events() % 20 : PrimeSelector::USUAL;
        parameters.lossPenalty = events() % 3 ? events() % 50 : PrimeSelector::USUAL;
        parameters.timeoutPenalty = events() % 3 ? events() % 90 : PrimeSelector::USUAL;
        parameters.decay = events() % 3;
        parameters.marksAccumulate = events() % 2;
        parameters.lossesOverwrite = events() % 2;
        parameters.exploreBytes = events() % 2 * 1000;
        Bench bench(sizes, parameters, trial);
        std::mt19937 random(trial);
        const UniformInteger uniform = [&random](uint32_t n) { return random() % n; };
        PrimeModel model(sizes, parameters, uniform);
        const uint32_t rareness = 1 + events() % 30;
        for (uint32_t step = 0; step < 400; ++step)
        {
            ASSERT_EQ(bench.Choose(), model.Choose(PACKET, uniform)) << trial << " " << step;
            if (events() % rareness == 0)
            {
                Values values;
                for (const uint16_t size : sizes)
                {
                    values.push_back(events() % size);
                }
                const auto signal = static_cast<Signal>(events() % 3);
                bench.Charge(values, signal);
                model.Charge(values, signal);
            }
        }
    }
}

/// With PER_ROUND, a penalty decays when its own part has gone round, and not with packets.
TEST(PrimeSelector, DecaysWithEachRound)
{
    PrimeSelector::Parameters parameters = SmallPenalties(1);
    parameters.decayMode = PrimeSelector::PER_ROUND;
    parameters.exploreBytes = 1000 * PACKET; // so that nothing is skipped
    Bench bench({3, 2}, parameters);
    bench.Charge({0, 0}, Signal::LOSS);
    for (uint32_t packet = 1; packet <= 12; ++packet)
    {
        bench.Choose();
        EXPECT_EQ(bench.Penalties(0)[0], 4 - packet / 3) << packet;
        EXPECT_EQ(bench.Penalties(1)[0], 4 - packet / 6) << packet;
    }
}

/// With TIME, it decays with time, also while nothing is sent, and not with packets.
TEST(PrimeSelector, DecaysWithTime)
{
    PrimeSelector::Parameters parameters = SmallPenalties(1);
    parameters.decayMode = PrimeSelector::TIME;
    parameters.decayInterval = 50;
    Bench bench({4}, parameters);
    bench.now = 100;
    bench.Charge({0}, Signal::LOSS);
    for (uint32_t i = 0; i < 10; ++i)
    {
        EXPECT_NE(bench.Choose(), (Values{0}));
    }
    for (const auto& [now, left] : std::vector<std::pair<int64_t, uint64_t>>{{149, 4},
                                                                             {150, 3},
                                                                             {249, 2},
                                                                             {299, 1},
                                                                             {300, 0},
                                                                             {5000, 0}})
    {
        bench.now = now;
        EXPECT_EQ(bench.Penalties(0)[0], left) << now;
    }
    std::set<Values> seen;
    for (uint32_t i = 0; i < 7; ++i) // the rest of a round, and the next one
    {
        seen.insert(bench.Choose());
    }
    EXPECT_EQ(seen.size(), 4U);
}

/// With PER_TIER, a part with a free value takes it, even if no combination is free, and the parts
/// do not disturb each other.
TEST(PrimeSelector, PartsAreSearchedOneByOne)
{
    PrimeSelector::Parameters parameters = SmallPenalties(0);
    parameters.searchMode = PrimeSelector::PER_TIER;
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        Bench bench({4, 3}, parameters, seed);
        for (const uint16_t value : {0, 1, 2, 3})
        {
            bench.selector.Charge(0, value, value == 2 ? Signal::MARK : Signal::LOSS, 0);
        }
        bench.selector.Charge(1, 1, Signal::LOSS, 0);
        std::vector<uint32_t> uses(3);
        for (uint32_t i = 0; i < 60; ++i)
        {
            const Values choice = bench.Choose();
            EXPECT_EQ(choice[0], 2);
            ++uses[choice[1]];
        }
        EXPECT_EQ(uses[1], 0U);
        EXPECT_GT(uses[0], 15U);
        EXPECT_GT(uses[2], 15U);
        EXPECT_EQ(bench.selector.GetForced(), 60U);
    }
}

/// With PER_TIER, a value of one part that is skipped takes no turn of another part.
TEST(PrimeSelector, PartsDoNotDisturbEachOther)
{
    PrimeSelector::Parameters parameters = SmallPenalties(0);
    parameters.searchMode = PrimeSelector::PER_TIER;
    Bench bench({4, 3}, parameters);
    bench.selector.Charge(1, 1, Signal::LOSS, 0);
    for (uint32_t round = 0; round < 30; ++round)
    {
        std::set<uint16_t> lower;
        std::set<uint16_t> upper;
        for (uint32_t i = 0; i < 4; ++i)
        {
            const Values choice = bench.Choose();
            lower.insert(choice[0]);
            upper.insert(choice[1]);
        }
        EXPECT_EQ(lower.size(), 4U);
        EXPECT_EQ(upper.size(), 1U);
        EXPECT_EQ(upper.count(1), 0U);
    }
}

/// Values that cannot be used are avoided in each mode, also while it explores, unless there are no
/// others.
TEST(PrimeSelector, ExcludedValues)
{
    for (const auto mode : {PrimeSelector::TUPLE, PrimeSelector::PER_TIER})
    {
        for (const uint64_t explore : {0, 1000000})
        {
            PrimeSelector::Parameters parameters = SmallPenalties(1);
            parameters.searchMode = mode;
            parameters.exploreBytes = explore;
            Bench bench({4, 3}, parameters);
            bench.selector.Exclude(~0b1010U);
            std::set<Values> seen;
            for (uint32_t i = 0; i < 60; ++i)
            {
                const Values choice = bench.Choose();
                EXPECT_EQ(choice[0] & 1, 1);
                seen.insert(choice);
            }
            EXPECT_EQ(seen.size(), 2U * 3U);
            bench.selector.Charge(0, 1, Signal::LOSS, 0);
            bench.selector.Charge(0, 3, Signal::LOSS, 0);
            EXPECT_EQ(bench.Choose()[0] & 1, 1); // a penalty is less than that
            bench.selector.Exclude(~0U);
            bench.Choose();
            bench.selector.Exclude(0);
            seen.clear();
            for (uint32_t i = 0; i < 60; ++i)
            {
                seen.insert(bench.Choose());
            }
            EXPECT_EQ(seen.size(), 4U * 3U);
        }
    }
}

/// The same when an excluded value ends a round and begins the next one.
TEST(PrimeSelector, ExcludedValuesAtTheEndOfARound)
{
    for (const uint64_t explore : {0, 1000000})
    {
        PrimeSelector::Parameters parameters = SmallPenalties(1);
        parameters.exploreBytes = explore;
        Bench bench({2}, parameters);
        bench.selector.Exclude(1);
        for (uint32_t i = 0; i < 200; ++i)
        {
            EXPECT_EQ(bench.Choose()[0], 1);
        }
    }
}

/// A choice without a free combination has looked at each one of a cycle, and the next choice goes
/// on behind them: equal penalties do not lead to the combination after the last one.
TEST(PrimeSelector, AForcedChoiceTakesACycle)
{
    Bench bench({4, 2}, SmallPenalties(0));
    for (const uint16_t value : {0, 1, 2, 3})
    {
        bench.selector.Charge(0, value, Signal::LOSS, 0);
    }
    for (uint32_t choice = 1; choice <= 10; ++choice)
    {
        bench.Choose();
        EXPECT_EQ(bench.selector.GetSkipped(), 7U * choice);
        EXPECT_EQ(bench.selector.GetForced(), choice);
    }
}

/// A penalty of 0 is none.
TEST(PrimeSelector, NoPenalties)
{
    PrimeSelector::Parameters parameters;
    parameters.markPenalty = 0;
    parameters.lossPenalty = 0;
    parameters.timeoutPenalty = 0;
    Bench bench({4, 3}, parameters);
    for (const Signal signal : {Signal::MARK, Signal::LOSS, Signal::TIMEOUT})
    {
        bench.selector.Charge(0, 1, signal, 0);
        EXPECT_EQ(bench.selector.GetPenalty(0, 1, 0), 0U);
    }
}

/// Where there is nothing to choose, it chooses nothing.
TEST(PrimeSelector, NoParts)
{
    Bench bench({}, SmallPenalties(1));
    EXPECT_EQ(bench.Choose(), Values());
    EXPECT_EQ(bench.Choose(), Values());
    EXPECT_EQ(bench.selector.GetForced(), 0U);
}
