/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../examples/aimd-control.h"
#include "fabric-test.h"

#include "ns3/boolean.h"
#include "ns3/dctcp-control.h"
#include "ns3/m-swift-control.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

/**
 * @ingroup ai-fabric-tests
 *
 * The window of MSwift follows the median of the last delays, and a median of one is Swift: it
 * grows if that is below the target, and shrinks by how much it is above, whatever the last delay
 * was.
 */
class MSwiftControlTestCase : public fabrictest::FabricTestCase
{
  public:
    MSwiftControlTestCase()
        : FabricTestCase("m-swift: the median of the last delays rules")
    {
    }

  private:
    static constexpr uint32_t MTU = 4096;       //!< payload bytes of a packet
    static constexpr int64_t TARGET = 10000000; //!< target delay, in time steps

    void DoRun() override
    {
        for (const uint32_t samples : {1, 2, 5, 33})
        {
            CheckMedian(samples);
        }
        CheckDefaults();
    }

    /// By default the window is a line rate times the target, and the median that of 33 delays.
    void CheckDefaults()
    {
        Ptr<MSwiftControl> control = CreateObject<MSwiftControl>();
        control->Start(fabrictest::MakeFacts("800Gb/s", MTU));
        const uint64_t first = control->GetWindow();
        const double target = 6.254e-6 + 6 * 0.955e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(first), 1e11 * target, 1, "the window");
        const int64_t quick = MicroSeconds(6).GetPicoSeconds();
        const int64_t slow = MicroSeconds(60).GetPicoSeconds();
        int64_t now = 0;
        for (uint32_t i = 0; i < 17 + 16; ++i)
        {
            now += slow;
            control->Acknowledged(MTU,
                                  fabrictest::MakeReport(false, now - (i < 17 ? quick : slow)),
                                  now);
        }
        NS_TEST_EXPECT_MSG_EQ(control->GetWindow(), first, "17 of 33 were quick");
        control->Acknowledged(MTU, fabrictest::MakeReport(false, now), now + slow);
        NS_TEST_EXPECT_MSG_LT(control->GetWindow(), first, "16 of 33 were quick");
    }

    /// Acknowledge packets with random delays.  @param samples of which the median is taken
    void CheckMedian(uint32_t samples)
    {
        Ptr<MSwiftControl> control =
            CreateObjectWithAttributes<MSwiftControl>("MedianSamples",
                                                      UintegerValue(samples),
                                                      "BaseTarget",
                                                      TimeValue(PicoSeconds(TARGET)),
                                                      "HopTarget",
                                                      TimeValue(Time(0)),
                                                      "ScalingRange",
                                                      TimeValue(Time(0)),
                                                      "InitialWindow",
                                                      UintegerValue(100 * MTU),
                                                      "MaxWindow",
                                                      UintegerValue(100000 * MTU));
        control->Start(fabrictest::MakeFacts("800Gb/s", MTU));
        const UniformInteger uniform = fabrictest::Uniform(samples);
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
            control->Acknowledged(10 * MTU,
                                  fabrictest::MakeReport(false, now - delays.back()),
                                  now);
            window = median < TARGET ? window + 10 / std::max(window, 1.0)
                                     : window * std::max(0.5, 1 - 0.8 * (median - TARGET) / median);
            NS_TEST_ASSERT_MSG_EQ_TOL(static_cast<double>(control->GetWindow()),
                                      window * MTU,
                                      1,
                                      "acknowledgement " << i << ", median of " << samples);
        }
    }
};

/**
 * @ingroup ai-fabric-tests
 *
 * DCTCP as a rate: what it begins with, what losses and the port do, what it counts.
 */
class DctcpControlTestCase : public fabrictest::FabricTestCase
{
  public:
    DctcpControlTestCase()
        : FabricTestCase("dctcp: cut by half of alpha, line rate after a loss")
    {
    }

  private:
    static constexpr uint64_t GIGABIT = 1000000000; //!< bit/s

    void DoRun() override
    {
        Ptr<DctcpControl> control = CreateObject<DctcpControl>();
        control->Start(fabrictest::MakeFacts("400Gb/s", 9000));
        NS_TEST_EXPECT_MSG_EQ(control->GetWindow(),
                              std::numeric_limits<uint64_t>::max(),
                              "no window");
        ExpectRate(*control, 400 * GIGABIT, "the line rate at first");
        control->Acknowledged(9000, fabrictest::MakeReport(true, 0), 10);
        ExpectRate(*control, 200 * GIGABIT, "alpha is 1 at first");
        control->Acknowledged(9000, fabrictest::MakeReport(false, 11), 20);
        ExpectRate(*control, 201 * GIGABIT, "a round adds 1 Gb/s");
        control->Acknowledged(9000, fabrictest::MakeReport(true, 21), 30);
        // 2 of 2, then 0 of 1, then this one
        const double alpha = 255.0 / 256 * (255.0 / 256 + 0.5 / 256) + 1.0 / 256;
        ExpectRate(*control, static_cast<uint64_t>(201e9 * (1 - alpha / 2)), "g is 1 / 256");
        control->Lost({9000, LossReason::GAP}, 31);
        ExpectRate(*control, 400 * GIGABIT, "a NAK");
        control->Acknowledged(9000, fabrictest::MakeReport(true, 31), 40);
        control->Lost({9000, LossReason::TIMEOUT}, 50);
        ExpectRate(*control, 400 * GIGABIT, "a timeout");
        control->LineRateChanged(DataRate("100Gb/s"));
        ExpectRate(*control, 100 * GIGABIT, "another line rate");
        for (int64_t round = 0; round < 100; ++round)
        {
            control->Acknowledged(9000,
                                  fabrictest::MakeReport(true, 51 + 10 * round),
                                  60 + 10 * round);
        }
        ExpectRate(*control, GIGABIT / 10, "the least rate");
        PolicyCounters counters;
        control->Count(counters);
        NS_TEST_EXPECT_MSG_EQ(counters.at("dctcp_marks"), 103, "marks");
        NS_TEST_EXPECT_MSG_EQ(counters.at("dctcp_cuts"), 103, "each in a round of its own");
        CheckAttributes();
    }

    /// A window; and a loss that is left to the marks.
    void CheckAttributes()
    {
        Ptr<DctcpControl> control = CreateObjectWithAttributes<DctcpControl>("Window",
                                                                             UintegerValue(236000),
                                                                             "ResetOnLoss",
                                                                             BooleanValue(false));
        control->Start(fabrictest::MakeFacts("400Gb/s", 9000));
        NS_TEST_EXPECT_MSG_EQ(control->GetWindow(), 236000, "the window");
        control->Acknowledged(9000, fabrictest::MakeReport(true, 0), 10);
        control->Lost({9000, LossReason::GAP}, 11);
        ExpectRate(*control, 200 * GIGABIT, "a loss changes nothing");
        control->Lost({9000, LossReason::TIMEOUT}, 12);
        ExpectRate(*control, 400 * GIGABIT, "a timeout does");
    }

    /// @param control the control  @param rate what its rate should be, in bit/s  @param what what
    /// is checked
    void ExpectRate(const DctcpControl& control, uint64_t rate, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(control.GetRate().GetBitRate()),
                                  static_cast<double>(rate),
                                  1,
                                  what);
    }
};

/**
 * @ingroup ai-fabric-tests
 *
 * The congestion control of the manual: a packet more each round trip, half of the window once a
 * round trip, at least one packet.
 */
class AimdControlTestCase : public fabrictest::FabricTestCase
{
  public:
    AimdControlTestCase()
        : FabricTestCase("aimd: the congestion control of the manual")
    {
    }

  private:
    static constexpr uint32_t MTU = 1000; //!< payload bytes of a packet

    void DoRun() override
    {
        Ptr<AimdControl> control =
            CreateObjectWithAttributes<AimdControl>("InitialWindow", UintegerValue(10));
        control->Start(fabrictest::MakeFacts("400Gb/s", MTU));
        for (uint32_t i = 0; i < 10; ++i)
        {
            control->Acknowledged(MTU, fabrictest::MakeReport(false, 0), 100);
        }
        const auto window = static_cast<double>(control->GetWindow());
        NS_TEST_EXPECT_MSG_EQ_TOL(window, 11.0 * MTU, MTU / 20.0, "a round trip adds a packet");
        control->Acknowledged(MTU, fabrictest::MakeReport(true, 100), 200);
        ExpectWindow(*control, window / 2, "a mark");
        control->Acknowledged(MTU, fabrictest::MakeReport(true, 199), 300);
        ExpectWindow(*control, window / 2, "a mark of a packet sent before the decrease");
        control->Acknowledged(MTU, fabrictest::MakeReport(true, 200), 400);
        ExpectWindow(*control, window / 4, "a mark of a packet sent after it");
        control->Lost({MTU, LossReason::GAP}, 500);
        ExpectWindow(*control, window / 8, "a loss");
        control->Lost({MTU, LossReason::TIMEOUT}, 600);
        ExpectWindow(*control, MTU, "a timeout leaves a packet");
        control->Lost({MTU, LossReason::GAP}, 700);
        ExpectWindow(*control, MTU, "which is the least");
        NS_TEST_EXPECT_MSG_EQ(control->GetRate(), DataRate("400Gb/s"), "the window limits it");
        PolicyCounters counters;
        control->Count(counters);
        NS_TEST_EXPECT_MSG_EQ(counters["aimd_decreases"], 5, "decreases");
        const Ptr<CongestionControl> fork = CreateObject<AimdControl>()->Fork();
        fork->Start(fabrictest::MakeFacts("400Gb/s", MTU));
        NS_TEST_EXPECT_MSG_EQ(fork->GetWindow(), 32 * MTU, "a fork begins anew");
    }

    /// @param control the control  @param bytes what its window is to be  @param what when
    void ExpectWindow(const AimdControl& control, double bytes, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(control.GetWindow()), bytes, 1, what);
    }
};

/**
 * @ingroup ai-fabric-tests
 *
 * The test suite of congestion controls.
 */
class CongestionControlTestSuite : public TestSuite
{
  public:
    CongestionControlTestSuite()
        : TestSuite("ai-fabric-congestion-control", Type::UNIT)
    {
        AddTestCase(new MSwiftControlTestCase);
        AddTestCase(new DctcpControlTestCase);
        AddTestCase(new AimdControlTestCase);
    }
};

/// Registers the suite.
static CongestionControlTestSuite g_congestionControlTestSuite;
