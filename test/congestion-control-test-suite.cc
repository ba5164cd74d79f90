/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../examples/aimd-control.h"
#include "fabric-test.h"

#include "ns3/dctcp-control.h"
#include "ns3/m-swift-control.h"
#include "ns3/nscc-control.h"
#include "ns3/policy-counters.h"
#include "ns3/queue-pair.h"

#include <cstddef>
#include <limits>

static Suite g_congestionControl("ai-fabric-congestion-control");

/// The window of MSwift follows the median of the last delays, and a median of one is Swift: it
/// grows if that is below the target, and shrinks by how much it is above, whatever the last delay
/// was.
struct MSwiftControlTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 4096;       //!< payload bytes of a packet
    static constexpr int64_t TARGET = 10000000; //!< target delay, in time steps

    /// Acknowledge packets with random delays.  @param samples of which the median is taken
    void CheckMedian(uint32_t samples)
    {
        Ptr<MSwiftControl> control = CreateWith<MSwiftControl>({{"MedianSamples", samples},
                                                                {"BaseTarget", PicoSeconds(TARGET)},
                                                                {"HopTarget", Time(0)},
                                                                {"ScalingRange", Time(0)},
                                                                {"InitialWindow", 100 * MTU},
                                                                {"MaxWindow", 100000 * MTU}});
        control->Start(fabrictest::MakeFacts("800Gb/s", MTU));
        const UniformInteger uniform = Uniform(samples);
        std::vector<int64_t> delays;
        double window = 100;
        int64_t now = 0;
        for (uint32_t i = 0; i < 500; ++i)
        {
            now += 4 * TARGET; // so that it may shrink each time
            delays.push_back(TARGET / 2 + uniform(TARGET * 11 / 10));
            std::vector<int64_t> last(delays.end() - std::min<std::size_t>(samples, delays.size()),
                                      delays.end());
            std::sort(last.begin(), last.end());
            const auto median = static_cast<double>(last[(last.size() - 1) / 2]);
            control->Acknowledged(10 * MTU, MakeReport(false, now - delays.back()), now);
            window = median < TARGET ? window + 10 / std::max(window, 1.0)
                                     : window * std::max(0.5, 1 - 0.8 * (median - TARGET) / median);
            NS_TEST_ASSERT_MSG_EQ_TOL(static_cast<double>(control->GetWindow()),
                                      window * MTU,
                                      1,
                                      "acknowledgement " << i << ", median of " << samples);
        }
    }
};

FABRIC_TEST_F(MSwiftControlTestCase,
              g_congestionControl,
              "m-swift: the median of the last delays rules")
{
    for (const uint32_t samples : {1, 2, 5, 33})
    {
        CheckMedian(samples);
    }
}

/// By default the window is a line rate times the target, and the median that of 33 delays.
FABRIC_TEST_F(MSwiftControlTestCase, g_congestionControl, "MSwift control: defaults")
{
    Ptr<MSwiftControl> control = CreateObject<MSwiftControl>();
    control->Start(fabrictest::MakeFacts("800Gb/s", MTU));
    const uint64_t first = control->GetWindow();
    const double target = 6.254e-6 + 6 * 0.955e-6;
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(first), 1e11 * target, 1, "the window");
    FabricFacts planes = fabrictest::MakeFacts("800Gb/s", MTU);
    planes.planes = 3;
    Ptr<MSwiftControl> wide = CreateObject<MSwiftControl>();
    wide->Start(planes);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(wide->GetWindow()),
                              3e11 * target,
                              1,
                              "that of three planes");
    const int64_t quick = MicroSeconds(6).GetPicoSeconds();
    const int64_t slow = MicroSeconds(60).GetPicoSeconds();
    int64_t now = 0;
    for (uint32_t i = 0; i < 17 + 16; ++i)
    {
        now += slow;
        control->Acknowledged(MTU, MakeReport(false, now - (i < 17 ? quick : slow)), now);
    }
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(), first, "17 of 33 were quick");
    control->Acknowledged(MTU, MakeReport(false, now), now + slow);
    NS_TEST_EXPECT_MSG_LT(control->GetWindow(), first, "16 of 33 were quick");
}

/// DCTCP as a rate: what it begins with, what losses and the port do, what it counts.
struct DctcpControlTestCase : FabricTestCase
{
    static constexpr uint64_t GIGABIT = 1000000000; //!< bit/s

    /// @param rate what its rate should be, in bit/s
    void ExpectRate(const DctcpControl& control, uint64_t rate, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(control.GetRate().GetBitRate()),
                                  static_cast<double>(rate),
                                  1,
                                  what);
    }
};

FABRIC_TEST_F(DctcpControlTestCase,
              g_congestionControl,
              "dctcp: cut by half of alpha, also by a trimmed packet; line rate after a loss")
{
    Ptr<DctcpControl> control = CreateObject<DctcpControl>();
    control->Start(fabrictest::MakeFacts("400Gb/s", 9000));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(), std::numeric_limits<uint64_t>::max(), "no window");
    ExpectRate(*control, 400 * GIGABIT, "the line rate at first");
    control->Acknowledged(9000, MakeReport(true, 0), 10);
    ExpectRate(*control, 200 * GIGABIT, "alpha is 1 at first");
    control->Acknowledged(9000, MakeReport(false, 11), 20);
    ExpectRate(*control, 201 * GIGABIT, "a round adds 1 Gb/s");
    control->Acknowledged(9000, MakeReport(true, 21), 30);
    // 2 of 2, then 0 of 1, then this one
    const double alpha = 255.0 / 256 * (255.0 / 256 + 0.5 / 256) + 1.0 / 256;
    ExpectRate(*control, static_cast<uint64_t>(201e9 * (1 - alpha / 2)), "g is 1 / 256");
    control->Lost({9000, LossReason::GAP}, 31);
    ExpectRate(*control, 400 * GIGABIT, "a NAK");
    control->Acknowledged(9000, MakeReport(true, 31), 40);
    control->Lost({9000, LossReason::TIMEOUT}, 50);
    ExpectRate(*control, 400 * GIGABIT, "a timeout");
    control->LineRateChanged(DataRate("100Gb/s"));
    ExpectRate(*control, 100 * GIGABIT, "another line rate");
    for (int64_t round = 0; round < 100; ++round)
    {
        control->Acknowledged(9000, MakeReport(true, 51 + 10 * round), 60 + 10 * round);
    }
    ExpectRate(*control, GIGABIT / 10, "the least rate");
    PolicyCounters counters = CountersOf(*control);
    NS_TEST_EXPECT_MSG_EQ(counters.at("dctcp_marks"), 103, "marks");
    NS_TEST_EXPECT_MSG_EQ(counters.at("dctcp_cuts"), 103, "each in a round of its own");
}

/// Trimmed packets are marks: at most one cut for the packets of a round trip. The timer of a
/// packet is none, and does not lead back to line rate.
FABRIC_TEST_F(DctcpControlTestCase, g_congestionControl, "DCTCP control: trimmed packets")
{
    Ptr<DctcpControl> control = CreateObject<DctcpControl>();
    control->Start(fabrictest::MakeFacts("400Gb/s", 9000));
    control->Lost({9000, LossReason::TRIMMED, 1}, 10);
    ExpectRate(*control, 200 * GIGABIT, "a trimmed packet");
    control->Lost({9000, LossReason::TRIMMED_LAST_HOP, 2}, 11);
    control->Lost({9000, LossReason::TRIMMED, 10}, 19);
    ExpectRate(*control, 200 * GIGABIT, "trimmed packets sent before the cut");
    control->Lost({9000, LossReason::NO_RESOURCES, 11}, 20);
    ExpectRate(*control, 200 * GIGABIT, "a receiver without room");
    control->Lost({9000, LossReason::PACKET_TIMEOUT}, 20);
    ExpectRate(*control, 200 * GIGABIT, "the timer of a packet");
    control->Lost({9000, LossReason::TRIMMED_LAST_HOP, 11}, 20);
    ExpectRate(*control, 100 * GIGABIT, "a trimmed packet sent after the cut");
}

/// A window; and a loss that is left to the marks.
FABRIC_TEST_F(DctcpControlTestCase, g_congestionControl, "DCTCP control: attributes")
{
    Ptr<DctcpControl> control =
        CreateWith<DctcpControl>({{"Window", 236000}, {"ResetOnLoss", false}});
    control->Start(fabrictest::MakeFacts("400Gb/s", 9000));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(), 236000, "the window");
    control->Acknowledged(9000, MakeReport(true, 0), 10);
    control->Lost({9000, LossReason::GAP}, 11);
    ExpectRate(*control, 200 * GIGABIT, "a loss changes nothing");
    control->Lost({9000, LossReason::TIMEOUT}, 12);
    ExpectRate(*control, 400 * GIGABIT, "a timeout does");
}

/// NSCC as a control: the window counts payload of all planes; which reports and losses reach the
/// law, and how; a fork begins like its model.
struct NsccControlTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 4096;                 //!< payload bytes of a packet
    static constexpr double PAYLOAD = MTU / (MTU + 64.0); //!< share of a packet
    static constexpr int64_t RTT = 10000000;              //!< of the network, in ps
    static constexpr double FIRST = 1.5 * 1e6 * PAYLOAD;  //!< window at 800 Gb/s, in bytes

    /// @return facts of a NIC of 800 Gb/s  @param planes among which its rate is divided
    static FabricFacts MakeFacts(uint32_t planes = 1)
    {
        FabricFacts facts = fabrictest::MakeFacts("800Gb/s", MTU);
        facts.portRate = DataRate(facts.portRate.GetBitRate() / planes);
        facts.planes = planes;
        facts.baseRtt = PicoSeconds(RTT);
        return facts;
    }

    /// @return a control that has begun
    static Ptr<NsccControl> Make(const std::string& profile)
    {
        auto control = CreateWith<NsccControl>({{"Profile", profile}});
        control->Start(MakeFacts());
        return control;
    }

    /// @param bytes what its window is to be
    void ExpectWindow(const NsccControl& control, double bytes, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(control.GetWindow()), bytes, 1, what);
    }
};

/// The window at the begin, and the smallest one.
FABRIC_TEST_F(NsccControlTestCase, g_congestionControl, "NSCC control: first window")
{
    for (const uint32_t planes : {1, 2, 8})
    {
        auto control = CreateObject<NsccControl>();
        control->Start(MakeFacts(planes));
        ExpectWindow(*control, FIRST, "all planes together");
        NS_TEST_EXPECT_MSG_EQ(control->GetRate(), MakeFacts(planes).portRate, "no pacing");
        control->LineRateChanged(DataRate("1Gb/s"));
        NS_TEST_EXPECT_MSG_EQ(control->GetRate(), DataRate("1Gb/s"), "no pacing then either");
        control->Lost({1000000000, LossReason::TIMEOUT}, 1);
        NS_TEST_EXPECT_MSG_EQ(control->GetWindow(), MTU, "a packet is the least");
    }
    auto control = CreateWith<NsccControl>(
        {{"NetworkRtt", MicroSeconds(20)}, {"MaxWindowFactor", 1.25}, {"HeaderBytes", 0}});
    control->Start(fabrictest::MakeFacts("800Gb/s", MTU));
    ExpectWindow(*control, 1.25 * 2e6, "of an RTT that is given");
    NS_TEST_EXPECT_MSG_EQ(control->WantsSent(), true, "it counts bytes in flight");
}

FABRIC_TEST_F(NsccControlTestCase, g_congestionControl, "What it takes from acknowledgements")
{
    const Ptr<NsccControl> control = Make("Ue");
    const NsccWindow& state = control->GetState();
    control->PacketSent(100 * MTU, 0);
    const auto acknowledge = [&](uint32_t bytes, int64_t delay, const AckReport& what) {
        AckReport report(what);
        report.sentAt = 30 * RTT - RTT - delay;
        return control->Acknowledged(bytes, report, 30 * RTT);
    };
    AckReport marked;
    marked.marked = true;
    AckReport probe(marked);
    probe.probe = 7;
    acknowledge(MTU, 8 * RTT, probe);
    NS_TEST_EXPECT_MSG_EQ(state.GetAverageDelay(), 0, "the RTT of a probe is no sample");
    const Ptr<NsccControl> probing = Make("Uet");
    probing->SetAttribute("ProbeRtt", BooleanValue(true));
    const NsccWindow& probed = probing->GetState();
    const int64_t base = probed.GetBaseRtt();
    probe.sentAt = 30 * RTT - base - 8 * RTT;
    probing->Acknowledged(0, probe, 30 * RTT);
    NS_TEST_EXPECT_MSG_EQ_TOL(probed.GetAverageDelay(), 0.1 * RTT, 1, "unless it is wanted");
    probe.sentAt = 30 * RTT - base / 2;
    probing->Acknowledged(0, probe, 30 * RTT);
    NS_TEST_EXPECT_MSG_EQ(probed.GetBaseRtt(), base, "a short probe is no round trip");
    acknowledge(0, 8 * RTT, marked);
    NS_TEST_EXPECT_MSG_EQ(state.GetAverageDelay(), 0, "nor that of an old packet");
    NS_TEST_EXPECT_MSG_EQ(state.GetInFlight(), 99 * MTU, "a packet was acknowledged");
    NS_TEST_EXPECT_MSG_EQ(acknowledge(MTU, RTT, marked), true, "the window may change");
    NS_TEST_EXPECT_MSG_EQ_TOL(state.GetAverageDelay(), 0.0125 * RTT, 1, "a sample");
    ExpectWindow(*control, FIRST, "the average is short");
    for (int i = 0; i < 400; ++i)
    {
        acknowledge(1, 100 * RTT, marked);
    }
    NS_TEST_EXPECT_MSG_LT(control->GetWindow(), FIRST, "the average is long");
    PolicyCounters counters = CountersOf(*control);
    NS_TEST_EXPECT_MSG_EQ(counters.at("nscc_decreases"), 1, "once in a base RTT");
    AckReport penalty;
    penalty.penalty = 64;
    const double before = state.GetWindow();
    acknowledge(MTU, 0, penalty);
    NS_TEST_EXPECT_MSG_EQ_TOL(state.GetWindow(),
                              1.0 * state.GetInFlight() - MTU / 2.0,
                              1,
                              "of what is in flight the receiver takes half a packet");
    penalty.restores = true;
    acknowledge(0, 0, penalty);
    NS_TEST_EXPECT_MSG_EQ(state.GetWindow(), before, "and gives it back");
    control->Start(MakeFacts());
    control->Count(counters);
    NS_TEST_EXPECT_MSG_EQ(counters.at("nscc_decreases"), 2, "counted twice, not forgotten");
    NS_TEST_EXPECT_MSG_EQ(counters.at("nscc_penalties"), 1, "of one control");
    ExpectWindow(*control, FIRST, "it begins anew");
}

FABRIC_TEST_F(NsccControlTestCase, g_congestionControl, "What it takes from losses")
{
    const Ptr<NsccControl> control = Make("Ue");
    control->PacketSent(5 * MTU, 0);
    control->Lost({MTU, LossReason::GAP}, 1);
    control->Lost({MTU, LossReason::NO_RESOURCES}, 1);
    ExpectWindow(*control, FIRST, "an inferred loss");
    control->Lost({MTU, LossReason::TRIMMED}, 1);
    ExpectWindow(*control, FIRST - MTU, "a trimmed packet");
    control->Lost({MTU, LossReason::TRIMMED_LAST_HOP}, 1);
    ExpectWindow(*control, FIRST - 2 * MTU, "one at the last hop");
    control->Lost({MTU, LossReason::TIMEOUT}, 1);
    ExpectWindow(*control, FIRST - 3 * MTU, "a timeout");
    NS_TEST_EXPECT_MSG_EQ(control->GetState().GetInFlight(), 0, "all are lost");
    control->SetAttribute("ReceiverCredits", BooleanValue(true));
    control->Start(MakeFacts());
    control->Lost({MTU, LossReason::TRIMMED_LAST_HOP}, 1);
    ExpectWindow(*control, FIRST, "the last hop is the receiver's");
    control->Lost({MTU, LossReason::TRIMMED}, 1);
    ExpectWindow(*control, FIRST - MTU, "others are not");
    control->SetAttribute("GapDecrease", BooleanValue(true));
    control->Start(MakeFacts());
    control->Lost({MTU, LossReason::GAP}, 1);
    ExpectWindow(*control, FIRST - MTU, "an inferred loss, of MRC");
    control->Lost({MTU, LossReason::NO_RESOURCES}, 1);
    ExpectWindow(*control, FIRST - MTU, "the receiver had no room");
}

/// Whether NACKs lower the base RTT, and with it the largest window.
FABRIC_TEST_F(NsccControlTestCase, g_congestionControl, "NSCC control: NACK RTT")
{
    for (const std::string profile : {"Ue", "Uet"})
    {
        for (const bool samples : {false, true})
        {
            const Ptr<NsccControl> control = Make(profile);
            control->SetAttribute("NackRtt", BooleanValue(samples));
            control->Start(MakeFacts());
            const int64_t now = 30 * RTT;
            control->Lost({MTU, LossReason::TRIMMED, now - RTT * 2}, now);
            NS_TEST_EXPECT_MSG_EQ(control->GetState().GetBaseRtt(), RTT, "a longer one");
            control->Lost({MTU, LossReason::TRIMMED}, now);
            NS_TEST_EXPECT_MSG_EQ(control->GetState().GetBaseRtt(), RTT, "not known");
            control->Lost({MTU, LossReason::GAP, now - 1}, now);
            NS_TEST_EXPECT_MSG_EQ(control->GetState().GetBaseRtt(), RTT, "no NACK");
            control->Lost({MTU, LossReason::TRIMMED_LAST_HOP, now - RTT / 2}, now);
            const bool isLower = samples && profile == "Uet";
            NS_TEST_EXPECT_MSG_EQ(control->GetState().GetBaseRtt(),
                                  (isLower ? RTT / 2 : RTT),
                                  profile << samples);
            NS_TEST_EXPECT_MSG_EQ_TOL(control->GetState().GetMaxWindow(),
                                      (isLower ? FIRST / 2 : FIRST),
                                      1,
                                      profile << samples);
        }
    }
}

/// A fork has the attributes, and begins anew.
FABRIC_TEST_F(NsccControlTestCase, g_congestionControl, "NSCC control: fork")
{
    for (const std::string profile : {"Ue", "Uet"})
    {
        const auto model = CreateWith<NsccControl>({{"Profile", profile},
                                                    {"ProportionalIncrease", 40},
                                                    {"TargetDelay", MicroSeconds(30)}});
        const auto fork = DynamicCast<NsccControl>(model->Fork());
        for (const Ptr<NsccControl>& control : {model, fork})
        {
            control->Start(MakeFacts());
            control->Lost({500000, LossReason::TIMEOUT}, 1);
            for (int i = 1; i <= 100; ++i)
            {
                control->Acknowledged(MTU, MakeReport(false, i), i + 2 * RTT);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(fork->GetState().GetWindow(),
                              model->GetState().GetWindow(),
                              "the same has become of them");
        NS_TEST_EXPECT_MSG_GT(fork->GetWindow(), FIRST - 499000, "which is an increase");
        StringValue value;
        fork->GetAttribute("Profile", value);
        NS_TEST_EXPECT_MSG_EQ(value.Get(), profile, "the profile");
    }
}

/// NSCC in a fabric of two planes: the senders of an incast share the links of the receiver, which
/// are busy until the end, with windows far below the first ones.
struct NsccFabricTestCase : FabricTestCase
{
    static constexpr uint32_t SENDERS = 7;        //!< hosts that send to one
    static constexpr uint32_t MTU = 4096;         //!< payload bytes of a packet
    static constexpr uint32_t BYTES = 1000 * MTU; //!< what each sends

    void Check(const std::string& profile)
    {
        const Ptr<Fabric> fabric = MakeFabric();
        RoceHelper roce;
        roce.SetRecovery(FactoryOf("SackRecovery", {{"ReorderingThreshold", 1000}}));
        roce.SetControl(FactoryOf("NsccControl", {{"Profile", profile}}));
        std::vector<Ptr<QueuePair>> senders;
        uint32_t done = 0;
        Time last;
        for (uint32_t host = 1; host <= SENDERS; ++host)
        {
            senders.push_back(roce.Connect(fabric->GetNic(host), fabric->GetNic(0)).first);
            senders.back()->PostWrite(BYTES, CallbackOf([&done, &last](Ptr<QueuePair>, uint64_t) {
                                          ++done;
                                          last = Simulator::Now();
                                      }));
        }
        ScheduleFunction(MicroSeconds(200), [this, &senders]() { CheckWindows(senders); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(done, SENDERS, "all messages arrive");
        const double least = SENDERS * BYTES / 1e11; // two ports of 400 Gb/s
        NS_TEST_EXPECT_MSG_LT(last.GetSeconds(), 1.15 * least, "the links are busy");
        PolicyCounters counters;
        for (const Ptr<QueuePair>& sender : senders)
        {
            const auto control = DynamicCast<NsccControl>(sender->GetControl());
            NS_TEST_EXPECT_MSG_EQ(control->GetState().GetInFlight(), 0, "all is acknowledged");
            control->Count(counters);
        }
        NS_TEST_EXPECT_MSG_GT(counters.at("nscc_decreases"), SENDERS, "decreases");
    }

    /// @return a fabric of two planes that drops nothing
    static Ptr<Fabric> MakeFabric()
    {
        ClosHelper clos = ClosOf({}, {{"DataRate", "400Gb/s"}});
        clos.SetBalancerType(TypeId::LookupByName("ns3::aifabric::HostRandomBalancer"));
        clos.SetMarker(FactoryOf("StepMarker", {{"Threshold", 100000}})); // half a BDP of a plane
        clos.SetAdmission(FactoryOf("PortBuffer", {{"PortBytes", 8000000}}));
        return InstallFabric(clos, LeafSpine(2, 4, 4, 2));
    }

    /// Senders that share a link send less than at the begin.
    void CheckWindows(const std::vector<Ptr<QueuePair>>& senders)
    {
        double windows = 0;
        double most = 0;
        for (const Ptr<QueuePair>& sender : senders)
        {
            const NsccWindow& state = DynamicCast<NsccControl>(sender->GetControl())->GetState();
            windows += state.GetWindow();
            most += state.GetMaxWindow();
        }
        NS_TEST_EXPECT_MSG_LT(windows, most / 2, "they share it");
    }
};

/// The congestion control of the manual: a packet more each round trip, half of the window once a
/// round trip, at least one packet.
struct AimdControlTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 1000; //!< payload bytes of a packet

    /// @param bytes what its window is to be
    void ExpectWindow(const AimdControl& control, double bytes, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(control.GetWindow()), bytes, 1, what);
    }
};

FABRIC_TEST_F(AimdControlTestCase,
              g_congestionControl,
              "aimd: the congestion control of the manual")
{
    Ptr<AimdControl> control = CreateWith<AimdControl>({{"InitialWindow", 10}});
    control->Start(fabrictest::MakeFacts("400Gb/s", MTU));
    for (uint32_t i = 0; i < 10; ++i)
    {
        control->Acknowledged(MTU, MakeReport(false, 0), 100);
    }
    const auto window = static_cast<double>(control->GetWindow());
    NS_TEST_EXPECT_MSG_EQ_TOL(window, 11.0 * MTU, MTU / 20.0, "a round trip adds a packet");
    control->Acknowledged(MTU, MakeReport(true, 100), 200);
    ExpectWindow(*control, window / 2, "a mark");
    control->Acknowledged(MTU, MakeReport(true, 199), 300);
    ExpectWindow(*control, window / 2, "a mark of a packet sent before the decrease");
    control->Acknowledged(MTU, MakeReport(true, 200), 400);
    ExpectWindow(*control, window / 4, "a mark of a packet sent after it");
    control->Lost({MTU, LossReason::GAP}, 500);
    control->Lost({MTU, LossReason::TRIMMED, 399}, 500);
    ExpectWindow(*control, window / 4, "losses of packets sent before it");
    control->Lost({MTU, LossReason::GAP}, 600);
    ExpectWindow(*control, window / 8, "a loss a round trip later");
    control->Lost({MTU, LossReason::TIMEOUT}, 600);
    ExpectWindow(*control, MTU, "a timeout leaves a packet");
    control->Lost({MTU, LossReason::TRIMMED, 600}, 700);
    ExpectWindow(*control, MTU, "which is the least");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(), DataRate("400Gb/s"), "the window limits it");
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*control)["aimd_decreases"], 5, "decreases");
    const Ptr<CongestionControl> fork = CreateObject<AimdControl>()->Fork();
    fork->Start(fabrictest::MakeFacts("400Gb/s", MTU));
    NS_TEST_EXPECT_MSG_EQ(fork->GetWindow(), 32 * MTU, "a fork begins anew");
}

FABRIC_ROWS(g_congestionControl)
{
    rows.AddRow<NsccFabricTestCase>("nscc in a fabric: an incast, profile Ue", "Ue");
    rows.AddRow<NsccFabricTestCase>("nscc in a fabric: an incast, profile Uet", "Uet");
}
