/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/dwrr-egress-scheduler.h"
#include "ns3/fabric-port.h"
#include "ns3/port-buffer.h"
#include "ns3/strict-egress-scheduler.h"

static Suite g_egressScheduler("ai-fabric-egress-scheduler", TestSuite::Type::SYSTEM);

namespace
{

constexpr uint32_t QUANTUM = 4096; //!< default of DwrrEgressScheduler::Quantum, in bytes
constexpr uint32_t LONGEST = 4174; //!< frame, in bytes

/// Prefers frames of odd ports of ingress, and notes what it is shown.
struct OddIngressScheduler : StrictEgressScheduler
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::OddIngressScheduler")
                                .SetParent<StrictEgressScheduler>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<OddIngressScheduler>();
        return tid;
    }

    uint8_t Choose(const EgressHeads& heads) override
    {
        for (uint8_t ready = heads.ready; ready; ready &= ready - 1)
        {
            const uint8_t queue = __builtin_ctz(ready);
            m_wrong += !heads.frames[queue] || heads.frames[queue]->GetClass() != queue;
            if (heads.frames[queue] && heads.frames[queue]->ingress % 2 == 1)
            {
                return queue;
            }
        }
        return StrictEgressScheduler::Choose(heads);
    }

    void FrameDeparts(uint8_t queue, const FabricFrame& frame) override
    {
        m_wrong += frame.GetClass() != queue;
        ++m_departures;
    }

    /// @return frames that departed
    uint32_t GetDepartures() const
    {
        return m_departures;
    }

    /// @return frames of the wrong queue, and heads that were not there
    uint32_t GetWrong() const
    {
        return m_wrong;
    }

    uint32_t m_departures{0}; //!< frames that departed
    uint32_t m_wrong{0};      //!< frames of the wrong queue
};

NS_OBJECT_ENSURE_REGISTERED(OddIngressScheduler);

/// What a port sends: bytes by class, as long as certain classes wait.
struct PortLog
{
    explicit PortLog(FabricPort& port)
    {
        Trace(port, "Send", [this](Ptr<const FabricFrame> frame) { Note(*frame); });
    }

    /// @return the greatest difference of bytes by weight between two classes, until one of them
    /// has sent all that it ever sends
    double GetGreatestGap(uint8_t a, uint8_t b, double weightA, double weightB) const
    {
        std::map<uint8_t, uint64_t> left = m_total;
        double sentA = 0;
        double sentB = 0;
        double gap = 0;
        for (const auto& [trafficClass, bytes] : m_frames)
        {
            sentA += trafficClass == a ? bytes : 0;
            sentB += trafficClass == b ? bytes : 0;
            left[trafficClass] -= bytes;
            if (left[a] == 0 || left[b] == 0)
            {
                break;
            }
            gap = std::max(gap, std::abs(sentA / weightA - sentB / weightB));
        }
        return gap;
    }

    /// @return how often the class changes from one frame to the next
    uint32_t CountChanges() const
    {
        uint32_t changes = 0;
        for (std::size_t i = 1; i < m_frames.size(); ++i)
        {
            changes += m_frames[i].first != m_frames[i - 1].first;
        }
        return changes;
    }

    uint64_t GetBytes(uint8_t trafficClass) const
    {
        const auto found = m_total.find(trafficClass);
        return found == m_total.end() ? 0 : found->second;
    }

    /// @return class and bytes of each frame, in order
    const std::vector<std::pair<uint8_t, uint32_t>>& GetFrames() const
    {
        return m_frames;
    }

    /// A frame is sent.
    void Note(const FabricFrame& frame)
    {
        m_frames.emplace_back(frame.GetClass(), frame.wireBytes);
        m_total[frame.GetClass()] += frame.wireBytes;
    }

    std::vector<std::pair<uint8_t, uint32_t>> m_frames; //!< class and bytes of each frame
    std::map<uint8_t, uint64_t> m_total;                //!< bytes by class
};

/// Send frames from a host, all at once.
void
SendMany(const Fabric& fabric,
         uint32_t source,
         uint32_t destination,
         uint8_t trafficClass,
         uint16_t bytes,
         uint32_t frames)
{
    for (uint32_t i = 0; i < frames; ++i)
    {
        SendFrame(fabric, MakeFrame(fabric, source, destination, trafficClass, bytes));
    }
}

Ptr<Fabric>
MakeLeaf(uint32_t hosts, ClosHelper& helper)
{
    const ObjectFactory buffer = FactoryOf("PortBuffer", {{"PortBytes", 100000000}});
    helper.SetAdmission(buffer);
    return helper.Install(LeafSpine(1, 1, hosts));
}

} // namespace

/// Two hosts send frames of two classes and lengths to a third one. The port of the leaf that leads
/// to it shares its link among the classes by their weights.
struct SwitchSharesTestCase : FabricTestCase
{
    /// @param weight of class 3; that of class 0 is 1  @param bytes of frames of class 3
    /// @param others of frames of class 0
    void Check(uint32_t weight, uint16_t bytes, uint16_t others)
    {
        Default("DwrrEgressScheduler::Weights", "3:" + std::to_string(weight));
        ClosHelper helper =
            ClosOf({}, {{"EgressSchedulerType", "ns3::aifabric::DwrrEgressScheduler"}});
        const Ptr<Fabric> fabric = MakeLeaf(3, helper);
        FabricPort& port = *fabric->GetSwitch(0)->GetPort(2);
        PortLog log(port);
        SendMany(*fabric, 0, 2, LOSSLESS_CLASS, bytes, 4000000 / bytes);
        SendMany(*fabric, 1, 2, LOSSY_CLASS, others, 4000000 / others);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log.GetBytes(LOSSLESS_CLASS), 4000000, "all frames arrive");
        NS_TEST_EXPECT_MSG_EQ(log.GetBytes(LOSSY_CLASS), 4000000, "all frames arrive");
        // class 0 may have sent a few frames before the first of class 3 arrived, and so on
        const double most =
            3 * QUANTUM + 1.0 * bytes / weight + others + 2.0 * std::max(bytes, others);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(log.GetGreatestGap(LOSSLESS_CLASS, LOSSY_CLASS, weight, 1),
                                    most,
                                    "weight " << weight << " frames of " << bytes);
        NS_TEST_EXPECT_MSG_EQ(port.GetTransmitter().GetBusyTime(),
                              Wire(8000000 + 20 * (4000000 / bytes + 4000000 / others)),
                              "nothing else is on the wire");
        Simulator::Destroy();
    }

    /// @return time of bytes on a wire of 800 Gb/s, in ps
    static int64_t Wire(int64_t bytes)
    {
        return bytes * 10;
    }
};

FABRIC_TEST_F(SwitchSharesTestCase,
              g_egressScheduler,
              "Two classes through a switch share a link by their weights")
{
    for (const uint32_t weight : {1, 3, 10})
    {
        Check(weight, 200, 4000);
        Check(weight, 4000, 200);
    }
}

FABRIC_TEST(g_egressScheduler, "By default, class 3 precedes class 0")
{
    ClosHelper helper;
    const Ptr<Fabric> fabric = MakeLeaf(3, helper);
    const Ptr<FabricPort> port = fabric->GetSwitch(0)->GetPort(2);
    PointerValue scheduler;
    port->GetAttribute("EgressScheduler", scheduler);
    NS_TEST_EXPECT_MSG_EQ(scheduler.Get<EgressScheduler>(), nullptr, "strict is no object");
    PortLog log(*port);
    SendMany(*fabric, 0, 2, LOSSLESS_CLASS, 4000, 1000);
    SendMany(*fabric, 1, 2, LOSSY_CLASS, 4000, 1000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_LT_OR_EQ(log.CountChanges(), 3, "one class after the other");
}

/// At a NIC, queue pairs send data in one class, and control waits in the queue of another one: ten
/// bytes of control leave for each byte of data, as long as both can be sent.
struct NicSharesTestCase : FabricTestCase
{
    /// Acknowledgements of class 3 alternate with data of class 3.
    void CheckAcks(const PortLog& log)
    {
        constexpr uint32_t ACKS = 98; // of 400000 bytes
        uint32_t data = 0;            // in a row
        uint32_t acks = 0;
        uint32_t most = 0;
        for (const auto& [trafficClass, bytes] : log.GetFrames())
        {
            if (trafficClass != LOSSLESS_CLASS)
            {
                continue;
            }
            const bool isAck = bytes < 100;
            acks += isAck;
            data = isAck ? 0 : data + 1;
            most = acks > 0 && acks < ACKS ? std::max(most, data) : most;
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(most, 2, "data and acknowledgements alternate");
        NS_TEST_EXPECT_MSG_EQ(acks, ACKS, "each packet is acknowledged");
    }
};

FABRIC_TEST_F(NicSharesTestCase, g_egressScheduler, "A NIC sends 10 control : 1 data")
{
    constexpr uint32_t CONTROLS = 100000;
    constexpr uint32_t CONTROL_BYTES = 64;
    Default("DwrrEgressScheduler::Weights", "6:10");
    ClosHelper helper;
    helper.SetNicPortAttribute("EgressSchedulerType",
                               StringValue("ns3::aifabric::DwrrEgressScheduler"));
    const Ptr<Fabric> fabric = MakeLeaf(2, helper);
    NS_TEST_EXPECT_MSG_NE(fabric->GetNic(0)->GetPort(0)->GetEgressScheduler(), nullptr, "DWRR");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(0)->GetPort(0)->GetEgressScheduler(),
                          nullptr,
                          "ports of switches are not concerned");
    PortLog log(*fabric->GetNic(0)->GetPort(0));
    const auto ends = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(1));
    const auto back = RoceHelper().Connect(fabric->GetNic(1), fabric->GetNic(0));
    ends.first->PostWrite(4000000);
    back.first->PostWrite(400000); // whose acknowledgements share the queue of data
    SendMany(*fabric, 0, 1, HIGH_CLASS, CONTROL_BYTES, CONTROLS);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends.first->IsPending(), false, "data is acknowledged");
    NS_TEST_EXPECT_MSG_EQ(back.first->IsPending(), false, "and so is that of the other host");
    NS_TEST_EXPECT_MSG_EQ(log.GetBytes(HIGH_CLASS), CONTROLS * CONTROL_BYTES, "control");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(log.GetGreatestGap(HIGH_CLASS, LOSSLESS_CLASS, 10, 1),
                                3 * QUANTUM + CONTROL_BYTES / 10.0 + 2 * LONGEST,
                                "10 control : 1 data");
    NS_TEST_EXPECT_MSG_GT(log.CountChanges(), 100, "they take turns");
    CheckAcks(log);
}

/// A class that PFC pauses does not make up for the time: after its pause it gets its share, and no
/// more. The other class has the whole link meanwhile.
FABRIC_TEST(g_egressScheduler, "A paused class collects no credit, and the link does not idle")
{
    constexpr int64_t FRAME = 10200; // 1000 bytes and a gap at 800 Gb/s, in ps
    ClosHelper helper = ClosOf({}, {{"EgressSchedulerType", "ns3::aifabric::DwrrEgressScheduler"}});
    const Ptr<Fabric> fabric = MakeLeaf(2, helper);
    FabricPort& port = *fabric->GetNic(0)->GetPort(0);
    PortLog log(port);
    port.GetTransmitter().Pause(1 << LOSSLESS_CLASS, 500 * FRAME, 0);
    SendMany(*fabric, 0, 1, LOSSLESS_CLASS, 1000, 1000);
    SendMany(*fabric, 0, 1, LOSSY_CLASS, 1000, 1000);
    Simulator::Run();
    const auto& frames = log.GetFrames();
    NS_TEST_ASSERT_MSG_EQ(frames.size(), 2000, "all frames are sent");
    NS_TEST_EXPECT_MSG_EQ(port.GetTransmitter().GetBusyTime(), 2000 * FRAME, "back to back");
    int64_t lead = 0;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        const bool isPaused = frames[i].first == LOSSLESS_CLASS;
        NS_TEST_EXPECT_MSG_EQ((i < 500 && isPaused), false, "it is paused");
        lead += i < 500 ? 0 : isPaused ? 1 : -1;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(lead), 9, "equal shares after the pause");
    }
}

/// A scheduler of a user's own sees the oldest frame of each queue with its port of ingress, and
/// each departure.
FABRIC_TEST(g_egressScheduler, "A scheduler looks at the ingress of frames")
{
    ClosHelper helper = ClosOf({}, {{"EgressSchedulerType", "ns3::aifabric::OddIngressScheduler"}});
    const Ptr<Fabric> fabric = MakeLeaf(4, helper);
    const Ptr<FabricPort> port = fabric->GetSwitch(0)->GetPort(3);
    PortLog log(*port);
    SendMany(*fabric, 0, 3, HIGH_CLASS, 1000, 100);
    SendMany(*fabric, 1, 3, LOSSY_CLASS, 1000, 100);
    SendMany(*fabric, 2, 3, LOSSLESS_CLASS, 1000, 100);
    Simulator::Run();
    const auto scheduler = DynamicCast<OddIngressScheduler>(port->GetEgressScheduler());
    NS_TEST_ASSERT_MSG_NE(scheduler, nullptr, "the port has its own scheduler");
    NS_TEST_EXPECT_MSG_EQ(scheduler->GetDepartures(), 300, "each departure is told");
    NS_TEST_EXPECT_MSG_EQ(scheduler->GetWrong(), 0, "heads and departures are of their queues");
    const auto& frames = log.GetFrames();
    NS_TEST_ASSERT_MSG_EQ(frames.size(), 300, "all frames are sent");
    uint32_t first = 0;
    for (uint32_t i = 0; i < 102; ++i)
    {
        first += frames[i].first == LOSSY_CLASS;
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(first, 99, "those of port 1 are first, though of class 0");
    NS_TEST_EXPECT_MSG_EQ(+frames.back().first, +LOSSLESS_CLASS, "the rest by class");
}
