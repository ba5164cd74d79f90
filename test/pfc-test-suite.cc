/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/serialization-time.h"

#include <iterator>

/// Priority-based flow control: who pauses whom, when, and that nothing is lost.
static Suite g_pfc("ai-fabric-pfc");

/// A fabric with lossless RoCE traffic that meets at one host, what is checked of it at its end,
/// and what is remembered of it.
struct PfcTestCase : FabricTestCase
{
    /// A fabric and its traffic.
    struct Scenario
    {
        std::string rate{"800"};      //!< of all links, in Gb/s
        Time delay{NanoSeconds(500)}; //!< of all links
        int64_t spines{2};            //!< above four leaves
        int64_t hostsPerLeaf{4};      //!< hosts below each leaf
        uint32_t senders{15};         //!< hosts that send to host 0
        uint64_t bytes{300000};       //!< of each message
        uint64_t buffer{2000000};     //!< memory of a switch
        int64_t stream{1};            //!< random stream; 0: all flows start at once
        uint16_t quanta{65535};       //!< pause time
        bool bothWays{false};         //!< hosts also send a permutation
        bool symmetric{false};        //!< instead, leaves do the same at the same time
        uint32_t lossyFrames{0};      //!< lossy frames that each sender adds
        uint32_t mtu{4096};           //!< payload of a full packet
    };

    /// Build a fabric and its traffic.
    void Build(const Scenario& scenario)
    {
        m_history.clear();
        Default("RcQueuePair::AckTimeout", Seconds(1));
        Default("RcQueuePair::Mtu", scenario.mtu);
        Default("FabricNetDevice::Mtu", scenario.mtu + 104);
        ClosHelper helper = ClosOf({}, {{"DataRate", scenario.rate + "Gb/s"}});
        helper.SetChannelAttribute("Delay", TimeValue(scenario.delay));
        ObjectFactory buffer = BufferFactory(scenario.buffer, 1 << LOSSLESS_CLASS);
        buffer.Set("ResponseTime", TimeValue(Time(0)));
        buffer.Set("PauseQuanta", UintegerValue(scenario.quanta));
        helper.SetAdmission(buffer);
        m_fabric = InstallFabric(helper, LeafSpine(4, scenario.spines, scenario.hostsPerLeaf));
        const uint32_t hosts = m_fabric->GetGraph().HostCount();
        for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
        {
            m_fabric->GetSwitch(id)->GetAdmission()->TraceConnectWithoutContext(
                "Pause",
                MakeCallback(&PfcTestCase::Paused, this).Bind(id));
        }
        UniformInteger uniform = Uniform(scenario.stream);
        std::vector<Flow> flows = scenario.symmetric
                                      ? MakeSymmetric(scenario)
                                      : Incast(hosts, scenario.senders, 0, scenario.bytes, uniform);
        for (uint32_t i = 0; i < scenario.lossyFrames; ++i)
        {
            for (const Flow& flow : flows)
            {
                SendFrame(*m_fabric, MakeFrame(*m_fabric, flow.source, 0, LOSSY_CLASS, 1500));
            }
        }
        for (const Flow& flow : scenario.bothWays
                                    ? RandomPermutation(hosts, scenario.bytes, uniform)
                                    : std::vector<Flow>())
        {
            flows.push_back(flow);
        }
        for (Flow& flow : flows)
        {
            flow.startPs = scenario.stream ? uniform(2000000) : 0;
        }
        m_driver = StartFlows(*m_fabric, flows);
    }

    /// Run, and check that nothing lossless was lost and that nothing is left.
    void RunLossless()
    {
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        m_fabric->CatchUp();
        m_pauses = 0;
        m_frames = 0;
        m_headroom = 0;
        for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
        {
            CheckBuffer(id);
        }
        CheckQueuePairs();
        NS_TEST_EXPECT_MSG_EQ(m_driver->GetService()->GetCompleted(),
                              m_driver->GetService()->GetRecords().size(),
                              "all messages are delivered");
        NS_TEST_EXPECT_MSG_GT(m_pauses, 0, "there were pauses");
        ForEachPort(*m_fabric, [this](FabricPort& port) {
            NS_TEST_EXPECT_MSG_EQ(+port.GetTransmitter().GetPaused(), 0, "all gates are open");
            NS_TEST_EXPECT_MSG_EQ(port.GetTransmitter().GetWaitingFrames(), 0, "nothing waits");
        });
    }

    /// @return what happened: completions, pauses and their times, and counters
    std::vector<int64_t> GetHistory()
    {
        for (const FlowRecord& record : m_driver->GetService()->GetRecords())
        {
            m_history.push_back(record.receivedAt.GetPicoSeconds());
            m_history.push_back(record.completedAt.GetPicoSeconds());
        }
        for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
        {
            const SharedBuffer& memory = GetBuffer(*m_fabric, id);
            m_history.push_back(memory.GetCounters().pauseFrames);
            m_history.push_back(memory.GetCounters().maxOccupancy);
            m_history.push_back(m_fabric->GetSwitch(id)->GetDropped(FabricSwitch::NO_BUFFER));
            for (uint16_t port = 0; port < m_fabric->GetSwitch(id)->GetPortCount(); ++port)
            {
                m_history.push_back(memory.GetIngress(port, LOSSLESS_CLASS).maxHeadroom);
            }
        }
        return m_history;
    }

    Ptr<Fabric> m_fabric;     //!< the fabric
    Ptr<FlowDriver> m_driver; //!< its lossless traffic
    uint64_t m_pauses{0};     //!< pauses of all switches
    uint64_t m_frames{0};     //!< PFC frames of all switches
    uint32_t m_headroom{0};   //!< the most bytes in a headroom

    /// A switch has paused a peer or resumed it.
    void Paused(uint32_t id, uint16_t port, uint8_t trafficClass, bool paused)
    {
        NS_TEST_EXPECT_MSG_EQ(+trafficClass, +LOSSLESS_CLASS, "only lossless classes are paused");
        m_history.push_back(FabricClock::Now());
        m_history.push_back(id << 16 | port << 1 | paused);
    }

    /// @return in each of three leaves, three hosts send to the fourth and to a host of the last
    /// leaf
    static std::vector<Flow> MakeSymmetric(const Scenario& scenario)
    {
        std::vector<Flow> flows;
        for (const uint32_t first : {0, 4, 8})
        {
            for (uint32_t host = first + 1; host < first + 4; ++host)
            {
                flows.push_back(Flow{0, host, first, scenario.bytes});
                flows.push_back(Flow{0, host, 12, scenario.bytes});
            }
        }
        return flows;
    }

    /// Check the buffer of a switch at the end.
    void CheckBuffer(uint32_t id)
    {
        const SharedBuffer& memory = GetBuffer(*m_fabric, id);
        const SharedBuffer::Counters& counters = memory.GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.losslessDrops, 0, "a lossless class loses nothing");
        NS_TEST_EXPECT_MSG_EQ(counters.pauses, counters.resumes, "each pause has ended");
        NS_TEST_EXPECT_MSG_EQ(memory.GetOccupancy(), 0, "nothing is held");
        NS_TEST_EXPECT_MSG_EQ(memory.GetFreeBytes(), memory.GetSharedBytes(), "all is free");
        for (uint16_t port = 0; port < m_fabric->GetSwitch(id)->GetPortCount(); ++port)
        {
            const SharedBuffer::Ingress& ingress = memory.GetIngress(port, LOSSLESS_CLASS);
            NS_TEST_EXPECT_MSG_EQ(ingress.used + ingress.headroom, 0, "nothing is counted");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(ingress.maxHeadroom,
                                        memory.GetHeadroomBytes(port),
                                        "the headroom sufficed");
            m_headroom = std::max(m_headroom, ingress.maxHeadroom);
        }
        m_pauses += counters.pauses;
        m_frames += counters.pauseFrames;
    }

    /// Check that no queue pair had to send anything again.
    void CheckQueuePairs()
    {
        for (uint32_t host = 0; host < m_fabric->GetGraph().HostCount(); ++host)
        {
            const RoceNetDevice& nic = *m_fabric->GetNic(host);
            for (std::size_t i = 0; i < nic.GetEndpointCount(); ++i)
            {
                const QueuePair::Counters& counters = nic.GetQueuePair(i)->GetCounters();
                NS_TEST_EXPECT_MSG_EQ(counters.retransmissions, 0, "nothing is sent again");
                NS_TEST_EXPECT_MSG_EQ(counters.outOfSequence, 0, "nothing is missing");
                NS_TEST_EXPECT_MSG_EQ(counters.timeouts, 0, "no timer expires");
            }
        }
    }

    std::vector<int64_t> m_history; //!< pauses and their times
};

/// Many hosts send to one: nothing is lost, nothing is sent again, and all gates open in the end.
struct PfcIncastTestCase : PfcTestCase
{
    void Check(Scenario scenario)
    {
        for (int64_t stream = 0; stream < 4; ++stream)
        {
            scenario.stream = stream;
            Build(scenario);
            RunLossless();
            NS_TEST_EXPECT_MSG_EQ(CountRefused(*m_fabric), 0, "nothing is dropped");
            NS_TEST_EXPECT_MSG_GT(m_headroom, 0, "the headroom was used");
            Simulator::Destroy();
        }
    }
};

/// Lossy traffic beside lossless traffic, in the same memory, is dropped.
FABRIC_TEST_F(PfcTestCase, g_pfc, "a lossy class beside a lossless one is dropped")
{
    Scenario scenario;
    scenario.lossyFrames = 400;
    Build(scenario);
    RunLossless();
    NS_TEST_EXPECT_MSG_GT(CountRefused(*m_fabric), 0, "lossy frames are dropped");
    const uint64_t sent = uint64_t{scenario.lossyFrames} * scenario.senders;
    NS_TEST_EXPECT_MSG_EQ(m_fabric->GetNic(0)->GetCounters().dropped + CountRefused(*m_fabric),
                          sent,
                          "the rest arrives, where no queue pair wants it");
}

/// Two lossless classes of the same hosts are paused and resumed apart from each other, for longer
/// than a PFC frame lasts, and neither loses anything.
struct PfcTwoClassesTestCase : FabricTestCase
{
    static constexpr uint32_t COUNT = 1000; //!< frames a host and class

    /// A class was paused or resumed.
    void Paused(uint16_t port, uint8_t trafficClass, bool paused)
    {
        m_pauses[trafficClass] += paused;
        m_paused[port] ^= 1 << trafficClass;
        m_seen |= 1 << (m_paused[port] >> LOSSLESS_CLASS);
    }

    std::map<uint8_t, uint32_t> m_pauses; //!< pauses by class
    std::map<uint16_t, uint8_t> m_paused; //!< classes that are paused, by port
    uint32_t m_seen{0};                   //!< which sets of paused classes were seen
};

FABRIC_TEST_F(PfcTwoClassesTestCase, g_pfc, "two lossless classes")
{
    ClosHelper helper;
    ObjectFactory buffer = BufferFactory(1600000, 1 << LOSSLESS_CLASS | 1 << HIGH_CLASS);
    buffer.Set("PauseQuanta", UintegerValue(300));
    helper.SetAdmission(buffer);
    Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 3));
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        for (const uint32_t source : {0, 1})
        {
            SendFrame(*fabric, MakeFrame(*fabric, source, 2, LOSSLESS_CLASS, 4000));
            SendFrame(*fabric, MakeFrame(*fabric, source, 2, HIGH_CLASS, 1000));
        }
    }
    fabric->GetSwitch(0)->GetAdmission()->TraceConnectWithoutContext(
        "Pause",
        MakeCallback(&PfcTwoClassesTestCase::Paused, this));
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    const SharedBuffer::Counters& counters = GetBuffer(*fabric, 0).GetCounters();
    NS_TEST_EXPECT_MSG_EQ(counters.losslessDrops, 0, "nothing is lost");
    NS_TEST_EXPECT_MSG_EQ(counters.pauses, counters.resumes, "each pause has ended");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(2)->GetCounters().dropped, 4 * COUNT, "all has come");
    NS_TEST_EXPECT_MSG_GT(m_pauses[LOSSLESS_CLASS], 0, "one class is paused");
    NS_TEST_EXPECT_MSG_GT(m_pauses[HIGH_CLASS], 0, "so is the other");
    const uint32_t both = 1 | 1 << (HIGH_CLASS - LOSSLESS_CLASS);
    NS_TEST_EXPECT_MSG_EQ((m_seen >> both & 1), 1, "and both at once");
}

/// Pauses that last longer than the pause time of a PFC frame are refreshed before they end.
struct PfcRefreshTestCase : PfcTestCase
{
    /// A port was paused or resumed.  @param duration how long; 0: resumed
    void Paused(FabricPort* port, uint8_t, Time duration)
    {
        Time& until = m_until[port];
        if (!until.IsZero() && !duration.IsZero())
        {
            NS_TEST_EXPECT_MSG_LT(Simulator::Now(), until, "it was still paused");
            ++m_refreshes;
        }
        until = duration.IsZero() ? Time(0) : Simulator::Now() + duration;
    }

    std::map<FabricPort*, Time> m_until; //!< when paused ports would resume
    uint32_t m_refreshes{0};             //!< pauses of paused ports
};

FABRIC_TEST_F(PfcRefreshTestCase, g_pfc, "a long pause is refreshed before it ends")
{
    Scenario scenario;
    scenario.quanta = 300; // 192 ns
    Build(scenario);
    ForEachPort(*m_fabric, [this](FabricPort& port) {
        port.TraceConnectWithoutContext(
            "Pause",
            MakeCallback(&PfcRefreshTestCase::Paused, this).Bind(&port));
    });
    RunLossless();
    NS_TEST_EXPECT_MSG_GT(m_refreshes, 100, "there were long pauses");
    NS_TEST_EXPECT_MSG_GT(m_frames, m_refreshes, "each refresh is counted");
    NS_TEST_EXPECT_MSG_EQ(CountRefused(*m_fabric), 0, "nothing is dropped");
}

/// Two hosts send to a third, which has paused the switch, so that nothing leaves, and sends to
/// both at line rate, so that a PFC frame waits for a frame of the largest size. Whatever the
/// offset, nothing is lost; the headroom is needed almost whole; with two frames less, something is
/// lost.
struct PfcHeadroomTestCase : FabricTestCase
{
    static constexpr uint16_t BYTES = 4218; //!< of a frame, the largest
    static constexpr uint32_t COUNT = 120;  //!< frames a host

    /// @param rate of the links, in Gb/s
    void Check(const std::string& rate)
    {
        m_rate = rate;
        constexpr uint32_t OFFSETS = 40;
        const Time frames = SerializationTime(DataRate(m_rate + "Gb/s"), 2 * BYTES);
        for (uint32_t i = 0; i < OFFSETS; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(Run(0, frames * i / OFFSETS).losslessDrops, 0, "nothing is lost");
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(m_used, m_computed, "the headroom suffices");
        NS_TEST_EXPECT_MSG_GT(m_used + BYTES, m_computed, "and is needed but for a frame");
        const uint32_t enough = m_computed;
        uint64_t lost = 0;
        for (uint32_t i = 0; i < OFFSETS; ++i)
        {
            lost += Run(enough - 2 * BYTES, frames * i / OFFSETS).losslessDrops;
        }
        NS_TEST_EXPECT_MSG_GT(lost, 0, "with two frames less it does not suffice");
    }

    /// Run once.  @param headroom of the buffer; 0: computed  @param offset of the start of host 2
    /// @return the buffer's counters
    SharedBuffer::Counters Run(uint32_t headroom, Time offset)
    {
        ClosHelper helper = ClosOf({}, {{"DataRate", m_rate + "Gb/s"}});
        ObjectFactory buffer = BufferFactory(2000000, 1 << LOSSLESS_CLASS);
        buffer.Set("ResponseTime", TimeValue(Time(0)));
        buffer.Set("HeadroomBytes", UintegerValue(headroom));
        buffer.Set("IngressAlpha", DoubleValue(0.01));
        helper.SetAdmission(buffer);
        m_fabric = helper.Install(LeafSpine(1, 1, 3));
        m_fabric->GetNic(2)->GetPort(0)->GetTransmitter().SendControl(
            MakePfc(*m_fabric, LOSSLESS_CLASS, 65535),
            0);
        Burst(0, 2);
        Burst(1, 2);
        Simulator::Schedule(offset, &PfcHeadroomTestCase::Burst, this, 2, 0);
        Simulator::Schedule(offset, &PfcHeadroomTestCase::Burst, this, 2, 1);
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        const SharedBuffer& memory = GetBuffer(*m_fabric, 0);
        m_computed = memory.GetHeadroomBytes(0);
        for (const uint16_t port : {0, 1})
        {
            m_used = std::max(m_used, memory.GetIngress(port, LOSSLESS_CLASS).maxHeadroom);
        }
        const SharedBuffer::Counters counters = memory.GetCounters();
        NS_TEST_EXPECT_MSG_GT(counters.pauses, 0, "there are pauses");
        NS_TEST_EXPECT_MSG_EQ(m_fabric->GetSwitch(0)->GetForwarded() + counters.losslessDrops,
                              4 * COUNT,
                              "all frames have come");
        m_fabric = nullptr;
        Simulator::Destroy();
        return counters;
    }

    /// Send frames.
    void Burst(uint32_t source, uint32_t destination)
    {
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            SendFrame(*m_fabric, MakeFrame(*m_fabric, source, destination, LOSSLESS_CLASS, BYTES));
        }
    }

    std::string m_rate;     //!< of the links, in Gb/s
    Ptr<Fabric> m_fabric;   //!< one leaf with three hosts
    uint32_t m_computed{0}; //!< the headroom that is computed
    uint32_t m_used{0};     //!< the most that was used of a headroom
};

/// A pause that nobody refreshes ends by itself: the next frame of its class starts at that time to
/// the picosecond, whether it waits in a queue or at a queue pair; other classes do not stop. A PFC
/// frame with zero quanta ends it at once.
struct PauseExpiryTestCase : FabricTestCase
{
    static constexpr uint16_t QUANTA = 2000; //!< 1.28 us at 800 Gb/s
    static constexpr uint16_t BYTES = 1000;  //!< of a frame from a queue

    /// @param queuePair whether data waits at a queue pair, otherwise in the port's queue
    void Check(bool queuePair, bool observed)
    {
        m_queuePair = queuePair;
        m_observed = observed;
        const Time closed = GetDuration(64) + NanoSeconds(500);
        const Time opened = closed + QUANTA * GetDuration(64);
        for (const Time& resumeAt : {Time(0), NanoSeconds(700), opened + NanoSeconds(1)})
        {
            Run(resumeAt);
            const Time open = resumeAt.IsZero()
                                  ? opened
                                  : std::min(opened, resumeAt + GetDuration(64) + NanoSeconds(500));
            std::vector<Time> before;
            std::copy_if(m_starts.begin(), m_starts.end(), std::back_inserter(before), [&](Time t) {
                return t <= closed;
            });
            NS_TEST_EXPECT_MSG_EQ(before.empty(), false, "frames are sent before the pause");
            NS_TEST_ASSERT_MSG_GT(m_starts.size(),
                                  before.size(),
                                  "frames are sent after the pause");
            NS_TEST_EXPECT_MSG_EQ(m_starts[before.size()].GetPicoSeconds(),
                                  open.GetPicoSeconds(),
                                  "the first when the pause ends");
            NS_TEST_EXPECT_MSG_EQ(m_starts.size(),
                                  (m_queuePair ? 49 : 200),
                                  "all are sent in the end");
            NS_TEST_EXPECT_MSG_EQ(m_others.size(), 30, "so are those of other classes");
            NS_TEST_EXPECT_MSG_LT(m_others.back(), open, "which do not stop");
        }
    }

    /// Run once.  @param resumeAt when a second PFC frame is sent, with zero quanta; 0: never
    void Run(Time resumeAt)
    {
        m_starts.clear();
        m_others.clear();
        m_fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
        m_fabric->GetSwitch(0)->GetPort(0)->TraceConnectWithoutContext(
            "Receive",
            MakeCallback(&PauseExpiryTestCase::Received, this));
        if (m_observed)
        {
            ForEachPort(*m_fabric, &MakeEager);
        }
        Ptr<QueuePair> receiver = m_fabric->GetNic(1)->CreateQueuePair();
        Ptr<QueuePair> sender = m_fabric->GetNic(0)->CreateQueuePair();
        sender->Connect(1, receiver->GetNumber());
        receiver->Connect(0, sender->GetNumber());
        for (uint32_t i = 0; i < 200 && !m_queuePair; ++i)
        {
            SendFrame(*m_fabric, MakeFrame(*m_fabric, 0, 1, LOSSLESS_CLASS, BYTES));
        }
        if (m_queuePair)
        {
            sender->PostWrite(200000);
        }
        for (uint32_t i = 0; i < 30; ++i)
        {
            SendFrame(*m_fabric, MakeFrame(*m_fabric, 0, 1, LOSSY_CLASS, BYTES));
        }
        SendPfc(QUANTA);
        if (!resumeAt.IsZero())
        {
            Simulator::Schedule(resumeAt, &PauseExpiryTestCase::SendPfc, this, 0);
        }
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        m_fabric = nullptr;
        Simulator::Destroy();
    }

    /// Send a PFC frame from the switch to host 0.
    void SendPfc(uint16_t quanta)
    {
        m_fabric->GetSwitch(0)->GetPort(0)->GetTransmitter().SendControl(
            MakePfc(*m_fabric, LOSSLESS_CLASS, quanta),
            FabricClock::Now());
    }

    /// A frame has come to the switch.
    void Received(Ptr<const FabricFrame> frame)
    {
        const Time start = Simulator::Now() - NanoSeconds(500) - GetDuration(frame->wireBytes);
        (frame->GetClass() == LOSSLESS_CLASS ? m_starts : m_others).push_back(start);
    }

    /// @return the time to send a frame at 800 Gb/s
    static Time GetDuration(uint32_t bytes)
    {
        return PicoSeconds(10 * bytes);
    }

    bool m_queuePair;           //!< data waits at a queue pair
    bool m_observed;            //!< departures are scheduled
    Ptr<Fabric> m_fabric;       //!< one leaf with two hosts
    std::vector<Time> m_starts; //!< when frames of the paused class began to be sent
    std::vector<Time> m_others; //!< when frames of other classes began to be sent
};

/// The same run is the same run, to the picosecond: again, with any scheduler, and whoever observes
/// departures and captures frames.
struct PfcSameRunTestCase : PfcTestCase
{
    void Check(const Scenario& scenario)
    {
        m_scenario = scenario;
        const std::vector<int64_t> first = Run([]() {});
        NS_TEST_EXPECT_MSG_EQ((Run([]() {}) == first), true, "again");
        for (const std::string name : {"ns3::MapScheduler",
                                       "ns3::HeapScheduler",
                                       "ns3::CalendarScheduler",
                                       "ns3::aifabric::MonotoneScheduler"})
        {
            TypeId type;
            if (TypeId::LookupByNameFailSafe(name, &type))
            {
                NS_TEST_EXPECT_MSG_EQ((RunWith(name) == first), true, "with " << name);
            }
        }
        const auto all = [this]() { ForEachPort(*m_fabric, &MakeEager); };
        NS_TEST_EXPECT_MSG_EQ((Run(all) == first), true, "all departures observed");
        const auto leaf = [this]() {
            for (uint16_t port = 0; port < m_fabric->GetSwitch(1)->GetPortCount(); ++port)
            {
                MakeEager(*m_fabric->GetSwitch(1)->GetPort(port));
            }
        };
        NS_TEST_EXPECT_MSG_EQ((Run(leaf) == first), true, "those of one leaf observed");
        const auto random = [this]() {
            UniformInteger uniform = Uniform(99);
            ForEachPort(*m_fabric, [&uniform](FabricPort& port) {
                if (uniform(2))
                {
                    MakeEager(port);
                }
            });
        };
        NS_TEST_EXPECT_MSG_EQ((Run(random) == first), true, "some observed");
    }

    /// Run with observers.  @return what happened
    std::vector<int64_t> Run(const std::function<void()>& observe)
    {
        Build(m_scenario);
        observe();
        RunLossless();
        const std::vector<int64_t> history = GetHistory();
        Simulator::Destroy();
        return history;
    }

    /// Run with a scheduler.  @return what happened
    std::vector<int64_t> RunWith(const std::string& type)
    {
        Simulator::SetScheduler(ObjectFactory(type));
        return Run([]() {});
    }

    Scenario m_scenario; //!< fabric and traffic
};

/// Conservation of bytes in a memory that lossy and lossless classes share, at many times and at
/// the end: in each class, admitted = released + waiting; in the lossless class, waiting = counted
/// where it came in; shared part = free + lossy waiting + shares. The most that was ever held is
/// what an observer saw.
struct SharedConservationTestCase : PfcTestCase
{
    void Check(bool observed)
    {
        Scenario scenario;
        scenario.lossyFrames = 300;
        scenario.bothWays = true;
        scenario.buffer = 1300000;
        Build(scenario);
        for (uint32_t host = 1; host < 16; ++host)
        {
            for (uint32_t i = 0; i < 300; ++i)
            {
                SendFrame(*m_fabric, MakeFrame(*m_fabric, host, i % host, HIGH_CLASS, 500 + i));
            }
        }
        for (uint32_t id = 0; id < m_fabric->GetSwitchCount() && observed; ++id)
        {
            ObserveSwitch(id);
        }
        for (uint32_t time = 1; time < 80; ++time)
        {
            Simulator::Schedule(NanoSeconds(777 * time),
                                &SharedConservationTestCase::CheckLaws,
                                this);
        }
        RunLossless();
        CheckLaws();
        NS_TEST_EXPECT_MSG_GT(CountRefused(*m_fabric), 0, "the test has seen drops");
        NS_TEST_EXPECT_MSG_GT(m_seenHeadroom, 0, "and headrooms in use");
        for (const uint8_t c : {LOSSY_CLASS, LOSSLESS_CLASS, HIGH_CLASS})
        {
            NS_TEST_EXPECT_MSG_GT(m_seen[c], 10000, "and queues of class " << +c);
        }
        for (const auto& [id, most] : m_most)
        {
            NS_TEST_EXPECT_MSG_EQ(GetBuffer(*m_fabric, id).GetCounters().maxOccupancy,
                                  most,
                                  "most");
        }
    }

    /// Check the laws.
    void CheckLaws()
    {
        m_fabric->CatchUp();
        for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
        {
            CheckSwitch(id);
        }
    }

    /// Check the laws of a switch.
    void CheckSwitch(uint32_t id)
    {
        const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(id);
        const SharedBuffer& memory = GetBuffer(*m_fabric, id);
        uint64_t held = 0;
        uint64_t shared = 0;
        for (const uint8_t c : {LOSSY_CLASS, LOSSLESS_CLASS, HIGH_CLASS})
        {
            uint64_t waiting = 0;
            uint64_t counted = 0;
            for (uint16_t port = 0; port < fabricSwitch.GetPortCount(); ++port)
            {
                const SharedBuffer::Ingress& ingress = memory.GetIngress(port, c);
                waiting += fabricSwitch.GetPort(port)->GetTransmitter().GetLane(c).GetBytes();
                counted += ingress.used + ingress.headroom;
                shared += ingress.used > RESERVE ? ingress.used - RESERVE : 0;
                m_seenHeadroom = std::max<uint64_t>(m_seenHeadroom, ingress.headroom);
                CheckPause(memory, ingress);
            }
            const SharedBuffer::ClassCounters& counters = memory.GetClassCounters(c);
            NS_TEST_EXPECT_MSG_EQ(counters.admittedBytes,
                                  counters.releasedBytes + waiting,
                                  "admitted = released + waiting, class " << +c);
            const bool lossless = c == LOSSLESS_CLASS;
            NS_TEST_EXPECT_MSG_EQ(counted, (lossless ? waiting : 0), "counted where it came in");
            shared += lossless ? 0 : waiting;
            held += waiting;
            m_seen[c] = std::max(m_seen[c], waiting);
        }
        NS_TEST_EXPECT_MSG_EQ(memory.GetOccupancy(), held, "held = waiting in all classes");
        NS_TEST_EXPECT_MSG_EQ(memory.GetSharedBytes(),
                              memory.GetFreeBytes() + shared,
                              "shared part");
    }

    /// Check that a class pauses and resumes in time.
    void CheckPause(const SharedBuffer& memory, const SharedBuffer::Ingress& ingress)
    {
        constexpr uint32_t OFFSET = 3072;
        const uint32_t share = ingress.used > RESERVE ? ingress.used - RESERVE : 0;
        const bool mayResume =
            ingress.headroom == 0 && share + OFFSET <= memory.GetFreeBytes() / 8.0;
        NS_TEST_EXPECT_MSG_EQ((ingress.headroom > 0 && !ingress.paused), false, "paused at once");
        NS_TEST_EXPECT_MSG_EQ((mayResume && ingress.paused), false, "resumed at once");
    }

    /// A frame has joined a queue of a switch.
    void Joined(uint32_t id, Ptr<const FabricFrame>)
    {
        const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(id);
        uint64_t held = 0;
        for (uint16_t port = 0; port < fabricSwitch.GetPortCount(); ++port)
        {
            FabricTransmitter& transmitter = fabricSwitch.GetPort(port)->GetTransmitter();
            transmitter.Advance(FabricClock::Now());
            for (const uint8_t c : {LOSSY_CLASS, LOSSLESS_CLASS, HIGH_CLASS})
            {
                held += transmitter.GetLane(c).GetBytes();
            }
        }
        m_most[id] = std::max(m_most[id], held);
    }

    /// A frame has left a queue of a switch.
    void Left(uint32_t id, Ptr<const FabricFrame>)
    {
        m_left[id] = FabricClock::Now();
    }

    /// A switch has paused a peer or resumed it.
    void Decided(uint32_t id, uint16_t, uint8_t, bool paused)
    {
        if (!paused)
        {
            NS_TEST_EXPECT_MSG_EQ(m_left[id], FabricClock::Now(), "resumed by a departure");
        }
    }

    void ObserveSwitch(uint32_t id)
    {
        using Self = SharedConservationTestCase;
        const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(id);
        for (uint16_t port = 0; port < fabricSwitch.GetPortCount(); ++port)
        {
            for (const uint8_t c : {LOSSY_CLASS, LOSSLESS_CLASS, HIGH_CLASS})
            {
                FabricQueue& queue = *fabricSwitch.GetPort(port)->GetTransmitter().GetQueue(c);
                queue.TraceConnectWithoutContext("Enqueue",
                                                 MakeCallback(&Self::Joined, this).Bind(id));
                queue.TraceConnectWithoutContext("Dequeue",
                                                 MakeCallback(&Self::Left, this).Bind(id));
            }
        }
        GetBuffer(*m_fabric, id)
            .TraceConnectWithoutContext("Pause", MakeCallback(&Self::Decided, this).Bind(id));
    }

    std::map<uint32_t, int64_t> m_left;  //!< when a frame left a switch last
    std::map<uint32_t, uint64_t> m_most; //!< the most bytes that a switch held
    std::array<uint64_t, 8> m_seen{};    //!< the most bytes that waited at a check, by class
    uint64_t m_seenHeadroom{0};          //!< the most bytes in headrooms at a check
};

namespace
{

/// Add the test cases of incasts.
void
AddIncasts(Suite& rows)
{
    PfcTestCase::Scenario scenario;
    rows.AddRow<PfcIncastTestCase>("15 to 1", scenario);
    scenario.senders = 5;
    scenario.bytes = 1000000;
    rows.AddRow<PfcIncastTestCase>("5 to 1, long", scenario);
    scenario.bothWays = true;
    rows.AddRow<PfcIncastTestCase>("5 to 1, both ways", scenario);
    for (const std::string rate : {"10", "25", "100", "400"})
    {
        scenario.rate = rate;
        scenario.buffer = rate == "400" ? 1000000 : 400000;
        rows.AddRow<PfcIncastTestCase>(rate + " Gb per s, both ways", scenario);
    }
    scenario = PfcTestCase::Scenario{};
    scenario.mtu = 9000;
    rows.AddRow<PfcIncastTestCase>("15 to 1, jumbo frames", scenario);
    scenario = PfcTestCase::Scenario{};
    scenario.hostsPerLeaf = 16;
    scenario.senders = 63;
    scenario.bytes = 100000;
    scenario.buffer = 5000000;
    rows.AddRow<PfcIncastTestCase>("63 to 1", scenario);
}

/// Add the test cases that compare runs.
void
AddComparisons(Suite& rows)
{
    PfcTestCase::Scenario scenario;
    scenario.stream = 0;
    scenario.lossyFrames = 100;
    rows.AddRow<PfcSameRunTestCase>("all flows at once", scenario);
    scenario.stream = 2;
    scenario.bothWays = true;
    scenario.buffer = 1300000;
    rows.AddRow<PfcSameRunTestCase>("flows both ways", scenario);
    scenario = PfcTestCase::Scenario{};
    scenario.spines = 1;
    scenario.stream = 0;
    scenario.symmetric = true;
    rows.AddRow<PfcSameRunTestCase>("leaves in step", scenario);
    scenario = PfcTestCase::Scenario{};
    scenario.stream = 3;
    scenario.bothWays = true;
    scenario.delay = MicroSeconds(3);
    scenario.buffer = 4200000;
    scenario.lossyFrames = 600;
    rows.AddRow<PfcSameRunTestCase>("long links", scenario);
}

} // namespace

FABRIC_ROWS(g_pfc)
{
    AddIncasts(rows);
    for (const std::string rate : {"10", "100", "800"})
    {
        rows.AddRow<PfcHeadroomTestCase>("the headroom suffices at " + rate + " Gb per s", rate);
    }
    for (const bool observed : {false, true})
    {
        const std::string how = observed ? ", observed" : "";
        rows.AddRow<PauseExpiryTestCase>("a pause of a queue ends" + how, false, observed);
        rows.AddRow<PauseExpiryTestCase>("a pause of a queue pair ends" + how, true, observed);
        rows.AddRow<SharedConservationTestCase>("conservation of bytes" + how, observed);
    }
    AddComparisons(rows);
}
