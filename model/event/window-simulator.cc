/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-simulator.h"

#include "window-team.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/make-event.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(WindowSimulator);

namespace
{

// As those of all simulators of ns-3
constexpr uint32_t DESTROY_UID = 2; //!< of events of ScheduleDestroy()
constexpr uint32_t FIRST_UID = 4;   //!< of the first other event

} // namespace

TypeId
WindowSimulator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::WindowSimulator")
            .SetParent<SimulatorImpl>()
            .SetGroupName("AiFabric")
            .AddConstructor<WindowSimulator>()
            .AddAttribute("LongestWindow",
                          "A window is no longer than this, nor than the least delay of a link of "
                          "the fabric. Where nodes interact by other channels, too: less than "
                          "their least delay. Zero: that of the links alone.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&WindowSimulator::m_longest),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Threads",
                "How many threads run the nodes of a window. Results do not depend on it.",
                UintegerValue(1),
                MakeUintegerAccessor(&WindowSimulator::m_threads),
                MakeUintegerChecker<uint32_t>(1, WorkerNumber::MOST))
            .AddAttribute("Shuffled",
                          "Run the nodes of each window in a random order, to test that it does "
                          "not matter.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WindowSimulator::m_isShuffled),
                          MakeBooleanChecker());
    return tid;
}

WindowSimulator*
WindowSimulator::Get()
{
    return dynamic_cast<WindowSimulator*>(PeekPointer(Simulator::GetImplementation()));
}

WindowSimulator::WindowSimulator()
{
    m_workers.emplace_back(m_rooms, 0);
    m_workers.back().SetNextUid(FIRST_UID);
}

WindowSimulator::~WindowSimulator()
{
}

void
WindowSimulator::DoDispose()
{
    WindowRooms::Clear(m_global);
    m_rooms.Clear();
    SimulatorImpl::DoDispose();
}

void
WindowSimulator::Destroy()
{
    while (!m_destroy.empty())
    {
        const EventId id = m_destroy.front();
        m_destroy.pop_front();
        if (!id.PeekEventImpl()->IsCancelled())
        {
            id.PeekEventImpl()->Invoke();
        }
    }
}

bool
WindowSimulator::IsFinished() const
{
    return m_isStopped || (m_global.empty() && m_rooms.FindFirst() == WindowNode::NEVER);
}

void
WindowSimulator::Stop()
{
    m_isStopped = true;
}

WindowSimulator::Stopped
WindowSimulator::Stop(const Time& delay)
{
    const WindowWorker& worker = Worker();
    const uint64_t ts = worker.GetTs() + delay.GetTimeStep();
    return static_cast<Stopped>(Insert(NO_NODE,
                                       worker.IsInWindow() ? std::max(ts, worker.GetEnd()) : ts,
                                       MakeEvent(&Simulator::Stop)));
}

EventId
WindowSimulator::Schedule(const Time& delay, EventImpl* event)
{
    return Insert(Worker().GetContext(), Worker().GetTs() + delay.GetTimeStep(), event);
}

void
WindowSimulator::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    Insert(context, Worker().GetTs() + delay.GetTimeStep(), event);
}

EventId
WindowSimulator::ScheduleNow(EventImpl* event)
{
    return Insert(Worker().GetContext(), Worker().GetTs(), event);
}

EventId
WindowSimulator::ScheduleDestroy(EventImpl* event)
{
    m_destroy.emplace_back(Ptr<EventImpl>(event, false), Worker().GetTs(), NO_NODE, DESTROY_UID);
    return m_destroy.back();
}

EventId
WindowSimulator::Insert(uint32_t context, uint64_t ts, EventImpl* event)
{
    WindowWorker& worker = Worker();
    NS_ABORT_MSG_IF(ts < worker.GetTs(),
                    "an event is scheduled in the past, or after the end of time");
    const Scheduler::Event made{event, {ts, worker.TakeUid(), context}};
    const uint32_t room = m_rooms.RoomOf(context);
    if (context != NO_NODE && room == worker.GetRoom())
    {
        m_rooms.Add(room, made);
    }
    else if (worker.IsInWindow())
    {
        if (ts < worker.GetEnd())
        {
            RefuseEvent(context, ts);
        }
        worker.Send(made);
    }
    else
    {
        m_global.push(made);
    }
    return EventId(event, ts, context, made.key.m_uid);
}

void
WindowSimulator::RefuseEvent(uint32_t context, uint64_t ts) const
{
    const std::string where = context == NO_NODE ? "an event without a node"
                                                 : "an event at node " + std::to_string(context);
    NS_FATAL_ERROR("node " << Worker().GetContext() << " schedules " << where << " in "
                           << TimeStep(ts - Worker().GetTs()).As(Time::NS)
                           << ", within a window of " << TimeStep(m_length).As(Time::NS)
                           << ": ns3::aifabric::WindowSimulator needs at least that delay "
                              "(LongestWindow shortens windows; another simulator has none)");
}

void
WindowSimulator::TouchOther(uint32_t room)
{
    NS_ABORT_MSG_IF(Worker().IsInWindow(),
                    "node " << Worker().GetContext() << " acts on node " << room
                            << " without a delay: ns3::aifabric::WindowSimulator cannot run this "
                               "scenario; another simulator can");
    m_rooms.Reserve(room);
    m_rooms.Wake(room, Worker().GetTs());
}

void
WindowSimulator::Remove(const EventId& id)
{
    if (id.GetUid() == DESTROY_UID)
    {
        m_destroy.remove(id);
        return;
    }
    Cancel(id);
}

void
WindowSimulator::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
WindowSimulator::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == DESTROY_UID)
    {
        return std::find(m_destroy.begin(), m_destroy.end(), id) == m_destroy.end();
    }
    const WindowWorker& worker = Worker();
    return id.GetTs() < worker.GetTs() ||
           (id.GetTs() == worker.GetTs() && id.GetUid() <= worker.GetUid());
}

Time
WindowSimulator::Now() const
{
    return TimeStep(Worker().GetTs());
}

Time
WindowSimulator::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) ? TimeStep(0) : TimeStep(id.GetTs() - Worker().GetTs());
}

Time
WindowSimulator::GetMaximumSimulationTime() const
{
    return TimeStep(INT64_MAX);
}

void
WindowSimulator::SetScheduler(ObjectFactory)
{
}

uint32_t
WindowSimulator::GetSystemId() const
{
    return 0;
}

uint32_t
WindowSimulator::GetContext() const
{
    return Worker().GetContext();
}

uint64_t
WindowSimulator::GetEventCount() const
{
    uint64_t count = 0;
    for (const WindowWorker& worker : m_workers)
    {
        count += worker.GetEventCount();
    }
    return count;
}

WindowNode*
WindowSimulator::GetNode(uint32_t node) const
{
    return m_rooms.GetNode(node);
}

void
WindowSimulator::SetNode(uint32_t node, Ptr<WindowNode> what)
{
    m_rooms.SetNode(node, what);
    m_isPrepared = false;
}

void
WindowSimulator::Join(uint32_t room, uint32_t node)
{
    m_rooms.Join(room, node);
    m_work.clear(); // to be shared anew
}

void
WindowSimulator::RequireOneThread(const std::string& who)
{
    const WindowSimulator* const windows = Get();
    NS_ABORT_MSG_IF(windows && windows->m_threads > 1,
                    who << " needs ns3::aifabric::WindowSimulator::Threads=1, which is "
                        << windows->m_threads);
}

void
WindowSimulator::SetUnprepared()
{
    NS_ABORT_MSG_IF(Worker().IsInWindow(),
                    "node " << Worker().GetContext()
                            << " changes links: ns3::aifabric::WindowSimulator needs "
                            << "that in an event without a node, or before the run");
    m_isPrepared = false;
}

void
WindowSimulator::Defer(std::function<void()> call)
{
    if (WindowWorker* const worker = WindowWorker::GetCurrent())
    {
        worker->Defer(std::move(call));
        return;
    }
    call();
}

void
WindowSimulator::Prepare()
{
    m_isPrepared = true;
    m_length = std::min(m_rooms.Prepare(),
                        m_longest.IsZero() ? WindowNode::NEVER : m_longest.GetTimeStep());
    NS_ABORT_MSG_IF(Time::GetResolution() != Time::FS,
                    "ns3::aifabric::WindowSimulator: call Time::SetResolution(Time::FS) before "
                    "anything else");
    if (m_length == WindowNode::NEVER)
    {
        m_length = 1; // nothing is known of how nodes interact
    }
}

void
WindowSimulator::Share()
{
    constexpr uint64_t LONGEST = 1024; // windows
    const bool isDue = m_windowsToShare-- == 0 && m_threads > 1;
    if (!isDue && m_work.size() == m_rooms.GetSize())
    {
        return;
    }
    m_sharedFor = std::min(m_sharedFor * 2 + 1, LONGEST); // the work of the first windows is new
    m_windowsToShare = m_sharedFor;
    m_work.resize(m_rooms.GetSize(), 1);
    m_rooms.Share(m_threads, m_work);
    std::fill(m_work.begin(), m_work.end(), 1);
    m_isPrepared = m_isPrepared && m_threads == 1;
}

void
WindowSimulator::Run()
{
    while (m_workers.size() < m_threads)
    {
        m_workers.emplace_back(m_rooms, m_workers.size());
    }
    for (WindowWorker& worker : m_workers)
    {
        worker.Prepare(m_threads);
    }
    WindowTeam team(m_threads);
    m_isStopped = false;
    while (!m_isStopped)
    {
        Share();
        if (!m_isPrepared)
        {
            Prepare();
        }
        const uint64_t first = m_rooms.FindFirst();
        const uint64_t global = m_global.empty() ? WindowNode::NEVER : m_global.top().key.m_ts;
        if (first == WindowNode::NEVER && m_global.empty())
        {
            break;
        }
        if (first <= global)
        {
            RunWindow(first, team);
        }
        if (global <= first && !m_isStopped)
        {
            Worker().RunAlone(m_global);
        }
    }
}

void
WindowSimulator::RunWindow(uint64_t begin, WindowTeam& team)
{
    Scheduler::EventKey end{begin + std::min(m_length, WindowNode::NEVER - begin), 0, 0};
    if (!m_global.empty() && m_global.top().key < end)
    {
        end = m_global.top().key;
    }
    team.Run([this, begin, &end, uid = Worker().GetNextUid()](uint32_t worker) {
        m_workers[worker].SetNextUid(uid);
        m_workers[worker].Run(begin, end, m_isShuffled, m_work);
    });
    if (m_threads > 1)
    {
        team.Run([this](uint32_t worker) {
            for (uint32_t other = 0; other < m_threads; ++other)
            {
                m_workers[worker].TakeOver(m_workers[other]);
            }
        });
    }
    EndWindow(end);
}

void
WindowSimulator::EndWindow(const Scheduler::EventKey& end)
{
    uint64_t latest = 0;
    uint32_t nextUid = 0;
    std::vector<WindowWorker::Report> reports;
    for (uint32_t i = 0; i < m_threads; ++i)
    {
        WindowWorker& worker = m_workers[i];
        latest = std::max(latest, worker.GetLatest());
        nextUid = std::max(nextUid, worker.GetNextUid());
        for (const Scheduler::Event& event : worker.TakeSent())
        {
            if (event.key.m_context == NO_NODE)
            {
                m_global.push(event);
                continue;
            }
            m_rooms.Add(m_rooms.RoomOf(event.key.m_context), event);
        }
        std::move(worker.GetReports().begin(),
                  worker.GetReports().end(),
                  std::back_inserter(reports));
        worker.GetReports().clear();
    }
    Worker().SetNextUid(nextUid); // later than all of this window
    std::stable_sort(reports.begin(), reports.end(), [](const auto& a, const auto& b) {
        return std::tie(a.ts, a.node) < std::tie(b.ts, b.node);
    });
    for (const WindowWorker::Report& report : reports)
    {
        Worker().Call(report);
    }
    Worker().SetPresent(latest, (latest < end.m_ts ? nextUid : end.m_uid) - 1); // what has run
}

} // namespace aifabric
} // namespace ns3
