/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/link-fault.h"

/// Degraded links, and faults of one direction.
static Suite g_degradedLink("ai-fabric-degraded-link", TestSuite::Type::SYSTEM);

namespace
{

constexpr uint16_t FRAME_BYTES = 1000;        //!< size of test frames on the wire
constexpr int64_t SENDING = 10 * FRAME_BYTES; //!< how long one takes at 800 Gb/s, in picoseconds

/// Install a fault on links of a fabric.  @param stop when it ends; zero: never
/// @param direction the value of LinkFault::Direction
void
Install(const Fabric& fabric,
        const std::string& where,
        Time start,
        Time stop,
        const std::string& direction,
        const std::string& name,
        const AttributeValue& value)
{
    Fail(fabric,
         where,
         {{"Start", start}, {"Stop", stop}, {"Direction", direction}, {name, value}});
}

} // namespace

/// A direction that is cut, slow or lossy leaves the other one as it is. The link is up if both of
/// its directions are, and says so once.
struct LinkDirectionTestCase : FabricTestCase
{
    /// @return the sending half of an end of link 0
    static const FabricTransmitter& Sender(const Fabric& fabric, std::size_t end)
    {
        return fabric.GetChannel(0)->GetPort(end)->GetTransmitter();
    }

    /// @param up how many times longer a frame takes there
    /// @param down the same in the other direction
    void CheckRate(const std::string& direction, int64_t up, int64_t down)
    {
        Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
        Install(*fabric, "0", Time(0), Time(0), direction, "RateFactor", DoubleValue(0.25));
        NS_TEST_EXPECT_MSG_EQ(Sender(*fabric, 0).GetTransmissionTime(FRAME_BYTES),
                              up * SENDING,
                              direction << ": up");
        NS_TEST_EXPECT_MSG_EQ(Sender(*fabric, 1).GetTransmissionTime(FRAME_BYTES),
                              down * SENDING,
                              direction << ": down");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetChannel(0)->IsUp(), true, "it is not cut");
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(LinkDirectionTestCase,
              g_degradedLink,
              "A fault of one direction leaves the other one as it is")
{
    CheckRate("Up", 4, 1);
    CheckRate("Down", 1, 4);
    CheckRate("Both", 4, 4);
}

FABRIC_TEST_F(LinkDirectionTestCase, g_degradedLink, "Two faults of different directions overlap")
{
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    const BooleanValue down(true);
    Install(*fabric, "0", MicroSeconds(10), MicroSeconds(30), "Up", "Down", down);
    Install(*fabric, "0", MicroSeconds(20), MicroSeconds(40), "Down", "Down", down);
    std::vector<bool> states;
    Trace(*fabric->GetChannel(0), "LinkState", [&states](bool up) { states.push_back(up); });
    for (uint32_t us = 0; us < 50; ++us)
    {
        ScheduleFunction(MicroSeconds(us) + NanoSeconds(100), [fabric] {
            SendFrame(*fabric, MakeFrame(*fabric, 0, 1, 3, FRAME_BYTES));
            SendFrame(*fabric, MakeFrame(*fabric, 1, 0, 3, FRAME_BYTES));
        });
        ScheduleFunction(MicroSeconds(us) + NanoSeconds(50), [this, fabric, us] {
            const bool up = us < 10 || us >= 40;
            NS_TEST_EXPECT_MSG_EQ(fabric->GetChannel(0)->IsUp(), up, "at " << us << " us");
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((states == std::vector<bool>{false, true}), true, "one of each");
    NS_TEST_EXPECT_MSG_EQ(Sender(*fabric, 0).GetCounters().lostFrames, 20, "lost up");
    // and one is in flight when the link is cut, because it comes from the other host
    NS_TEST_EXPECT_MSG_EQ(Sender(*fabric, 1).GetCounters().lostFrames, 21, "lost down");
    NS_TEST_EXPECT_MSG_EQ(Sender(*fabric, 0).GetCounters().deliveredFrames, 30, "crossed up");
}

/// All frames of one direction are lost, and nobody knows.
FABRIC_TEST_F(LinkDirectionTestCase, g_degradedLink, "Link direction: loss")
{
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    Install(*fabric, "0", Time(0), Time(0), "Down", "LossProbability", DoubleValue(1));
    for (uint32_t i = 0; i < 20; ++i)
    {
        SendFrame(*fabric, MakeFrame(*fabric, 0, 1, 3, FRAME_BYTES));
        SendFrame(*fabric, MakeFrame(*fabric, 1, 0, 3, FRAME_BYTES));
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(fabric->GetChannel(0)->IsUp(), true, "it is not cut");
    NS_TEST_EXPECT_MSG_EQ(Sender(*fabric, 0).GetCounters().lostFrames, 0, "none is lost up");
    NS_TEST_EXPECT_MSG_EQ(Sender(*fabric, 1).GetCounters().lostFrames, 20, "all are, down");
}

/// The queue of a degraded link holds its fraction of what each buffer allows, to the frame, and
/// that of another link of the switch all of it; before, while and after the link is degraded.
struct QueueFactorTestCase : FabricTestCase
{
    /// @param whole frames for which it has room  @param fraction frames for which a quarter has
    void Check(const std::string& type,
               const std::vector<std::pair<std::string, Ptr<AttributeValue>>>& attributes,
               uint32_t whole,
               uint32_t fraction)
    {
        ObjectFactory buffer(type);
        for (const auto& [name, value] : attributes)
        {
            buffer.Set(name, *value);
        }
        ClosHelper helper;
        helper.SetAdmission(buffer);
        Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 4));
        Install(*fabric,
                "host-2",
                MicroSeconds(10),
                MicroSeconds(20),
                "Down",
                "QueueFactor",
                DoubleValue(0.25));
        for (uint32_t i = 0; i < 3; ++i)
        {
            for (const uint32_t receiver : {2U, 3U})
            {
                // one at a time: the memory of a SharedBuffer is common
                ScheduleFunction(MicroSeconds(10 * i + 3 * (receiver - 2) + 1),
                                 [=] { Overload(*fabric, receiver); });
                const bool isDegraded = i == 1 && receiver == 2;
                ScheduleFunction(MicroSeconds(10 * i + 3 * (receiver - 2) + 3),
                                 [this, fabric, type, isDegraded, fraction, whole] {
                                     CheckRefused(*fabric, type, isDegraded ? fraction : whole);
                                 });
            }
        }
        Simulator::Run();
        Simulator::Destroy();
        m_refused = 0;
    }

    /// Two hosts send to a third one.
    static void Overload(const Fabric& fabric, uint32_t receiver)
    {
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            for (const uint32_t sender : {0U, 1U})
            {
                SendFrame(fabric, MakeFrame(fabric, sender, receiver, 3, FRAME_BYTES));
            }
        }
    }

    void CheckRefused(const Fabric& fabric, const std::string& type, uint32_t room)
    {
        // Two frames come while one leaves, from COUNT to COUNT.
        const auto refused = static_cast<uint32_t>(CountRefused(fabric));
        const uint32_t expected = COUNT > room ? COUNT - room : 0;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(refused - m_refused),
                                  expected,
                                  2,
                                  type << " with room for " << room << " at "
                                       << Simulator::Now().As(Time::US));
        m_refused = refused;
    }

    static constexpr uint32_t COUNT = 90; //!< frames of each sender
    uint32_t m_refused{0};                //!< frames refused before
};

FABRIC_TEST_F(QueueFactorTestCase,
              g_degradedLink,
              "The queue of a degraded link has a fraction of its room")
{
    constexpr double ALPHA = 1000; // no limit
    Check("ns3::aifabric::PortBuffer", {{"PortBytes", UintegerValue(40000).Copy()}}, 40, 10);
    Check("ns3::aifabric::SharedBuffer",
          {{"PortBytes", UintegerValue(40000).Copy()}, {"Alpha", DoubleValue(ALPHA).Copy()}},
          40,
          10);
    // alone, a queue of n frames leaves room for 120 - n: n = 120 alpha / (1 + alpha)
    Check("ns3::aifabric::SharedBuffer",
          {{"BufferBytes", UintegerValue(120000).Copy()}, {"Alpha", DoubleValue(0.5).Copy()}},
          40,
          13);
    const std::string trimming = "ns3::aifabric::TrimmingBuffer"; // nothing here has a payload
    const Ptr<AttributeValue> bytes = UintegerValue(40000).Copy();
    Check(trimming, {{"PortBytes", bytes}}, 40, 10);
    Check(trimming, {{"LastHopBytes", UintegerValue(20000).Copy()}}, 20, 5);
    Check(trimming, {{"PortBytes", bytes}, {"Classes", UintegerValue(1).Copy()}}, 80, 20);
}

/// Markers mark by a fraction of their thresholds at the port of a degraded link.
struct MarkerFactorTestCase : FabricTestCase
{
    void Check(const Fabric& fabric, const std::vector<uint32_t>& thresholds)
    {
        const Ptr<FabricSwitch> leaf = fabric.GetSwitch(0);
        for (std::size_t port = 0; port < thresholds.size(); ++port)
        {
            const FabricTransmitter& egress = leaf->GetPort(port)->GetTransmitter();
            const uint32_t threshold = thresholds[port];
            NS_TEST_EXPECT_MSG_EQ(leaf->GetMarker()->Marks(threshold, egress),
                                  false,
                                  "port " << port << " at " << threshold);
            NS_TEST_EXPECT_MSG_EQ(leaf->GetMarker()->Marks(threshold + 2, egress),
                                  true,
                                  "port " << port << " above " << threshold);
        }
    }
};

FABRIC_TEST_F(MarkerFactorTestCase, g_degradedLink, "Thresholds of a degraded link are a fraction")
{
    const ObjectFactory step = FactoryOf("StepMarker", {{"Threshold", 1000}});
    const ObjectFactory red =
        FactoryOf("RedMarker", {{"KMin", 1000}, {"KMax", 1001}}); // a step as well
    for (const ObjectFactory& marker : {step, red})
    {
        ClosHelper helper;
        helper.SetMarker(marker);
        Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 3));
        const DoubleValue quarter(0.25);
        const Time stop = MicroSeconds(10);
        Install(*fabric, "host-1", Time(0), stop, "Both", "QueueFactor", quarter);
        Install(*fabric, "host-2", Time(0), stop, "Up", "QueueFactor", quarter);
        Check(*fabric, {1000, 250, 1000});
        ScheduleFunction(MicroSeconds(11), [this, fabric] { Check(*fabric, {1000, 1000, 1000}); });
        Simulator::Run();
        Simulator::Destroy();
    }
}
