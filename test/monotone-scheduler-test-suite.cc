/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/event-impl.h"
#include "ns3/map-scheduler.h"
#include "ns3/monotone-scheduler.h"

#include <ctime>
#include <tuple>

/// The event queue: order, and equality with MapScheduler.
static Suite g_monotoneScheduler("ai-fabric-monotone-scheduler");
using aifabric::MonotoneScheduler;

namespace
{

std::pair<uint64_t, uint32_t>
GetOrder(const Scheduler::Event& event)
{
    return {event.key.m_ts, event.key.m_uid};
}

/** A MonotoneScheduler and a MapScheduler that are given the same events and compared. */
struct SchedulerPair
{
    /// @param ts timestamp of the event to insert
    void Insert(uint64_t ts, uint32_t uid)
    {
        const Scheduler::Event event{nullptr, {ts, uid, uid ^ 0x5a5a}};
        m_tested->Insert(event);
        m_reference->Insert(event);
        m_pending.push_back(event);
    }

    /** @return whether both agree on the next event */
    bool Peek() const
    {
        return IsSame(m_tested->PeekNext(), m_reference->PeekNext());
    }

    /** @return whether both agree on the next event, which is removed */
    bool RemoveNext()
    {
        m_last = m_reference->RemoveNext();
        const auto found = std::find(m_pending.begin(), m_pending.end(), m_last);
        *found = m_pending.back();
        m_pending.pop_back();
        return IsSame(m_tested->RemoveNext(), m_last);
    }

    /** @param index of the pending event to remove */
    void Remove(std::size_t index)
    {
        m_tested->Remove(m_pending[index]);
        m_reference->Remove(m_pending[index]);
        m_pending[index] = m_pending.back();
        m_pending.pop_back();
    }

    /** @return whether both agree on being empty or not */
    bool IsEmptinessSame() const
    {
        return m_tested->IsEmpty() == m_reference->IsEmpty();
    }

    /** @return number of pending events */
    std::size_t GetSize() const
    {
        return m_pending.size();
    }

    /** @return timestamp of the last event that RemoveNext removed */
    uint64_t GetNow() const
    {
        return m_last.key.m_ts;
    }

    /** @return timestamp of the next event */
    uint64_t GetNextTime() const
    {
        return m_reference->PeekNext().key.m_ts;
    }

    /// @return whether all that an event holds is the same
    static bool IsSame(const Scheduler::Event& a, const Scheduler::Event& b)
    {
        return GetOrder(a) == GetOrder(b) && a.key.m_context == b.key.m_context && a.impl == b.impl;
    }

    Ptr<Scheduler> m_tested{CreateObject<MonotoneScheduler>()}; //!< The one under test.
    Ptr<Scheduler> m_reference{CreateObject<MapScheduler>()};   //!< The one to compare with.
    std::vector<Scheduler::Event> m_pending;                    //!< What both hold.
    Scheduler::Event m_last{nullptr, {0, 0, 0}};                //!< Removed last.
};

} // namespace

/// Any sequence of operations gives what MapScheduler gives.
struct MonotoneSchedulerPropertyTestCase : FabricTestCase
{
    /** What a sequence of operations is like. */
    struct Habit
    {
        std::string name;  //!< Of the test case.
        uint32_t size;     //!< Events pending, about.
        bool backwards;    //!< Timestamps may be before the event removed last.
        bool shuffledUids; //!< Uids do not grow.
    };

    /// @param habit what the operations are like
    void Check(const Habit& habit, int64_t stream)
    {
        m_habit = habit;
        m_random->SetStream(stream);
        SchedulerPair schedulers;
        for (uint32_t step = 0; step < STEPS; step++)
        {
            NS_TEST_ASSERT_MSG_EQ(Operate(schedulers), true, "in step " << step);
            NS_TEST_ASSERT_MSG_EQ(schedulers.IsEmptinessSame(), true, "in step " << step);
        }
        while (schedulers.GetSize() > 0)
        {
            NS_TEST_ASSERT_MSG_EQ(schedulers.RemoveNext(), true, "at the end");
        }
        NS_TEST_ASSERT_MSG_EQ(schedulers.IsEmptinessSame(), true, "at the end");
    }

    /// @return one of 0 to limit - 1
    uint32_t Draw(uint32_t limit)
    {
        return m_random->GetInteger(0, limit - 1);
    }

    /** @return the time from now to an event */
    uint64_t DrawDelay()
    {
        switch (Draw(8))
        {
        case 0:
            return 0;
        case 1:
            return Draw(4); // ties
        case 2:
        case 3:
            return 500'000 + (Draw(2) ? 41'580 : 640); // a packet's way over a link
        case 4:
            return Draw(1 << 20);
        case 5:
            return uint64_t{1} << Draw(62); // the digits' borders
        case 6:
            return (uint64_t{1} << (10 * (1 + Draw(6)))) - Draw(3);
        default:
            return static_cast<uint64_t>(Draw(1 << 30)) << Draw(32);
        }
    }

    /// @return a timestamp
    uint64_t DrawTime(const SchedulerPair& schedulers)
    {
        const uint64_t now = schedulers.GetNow();
        const uint64_t delay = DrawDelay();
        if (m_habit.backwards && Draw(4) == 0)
        {
            return now - std::min(now, delay);
        }
        return now + std::min(delay, UINT64_MAX - now);
    }

    /** @return a uid that was not used */
    uint32_t DrawUid()
    {
        m_uid++;
        return m_habit.shuffledUids ? m_uid * 0x9e3779b1 : m_uid;
    }

    /// Do a random operation.  @param schedulers what to do it with  @return whether both gave the
    /// same
    bool Operate(SchedulerPair& schedulers)
    {
        if (schedulers.GetSize() == 0 || Draw(2 * m_habit.size) >= schedulers.GetSize())
        {
            schedulers.Insert(DrawTime(schedulers), DrawUid());
            return true;
        }
        switch (Draw(8))
        {
        case 0:
            return schedulers.Peek();
        case 1:
            return PeekAndPrecede(schedulers);
        case 2:
            schedulers.Remove(Draw(schedulers.GetSize()));
            return true;
        default:
            return schedulers.RemoveNext();
        }
    }

    /// Look at the next event, and insert one that is earlier or simultaneous.  @param schedulers
    /// what to do it with  @return whether both gave the same
    bool PeekAndPrecede(SchedulerPair& schedulers)
    {
        const bool same = schedulers.Peek();
        const uint64_t now = schedulers.GetNow();
        const uint64_t next = schedulers.GetNextTime();
        const uint64_t ahead = next > now ? next - now : 0;
        schedulers.Insert(next - (ahead >> Draw(64)), DrawUid());
        return same && schedulers.Peek();
    }

    static constexpr uint32_t STEPS = 20'000; //!< Operations.

    Habit m_habit;     //!< What the operations are like.
    uint32_t m_uid{0}; //!< Counts the uids.
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< The choice.
};

/// Simultaneous events come in the order of their uids, many as well as few, and at the ends of
/// time.
FABRIC_TEST_F(TestCase, g_monotoneScheduler, "Simultaneous events come in the order of uids")
{
    constexpr uint32_t TIES = 100'000;
    const std::vector<uint64_t> times{0, 1023, 1024, 541'580, INT64_MAX, UINT64_MAX};
    const auto scheduler = CreateObject<MonotoneScheduler>();
    for (uint32_t i = 0; i < TIES; i++)
    {
        for (uint32_t j = 0; j < times.size(); j++)
        {
            scheduler->Insert({nullptr, {times[j], i * 8 + j, 0}});
        }
    }
    for (uint32_t j = 0; j < times.size(); j++)
    {
        for (uint32_t i = 0; i < TIES; i++)
        {
            const auto expected = std::make_pair(times[j], i * 8 + j);
            const bool same = GetOrder(scheduler->RemoveNext()) == expected;
            NS_TEST_ASSERT_MSG_EQ(same, true, "event " << i << " at " << times[j]);
        }
    }
    NS_TEST_ASSERT_MSG_EQ(scheduler->IsEmpty(), true, "more than was inserted");
}

/// Simultaneous events that were inserted at very different times before, as the timers of many
/// queue pairs are, come in the order of their uids, and each takes about as long as any other.
FABRIC_TEST_F(TestCase, g_monotoneScheduler, "Many simultaneous events, inserted sooner and later")
{
    constexpr uint32_t TIES = 30'000; // each time; their square would take a minute
    const std::vector<uint64_t> stages{1ULL << 45, 1ULL << 35, 1ULL << 25, 1ULL << 15};
    const uint64_t time = std::accumulate(stages.begin(), stages.end(), 1ULL << 50);
    const auto scheduler = CreateObject<MonotoneScheduler>();
    uint32_t uid = 0;
    const std::clock_t begin = std::clock();
    for (const uint64_t before : stages) // a digit of the time less each
    {
        scheduler->Insert({nullptr, {time - before, uid++, 0}});
        scheduler->RemoveNext(); // it is that time now
        for (uint32_t i = 0; i < TIES; i++)
        {
            scheduler->Insert({nullptr, {time, uid++, 0}});
        }
    }
    uint32_t previous = 0;
    while (!scheduler->IsEmpty())
    {
        const uint32_t next = scheduler->RemoveNext().key.m_uid;
        NS_TEST_ASSERT_MSG_GT(next, previous, "in order");
        previous = next;
    }
    NS_TEST_ASSERT_MSG_EQ(previous, uid - 1, "all of them");
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    NS_TEST_ASSERT_MSG_LT(seconds, 3, "not their square");
}

/// A simulation does the same with MonotoneScheduler as with MapScheduler, also if schedulers are
/// exchanged on the way.
struct MonotoneSchedulerSimulatorTestCase : FabricTestCase
{
    /** When which event took place in which context. */
    using Record = std::vector<std::tuple<int64_t, uint32_t, uint32_t>>;

    /// @param schedulers TypeIds of the schedulers to use one after the other  @return what took
    /// place
    Record Simulate(const std::vector<std::string>& schedulers)
    {
        m_record.clear();
        m_ids.clear();
        m_count = 0;
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(1);
        for (std::size_t i = 0; i < schedulers.size(); i++)
        {
            const ObjectFactory factory(schedulers[i]);
            if (i == 0)
            {
                Simulator::SetScheduler(factory);
                continue;
            }
            // a context that no event has, and a time at which none is due
            aifabric::ScheduleFunctionWithContext(UINT32_MAX, TimeStep(i * 100'003), [factory] {
                Simulator::SetScheduler(factory);
            });
        }
        for (uint32_t i = 0; i < 100; i++)
        {
            ScheduleOne();
        }
        Simulator::Run();
        Simulator::Destroy();
        return m_record;
    }

    /** Schedule an event at a random time. */
    void ScheduleOne()
    {
        const uint32_t delays[] = {0, 1, 64, 840, 41'780, m_random->GetInteger(0, 600'000)};
        const Time delay = TimeStep(delays[m_random->GetInteger(0, 5)] * 2);
        const uint32_t number = m_count++;
        if (m_random->GetInteger(0, 1))
        {
            aifabric::ScheduleFunctionWithContext(number, delay, [this, number] { Act(number); });
            return;
        }
        m_ids.push_back(aifabric::ScheduleFunction(delay, [this, number] { Act(number); }));
    }

    /// An event: record it, and schedule, cancel or remove others.
    void Act(uint32_t number)
    {
        m_record.emplace_back(Simulator::Now().GetTimeStep(), number, Simulator::GetContext());
        for (uint32_t i = m_random->GetInteger(0, 2); i > 0 && m_count < EVENTS; i--)
        {
            ScheduleOne();
        }
        if (m_count < EVENTS)
        {
            ScheduleOne();
        }
        if (m_ids.empty() || m_random->GetInteger(0, 1))
        {
            return;
        }
        EventId& id = m_ids[m_random->GetInteger(0, m_ids.size() - 1)];
        if (m_random->GetInteger(0, 1))
        {
            Simulator::Cancel(id);
            return;
        }
        Simulator::Remove(id);
    }

    static constexpr uint32_t EVENTS = 20'000; //!< Scheduled, about.

    uint32_t m_count{0};                 //!< Events scheduled so far.
    Record m_record;                     //!< What took place.
    std::vector<EventId> m_ids;          //!< Events that may be canceled or removed.
    Ptr<UniformRandomVariable> m_random; //!< The choice.
};

FABRIC_TEST_F(MonotoneSchedulerSimulatorTestCase,
              g_monotoneScheduler,
              "Simulator::SetScheduler on the way changes nothing")
{
    const std::string map = "ns3::MapScheduler";
    const std::string monotone = "ns3::aifabric::MonotoneScheduler";
    const Record expected = Simulate({map});
    const bool isLong = expected.size() > EVENTS / 2 && std::get<0>(expected.back()) > 1'000'000;
    NS_TEST_ASSERT_MSG_EQ(isLong, true, "the simulation is too short");
    const std::vector<std::vector<std::string>> sequences{
        {monotone},
        {map, monotone},
        {monotone, map},
        {monotone, monotone, map, monotone},
    };
    for (const auto& schedulers : sequences)
    {
        const bool same = Simulate(schedulers) == expected;
        NS_TEST_EXPECT_MSG_EQ(same, true, schedulers.size() << " schedulers");
    }
}

FABRIC_ROWS(g_monotoneScheduler)
{
    using Property = MonotoneSchedulerPropertyTestCase;
    const std::vector<Property::Habit> habits{
        {"few events", 3, false, false},
        {"some events", 100, false, false},
        {"many events", 2000, false, false},
        {"before the last event", 100, true, false},
        {"before the last event, few", 3, true, false},
        {"uids in any order", 100, false, true},
        {"both", 100, true, true},
    };
    for (std::size_t i = 0; i < habits.size(); i++)
    {
        rows.AddRow<Property>(habits[i].name, habits[i], i + 1);
    }
}
