/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-count.h"
#include "worker-tree.h"

#include "ns3/atp-memory.h"
#include "ns3/esa-memory.h"
#include "ns3/fixed-point.h"
#include "ns3/slot-ring.h"
#include "ns3/sum-ledger.h"

namespace
{

using Verdict = SlotMemory::Verdict;

/// @return a packet  @param sequence its fragment, of job 1
Fragment
Make(uint32_t sequence, uint32_t worker, uint16_t slot, uint32_t all, uint8_t priority = 0)
{
    Fragment fragment;
    fragment.key = Fragment::MakeKey(1, sequence);
    fragment.bitmap = 1U << worker;
    fragment.expected = all;
    fragment.slot = slot;
    fragment.priority = priority;
    fragment.values = {static_cast<int32_t>(100 * sequence + worker)};
    return fragment;
}

/// Receive a packet.  @return what becomes of it
Verdict
Put(SlotMemory& memory, Fragment fragment)
{
    return memory.Receive(fragment);
}

/// A schedule of packets, drawn at random: jobs of workers in two racks, a memory for each rack and
/// one above, loss, duplicates and reordering. The rules of workers and server are those of ATP and
/// ESA at their simplest.
struct RandomSchedule : WorkerTree
{
    using MakeMemory = std::function<std::unique_ptr<SlotMemory>(uint32_t slots)>;

    /// @param portSlots the most slots of a port; 0: no limit
    RandomSchedule(uint32_t seed, const MakeMemory& make, uint32_t portSlots)
        : WorkerTree(seed),
          m_portSlots(portSlots)
    {
        m_jobs = 1 + Draw(3);
        m_workers = 2 + Draw(6);
        m_fragments = 1 + Draw(30);
        m_window = 1 + Draw(8);
        m_loss = Draw(3) ? Draw(10) : 0;
        m_racks = 1 + Draw(1);
        m_slots = 1 + Draw(2 * m_window * m_jobs);
        for (uint32_t level = 0; level < (m_racks == 1 ? 1 : 3); ++level)
        {
            m_memories.push_back(make(m_slots));
            m_memories.back()->SetPortSlots(m_portSlots);
        }
        for (uint32_t j = 0; j < m_jobs; ++j)
        {
            m_rings.emplace_back(j, m_window, m_slots, Draw(1));
        }
        m_state.resize(m_jobs * m_workers);
    }

    /// Run it to the end.
    void Run()
    {
        constexpr uint32_t MOST_ROUNDS = 2000;
        for (uint32_t member = 0; member < m_state.size(); ++member)
        {
            SendWindow(member);
        }
        uint32_t rounds = 0;
        for (; !IsDone() && rounds < MOST_ROUNDS; ++rounds)
        {
            while (!m_bag.empty())
            {
                Deliver();
            }
            TimeOut();
        }
        ASSERT_LT(rounds, MOST_ROUNDS) << "it hangs";
        while (!m_bag.empty())
        {
            Deliver();
        }
        EndJobs();
    }

    /// A packet or an acknowledgement on its way.
    struct Flight
    {
        uint32_t place{0}; //!< the memory that is next; past the last one: the server
        Fragment fragment; //!< the packet
        int receiver{-1};  //!< of an acknowledgement: the worker of the job
    };

    /// A worker.
    struct State
    {
        uint32_t next{0};                           //!< the fragment that it sends next
        std::map<uint32_t, GradientVector> results; //!< that have come
    };

    uint32_t All() const
    {
        return (1U << m_workers) - 1;
    }

    /// Put a packet on its way, unless it is lost.
    void Launch(Flight flight)
    {
        if (Draw(99) < m_loss)
        {
            return;
        }
        if (Draw(99) < m_loss)
        {
            m_bag.push_back(flight);
        }
        m_bag.push_back(std::move(flight));
    }

    void SendPacket(uint32_t member, uint32_t sequence, bool isResent)
    {
        const uint32_t job = member / m_workers;
        const uint32_t worker = member % m_workers;
        Flight flight;
        flight.place = RackOf(worker);
        Fragment& fragment = flight.fragment;
        fragment.key = Fragment::MakeKey(job, sequence);
        fragment.bitmap = 1U << worker;
        fragment.slot = m_rings[job].Get(sequence);
        fragment.priority = (17 * job + 3 * (sequence / 4)) % 7 * 20;
        fragment.isResent = isResent;
        fragment.values = {ValueOf(job, worker, sequence, 0), ValueOf(job, worker, sequence, 1)};
        Launch(std::move(flight));
    }

    void SendWindow(uint32_t member)
    {
        State& state = m_state[member];
        uint32_t oldest = 0;
        while (state.results.count(oldest))
        {
            ++oldest;
        }
        while (state.next < m_fragments && state.next < oldest + m_window)
        {
            SendPacket(member, state.next++, false);
        }
    }

    /// Let one of the first packets under way arrive.
    void Deliver()
    {
        const std::size_t n = Draw(std::min<std::size_t>(m_bag.size() - 1, 12));
        Flight flight = std::move(m_bag[n]);
        m_bag.erase(m_bag.begin() + n);
        if (flight.receiver >= 0)
        {
            Acknowledge(flight);
            return;
        }
        if (flight.place >= m_memories.size())
        {
            Serve(flight);
            return;
        }
        SlotMemory& memory = *m_memories[flight.place];
        flight.fragment.expected = ExpectedIn(flight.place);
        flight.fragment.port = PortOf(flight.fragment);
        const Verdict verdict = memory.Receive(flight.fragment);
        CheckSlots(memory);
        if (verdict == Verdict::HELD || verdict == Verdict::DUPLICATE)
        {
            return;
        }
        flight.fragment.hasCollided |= verdict == Verdict::COLLIDES;
        flight.place = m_racks == 1 || flight.place == 2 ? m_memories.size() : 2;
        Launch(std::move(flight));
    }

    /// @return the port of a packet: that of its first worker
    static uint16_t PortOf(const Fragment& fragment)
    {
        uint16_t port = 0;
        while (!(fragment.bitmap >> port & 1))
        {
            ++port;
        }
        return port;
    }

    /// Check that all slots are free or held, and those of each port.
    void CheckSlots(const SlotMemory& memory) const
    {
        ASSERT_EQ(memory.GetFree() + memory.CountHeld(), memory.GetSlots());
        uint32_t held = 0;
        for (uint16_t port = 0; port < m_workers; ++port)
        {
            ASSERT_EQ(memory.GetHeld(port), memory.CountHeld(port));
            ASSERT_TRUE(m_portSlots == 0 || memory.GetHeld(port) <= m_portSlots);
            held += memory.GetHeld(port);
        }
        ASSERT_EQ(held, memory.CountHeld());
    }

    void Serve(Flight& flight)
    {
        const uint64_t key = flight.fragment.key;
        const bool isResent = flight.fragment.isResent;
        const auto verdict = m_ledger.Receive(flight.fragment, All());
        const bool repeats = verdict == SumLedger::Verdict::REPEATS && isResent;
        if (verdict != SumLedger::Verdict::COMPLETES && !repeats)
        {
            return;
        }
        const Fragment& sum = m_ledger.Find(key)->sum;
        for (const auto& memory : m_memories)
        {
            memory->Acknowledge(key, m_rings[sum.GetJob()].Get(sum.GetSequence()));
        }
        for (uint32_t worker = 0; worker < m_workers; ++worker)
        {
            Flight answer;
            answer.fragment = sum;
            answer.receiver = worker;
            Launch(std::move(answer));
        }
    }

    void Acknowledge(const Flight& flight)
    {
        const Fragment& sum = flight.fragment;
        const uint32_t member = sum.GetJob() * m_workers + flight.receiver;
        const auto [place, isNew] =
            m_state[member].results.try_emplace(sum.GetSequence(), sum.values);
        ASSERT_EQ(place->second, sum.values) << "two results of one fragment";
        if (isNew)
        {
            ++m_done;
            SendWindow(member);
        }
    }

    /// Reminders of the server, and packets that workers send again.
    void TimeOut()
    {
        for (uint32_t member = 0; member < m_state.size(); ++member)
        {
            for (uint32_t sequence = 0; sequence < m_state[member].next; ++sequence)
            {
                if (!m_state[member].results.count(sequence))
                {
                    Remind(member / m_workers, sequence);
                    SendPacket(member, sequence, true);
                }
            }
        }
    }

    void Remind(uint32_t job, uint32_t sequence)
    {
        for (const auto& memory : m_memories)
        {
            Flight flight;
            flight.place = m_memories.size();
            const uint64_t key = Fragment::MakeKey(job, sequence);
            if (Draw(1) && memory->Flush(key, m_rings[job].Get(sequence), flight.fragment))
            {
                Launch(std::move(flight));
            }
        }
    }

    bool IsDone() const
    {
        return m_done == m_state.size() * m_fragments;
    }

    /// Compare the results with sums of the same integers, and end the jobs.
    void EndJobs()
    {
        for (uint32_t member = 0; member < m_state.size(); ++member)
        {
            const uint32_t job = member / m_workers;
            for (const auto& [sequence, values] : m_state[member].results)
            {
                for (uint32_t v = 0; v < values.GetSize(); ++v)
                {
                    int64_t sum = 0;
                    for (uint32_t worker = 0; worker < m_workers; ++worker)
                    {
                        sum += ValueOf(job, worker, sequence, v);
                    }
                    ASSERT_EQ(values[v], sum);
                }
            }
        }
        for (const auto& memory : m_memories)
        {
            for (uint32_t job = 0; job < m_jobs; ++job)
            {
                memory->EndJob(job);
            }
            EXPECT_EQ(memory->GetFree(), memory->GetSlots()) << "nothing of a job stays";
            EXPECT_EQ(memory->GetFilling(), 0U);
            CheckSlots(*memory);
        }
    }

    uint32_t m_portSlots; //!< the most slots of a port; 0: no limit
    uint32_t m_fragments;
    uint32_t m_window;
    uint32_t m_slots;
    std::vector<std::unique_ptr<SlotMemory>> m_memories; //!< of the racks, then that above
    std::vector<SlotRing> m_rings;                       //!< by job
    std::vector<State> m_state;                          //!< by job and worker
    SumLedger m_ledger;
    std::vector<Flight> m_bag; //!< under way
    uint64_t m_done{0};        //!< results that have come
};

/// Run random schedules.  @param portSlots the most slots of a port; 0: no limit
void
RunSchedules(const RandomSchedule::MakeMemory& make, uint32_t portSlots = 0)
{
    const uint32_t schedules = CountSchedules(2000);
    for (uint32_t seed = 0; seed < schedules && !testing::Test::HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        RandomSchedule(seed, make, portSlots).Run();
    }
}

} // namespace

TEST(AtpMemory, AddsAndKeepsTheSlotUntilTheAcknowledgement)
{
    AtpMemory memory(4);
    EXPECT_EQ(Put(memory, Make(5, 0, 2, 3)), Verdict::HELD);
    EXPECT_EQ(Put(memory, Make(5, 0, 2, 3)), Verdict::DUPLICATE);
    EXPECT_EQ(memory.GetFilling(), 1U);
    EXPECT_EQ(Put(memory, Make(6, 0, 2, 3, 200)), Verdict::COLLIDES) << "of any priority";
    Fragment last = Make(5, 1, 2, 3);
    EXPECT_EQ(memory.Receive(last), Verdict::COMPLETES);
    EXPECT_EQ(last.values, GradientVector{1001});
    EXPECT_EQ(last.bitmap, 3U);
    EXPECT_EQ(memory.GetFree(), 3U);
    EXPECT_EQ(memory.GetFilling(), 0U);
    Fragment again = Make(5, 1, 2, 3);
    EXPECT_EQ(memory.Receive(again), Verdict::COMPLETES) << "the result may be lost";
    EXPECT_EQ(again.values, GradientVector{1001});
    memory.Acknowledge(Fragment::MakeKey(1, 6), 2);
    EXPECT_EQ(memory.GetFree(), 3U) << "of another fragment";
    memory.Acknowledge(Fragment::MakeKey(1, 5), 2);
    EXPECT_EQ(memory.GetFree(), 4U);
}

TEST(AtpMemory, APacketThatIsResentTakesThePartialSumAlong)
{
    AtpMemory memory(1);
    Put(memory, Make(5, 0, 0, 7));
    Fragment resent = Make(5, 1, 0, 7);
    resent.isResent = true;
    EXPECT_EQ(memory.Receive(resent), Verdict::FLUSHES);
    EXPECT_EQ(resent.bitmap, 3U);
    EXPECT_EQ(resent.values, GradientVector{1001});
    EXPECT_EQ(memory.GetFree(), 1U);
    resent = Make(5, 2, 0, 7);
    resent.isResent = true;
    EXPECT_EQ(memory.Receive(resent), Verdict::PASSES) << "it claims no slot";
    EXPECT_EQ(memory.GetFree(), 1U);
}

TEST(AtpMemory, WhatOverlapsCannotBeAdded)
{
    AtpMemory memory(1);
    Put(memory, Make(5, 0, 0, 7));
    Fragment partial = Make(5, 0, 0, 7);
    partial.bitmap = 3;
    EXPECT_EQ(memory.Receive(partial), Verdict::PASSES);
    EXPECT_EQ(Put(memory, Make(5, 0, 9, 7)), Verdict::PASSES) << "there is no such slot";
}

TEST(AtpMemory, APortHasItsSlotsAndNoMore)
{
    AtpMemory memory(4);
    memory.SetPortSlots(1);
    EXPECT_EQ(Put(memory, Make(5, 0, 0, 3)), Verdict::HELD);
    EXPECT_EQ(Put(memory, Make(6, 0, 1, 3)), Verdict::PORT_FULL) << "though the slot is free";
    Fragment other = Make(6, 1, 1, 3);
    other.port = 7;
    EXPECT_EQ(Put(memory, other), Verdict::HELD) << "another port has slots of its own";
    EXPECT_EQ(Put(memory, Make(6, 0, 1, 3)), Verdict::COMPLETES) << "its fragment has a slot";
    EXPECT_EQ(memory.GetHeld(0), 1U);
    EXPECT_EQ(memory.GetHeld(7), 1U) << "the slot stays that of the port that claimed it";
    EXPECT_EQ(memory.GetHeld(8), 0U);
    memory.Acknowledge(Fragment::MakeKey(1, 6), 1);
    EXPECT_EQ(memory.GetHeld(7), 0U);
    EXPECT_EQ(memory.GetFree(), 3U);
}

TEST(EsaMemory, APortThatIsFullPreemptsOnlyItsOwnSlots)
{
    EsaMemory memory(2, {});
    memory.SetPortSlots(1);
    EXPECT_EQ(Put(memory, Make(5, 0, 0, 3, 100)), Verdict::HELD);
    Fragment other = Make(6, 1, 1, 3, 100);
    other.port = 7;
    EXPECT_EQ(Put(memory, other), Verdict::HELD);
    EXPECT_EQ(Put(memory, Make(7, 0, 1, 3, 200)), Verdict::PORT_FULL) << "the slot of port 7";
    EXPECT_EQ(Put(memory, Make(8, 0, 0, 3, 200)), Verdict::PREEMPTS) << "its own slot";
    EXPECT_EQ(memory.GetHeld(0), 1U);
    EXPECT_EQ(memory.GetHeld(7), 1U);
    memory.SetPortSlots(0);
    EXPECT_EQ(Put(memory, Make(9, 0, 1, 3, 250)), Verdict::PREEMPTS);
    EXPECT_EQ(memory.GetHeld(0), 2U) << "the slot is now port 0's";
    EXPECT_EQ(memory.GetHeld(7), 0U);
}

TEST(EsaMemory, AHigherPriorityPreempts)
{
    EsaMemory memory(1, {});
    Put(memory, Make(5, 0, 0, 3, 100));
    EXPECT_EQ(Put(memory, Make(6, 0, 0, 3, 100)), Verdict::COLLIDES) << "equal priorities";
    Fragment urgent = Make(7, 0, 0, 3, 51);
    EXPECT_EQ(memory.Receive(urgent), Verdict::PREEMPTS) << "ageing has halved 100";
    EXPECT_EQ(urgent.GetSequence(), 5U);
    EXPECT_EQ(urgent.bitmap, 1U);
    Fragment last = Make(7, 1, 0, 3, 51);
    EXPECT_EQ(memory.Receive(last), Verdict::COMPLETES);
    EXPECT_EQ(memory.GetFree(), 1U) << "free without an acknowledgement";
    EXPECT_EQ(memory.GetFilling(), 0U);
    EXPECT_EQ(memory.GetCount(Verdict::PREEMPTS), 1U);
}

TEST(EsaMemory, LeavesValuesThatFramesShareAsTheyAre)
{
    EsaMemory memory(1, {});
    const Fragment first = Make(5, 0, 0, 7);
    const Fragment second = Make(5, 1, 0, 7);
    EXPECT_EQ(Put(memory, first), Verdict::HELD);
    EXPECT_EQ(Put(memory, second), Verdict::HELD);
    const Fragment urgent = Make(6, 0, 0, 3, 1);
    Fragment partial = urgent;
    EXPECT_EQ(memory.Receive(partial), Verdict::PREEMPTS);
    EXPECT_EQ(partial.values, GradientVector{1001});
    const Fragment last = Make(6, 1, 0, 3, 1);
    Fragment sum = last;
    EXPECT_EQ(memory.Receive(sum), Verdict::COMPLETES);
    EXPECT_EQ(sum.values, GradientVector{1201});
    EXPECT_EQ(first.values, GradientVector{500});
    EXPECT_EQ(second.values, GradientVector{501});
    EXPECT_EQ(urgent.values, GradientVector{600});
    EXPECT_EQ(last.values, GradientVector{601});
}

TEST(EsaMemory, WithoutAgeingAStrandedFragmentKeepsItsSlot)
{
    EsaMemory memory(1, {true, false, false});
    Put(memory, Make(5, 0, 0, 3, 100));
    for (int n = 0; n < 20; ++n)
    {
        EXPECT_EQ(Put(memory, Make(6 + n, 0, 0, 3, 99)), Verdict::COLLIDES);
    }
}

TEST(EsaMemory, AReminderTakesOutWhatTheSlotHolds)
{
    EsaMemory memory(2, {});
    Put(memory, Make(5, 0, 1, 3));
    Fragment sum;
    EXPECT_FALSE(memory.Flush(Fragment::MakeKey(1, 4), 1, sum));
    EXPECT_FALSE(memory.Flush(Fragment::MakeKey(1, 5), 0, sum));
    EXPECT_TRUE(memory.Flush(Fragment::MakeKey(1, 5), 1, sum));
    EXPECT_EQ(sum.values, GradientVector{500});
    EXPECT_EQ(memory.GetFree(), 2U);
    EXPECT_EQ(memory.GetFlushed(), 1U);
}

TEST(EsaMemory, NothingOfAJobStaysAfterItEnds)
{
    EsaMemory memory(4, {});
    Put(memory, Make(5, 0, 1, 3));
    Put(memory, Make(6, 0, 2, 3));
    EXPECT_EQ(memory.EndJob(2), 0U);
    EXPECT_EQ(memory.EndJob(1), 2U);
    EXPECT_EQ(memory.GetFree(), 4U);
}

TEST(SlotMemory, RandomSchedulesOfAtpAreExact)
{
    RunSchedules([](uint32_t slots) { return std::make_unique<AtpMemory>(slots); });
}

TEST(SlotMemory, RandomSchedulesOfAtpThatFreesAtCompletionAreExact)
{
    RunSchedules([](uint32_t slots) { return std::make_unique<AtpMemory>(slots, true); });
}

TEST(SlotMemory, RandomSchedulesWithSlotsPerPortAreExact)
{
    RunSchedules([](uint32_t slots) { return std::make_unique<AtpMemory>(slots); }, 2);
    RunSchedules(
        [](uint32_t slots) { return std::make_unique<EsaMemory>(slots, EsaMemory::Options()); },
        1);
}

TEST(SlotMemory, RandomSchedulesOfEsaAreExact)
{
    for (uint32_t options = 0; options < 8; options += 3)
    {
        RunSchedules([options](uint32_t slots) {
            const EsaMemory::Options chosen{(options & 1) == 0,
                                            (options & 2) == 0,
                                            (options & 4) != 0};
            return std::make_unique<EsaMemory>(slots, chosen);
        });
    }
}

TEST(SlotMemory, ASumHasCollidedIfAPacketOfItHas)
{
    AtpMemory memory(1);
    Fragment first = Make(5, 0, 0, 0);
    first.expected = 3;
    Fragment second = Make(5, 1, 0, 0);
    second.expected = 3;
    second.hasCollided = true;
    EXPECT_EQ(memory.Receive(first), SlotMemory::Verdict::HELD);
    EXPECT_EQ(memory.Receive(second), SlotMemory::Verdict::COMPLETES);
    EXPECT_TRUE(second.hasCollided);
}

TEST(SumLedger, AddsEachWorkerOnce)
{
    SumLedger ledger;
    Fragment partial = Make(5, 0, 0, 0);
    partial.bitmap = 3;
    partial.hasCollided = true;
    EXPECT_EQ(ledger.Receive(partial, 7), SumLedger::Verdict::ADDED);
    Fragment overlap = Make(5, 1, 0, 0);
    overlap.bitmap = 6;
    EXPECT_EQ(ledger.Receive(overlap, 7), SumLedger::Verdict::OVERLAPS);
    Fragment last = Make(5, 2, 0, 0);
    EXPECT_EQ(ledger.Receive(last, 7), SumLedger::Verdict::COMPLETES);
    EXPECT_EQ(ledger.Receive(last, 7), SumLedger::Verdict::REPEATS);
    const SumLedger::Entry* entry = ledger.Find(last.key);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->sum.values, GradientVector{1002});
    EXPECT_TRUE(entry->sum.hasCollided);
    EXPECT_EQ(entry->overlaps, 1U);
    ledger.Forget(last.key);
    EXPECT_EQ(ledger.GetSize(), 0U);
}

TEST(SlotRing, HashesByCrc32)
{
    // CRC-32 of the bytes 01 00 02 00 00 00, without its final inversion.
    EXPECT_EQ(SlotRing::Hash(1, 2, 0), 0x2f684572);
}

TEST(SlotRing, PlacesHaveDistinctSlotsIfThereAreEnough)
{
    const SlotRing ring(7, 100, 100);
    std::set<uint16_t> slots;
    for (uint32_t sequence = 0; sequence < 100; ++sequence)
    {
        slots.insert(ring.Get(sequence));
        EXPECT_EQ(ring.Get(sequence), ring.Get(sequence + 100));
    }
    EXPECT_EQ(slots.size(), 100U);
    const SlotRing crowded(7, 100, 10);
    for (uint32_t sequence = 0; sequence < 100; ++sequence)
    {
        EXPECT_LT(crowded.Get(sequence), 10);
    }
}

TEST(SlotRing, CollidesAsTheFormulaSays)
{
    constexpr uint32_t SLOTS = 2000;
    uint32_t places = 0;
    std::set<uint16_t> slots;
    for (uint16_t job = 0; job < 20; ++job)
    {
        const SlotRing ring(job, SLOTS / 10, SLOTS);
        for (uint32_t place = 0; place < SLOTS / 10; ++place, ++places)
        {
            slots.insert(ring.Get(place));
        }
    }
    // 20 jobs of a tenth of the slots each: 1 - 0.9^20 of the slots are used, by twice as many.
    EXPECT_NEAR(static_cast<double>(slots.size()) / places, 0.439, 0.02);
}

TEST(SlotRing, MovesToASlotThatIsFree)
{
    SlotRing ring(7, 2, 10);
    const uint16_t other = ring.Get(1);
    ring.Move(0, other);
    EXPECT_NE(ring.Get(0), other) << "another place has it";
    uint16_t free = 0;
    while (ring.Has(free))
    {
        ++free;
    }
    const uint16_t before = ring.Get(2);
    ring.Move(2, free);
    EXPECT_EQ(ring.Get(0), free);
    EXPECT_FALSE(ring.Has(before));
    ring.Move(0, 10);
    EXPECT_EQ(ring.Get(0), free) << "there is no such slot";
}
