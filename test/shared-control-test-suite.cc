/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/nscc-control.h"
#include "ns3/rc-queue-pair.h"
#include "ns3/shared-control.h"

static Suite g_sharedControl("ai-fabric-shared-control");

namespace
{

constexpr uint32_t MTU = 4096; //!< payload bytes of a packet

/// What became of an incast.
struct Outcome
{
    Time end;                                //!< when all was acknowledged
    uint64_t done{0};                        //!< messages that were
    uint64_t naks{0};                        //!< packets that were trimmed
    uint64_t packets{0};                     //!< data packets sent
    uint64_t decreases{0};                   //!< of windows
    uint64_t most{0};                        //!< packets in flight of one host
    uint64_t least{0};                       //!< window of one host at any departure, in packets
    uint64_t violations{0};                  //!< departures with more in flight than the window
    std::vector<Time> times;                 //!< when messages were acknowledged
    std::vector<std::vector<Time>> bySender; //!< the same
};

/// An incast of which each sender has several queue pairs to the receiver.
struct SharedIncast
{
    /// @param control the name of the congestion control  @param transport that of the queue pairs
    /// @param shares whether queue pairs share the control
    SharedIncast(const std::string& control,
                 const std::string& transport,
                 bool shares,
                 uint32_t senders)
        : m_isShared(shares),
          m_queuePairs(senders)
    {
        ClosHelper clos = ClosOf({}, {{"DataRate", "100Gb/s"}});
        clos.SetBalancerType(TypeId::LookupByName("ns3::aifabric::HostRandomBalancer"));
        clos.SetAdmission(
            FactoryOf("TrimmingBuffer", {{"PortBytes", 120000}, {"Victim", "Arriving"}}));
        clos.SetMarker(FactoryOf("StepMarker", {{"Threshold", 60000}}));
        clos.SetNicAttribute("SharesControl", BooleanValue(shares));
        m_fabric = InstallFabric(clos, LeafSpine(2, 2, 4));
        m_roce.SetQueuePair(FactoryOf(transport + "QueuePair", {{"AckDscp", 48}}));
        m_roce.SetRecovery(ObjectFactory(transport == "Rc"
                                             ? "ns3::aifabric::SackRecovery"
                                             : "ns3::aifabric::SelectiveRepeatRecovery"));
        m_roce.SetControl(FactoryOf(control + "Control"));
        m_roce.SetBalancer(FactoryOf("HostRandomBalancer"));
    }

    /// @return what became of it  @param lanes queue pairs of each sender
    Outcome Run(uint32_t lanes, uint64_t bytes)
    {
        m_outcome.bySender.resize(m_queuePairs.size());
        for (uint32_t sender = 0; sender < m_queuePairs.size(); ++sender)
        {
            Ptr<RoceNetDevice> nic = m_fabric->GetNic(7 - sender);
            for (uint32_t lane = 0; lane < lanes; ++lane)
            {
                m_queuePairs[sender].push_back(m_roce.Connect(nic, m_fabric->GetNic(0)).first);
                m_queuePairs[sender].back()->PostWrite(
                    bytes / lanes,
                    CallbackOf([this, sender](Ptr<QueuePair>, uint64_t) {
                        m_outcome.bySender[sender].push_back(Simulator::Now());
                        ++m_outcome.done;
                        m_outcome.end = Simulator::Now();
                        m_outcome.times.push_back(m_outcome.end);
                    }));
            }
            Trace(*nic->GetPort(0), "Send", [this, sender](Ptr<const FabricFrame> frame) {
                if (frame->payload > 0)
                {
                    Watch(m_queuePairs[sender]);
                }
            });
        }
        Simulator::Run();
        PolicyCounters counters;
        for (const auto& sender : m_queuePairs)
        {
            for (const Ptr<QueuePair>& queuePair : sender)
            {
                m_outcome.naks += queuePair->GetCounters().naksReceived;
                m_outcome.packets += queuePair->GetCounters().dataPackets;
                queuePair->CountPolicies(counters);
            }
        }
        m_outcome.decreases = counters["nscc_decreases"];
        Simulator::Destroy();
        return m_outcome;
    }

    /// A packet of a sender departs.
    void Watch(const std::vector<Ptr<QueuePair>>& queuePairs)
    {
        uint64_t outstanding = 0;
        for (const Ptr<QueuePair>& queuePair : queuePairs)
        {
            outstanding += queuePair->GetRecovery().GetOutstanding();
        }
        const uint64_t window = queuePairs[0]->GetControl()->GetWindow() / MTU;
        m_outcome.most = std::max(m_outcome.most, outstanding);
        m_outcome.least = m_outcome.least ? std::min(m_outcome.least, window) : window;
        m_outcome.violations += m_isShared && outstanding > std::max<uint64_t>(window, 1);
    }

    bool m_isShared;                                       //!< queue pairs share their control
    Ptr<Fabric> m_fabric;                                  //!< the fabric
    RoceHelper m_roce;                                     //!< connects
    std::vector<std::vector<Ptr<QueuePair>>> m_queuePairs; //!< by sender
    Outcome m_outcome;                                     //!< what became of it
};

} // namespace

/// Four queue pairs with one NSCC have one window, and lose as little as one queue pair; four with
/// a control each have four windows.
struct SharedWindowTestCase : FabricTestCase
{
    static constexpr uint64_t BYTES = 512 * MTU; //!< of each sender
};

FABRIC_TEST_F(SharedWindowTestCase, g_sharedControl, "one window of four queue pairs")
{
    const Outcome one = SharedIncast("Nscc", "Spray", false, 5).Run(1, BYTES);
    const Outcome shared = SharedIncast("Nscc", "Spray", true, 5).Run(4, BYTES);
    const Outcome apart = SharedIncast("Nscc", "Spray", false, 5).Run(4, BYTES);
    NS_TEST_EXPECT_MSG_EQ(one.done, 5, "all is delivered");
    NS_TEST_EXPECT_MSG_EQ(shared.done, 20, "all is delivered");
    NS_TEST_EXPECT_MSG_EQ(apart.done, 20, "all is delivered");
    NS_TEST_EXPECT_MSG_EQ(shared.violations, 0, "no more in flight than the window");
    NS_TEST_EXPECT_MSG_EQ(shared.most, one.most, "as much as one queue pair has at first");
    NS_TEST_EXPECT_MSG_GT(apart.most, 1.8 * one.most, "several windows");
    NS_TEST_EXPECT_MSG_LT(shared.naks, 1.2 * one.naks, "it loses as little");
    NS_TEST_EXPECT_MSG_GT(apart.naks, 2 * one.naks, "they lose more");
    NS_TEST_EXPECT_MSG_LT(shared.end.GetSeconds(), 1.05 * one.end.GetSeconds(), "as fast");
    // A decrease is counted once, not once a queue pair.
    NS_TEST_EXPECT_MSG_LT(shared.decreases, 2 * one.decreases + 10, "of one control");
    for (const std::vector<Time>& lanes : shared.bySender)
    {
        NS_TEST_EXPECT_MSG_LT(lanes.back().GetSeconds(),
                              1.1 * lanes.front().GetSeconds(),
                              "equal shares of the queue pairs");
    }
}

/// A queue pair that is the only one to its host sends the same as without sharing.
FABRIC_TEST(g_sharedControl, "one queue pair to a host")
{
    for (const std::string control : {"Fixed", "MSwift", "Dctcp", "Nscc"})
    {
        for (const std::string transport : {"Rc", "Spray"})
        {
            const Outcome own = SharedIncast(control, transport, false, 4).Run(1, 100 * MTU);
            const Outcome shared = SharedIncast(control, transport, true, 4).Run(1, 100 * MTU);
            NS_TEST_EXPECT_MSG_EQ(own.done, 4, control << ' ' << transport);
            NS_TEST_EXPECT_MSG_EQ((own.times == shared.times), true, control << transport);
            NS_TEST_EXPECT_MSG_EQ(own.packets, shared.packets, control << transport);
            NS_TEST_EXPECT_MSG_EQ(own.decreases, shared.decreases, control << transport);
        }
    }
}

/// Any control, also one with pacing or a window of a packet, can be shared: all is delivered.
FABRIC_TEST(g_sharedControl, "each control, shared")
{
    for (const uint64_t window : {0, 1, 3 * 4096})
    {
        Default("FixedControl::Window", window);
        for (const std::string control : {"Fixed", "MSwift", "Dctcp", "Nscc"})
        {
            for (const std::string transport : {"Rc", "Spray"})
            {
                const Outcome shared = SharedIncast(control, transport, true, 4).Run(4, 40 * MTU);
                NS_TEST_EXPECT_MSG_EQ(shared.done, 16, control << ' ' << transport);
                NS_TEST_EXPECT_MSG_EQ(shared.violations, 0, control << ' ' << transport);
            }
        }
    }
}

/// A control that lets one packet go at first, and a second one after a microsecond, by itself.
struct DelayedControl : CongestionControl
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<DelayedControl, CongestionControl>("DelayedControl");
        return tid;
    }

    void Start(const FabricFacts& facts) override
    {
        m_rate = facts.portRate;
    }

    uint64_t GetWindow() const override
    {
        return m_isOpen ? 2 * MTU : MTU;
    }

    DataRate GetRate() const override
    {
        return m_rate;
    }

    bool ChangesByItself() const override
    {
        return true;
    }

    bool WantsSent() const override
    {
        return true;
    }

    bool PacketSent(uint32_t, int64_t start) override
    {
        starts.push_back(start);
        if (starts.size() == 1)
        {
            Simulator::Schedule(MicroSeconds(1), &DelayedControl::Open, this);
        }
        return false;
    }

    std::vector<int64_t> starts; //!< of packets, in picoseconds

    /// Open the window.
    void Open()
    {
        m_isOpen = true;
        NotifyChange();
    }

    DataRate m_rate;      //!< of the port
    bool m_isOpen{false}; //!< two packets
};

NS_OBJECT_ENSURE_REGISTERED(DelayedControl);

/// A queue pair that says whether it shares its control.
struct OpenQueuePair : RcQueuePair
{
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::OpenQueuePair")
                                .SetParent<RcQueuePair>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<OpenQueuePair>();
        return tid;
    }

    /// @return whether it does
    bool IsShared()
    {
        return GetRequestor().GetSendWindow().GetShared() != nullptr;
    }
};

NS_OBJECT_ENSURE_REGISTERED(OpenQueuePair);

/// Queue pairs share the rate, too; one that has failed takes no part of the window; one that is
/// connected anew leaves the control of its old host to the others there; one whose user has gone
/// has a control of its own; and a control that changes by itself lets a queue pair send that is
/// alone.
struct SharedStateTestCase : FabricTestCase
{
    static constexpr uint64_t BYTES = 200 * MTU; //!< of each queue pair

    /// Make a fabric of four hosts.
    void Start(const ObjectFactory& control)
    {
        ClosHelper clos = ClosOf({{"SharesControl", true}}, {{"DataRate", "100Gb/s"}});
        m_fabric = InstallFabric(clos, LeafSpine(2, 1, 2));
        m_roce = RoceHelper();
        m_roce.SetControl(control);
        m_done = 0;
    }

    /// Post a message.
    void Post(const Ptr<QueuePair>& queuePair, uint64_t bytes)
    {
        queuePair->PostWrite(bytes, CallbackOf([this](Ptr<QueuePair>, uint64_t) {
                                 ++m_done;
                                 m_end = Simulator::Now();
                             }));
    }

    /// @return a queue pair from one host to another
    Ptr<QueuePair> Connect(uint32_t from, uint32_t to)
    {
        return m_roce.Connect(m_fabric->GetNic(from), m_fabric->GetNic(to)).first;
    }

    Ptr<Fabric> m_fabric; //!< four hosts
    RoceHelper m_roce;    //!< connects
    uint32_t m_done{0};   //!< messages that are acknowledged
    Time m_end;           //!< when the last one was
};

/// Four queue pairs have a quarter of the line rate together.
FABRIC_TEST_F(SharedStateTestCase, g_sharedControl, "Shared state: rate")
{
    Start(FactoryOf("FixedControl", {{"RateFraction", 0.25}}));
    for (uint32_t i = 0; i < 4; ++i)
    {
        Post(Connect(0, 2), BYTES);
    }
    Simulator::Run();
    const double ideal = 4 * BYTES * 8 / 25e9;
    NS_TEST_EXPECT_MSG_EQ(m_done, 4, "all is delivered");
    NS_TEST_EXPECT_MSG_GT(m_end.GetSeconds(), 0.98 * ideal, "one rate");
    NS_TEST_EXPECT_MSG_LT(m_end.GetSeconds(), 1.1 * ideal, "all of it");
}

/// The other end of the first queue pair is gone; the window is one packet.
FABRIC_TEST_F(SharedStateTestCase, g_sharedControl, "Shared state: failure")
{
    Start(FactoryOf("FixedControl", {{"Window", MTU}}));
    const Ptr<QueuePair> lost = m_fabric->GetNic(0)->CreateQueuePair();
    lost->Connect(2, 0xABCDEF);
    Post(lost, BYTES);
    const Ptr<QueuePair> other = Connect(0, 2);
    Post(other, BYTES);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(lost->HasFailed(), true, "nobody answers");
    NS_TEST_EXPECT_MSG_EQ(other->GetPendingMessages(), 0, "the window is free again");
}

/// Two queue pairs to host 2, of which the first is connected to host 3 later.
FABRIC_TEST_F(SharedStateTestCase, g_sharedControl, "Shared state: connection")
{
    Start(FactoryOf("DelayedControl"));
    const Ptr<QueuePair> first = Connect(0, 2);
    const Ptr<CongestionControl> shared = first->GetControl();
    const Ptr<QueuePair> second = Connect(0, 2);
    NS_TEST_EXPECT_MSG_EQ(second->GetControl(), shared, "one control");
    first->Connect(2, first->GetPeerNumber());
    NS_TEST_EXPECT_MSG_EQ(first->GetControl(), shared, "the same host");
    const Ptr<QueuePair> peer = m_fabric->GetNic(3)->CreateQueuePair();
    peer->Connect(0, first->GetNumber());
    first->Connect(3, peer->GetNumber());
    NS_TEST_EXPECT_MSG_NE(first->GetControl(), shared, "another host, another control");
    Post(second, 3 * MTU);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_done, 1, "the second goes on");
    Post(first, 3 * MTU);
    const uint64_t window = second->GetControl()->GetWindow();
    NS_TEST_EXPECT_MSG_EQ(window, 2 * MTU, "open");
    NS_TEST_EXPECT_MSG_EQ(first->GetControl()->GetWindow(), MTU, "not open yet");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_done, 2, "so does the first");
}

/// The users of two queue pairs go one after the other.
FABRIC_TEST_F(SharedStateTestCase, g_sharedControl, "Shared state: abort")
{
    Start(FactoryOf("NsccControl"));
    m_roce.SetQueuePair(FactoryOf("OpenQueuePair"));
    const auto first = DynamicCast<OpenQueuePair>(Connect(0, 2));
    const auto second = DynamicCast<OpenQueuePair>(Connect(0, 2));
    Post(first, BYTES);
    Post(second, BYTES);
    NS_TEST_EXPECT_MSG_EQ(first->IsShared() && second->IsShared(), true, "both share it");
    first->Abort();
    NS_TEST_EXPECT_MSG_EQ(first->IsShared(), false, "its own");
    NS_TEST_EXPECT_MSG_NE(first->GetControl(), second->GetControl(), "another one");
    NS_TEST_EXPECT_MSG_EQ(second->IsShared(), true, "the other shares it still");
    Simulator::Stop(MicroSeconds(1));
    Simulator::Run();
    second->Abort();
    NS_TEST_EXPECT_MSG_EQ(second->IsShared(), false, "its own, too");
}

/// Links are long, so that no acknowledgement wakes the queue pair.
FABRIC_TEST_F(SharedStateTestCase, g_sharedControl, "Shared state: change")
{
    Start(FactoryOf("DelayedControl"));
    for (uint32_t link = 0; link < m_fabric->GetChannelCount(); ++link)
    {
        m_fabric->GetChannel(link)->SetAttribute("Delay", TimeValue(MicroSeconds(20)));
    }
    const Ptr<QueuePair> queuePair = Connect(0, 2);
    Post(queuePair, 2 * MTU);
    Simulator::Stop(MicroSeconds(10));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(queuePair->GetCounters().dataPackets, 2, "both are sent");
}
