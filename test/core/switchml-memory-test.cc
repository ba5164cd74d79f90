/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-count.h"
#include "worker-tree.h"

#include "ns3/switchml-memory.h"

namespace
{

using Verdict = SwitchMlMemory::Verdict;

/// @return a packet of job 1  @param slot its slot in the pool
Fragment
Make(uint32_t sequence, uint32_t worker, uint16_t slot, uint32_t all)
{
    Fragment fragment;
    fragment.key = Fragment::MakeKey(1, sequence);
    fragment.bitmap = 1U << worker;
    fragment.expected = all;
    fragment.slot = slot;
    fragment.values = {static_cast<int32_t>(100 * sequence + worker)};
    return fragment;
}

/// Receive a packet.  @param isRoot whether its sums are final  @return what becomes of it
Verdict
Put(SwitchMlMemory& memory, Fragment fragment, uint8_t set, bool isRoot = true)
{
    return memory.Receive(fragment, set, isRoot);
}

/// A schedule of packets, drawn at random: jobs of workers in one rack or two.
struct RandomSchedule : WorkerTree
{
    explicit RandomSchedule(uint32_t seed)
        : WorkerTree(seed)
    {
        m_jobs = 1 + Draw(2);
        m_workers = 2 + Draw(6);
        m_pool = 1 + Draw(7);
        m_fragments = 1 + Draw(30);
        m_loss = Draw(3) ? Draw(10) : 0;
        m_racks = 1 + Draw(1);
        for (uint32_t level = 0; level < (m_racks == 1 ? 1 : 3); ++level)
        {
            m_memories.emplace_back(m_jobs * m_pool);
            for (uint32_t job = 0; job < m_jobs; ++job)
            {
                EXPECT_TRUE(m_memories.back().AddJob(job, m_pool));
            }
            EXPECT_EQ(m_memories.back().GetFree(), 0U);
        }
        m_next.assign(m_jobs * m_workers, std::vector<uint32_t>(m_pool));
    }

    /// Run it to the end.
    void Run()
    {
        constexpr uint32_t MOST_ROUNDS = 2000;
        uint32_t rounds = 0;
        for (; !SendAll() && rounds < MOST_ROUNDS; ++rounds)
        {
            while (!m_bag.empty())
            {
                Deliver();
            }
        }
        ASSERT_LT(rounds, MOST_ROUNDS) << "it hangs";
        for (SwitchMlMemory& memory : m_memories)
        {
            for (uint32_t job = 0; job < m_jobs; ++job)
            {
                memory.EndJob(job);
            }
            EXPECT_EQ(memory.GetFree(), memory.GetSlots());
        }
    }

    /// A packet or a result on its way.
    struct Flight
    {
        uint32_t place{0};  //!< the memory that is next
        Fragment fragment;  //!< the packet
        int receiver{-1};   //!< of a result: the worker of the job
        bool isDown{false}; //!< a result for the memory of a rack
    };

    uint8_t SetOf(const Fragment& fragment) const
    {
        return fragment.GetSequence() / m_pool % 2;
    }

    void Launch(const Flight& flight)
    {
        for (uint32_t copies = Draw(99) < m_loss ? 0 : 1 + (Draw(99) < m_loss); copies > 0;
             --copies)
        {
            m_bag.push_back(flight);
        }
    }

    /// Send the packet that a slot of a worker waits for.  @return whether there is none
    bool Send(uint32_t member, uint32_t slot)
    {
        const uint32_t sequence = m_next[member][slot] * m_pool + slot;
        if (sequence >= m_fragments)
        {
            return true;
        }
        const uint32_t job = member / m_workers;
        const uint32_t worker = member % m_workers;
        Flight flight;
        flight.place = RackOf(worker);
        flight.fragment.key = Fragment::MakeKey(job, sequence);
        flight.fragment.bitmap = 1U << worker;
        flight.fragment.slot = slot;
        flight.fragment.values = {ValueOf(job, worker, sequence)};
        Launch(flight);
        return false;
    }

    /// Send what all slots wait for.  @return whether all results have come
    bool SendAll()
    {
        bool isDone = true;
        for (uint32_t member = 0; member < m_next.size(); ++member)
        {
            for (uint32_t slot = 0; slot < m_pool; ++slot)
            {
                isDone &= Send(member, slot);
            }
        }
        return isDone;
    }

    void Deliver()
    {
        const std::size_t n = Draw(std::min<std::size_t>(m_bag.size() - 1, 12));
        Flight flight = std::move(m_bag[n]);
        m_bag.erase(m_bag.begin() + n);
        Fragment& fragment = flight.fragment;
        if (flight.receiver >= 0)
        {
            TakeResult(flight);
            return;
        }
        SwitchMlMemory& memory = m_memories[flight.place];
        if (flight.isDown)
        {
            if (memory.StoreFinal(fragment, SetOf(fragment)))
            {
                Multicast(fragment, ExpectedIn(flight.place));
            }
            return;
        }
        const uint32_t sender = fragment.bitmap;
        fragment.expected = ExpectedIn(flight.place);
        const Verdict verdict =
            memory.Receive(fragment, SetOf(fragment), m_racks == 1 || flight.place == 2);
        if (verdict == Verdict::REPEATS)
        {
            Return(flight.place, fragment, sender);
        }
        else if (verdict == Verdict::COMPLETES && m_racks == 2 && flight.place < 2)
        {
            flight.place = 2;
            Launch(flight);
        }
        else if (verdict == Verdict::COMPLETES)
        {
            Return(flight.place, fragment, ExpectedIn(flight.place));
        }
    }

    /// Send a final sum down.
    void Return(uint32_t place, const Fragment& sum, uint32_t receivers)
    {
        for (uint32_t rack = 0; place == 2 && rack < 2; ++rack)
        {
            if (receivers & ExpectedIn(rack))
            {
                Flight down;
                down.place = rack;
                down.fragment = sum;
                down.isDown = true;
                Launch(down);
            }
        }
        if (place < 2)
        {
            Multicast(sum, receivers);
        }
    }

    void Multicast(const Fragment& sum, uint32_t receivers)
    {
        for (uint32_t worker = 0; worker < m_workers; ++worker)
        {
            if (receivers >> worker & 1)
            {
                Flight result;
                result.fragment = sum;
                result.receiver = worker;
                Launch(result);
            }
        }
    }

    void TakeResult(const Flight& flight)
    {
        const Fragment& sum = flight.fragment;
        const uint32_t member = sum.GetJob() * m_workers + flight.receiver;
        int64_t expected = 0;
        for (uint32_t worker = 0; worker < m_workers; ++worker)
        {
            expected += ValueOf(sum.GetJob(), worker, sum.GetSequence());
        }
        ASSERT_EQ(sum.values[0], expected);
        if (m_next[member][sum.slot] * m_pool + sum.slot == sum.GetSequence())
        {
            ++m_next[member][sum.slot];
            Send(member, sum.slot);
        }
    }

    uint32_t m_pool;
    uint32_t m_fragments;
    std::vector<SwitchMlMemory> m_memories;    //!< of the racks, then that above
    std::vector<std::vector<uint32_t>> m_next; //!< results by worker and slot
    std::vector<Flight> m_bag;                 //!< under way
};

} // namespace

TEST(SwitchMlMemory, TwoSetsTakeTurns)
{
    SwitchMlMemory memory(1);
    ASSERT_TRUE(memory.AddJob(1, 1));
    EXPECT_EQ(Put(memory, Make(0, 0, 0, 3), 0), Verdict::HELD);
    EXPECT_EQ(Put(memory, Make(0, 0, 0, 3), 0), Verdict::DUPLICATE);
    EXPECT_EQ(memory.GetFilling(), 1U);
    Fragment last = Make(0, 1, 0, 3);
    EXPECT_EQ(memory.Receive(last, 0, true), Verdict::COMPLETES);
    EXPECT_EQ(memory.GetFilling(), 0U);
    EXPECT_EQ(last.values, GradientVector{1});
    EXPECT_EQ(Put(memory, Make(1, 0, 0, 3), 1), Verdict::HELD);
    Fragment again = Make(0, 1, 0, 3);
    EXPECT_EQ(memory.Receive(again, 0, true), Verdict::REPEATS) << "the shadow copy";
    EXPECT_EQ(again.values, GradientVector{1});
    EXPECT_EQ(Put(memory, Make(1, 1, 0, 3), 1), Verdict::COMPLETES);
    EXPECT_EQ(Put(memory, Make(2, 1, 0, 3), 0), Verdict::HELD);
    EXPECT_EQ(Put(memory, Make(0, 0, 0, 3), 0), Verdict::DUPLICATE) << "late";
    EXPECT_EQ(memory.GetFilling(), 1U);
    EXPECT_EQ(Put(memory, Make(2, 0, 0, 3), 0), Verdict::COMPLETES);
    EXPECT_EQ(Put(memory, Make(3, 0, 0, 3), 1), Verdict::HELD);
    EXPECT_EQ(memory.GetFilling(), 1U);
    memory.EndJob(1);
    EXPECT_EQ(memory.GetFilling(), 0U) << "the set of the job that has ended";
}

TEST(SwitchMlMemory, PoolsAreRangesThatDoNotOverlap)
{
    SwitchMlMemory memory(10);
    EXPECT_TRUE(memory.AddJob(1, 4));
    EXPECT_TRUE(memory.AddJob(2, 4));
    EXPECT_FALSE(memory.AddJob(3, 4));
    EXPECT_EQ(memory.GetFree(), 2U);
    memory.EndJob(1);
    EXPECT_EQ(memory.GetPool(1), 0U);
    EXPECT_TRUE(memory.AddJob(3, 3));
    EXPECT_TRUE(memory.AddJob(4, 1));
    EXPECT_EQ(memory.GetFree(), 2U);
    EXPECT_EQ(Put(memory, Make(0, 0, 0, 3), 0), Verdict::UNKNOWN) << "job 1 has ended";
}

TEST(SwitchMlMemory, ASwitchBelowStoresTheFinalSum)
{
    SwitchMlMemory memory(1);
    ASSERT_TRUE(memory.AddJob(1, 1));
    Put(memory, Make(0, 0, 0, 3), 0, false);
    EXPECT_EQ(Put(memory, Make(0, 1, 0, 3), 0, false), Verdict::COMPLETES);
    EXPECT_EQ(Put(memory, Make(0, 1, 0, 3), 0, false), Verdict::COMPLETES) << "up again";
    Fragment final = Make(0, 0, 0, 15);
    final.values = {77};
    EXPECT_TRUE(memory.StoreFinal(final, 0));
    EXPECT_FALSE(memory.StoreFinal(final, 0)) << "it has it";
    Fragment again = Make(0, 1, 0, 3);
    EXPECT_EQ(memory.Receive(again, 0, false), Verdict::REPEATS);
    EXPECT_EQ(again.values, GradientVector{77});
}

TEST(SwitchMlMemory, RandomSchedulesAreExact)
{
    const uint32_t schedules = CountSchedules(10000);
    for (uint32_t seed = 0; seed < schedules && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        RandomSchedule(seed).Run();
    }
}
