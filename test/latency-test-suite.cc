/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/ack-bypass.h"
#include "ns3/lower-bound.h"
#include "ns3/message-service.h"

#include <tuple>

static Suite g_latency("ai-fabric-latency", TestSuite::Type::SYSTEM);

namespace
{

/// Latencies of a fabric.
struct Latencies
{
    int64_t inSwitch{0}; //!< of its switches, in ps
    int64_t inNic{0};    //!< of its NICs, in ps
};

Ptr<Fabric>
Build(const FabricGraph& graph, const Latencies& latencies, ClosHelper helper = ClosHelper())
{
    helper.SetSwitchAttribute("Latency", TimeValue(PicoSeconds(latencies.inSwitch)));
    helper.SetNicAttribute("Latency", TimeValue(PicoSeconds(latencies.inNic)));
    return helper.Install(graph);
}

/// @return when the last of some flows is completed, in ps
int64_t
Complete(const Fabric& fabric, const std::vector<Flow>& flows)
{
    const Ptr<FlowDriver> driver = StartFlows(fabric, flows);
    Simulator::Run();
    int64_t last = 0;
    for (const FlowRecord& record : driver->GetService()->GetRecords())
    {
        const int64_t end = record.completed ? record.completedAt.GetPicoSeconds() : INT64_MAX;
        last = std::max(last, end);
    }
    return last;
}

/// @return the bound of some flows, in ps
double
Bound(const FabricGraph& graph, const std::vector<Flow>& flows, const Latencies& latencies)
{
    BoundParameters parameters;
    parameters.switchLatencyPs = latencies.inSwitch;
    parameters.nicLatencyPs = latencies.inNic;
    return CompletionBoundPs(graph, flows, parameters);
}

} // namespace

/// Frames that cross one switch with a latency arrive so much later than without it, at each host
/// in the same order: those of one picosecond in the order of their ports.
struct LatencyShiftTestCase : FabricTestCase
{
    /// An arrival: when, at which host, which frame.
    using Arrival = std::tuple<int64_t, uint32_t, uint32_t>;

    /// @return the arrivals at hosts, in order
    std::vector<Arrival> Run(const Latencies& latencies)
    {
        m_arrivals.clear();
        const Ptr<Fabric> fabric = Build(LeafSpine(1, 1, HOSTS), latencies);
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            fabric->GetNic(host)->GetPort(0)->TraceConnectWithoutContext(
                "Receive",
                MakeCallback(&LatencyShiftTestCase::Received, this).Bind(host));
        }
        const UniformInteger random = Uniform(7);
        for (uint32_t name = 0; name < FRAMES; ++name)
        {
            const uint32_t source = random(HOSTS);
            const uint32_t other = (source + 1 + random(HOSTS - 1)) % HOSTS;
            Ptr<FabricFrame> frame = MakeFrame(*fabric,
                                               source,
                                               other,
                                               random(2) * LOSSLESS_CLASS,
                                               100 + 100 * random(9));
            frame->psn = name;
            ScheduleFunction(NanoSeconds(random(2000)),
                             [fabric, frame]() { SendFrame(*fabric, frame); });
        }
        Simulator::Run();
        const FabricSwitch& leaf = *fabric->GetSwitch(0);
        NS_TEST_EXPECT_MSG_EQ(leaf.GetReceived(), FRAMES, "none is forgotten");
        NS_TEST_EXPECT_MSG_EQ(leaf.GetHeld(), 0, "none is held for ever");
        Simulator::Destroy();
        return m_arrivals;
    }

    /// A frame has arrived.
    void Received(uint32_t host, Ptr<const FabricFrame> frame)
    {
        m_arrivals.emplace_back(FabricClock::Now(), host, frame->psn);
    }

    static constexpr uint32_t HOSTS = 6;     //!< below the leaf
    static constexpr uint32_t FRAMES = 1000; //!< sent

    std::vector<Arrival> m_arrivals; //!< in order
};

FABRIC_TEST_F(LatencyShiftTestCase, g_latency, "A latency shifts what happens behind it")
{
    const std::vector<Arrival> without = Run(Latencies{});
    NS_TEST_ASSERT_MSG_EQ(without.size(), FRAMES, "all frames arrive");
    for (const int64_t latency : {1, 12345, 300000, 40000000})
    {
        std::vector<Arrival> expected = without;
        for (Arrival& arrival : expected)
        {
            std::get<0>(arrival) += latency;
        }
        NS_TEST_EXPECT_MSG_EQ((Run(Latencies{latency, 0}) == expected), true, latency << " ps");
        NS_TEST_EXPECT_MSG_EQ((Run(Latencies{0, latency}) == without),
                              true,
                              "a frame arrives at a NIC before its latency");
    }
}

/// Messages complete no earlier than the lower bound that knows the latencies, and a packet alone
/// in the fabric completes exactly then; also where acknowledgements bypass the fabric.
struct LatencyBoundTestCase : FabricTestCase
{
    /// One packet.
    void CheckAlone(const Latencies& latencies, bool bypass)
    {
        const FabricGraph graph = FatTree(4);
        for (const uint32_t destination : {1, 3, 15})
        {
            const Ptr<Fabric> fabric = Build(graph, latencies);
            for (uint32_t host = 0; host < graph.HostCount(); ++host)
            {
                fabric->GetNic(host)->SetAttribute("ChargeReth", BooleanValue(false));
            }
            Ptr<AckBypass> carrier;
            if (bypass)
            {
                carrier = CreateWith<AckBypass>({{"HopTime", PicoSeconds(500640)},
                                                 {"SwitchTime", PicoSeconds(latencies.inSwitch)}});
                carrier->Install(graph, Nics(*fabric));
            }
            const std::vector<Flow> flows = {Flow{0, 0, destination, 4096}};
            const auto bound = static_cast<int64_t>(Bound(graph, flows, latencies));
            const int64_t completed = Complete(*fabric, flows);
            NS_TEST_EXPECT_MSG_EQ(completed, bound, "to host " << destination);
            if (destination == 15)
            {
                NS_TEST_EXPECT_MSG_EQ(fabric->GetRoundTripTime(4096).GetPicoSeconds(),
                                      bound,
                                      "the round trip of the fabric");
            }
            Simulator::Destroy();
        }
    }

    /// A permutation.
    void CheckTraffic(const Latencies& latencies)
    {
        const FabricGraph graph = FatTree(4);
        for (const std::string name : {"Rr", "Jsq", "Ecmp"})
        {
            ClosHelper helper;
            helper.SetBalancer(FactoryOf(name + "Balancer"));
            helper.SetNicAttribute("RecoveryType", StringValue("ns3::aifabric::OracleRecovery"));
            const Ptr<Fabric> fabric = Build(graph, latencies, helper);
            const auto flows = RandomPermutation(graph.HostCount(), 200000, Uniform(3));
            const int64_t last = Complete(*fabric, flows);
            NS_TEST_EXPECT_MSG_LT(last, INT64_MAX, "all flows complete");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(last, Bound(graph, flows, latencies), name);
            Simulator::Destroy();
        }
    }

    /// @return the NICs of a fabric
    static std::vector<Ptr<RoceNetDevice>> Nics(const Fabric& fabric)
    {
        const std::vector<Ptr<RoceNetDevice>>& nics = fabric.GetNicList();
        return nics;
    }
};

FABRIC_TEST_F(LatencyBoundTestCase, g_latency, "The bound and the round trip know the latencies")
{
    for (const Latencies latencies :
         {Latencies{}, Latencies{300000, 0}, Latencies{0, 1000000}, Latencies{400000, 650000}})
    {
        CheckAlone(latencies, false);
        CheckAlone(latencies, true);
        CheckTraffic(latencies);
    }
}

/// At any time, frames delivered to a switch or a NIC = received + held.
struct LatencyConservationTestCase : FabricTestCase
{
    /// Check the law now.
    void Check()
    {
        m_held = 0;
        for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
        {
            const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(id);
            uint64_t arrived = 0;
            for (std::size_t i = 0; i < fabricSwitch.GetPortCount(); ++i)
            {
                arrived += CountDelivered(*fabricSwitch.GetPort(i));
            }
            const uint64_t held = fabricSwitch.GetHeld();
            NS_TEST_EXPECT_MSG_EQ(arrived, fabricSwitch.GetReceived() + held, "switch " << id);
            m_held += held;
        }
        for (uint32_t host = 0; host < 8; ++host)
        {
            const RoceNetDevice& nic = *m_fabric->GetNic(host);
            const RoceNetDevice::Counters& counters = nic.GetCounters();
            NS_TEST_EXPECT_MSG_EQ(CountDelivered(*nic.GetPort(0)),
                                  counters.data + counters.acks + counters.dropped + nic.GetHeld(),
                                  "host " << host);
            m_held += nic.GetHeld();
        }
        m_most = std::max(m_most, m_held);
    }

    /// @return frames that have arrived at a port
    static uint64_t CountDelivered(const FabricPort& port)
    {
        FabricTransmitter& sender = port.GetTransmitter().GetPeer()->GetTransmitter();
        sender.Advance(FabricClock::Now());
        return sender.GetCounters().deliveredFrames;
    }

    Ptr<Fabric> m_fabric; //!< the fabric
    uint64_t m_held{0};   //!< frames that are held
    uint64_t m_most{0};   //!< the most of these
};

FABRIC_TEST_F(LatencyConservationTestCase, g_latency, "Frames that arrived = received + held")
{
    m_fabric = Build(LeafSpine(2, 2, 4), Latencies{2000000, 700000});
    const auto driver = StartFlows(*m_fabric, AllToAll(8, 100000, Uniform(1)));
    for (int64_t time = 0; time < 30; ++time)
    {
        ScheduleFunction(MicroSeconds(time), [this]() { Check(); });
    }
    Simulator::Run();
    Check();
    NS_TEST_EXPECT_MSG_GT(m_most, 100, "frames were held");
    NS_TEST_EXPECT_MSG_EQ(m_held, 0, "and none is held in the end");
    m_fabric = nullptr;
}

/// A lossless class loses nothing in switches with a latency: the headroom has room for what is
/// held when the buffer pauses the sender.
FABRIC_TEST(g_latency, "The headroom of PFC covers the latency")
{
    ClosHelper helper;
    helper.SetAdmission(BufferFactory(4000000, 1 << LOSSLESS_CLASS));
    const Ptr<Fabric> fabric = Build(LeafSpine(2, 2, 4), Latencies{1000000, 0}, helper);
    const int64_t last = Complete(*fabric, Incast(8, 7, 0, 3000000, Uniform(1)));
    NS_TEST_EXPECT_MSG_LT(last, INT64_MAX, "all flows complete");
    NS_TEST_EXPECT_MSG_EQ(CountRefused(*fabric), 0, "nothing is dropped");
    uint32_t headroom = 0;
    for (uint32_t id = 0; id < fabric->GetSwitchCount(); ++id)
    {
        headroom = std::max(headroom, GetBuffer(*fabric, id).GetCounters().maxHeadroom);
    }
    // 1 us at 800 Gb/s is 100000 bytes
    NS_TEST_EXPECT_MSG_GT(headroom, 100000, "what was held when the sender was paused");
}
