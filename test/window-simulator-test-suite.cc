/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/window-simulator.h"
#include "ns3/worker-number.h"

#include <set>
#include <string>
#include <vector>

/// All tests of WindowSimulator; that results are equal is a law of ai-fabric-clock.
static Suite g_windowSimulator("ai-fabric-window-simulator");

namespace
{

constexpr uint32_t NODE = 3;  //!< context of events
constexpr uint32_t OTHER = 1; //!< context of events of another node

/// Events that write their names, in windows.
struct WindowTestCase : FabricTestCase
{
    void DoSetup() override
    {
        FabricTestCase::DoSetup();
        UseWindows(false);
        Config::SetDefault("ns3::aifabric::WindowSimulator::LongestWindow",
                           TimeValue(NanoSeconds(100)));
    }

    /// @return what writes a name, and how long after the start in nanoseconds
    std::function<void()> Write(const std::string& name)
    {
        return [this, name]() {
            m_order += name + std::to_string(Simulator::Now().GetNanoSeconds()) + " ";
        };
    }

    /// Have a function run at a node.
    static void At(uint32_t node, int64_t ns, std::function<void()> function)
    {
        ScheduleFunctionWithContext(node, NanoSeconds(ns), std::move(function));
    }

    /// Write a name alone.
    void Append(std::string name)
    {
        m_order += name;
    }

    std::string m_order; //!< names and times of what has run
};

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "it is chosen by a global value")
{
    NS_TEST_EXPECT_MSG_NE(WindowSimulator::Get(), nullptr, "in windows");
    Simulator::Destroy();
    Config::SetGlobal("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
    NS_TEST_EXPECT_MSG_EQ(WindowSimulator::Get(), nullptr, "on a list of events");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "a node runs through a window before the next one")
{
    for (const uint32_t node : {NODE, OTHER})
    {
        At(node, 0, [this, node]() {
            const std::string name = node == NODE ? "a" : "b";
            ScheduleFunction(NanoSeconds(10), Write(name));
            ScheduleFunction(NanoSeconds(20), Write(name));
            ScheduleFunction(NanoSeconds(150), Write(name));
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "b10 b20 a10 a20 b150 a150 ", "by windows of 100 ns from 10");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(150), "the time of the last event");
    NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 8, "events");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "an event without a node runs alone, in its turn")
{
    At(NODE, 0, [this]() {
        ScheduleFunction(NanoSeconds(10), Write("a"));
        ScheduleFunction(NanoSeconds(30), Write("before"));
    });
    At(OTHER, 0, [this]() { ScheduleFunction(NanoSeconds(20), Write("b")); });
    At(Simulator::NO_CONTEXT, 5, [this]() { // after what a node has scheduled for then, earlier
        ScheduleFunction(NanoSeconds(25), Write("alone"));
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetContext(), Simulator::NO_CONTEXT, "no node");
    });
    At(NODE, 6, [this]() { ScheduleFunction(NanoSeconds(24), Write("after")); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "b20 a10 before30 alone30 after30 ", "as one list has them");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "an event at another node, a window later")
{
    At(NODE, 0, [this]() {
        ScheduleFunction(NanoSeconds(10), [this]() { At(OTHER, 100, Write("b")); });
    });
    At(OTHER, 0, [this]() { ScheduleFunction(NanoSeconds(120), Write("late")); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "b110 late120 ", "in the order of time");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "nodes of one room run in the order of time")
{
    WindowSimulator::Get()->Join(OTHER, NODE);
    At(NODE, 0, [this]() {
        ScheduleFunction(NanoSeconds(10), [this]() { At(OTHER, 0, Write("a")); });
        ScheduleFunction(NanoSeconds(30),
                         [this]() { m_order += std::to_string(Simulator::GetContext()) + " "; });
    });
    At(OTHER, 0, [this]() { ScheduleFunction(NanoSeconds(20), Write("b")); });
    At(0, 0, [this]() { ScheduleFunction(NanoSeconds(40), Write("alone")); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "alone40 a10 b20 3 ", "and node 0 goes through its own window");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "events are cancelled, removed, and expire")
{
    EventId cancelled;
    EventId removed;
    EventId kept;
    At(NODE, 0, [&]() {
        cancelled = ScheduleFunction(NanoSeconds(10), Write("cancelled"));
        removed = ScheduleFunction(NanoSeconds(10), Write("removed"));
        kept = ScheduleFunction(NanoSeconds(10), Write("kept"));
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetDelayLeft(kept), NanoSeconds(10), "time left");
        Simulator::Cancel(cancelled);
        Simulator::Remove(removed);
        NS_TEST_EXPECT_MSG_EQ(cancelled.IsExpired(), true, "cancelled");
        NS_TEST_EXPECT_MSG_EQ(removed.IsExpired(), true, "removed");
        NS_TEST_EXPECT_MSG_EQ(kept.IsExpired(), false, "to come");
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "kept10 ", "one is left");
    NS_TEST_EXPECT_MSG_EQ(kept.IsExpired(), true, "past");
    NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "nothing is left");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "a run that stops goes on")
{
    At(NODE, 0, [this]() {
        ScheduleFunction(NanoSeconds(10), Write("a"));
        ScheduleFunction(NanoSeconds(20), Write("b"));
    });
    Simulator::Stop(NanoSeconds(15));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "a10 ", "up to the stop");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(15), "its time");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "a10 b20 ", "and the rest");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "a stop at a node ends the run with the window")
{
    At(NODE, 0, [this]() {
        ScheduleFunction(NanoSeconds(10), [this]() {
            Write("stop")();
            Simulator::Stop();
        });
        ScheduleFunction(NanoSeconds(20), Write("same"));
        ScheduleFunction(NanoSeconds(120), Write("next"));
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "stop10 same20 ", "the window, and no more");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "what has run is expired, whichever node was last")
{
    EventId past;
    At(NODE, 0, [this]() { ScheduleFunction(NanoSeconds(10), Write("a")); });
    At(OTHER, 0, [&]() { past = ScheduleFunction(NanoSeconds(50), Write("b")); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "b50 a10 ", "the last event is not that of the last node");
    NS_TEST_EXPECT_MSG_EQ(past.IsExpired(), true, "it has run");
    const EventId now = ScheduleFunction(Time(0), Write("c"));
    NS_TEST_EXPECT_MSG_EQ(now.IsExpired(), false, "this one has not");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(now.IsExpired(), true, "but now");
}

FABRIC_TEST_F(WindowTestCase,
              g_windowSimulator,
              "windows are as long as links allow, as they are now")
{
    Config::SetDefault("ns3::aifabric::WindowSimulator::LongestWindow", TimeValue(Time(0)));
    const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    const auto run = [this]() {
        m_order.clear();
        for (const uint32_t node : {NODE, OTHER})
        {
            At(node, 0, [this, node]() {
                const std::string name = node == NODE ? "a" : "b";
                for (const int64_t ns : {1, 2})
                {
                    ScheduleFunction(NanoSeconds(100 * ns), [this, name]() { m_order += name; });
                }
            });
        }
        Simulator::Run();
    };
    run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "bbaa", "links of 500 ns");
    fabric->GetNic(0)->GetPort(0)->GetChannel()->SetDelay(NanoSeconds(50));
    run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "baba", "one of 50 ns");
    fabric->Dispose();
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "a port that is disposed of wakes no node")
{
    const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    const Ptr<FabricPort> port = fabric->GetNic(0)->GetPort(0);
    SendFrame(*fabric, MakeFrame(*fabric, 0, 1, LOSSLESS_CLASS, 1000));
    Simulator::Run();
    fabric->GetHosts().Get(0)->Dispose();
    port->GetTransmitter().Advance(FabricClock::Now()); // as who reads its counters does
    NS_TEST_EXPECT_MSG_EQ(port->GetTransmitter().GetCounters().deliveredFrames, 1, "it counts");
    NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "nothing is left");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "a stop at a node, soon, waits for the window")
{
    At(NODE, 0, [this]() {
        ScheduleFunction(NanoSeconds(10), []() { Simulator::Stop(NanoSeconds(1)); });
        ScheduleFunction(NanoSeconds(20), Write("same"));
        ScheduleFunction(NanoSeconds(120), Write("next"));
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "same20 ", "the window, and no more");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(110), "its end");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "events of the end run at the end")
{
    Simulator::ScheduleDestroy(&WindowTestCase::Append, this, std::string("end"));
    EventId cancelled =
        Simulator::ScheduleDestroy(&WindowTestCase::Append, this, std::string("cancelled"));
    NS_TEST_EXPECT_MSG_EQ(cancelled.IsExpired(), false, "to come");
    cancelled.Cancel();
    NS_TEST_EXPECT_MSG_EQ(cancelled.IsExpired(), true, "cancelled");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "", "not yet");
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(m_order, "end", "now");
}

/// Nodes that send each other events, on several threads: 8 of them, each with a text of its own.
struct ThreadsTestCase : WindowTestCase
{
    static constexpr uint32_t NODES = 8; //!< nodes

    /// A node writes the time, and sends an event to the next one, a window later.
    /// @param node its number  @param left how often yet
    void Pass(uint32_t node, uint32_t left)
    {
        m_texts[node] += std::to_string(Simulator::Now().GetNanoSeconds()) + " ";
        WindowSimulator::Defer([this, node]() { m_order += std::to_string(node); });
        if (left > 0)
        {
            const uint32_t next = (node + 3) % NODES;
            At(next, 100 + node, [this, next, left]() { Pass(next, left - 1); });
            ScheduleFunction(NanoSeconds(7), [this, node]() { m_texts[node] += "own "; });
        }
    }

    /// @return what all nodes have written  @param threads on how many threads
    std::string RunOn(uint32_t threads)
    {
        Default("WindowSimulator::Threads", threads);
        m_order.clear();
        m_texts.assign(NODES, "");
        for (uint32_t node = 0; node < NODES; ++node)
        {
            At(node, node % 3, [this, node]() { Pass(node, 40); });
        }
        Simulator::Run();
        std::string all = m_order + " " + std::to_string(Simulator::GetEventCount());
        for (const std::string& text : m_texts)
        {
            all += "|" + text;
        }
        Simulator::Destroy();
        return all;
    }

    std::vector<std::string> m_texts; //!< by node
};

FABRIC_TEST_F(ThreadsTestCase, g_windowSimulator, "threads run nodes as one does")
{
    const std::string one = RunOn(1);
    NS_TEST_EXPECT_MSG_EQ(one.substr(0, 8), "03614725", "deferred calls by time, then node");
    for (const uint32_t threads : {2, 3, 8, 20})
    {
        NS_TEST_EXPECT_MSG_EQ(RunOn(threads), one, threads << " threads");
    }
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "what is deferred waits for the end of the window")
{
    At(NODE, 0, [this]() {
        ScheduleFunction(NanoSeconds(10), [this]() { WindowSimulator::Defer(Write("deferred")); });
        ScheduleFunction(NanoSeconds(20), Write("same"));
        ScheduleFunction(NanoSeconds(120), Write("next"));
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_order, "same20 deferred10 next120 ", "and has its own time");
    WindowSimulator::Defer(Write("now"));
    NS_TEST_EXPECT_MSG_EQ(m_order.substr(m_order.size() - 7), "now120 ", "at once in no window");
}

FABRIC_TEST_F(WindowTestCase, g_windowSimulator, "frames that another thread frees are used again")
{
    constexpr uint32_t FRAMES = 1000;
    const Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    std::set<const FabricFrame*> places;
    for (uint32_t round = 0; round < 20; ++round)
    {
        std::vector<Ptr<FabricFrame>> frames;
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            frames.push_back(pool->Create());
            places.insert(PeekPointer(frames.back()));
        }
        NS_TEST_EXPECT_MSG_EQ(pool->GetLive(), FRAMES, "in use");
        WorkerNumber::Set(1);
        frames.clear();
        WorkerNumber::Set(0);
        NS_TEST_EXPECT_MSG_EQ(pool->GetLive(), 0, "all are free");
    }
    NS_TEST_EXPECT_MSG_LT(places.size(), 2 * FRAMES, "of twenty times as many");
}

} // namespace
