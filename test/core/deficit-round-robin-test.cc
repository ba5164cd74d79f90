/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/deficit-round-robin.h"

namespace
{

constexpr uint8_t QUEUES = DeficitRoundRobin::QUEUES;
constexpr uint32_t LONGEST = 9216; //!< frame, in bytes

std::array<uint32_t, QUEUES>
DrawWeights(std::mt19937& random, uint32_t most)
{
    std::array<uint32_t, QUEUES> weights{};
    for (uint32_t& weight : weights)
    {
        weight = 1 + random() % most;
    }
    return weights;
}

/// @return a scheduler  @param quantum its quantum, in bytes
DeficitRoundRobin
Make(const std::array<uint32_t, QUEUES>& weights, uint32_t quantum)
{
    DeficitRoundRobin rounds;
    rounds.SetWeights(weights);
    rounds.SetQuantum(quantum);
    return rounds;
}

/// The same law as a simulation of turns, one by one.
struct Reference
{
    /// @param quantum in bytes
    Reference(const std::array<uint32_t, QUEUES>& weights, uint32_t quantum)
        : m_weights(weights),
          m_quantum(quantum)
    {
    }

    /// @return the queue of the next frame  @param ready bit q set: queue q
    uint8_t Choose(uint8_t ready)
    {
        for (uint8_t queue = 0; queue < QUEUES; ++queue)
        {
            if (!(ready >> queue & 1))
            {
                m_left[queue] = std::min<int64_t>(m_left[queue], 0);
            }
        }
        while (!(ready >> m_turn & 1) || m_left[m_turn] <= 0)
        {
            m_turn = (m_turn + 1) % QUEUES;
            if (ready >> m_turn & 1)
            {
                m_left[m_turn] += int64_t{m_weights[m_turn]} * m_quantum;
            }
        }
        return m_turn;
    }

    /// A frame is sent.
    void Charge(uint8_t queue, uint32_t bytes)
    {
        m_left[queue] -= bytes;
    }

    std::array<uint32_t, QUEUES> m_weights; //!< by queue
    uint32_t m_quantum;                     //!< in bytes
    std::array<int64_t, QUEUES> m_left{};   //!< by queue, in bytes
    uint8_t m_turn{QUEUES - 1};             //!< whose turn it is
};

} // namespace

TEST(DeficitRoundRobin, TakesTurnsByWeight)
{
    DeficitRoundRobin rounds = Make({1, 1, 1, 1, 1, 1, 10, 1}, 1000);
    std::vector<int> order;
    for (int i = 0; i < 24; ++i)
    {
        const uint8_t queue = rounds.Choose(1 << 3 | 1 << 6);
        rounds.Charge(queue, 1000);
        order.push_back(queue);
    }
    std::vector<int> expected;
    for (int round = 0; round < 3; ++round)
    {
        expected.push_back(3);
        expected.insert(expected.end(), 10, 6);
    }
    expected.resize(24);
    EXPECT_EQ(order, expected);
}

TEST(DeficitRoundRobin, SharesOfQueuesThatCanAlwaysSendFollowTheirWeights)
{
    std::mt19937 random(2);
    for (int round = 0; round < 300; ++round)
    {
        const auto weights = DrawWeights(random, round % 3 ? 20 : 1000);
        const uint32_t quantum = 1 + random() % (round % 2 ? 10000 : 10);
        DeficitRoundRobin rounds = Make(weights, quantum);
        const uint8_t always = 1 + random() % 255; // the others come and go
        const uint32_t smallest = 64 + random() % (LONGEST - 64);
        std::array<double, QUEUES> sent{};
        const int warmUp = random() % 100;
        for (int i = 0; i < 3000; ++i)
        {
            const uint8_t ready = always | random();
            const uint8_t queue = rounds.Choose(ready);
            ASSERT_TRUE(ready >> queue & 1) << "the link does not idle";
            const uint32_t bytes = smallest + random() % (LONGEST - smallest + 1);
            rounds.Charge(queue, bytes);
            sent[queue] += i < warmUp ? 0 : bytes;
            for (uint8_t a = 0; a < QUEUES && i >= warmUp; ++a)
            {
                for (uint8_t b = 0; b < a; ++b)
                {
                    if (always >> a & always >> b & 1)
                    {
                        const double apart = sent[a] / weights[a] - sent[b] / weights[b];
                        const double most =
                            3.0 * quantum + 1.0 * LONGEST / weights[a] + 1.0 * LONGEST / weights[b];
                        ASSERT_LE(std::abs(apart), most) << "round " << round << " frame " << i;
                    }
                }
            }
        }
    }
}

TEST(DeficitRoundRobin, NoQueueStarves)
{
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round)
    {
        const auto weights = DrawWeights(random, 1000);
        const uint32_t quantum = 1 + random() % 5000;
        DeficitRoundRobin rounds = Make(weights, quantum);
        for (int i = 0; i < 200; ++i)
        {
            rounds.Charge(rounds.Choose(1 + random() % 255), 64 + random() % (LONGEST - 63));
        }
        // a queue that can send from now on: its debt is at most a frame, of some turns
        const uint8_t waiting = random() % QUEUES;
        const double turns = 1 + std::ceil((LONGEST + 1.0) / weights[waiting] / quantum);
        double most = 0;
        for (const uint32_t weight : weights)
        {
            most += turns * weight * quantum + 2 * LONGEST;
        }
        double others = 0;
        while (true)
        {
            const uint8_t queue = rounds.Choose(0xFF);
            if (queue == waiting)
            {
                break;
            }
            const uint32_t bytes = 64 + random() % (LONGEST - 63);
            rounds.Charge(queue, bytes);
            others += bytes;
            ASSERT_LE(others, most) << "round " << round;
        }
    }
}

TEST(DeficitRoundRobin, WhoCannotSendKeepsNoCreditButItsDebt)
{
    DeficitRoundRobin rounds = Make({10, 1, 1, 1, 1, 1, 1, 1}, 1000);
    EXPECT_EQ(rounds.Choose(0x03), 0);
    rounds.Charge(0, 1000);
    EXPECT_EQ(rounds.GetDeficit(0), 9000);
    EXPECT_EQ(rounds.Choose(0x02), 1) << "queue 0 is paused, or empty";
    rounds.Charge(1, 5000);
    EXPECT_EQ(rounds.GetDeficit(0), 0);
    EXPECT_EQ(rounds.GetDeficit(1), -4000);
    EXPECT_EQ(rounds.Choose(0x04), 2);
    rounds.Charge(2, 1000);
    EXPECT_EQ(rounds.GetDeficit(1), -4000) << "a debt is paid in turns";
    EXPECT_EQ(rounds.Choose(0x02), 1) << "but does not keep a link idle";
    EXPECT_EQ(rounds.GetDeficit(1), 1000);
}

TEST(DeficitRoundRobin, ManyTurnsAtOnceAreAsManyTurns)
{
    std::mt19937 random(4);
    for (int round = 0; round < 200; ++round)
    {
        const auto weights = DrawWeights(random, 5);
        const uint32_t quantum = 1 + random() % (round % 2 ? 30 : 3000);
        DeficitRoundRobin rounds = Make(weights, quantum);
        Reference reference(weights, quantum);
        for (int i = 0; i < 300; ++i)
        {
            const uint8_t ready = 1 + random() % 255;
            const uint8_t queue = rounds.Choose(ready);
            ASSERT_EQ(queue, reference.Choose(ready)) << "round " << round << " frame " << i;
            const uint32_t bytes = 64 + random() % (LONGEST - 63);
            rounds.Charge(queue, bytes);
            reference.Charge(queue, bytes);
        }
    }
}
