/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/link-fault.h"

#include <stdexcept>

static Suite g_linkFault("ai-fabric-link-fault", TestSuite::Type::SYSTEM);

namespace
{

constexpr int64_t MICROSECOND = 1000000;      //!< in time steps
constexpr uint16_t FRAME_BYTES = 1000;        //!< size of test frames on the wire
constexpr int64_t SENDING = 10 * FRAME_BYTES; //!< how long one takes at 800 Gb/s, in time steps
constexpr int64_t DELAY = 500000;             //!< of a cable, in time steps

/// @return the current time in time steps
int64_t
StepNow()
{
    return FabricClock::Now();
}

/// Times at which something happened to frames, in time steps.
using Times = std::vector<int64_t>;

/// @return how many times are in [from, to)
std::size_t
CountBetween(const Times& times, int64_t from, int64_t to)
{
    return std::count_if(times.begin(), times.end(), [=](int64_t t) {
        return t >= from && t < to;
    });
}

/// @param object whose trace source it is  @param times where to note when it fires
void
Note(const Ptr<Object>& object, const std::string& trace, Times& times)
{
    Trace(*object, trace, [&times](Ptr<const FabricFrame>) { times.push_back(StepNow()); });
}

/// Note when a port loses frames.
void
NoteLosses(FabricPort& port, Times& times)
{
    Trace(port, "Loss", [&times](Ptr<const FabricFrame>, Time when) {
        times.push_back(when.GetPicoSeconds());
    });
}

/// @return a helper for a fault  @param start when it begins, in time steps
/// @param stop when it ends, in time steps
FailureHelper
Fault(int64_t start, int64_t stop)
{
    FailureHelper helper;
    helper.SetAttribute("Start", TimeValue(PicoSeconds(start)));
    helper.SetAttribute("Stop", TimeValue(PicoSeconds(stop)));
    return helper;
}

/// Send frames from one host to another, each by another flow.
/// @param spacing between them, in time steps
void
SendStream(const Ptr<Fabric>& fabric,
           uint32_t source,
           uint32_t destination,
           uint32_t count,
           int64_t spacing)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        ScheduleFunction(PicoSeconds(i * spacing), [=] {
            Ptr<FabricFrame> frame = MakeFrame(*fabric, source, destination, 3, FRAME_BYTES);
            frame->entropy = i;
            frame->flowHash = FrameCodec::FlowHash(source, destination, i);
            SendFrame(*fabric, frame);
        });
    }
}

} // namespace

/// A cable is cut and restored: what is in flight when it is cut is lost, and so is what is sent
/// until it is restored.
struct LinkFaultDownTestCase : FabricTestCase
{
    void Follow(const Ptr<LinkFault>& fault, Times& begin, Times& end)
    {
        Trace(*fault, "Begin", [&begin, this](Ptr<const LinkFault> f) {
            begin.push_back(StepNow());
            NS_TEST_EXPECT_MSG_EQ(f->IsActive(), true, "begun");
            NS_TEST_EXPECT_MSG_EQ(f->GetChannel()->IsUp(), false, "cut when it has begun");
        });
        Trace(*fault, "End", [&end, this](Ptr<const LinkFault> f) {
            end.push_back(StepNow());
            NS_TEST_EXPECT_MSG_EQ(f->IsActive(), false, "ended");
            NS_TEST_EXPECT_MSG_EQ(f->GetChannel()->IsUp(), true, "restored when it has ended");
        });
    }
};

FABRIC_TEST_F(LinkFaultDownTestCase, g_linkFault, "A cable is cut and restored")
{
    const int64_t start = 20 * MICROSECOND + 3333;
    const int64_t stop = 50 * MICROSECOND + 7777;
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    FailureHelper helper = Fault(start, stop);
    helper.SetAttribute("Down", BooleanValue(true));
    Times begin;
    Times end;
    for (const Ptr<LinkFault>& fault : helper.Install(*fabric, "host-0--leaf-0"))
    {
        Follow(fault, begin, end);
    }
    Times sent;
    Times received;
    Times lost;
    const Ptr<FabricPort> port = fabric->GetNic(0)->GetPort(0);
    Note(port, "Send", sent);
    NoteLosses(*port, lost);
    Note(fabric->GetChannel(0)->GetPort(1), "Receive", received);
    SendStream(fabric, 0, 1, 1000, 100000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((begin == Times{start}), true, "Begin fires once");
    NS_TEST_EXPECT_MSG_EQ((end == Times{stop}), true, "End fires once");
    NS_TEST_ASSERT_MSG_EQ(sent.size(), 1000, "all frames are sent");
    const std::size_t inFlight = CountBetween(sent, start - SENDING - DELAY, start);
    const std::size_t during = CountBetween(sent, start, stop);
    NS_TEST_EXPECT_MSG_EQ(inFlight, 6, "what was sent in 510 ns");
    NS_TEST_EXPECT_MSG_EQ(lost.size(), inFlight + during, "lost");
    NS_TEST_EXPECT_MSG_EQ(CountBetween(lost, start, start + 1), inFlight, "lost at the cut");
    NS_TEST_EXPECT_MSG_EQ(CountBetween(lost, start + 1, stop), during, "lost when sent");
    NS_TEST_EXPECT_MSG_EQ(received.size(), 1000 - lost.size(), "the others are received");
    const FabricTransmitter::Counters& counters = port->GetTransmitter().GetCounters();
    NS_TEST_EXPECT_MSG_EQ(counters.sentFrames, 1000, "counted as sent");
    NS_TEST_EXPECT_MSG_EQ(counters.lostFrames, lost.size(), "counted as lost");
    NS_TEST_EXPECT_MSG_EQ(counters.lostBytes, lost.size() * FRAME_BYTES, "counted as lost");
    NS_TEST_EXPECT_MSG_EQ(counters.deliveredFrames, received.size(), "counted as delivered");
}

/// A slow cable takes longer for each frame, in both directions, while the fault lasts.
FABRIC_TEST(g_linkFault, "A slow cable")
{
    const int64_t start = 10 * MICROSECOND;
    const int64_t stop = 20 * MICROSECOND;
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    FailureHelper helper = Fault(start, stop);
    helper.SetAttribute("RateFactor", DoubleValue(0.25));
    helper.Install(*fabric, "1");
    Times there;
    Times back;
    Note(fabric->GetChannel(1)->GetPort(1), "Send", there);
    Note(fabric->GetNic(1)->GetPort(0), "Send", back);
    SendStream(fabric, 0, 1, 4000, SENDING + 200);
    SendStream(fabric, 1, 0, 4000, SENDING + 200);
    Simulator::Run();
    const int64_t spacing = SENDING + 200;
    for (const Times& times : {there, back})
    {
        NS_TEST_ASSERT_MSG_EQ(times.size(), 4000, "all frames are sent");
        for (std::size_t i = 1; i < times.size(); ++i)
        {
            // the frame whose transmission has begun keeps its rate
            const bool slow = times[i - 1] >= start && times[i - 1] < stop;
            NS_TEST_EXPECT_MSG_EQ(times[i] - times[i - 1],
                                  (slow ? 4 : 1) * spacing,
                                  "after " << times[i - 1] << " ps");
        }
    }
}

/// A cable that loses frames at random does so while the fault lasts, as often as it should.
struct LinkFaultLossTestCase : FabricTestCase
{
    /// @return when frames were lost  @param probability of the loss of a frame
    Times Check(double probability, int64_t stream)
    {
        const int64_t start = 100 * MICROSECOND;
        const int64_t stop = 600 * MICROSECOND;
        Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
        FailureHelper helper = Fault(start, stop);
        helper.SetAttribute("LossProbability", DoubleValue(probability));
        const std::vector<Ptr<LinkFault>> faults = helper.Install(*fabric, "host-0:0--leaf-0:0");
        NS_TEST_EXPECT_MSG_EQ(FailureHelper::AssignStreams(faults, stream),
                              2,
                              "a stream for each direction of one link");
        Times lost;
        NoteLosses(*fabric->GetNic(0)->GetPort(0), lost);
        SendStream(fabric, 0, 1, 10000, 100000);
        Simulator::Run();
        constexpr double EXPOSED = 5000;
        const double deviation = std::sqrt(EXPOSED * probability * (1 - probability));
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost.size()),
                                  EXPOSED * probability,
                                  4 * deviation,
                                  "lost of 5000");
        NS_TEST_EXPECT_MSG_EQ(CountBetween(lost, start, stop), lost.size(), "all of them in time");
        const auto& counters = fabric->GetNic(0)->GetPort(0)->GetTransmitter().GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.lostFrames, lost.size(), "counted");
        NS_TEST_EXPECT_MSG_EQ(counters.deliveredFrames, 10000 - lost.size(), "conservation");
        Simulator::Destroy();
        return lost;
    }
};

FABRIC_TEST_F(LinkFaultLossTestCase, g_linkFault, "A cable that loses frames")
{
    const Times first = Check(0.3, 1);
    NS_TEST_EXPECT_MSG_EQ((Check(0.3, 1) == first), true, "the same stream, the same losses");
    NS_TEST_EXPECT_MSG_EQ((Check(0.3, 2) == first), false, "another stream, other losses");
    Check(0.01, 3);
    Check(1, 4);
}

/// Faults of one cable that overlap: cut as long as any cuts it, fractions multiply, survivals
/// multiply; and as good as new when all are over.
struct LinkFaultOverlapTestCase : FabricTestCase
{
    void Add(const Fabric& fabric,
             int64_t start,
             int64_t stop,
             const std::string& name,
             const AttributeValue& value)
    {
        FailureHelper helper = Fault(start * MICROSECOND, stop * MICROSECOND);
        helper.SetAttribute(name, value);
        helper.Install(fabric, 0);
    }

    /// @param up whether the cable passes frames then
    void Expect(const Fabric& fabric, int64_t time, bool up, double factor)
    {
        const Ptr<FabricChannel> channel = fabric.GetChannel(0);
        ScheduleFunction(MicroSeconds(time), [this, channel, time, up, factor] {
            NS_TEST_EXPECT_MSG_EQ(channel->IsUp(), up, "at " << time << " us");
            NS_TEST_EXPECT_MSG_EQ(channel->GetDevice(0)->IsLinkUp(), up, "at " << time << " us");
            for (std::size_t end : {0, 1})
            {
                const auto& tx = channel->GetPort(end)->GetTransmitter();
                NS_TEST_EXPECT_MSG_EQ_TOL(tx.GetTransmissionTime(FRAME_BYTES) * factor,
                                          SENDING,
                                          0.01,
                                          "at " << time << " us");
            }
        });
    }

    /// A fault that should have begun begins when it is installed; one that is over never does.
    void CheckPast(const Ptr<Fabric>& fabric)
    {
        ScheduleFunction(MicroSeconds(5), [this, fabric] {
            FailureHelper helper = Fault(3 * MICROSECOND, 7 * MICROSECOND);
            helper.SetAttribute("RateFactor", DoubleValue(0.5));
            const Ptr<LinkFault> late = helper.Install(*fabric, 1);
            const Ptr<LinkFault> over = Fault(MICROSECOND, 2 * MICROSECOND).Install(*fabric, 1);
            ScheduleFunction(MicroSeconds(1), [this, late, over] {
                NS_TEST_EXPECT_MSG_EQ(late->IsActive(), true, "it has begun");
                NS_TEST_EXPECT_MSG_EQ(over->IsActive(), false, "it never begins");
            });
            ScheduleFunction(MicroSeconds(3), [this, late] {
                NS_TEST_EXPECT_MSG_EQ(late->IsActive(), false, "it has ended");
            });
        });
    }
};

FABRIC_TEST_F(LinkFaultOverlapTestCase, g_linkFault, "Overlapping faults")
{
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    Add(*fabric, 10, 50, "Down", BooleanValue(true));
    Add(*fabric, 20, 30, "Down", BooleanValue(true));
    Add(*fabric, 40, 60, "Down", BooleanValue(true));
    Add(*fabric, 15, 70, "RateFactor", DoubleValue(0.5));
    Add(*fabric, 55, 80, "RateFactor", DoubleValue(0.1));
    Add(*fabric, 65, 1000, "LossProbability", DoubleValue(0.5));
    Add(*fabric, 75, 1000, "LossProbability", DoubleValue(0.2));
    Add(*fabric, 65, 0, "LossProbability", DoubleValue(0)); // never ends, and does nothing
    Expect(*fabric, 5, true, 1);
    Expect(*fabric, 12, false, 1);
    Expect(*fabric, 25, false, 0.5);
    Expect(*fabric, 35, false, 0.5);
    Expect(*fabric, 55, false, 0.05);
    Expect(*fabric, 62, true, 0.05);
    Expect(*fabric, 72, true, 0.1);
    Expect(*fabric, 85, true, 1);
    CheckPast(fabric);
    Times lost;
    NoteLosses(*fabric->GetNic(0)->GetPort(0), lost);
    fabric->GetChannel(0)->AssignStreams(1);
    ScheduleFunction(MicroSeconds(100), [fabric] {
        SendStream(fabric, 0, 1, 10000, 85000); // until 950 us
    });
    ScheduleFunction(MicroSeconds(1001), [fabric] { SendStream(fabric, 0, 1, 1000, 85000); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost.size()), 6000, 200, "1 - 0.5 * 0.8");
    NS_TEST_EXPECT_MSG_EQ(CountBetween(lost, 1000 * MICROSECOND, 2000 * MICROSECOND),
                          0,
                          "nothing is lost when all faults are over");
}

/// A switch stops forwarding to a dead link a detection delay after the cut, and begins again a
/// detection delay after the repair. Shorter changes pass unnoticed.
struct LinkFaultDetectionTestCase : FabricTestCase
{
    /// @return a fabric of two leaves and two spines, with random spraying
    Ptr<Fabric> Build()
    {
        ClosHelper helper;
        helper.SetBalancer(FactoryOf("RsqBalancer"));
        helper.SetSwitchAttribute("DetectionDelay", TimeValue(MicroSeconds(30)));
        return InstallFabric(helper, LeafSpine(2, 2, 2));
    }

    void Cut(const Fabric& fabric, int64_t start, int64_t stop, const std::string& where)
    {
        FailureHelper helper = Fault(start * MICROSECOND, stop * MICROSECOND);
        helper.SetAttribute("Down", BooleanValue(true));
        helper.Install(fabric, where);
    }
};

/// One link between a leaf and a spine is cut for a while.
FABRIC_TEST_F(LinkFaultDetectionTestCase, g_linkFault, "Link fault detection: outage")
{
    Ptr<Fabric> fabric = Build();
    Cut(*fabric, 100, 200, "leaf-0--spine-0");
    Times sent;
    Times lost;
    Times remote;
    const Ptr<FabricPort> uplink = fabric->GetSwitch(0)->GetPort(2);
    Note(uplink, "Send", sent);
    NoteLosses(*uplink, lost);
    Note(fabric->GetSwitch(1)->GetPort(2), "Send", remote);
    SendStream(fabric, 0, 2, 4000, 100000); // for 400 us
    SendStream(fabric, 3, 1, 4000, 100000);
    Simulator::Run();
    const auto us = [&sent](int64_t from, int64_t to) {
        return CountBetween(sent, from * MICROSECOND, to * MICROSECOND);
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(us(0, 100), 500, 80, "half of the frames go by spine 0");
    NS_TEST_EXPECT_MSG_EQ_TOL(us(100, 130), 150, 45, "the switch does not know yet");
    NS_TEST_EXPECT_MSG_EQ(us(130, 230), 0, "it knows");
    NS_TEST_EXPECT_MSG_EQ_TOL(us(230, 400), 850, 110, "the link is back, and it knows");
    NS_TEST_EXPECT_MSG_EQ_TOL(lost.size(), us(100, 130), 6, "what it sends there is lost");
    NS_TEST_EXPECT_MSG_EQ_TOL(remote.size(), 2000, 160, "the other leaf learns nothing");
    // the spine cannot reach leaf 0 any more; what comes for it is dropped
    const FabricSwitch& spine = *fabric->GetSwitch(2);
    NS_TEST_EXPECT_MSG_EQ(spine.GetDropped(FabricSwitch::NO_ROUTE),
                          CountBetween(remote,
                                       130 * MICROSECOND - DELAY - SENDING,
                                       230 * MICROSECOND - DELAY - SENDING),
                          "no way, as far as the spine knows");
    NS_TEST_EXPECT_MSG_EQ(spine.GetReceived(),
                          spine.GetForwarded() + spine.GetDropped(FabricSwitch::NO_ROUTE),
                          "conservation");
}

/// A link that changes faster than the switch believes.
FABRIC_TEST_F(LinkFaultDetectionTestCase, g_linkFault, "Link fault detection: flapping")
{
    Ptr<Fabric> fabric = Build();
    Cut(*fabric, 100, 120, "leaf-0--spine-0"); // not noticed
    Cut(*fabric, 150, 170, "leaf-0--spine-0"); // begins the outage that is
    Cut(*fabric, 180, 230, "leaf-0--spine-0"); // noticed at 210
    Cut(*fabric, 240, 245, "leaf-0--spine-0"); // so the repair is noticed at 275
    Times sent;
    Note(fabric->GetSwitch(0)->GetPort(2), "Send", sent);
    SendStream(fabric, 0, 2, 4000, 100000);
    Simulator::Run();
    const auto us = [&sent](int64_t from, int64_t to) {
        return CountBetween(sent, from * MICROSECOND, to * MICROSECOND);
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(us(100, 210), 550, 80, "nothing has lasted long enough");
    NS_TEST_EXPECT_MSG_EQ(us(210, 275), 0, "known to be dead");
    NS_TEST_EXPECT_MSG_EQ_TOL(us(275, 400), 625, 80, "known to be alive");
}

FABRIC_TEST_F(LinkFaultDetectionTestCase, g_linkFault, "All uplinks of a leaf are dead")
{
    Ptr<Fabric> fabric = Build();
    Cut(*fabric, 0, 200, "spine-0");
    Cut(*fabric, 0, 200, "spine-1");
    SendStream(fabric, 0, 2, 4000, 100000);
    SendStream(fabric, 0, 1, 4000, 100000);
    Simulator::Run();
    const FabricSwitch& leaf = *fabric->GetSwitch(0);
    NS_TEST_EXPECT_MSG_EQ_TOL(leaf.GetDropped(FabricSwitch::NO_ROUTE),
                              2000,
                              2,
                              "all of 30 to 230 us to the other leaf");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(1)->GetCounters().dropped, 4000, "nothing of its own");
}

/// The balancer is told that there are fewer next hops, and that there are more again.
FABRIC_TEST_F(LinkFaultDetectionTestCase, g_linkFault, "Link fault detection: rotation")
{
    ClosHelper helper;
    helper.SetBalancer(FactoryOf("SimpleRrBalancer"));
    helper.SetSwitchAttribute("DetectionDelay", TimeValue(MicroSeconds(30)));
    Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(2, 3, 2));
    Cut(*fabric, 100, 200, "leaf-0--spine-1");
    std::vector<Times> sent(3);
    for (uint16_t spine = 0; spine < 3; ++spine)
    {
        Note(fabric->GetSwitch(0)->GetPort(2 + spine), "Send", sent[spine]);
    }
    SendStream(fabric, 0, 2, 4000, 100000);
    Simulator::Run();
    for (uint16_t spine = 0; spine < 3; ++spine)
    {
        const auto count = [&times = sent[spine]](int64_t from, int64_t to) {
            return static_cast<int>(CountBetween(times, from * MICROSECOND, to * MICROSECOND));
        };
        const int share = spine == 1 ? 0 : 450;
        NS_TEST_EXPECT_MSG_EQ_TOL(count(0, 130), 433, 3, "a third by spine " << spine);
        NS_TEST_EXPECT_MSG_EQ_TOL(count(131, 221), share, 3, "half by spine " << spine);
        NS_TEST_EXPECT_MSG_EQ_TOL(count(231, 381), 500, 3, "a third by spine " << spine);
    }
}

/// Messages survive the failure of a spine, by retransmission on other paths.
struct LinkFaultRecoveryTestCase : FabricTestCase
{
    /// @return frames that were lost
    uint64_t Run(const std::string& dead)
    {
        Ptr<Fabric> fabric = InstallFabric(ClosHelper(), LeafSpine(2, 2, 2));
        FailureHelper helper = Fault(30 * MICROSECOND, 900 * MICROSECOND);
        helper.SetAttribute("Down", BooleanValue(true));
        helper.Install(*fabric, dead);
        std::vector<Flow> flows;
        for (uint32_t source = 0; source < 4; ++source)
        {
            for (uint32_t i = 0; i < 8; ++i)
            {
                flows.push_back(MakeFlow(source, (source + 2) % 4, 1000000, i * 10 * MICROSECOND));
            }
        }
        Ptr<FlowDriver> driver = StartFlows(*fabric, flows);
        Simulator::Run();
        fabric->CatchUp();
        NS_TEST_EXPECT_MSG_EQ(driver->GetService()->GetCompleted(),
                              flows.size(),
                              "all messages complete");
        uint64_t lost = 0;
        for (uint32_t link = 0; link < fabric->GetChannelCount(); ++link)
        {
            for (std::size_t end : {0, 1})
            {
                const auto& tx = fabric->GetChannel(link)->GetPort(end)->GetTransmitter();
                const auto counters = tx.GetCounters();
                lost += counters.lostFrames;
                NS_TEST_EXPECT_MSG_EQ(counters.sentFrames,
                                      counters.deliveredFrames + counters.lostFrames,
                                      "conservation");
            }
        }
        driver->Dispose();
        Simulator::Destroy();
        return lost;
    }
};

FABRIC_TEST_F(LinkFaultRecoveryTestCase, g_linkFault, "Messages survive a dead spine")
{
    const uint64_t lost = Run("spine-0") + Run("spine-1");
    NS_TEST_EXPECT_MSG_GT(lost, 0, "something was lost");
}

/// Where a fault happens, in words.
struct FailureHelperTestCase : FabricTestCase
{
    using Links = std::vector<uint32_t>; //!< numbers of links

    void Check(const FabricGraph& graph, const std::string& where, const Links& expected)
    {
        const Links found = FailureHelper::FindLinks(graph, where);
        NS_TEST_EXPECT_MSG_EQ((found == expected), true, where << ": " << found.front());
    }

    void CheckUnknown(const FabricGraph& graph, const std::string& where)
    {
        std::string message;
        try
        {
            FailureHelper::FindLinks(graph, where);
        }
        catch (const std::invalid_argument& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(message.find("'" + where + "'"), std::string::npos, where);
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line");
        NS_TEST_EXPECT_MSG_NE(message.find("0 to 51"), std::string::npos, "says what there is");
    }
};

FABRIC_TEST_F(FailureHelperTestCase, g_linkFault, "Names of links")
{
    const FabricGraph graph = MakeLeafSpine({2, 12, 2, 2});
    // links of hosts come first: 0 to 3
    for (uint32_t link = 0; link < graph.Links().size(); ++link)
    {
        Check(graph, std::to_string(link), {link});
        Check(graph, graph.LinkName(link), {link});
    }
    Check(graph, "host-2", {2});
    Check(graph, "leaf-1--host-2", {2});
    Check(graph, "leaf-1:0--host-2:0", {2});
    Check(graph, "leaf-1:0", {2});
    const Links parallel = FailureHelper::FindLinks(graph, "leaf-0--spine-1");
    NS_TEST_EXPECT_MSG_EQ(parallel.size(), 2, "two parallel links");
    Check(graph, "spine-1--leaf-0", parallel);
    Check(graph, graph.LinkName(parallel[1]), {parallel[1]});
    NS_TEST_EXPECT_MSG_EQ(FailureHelper::FindLinks(graph, "spine-1").size(), 4, "not spine-10");
    NS_TEST_EXPECT_MSG_EQ(FailureHelper::FindLinks(graph, "leaf-1").size(), 26, "both ways");
    for (const std::string where : {"",
                                    "--",
                                    "52",
                                    "-1",
                                    "99999999999999999999",
                                    "0x1",
                                    "leaf-2",
                                    "leaf",
                                    "host-0--host-1",
                                    "host-0--leaf-1",
                                    "leaf-0--",
                                    "--leaf-0",
                                    "leaf-0--spine-1--",
                                    "leaf-0-spine-1",
                                    "spine-1 ",
                                    "host-0:1--leaf-0:0"})
    {
        CheckUnknown(graph, where);
    }
    const FabricGraph tree = FatTree(4);
    NS_TEST_EXPECT_MSG_EQ(FailureHelper::FindLinks(tree, "core-3").size(), 4, "of a fat-tree");
    NS_TEST_EXPECT_MSG_EQ(FailureHelper::FindLinks(tree, "pod1-edge-0--pod1-agg-1").size(),
                          1,
                          "of a fat-tree");
}

/// Nothing is left of a fault and its cable when the simulator and the fabric are gone, whether the
/// fault was over, under way or still to come.
FABRIC_TEST(g_linkFault, "Faults and cables do not outlive the fabric")
{
    for (const auto& [start, stop] :
         std::vector<std::pair<int64_t, int64_t>>{{1, 2}, {1, 0}, {1, 20}, {11, 20}, {11, 0}})
    {
        const auto alive = std::make_shared<int>(); // held by what observes fault and cable
        Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
        Trace(*fabric->GetChannel(0), "LinkState", [alive](bool) {});
        Trace(*Fail(*fabric,
                    0,
                    {{"Down", true}, {"Start", MicroSeconds(start)}, {"Stop", MicroSeconds(stop)}}),
              "Begin",
              [alive](Ptr<const LinkFault>) {});
        Simulator::Stop(MicroSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(alive.use_count(), 1, "the cable is there");
        fabric->Dispose();
        fabric = nullptr;
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(alive.use_count(), 1, "from " << start << " to " << stop);
    }
}
