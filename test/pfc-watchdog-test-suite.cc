/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/enum.h"
#include "ns3/heartbeat.h"
#include "ns3/pause-monitor.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/port-catalog.h"
#include "ns3/stall-watch.h"
#include "ns3/switch-forwarder.h"

static Suite g_pfcWatchdog("ai-fabric-pfc-watchdog");

namespace
{

constexpr int64_t POLL_PS = 10'000'000; //!< a poll interval of these tests: 10 us
constexpr uint32_t FRAMES = 20;         //!< that wait in the queue

} // namespace

/// One switch with two hosts at 10 Gb/s, and a watchdog that polls each 10 us, detects a storm
/// after 20 us, and restores after 20 us. The test closes and opens the gate of the port to host 0.
struct WatchdogTestCase : FabricTestCase
{
    /// Build switch and watchdog.
    void Build(PfcWatchdog::Action action)
    {
        ClosHelper helper = ClosOf({}, {{"DataRate", "10Gb/s"}});
        helper.SetAdmission(BufferFactory(4000000, 1 << LOSSLESS_CLASS));
        m_fabric = helper.Install(LeafSpine(1, 1, 2));
        m_port = m_fabric->GetNic(0)->GetPort(0)->GetChannel()->GetPort(1);
        if (m_port == m_fabric->GetNic(0)->GetPort(0))
        {
            m_port = m_fabric->GetNic(0)->GetPort(0)->GetChannel()->GetPort(0);
        }
        m_watchdog = CreateObject<PfcWatchdog>();
        m_watchdog->SetAttribute("Action", EnumValue(action));
        m_watchdog->SetAttribute("PollInterval", TimeValue(PicoSeconds(POLL_PS)));
        m_watchdog->SetAttribute("DetectionTime", TimeValue(PicoSeconds(2 * POLL_PS)));
        m_watchdog->SetAttribute("RestorationTime", TimeValue(PicoSeconds(2 * POLL_PS)));
        m_watchdog->Install(*m_fabric->GetSwitch(0), 1 << LOSSLESS_CLASS);
        for (const auto& [trace, times] :
             {std::make_pair("Detected", &m_detected), std::make_pair("Restored", &m_restored)})
        {
            Trace(*m_watchdog, trace, [this, times = times](uint16_t port, uint8_t trafficClass) {
                NS_TEST_EXPECT_MSG_EQ(port, m_port->GetIndex(), "the port to host 0");
                NS_TEST_EXPECT_MSG_EQ(+trafficClass, +LOSSLESS_CLASS, "the lossless class");
                times->push_back(FabricClock::Now());
            });
        }
    }

    /// Take the watchdog down.
    void DoTeardown() override
    {
        if (m_watchdog)
        {
            m_watchdog->Dispose();
            m_watchdog = nullptr;
        }
        m_port = nullptr;
        m_fabric = nullptr;
        FabricTestCase::DoTeardown();
    }

    /// Put frames for host 0 in the switch.
    void Offer(uint32_t count, uint8_t trafficClass, uint16_t bytes)
    {
        const uint16_t ingress = m_port->GetIndex() == 0 ? 1 : 0; // that of host 1
        for (uint32_t i = 0; i < count; ++i)
        {
            m_fabric->GetSwitch(0)->ReceiveFrame(MakeFrame(*m_fabric, 1, 0, trafficClass, bytes),
                                                 ingress,
                                                 FabricClock::Now());
        }
    }

    /// Close or open the gate of the lossless class.  @param quanta for how long; 0: open
    void Pause(uint16_t quanta)
    {
        PauseVector vector{};
        vector.classes = 1 << LOSSLESS_CLASS;
        vector.quanta[LOSSLESS_CLASS] = quanta;
        m_port->ReceivePause(vector, FrameKind::PFC, FabricClock::Now());
    }

    /// Do something later.  @param ps when, in picoseconds
    static void At(int64_t ps, const std::function<void()>& action)
    {
        ScheduleFunction(PicoSeconds(ps), action);
    }

    /// Run until everything has happened, at most 1 ms.
    static void Run()
    {
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
    }

    /// @return frames of the lossless class that wait
    uint32_t GetWaiting() const
    {
        return m_port->GetTransmitter().GetLane(LOSSLESS_CLASS).GetFrames();
    }

    Ptr<Fabric> m_fabric;            //!< switch and hosts
    Ptr<FabricPort> m_port;          //!< the port to host 0
    Ptr<PfcWatchdog> m_watchdog;     //!< the watchdog
    std::vector<int64_t> m_detected; //!< when storms were detected, in picoseconds
    std::vector<int64_t> m_restored; //!< when they were over, in picoseconds
};

/// A storm is detected if frames wait, none was sent, and the class was paused for more than 99 %
/// of each interval; otherwise not.
struct WatchdogRuleTestCase : WatchdogTestCase
{
    /// What happens at the port, 8 intervals long.
    struct Case
    {
        bool frames{true}; //!< frames wait
        int64_t openPs{0}; //!< for so long of each interval the gate is open, in picoseconds
        bool busy{false};  //!< a higher class keeps the wire busy
        bool fires{false}; //!< there is a storm
    };

    void Check(const Case& what)
    {
        constexpr int64_t BEGIN = 100'000'000;
        constexpr int INTERVALS = 8;
        constexpr uint32_t MANY = 120; // of 1500 bytes: 1.2 us each
        Build(PfcWatchdog::FORWARD);
        At(BEGIN, [this, what]() {
            Pause(UINT16_MAX);
            Offer(what.busy ? MANY : 0, HIGH_CLASS, 1500);
            Offer(what.frames ? FRAMES : 0, LOSSLESS_CLASS, 1500);
        });
        for (int i = 0; i < INTERVALS && what.openPs > 0; ++i)
        {
            At(BEGIN + i * POLL_PS + POLL_PS / 2, [this]() { Pause(0); });
            At(BEGIN + i * POLL_PS + POLL_PS / 2 + what.openPs, [this]() { Pause(UINT16_MAX); });
        }
        At(BEGIN + INTERVALS * POLL_PS, [this]() { Pause(0); });
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_detected.size(), (what.fires ? 1U : 0U), "storms");
        NS_TEST_EXPECT_MSG_EQ(m_watchdog->GetCounters().storms, m_detected.size(), "counted");
        if (what.fires)
        {
            NS_TEST_EXPECT_MSG_EQ(m_detected[0], BEGIN + 2 * POLL_PS, "after two intervals");
        }
    }
};

/// With Drop the queue loses its frames and those that come until there was no pause for two
/// intervals; with Forward it sends them in spite of the pause.
struct WatchdogActionTestCase : WatchdogTestCase
{
    void Check(PfcWatchdog::Action action)
    {
        Build(action);
        const bool drops = action == PfcWatchdog::DROP;
        const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(0);
        At(0, [this]() {
            Pause(UINT16_MAX);
            Offer(FRAMES, LOSSLESS_CLASS, 100);
        });
        At(2 * POLL_PS + 1, [&]() {
            NS_TEST_EXPECT_MSG_EQ(GetWaiting(), (drops ? 0 : FRAMES - 1), "the queue is served");
            Pause(UINT16_MAX);
            Offer(1, LOSSLESS_CLASS, 100);
            Offer(1, LOSSY_CLASS, 100);
        });
        At(4 * POLL_PS + 1, [&]() {
            NS_TEST_EXPECT_MSG_EQ(GetWaiting(), 0, "nothing waits");
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetDropped(FabricSwitch::FLUSHED),
                                  (drops ? FRAMES + 1 : 0),
                                  "frames of the class are dropped while the storm lasts");
            NS_TEST_EXPECT_MSG_EQ(m_watchdog->GetCounters().drops,
                                  (drops ? FRAMES + 1 : 0),
                                  "which the watchdog counts");
        });
        At(4 * POLL_PS + 2, [this]() { Pause(0); });
        At(8 * POLL_PS, [this]() { Offer(1, LOSSLESS_CLASS, 100); });
        Run();
        NS_TEST_ASSERT_MSG_EQ(m_restored.size(), 1U, "it is restored");
        NS_TEST_EXPECT_MSG_EQ(m_restored[0], 7 * POLL_PS, "two whole intervals after the pause");
        NS_TEST_EXPECT_MSG_EQ(m_watchdog->GetCounters().restored, 1U, "counted");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetDropped(FabricSwitch::FLUSHED),
                              (drops ? FRAMES + 1 : 0),
                              "no frame is dropped later");
        const SharedBuffer& buffer = GetBuffer(*m_fabric, 0);
        NS_TEST_EXPECT_MSG_EQ(buffer.GetOccupancy(), 0U, "all room is free again");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetFreeBytes(), buffer.GetSharedBytes(), "all of it");
        m_port->GetTransmitter().Advance(FabricClock::Now());
        NS_TEST_EXPECT_MSG_EQ(GetWaiting(), 0, "the last frame is sent");
    }
};

/// A NIC that keeps its switch paused: the monitor counts one pause of exactly the time of the
/// storm, and reports it once.
FABRIC_TEST(g_pfcWatchdog, "a NIC that keeps a class paused is measured and reported once")
{
    ClosHelper helper = ClosOf({}, {{"DataRate", "400Gb/s"}});
    helper.SetAdmission(BufferFactory(4000000, 1 << LOSSLESS_CLASS));
    const Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 2));
    const Ptr<FabricPort> nic = fabric->GetNic(0)->GetPort(0);
    const Ptr<FabricPort> paused = nic->GetChannel()->GetPort(1) == nic
                                       ? nic->GetChannel()->GetPort(0)
                                       : nic->GetChannel()->GetPort(1);
    auto monitor = CreateObject<PauseMonitor>();
    monitor->SetAttribute("StormLimit", TimeValue(MicroSeconds(100)));
    monitor->Install({nic, paused}, 1 << LOSSLESS_CLASS);
    std::vector<int64_t> reports;
    Trace(*monitor, "Storm", [&reports](uint32_t port, uint8_t, Time length) {
        reports.push_back(port);
        reports.push_back(length.GetPicoSeconds());
    });
    auto storm = CreateObject<PauseStorm>();
    storm->SetAttribute("Start", TimeValue(MicroSeconds(10)));
    storm->SetAttribute("Stop", TimeValue(MicroSeconds(510)));
    storm->SetPort(nic);
    storm->Initialize();
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    const PauseCounts counts = monitor->GetCounts();
    const PauseCounts::Entry& entry = counts.At(1, 0);
    NS_TEST_EXPECT_MSG_EQ(entry.pauses, 1U, "one pause");
    NS_TEST_EXPECT_MSG_EQ(entry.pausedPs, MicroSeconds(500).GetPicoSeconds(), "as long as it");
    NS_TEST_EXPECT_MSG_EQ(entry.received, storm->GetFrames(), "all frames arrive");
    NS_TEST_EXPECT_MSG_EQ(entry.received, 13U, "one each 41.9 us, and the last one");
    NS_TEST_EXPECT_MSG_EQ(entry.storms, 1U, "one storm");
    NS_TEST_EXPECT_MSG_EQ(counts.At(0, 0).received, 0U, "nothing the other way");
    NS_TEST_ASSERT_MSG_EQ(reports.size(), 2U, "one report");
    NS_TEST_EXPECT_MSG_EQ(reports[0], 1, "of the port of the switch");
    NS_TEST_EXPECT_MSG_LT(reports[1], MicroSeconds(150).GetPicoSeconds(), "soon");
    storm->Dispose();
}

/// Forwards by the leaf of the destination, along routes that bounce.
struct BouncingRoute : SwitchForwarder
{
    explicit BouncingRoute(uint32_t hostsPerLeaf = 1)
        : m_hostsPerLeaf(hostsPerLeaf)
    {
    }

    /// Add an entry.  @param leaf the leaf of the destination
    void Add(uint32_t leaf, FabricTransmitter& port)
    {
        m_byLeaf[leaf] = &port;
    }

    /// Add an entry.
    void AddHost(uint32_t host, FabricTransmitter& port)
    {
        m_byHost[host] = &port;
    }

    FabricTransmitter* Find(const FabricFrame& frame) override
    {
        const auto host = m_byHost.find(frame.destination);
        if (host != m_byHost.end())
        {
            return host->second;
        }
        const auto leaf = m_byLeaf.find(frame.destination / m_hostsPerLeaf);
        return leaf == m_byLeaf.end() ? nullptr : leaf->second;
    }

    uint32_t m_hostsPerLeaf;                         //!< hosts below each leaf
    std::map<uint32_t, FabricTransmitter*> m_byLeaf; //!< ports by the destination's leaf
    std::map<uint32_t, FabricTransmitter*> m_byHost; //!< ports by destination
};

/// A deadlock: hosts of leaf 0 send to leaf 2 by spine 0, leaf 1 and spine 1, and hosts of leaf 1
/// send to leaf 3 by spine 1, leaf 0 and spine 0. Each of the four links in between waits for the
/// next one (a cyclic buffer dependency). Without a watchdog the run stalls with all four paused;
/// with one, it breaks the cycle and all messages arrive.
struct DeadlockTestCase : FabricTestCase
{
    static constexpr uint32_t HOSTS = 4;  //!< of a leaf
    static constexpr uint32_t LEAVES = 4; //!< of the fabric; spines follow

    /// @param action what the watchdog does; nothing: there is none
    void Check(std::optional<PfcWatchdog::Action> action)
    {
        m_action = action;
        Build();
        InstallWatchdogs();
        const Ptr<FlowDriver> driver = StartFlows(*m_fabric, MakeFlows());
        const PortCatalog catalog(m_fabric->GetGraph(), m_fabric->GetChannelList());
        StallWatch watch(*driver->GetService(),
                         m_fabric->GetNicList(),
                         m_fabric->GetSwitchList(),
                         catalog,
                         MilliSeconds(5));
        Heartbeat heartbeat;
        heartbeat.Add([&watch]() { return watch.Check(); });
        heartbeat.SetDryCallback([&watch]() { watch.RanDry(); });
        heartbeat.Start();
        Simulator::Stop(MilliSeconds(200));
        Simulator::Run();
        uint64_t storms = 0;
        uint64_t drops = 0;
        for (const Ptr<PfcWatchdog>& watchdog : m_watchdogs)
        {
            storms += watchdog->GetCounters().storms;
            drops += watchdog->GetCounters().drops;
        }
        const std::size_t completed = driver->GetService()->GetCompleted();
        NS_TEST_EXPECT_MSG_EQ(watch.HasStalled(), !m_action, "a stall is reported");
        NS_TEST_EXPECT_MSG_EQ((completed == 2 * HOSTS), m_action.has_value(), "messages arrive");
        NS_TEST_EXPECT_MSG_EQ((storms > 0), m_action.has_value(), "storms are detected");
        NS_TEST_EXPECT_MSG_EQ((drops > 0), (m_action == PfcWatchdog::DROP), "and broken");
        if (!m_action)
        {
            std::ostringstream text;
            watch.Print(text);
            const std::array<uint32_t, 5> cycle = {0, LEAVES, 1, LEAVES + 1, 0};
            for (std::size_t i = 0; i + 1 < cycle.size(); ++i)
            {
                const FabricTransmitter& link = FindPort(cycle[i], cycle[i + 1]);
                NS_TEST_EXPECT_MSG_EQ((link.GetPaused() >> LOSSLESS_CLASS & 1),
                                      1,
                                      "each link waits");
            }
            NS_TEST_EXPECT_MSG_NE(text.str().find("paused ports"), std::string::npos, "reported");
        }
        for (const Ptr<PfcWatchdog>& watchdog : m_watchdogs)
        {
            watchdog->Dispose();
        }
    }

    /// Build the fabric with its routes.
    void Build()
    {
        Default("RcQueuePair::AckTimeout", MilliSeconds(2));
        ClosHelper helper = ClosOf({}, {{"DataRate", "100Gb/s"}});
        helper.SetAdmission(BufferFactory(1000000, 1 << LOSSLESS_CLASS));
        m_fabric = helper.Install(LeafSpine(LEAVES, 2, HOSTS));
        for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
        {
            m_routes.push_back(CreateObject<BouncingRoute>(HOSTS));
            m_fabric->GetSwitch(id)->SetForwarder(m_routes.back());
        }
        for (uint32_t host = 0; host < LEAVES * HOSTS; ++host)
        {
            const FabricPort* port = m_fabric->GetNic(host)->GetPort(0)->GetTransmitter().GetPeer();
            m_routes[host / HOSTS]->AddHost(host, port->GetTransmitter());
        }
        constexpr uint32_t SPINE0 = LEAVES;
        constexpr uint32_t SPINE1 = LEAVES + 1;
        for (const auto& [from, leaf, to] : std::vector<std::array<uint32_t, 3>>{{0, 2, SPINE0},
                                                                                 {SPINE0, 2, 1},
                                                                                 {1, 2, SPINE1},
                                                                                 {SPINE1, 2, 2},
                                                                                 {1, 3, SPINE1},
                                                                                 {SPINE1, 3, 0},
                                                                                 {0, 3, SPINE0},
                                                                                 {SPINE0, 3, 3},
                                                                                 {2, 0, SPINE0},
                                                                                 {SPINE0, 0, 0},
                                                                                 {3, 1, SPINE1},
                                                                                 {SPINE1, 1, 1}})
        {
            Route(from, leaf, to);
        }
    }

    /// Give a switch an entry.
    void Route(uint32_t from, uint32_t leaf, uint32_t to)
    {
        m_routes[from]->Add(leaf, FindPort(from, to));
    }

    /// @return the port of a switch that leads to another one
    FabricTransmitter& FindPort(uint32_t from, uint32_t to) const
    {
        const Ptr<Node> node = m_fabric->GetSwitchNodes().Get(to);
        for (std::size_t i = 0; i < m_fabric->GetSwitch(from)->GetPortCount(); ++i)
        {
            FabricTransmitter& transmitter =
                m_fabric->GetSwitch(from)->GetPort(i)->GetTransmitter();
            if (transmitter.GetPeer()->GetDevice()->GetNode() == node)
            {
                return transmitter;
            }
        }
        NS_ABORT_MSG("switch " << from << " has no link to switch " << to);
        return m_fabric->GetSwitch(from)->GetPort(0)->GetTransmitter();
    }

    /// @return the flows of the cycle
    static std::vector<Flow> MakeFlows()
    {
        constexpr uint64_t BYTES = 1000000;
        std::vector<Flow> flows;
        for (uint32_t i = 0; i < HOSTS; ++i)
        {
            flows.push_back(Flow{0, i, 2 * HOSTS + i, BYTES});
            flows.push_back(Flow{0, HOSTS + i, 3 * HOSTS + i, BYTES});
        }
        return flows;
    }

    /// Have watchdogs look at all switches.
    void InstallWatchdogs()
    {
        for (uint32_t id = 0; m_action && id < m_fabric->GetSwitchCount(); ++id)
        {
            m_watchdogs.push_back(CreateObject<PfcWatchdog>());
            m_watchdogs.back()->SetAttribute("Action", EnumValue(*m_action));
            m_watchdogs.back()->SetAttribute("PollInterval", TimeValue(MicroSeconds(100)));
            m_watchdogs.back()->SetAttribute("DetectionTime", TimeValue(MicroSeconds(200)));
            m_watchdogs.back()->SetAttribute("RestorationTime", TimeValue(MicroSeconds(200)));
            m_watchdogs.back()->Install(*m_fabric->GetSwitch(id), 1 << LOSSLESS_CLASS);
        }
    }

    std::optional<PfcWatchdog::Action> m_action; //!< what the watchdog does
    Ptr<Fabric> m_fabric;                        //!< the fabric
    std::vector<Ptr<BouncingRoute>> m_routes;    //!< by switch
    std::vector<Ptr<PfcWatchdog>> m_watchdogs;   //!< by switch
};

FABRIC_ROWS(g_pfcWatchdog)
{
    using Case = WatchdogRuleTestCase::Case;
    constexpr int64_t PERMILLE = POLL_PS / 1000;
    for (const auto& [name, what] : std::map<std::string, Case>{
             {"frames wait, none is sent, the class is paused", {true, 0, false, true}},
             {"an empty queue has no storm", {false, 0, false, false}},
             {"a queue that sends a frame an interval has no storm", {true, 5 * PERMILLE, false}},
             {"a class paused for 98 % has no storm", {true, 20 * PERMILLE, true, false}},
             {"a class paused for 99.5 % has one", {true, 5 * PERMILLE, true, true}}})
    {
        rows.AddRow<WatchdogRuleTestCase>(name, what);
    }
    using Action = WatchdogActionTestCase;
    rows.AddRow<Action>("Drop empties the queue, and restores it", PfcWatchdog::DROP);
    rows.AddRow<Action>("Forward ignores the pause, and restores", PfcWatchdog::FORWARD);
    rows.AddRow<DeadlockTestCase>("a bounced route is a deadlock", std::nullopt);
    rows.AddRow<DeadlockTestCase>("a watchdog that drops breaks it", PfcWatchdog::DROP);
    rows.AddRow<DeadlockTestCase>("a watchdog that forwards breaks it", PfcWatchdog::FORWARD);
}
