/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/dcqcn-control.h"
#include "ns3/enum.h"
#include "ns3/red-marker.h"

static Suite g_dcqcn("ai-fabric-dcqcn");

namespace
{

constexpr double MBPS = 1e6;       //!< bit/s
constexpr int64_t PS_US = 1000000; //!< picoseconds of a microsecond

/// Marks each packet, or one in so many.
struct EachMarker : EcnMarker
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<EachMarker, EcnMarker>("EachMarker")
                                .AddAttribute("Every",
                                              "One in so many packets is marked.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&EachMarker::m_every),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    bool Marks(uint32_t, const FabricTransmitter&) override
    {
        return ++m_seen % m_every == 0;
    }

    uint32_t m_every{1}; //!< one in so many packets is marked
    uint64_t m_seen{0};  //!< packets that it has seen
};

NS_OBJECT_ENSURE_REGISTERED(EachMarker);

/// A RedMarker that compares its marks with the curve, from 100 ms on.
struct WatchedRedMarker : RedMarker
{
    struct Seen
    {
        double packets{0};  //!< that have joined the queue
        double bytes{0};    //!< that they have found there
        double marks{0};    //!< of these packets
        double expected{0}; //!< sum of their probabilities
    };

    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<WatchedRedMarker, RedMarker>("WatchedRedMarker");
        return tid;
    }

    bool Marks(uint32_t bytes, const FabricTransmitter& egress) override
    {
        const bool marks = RedMarker::Marks(bytes, egress);
        if (Simulator::Now() >= MilliSeconds(100))
        {
            const double curve = MOST * (bytes - LEAST_BYTES) / (MOST_BYTES - LEAST_BYTES);
            ++seen.packets;
            seen.bytes += bytes;
            seen.marks += marks;
            seen.expected += bytes > MOST_BYTES ? 1 : std::max(0.0, curve);
        }
        return marks;
    }

    static constexpr double LEAST_BYTES = 5000;  //!< KMin
    static constexpr double MOST_BYTES = 200000; //!< KMax
    static constexpr double MOST = 0.01;         //!< PMax
    Seen seen;                                   //!< what it has seen
};

NS_OBJECT_ENSURE_REGISTERED(WatchedRedMarker);

/// Drops copies of packet 5 of queue pairs.
struct LosingBuffer : BufferAdmission
{
    AdmissionVerdict Admit(const FabricFrame& frame, FabricTransmitter&, int64_t) override
    {
        const bool drops = losses > 0 && frame.opcode == RC_WRITE_MIDDLE && frame.psn == 5;
        losses -= drops ? 1 : 0;
        return drops ? AdmissionVerdict::DROP : AdmissionVerdict::ADMIT;
    }

    uint32_t GetPortBytes() const override
    {
        return UINT32_MAX;
    }

    uint32_t losses{0}; //!< how many to come
};

/// @return what a frame is, as hexadecimal digits
std::string
ToHex(const FabricFrame& frame)
{
    const Ptr<Packet> packet = FrameCodec::Serialize(frame,
                                                     Mac48Address("02:00:00:00:00:01"),
                                                     Mac48Address("02:00:00:00:00:02"));
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    std::string digits;
    for (const uint8_t byte : bytes)
    {
        digits += "0123456789abcdef"[byte >> 4];
        digits += "0123456789abcdef"[byte & 15];
    }
    return digits;
}

/// A CNP that a receiver has sent.
struct Notice
{
    int64_t at;           //!< when, in picoseconds
    uint32_t from;        //!< the receiver
    uint32_t to;          //!< the sender of the data
    uint32_t queuePair;   //!< number of its queue pair
    uint8_t trafficClass; //!< the class
};

/// Hosts below one switch that marks each packet, and send to each other.
struct MarkedFabric
{
    /// @param every one in so many packets is marked at a switch
    MarkedFabric(uint32_t hosts, const ObjectFactory& control, uint32_t every = 1)
    {
        ClosHelper clos = ClosOf({}, {{"DataRate", "40Gb/s"}});
        clos.SetMarker(FactoryOf("EachMarker", {{"Every", every}}));
        fabric = InstallFabric(clos, LeafSpine(2, 1, hosts));
        roce.SetQueuePairAttribute("Mtu", UintegerValue(1024));
        roce.SetControl(control);
        for (uint32_t host = 0; host < hosts; ++host)
        {
            Trace(*fabric->GetNic(host)->GetPort(0), "Send", [this](Ptr<const FabricFrame> frame) {
                if (frame->opcode == ROCE_CNP)
                {
                    notices.push_back({FabricClock::Now(),
                                       frame->source,
                                       frame->destination,
                                       frame->destinationQp,
                                       frame->GetClass()});
                    bytes = frame->wireBytes;
                    Note(*frame);
                }
            });
        }
    }

    /// Post messages from one host to another.  @param size bytes of each
    void Send(uint32_t from, uint32_t to, uint64_t size)
    {
        queuePairs.push_back(roce.Connect(fabric->GetNic(from), fabric->GetNic(to)));
        queuePairs.back().first->PostWrite(size);
    }

    /// @return what all have counted
    PolicyCounters Run()
    {
        Simulator::Run();
        PolicyCounters counters;
        for (const auto& [near, far] : queuePairs)
        {
            near->CountPolicies(counters);
            far->CountPolicies(counters);
        }
        return counters;
    }

    Ptr<Fabric> fabric;                       //!< the fabric
    RoceHelper roce;                          //!< connects
    std::vector<RoceHelper::Ends> queuePairs; //!< what it has connected
    std::vector<Notice> notices;              //!< CNPs
    uint32_t bytes{0};                        //!< of the last one on the wire
    std::string digits;                       //!< its bytes, as those of the test vector

    /// Note the bytes of a CNP as if it was that of the test vector.
    void Note(const FabricFrame& frame)
    {
        const Ptr<FabricFrame> copy = fabric->GetPool()->Create();
        copy->opcode = frame.opcode;
        copy->psn = frame.psn;
        copy->flags = frame.flags;
        copy->SetTos(frame.GetTos());
        copy->source = 1;
        copy->destination = 0;
        copy->destinationQp = 0x12;
        copy->entropy = 0xC123;
        digits = ToHex(*copy);
    }
};

ObjectFactory
MakeDcqcn(const std::string& preset)
{
    return FactoryOf("DcqcnControl", {{"Preset", preset}});
}

} // namespace

/// Presets, attributes that override them, and what the control tells its queue pair.
struct DcqcnControlTestCase : FabricTestCase
{
    /// At 400 Gb/s.  @param gap between CNPs, in us
    /// @param first share of the rate right after the first CNP  @param timer Tr, in us
    /// @param additive RAI, in Mb/s
    void CheckPreset(const std::string& name,
                     int64_t gap,
                     double first,
                     int64_t timer,
                     double additive)
    {
        const auto control = MakeDcqcn(name).Create<DcqcnControl>();
        control->Start(MakeFacts("400Gb/s", 4096));
        NS_TEST_EXPECT_MSG_EQ(control->GetCnpGap(), MicroSeconds(gap), name << ": gap");
        NS_TEST_EXPECT_MSG_EQ(control->GetRate(), DataRate("400Gb/s"), name << ": line rate");
        control->CnpReceived(0);
        NS_TEST_EXPECT_MSG_EQ(control->GetReactionPoint().GetRate(), first * 400e9, name);
        StringValue preset;
        control->GetAttribute("Preset", preset);
        NS_TEST_EXPECT_MSG_EQ(preset.Get(), name, "its name");
        const DcqcnRate::Parameters parameters =
            DcqcnPresets::Get(static_cast<DcqcnPresets::Name>(GetIndex(name)), 400e9);
        NS_TEST_EXPECT_MSG_EQ(parameters.ratePeriod, timer * PS_US, name << ": Tr");
        NS_TEST_EXPECT_MSG_EQ_TOL(parameters.additive, additive * MBPS, 1, name << ": RAI");
    }

    /// @return the place of a preset in DcqcnPresets::Name
    static int GetIndex(const std::string& name)
    {
        const std::vector<std::string> names{"dcqcn-paper",
                                             "hpcc-repo",
                                             "hpcc-repo-paper",
                                             "hpcc-default",
                                             "conweave",
                                             "nvidia-doc",
                                             "connectx-3",
                                             "nvidia-like"};
        return std::find(names.begin(), names.end(), name) - names.begin();
    }

    static double Alpha(const DcqcnControl& control)
    {
        return control.GetReactionPoint().GetAlpha();
    }

    /// @param rate what it should be, in bit/s
    void ExpectRate(const DcqcnControl& control, double rate, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(control.GetReactionPoint().GetRate(), rate, 1, what);
    }
};

FABRIC_TEST_F(DcqcnControlTestCase, g_dcqcn, "dcqcn: presets, and attributes that override them")
{
    CheckPreset("dcqcn-paper", 50, 0.5, 55, 40);
    CheckPreset("hpcc-repo", 4, 1, 300, 80);
    CheckPreset("hpcc-repo-paper", 50, 1, 55, 80);
    CheckPreset("hpcc-default", 4, 1, 1500, 5);
    CheckPreset("conweave", 4, 1, 300, 160);
    CheckPreset("nvidia-doc", 4, 1, 300, 5);
    CheckPreset("connectx-3", 50, 1, 2000, 5);
    CheckPreset("nvidia-like", 4, 1, 300, 160);
}

FABRIC_TEST_F(DcqcnControlTestCase, g_dcqcn, "Each attribute wins over the preset")
{
    const auto control =
        CreateWith<DcqcnControl>({{"Form", "paper"},
                                  {"InitialAlpha", 0.5},
                                  {"Gain", 0.25},
                                  {"AlphaTimer", MicroSeconds(10)},
                                  {"RateTimer", MicroSeconds(20)},
                                  {"FastRecoverySteps", 2},
                                  {"AdditiveIncrease", DataRateValue(DataRate("1Gb/s"))}});
    control->SetAttribute("ByteCounter", UintegerValue(100000));
    control->SetAttribute("HyperIncrease", DataRateValue(DataRate("3Gb/s")));
    control->SetAttribute("MinRate", DataRateValue(DataRate("299Gb/s")));
    control->SetAttribute("Window", UintegerValue(9000));
    control->Start(MakeFacts("400Gb/s", 4096));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(), 9000, "window");
    control->CnpReceived(0);
    ExpectRate(*control, 300e9, "a quarter");
    NS_TEST_EXPECT_MSG_EQ_TOL(Alpha(*control), 0.625, 1e-12, "alpha");
    control->PacketSent(1000, 10 * PS_US);
    NS_TEST_EXPECT_MSG_EQ_TOL(Alpha(*control), 0.46875, 1e-12, "alpha after 10 us");
    control->PacketSent(1000, 20 * PS_US);
    ExpectRate(*control, 350e9, "fast recovery");
    control->PacketSent(1000, 40 * PS_US);
    ExpectRate(*control, 375.5e9, "additive increase at the second step");
    control->PacketSent(97000, 41 * PS_US);
    ExpectRate(*control, 388.75e9, "the byte counter");
    control->CnpReceived(42 * PS_US);
    control->CnpReceived(43 * PS_US);
    ExpectRate(*control, 299e9, "the least rate");
}

FABRIC_TEST_F(DcqcnControlTestCase, g_dcqcn, "It begins anew, follows the port, and counts")
{
    const auto control = MakeDcqcn("dcqcn-paper").Create<DcqcnControl>();
    control->Start(MakeFacts("40Gb/s", 1024));
    control->CnpReceived(0);
    control->Start(MakeFacts("40Gb/s", 1024));
    ExpectRate(*control, 40e9, "anew");
    control->LineRateChanged(DataRate("10Gb/s"));
    ExpectRate(*control, 10e9, "the rate of the port");
    control->CnpReceived(1);
    NS_TEST_EXPECT_MSG_EQ(control->Acknowledged(1024, MakeReport(true, 0), 2),
                          false,
                          "marks in acknowledgements change nothing");
    control->Lost({1024, LossReason::GAP}, 3);
    ExpectRate(*control, 5e9, "nor do losses");
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*control).at("dcqcn_cuts"), 2, "cuts");
}

/// Receivers send CNPs as they are on the wire of real NICs, no more than one a gap, and only if
/// the congestion control needs them.
struct CnpTestCase : FabricTestCase
{
    /// Host 0 gets from host 1 on two queue pairs, and from host 2.  @param scope what the gap is
    /// for  @param most CNPs in one gap, of host 0 and of host 3, which gets from host 2, too
    /// @param level 0: a queue pair, 1: a destination, 2: a NIC
    void CheckGaps(const std::string& scope, uint32_t most, int level)
    {
        constexpr int64_t GAP = 20 * PS_US;
        MarkedFabric marked(4, MakeDcqcn("dcqcn-paper"));
        marked.roce.SetQueuePairAttribute("CnpGap", TimeValue(PicoSeconds(GAP)));
        marked.roce.SetQueuePairAttribute("CnpScope", StringValue(scope));
        marked.roce.SetQueuePairAttribute("CnpDscp", UintegerValue(46));
        marked.Send(1, 0, 500000);
        marked.Send(1, 0, 500000);
        marked.Send(2, 0, 500000);
        marked.Send(2, 3, 500000);
        PolicyCounters counters = marked.Run();
        NS_TEST_EXPECT_MSG_EQ(counters["cnps"], marked.notices.size(), scope << ": counted");
        std::size_t together = 0;
        for (std::size_t i = 0; i < marked.notices.size(); ++i)
        {
            const Notice& notice = marked.notices[i];
            NS_TEST_EXPECT_MSG_EQ(uint32_t{notice.trafficClass}, 5, "class of DSCP 46");
            std::size_t count = 1;
            for (std::size_t j = 0; j < i; ++j)
            {
                const Notice& before = marked.notices[j];
                const bool isNear = notice.at - before.at < GAP - SLACK;
                const bool isSame = before.from == notice.from &&
                                    (level > 1 || before.to == notice.to) &&
                                    (level > 0 || before.queuePair == notice.queuePair);
                NS_TEST_EXPECT_MSG_EQ((isNear && isSame), false, scope << ": one a gap");
                count += isNear ? 1 : 0;
            }
            together = std::max(together, count);
        }
        NS_TEST_EXPECT_MSG_EQ(together, most, scope << ": CNPs in one gap");
        Simulator::Destroy();
    }

    static constexpr int64_t SLACK = 200000; //!< what a CNP may wait for an acknowledgement, in ps
};

FABRIC_TEST_F(CnpTestCase, g_dcqcn, "CNPs: bytes, class, and gap")
{
    CheckGaps("queue-pair", 4, 0);
    CheckGaps("destination", 3, 1);
    CheckGaps("nic", 2, 2);
}

/// One CNP in 50 us, of class 6, with the bytes of the test vector.
FABRIC_TEST_F(CnpTestCase, g_dcqcn, "CNP: frames")
{
    MarkedFabric marked(2, MakeDcqcn("dcqcn-paper"));
    marked.Send(0, 1, 1000000);
    PolicyCounters counters = marked.Run();
    NS_TEST_ASSERT_MSG_GT(marked.notices.size(), 4, "CNPs");
    NS_TEST_EXPECT_MSG_EQ(counters["cnps"], marked.notices.size(), "all are counted");
    NS_TEST_EXPECT_MSG_EQ(counters["cnps_received"], marked.notices.size(), "and received");
    NS_TEST_EXPECT_MSG_EQ(counters["dcqcn_cuts"], marked.notices.size(), "and heeded");
    for (std::size_t i = 0; i < marked.notices.size(); ++i)
    {
        const Notice& notice = marked.notices[i];
        NS_TEST_EXPECT_MSG_EQ(notice.from, 1, "from the receiver");
        NS_TEST_EXPECT_MSG_EQ(notice.queuePair,
                              marked.queuePairs[0].first->GetNumber(),
                              "to the queue pair that sends");
        NS_TEST_EXPECT_MSG_EQ(uint32_t{notice.trafficClass}, 6, "class of DSCP 48");
        NS_TEST_EXPECT_MSG_EQ(
            (i == 0 || notice.at - marked.notices[i - 1].at >= 50 * PS_US - SLACK),
            true,
            "a gap of 50 us");
    }
    NS_TEST_EXPECT_MSG_EQ(marked.bytes, 78, "bytes on the wire");
    NS_TEST_EXPECT_MSG_EQ(marked.digits,
                          "020000000002020000000001080045c0003c00004000401125ef0a0000020a000001"
                          "c12312b7002800008140ffff40000012000000000000000000000000000000000000"
                          "0000b72e05c7",
                          "the test vector");
    const auto received = marked.queuePairs[0].second->GetCounters();
    NS_TEST_EXPECT_MSG_EQ(received.packetsAccepted, 977, "each packet once");
    NS_TEST_EXPECT_MSG_EQ(received.acksSent, 977, "and acknowledged");
}

/// CNPs do not depend on acknowledgements: the same ones come if these are coalesced.
FABRIC_TEST_F(CnpTestCase, g_dcqcn, "CNP: coalesced")
{
    std::vector<int64_t> times[2];
    uint64_t acks[2];
    for (const int coalesced : {0, 1})
    {
        MarkedFabric marked(2, MakeDcqcn("dcqcn-paper"), 50);
        const std::string policy = coalesced ? "Coalesced" : "PerPacket";
        const ObjectFactory factory = FactoryOf(policy + "AckPolicy");
        marked.roce.SetQueuePairAttribute("AckPolicy", PointerValue(factory.Create<Object>()));
        marked.Send(0, 1, 1000000);
        marked.Run();
        acks[coalesced] = marked.queuePairs[0].second->GetCounters().acksSent;
        for (const Notice& notice : marked.notices)
        {
            times[coalesced].push_back((notice.at + 5 * SLACK) / (10 * SLACK)); // in 2 us
        }
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_LT(acks[1], acks[0] / 2 + 1, "fewer acknowledgements");
    NS_TEST_EXPECT_MSG_EQ((times[1] == times[0]), true, "the same CNPs");
}

FABRIC_TEST(g_dcqcn, "Without DCQCN nothing is sent but acknowledgements")
{
    for (const std::string name : {"FixedControl", "DctcpControl", "NsccControl"})
    {
        MarkedFabric marked(2, FactoryOf(name));
        marked.Send(0, 1, 100000);
        const PolicyCounters counters = marked.Run();
        NS_TEST_EXPECT_MSG_EQ(marked.notices.size(), 0, name << ": no CNP");
        NS_TEST_EXPECT_MSG_EQ(counters.count("cnps"), 0, name << ": none to count");
        Simulator::Destroy();
    }
}

/// Two mistakes that public simulators of DCQCN have made: the rate after the first CNP is that of
/// another NIC, and a loss hangs as receivers send a NAK at most once in a long time.
struct DcqcnMistakesTestCase : FabricTestCase
{
    Ptr<DcqcnControl> Start(const Ptr<QueuePair>& queuePair)
    {
        PointerValue control;
        queuePair->GetAttribute("Control", control);
        const auto dcqcn = control.Get<DcqcnControl>();
        NS_TEST_EXPECT_MSG_EQ((dcqcn != nullptr), true, "it has DCQCN");
        return dcqcn;
    }

    /// @param rates what they should be, in bit/s
    void ExpectRates(const std::vector<Ptr<DcqcnControl>>& controls,
                     const std::vector<double>& rates,
                     const std::string& what)
    {
        for (std::size_t i = 0; i < rates.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(controls[i]->GetReactionPoint().GetRate(),
                                      rates[i],
                                      1,
                                      what << ": queue pair " << i);
        }
    }
};

/// The rate after the first CNP is a share of the rate of the own port, which differs from that of
/// NIC 0, and other queue pairs and NICs keep theirs.
FABRIC_TEST_F(DcqcnMistakesTestCase, g_dcqcn, "DCQCN mistakes: rate of nic0")
{
    ClosHelper clos = ClosOf({}, {{"DataRate", "100Gb/s"}});
    const Ptr<Fabric> fabric = clos.Install(LeafSpine(1, 1, 3));
    fabric->GetNic(1)->GetPort(0)->SetAttribute("DataRate", StringValue("40Gb/s"));
    RoceHelper roce;
    roce.SetControl(MakeDcqcn("dcqcn-paper"));
    std::vector<Ptr<DcqcnControl>> controls;
    for (const uint32_t from : {0U, 1U, 1U})
    {
        controls.push_back(Start(roce.Connect(fabric->GetNic(from), fabric->GetNic(2)).first));
    }
    const std::vector<double> lines{100e9, 40e9, 40e9};
    ExpectRates(controls, lines, "line rates");
    controls[1]->CnpReceived(0);
    ExpectRates(controls, {100e9, 20e9, 40e9}, "NIC 1, queue pair 0");
    controls[0]->CnpReceived(0);
    ExpectRates(controls, {50e9, 20e9, 40e9}, "NIC 0");
    controls[2]->CnpReceived(0);
    controls[2]->CnpReceived(0);
    ExpectRates(controls, {50e9, 20e9, 10e9}, "NIC 1, queue pair 1");
}

/// A packet and its retransmissions are lost while CNPs keep the rate low. The receiver sends no
/// second NAK for it, so only the timer of the sender can repair the second loss: a gap between
/// NAKs and no timer would let it hang.
FABRIC_TEST(g_dcqcn, "DCQCN mistakes: loss between NAKs")
{
    for (const uint32_t losses : {1U, 2U, 5U})
    {
        MarkedFabric marked(2, MakeDcqcn("dcqcn-paper"));
        const auto buffer = CreateObject<LosingBuffer>();
        buffer->losses = losses;
        marked.fabric->GetSwitch(0)->SetAdmission(buffer);
        marked.Send(0, 1, 200000);
        PolicyCounters policies = marked.Run();
        const auto& [near, far] = marked.queuePairs[0];
        NS_TEST_EXPECT_MSG_GT(policies["dcqcn_cuts"], 0, "the rate was cut");
        NS_TEST_EXPECT_MSG_EQ(buffer->losses, 0, "all losses");
        NS_TEST_EXPECT_MSG_EQ(near->IsPending(), false, losses << " losses: no hang");
        NS_TEST_EXPECT_MSG_EQ(far->GetCounters().bytesAccepted, 200000, "all bytes, once");
        NS_TEST_EXPECT_MSG_EQ(far->GetCounters().naksSent, 1, "one NAK");
        NS_TEST_EXPECT_MSG_EQ(near->GetCounters().timeouts, losses - 1, "the timer repairs");
        Simulator::Destroy();
    }
}

/// Flows into one link of 40 Gb/s share it, with the queue of the fluid model's fixed point (page
/// "DCQCN" of the manual), and with marks as the curve of RED has them. Packets are marked when
/// they leave the queue: by the queue that they join, ten flows would swing.
struct DcqcnFixedPointTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 1024;                 //!< payload bytes of a packet
    static constexpr double PACKET_BITS = (MTU + 78) * 8; //!< of a packet with its gap

    void Check(uint32_t flows)
    {
        m_flows = flows;
        Build();
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        const std::vector<uint64_t> before = Count();
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        const std::vector<uint64_t> after = Count();
        const double fair = 40e9 / PACKET_BITS * 0.1 / m_flows; // packets in 100 ms
        for (uint32_t flow = 0; flow < m_flows; ++flow)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(after[flow] - before[flow]),
                                      fair,
                                      0.1 * fair,
                                      "packets of flow " << flow);
        }
        const WatchedRedMarker::Seen& seen = m_marker->seen;
        const double queue = seen.bytes / seen.packets;
        const double fixed = GetFixedQueue();
        NS_TEST_EXPECT_MSG_EQ_TOL(queue, fixed, 0.2 * fixed, "bytes in the queue");
        NS_TEST_EXPECT_MSG_EQ_TOL(seen.marks, seen.expected, 0.05 * seen.expected, "marks");
    }

    /// Connect the flows.
    void Build()
    {
        ClosHelper clos = ClosOf({}, {{"DataRate", "40Gb/s"}});
        clos.SetAdmission(FactoryOf("PortBuffer", {{"PortBytes", 10000000}}));
        clos.SetMarker(FactoryOf("WatchedRedMarker",
                                 {{"AtDequeue", true},
                                  {"KMin", static_cast<uint64_t>(WatchedRedMarker::LEAST_BYTES)},
                                  {"KMax", static_cast<uint64_t>(WatchedRedMarker::MOST_BYTES)},
                                  {"PMax", WatchedRedMarker::MOST}}));
        m_fabric = InstallFabric(clos, LeafSpine(2, 1, m_flows + 1));
        RoceHelper roce = RoceOf({{"Mtu", MTU}});
        roce.SetControl(MakeDcqcn("dcqcn-paper"));
        for (uint32_t flow = 0; flow < m_flows; ++flow)
        {
            m_ends.push_back(roce.Connect(m_fabric->GetNic(flow + 1), m_fabric->GetNic(0)));
            m_ends.back().first->PostWrite(4000000000);
        }
        m_marker = DynamicCast<WatchedRedMarker>(m_fabric->GetSwitch(0)->GetMarker());
    }

    /// @return packets received, by flow
    std::vector<uint64_t> Count() const
    {
        std::vector<uint64_t> packets;
        for (const RoceHelper::Ends& ends : m_ends)
        {
            packets.push_back(ends.second->GetCounters().packetsAccepted);
        }
        return packets;
    }

    /// @return the queue at the fixed point, in bytes
    double GetFixedQueue() const
    {
        double low = 1e-7; // share of marked packets
        double high = 0.5;
        for (int i = 0; i < 60; ++i)
        {
            const double middle = std::sqrt(low * high);
            (GetDrift(middle) > 0 ? low : high) = middle;
        }
        return WatchedRedMarker::LEAST_BYTES +
               low / WatchedRedMarker::MOST *
                   (WatchedRedMarker::MOST_BYTES - WatchedRedMarker::LEAST_BYTES);
    }

    /// @return by how much the fair rate of a flow grows from one CNP to the next, in packets a
    /// second
    double GetDrift(double p) const
    {
        constexpr double GAP = 50e-6;   // tau
        constexpr double TIMER = 55e-6; // T
        constexpr int STEPS = 5;        // F
        constexpr double INCREASE = 40e6 / PACKET_BITS;
        const double rate = 40e9 / PACKET_BITS / m_flows;
        const double hazard = -rate * std::log1p(-p); // of a CNP after the gap
        const auto none = [hazard](int timers) {
            return std::exp(-hazard * std::max(0.0, timers * TIMER - GAP));
        };
        double expirations = 0; // of a timer between two CNPs
        double left = 0;        // of what the cut took
        double gained = 0;      // by additive increases
        for (int n = 0; none(n) > 1e-12; ++n)
        {
            const double share = none(n) - none(n + 1);
            const int steps = std::max(0, n - STEPS + 1);
            expirations += share * n;
            left += share * std::exp2(-n);
            gained += share * INCREASE * (steps - 1 + std::exp2(-steps));
        }
        const double alpha = 1 / (1 + expirations);
        return gained - alpha / 2 * rate * left;
    }

    uint32_t m_flows;                     //!< how many flows
    Ptr<Fabric> m_fabric;                 //!< the fabric
    Ptr<WatchedRedMarker> m_marker;       //!< of the switch
    std::vector<RoceHelper::Ends> m_ends; //!< of the flows
};

FABRIC_ROWS(g_dcqcn)
{
    rows.AddRow<DcqcnFixedPointTestCase>("dcqcn: fixed point of 2 flows", 2);
    rows.AddRow<DcqcnFixedPointTestCase>("dcqcn: fixed point of 10 flows", 10);
}
