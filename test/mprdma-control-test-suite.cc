/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/mprdma-control.h"
#include "ns3/policy-counters.h"
#include "ns3/queue-pair.h"

static Suite g_mprdmaControl("ai-fabric-mprdma-control");

/// The law, computed by hand: what each acknowledgement and each loss makes of the window, its
/// limits, its counters.
struct MprdmaLawTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 1000; //!< payload bytes of a packet

    /// @param bytes what its window is to be
    void ExpectWindow(const CongestionControl& control, uint64_t bytes, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), bytes, what);
    }
};

FABRIC_TEST_F(MprdmaLawTestCase, g_mprdmaControl, "A window of 4 packets, at most 10")
{
    auto control = CreateWith<MprdmaControl>({{"InitialWindow", 4}, {"MaxWindow", 10}});
    control->Start(MakeFacts("400Gb/s", MTU));
    ExpectWindow(*control, 4000, "the first window");
    control->Acknowledged(1000, MakeReport(false, 0), 1);
    ExpectWindow(*control, 4250, "plus 1000 * 1000 / 4000");
    control->Acknowledged(2000, MakeReport(false, 0), 2);
    ExpectWindow(*control, 4720, "plus 1000 * 2000 / 4250, which is 470.588");
    control->Acknowledged(1000, MakeReport(true, 0), 3);
    ExpectWindow(*control, 4470, "a mark takes a quarter of 1000");
    control->Acknowledged(0, MakeReport(true, 0), 4);
    ExpectWindow(*control, 4470, "a duplicate acknowledges nothing");
    control->Lost({1000, LossReason::GAP}, 5);
    ExpectWindow(*control, 3470, "a gap takes its bytes");
    control->Lost({2000, LossReason::TIMEOUT}, 6);
    ExpectWindow(*control, 1470, "timers take those of their packets");
    control->Lost({1000, LossReason::TRIMMED_LAST_HOP}, 7);
    ExpectWindow(*control, 1000, "a packet is the least");
    control->Acknowledged(1000, MakeReport(true, 0), 8);
    ExpectWindow(*control, 1000, "after a mark, too");
    control->Acknowledged(1000, MakeReport(false, 0), 9);
    ExpectWindow(*control, 2000, "plus 1000 * 1000 / 1000");
    control->Acknowledged(64000, MakeReport(false, 0), 10);
    ExpectWindow(*control, 10000, "the most, instead of 34000");
    control->Start(MakeFacts("400Gb/s", MTU));
    ExpectWindow(*control, 4000, "it begins anew");
    PolicyCounters counters = CountersOf(*control);
    NS_TEST_EXPECT_MSG_EQ(counters.at("mprdma_marks"), 3, "marks are not forgotten");
    NS_TEST_EXPECT_MSG_EQ(counters.at("mprdma_lost_bytes"), 4000, "nor losses");
}

/// A window by the fabric, also with more planes, and no pacing.
FABRIC_TEST_F(MprdmaLawTestCase, g_mprdmaControl, "Mprdma law: defaults")
{
    FabricFacts facts = MakeFacts("400Gb/s", MTU);
    facts.baseRtt = MicroSeconds(4);
    auto control = CreateObject<MprdmaControl>();
    control->Start(facts);
    ExpectWindow(*control, 300000, "1.5 times 200000 bytes");
    control->Acknowledged(1000, MakeReport(false, 0), 1);
    ExpectWindow(*control, 300000, "which are the most");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(), DataRate("400Gb/s"), "the window limits it");
    control->LineRateChanged(DataRate("100Gb/s"));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(), DataRate("100Gb/s"), "no pacing then either");
    ExpectWindow(*control, 300000, "nor another window");
    facts.planes = 3;
    control->Start(facts);
    ExpectWindow(*control, 900000, "of three planes");
    control->SetAttribute("MaxWindow", DoubleValue(20));
    control->Start(facts);
    ExpectWindow(*control, 20000, "at most the largest window");
}

FABRIC_TEST_F(MprdmaLawTestCase, g_mprdmaControl, "The decrease of MP-RDMA, and a fork")
{
    auto model = CreateWith<MprdmaControl>(
        {{"InitialWindow", 8}, {"Increase", 2}, {"Decrease", 0.5}, {"MinWindow", 7}});
    for (const Ptr<CongestionControl>& control : {Ptr<CongestionControl>(model), model->Fork()})
    {
        control->Start(MakeFacts("400Gb/s", MTU));
        control->Acknowledged(1000, MakeReport(true, 0), 1);
        ExpectWindow(*control, 7500, "half of 1000");
        control->Acknowledged(750, MakeReport(false, 0), 2);
        ExpectWindow(*control, 7700, "two packets a window: plus 2 * 1000 * 750 / 7500");
        control->Lost({5000, LossReason::TRIMMED}, 3);
        ExpectWindow(*control, 7000, "the least");
    }
}

/// In a fabric, with each transport: the senders of an incast share the link of the receiver, which
/// is busy until the end; marks keep the queue of the receiver away from its limit.
struct MprdmaFabricTestCase : FabricTestCase
{
    static constexpr uint32_t SENDERS = 7;        //!< hosts that send to one
    static constexpr uint32_t MTU = 4096;         //!< payload bytes of a packet
    static constexpr uint32_t BYTES = 1000 * MTU; //!< what each sends

    /// @param queuePair the type of queue pairs
    void Check(const std::string& queuePair, const std::string& recovery)
    {
        m_queuePair = "ns3::aifabric::" + queuePair;
        m_recovery = "ns3::aifabric::" + recovery;
        const Ptr<Fabric> fabric = MakeFabric();
        RoceHelper roce;
        roce.SetQueuePair(ObjectFactory(m_queuePair));
        roce.SetRecovery(ObjectFactory(m_recovery));
        roce.SetControl(FactoryOf("MprdmaControl"));
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
        uint64_t windows = 0;
        ScheduleFunction(MicroSeconds(400), [&windows, &senders]() {
            for (const Ptr<QueuePair>& sender : senders)
            {
                windows += sender->GetControl()->GetWindow();
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(done, SENDERS, "all messages arrive");
        const double least = SENDERS * BYTES / 5e10; // 400 Gb/s
        NS_TEST_EXPECT_MSG_LT(last.GetSeconds(), 1.15 * least, "the link is busy");
        NS_TEST_EXPECT_MSG_LT(windows, SENDERS * 151 * MTU / 2, "they share it");
        PolicyCounters counters;
        for (const Ptr<QueuePair>& sender : senders)
        {
            sender->GetControl()->Count(counters);
        }
        NS_TEST_EXPECT_MSG_GT(counters.at("mprdma_marks"), SENDERS, "by marks");
        NS_TEST_EXPECT_MSG_EQ(counters.at("mprdma_lost_bytes"), 0, "and not by losses");
    }

    /// @return a fabric that drops nothing
    static Ptr<Fabric> MakeFabric()
    {
        ClosHelper clos = ClosOf({}, {{"DataRate", "400Gb/s"}});
        clos.SetBalancerType(TypeId::LookupByName("ns3::aifabric::EcmpBalancer"));
        clos.SetMarker(FactoryOf("StepMarker", {{"Threshold", 200000}}));
        clos.SetAdmission(FactoryOf("PortBuffer", {{"PortBytes", 8000000}}));
        return InstallFabric(clos, LeafSpine(2, 4, 4));
    }

    std::string m_queuePair; //!< the type of queue pairs
    std::string m_recovery;  //!< that of their recovery
};

FABRIC_ROWS(g_mprdmaControl)
{
    using Incast = MprdmaFabricTestCase;
    rows.AddRow<Incast>("mprdma in a fabric: RC", "RcQueuePair", "GoBackNRecovery");
    rows.AddRow<Incast>("mprdma in a fabric: spray", "SprayQueuePair", "SelectiveRepeatRecovery");
}
