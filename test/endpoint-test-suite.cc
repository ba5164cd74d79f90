/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../examples/datagram-endpoint.h"
#include "fabric-test.h"

#include "ns3/coalesced-ack-policy.h"
#include "ns3/fabric-channel.h"

static Suite g_endpoint("ai-fabric-endpoint", TestSuite::Type::SYSTEM);

namespace
{

/// @return a fabric of two leaves and two spines  @param order the send order of the NICs
Ptr<Fabric>
MakeFabric(uint32_t hostsPerLeaf, uint32_t planes, const std::string& order)
{
    ClosHelper clos =
        ClosOf({{"SchedulerType", "ns3::aifabric::" + order}}, {{"DataRate", "400Gb/s"}});
    return InstallFabric(clos, LeafSpine(2, 2, hostsPerLeaf, planes));
}

/// @return frames that switches dropped
uint64_t
CountDropped(const Fabric& fabric)
{
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < fabric.GetSwitchCount(); ++i)
    {
        dropped += fabric.GetSwitch(i)->GetDropped(FabricSwitch::NO_BUFFER);
    }
    return dropped;
}

} // namespace

/// Datagrams of the manual, beside messages of queue pairs at the same NICs: what was sent was
/// received or dropped, messages are completed, and the stall report has a line for each endpoint.
struct DatagramTestCase : FabricTestCase
{
    static constexpr uint32_t SENDERS = 3;     //!< hosts of the first leaf
    static constexpr uint64_t DATAGRAMS = 999; //!< of each

    /// @param order the send order of the NICs
    /// @param isLossy whether that is too much for the last link
    void Check(uint32_t planes, const std::string& order, const std::string& rate, bool isLossy)
    {
        m_rate = rate;
        Ptr<Fabric> fabric = MakeFabric(SENDERS, planes, order);
        Connect(*fabric);
        auto ends = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(SENDERS + 1));
        ends.first->PostWrite(100000);
        std::ostringstream os;
        m_senders[0]->Describe(os);
        NS_TEST_EXPECT_MSG_EQ(os.str(), "to host-3: 1 of 999 datagrams sent", "the stall report");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), 0, "the queue pair has its turns");
        uint64_t lost = 0;
        for (uint32_t host = 0; host < SENDERS; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(m_senders[host]->sent, DATAGRAMS, "all are sent");
            NS_TEST_EXPECT_MSG_EQ(m_senders[host]->IsPending(), false, "and none waits");
            lost += DATAGRAMS - m_receivers[host]->received;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(m_receivers[host]->missing,
                                        DATAGRAMS - m_receivers[host]->received,
                                        "what misses is lost");
        }
        NS_TEST_EXPECT_MSG_EQ(lost, CountDropped(*fabric), "what was not received was dropped");
        NS_TEST_EXPECT_MSG_EQ((lost > 0), isLossy, "the last link is the bottleneck or not");
        const auto& counters = fabric->GetNic(SENDERS)->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.data + lost, SENDERS * DATAGRAMS, "the NIC counts them");
        CheckSpacing();
        fabric->Dispose();
    }

    /// Connect a datagram endpoint of each sender to one of the first host of the other leaf.
    void Connect(Fabric& fabric)
    {
        m_senders.clear();
        m_receivers.clear();
        for (uint32_t host = 0; host < SENDERS; ++host)
        {
            auto sender = CreateWith<DatagramEndpoint>({{"Rate", DataRateValue(DataRate(m_rate))}});
            m_senders.push_back(sender);
            m_receivers.push_back(CreateObject<DatagramEndpoint>());
            fabric.GetNic(host)->AddEndpoint(sender);
            sender->Connect(SENDERS, fabric.GetNic(SENDERS)->AddEndpoint(m_receivers[host]));
            sender->Send(DATAGRAMS);
        }
    }

    /// The rate gives the time at which the last datagram may be followed by another.
    void CheckSpacing()
    {
        const uint32_t bytes = FrameCodec::RoceWireBytes(RC_SEND_ONLY, 4096, false) + 20;
        const double time = 8e12 * bytes * DATAGRAMS / DataRate(m_rate).GetBitRate();
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_senders[0]->GetNextTime() + 1.0, time, "no faster than that");
    }

    std::string m_rate;                             //!< of a sender
    std::vector<Ptr<DatagramEndpoint>> m_senders;   //!< by host
    std::vector<Ptr<DatagramEndpoint>> m_receivers; //!< by host of the sender
};

/// An endpoint that answers a frame with as many frames as its PSN says, at once or later, and
/// counts what it gets.
struct EchoEndpoint : DatagramEndpoint
{
    bool isLate{false}; //!< it answers a microsecond later

    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override
    {
        ++received;
        for (uint32_t i = 0; i < frame->psn; ++i)
        {
            Ptr<FabricFrame> answer = outbox.CreateFrame();
            answer->opcode = RC_SEND_ONLY;
            answer->source = frame->destination;
            answer->destination = frame->source;
            answer->destinationQp = peer;
            answer->wireBytes = FrameCodec::RoceWireBytes(RC_SEND_ONLY, 0, false);
            answer->psn = 0;
            if (!isLate)
            {
                outbox.Send(answer);
                continue;
            }
            Simulator::Schedule(MicroSeconds(1), &EchoEndpoint::SendLater, this, answer);
        }
        return Reception::DATA;
    }

    RoceNetDevice* nic{nullptr}; //!< its NIC
    uint32_t peer{0};            //!< the number of the other end

    void SendLater(Ptr<FabricFrame> answer)
    {
        nic->SendAnswer(answer, 0, FabricClock::Now());
    }
};

/// An endpoint answers a frame with none, one or several frames, now or later.
FABRIC_TEST(g_endpoint, "an endpoint answers none, one or several frames, now or later")
{
    for (const bool isLate : {false, true})
    {
        Ptr<Fabric> fabric = MakeFabric(1, 1, "RoundRobinScheduler");
        auto sender = CreateObject<EchoEndpoint>();
        auto echo = CreateObject<EchoEndpoint>();
        echo->isLate = isLate;
        echo->nic = PeekPointer(fabric->GetNic(1));
        echo->peer = fabric->GetNic(0)->AddEndpoint(sender);
        sender->Connect(1, fabric->GetNic(1)->AddEndpoint(echo));
        sender->Send(4); // PSNs 0 to 3
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(echo->received, 4, "all have come");
        NS_TEST_EXPECT_MSG_EQ(sender->received, 0 + 1 + 2 + 3, "and as many answers");
        fabric->Dispose();
        Simulator::Destroy();
    }
}

/// Coalesced acknowledgements: messages of any length are completed, with any window, without a
/// timeout; with losses, too; and there are as many acknowledgements as the law says.
struct CoalescedAckTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 4096; //!< payload of a packet

    /// @return two connected queue pairs  @param window in bytes; 0: none
    RoceHelper::Ends Connect(Fabric& fabric, uint32_t window)
    {
        RoceHelper roce;
        roce.SetRecovery(FactoryOf("GoBackNRecovery"));
        roce.SetControl(FactoryOf("FixedControl", {{"Window", window}}));
        for (uint32_t host = 0; host < 2; ++host)
        {
            fabric.GetNic(host)->SetAttribute("AckPolicyType",
                                              TypeIdValue(CoalescedAckPolicy::GetTypeId()));
        }
        return roce.Connect(fabric.GetNic(0), fabric.GetNic(1));
    }

    /// Send messages.  @param window of the sender, in bytes
    void CheckMessages(const std::vector<uint32_t>& messages, uint32_t window)
    {
        Ptr<Fabric> fabric = MakeFabric(1, 1, "RoundRobinScheduler");
        auto ends = Connect(*fabric, window);
        uint64_t packets = 0;
        for (const uint32_t bytes : messages)
        {
            ends.first->PostWrite(bytes);
            packets += ends.first->CountPackets(bytes);
        }
        Simulator::Run();
        const QueuePair::Counters sent = ends.first->GetCounters();
        const QueuePair::Counters received = ends.second->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), 0, "completed");
        NS_TEST_EXPECT_MSG_EQ(sent.timeouts, 0, "nobody waits for an acknowledgement in vain");
        NS_TEST_EXPECT_MSG_EQ(received.packetsAccepted, packets, "each packet came once");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(received.acksSent, messages.size(), "one a message at least");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(received.acksSent, packets, "at most one a packet");
        fabric->Dispose();
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(CoalescedAckTestCase,
              g_endpoint,
              "coalesced acknowledgements complete messages of any length")
{
    std::mt19937 dice(7);
    for (uint32_t i = 0; i < 60; ++i)
    {
        const uint32_t window = i % 3 == 0 ? 0 : 1 + dice() % 20;
        std::vector<uint32_t> messages(1 + dice() % 5);
        for (uint32_t& bytes : messages)
        {
            bytes = dice() % 200000;
        }
        CheckMessages(messages, window * MTU);
    }
}

/// Of 41 packets, each 4th is acknowledged, and the last.
FABRIC_TEST_F(CoalescedAckTestCase, g_endpoint, "Coalesced ACK: law")
{
    Ptr<Fabric> fabric = MakeFabric(1, 1, "RoundRobinScheduler");
    auto ends = Connect(*fabric, 0);
    ends.first->PostWrite(41 * MTU);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends.second->GetCounters().acksSent, 11, "16384 bytes each");
    fabric->Dispose();
}

FABRIC_TEST_F(CoalescedAckTestCase, g_endpoint, "Lost packets and acknowledgements are repaired")
{
    Ptr<Fabric> fabric = MakeFabric(1, 1, "RoundRobinScheduler");
    auto ends = Connect(*fabric, 0);
    for (uint32_t host = 0; host < 2; ++host)
    {
        fabric->GetNic(host)->GetPort(0)->GetChannel()->SetLossProbability(0.02);
    }
    ends.first->PostWrite(500 * MTU);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), 0, "completed");
    NS_TEST_EXPECT_MSG_GT(ends.first->GetCounters().retransmissions, 0, "some were lost");
    fabric->Dispose();
}

FABRIC_ROWS(g_endpoint)
{
    for (const uint32_t planes : {1, 2})
    {
        for (const std::string order : {"RoundRobinScheduler", "OldestFirstScheduler"})
        {
            const std::string name = order + ", planes: " + std::to_string(planes);
            rows.AddRow<DatagramTestCase>(name, planes, order, "100Gb/s", false);
        }
    }
    rows.AddRow<DatagramTestCase>("more than a link", 1, "RoundRobinScheduler", "300Gb/s", true);
}
