/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/port-buffer.h"
#include "ns3/queue-size.h"
#include "ns3/red-marker.h"
#include "ns3/rsq-balancer.h"
#include "ns3/step-marker.h"

/// The switch: forwarding, drops, conservation, static buffers and marking.
static Suite g_fabricSwitch("ai-fabric-switch");

namespace
{

constexpr uint16_t FRAME_BYTES = 1000; //!< bytes of a frame of a small test

/// @return frames that a switch dropped
uint64_t
CountDropped(const FabricSwitch& fabricSwitch)
{
    uint64_t dropped = 0;
    for (uint8_t reason = 0; reason < FabricSwitch::DROP_REASONS; ++reason)
    {
        dropped += fabricSwitch.GetDropped(static_cast<FabricSwitch::DropReason>(reason));
    }
    return dropped;
}

/// @return one leaf with three hosts, of which two can overload the port of the third
Ptr<Fabric>
BuildFunnel(const ClosHelper& helper)
{
    return helper.Install(LeafSpine(1, 1, 3));
}

/// Let hosts 0 and 1 of a funnel send frames to host 2.
void
Overload(const Fabric& fabric, uint32_t count, EcnField ecn)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        for (const uint32_t source : {0, 1})
        {
            Ptr<FabricFrame> frame = MakeFrame(fabric, source, 2, LOSSLESS_CLASS, FRAME_BYTES);
            frame->SetTos(frame->GetTos() | ecn);
            SendFrame(fabric, frame);
        }
    }
}

} // namespace

/// A frame from each host to each other host arrives there, in its own plane, over a shortest path,
/// and is dropped nowhere.
struct SwitchForwardingTestCase : FabricTestCase
{
    void Check(const FabricGraph& graph)
    {
        m_graph = graph;
        Ptr<Fabric> fabric = ClosHelper().Install(m_graph);
        const uint32_t hosts = m_graph.HostCount();
        const uint16_t planes = m_graph.Planes();
        for (uint32_t host = 0; host < hosts; ++host)
        {
            for (uint16_t plane = 0; plane < planes; ++plane)
            {
                Ptr<FabricPort> port = fabric->GetNic(host)->GetPort(plane);
                Trace(*port, "Receive", [this, host, plane](Ptr<const FabricFrame> frame) {
                    Received(host, plane, frame);
                });
                for (uint32_t other = 0; other < hosts; ++other)
                {
                    if (other != host)
                    {
                        Ptr<FabricFrame> frame =
                            MakeFrame(*fabric, host, other, LOSSLESS_CLASS, FRAME_BYTES);
                        frame->flowHash = (frame->flowHash & ~0xFFU) | plane;
                        port->GetTransmitter().Send(frame, 0);
                    }
                }
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_arrivals.size(),
                              std::size_t{planes} * hosts * (hosts - 1),
                              "each pair of hosts is connected in each plane");
        for (const auto& [key, count] : m_arrivals)
        {
            NS_TEST_EXPECT_MSG_EQ(count, 1, "a frame arrives once");
        }
        for (uint32_t id = 0; id < fabric->GetSwitchCount(); ++id)
        {
            NS_TEST_EXPECT_MSG_EQ(CountDropped(*fabric->GetSwitch(id)), 0, "nothing is dropped");
        }
    }

    /// A frame has come to a host.
    void Received(uint32_t host, uint16_t plane, Ptr<const FabricFrame> frame)
    {
        NS_TEST_EXPECT_MSG_EQ(frame->destination, host, "a frame arrives where it is meant to");
        NS_TEST_EXPECT_MSG_EQ(frame->GetHops() + 1U,
                              m_graph.PathLinks(frame->source, host),
                              "and crosses as few switches as possible");
        NS_TEST_EXPECT_MSG_EQ((frame->flowHash & 0xFF), plane, "in the plane where it was sent");
        ++m_arrivals[{plane, frame->source, host}];
    }

    FabricGraph m_graph{LeafSpine(1, 1, 1)};                //!< the fabric
    std::map<std::array<uint32_t, 3>, uint32_t> m_arrivals; //!< by plane, source, destination
};

/// Each reason for which a switch drops frames is counted and traced as what it is, once a frame.
struct SwitchDropTestCase : FabricTestCase
{
    /// Send a frame and expect where and why it is dropped.
    void ExpectDrop(Ptr<FabricFrame> frame, uint32_t id, FabricSwitch::DropReason reason)
    {
        std::vector<uint64_t> before;
        for (uint32_t i = 0; i < m_fabric->GetSwitchCount(); ++i)
        {
            before.push_back(CountDropped(*m_fabric->GetSwitch(i)));
        }
        const uint64_t counted = m_fabric->GetSwitch(id)->GetDropped(reason);
        m_drops.clear();
        SendFrame(*m_fabric, frame);
        Simulator::Run();
        const std::string name = FabricSwitch::GetReasonName(reason);
        NS_TEST_ASSERT_MSG_EQ(m_drops.size(), 1, name << ": one drop is traced");
        NS_TEST_EXPECT_MSG_EQ(m_drops[0].first, id, name << ": where it is");
        NS_TEST_EXPECT_MSG_EQ(+m_drops[0].second, +reason, name << ": as what it is");
        NS_TEST_EXPECT_MSG_EQ(m_fabric->GetSwitch(id)->GetDropped(reason), counted + 1, name);
        for (uint32_t i = 0; i < m_fabric->GetSwitchCount(); ++i)
        {
            const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(i);
            NS_TEST_EXPECT_MSG_EQ(CountDropped(fabricSwitch), before[i] + (i == id), name);
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetReceived(),
                                  fabricSwitch.GetForwarded() + CountDropped(fabricSwitch),
                                  name << ": received = forwarded + dropped");
        }
    }

    void Dropped(uint32_t id, Ptr<const FabricFrame>, FabricSwitch::DropReason reason)
    {
        m_drops.emplace_back(id, reason);
    }

    Ptr<Fabric> m_fabric;                                               //!< the fabric
    std::vector<std::pair<uint32_t, FabricSwitch::DropReason>> m_drops; //!< what was traced
};

FABRIC_TEST_F(SwitchDropTestCase, g_fabricSwitch, "each reason to drop is counted and traced")
{
    constexpr uint32_t LEAF = 0;
    constexpr uint32_t SPINE = 2;
    ClosHelper helper;
    helper.SetAdmission(FactoryOf("PortBuffer", {{"PortBytes", 900}}));
    m_fabric = helper.Install(LeafSpine(2, 1, 2));
    for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
    {
        m_fabric->GetSwitch(id)->TraceConnectWithoutContext(
            "Drop",
            MakeCallback(&SwitchDropTestCase::Dropped, this).Bind(id));
    }
    Ptr<FabricFrame> frame = MakeFrame(*m_fabric, 0, 1, LOSSLESS_CLASS, 500);
    frame->ttl = 1;
    ExpectDrop(frame, LEAF, FabricSwitch::TTL);
    frame = MakeFrame(*m_fabric, 0, 3, LOSSLESS_CLASS, 500);
    frame->ttl = 2;
    ExpectDrop(frame, SPINE, FabricSwitch::TTL);
    ExpectDrop(MakeFrame(*m_fabric, 0, 4, LOSSLESS_CLASS, 500), SPINE, FabricSwitch::NO_ROUTE);
    ExpectDrop(MakeFrame(*m_fabric, 0, 1, LOSSLESS_CLASS, 901), LEAF, FabricSwitch::NO_BUFFER);
    m_fabric->GetSwitch(LEAF)->SetPortAlive(1, false);
    ExpectDrop(MakeFrame(*m_fabric, 0, 1, LOSSLESS_CLASS, 500), LEAF, FabricSwitch::NO_ROUTE);
    m_fabric->GetSwitch(LEAF)->SetPortAlive(1, true);
    const uint64_t forwarded = m_fabric->GetSwitch(LEAF)->GetForwarded();
    SendFrame(*m_fabric, MakeFrame(*m_fabric, 0, 1, LOSSLESS_CLASS, 500));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_fabric->GetSwitch(LEAF)->GetForwarded(), forwarded + 1, "revived");
    Ptr<FabricQueue> queue =
        m_fabric->GetSwitch(LEAF)->GetPort(1)->GetTransmitter().GetQueue(LOSSLESS_CLASS);
    queue->SetMaxSize(QueueSize("400B"));
    ExpectDrop(MakeFrame(*m_fabric, 0, 1, LOSSLESS_CLASS, 500), LEAF, FabricSwitch::NO_BUFFER);
    NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedPackets(), 2, "the queue counts them as its own");
    m_fabric = nullptr;
}

/// On random traffic with drops, at several times and at the end: each switch has received what it
/// forwarded or dropped, and forwarded what its ports sent or hold; each link has what was sent on
/// it; nothing in the fabric appears or vanishes.
struct SwitchConservationTestCase : FabricTestCase
{
    /// @param loss probability of the loss of a frame on a link
    void Check(const FabricGraph& graph, int64_t stream, double loss)
    {
        m_graph = graph;
        ClosHelper helper;
        helper.SetAdmission(FactoryOf("PortBuffer", {{"PortBytes", 30000}}));
        m_fabric = InstallFabric(helper, m_graph);
        for (const Ptr<FabricChannel>& channel : m_fabric->GetChannelList())
        {
            channel->SetLossProbability(loss);
        }
        const uint32_t hosts = m_graph.HostCount();
        UniformInteger uniform = Uniform(stream);
        std::vector<Flow> flows = RandomPermutation(hosts, 300000, uniform);
        for (const Flow& flow : Incast(hosts, hosts / 2, 0, 50000, uniform))
        {
            flows.push_back(flow);
        }
        for (Flow& flow : flows)
        {
            flow.startPs = uniform(5000000);
        }
        Ptr<FlowDriver> driver = StartFlows(*m_fabric, flows);
        for (const uint32_t time : {1, 3, 5, 8, 13, 600})
        {
            Simulator::Schedule(MicroSeconds(time), &SwitchConservationTestCase::CheckLaws, this);
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        CheckLaws();
        NS_TEST_EXPECT_MSG_EQ(driver->GetService()->GetCompleted(),
                              flows.size(),
                              "all is delivered at last");
        NS_TEST_EXPECT_MSG_EQ(m_inside, 0, "nothing is left");
        NS_TEST_EXPECT_MSG_GT(m_waitingSeen, 3, "the test has seen queues");
        const uint64_t dropped = SumSwitches(*m_fabric, CountDropped);
        NS_TEST_EXPECT_MSG_GT(dropped, 0, "the test has seen drops");
        m_fabric = nullptr;
    }

    /// Check the laws.
    void CheckLaws()
    {
        m_fabric->CatchUp();
        m_inside = 0;
        m_lost = 0;
        uint64_t made = 0;
        uint64_t ended = 0;
        for (uint32_t host = 0; host < m_graph.HostCount(); ++host)
        {
            const RoceNetDevice& nic = *m_fabric->GetNic(host);
            const FabricTransmitter& transmitter = nic.GetPort(0)->GetTransmitter();
            made += transmitter.GetCounters().sentFrames + transmitter.GetWaitingFrames();
            CheckPort(*nic.GetPort(0));
            const RoceNetDevice::Counters& counters = nic.GetCounters();
            const uint64_t taken = counters.data + counters.acks + counters.ip + counters.dropped;
            NS_TEST_EXPECT_MSG_EQ(
                transmitter.GetPeer()->GetTransmitter().GetCounters().deliveredFrames,
                taken,
                "delivered = taken");
            ended += taken;
        }
        for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
        {
            const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(id);
            uint64_t in = 0;
            uint64_t out = 0;
            for (uint32_t i = 0; i < fabricSwitch.GetPortCount(); ++i)
            {
                const FabricTransmitter& transmitter = fabricSwitch.GetPort(i)->GetTransmitter();
                in += transmitter.GetPeer()->GetTransmitter().GetCounters().deliveredFrames;
                out += transmitter.GetCounters().sentFrames + transmitter.GetWaitingFrames();
                m_waitingSeen = std::max<uint64_t>(m_waitingSeen, transmitter.GetWaitingFrames());
                CheckPort(*fabricSwitch.GetPort(i));
            }
            const uint64_t dropped = CountDropped(fabricSwitch);
            ended += dropped;
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetReceived(), in, "received = delivered to it");
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetReceived(),
                                  fabricSwitch.GetForwarded() + dropped,
                                  "received = forwarded + dropped");
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetForwarded(), out, "forwarded = sent + waiting");
        }
        NS_TEST_EXPECT_MSG_EQ(made,
                              ended + m_lost + m_inside,
                              "made = ended + lost + waiting + in flight");
    }

    /// Check a transmitter's law, and add up.
    void CheckPort(const FabricPort& port)
    {
        const FabricTransmitter& transmitter = port.GetTransmitter();
        const FabricTransmitter::Counters& counters = transmitter.GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.sentFrames,
                              counters.deliveredFrames + counters.lostFrames +
                                  transmitter.GetFlightFrames(),
                              "frames sent = delivered + lost + in flight");
        NS_TEST_EXPECT_MSG_EQ(counters.sentBytes,
                              counters.deliveredBytes + counters.lostBytes +
                                  transmitter.GetFlightBytes(),
                              "bytes sent = delivered + lost + in flight");
        m_lost += counters.lostFrames;
        m_inside += transmitter.GetWaitingFrames() + transmitter.GetFlightFrames();
    }

    FabricGraph m_graph{LeafSpine(1, 1, 1)}; //!< the fabric
    Ptr<Fabric> m_fabric;                    //!< the fabric
    uint64_t m_lost{0};                      //!< frames that links have lost
    uint64_t m_inside{0};                    //!< frames that wait or fly
    uint64_t m_waitingSeen{0};               //!< the most frames that waited at a check
};

/// A PortBuffer fills up to its last byte, and drops what goes beyond and nothing else.
struct PortBufferTestCase : FabricTestCase
{
    static constexpr uint32_t LIMIT = 10 * FRAME_BYTES; //!< bytes a port
    static constexpr uint32_t COUNT = 30;               //!< frames a host

    void Check(bool observed)
    {
        ClosHelper helper;
        helper.SetAdmission(
            FactoryOf("PortBuffer", {{"PortBytes", LIMIT}, {"Victim", "Arriving"}}));
        Ptr<Fabric> fabric = BuildFunnel(helper);
        Ptr<FabricSwitch> leaf = fabric->GetSwitch(0);
        m_egress = &leaf->GetPort(2)->GetTransmitter();
        leaf->TraceConnectWithoutContext("Drop", MakeCallback(&PortBufferTestCase::Dropped, this));
        if (observed)
        {
            m_egress->GetQueue(LOSSLESS_CLASS)
                ->TraceConnectWithoutContext("BytesInQueue",
                                             MakeCallback(&PortBufferTestCase::Changed, this));
        }
        Overload(*fabric, COUNT, ECN_NOT_ECT);
        Simulator::Run();
        // Two frames arrive each time one leaves. The first two find the port idle: one is sent at
        // once. From then on the queue grows by one frame a pair, and one pair in its time finds
        // room for one. The pair numbered i (from 1) leaves i frames waiting, until all 10 places
        // are taken.
        NS_TEST_EXPECT_MSG_EQ(leaf->GetDropped(FabricSwitch::NO_BUFFER), COUNT - 10, "drops");
        NS_TEST_EXPECT_MSG_EQ(m_egress->GetCounters().deliveredFrames, COUNT + 10, "deliveries");
        NS_TEST_EXPECT_MSG_EQ(m_egress->GetMaxFrames(), 11, "ten waited, one was in transmission");
        if (observed)
        {
            NS_TEST_EXPECT_MSG_EQ(m_longest, LIMIT, "the buffer was full to the last byte");
        }
    }

    void Dropped(Ptr<const FabricFrame> frame, FabricSwitch::DropReason)
    {
        NS_TEST_EXPECT_MSG_GT(m_egress->GetWaitingBytes() + frame->wireBytes,
                              LIMIT,
                              "no frame is dropped that has room");
    }

    /// The queue has become longer.
    void Changed(uint32_t, uint32_t after)
    {
        m_longest = std::max(m_longest, after);
    }

    FabricTransmitter* m_egress{nullptr}; //!< the port that is overloaded
    uint32_t m_longest{0};                //!< the longest that its queue was
};

/// In a switch, packets are marked by the queue that they join or leave behind: exactly above the
/// threshold of a StepMarker; as often as the law of a RedMarker says, within four standard
/// deviations; never if the transport is not ECN-capable.
struct SwitchMarkingTestCase : FabricTestCase
{
    static constexpr uint32_t LOW = 20 * FRAME_BYTES;   //!< threshold, or KMin
    static constexpr uint32_t HIGH = 400 * FRAME_BYTES; //!< KMax
    static constexpr double TOP = 0.4;                  //!< PMax

    void Check(const std::string& type, bool atDequeue, EcnField ecn)
    {
        m_red = type == "RedMarker";
        m_ecn = ecn;
        constexpr uint32_t COUNT = 600;
        ClosHelper helper;
        ObjectFactory marker(m_red ? "ns3::aifabric::RedMarker" : "ns3::aifabric::StepMarker",
                             "AtDequeue",
                             BooleanValue(atDequeue));
        marker.Set(m_red ? "KMin" : "Threshold", UintegerValue(LOW));
        if (m_red)
        {
            marker.Set("KMax", UintegerValue(HIGH));
            marker.Set("PMax", DoubleValue(TOP));
        }
        helper.SetMarker(marker);
        Ptr<Fabric> fabric = BuildFunnel(helper);
        fabric->AssignStreams(1);
        Ptr<FabricPort> egress = fabric->GetSwitch(0)->GetPort(2);
        m_egress = &egress->GetTransmitter();
        if (atDequeue)
        {
            egress->TraceConnectWithoutContext("Send",
                                               MakeCallback(&SwitchMarkingTestCase::Left, this));
        }
        else
        {
            m_egress->GetQueue(LOSSLESS_CLASS)
                ->TraceConnectWithoutContext("Enqueue",
                                             MakeCallback(&SwitchMarkingTestCase::Joined, this));
        }
        Overload(*fabric, COUNT, m_ecn);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_decided, 2 * COUNT, "each packet was decided upon");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_marked, m_expected, 4 * std::sqrt(m_variance) + 1e-9, "marks");
        if (m_ecn != ECN_NOT_ECT)
        {
            NS_TEST_EXPECT_MSG_GT(m_marked, 0, "some packets are marked");
            NS_TEST_EXPECT_MSG_LT(m_marked, m_decided, "some are not");
        }
    }

    /// @return the probability of a mark
    double GetProbability(uint32_t bytes) const
    {
        if (bytes <= LOW)
        {
            return 0;
        }
        return m_red && bytes <= HIGH ? TOP * (bytes - LOW) / (HIGH - LOW) : 1;
    }

    /// A packet was decided upon.  @param bytes the length of the queue
    void Decided(uint32_t bytes, const FabricFrame& frame)
    {
        const double p = m_ecn == ECN_NOT_ECT ? 0 : GetProbability(bytes);
        const bool marked = frame.GetEcn() == ECN_CE;
        NS_TEST_EXPECT_MSG_EQ((marked ? p > 0 : p < 1), true, "at " << bytes << " bytes");
        m_expected += p;
        m_variance += p * (1 - p);
        m_marked += marked;
        m_decided += 1;
    }

    /// A packet has joined the queue.
    void Joined(Ptr<const FabricFrame> frame)
    {
        Decided(m_egress->GetLane(LOSSLESS_CLASS).GetBytes() - frame->wireBytes, *frame);
    }

    /// A packet has left the queue.
    void Left(Ptr<const FabricFrame> frame)
    {
        Decided(m_egress->GetLane(LOSSLESS_CLASS).GetBytes(), *frame);
    }

    bool m_red;                           //!< RedMarker, otherwise StepMarker
    EcnField m_ecn;                       //!< of the packets
    FabricTransmitter* m_egress{nullptr}; //!< the port that is overloaded
    double m_expected{0};                 //!< marks expected
    double m_variance{0};                 //!< of the number of marks
    uint32_t m_marked{0};                 //!< packets marked
    uint32_t m_decided{0};                //!< packets decided upon
};

/// The laws of the markers at given lengths: the frequency of marks of a RedMarker is within four
/// standard deviations of its probability; two ports mark independently; a marker repeats itself
/// with the same stream only.
struct MarkerLawTestCase : FabricTestCase
{
    static constexpr uint32_t DRAWS = 20000; //!< decisions at each length

    /// @return a RedMarker from 1000 to 5000 bytes and 0.5
    static Ptr<RedMarker> MakeRed(int64_t stream)
    {
        auto marker = CreateWith<RedMarker>({{"KMin", 1000}, {"KMax", 5000}, {"PMax", 0.5}});
        marker->AssignStreams(stream);
        marker->Initialize();
        return marker;
    }

    /// @return decisions of a marker
    static std::vector<bool> Decide(EcnMarker& marker,
                                    uint32_t bytes,
                                    const FabricTransmitter& egress)
    {
        std::vector<bool> decisions(DRAWS);
        std::generate(decisions.begin(), decisions.end(), [&]() {
            return marker.Marks(bytes, egress);
        });
        return decisions;
    }

    /// Expect a number of marks.
    void ExpectFrequency(const std::vector<bool>& decisions, double p)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(std::count(decisions.begin(), decisions.end(), true),
                                  DRAWS * p,
                                  4 * std::sqrt(DRAWS * p * (1 - p)),
                                  "marks at probability " << p);
    }
};

FABRIC_TEST_F(MarkerLawTestCase, g_fabricSwitch, "the laws of the markers")
{
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    const FabricTransmitter& one = fabric->GetSwitch(0)->GetPort(0)->GetTransmitter();
    const FabricTransmitter& two = fabric->GetSwitch(0)->GetPort(1)->GetTransmitter();
    Ptr<RedMarker> red = MakeRed(7);
    const std::vector<std::pair<uint32_t, double>> law =
        {{0, 0}, {1000, 0}, {1400, 0.05}, {2000, 0.125}, {3000, 0.25}, {5000, 0.5}, {5001, 1}};
    for (const auto& [bytes, probability] : law)
    {
        ExpectFrequency(Decide(*red, bytes, one), probability);
        ExpectFrequency(Decide(*red, bytes, two), probability);
    }
    const std::vector<bool> a = Decide(*red, 5000, one);
    const std::vector<bool> b = Decide(*red, 5000, two);
    std::vector<bool> both(DRAWS);
    std::transform(a.begin(), a.end(), b.begin(), both.begin(), [](bool x, bool y) {
        return x && y;
    });
    ExpectFrequency(both, 0.25);
    std::transform(a.begin() + 1, a.end(), a.begin(), both.begin(), [](bool x, bool y) {
        return x && y;
    });
    ExpectFrequency(both, 0.25);
    NS_TEST_EXPECT_MSG_EQ((Decide(*MakeRed(7), 3000, one) == Decide(*MakeRed(7), 3000, one)),
                          true,
                          "the same stream gives the same marks");
    NS_TEST_EXPECT_MSG_EQ((Decide(*MakeRed(7), 3000, one) == Decide(*MakeRed(8), 3000, one)),
                          false,
                          "another stream gives others");
    auto step = CreateWith<StepMarker>({{"Threshold", 3000}});
    NS_TEST_EXPECT_MSG_EQ(step->Marks(3000, one), false, "at the threshold");
    NS_TEST_EXPECT_MSG_EQ(step->Marks(3001, one), true, "above it");
}

/// Thresholds in time follow the rate of each port, within bounds in bytes; a degraded link has a
/// fraction of them, and a port that gets another rate has others at once.
struct TimedMarkerTestCase : FabricTestCase
{
    /// Expect thresholds.  @param bytes by port, longest queue without marks
    void Check(const ObjectFactory& factory, const std::vector<uint32_t>& bytes)
    {
        ClosHelper helper;
        helper.SetMarker(factory);
        Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 3));
        const Ptr<FabricSwitch> leaf = fabric->GetSwitch(0);
        leaf->GetPort(0)->SetDataRate(DataRate("25Gb/s"));
        leaf->Initialize();
        leaf->GetPort(1)->SetDataRate(DataRate("100Gb/s"));
        leaf->GetPort(2)->SetDataRate(DataRate("100Gb/s"));
        leaf->GetPort(2)->SetQueueFactor(0.5);
        for (std::size_t port = 0; port < bytes.size(); ++port)
        {
            const FabricTransmitter& egress = leaf->GetPort(port)->GetTransmitter();
            NS_TEST_EXPECT_MSG_EQ(leaf->GetMarker()->Marks(bytes[port], egress),
                                  false,
                                  "port " << port << " at " << bytes[port]);
            NS_TEST_EXPECT_MSG_EQ(leaf->GetMarker()->Marks(bytes[port] + 2, egress),
                                  true,
                                  "port " << port << " above " << bytes[port]);
        }
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(TimedMarkerTestCase, g_fabricSwitch, "thresholds in time of the port's own rate")
{
    const ObjectFactory step = FactoryOf("StepMarker", {{"Threshold", 1000}});
    const ObjectFactory red = FactoryOf("RedMarker", {{"PMax", 1.0}});
    const auto with = [](ObjectFactory marker, const std::vector<std::string>& times) {
        for (const std::string& name : times)
        {
            marker.Set(name, TimeValue(MicroSeconds(32)));
        }
        return marker;
    };
    Check(step, {1000, 1000, 500});
    ObjectFactory timed = with(step, {"ThresholdTime"});
    Check(timed, {100000, 400000, 200000});
    Check(with(red, {"KMinTime", "KMaxTime"}), {100000, 400000, 200000});
    timed.Set("MostBytes", UintegerValue(300000));
    Check(timed, {100000, 300000, 150000});
    timed.Set("LeastBytes", UintegerValue(120000));
    Check(timed, {120000, 300000, 150000});
}

/// Bounds of thresholds in time keep their ratio: KMin shrinks as KMax does.
FABRIC_TEST(g_fabricSwitch, "bounds of thresholds in time keep their ratio")
{
    ClosHelper helper;
    ObjectFactory red = FactoryOf("RedMarker", {{"PMax", 0.5}, {"MostBytes", 200000}});
    red.Set("KMinTime", TimeValue(MicroSeconds(8)));
    red.Set("KMaxTime", TimeValue(MicroSeconds(32)));
    helper.SetMarker(red);
    Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 2));
    const Ptr<FabricSwitch> leaf = fabric->GetSwitch(0);
    leaf->GetPort(0)->SetDataRate(DataRate("100Gb/s"));
    leaf->Initialize();
    const FabricTransmitter& egress = leaf->GetPort(0)->GetTransmitter();
    uint32_t marks = 0;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(leaf->GetMarker()->Marks(50000, egress), false, "up to KMin");
        marks += leaf->GetMarker()->Marks(125000, egress); // half of the way: a quarter
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(marks, 250, 60, "marks between KMin and KMax");
    NS_TEST_EXPECT_MSG_EQ(leaf->GetMarker()->Marks(200001, egress), true, "above KMax");
    Simulator::Destroy();
}

/// Whether departures are observed makes no difference: the same drops, the same marks on the same
/// packets, the same times of completion, with random marks at dequeue and random spraying.
struct SwitchObserverTestCase : FabricTestCase
{
    /// @return what happened in a run
    std::vector<int64_t> Run(bool observed)
    {
        m_happened.clear();
        m_marked = 0;
        ClosHelper helper;
        helper.SetBalancer(FactoryOf("RsqBalancer"));
        helper.SetAdmission(FactoryOf("PortBuffer", {{"PortBytes", 60000}}));
        helper.SetMarker(
            FactoryOf("RedMarker", {{"AtDequeue", true}, {"KMin", 5000}, {"KMax", 60000}}));
        Ptr<Fabric> fabric = InstallFabric(helper, FatTree(4));
        for (uint32_t host = 0; host < fabric->GetGraph().HostCount(); ++host)
        {
            fabric->GetNic(host)->GetPort(0)->TraceConnectWithoutContext(
                "Receive",
                MakeCallback(&SwitchObserverTestCase::Received, this));
        }
        if (observed)
        {
            ForEachPort(*fabric, &MakeEager);
        }
        UniformInteger uniform = Uniform(5);
        std::vector<Flow> flows = RandomPermutation(16, 200000, uniform);
        for (const Flow& flow : Incast(16, 6, 3, 100000, uniform))
        {
            flows.push_back(flow);
        }
        Ptr<FlowDriver> driver = StartFlows(*fabric, flows);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(driver->GetService()->GetCompleted(),
                              flows.size(),
                              "all is delivered");
        const uint64_t dropped = SumSwitches(*fabric, CountDropped);
        NS_TEST_EXPECT_MSG_GT(dropped, 0, "the test has seen drops");
        NS_TEST_EXPECT_MSG_GT(m_marked, 0, "the test has seen marks");
        m_happened.push_back(dropped);
        Simulator::Destroy();
        return m_happened;
    }

    /// A frame has come to a host.
    void Received(Ptr<const FabricFrame> frame)
    {
        m_happened.push_back(FabricClock::Now());
        m_happened.push_back(frame->source << 2 | frame->GetEcn());
        m_marked += frame->GetEcn() == ECN_CE;
    }

    std::vector<int64_t> m_happened; //!< times and frames
    uint64_t m_marked{0};            //!< packets marked
};

FABRIC_TEST_F(SwitchObserverTestCase, g_fabricSwitch, "observers of departures change nothing")
{
    const std::vector<int64_t> unobserved = Run(false);
    const std::vector<int64_t> observed = Run(true);
    NS_TEST_EXPECT_MSG_EQ(observed.size(), unobserved.size(), "as many frames arrive");
    NS_TEST_EXPECT_MSG_EQ((observed == unobserved), true, "at the same times, marked alike");
}

FABRIC_ROWS(g_fabricSwitch)
{
    using Forwarding = SwitchForwardingTestCase;
    rows.AddRow<Forwarding>("every destination is reached: fat-tree", FatTree(4));
    rows.AddRow<Forwarding>("every destination is reached: leaf-spine", LeafSpine(4, 3, 4));
    rows.AddRow<Forwarding>("every destination is reached: two planes", LeafSpine(3, 2, 2, 2));
    using Conservation = SwitchConservationTestCase;
    for (const double loss : {0.0, 0.01})
    {
        const std::string name = "conservation on random traffic, loss " + std::to_string(loss);
        rows.AddRow<Conservation>(name + ": fat-tree", FatTree(4), 11, loss);
        rows.AddRow<Conservation>(name + ": leaf-spine", LeafSpine(4, 3, 4), 12, loss);
    }
    rows.AddRow<PortBufferTestCase>("the limit of PortBuffer is exact, unobserved", false);
    rows.AddRow<PortBufferTestCase>("the limit of PortBuffer is exact, observed", true);
    for (const bool atDequeue : {false, true})
    {
        const std::string when = atDequeue ? " at dequeue" : " at enqueue";
        using Marking = SwitchMarkingTestCase;
        rows.AddRow<Marking>("step" + when, "StepMarker", atDequeue, ECN_ECT0);
        rows.AddRow<Marking>("not ECN-capable" + when, "StepMarker", atDequeue, ECN_NOT_ECT);
        rows.AddRow<Marking>("RED" + when, "RedMarker", atDequeue, ECN_ECT1);
    }
}
