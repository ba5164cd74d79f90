/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/aggregation-helper.h"

/// Lossless, trimmed and lossy classes in one buffer.
static Suite g_coexistence("ai-fabric-coexistence");

/// Three hosts at line rate send to a fourth one, each in a class of its own: one is lossless, one
/// is trimmed, one is lossy. They share the memory of one switch, and a deficit round robin gives
/// them equal shares of the link.
struct CoexistenceTestCase : FabricTestCase
{
    static constexpr uint8_t TRIMMED_CLASS = 4; //!< traffic class that is trimmed
    static constexpr uint32_t FRAMES = 1000;    //!< that each host sends
    static constexpr uint16_t BYTES = 4000;     //!< of each

    /// @param memory of the switch, in bytes  @param limit of the queue that is trimmed, in bytes;
    /// 0: none
    void Check(uint32_t memoryBytes, uint32_t limit)
    {
        m_memory = memoryBytes;
        m_limit = limit;
        Build();
        Simulator::Run();
        m_fabric->CatchUp();
        const SharedBuffer& memory = GetBuffer(*m_fabric, 0);
        PolicyCounters counters = CountersOf(memory);
        const uint64_t trimmed = counters["trimming_frames"];
        NS_TEST_EXPECT_MSG_EQ(m_drops[LOSSLESS_CLASS], 0, "a lossless class loses nothing");
        NS_TEST_EXPECT_MSG_EQ(m_frames[LOSSLESS_CLASS], FRAMES, "all of it arrives");
        NS_TEST_EXPECT_MSG_GT(memory.GetCounters().pauses, 0, "since it was paused");
        NS_TEST_EXPECT_MSG_EQ(m_drops[TRIMMED_CLASS], 0, "what can be trimmed is not dropped");
        NS_TEST_EXPECT_MSG_GT(trimmed, 0, "but trimmed");
        NS_TEST_EXPECT_MSG_EQ(m_frames[TRIMMED_CLASS] + trimmed, FRAMES, "in part");
        NS_TEST_EXPECT_MSG_EQ(m_frames[HIGH_CLASS] + m_drops[HIGH_CLASS], trimmed, "and sent on");
        NS_TEST_EXPECT_MSG_EQ(m_drops[HIGH_CLASS], 0, "all of them");
        NS_TEST_EXPECT_MSG_GT(m_drops[LOSSY_CLASS], 0, "a lossy class is dropped");
        NS_TEST_EXPECT_MSG_EQ(m_frames[LOSSY_CLASS] + m_drops[LOSSY_CLASS], FRAMES, "in part");
        double sum = 0;
        for (const uint64_t bytes : m_bytes)
        {
            sum += static_cast<double>(bytes);
        }
        for (const uint8_t trafficClass : {LOSSLESS_CLASS, TRIMMED_CLASS, LOSSY_CLASS})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(m_bytes[trafficClass] / sum,
                                      1.0 / 3,
                                      0.02,
                                      "class " << +trafficClass << " has its share of the link");
        }
        NS_TEST_EXPECT_MSG_EQ(memory.GetOccupancy(), 0, "nothing is held");
        NS_TEST_EXPECT_MSG_EQ(memory.GetFreeBytes(), memory.GetSharedBytes(), "all is free");
        m_fabric = nullptr;
    }

    /// Build the fabric, and send.
    void Build()
    {
        ClosHelper helper = ClosOf({},
                                   {{"DataRate", "100Gb/s"},
                                    {"Classes", 0x59},
                                    {"EgressSchedulerType", "ns3::aifabric::DwrrEgressScheduler"}});
        ObjectFactory buffer = BufferFactory(m_memory, 1 << LOSSLESS_CLASS);
        buffer.Set("TrimmingClasses", UintegerValue(1 << TRIMMED_CLASS));
        buffer.Set("TrimmingBytes", UintegerValue(m_limit));
        helper.SetAdmission(buffer);
        m_fabric = helper.Install(LeafSpine(1, 1, 4));
        Trace(*m_fabric->GetSwitch(0),
              "Drop",
              [this](Ptr<const FabricFrame> frame, FabricSwitch::DropReason) {
                  ++m_drops[frame->GetClass()];
              });
        m_fabric->GetNic(0)->GetPort(0)->GetTransmitter().GetPeer()->TraceConnectWithoutContext(
            "Send",
            MakeCallback(&CoexistenceTestCase::FrameSent, this));
        constexpr std::array<uint8_t, 3> classes = {LOSSLESS_CLASS, TRIMMED_CLASS, LOSSY_CLASS};
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            for (uint32_t host = 1; host <= classes.size(); ++host)
            {
                const Ptr<FabricFrame> frame =
                    MakeFrame(*m_fabric, host, 0, classes[host - 1], BYTES);
                frame->payload = BYTES - 100;
                SendFrame(*m_fabric, frame);
            }
        }
    }

    /// A frame leaves for host 0.
    void FrameSent(Ptr<const FabricFrame> frame)
    {
        const uint8_t trafficClass = frame->GetClass();
        ++m_frames[trafficClass];
        const int64_t now = FabricClock::Now();
        constexpr int64_t FROM = 50'000'000; // when all queues are there, until a host has ended
        constexpr int64_t UNTIL = 300'000'000;
        m_bytes[trafficClass] += now >= FROM && now < UNTIL ? frame->wireBytes : 0;
    }

    uint32_t m_memory;                  //!< of the switch
    uint32_t m_limit;                   //!< of the queue that is trimmed
    Ptr<Fabric> m_fabric;               //!< the fabric
    std::array<uint64_t, 8> m_frames{}; //!< frames sent to host 0, by class
    std::array<uint64_t, 8> m_bytes{};  //!< their bytes, while all send
    std::array<uint64_t, 8> m_drops{};  //!< frames dropped, by class
};

/// In-network aggregation in a lossy class beside a lossless class: four workers and the parameter
/// server share the memory of one switch with three hosts that send to the server.
struct AggregationCoexistenceTestCase : FabricTestCase
{
    static constexpr uint8_t ADDED_CLASS = 2; //!< traffic class that is added up
    static constexpr uint32_t SERVER = 4;     //!< host of the parameter server
    static constexpr uint32_t FRAMES = 500;   //!< that each other host sends
    static constexpr uint16_t BYTES = 4000;   //!< of each

    void Check(AggregationHelper::System system)
    {
        const Ptr<Fabric> fabric = MakeFabric();
        AggregationHelper::Options options;
        options.system = system;
        options.slots = 1000;
        AggregationHelper helper(fabric, options);
        InstallJob(helper);
        std::array<uint64_t, 8> drops{};
        Trace(*fabric->GetSwitch(0),
              "Drop",
              [&drops](Ptr<const FabricFrame> frame, FabricSwitch::DropReason) {
                  ++drops[frame->GetClass()];
              });
        uint64_t arrived = 0;
        Trace(*fabric->GetNic(SERVER)->GetPort(0)->GetTransmitter().GetPeer(),
              "Send",
              [&arrived](Ptr<const FabricFrame> frame) {
                  arrived += frame->GetClass() == LOSSLESS_CLASS ? 1 : 0;
              });
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            for (uint32_t host = SERVER + 1; host < 8; ++host)
            {
                SendFrame(*fabric, MakeFrame(*fabric, host, SERVER, LOSSLESS_CLASS, BYTES));
            }
        }
        fabric->AssignStreams(1);
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        fabric->CatchUp();
        const SharedBuffer& memory = GetBuffer(*fabric, 0);
        NS_TEST_EXPECT_MSG_EQ(drops[LOSSLESS_CLASS], 0, "a lossless class loses nothing");
        NS_TEST_EXPECT_MSG_EQ(arrived, 3 * FRAMES, "all of it arrives");
        NS_TEST_EXPECT_MSG_GT(memory.GetCounters().pauses, 0, "since it was paused");
        NS_TEST_EXPECT_MSG_GT(drops[ADDED_CLASS], 0, "packets of the job are dropped");
        NS_TEST_EXPECT_MSG_EQ(helper.GetDrivers()[0]->IsDone(), true, "the job ends");
        NS_TEST_EXPECT_MSG_EQ(helper.GetDrivers()[0]->GetJob().GetChecked(), 4 * 4000, "all sums");
        NS_TEST_EXPECT_MSG_EQ(helper.GetDrivers()[0]->GetJob().GetWrong(), 0, "are right");
        NS_TEST_EXPECT_MSG_EQ(helper.GetStages()[0]->GetFree(), 1000, "no slot is held");
        NS_TEST_EXPECT_MSG_EQ(memory.GetOccupancy(), 0, "nothing is held");
        NS_TEST_EXPECT_MSG_EQ(memory.GetFreeBytes(), memory.GetSharedBytes(), "all is free");
    }

    static Ptr<Fabric> MakeFabric()
    {
        ClosHelper helper = ClosOf({},
                                   {{"DataRate", "100Gb/s"},
                                    {"Classes", 0x4d},
                                    {"EgressSchedulerType", "ns3::aifabric::DwrrEgressScheduler"}});
        helper.SetAdmission(BufferFactory(400000, 1 << LOSSLESS_CLASS));
        return helper.Install(LeafSpine(1, 1, 8));
    }

    static void InstallJob(AggregationHelper& helper)
    {
        AggregationPlan plan;
        plan.workers = {0, 1, 2, 3};
        plan.server = SERVER;
        plan.window = 1000;
        plan.gradients = GradientSource(1, 1, FixedPoint::ATP_SCALE, false);
        AggregationShape shape;
        shape.fragments = 4000;
        helper.SetWorkerAttribute("Dscp", UintegerValue(ADDED_CLASS << 3));
        helper.SetServerAttribute("Dscp", UintegerValue(ADDED_CLASS << 3));
        helper.Install(plan, shape);
    }
};

FABRIC_ROWS(g_coexistence)
{
    rows.AddRow<CoexistenceTestCase>("classes keep their guarantees", 1000000, 0);
    rows.AddRow<CoexistenceTestCase>("so they do if frames are trimmed", 1000000, 100000);
    rows.AddRow<CoexistenceTestCase>("and in less memory", 600000, 50000);
    using Aggregation = AggregationCoexistenceTestCase;
    rows.AddRow<Aggregation>("a lossless class beside ATP", AggregationHelper::ATP);
    rows.AddRow<Aggregation>("a lossless class beside ESA", AggregationHelper::ESA);
}
