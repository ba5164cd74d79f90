/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/fixed-control.h"
#include "ns3/go-back-n-recovery.h"
#include "ns3/host-random-balancer.h"
#include "ns3/loss-oracle.h"
#include "ns3/oldest-first-scheduler.h"
#include "ns3/oracle-recovery.h"
#include "ns3/psn-window.h"
#include "ns3/rc-queue-pair.h"
#include "ns3/roce-net-device.h"
#include "ns3/sack-recovery.h"
#include "ns3/strict-recovery.h"

static Suite g_roceNic("ai-fabric-nic", TestSuite::Type::SYSTEM);

namespace
{

constexpr uint32_t MTU = 4096;          //!< payload of a full packet in bytes
constexpr int64_t PACKET_STEPS = 41780; //!< a full packet (4158 bytes) and its gap at 800 Gb/s

/// Refuses the first frame that fits a description.
struct Once
{
    Once(std::set<uint32_t> opcodes, uint32_t psn, bool nak = false)
        : m_opcodes(opcodes),
          m_psn(psn),
          m_nak(nak)
    {
    }

    /// @return whether this is the frame
    bool operator()(const FabricFrame& frame)
    {
        const bool fits = !m_done && m_opcodes.count(frame.opcode) && frame.psn == m_psn &&
                          m_nak == (frame.syndrome == AETH_NAK_PSN_SEQUENCE);
        m_done |= fits;
        return fits;
    }

    std::set<uint32_t> m_opcodes; //!< of the frame
    uint32_t m_psn;               //!< of the frame
    bool m_nak;                   //!< whether it is a NAK
    bool m_done{false};           //!< it has been refused
};

/// What the applications at the two ends of a connection are told.
struct Reports
{
    std::vector<uint64_t> sent;      //!< lengths of messages acknowledged
    std::vector<uint64_t> received;  //!< lengths of messages received
    std::vector<int64_t> sentAt;     //!< when they were acknowledged, in time steps
    std::vector<int64_t> receivedAt; //!< when they were received, in time steps

    /// @return what to do when a message is acknowledged
    QueuePair::MessageCallback OnSent()
    {
        return CallbackOf([this](Ptr<QueuePair>, uint64_t bytes) {
            sent.push_back(bytes);
            sentAt.push_back(FabricClock::Now());
        });
    }

    /// @return what to do when a message is received
    QueuePair::KeyCallback OnReceived()
    {
        return CallbackOf([this](Ptr<QueuePair>, uint64_t bytes, uint32_t) {
            received.push_back(bytes);
            receivedAt.push_back(FabricClock::Now());
        });
    }
};

/// @return a helper of connections with a fixed window or rate
RoceHelper
FixedHelper(const std::string& attribute, const std::string& value)
{
    RoceHelper roce;
    roce.SetControl(FactoryOf("FixedControl", {{attribute, value}}));
    return roce;
}

/// @return a helper of fabrics whose NICs recover so
ClosHelper
Recovering(const std::string& recovery)
{
    return ClosOf({{"RecoveryType", "ns3::aifabric::" + recovery + "Recovery"}});
}

/// A connection between host 0 and the last host of a fabric, and what its ends are told. The
/// simulation ends with it.
struct Pair
{
    explicit Pair(const RoceHelper& roce = {},
                  const ClosHelper& clos = {},
                  const FabricGraph& graph = LeafSpine(1, 1, 2))
        : fabric(clos.Install(graph)),
          ends(roce.Connect(fabric->GetNic(0), fabric->GetNic(graph.HostCount() - 1)))
    {
        fabric->AssignStreams(1);
        ends.second->SetReceiveCallback(reports.OnReceived());
    }

    ~Pair()
    {
        Simulator::Destroy();
    }

    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    /// Post a message.
    void Post(uint64_t bytes)
    {
        ends.first->PostWrite(bytes, reports.OnSent());
    }

    /// Post a message when the simulation runs, behind another action.
    void PostAtStart(
        uint64_t bytes,
        const std::function<void()>& before = [] {})
    {
        ScheduleFunction(NanoSeconds(0), [this, bytes, before] {
            before();
            Post(bytes);
        });
    }

    /// Report the losses of the leaf, and of its links.
    void InstallOracle(int64_t roundTripNs)
    {
        const auto oracle = CreateObject<LossOracle>();
        oracle->SetAttribute("RoundTripTime", TimeValue(NanoSeconds(roundTripNs)));
        oracle->Install({fabric->GetNic(0), fabric->GetNic(1)},
                        {fabric->GetSwitch(0)},
                        {fabric->GetChannel(0), fabric->GetChannel(1)});
    }

    /// @return what the sender has counted
    QueuePair::Counters Sent() const
    {
        return ends.first->GetCounters();
    }

    Ptr<Fabric> fabric;    //!< the fabric
    RoceHelper::Ends ends; //!< sender and receiver
    Reports reports;       //!< of the messages to the receiver
};

/// @return what a host's NIC sends in one plane
FabricTransmitter&
Tx(const Fabric& fabric, uint32_t host, uint16_t plane = 0)
{
    return fabric.GetNic(host)->GetPort(plane)->GetTransmitter();
}

/// @param sink told of each frame that it sends
void
WatchSending(const Fabric& fabric, uint32_t host, std::function<void(Ptr<const FabricFrame>)> sink)
{
    for (std::size_t plane = 0; plane < fabric.GetNic(host)->GetPortCount(); ++plane)
    {
        Trace(*fabric.GetNic(host)->GetPort(plane), "Send", sink);
    }
}

} // namespace

/// Messages of many lengths arrive whole, in order, exactly once, and both ends are told.
struct RoceMessagesTestCase : FabricTestCase
{
    void CheckCounters(const QueuePair& sender,
                       const QueuePair& receiver,
                       uint64_t packets,
                       uint64_t bytes)
    {
        const QueuePair::Counters& sent = sender.GetCounters();
        const QueuePair::Counters& got = receiver.GetCounters();
        NS_TEST_EXPECT_MSG_EQ(sender.GetPosted(), packets, "packets posted");
        NS_TEST_EXPECT_MSG_EQ(sender.GetPendingMessages(), 0, "all messages are done");
        NS_TEST_EXPECT_MSG_EQ(sent.dataPackets, packets, "each packet is sent once");
        NS_TEST_EXPECT_MSG_EQ(sent.retransmissions, 0, "none again");
        NS_TEST_EXPECT_MSG_EQ(sent.timeouts, 0, "no timeout");
        NS_TEST_EXPECT_MSG_EQ(sent.naksReceived, 0, "no NAK");
        NS_TEST_EXPECT_MSG_EQ(got.packetsAccepted, packets, "each packet is placed");
        NS_TEST_EXPECT_MSG_EQ(got.bytesAccepted, bytes, "each byte is placed");
        NS_TEST_EXPECT_MSG_EQ(got.packetsDiscarded, 0, "no packet is discarded");
        NS_TEST_EXPECT_MSG_EQ(got.outOfSequence, 0, "no packet is out of sequence");
        NS_TEST_EXPECT_MSG_EQ(got.acksSent, packets, "each packet is acknowledged");
    }
};

FABRIC_TEST_F(RoceMessagesTestCase, g_roceNic, "Messages of all lengths in both directions")
{
    const std::vector<uint64_t> there = {0, 1, 4096, 4097, 1 << 20, 0, 12288};
    const std::vector<uint64_t> back = {1 << 20, 0, 0, 5, 8191, 8192};
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(2, 2, 2));
    RoceHelper roce;
    const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(3));
    Reports first;
    Reports second;
    ends.first->SetReceiveCallback(second.OnReceived());
    ends.second->SetReceiveCallback(first.OnReceived());
    for (uint64_t bytes : there)
    {
        ends.first->PostWrite(bytes, first.OnSent());
    }
    for (uint64_t bytes : back)
    {
        ends.second->PostWrite(bytes, second.OnSent());
    }
    NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), there.size(), "posted");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((first.sent == there), true, "the sender is told of each message");
    NS_TEST_EXPECT_MSG_EQ((first.received == there), true, "and so is the receiver");
    NS_TEST_EXPECT_MSG_EQ((second.sent == back), true, "in the other direction too");
    NS_TEST_EXPECT_MSG_EQ((second.received == back), true, "in the other direction too");
    for (std::size_t i = 0; i < there.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_LT(first.receivedAt[i], first.sentAt[i], "an ACK takes its time");
    }
    CheckCounters(*ends.first, *ends.second, 1 + 1 + 1 + 2 + 256 + 1 + 3, (1 << 20) + 20482);
    CheckCounters(*ends.second, *ends.first, 256 + 1 + 1 + 1 + 2 + 2, (1 << 20) + 16388);
}

/// Whoever posts a message and asks to be told of its end is told, of this message and of no other,
/// also if messages between are nobody's affair.
struct RoceSomeToldTestCase : FabricTestCase
{
    /// Nobody is told, nor kept, once the queue pair is disposed of.
    void CheckDispose(QueuePair& sender)
    {
        const auto kept = std::make_shared<int>();
        sender.PostWrite(1000, CallbackOf([kept](Ptr<QueuePair>, uint64_t) { ++*kept; }));
        NS_TEST_EXPECT_MSG_GT(kept.use_count(), 1, "the callback waits");
        sender.Dispose();
        NS_TEST_EXPECT_MSG_EQ(kept.use_count(), 1, "and is released");
        NS_TEST_EXPECT_MSG_EQ(*kept, 0, "and was not called");
    }
};

FABRIC_TEST_F(RoceSomeToldTestCase, g_roceNic, "Some messages are somebody's affair")
{
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(2, 2, 2));
    const RoceHelper::Ends ends = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(3));
    const std::set<uint32_t> asked{3, 4, 7, 11, 12, 19};
    uint32_t posted = 0;
    std::vector<uint32_t> told;
    std::function<void()> post = [&] {
        const uint32_t message = posted++;
        const auto done = CallbackOf([&, message](Ptr<QueuePair>, uint64_t bytes) {
            NS_TEST_EXPECT_MSG_EQ(bytes, 1000 + message, "its length");
            told.push_back(message);
            post(); // from within
        });
        ends.first->PostWrite(1000 + message,
                              asked.count(message) ? done : QueuePair::MessageCallback());
    };
    for (uint32_t i = 0; i < 14; ++i)
    {
        post();
    }
    Simulator::Run();
    const std::vector<uint32_t> expected{3, 4, 7, 11, 12};
    NS_TEST_EXPECT_MSG_EQ((told == expected), true, "of the 14, and of those posted then");
    NS_TEST_EXPECT_MSG_EQ(posted, 14 + expected.size(), "one for each");
    NS_TEST_EXPECT_MSG_EQ(ends.second->GetCounters().messages, posted, "all are received");
    CheckDispose(*ends.first);
}

/// A window in bytes is one of whole packets: one at least, and as many as there are if there is
/// none in bytes.
struct RoceWindowTestCase : FabricTestCase
{
    /// @return when a message is acknowledged, in time steps  @param window the window in bytes
    int64_t Send(uint32_t mtu, uint64_t window, uint32_t packets)
    {
        Default("RcQueuePair::Mtu", mtu);
        Default("FixedControl::Window", window);
        Pair pair({}, {}, LeafSpine(2, 2, 2));
        pair.Post(uint64_t{packets} * mtu);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 1, "it is acknowledged");
        return pair.reports.sentAt.empty() ? 0 : pair.reports.sentAt.front();
    }
};

FABRIC_TEST_F(RoceWindowTestCase, g_roceNic, "Windows of less than a packet, and of no limit")
{
    constexpr uint32_t PACKETS = 50;
    for (uint32_t mtu : {1000, 3000, 4096})
    {
        const int64_t one = Send(mtu, 1, PACKETS);
        const int64_t three = Send(mtu, 4 * mtu - 1, PACKETS);
        const int64_t all = Send(mtu, 0, PACKETS);
        NS_TEST_EXPECT_MSG_EQ_TOL(one, 3 * three, 0.1 * one, "one packet, three, in a round trip");
        NS_TEST_EXPECT_MSG_LT(5 * all, one, "all of them");
        NS_TEST_EXPECT_MSG_EQ(Send(mtu, UINT64_MAX, PACKETS), all, "more than there are");
    }
}

/// Queue pairs of one class share the wire packet by packet; a higher class goes first.
FABRIC_TEST(g_roceNic, "Round robin over queue pairs, strict priority over classes")
{
    constexpr uint32_t PAIRS = 7;
    constexpr uint32_t PACKETS = 100;
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 8));
    RoceHelper roce;
    std::vector<uint32_t> order;
    WatchSending(*fabric, 0, [&order](Ptr<const FabricFrame> frame) {
        order.push_back(frame->destination);
    });
    std::vector<Ptr<QueuePair>> senders;
    for (uint32_t i = 1; i <= PAIRS; ++i)
    {
        // the last one has DSCP 40: class 5
        roce.SetQueuePairAttribute("Dscp", UintegerValue(i == PAIRS ? 40 : 26));
        senders.push_back(roce.Connect(fabric->GetNic(0), fabric->GetNic(i)).first);
    }
    for (const Ptr<QueuePair>& sender : senders)
    {
        sender->PostWrite(PACKETS * MTU);
    }
    Simulator::Run();
    // the first begins while it is alone, then class 5 has precedence, then all take turns
    std::vector<uint32_t> expected = {1};
    expected.insert(expected.end(), PACKETS, PAIRS);
    for (uint32_t round = 1; round <= PACKETS; ++round)
    {
        for (uint32_t i = round < PACKETS ? 1 : 2; i < PAIRS; ++i)
        {
            expected.push_back(i);
        }
    }
    NS_TEST_EXPECT_MSG_EQ((order == expected), true, "all packets, in turn");
}

/// Oldest first: the packets of the message that was posted first go first, whatever queue pair it
/// is on, within a class and unless its window is closed; pieces of one message take turns; a
/// packet that is retransmitted is as old as its message.
struct RoceOldestFirstTestCase : FabricTestCase
{
    static constexpr uint32_t HOSTS = 6; //!< of the fabric; host 0 sends

    void DoSetup() override
    {
        FabricTestCase::DoSetup();
        Default("RoceNetDevice::SchedulerType", OldestFirstScheduler::GetTypeId());
    }

    /// Build a fabric, note what host 0 sends, and open a queue pair to each other host.
    void SetUp()
    {
        Simulator::Destroy();
        m_order.clear();
        m_fabric = ClosHelper().Install(LeafSpine(1, 1, HOSTS));
        WatchSending(*m_fabric, 0, [this](Ptr<const FabricFrame> frame) {
            m_order.push_back(frame->destination);
        });
        m_senders = {nullptr};
        RoceHelper roce;
        for (uint32_t host = 1; host < HOSTS; ++host)
        {
            // the last one has DSCP 40: class 5
            roce.SetQueuePairAttribute("Dscp", UintegerValue(host + 1 == HOSTS ? 40 : 26));
            m_senders.push_back(roce.Connect(m_fabric->GetNic(0), m_fabric->GetNic(host)).first);
        }
    }

    /// Post a message.  @param turn the turn that it has, if it was taken before
    void Post(uint32_t host, uint32_t packets, std::optional<uint64_t> turn = std::nullopt)
    {
        m_senders[host]->PostWrite(uint64_t{packets} * MTU, {}, 0, turn);
    }

    Ptr<Fabric> m_fabric;                  //!< the fabric
    std::vector<Ptr<QueuePair>> m_senders; //!< of host 0, by destination
    std::vector<uint32_t> m_order;         //!< destinations of the packets that it sent
};

/// The order in which messages were posted, not that of queue pairs.
FABRIC_TEST_F(RoceOldestFirstTestCase, g_roceNic, "RoCE oldest first: messages")
{
    SetUp();
    Post(3, 2);
    Post(1, 3);
    Post(4, 1);
    Post(3, 2);
    Post(1, 1);
    Post(5, 2); // a higher class
    Post(2, 2);
    const uint64_t kept = m_fabric->GetNic(0)->TakeTurn();
    Post(4, 2);
    Post(2, 2, kept); // behind two packets of an older one, and before host 4
    Simulator::Run();
    // the first begins while it is alone, then the higher class has precedence
    const std::vector<uint32_t> expected = {3, 5, 5, 3, 1, 1, 1, 4, 3, 3, 1, 2, 2, 2, 2, 4, 4};
    NS_TEST_EXPECT_MSG_EQ((m_order == expected), true, "messages in the order of posting");
}

/// Queue pairs with pieces of one message alternate.
FABRIC_TEST_F(RoceOldestFirstTestCase, g_roceNic, "RoCE oldest first: pieces")
{
    SetUp();
    const uint64_t turn = m_fabric->GetNic(0)->TakeTurn();
    Post(2, 3);
    Post(1, 3, turn);
    Post(4, 3, turn);
    Simulator::Run();
    const std::vector<uint32_t> expected = {2, 1, 4, 1, 4, 1, 4, 2, 2};
    NS_TEST_EXPECT_MSG_EQ((m_order == expected), true, "pieces in turn");
}

/// A message whose window is closed lets others go first, and comes back before them.
FABRIC_TEST_F(RoceOldestFirstTestCase, g_roceNic, "RoCE oldest first: window")
{
    Default("FixedControl::Window", 4 * MTU);
    SetUp();
    Default("FixedControl::Window", 0);
    for (uint32_t host = 1; host <= 4; ++host)
    {
        Post(host, 1000);
    }
    Simulator::Run();
    const auto last = [this](uint32_t host) {
        return m_order.rend() - std::find(m_order.rbegin(), m_order.rend(), host);
    };
    NS_TEST_EXPECT_MSG_LT(last(1), last(2), "the oldest is done first");
    NS_TEST_EXPECT_MSG_LT(last(2), last(3), "then the next one");
    NS_TEST_EXPECT_MSG_LT(last(3), last(4), "then the next one");
    NS_TEST_EXPECT_MSG_EQ(std::count(m_order.begin(), m_order.begin() + 16, 4), 4, "no idling");
}

/// A NAK for a packet of the oldest message, while its queue pair waits with a younger one.
FABRIC_TEST_F(RoceOldestFirstTestCase, g_roceNic, "RoCE oldest first: retransmission")
{
    SetUp();
    DropFrames(*m_fabric, [lost = false](const FabricFrame& frame) mutable {
        const bool isIt = !lost && frame.destination == 1 && frame.psn == 3;
        lost |= isIt;
        return isIt;
    });
    constexpr uint32_t LONG = 500;
    Post(1, 10);
    Post(2, LONG);
    Post(1, 10);
    Simulator::Run();
    const auto place = std::find(m_order.begin() + 10, m_order.end(), 1U);
    NS_TEST_ASSERT_MSG_EQ((place + 7 < m_order.end()), true, "packets are sent again");
    NS_TEST_EXPECT_MSG_LT(place - m_order.begin(), 100, "as soon as the NAK has come");
    NS_TEST_EXPECT_MSG_EQ(std::count(place, place + 7, 1U), 7, "those of the oldest message");
    NS_TEST_EXPECT_MSG_EQ(*(place + 7), 2, "then the one that was posted next goes on");
    NS_TEST_EXPECT_MSG_EQ(m_order.back(), 1, "and the youngest is the last");
    NS_TEST_EXPECT_MSG_EQ(m_order.size(), 10 + 7 + LONG + 10, "each packet, seven twice");
}

/// While data and acknowledgements wait at a NIC, they alternate.
FABRIC_TEST(g_roceNic, "Data and acknowledgements alternate")
{
    Pair pair;
    uint32_t sent = 0;
    uint32_t alternations = 0;
    bool wasAck = false;
    bool bothWaited = false;
    WatchSending(*pair.fabric, 0, [&](Ptr<const FabricFrame> frame) {
        const bool isAck = frame->opcode == RC_ACK;
        if (bothWaited)
        {
            NS_TEST_EXPECT_MSG_NE(isAck, wasAck, "at " << Simulator::Now());
            ++alternations;
        }
        wasAck = isAck;
        bothWaited = Tx(*pair.fabric, 0).GetWaitingFrames() > 0 && pair.ends.first->CanSend();
        ++sent;
    });
    pair.Post(300 * MTU);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        pair.ends.second->PostWrite(64); // small messages make acknowledgements faster than they go
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(alternations, 300, "both waited most of the time");
    NS_TEST_EXPECT_MSG_EQ(sent, 1300, "data and acknowledgements");
}

/// A static window bounds what is unacknowledged, and a fixed rate spaces packets exactly.
struct RoceControlTestCase : FabricTestCase
{
    void CheckWindow(uint32_t packets)
    {
        Pair pair(FixedHelper("Window", std::to_string(packets * MTU)));
        uint64_t most = 0;
        WatchSending(*pair.fabric, 0, [&](Ptr<const FabricFrame>) {
            most = std::max(most, pair.ends.first->GetRecovery().GetOutstanding());
        });
        pair.Post(100 * MTU);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 1, "the message completes");
        NS_TEST_EXPECT_MSG_EQ(most, packets, "the window is used and never exceeded");
        // two hops each way: transmission of a packet and an ACK, delay
        const int64_t roundTrip = 2 * (41580 + 640 + 2 * 500000);
        const int64_t rounds = 100 / packets;
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.reports.sentAt.at(0),
                                  rounds * roundTrip + (packets - 1) * PACKET_STEPS,
                                  1000 * rounds,
                                  "a window a round trip");
    }

    /// @param spacing of the packets, in time steps
    void CheckPacing(const std::string& fraction, int64_t spacing)
    {
        Pair pair(FixedHelper("RateFraction", fraction));
        std::vector<int64_t> times;
        WatchSending(*pair.fabric, 0, [&](Ptr<const FabricFrame> frame) {
            times.push_back(FabricClock::Now());
            NS_TEST_EXPECT_MSG_EQ(frame->sentAt, times.back(), "the frame knows when it was sent");
        });
        const int64_t begin = 777;
        ScheduleFunction(PicoSeconds(begin), [&] {
            pair.Post(50 * MTU);
            pair.Post(50 * MTU); // the rate is that of the queue pair
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(times.size(), 100, "all packets are sent");
        // the first packet of a message is 16 bytes longer
        const int64_t longer = 16 * spacing / 4178;
        for (int64_t i = 0; i < 100; ++i)
        {
            const int64_t firsts = (i > 0) + (i > 50);
            NS_TEST_EXPECT_MSG_EQ_TOL(times.at(i),
                                      begin + i * spacing + firsts * longer,
                                      firsts,
                                      "packet " << i << " at " << fraction);
        }
    }

    /// The rate that the ports have together is shared by queue pairs in turn, whatever ports they
    /// use.
    void CheckTurns(const std::string& fraction)
    {
        ClosHelper helper = ClosOf({{"DataRateFraction", fraction}});
        Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 5, 2));
        std::map<uint32_t, uint32_t> sent;
        uint32_t most = 0;
        WatchSending(*fabric, 0, [&](Ptr<const FabricFrame> frame) {
            ++sent[frame->destination];
            const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
            const auto ends = std::minmax_element(sent.begin(), sent.end(), less);
            most = std::max(most, ends.second->second - ends.first->second);
        });
        for (uint32_t host = 1; host <= 4; ++host)
        {
            RoceHelper()
                .Connect(fabric->GetNic(0), fabric->GetNic(host))
                .first->PostWrite(50 * MTU);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sent.size(), 4, "all send");
        NS_TEST_EXPECT_MSG_GT(Tx(*fabric, 0, 0).GetCounters().sentFrames, 0, "one port");
        NS_TEST_EXPECT_MSG_GT(Tx(*fabric, 0, 1).GetCounters().sentFrames, 0, "the other port");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(most, 1, "in turn at " << fraction);
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(RoceControlTestCase, g_roceNic, "Static window and fixed rate")
{
    for (uint32_t packets : {1, 2, 5, 20})
    {
        CheckWindow(packets);
    }
    CheckPacing("1", PACKET_STEPS);
    CheckPacing("0.5", 2 * PACKET_STEPS);
    CheckPacing("0.25", 4 * PACKET_STEPS);
    CheckPacing("0.8", 5 * PACKET_STEPS / 4);
    for (const char* fraction : {"0.5", "0.2"})
    {
        CheckTurns(fraction);
    }
}

/// A control whose rate the test sets.
struct ChangingControl : CongestionControl
{
    uint64_t GetWindow() const override
    {
        return 1 << 30;
    }

    DataRate GetRate() const override
    {
        return rate;
    }

    bool MovesWaiting() const override
    {
        return moves;
    }

    DataRate rate{"100Gb/s"}; //!< the rate
    bool moves{true};         //!< it holds for the packet that waits, too
};

/// A rate that changes holds for the packet that waits, if the control says so: it starts when it
/// would have, had the rate been there all along, or at once. Packets of the second message take a
/// microsecond at 33.568 Gb/s, gap included.
struct MovedPacketTestCase : FabricTestCase
{
    /// @param planes ports of a NIC  @param moves whether a change holds for the packet that waits
    /// @param changes what rate there is from when on, in microseconds and microseconds a packet
    /// @return when packets start, in ns
    std::vector<int64_t> Send(uint16_t planes,
                              bool moves,
                              const std::vector<std::pair<double, double>>& changes)
    {
        Pair pair({}, {}, LeafSpine(1, 1, 2, planes));
        std::vector<int64_t> times;
        WatchSending(*pair.fabric, 0, [&times](Ptr<const FabricFrame>) {
            times.push_back(FabricClock::Now() / 1000);
        });
        const Ptr<ChangingControl> control = CreateObject<ChangingControl>();
        control->moves = moves;
        pair.ends.first->SetControl(control);
        pair.ends.first->Renew(); // asks the control
        for (const auto& [when, spacing] : changes)
        {
            const DataRate rate(static_cast<uint64_t>(8 * (MTU + 62 + 20) / (spacing * 1e-6)));
            ScheduleFunction(NanoSeconds(1000 * when), [&pair, control, rate] {
                control->rate = rate;
                pair.ends.first->Wake();
            });
        }
        pair.PostAtStart(5 * MTU);
        Simulator::Run();
        return times;
    }

    /// @param expected when packets start, in ns; the first one is 16 bytes longer
    void Check(const std::vector<int64_t>& times, const std::vector<int64_t>& expected)
    {
        NS_TEST_ASSERT_MSG_EQ(times.size(), expected.size(), "all are sent once");
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(times[i], expected[i], 80, "packet " << i);
        }
    }
};

FABRIC_TEST_F(MovedPacketTestCase, g_roceNic, "A changed rate moves the packet that waits")
{
    for (const uint16_t planes : {1, 2})
    {
        // 10 us a packet; 5 us from 2 us on; 1 us from 8 us on: the third has waited for 3 us
        Check(Send(planes, true, {{0, 10}, {2, 5}, {8, 1}}), {0, 5000, 8000, 9000, 10000});
        // earlier and later again, also back to a time that it had
        Check(Send(planes, true, {{0, 10}, {1, 5}, {2, 10}, {3, 20}, {4, 10}, {5, 20}}),
              {0, 20000, 40000, 60000, 80000});
        Check(Send(planes, false, {{0, 10}, {2, 5}, {12, 1}}), {0, 10000, 15000, 16000, 17000});
    }
}

/// Whatever the fraction, and whether it is that of the queue pair or of the NIC, packets are d /
/// fraction apart, where d is the time of a packet and its gap.
FABRIC_TEST(g_roceNic, "RoCE control: fractions")
{
    constexpr uint32_t PACKETS = 400;
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    for (int i = 0; i < 40; ++i)
    {
        const double fraction = i == 0 ? 15.0 / 16 : random->GetValue(0.01, 0.999);
        const bool ofNic = i % 2;
        const uint32_t payload = random->GetInteger(64, MTU);
        const uint16_t planes = ofNic ? 1 + i / 2 % 3 : 1; // the fraction is of all together
        ClosHelper helper;
        RoceHelper roce;
        roce.SetBalancer(FactoryOf("HostRandomBalancer"));
        roce.SetQueuePairAttribute("Mtu", UintegerValue(payload));
        if (ofNic)
        {
            helper.SetNicAttribute("DataRateFraction", DoubleValue(fraction));
        }
        else
        {
            roce.SetControl(FactoryOf("FixedControl", {{"RateFraction", fraction}}));
        }
        Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 3, planes));
        std::vector<int64_t> times;
        WatchSending(*fabric, 0, [&](Ptr<const FabricFrame>) {
            times.push_back(FabricClock::Now());
        });
        // two messages at once if the rate is that of all queue pairs together
        for (uint32_t host = 1; host <= (ofNic ? 2 : 1); ++host)
        {
            roce.Connect(fabric->GetNic(0), fabric->GetNic(host))
                .first->PostWrite(uint64_t{PACKETS} * payload / (ofNic ? 2 : 1));
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(times.size(), PACKETS, "all packets");
        const uint32_t bytes = FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, payload, false) + 20;
        const uint32_t firsts = ofNic ? 2 : 1; // the first of a message is 16 bytes longer
        for (uint32_t n = 10; n < PACKETS; ++n)
        {
            // 10 ps a byte
            const double exact = (n * bytes + firsts * 16.0) * 10 / fraction / planes;
            // a spacing is rounded up, never down: a rate is not exceeded
            const double late = times[n] - times[0] - exact;
            NS_TEST_ASSERT_MSG_EQ((late > -1e-3 && late < 1.1 * n),
                                  true,
                                  late << " ps late: packet " << n << " at " << fraction);
        }
        Simulator::Destroy();
    }
}

FABRIC_TEST(g_roceNic, "Paced queue pairs and unpaced ones share a wire")
{
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 5));
    const RoceHelper roce = FixedHelper("RateFraction", "0.125");
    std::vector<Reports> reports(4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(i + 1));
        ends.first->PostWrite(100 * MTU, reports[i].OnSent());
    }
    Simulator::Run();
    for (const Reports& report : reports)
    {
        NS_TEST_EXPECT_MSG_EQ(report.sent.size(), 1, "the message completes");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.sentAt.at(0),
                                  99 * 8.0 * PACKET_STEPS + 2.1e6,
                                  300000,
                                  "each has its rate");
    }
}

/// Messages below the MTU, each of a queue pair of its own, take their own bytes of the rate that
/// the ports have together, not those of a full packet.
FABRIC_TEST(g_roceNic, "RoCE control: short messages")
{
    constexpr uint32_t MESSAGES = 16;
    constexpr int64_t BYTES = 64 + 78 + 20; // payload, headers with RETH, gap
    ClosHelper helper = ClosOf({{"DataRateFraction", "0.5"}});
    Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 1 + MESSAGES, 2));
    std::vector<int64_t> times;
    WatchSending(*fabric, 0, [&](Ptr<const FabricFrame>) { times.push_back(FabricClock::Now()); });
    for (uint32_t host = 1; host <= MESSAGES; ++host)
    {
        RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(host)).first->PostWrite(64);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(times.size(), MESSAGES, "all are sent");
    NS_TEST_EXPECT_MSG_EQ_TOL(times.back() - times.front(),
                              int64_t{MESSAGES - 1} * BYTES * PACKET_STEPS / (MTU + 62 + 20),
                              100,
                              "two ports at half their rate are as one");
}

/// Go-back-N after the loss of one frame: twenty packets, of which the named one is lost once.
struct RoceSingleLossTestCase : FabricTestCase
{
    static constexpr uint32_t PACKETS = 20; //!< of the message

    /// What the counters say in the end.
    struct Expected
    {
        uint64_t retransmissions; //!< packets sent again
        uint64_t discarded;       //!< packets that came and were not placed
        uint64_t naksSent;        //!< NAKs
        uint64_t naksReceived;    //!< NAKs that came
        uint64_t timeouts;        //!< timeouts
    };

    /// @param refuses the frames to be lost
    void Check(const std::string& what,
               std::function<bool(const FabricFrame&)> refuses,
               const Expected& expected)
    {
        for (uint32_t firstPsn : {0U, (1U << 24) - 6})
        {
            Run(what + " from PSN " + std::to_string(firstPsn), refuses, firstPsn, expected);
        }
    }

    /// @param refuses the frames to be lost, by packet number  @param firstPsn PSN of packet 0
    void Run(const std::string& what,
             std::function<bool(const FabricFrame&)> refuses,
             uint32_t firstPsn,
             const Expected& expected)
    {
        Pair pair(RoceOf({{"FirstPsn", std::to_string(firstPsn)}}));
        Ptr<FabricFrame> numbered = pair.fabric->GetPool()->Create();
        DropFrames(*pair.fabric, [=](const FabricFrame& frame) {
            numbered->opcode = frame.opcode;
            numbered->syndrome = frame.syndrome;
            numbered->psn = (frame.psn - firstPsn) & PsnWindow::PSN_MASK;
            return refuses(*numbered);
        });
        pair.Post(PACKETS * MTU);
        Simulator::Run();
        const QueuePair::Counters& sender = pair.Sent();
        const QueuePair::Counters& receiver = pair.ends.second->GetCounters();
        const std::vector<uint64_t> once = {PACKETS * MTU};
        NS_TEST_EXPECT_MSG_EQ((pair.reports.sent == once), true, what << ": sent");
        NS_TEST_EXPECT_MSG_EQ((pair.reports.received == once), true, what << ": received");
        NS_TEST_EXPECT_MSG_EQ(receiver.packetsAccepted, PACKETS, what << ": placed once");
        NS_TEST_EXPECT_MSG_EQ(receiver.bytesAccepted, PACKETS * MTU, what << ": placed once");
        NS_TEST_EXPECT_MSG_EQ(sender.retransmissions, expected.retransmissions, what);
        NS_TEST_EXPECT_MSG_EQ(sender.dataPackets, PACKETS + expected.retransmissions, what);
        NS_TEST_EXPECT_MSG_EQ(receiver.packetsDiscarded, expected.discarded, what);
        NS_TEST_EXPECT_MSG_EQ(receiver.outOfSequence, expected.discarded, what);
        NS_TEST_EXPECT_MSG_EQ(receiver.naksSent, expected.naksSent, what);
        NS_TEST_EXPECT_MSG_EQ(sender.naksReceived, expected.naksReceived, what);
        NS_TEST_EXPECT_MSG_EQ(sender.timeouts, expected.timeouts, what);
        NS_TEST_EXPECT_MSG_EQ(pair.ends.first->HasFailed(), false, what);
    }
};

FABRIC_TEST_F(RoceSingleLossTestCase, g_roceNic, "Go-back-N: one lost frame of each kind")
{
    const std::set<uint32_t> data = {RC_WRITE_FIRST, RC_WRITE_MIDDLE, RC_WRITE_LAST};
    Check("first", Once(data, 0), {20, 19, 1, 1, 0});
    Check("middle", Once(data, 5), {15, 14, 1, 1, 0});
    Check("last but one", Once(data, 18), {2, 1, 1, 1, 0});
    Check("last", Once(data, 19), {1, 0, 0, 0, 1});
    Check("first ACK", Once({RC_ACK}, 0), {0, 0, 0, 0, 0});
    Check("middle ACK", Once({RC_ACK}, 7), {0, 0, 0, 0, 0});
    Check("last ACK", Once({RC_ACK}, 19), {1, 1, 0, 0, 1});
    Once packet(data, 5);
    Once nak({RC_ACK}, 5, true);
    Check("middle and its NAK",
          [=](const FabricFrame& frame) mutable { return packet(frame) || nak(frame); },
          {15, 14, 1, 0, 1});
    uint32_t copies = 0;
    Check("middle, twice",
          [=](const FabricFrame& frame) mutable {
              return data.count(frame.opcode) && frame.psn == 5 && ++copies <= 2;
          },
          // after the first retransmission the receiver says nothing until the packet comes
          {30, 28, 1, 1, 1});
}

/// The numbers of the packets of a queue pair do not wrap, their PSNs do: go-back-N beyond 2^24
/// packets, at the level of the algorithm.
struct RocePsnWrapTestCase : FabricTestCase
{
    static constexpr uint64_t PACKETS = (1 << 24) + 5000; //!< to be sent
    static constexpr uint64_t MESSAGE = 1 << 12;          //!< of these, in one message

    void Check(LossRecovery& sender, LossRecovery& receiver)
    {
        uint64_t placed = 0;
        uint64_t transmissions = 0;
        uint64_t first = 0;
        uint64_t posted = 0;
        while (sender.GetUnacknowledged() < PACKETS && transmissions < 2 * PACKETS)
        {
            if (sender.GetUnacknowledged() == posted)
            {
                first = posted;
                posted = std::min(PACKETS, posted + MESSAGE);
                sender.MessagePosted(first, posted - first);
            }
            if (!sender.HasNext(posted))
            {
                sender.TimerExpired();
                continue;
            }
            const LossRecovery::Departure departure = sender.TakeNext(0);
            const auto psn = static_cast<uint32_t>(departure.number & PsnWindow::PSN_MASK);
            if (++transmissions % 1009 == 0)
            {
                sender.LossReported(psn); // only the oracle's listens
                continue;
            }
            const LossRecovery::Verdict verdict =
                departure.repair ? receiver.RepairReceived(psn, posted - first, departure.repair)
                                 : receiver.PacketReceived(psn);
            placed += verdict.accepted;
            const auto answer = static_cast<uint32_t>(verdict.number & PsnWindow::PSN_MASK);
            if (verdict.answer == LossRecovery::Answer::NAK)
            {
                sender.NackReceived(NackOf(answer));
            }
            else if (verdict.answer == LossRecovery::Answer::ACK && transmissions % 1013 != 0)
            {
                sender.AckReceived(AckOf(answer));
                sender.MessagesReceived(receiver.GetExpected() == posted ? posted : first);
            }
            else
            {
                sender.LossReported(psn);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(sender.GetUnacknowledged(), PACKETS, "all is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetExpected(), PACKETS, "all has come");
        NS_TEST_EXPECT_MSG_EQ(placed, PACKETS, "each packet is placed once");
        NS_TEST_EXPECT_MSG_LT(transmissions, PACKETS + PACKETS / 100, "few are sent again");
    }
};

FABRIC_TEST_F(RocePsnWrapTestCase, g_roceNic, "Recoveries beyond 2^24 packets")
{
    Check(*CreateObject<GoBackNRecovery>(), *CreateObject<GoBackNRecovery>());
    Check(*CreateObject<OracleRecovery>(), *CreateObject<OracleRecovery>());
    Check(*CreateObject<SackRecovery>(), *CreateObject<SackRecovery>());
    Check(*CreateObject<StrictRecovery>(), *CreateObject<StrictRecovery>());
}

/// What go-back-N does step by step.
struct RoceGoBackNTestCase : FabricTestCase
{
    void Take(LossRecovery& sender, const std::vector<uint64_t>& numbers)
    {
        for (uint64_t number : numbers)
        {
            NS_TEST_EXPECT_MSG_EQ(sender.HasNext(7), true, "packet " << number);
            NS_TEST_EXPECT_MSG_EQ(sender.TakeNext(0).number, number, "the next packet");
        }
    }

    void Expect(LossRecovery& receiver,
                uint32_t psn,
                bool accepted,
                LossRecovery::Answer answer,
                uint64_t number)
    {
        const LossRecovery::Verdict verdict = receiver.PacketReceived(psn);
        NS_TEST_EXPECT_MSG_EQ(verdict.accepted, accepted, "packet " << psn);
        NS_TEST_EXPECT_MSG_EQ((verdict.answer == answer), true, "the answer to " << psn);
        NS_TEST_EXPECT_MSG_EQ(verdict.number, number, "the number in the answer to " << psn);
    }
};

FABRIC_TEST_F(RoceGoBackNTestCase, g_roceNic, "The sending end")
{
    Ptr<LossRecovery> sender = CreateObject<GoBackNRecovery>();
    NS_TEST_EXPECT_MSG_EQ(sender->HasNext(0), false, "nothing is posted");
    Take(*sender, {0, 1, 2, 3, 4});
    NS_TEST_EXPECT_MSG_EQ(sender->HasNext(5), false, "all is sent");
    NS_TEST_EXPECT_MSG_EQ(sender->AckReceived(AckOf(1)).newlyAcked, 2, "an ACK is cumulative");
    NS_TEST_EXPECT_MSG_EQ(sender->GetUnacknowledged(), 2, "0 and 1 are acknowledged");
    NS_TEST_EXPECT_MSG_EQ(sender->GetOutstanding(), 3, "2, 3 and 4 are not");
    NS_TEST_EXPECT_MSG_EQ(sender->AckReceived(AckOf(1)).newlyAcked, false, "no news");
    NS_TEST_EXPECT_MSG_EQ(sender->AckReceived(AckOf(0)).newlyAcked, false, "old news");
    NS_TEST_EXPECT_MSG_EQ(sender->AckReceived(AckOf(5)).newlyAcked,
                          false,
                          "of a packet that was not sent");
    NS_TEST_EXPECT_MSG_EQ(sender->NackReceived(NackOf(3)).newlyAcked,
                          1,
                          "a NAK acknowledges what is before");
    Take(*sender, {3, 4, 5});
    NS_TEST_EXPECT_MSG_EQ(sender->NackReceived(NackOf(2)).newlyAcked, false, "an old NAK");
    NS_TEST_EXPECT_MSG_EQ(sender->HasNext(6), false, "is no reason to go back");
    sender->TimerExpired();
    NS_TEST_EXPECT_MSG_EQ(sender->GetOutstanding(), 0, "gone back");
    Take(*sender, {3});
    NS_TEST_EXPECT_MSG_EQ(sender->AckReceived(AckOf(4)).newlyAcked, 2, "a late ACK");
    NS_TEST_EXPECT_MSG_EQ(sender->GetOutstanding(), 0, "saves what was to be sent again");
    Take(*sender, {5, 6});
    NS_TEST_EXPECT_MSG_EQ(sender->GetSent(), 7, "packets 0 to 6");
}

FABRIC_TEST_F(RoceGoBackNTestCase, g_roceNic, "The receiving end")
{
    using Answer = LossRecovery::Answer;
    Ptr<LossRecovery> receiver = CreateObject<GoBackNRecovery>();
    Expect(*receiver, 0, true, Answer::ACK, 0);
    Expect(*receiver, 2, false, Answer::NAK, 1);
    Expect(*receiver, 3, false, Answer::NONE, 1);
    Expect(*receiver, 0, false, Answer::ACK, 0);
    Expect(*receiver, 1, true, Answer::ACK, 1);
    Expect(*receiver, 3, false, Answer::NAK, 2);
    NS_TEST_EXPECT_MSG_EQ(receiver->GetExpected(), 2, "0 and 1 have come");
}

/// When a queue pair gives up, and what makes its timer expire and what does not.
struct RoceTimerTestCase : FabricTestCase
{
    /// Nothing comes through, and sending takes longer than the timeout.
    /// @param rearms whether each packet sent starts the timer anew
    void CheckRearming(bool rearms)
    {
        constexpr int64_t TIMEOUT = 10000000; // 10 us
        constexpr int64_t PACKETS = 1000;     // 42 us
        constexpr int64_t RETH_STEPS = 160;   // 16 bytes more in the first packet
        Pair pair(RoceOf({{"RetryLimit", "0"},
                          {"RetryTime", "0s"},
                          {"AckTimeout", "10us"},
                          {"RearmOnSend", rearms ? "true" : "false"}}),
                  Recovering("GoBackN"));
        int64_t failed = 0;
        Trace(*pair.ends.first, "Failed", [&failed]() { failed = FabricClock::Now(); });
        pair.PostAtStart(PACKETS * MTU, [&] { pair.fabric->GetChannel(0)->SetUp(false); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(failed,
                              TIMEOUT + (rearms ? (PACKETS - 1) * PACKET_STEPS + RETH_STEPS : 0),
                              "after the last packet or the first");
    }

    /// Nothing comes through, and nobody reports losses.  @param limit how many retries are allowed
    void CheckGivingUp(const std::string& recovery, uint32_t limit)
    {
        Pair pair(RoceOf({{"RetryLimit", std::to_string(limit)},
                          {"RetryTime", "0s"},
                          {"AckTimeout", "100us"}}),
                  Recovering(recovery));
        const auto oracle = DynamicCast<LossOracle>(pair.fabric->GetNic(0)->GetLossReporter());
        pair.fabric->GetNic(0)->SetLossReporter(nullptr);
        pair.fabric->GetNic(1)->SetLossReporter(nullptr);
        NS_TEST_EXPECT_MSG_EQ(oracle->GetReferenceCount(),
                              (oracle->IsStarted() ? 2 : 1),
                              "the simulation keeps an oracle that ports call");
        std::vector<int64_t> times;
        Trace(*pair.ends.first, "Timeout", [&](uint32_t) { times.push_back(FabricClock::Now()); });
        pair.PostAtStart(3 * MTU, [&] { pair.fabric->GetChannel(0)->SetUp(false); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(pair.ends.first->HasFailed(), true, "it gives up");
        NS_TEST_EXPECT_MSG_EQ(pair.Sent().timeouts, limit + 1, "after its retries");
        NS_TEST_EXPECT_MSG_EQ(pair.Sent().dataPackets, 3 * (limit + 1), "all again");
        NS_TEST_EXPECT_MSG_EQ(pair.ends.first->GetPendingMessages(), 1, "it is not done");
        NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 0, "and nobody is told that it is");
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            const auto due = static_cast<int64_t>(i + 1) * 100000000;
            NS_TEST_EXPECT_MSG_EQ(times[i], due, "timeout " << i);
        }
    }

    /// A packet is lost, and sent again when its sender is told. REPS freezes when PacketTimeout is
    /// over for the first packet that was not acknowledged by then, and nothing else happens.
    /// @param timeout PacketTimeout, in picoseconds
    void CheckPacketTimeout(int64_t timeout)
    {
        constexpr int64_t ROUND_TRIP_NS = 2085; // of an empty leaf, and the time of a packet
        constexpr uint64_t PACKETS = 1000;      // 42 us
        RoceHelper roce = RoceOf({{"PacketTimeout", std::to_string(timeout) + "ps"}});
        roce.SetBalancer(FactoryOf("RepsBalancer"));
        Pair pair(roce, Recovering("Oracle"));
        int64_t lostStart = -1;
        DropFrames(*pair.fabric, [&lostStart](const FabricFrame& frame) {
            const bool isFirstCopy =
                frame.opcode != RC_ACK && frame.psn == PACKETS / 2 && lostStart < 0;
            lostStart = isFirstCopy ? frame.sentAt : lostStart;
            return isFirstCopy;
        });
        pair.InstallOracle(ROUND_TRIP_NS);
        std::vector<int64_t> freezes;
        Trace(*pair.ends.first->GetBalancer(), "Freeze", [&freezes](uint64_t) {
            freezes.push_back(FabricClock::Now());
        });
        pair.Post(PACKETS * MTU);
        Simulator::Run();
        PolicyCounters counters;
        pair.ends.first->CountPolicies(counters);
        const bool areTimed = timeout > 0;
        const bool isLostOne = timeout > ROUND_TRIP_NS * 1000; // and no other
        const uint64_t late = isLostOne ? 1 : PACKETS + 1;
        const uint64_t expired = areTimed ? late : 0;
        NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 1, "the message is done");
        NS_TEST_EXPECT_MSG_EQ(pair.Sent().retransmissions, 1, "one a loss");
        NS_TEST_EXPECT_MSG_EQ(pair.Sent().timeouts, 0, "of the queue pair");
        NS_TEST_EXPECT_MSG_EQ(counters.count("packet_timeouts"), areTimed, "a counter");
        NS_TEST_EXPECT_MSG_EQ(counters["packet_timeouts"], expired, "expired");
        NS_TEST_ASSERT_MSG_EQ(freezes.size(), areTimed, "frozen, and for 10 ms");
        if (areTimed)
        {
            const int64_t first = isLostOne ? lostStart : 0;
            NS_TEST_EXPECT_MSG_EQ(freezes.at(0), first + timeout, "when its time is over");
        }
    }
};

FABRIC_TEST_F(RoceTimerTestCase, g_roceNic, "Retransmission timer")
{
    for (const std::string recovery : {"GoBackN", "Oracle", "PacketTimer"})
    {
        CheckGivingUp(recovery, 0);
        CheckGivingUp(recovery, 3);
    }
    CheckPacketTimeout(0);
    CheckPacketTimeout(1900000); // 1.9 us: each packet is late
    CheckPacketTimeout(3000000);
    CheckRearming(false);
    CheckRearming(true);
}

/// A queue pair that has nothing under way is not timed out, however long it has to wait.
FABRIC_TEST(g_roceNic, "RoCE timer: waiting")
{
    Pair pair;
    const int64_t pause = 10'000'000'000; // 10 ms, 20 times the timeout
    pair.PostAtStart(MTU, [&] { Tx(*pair.fabric, 0).Pause(0x08, pause, 0); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 1, "the pause ends");
    NS_TEST_EXPECT_MSG_EQ(pair.Sent().timeouts, 0, "and was no timeout");
    NS_TEST_EXPECT_MSG_EQ_TOL(pair.reports.sentAt.at(0),
                              pause + 2085e3,
                              1e3,
                              "it is sent when the pause ends");
}

FABRIC_TEST(g_roceNic, "An acknowledgement comes when its packet stands in line to be sent again")
{
    Pair pair(RoceOf({{"AckTimeout", "1us"}}));
    pair.PostAtStart(MTU);
    ScheduleFunction(NanoSeconds(500), [&] { Tx(*pair.fabric, 0).Pause(8, 5000000, 500000); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.Sent().timeouts, 1, "the timer was too short");
    NS_TEST_EXPECT_MSG_EQ(pair.Sent().dataPackets, 1, "nothing was sent again");
    NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 1, "the message is done");
    // and the queue pair still works
    pair.PostAtStart(MTU);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 2, "the next message is done too");
}

/// The timer counts from the transmission of the oldest packet that is not acknowledged.
FABRIC_TEST(g_roceNic, "RoCE timer: restart")
{
    Pair pair;
    DropFrames(*pair.fabric, Once({RC_WRITE_ONLY}, 0));
    std::vector<int64_t> times;
    WatchSending(*pair.fabric, 0, [&](Ptr<const FabricFrame>) {
        times.push_back(FabricClock::Now());
    });
    pair.PostAtStart(MTU, [&] { Tx(*pair.fabric, 0).Pause(0x08, 300000000, 0); });
    Simulator::Run();
    const std::vector<int64_t> expected = {300000000, 800000000};
    NS_TEST_EXPECT_MSG_EQ((times == expected), true, "sent at 300 us, and 500 us later again");
}

FABRIC_TEST(g_roceNic, "Each acknowledgement of something new starts the timer anew")
{
    Pair pair(RoceOf({{"AckTimeout", "3us"}}));
    pair.Post(1000 * MTU); // takes 14 times as long
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 1, "the message is done");
    NS_TEST_EXPECT_MSG_EQ(pair.Sent().timeouts, 0, "without timeout");
}

/// A packet is lost nine times, and each time sent again when its own timer has run out, before all
/// others. It does no harm, since others come through.
FABRIC_TEST(g_roceNic, "RoCE timer: packet timers")
{
    constexpr int64_t TIMEOUT = 3000000; // 3 us
    constexpr std::size_t LOSSES = 9;
    Pair pair(RoceOf({{"RetryLimit", "0"}, {"RetryTime", "0s"}, {"AckTimeout", "3us"}}),
              Recovering("PacketTimer"));
    std::vector<int64_t> times;
    DropFrames(*pair.fabric, [&times](const FabricFrame& frame) {
        const bool fits = frame.opcode != RC_ACK && frame.psn == 7;
        if (fits)
        {
            times.push_back(frame.sentAt);
        }
        return fits && times.size() <= LOSSES;
    });
    pair.Post(1000 * MTU);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 1, "the message is done");
    NS_TEST_EXPECT_MSG_EQ(pair.Sent().timeouts, 0, "there were always news");
    NS_TEST_EXPECT_MSG_EQ(pair.Sent().retransmissions, LOSSES, "one a loss");
    NS_TEST_EXPECT_MSG_EQ(times.size(), LOSSES + 1, "copies");
    for (std::size_t i = 1; i < times.size(); ++i)
    {
        const int64_t wait = times[i] - times[i - 1] - TIMEOUT;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(wait, 0, "copy " << i);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(wait, PACKET_STEPS, "when the wire is free, copy " << i);
    }
}

/// Every second acknowledgement is lost: those that come cover the packets of the others, so no
/// timer of a packet expires.
FABRIC_TEST(g_roceNic, "RoCE timer: covered packets")
{
    Pair pair(RoceOf({{"PacketTimeout", "3us"}}), Recovering("GoBackN"));
    uint64_t acks = 0;
    DropFrames(*pair.fabric, [&acks](const FabricFrame& frame) {
        return frame.opcode == RC_ACK && ++acks % 2 == 0;
    });
    pair.Post(101 * MTU);
    Simulator::Run();
    PolicyCounters counters;
    pair.ends.first->CountPolicies(counters);
    NS_TEST_EXPECT_MSG_EQ(acks, 101, "one a packet");
    NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 1, "the message is done");
    NS_TEST_EXPECT_MSG_EQ(counters.at("packet_timeouts"), 0, "all were covered in time");
}

/// PFC holds the data of a NIC back, and its end by expiry lets them go, whether or not their rate
/// is limited.
struct RocePauseTestCase : FabricTestCase
{
    void Check(const char* fraction, uint8_t classes)
    {
        Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 3));
        RoceHelper roce = FixedHelper("RateFraction", fraction);
        const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
        roce.SetQueuePairAttribute("Dscp", UintegerValue(40)); // class 5 shares the queue of 3
        const RoceHelper::Ends other = roce.Connect(fabric->GetNic(0), fabric->GetNic(2));
        Reports reports;
        const int64_t from = 1000000;
        const int64_t to = 3000000;
        WatchSending(*fabric, 0, [&](Ptr<const FabricFrame>) {
            const int64_t now = FabricClock::Now();
            NS_TEST_EXPECT_MSG_EQ((now < from || now >= to), true, "sent at " << now << " ps");
        });
        ScheduleFunction(NanoSeconds(0), [&] {
            ends.first->PostWrite(100 * MTU, reports.OnSent());
            other.first->PostWrite(100 * MTU, reports.OnSent());
        });
        ScheduleFunction(PicoSeconds(from), [&] { Tx(*fabric, 0).Pause(classes, to, from); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(reports.sent.size(), 2, "both messages are done");
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(RocePauseTestCase, g_roceNic, "A paused NIC")
{
    for (const char* fraction : {"1", "0.3"})
    {
        for (uint8_t classes : {0x08, 0x28})
        {
            Check(fraction, classes);
        }
    }
}

/// Whatever is lost at random, on all links and in both directions, all messages complete, each
/// packet is placed once, and all counters add up.
struct RoceRandomLossTestCase : FabricTestCase
{
    /// @param probability of the loss of a frame on a link
    void Check(double probability, TypeId recovery)
    {
        ClosHelper helper = ClosOf({{"RecoveryType", recovery}});
        Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(2, 2, 2), 100);
        for (uint32_t link = 0; link < fabric->GetChannelCount(); ++link)
        {
            fabric->GetChannel(link)->SetLossProbability(probability);
        }
        RoceHelper roce = RoceOf({{"RetryLimit", 30}, {"AckTimeout", MicroSeconds(20)}});
        std::vector<Reports> reports(4);
        std::vector<RoceHelper::Ends> ends;
        const std::vector<uint64_t> messages = {300000, 0, 1, 100000, 4096};
        for (uint32_t host = 0; host < 4; ++host)
        {
            ends.push_back(roce.Connect(fabric->GetNic(host), fabric->GetNic((host + 2) % 4)));
            ends[host].second->SetReceiveCallback(reports[host].OnReceived());
            for (uint64_t bytes : messages)
            {
                ends[host].first->PostWrite(bytes, reports[host].OnSent());
            }
        }
        Simulator::Run();
        uint64_t again = 0;
        for (uint32_t host = 0; host < 4; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ((reports[host].sent == messages), true, probability);
            NS_TEST_EXPECT_MSG_EQ((reports[host].received == messages), true, probability);
            again += CheckPair(*ends[host].first, *ends[host].second);
        }
        const bool isLikely = probability == 0 || probability >= 0.01; // of 0.1 % three, or none
        if (recovery != StrictRecovery::GetTypeId() && isLikely)
        {
            NS_TEST_EXPECT_MSG_EQ((again > 0), (probability > 0), "loss has consequences");
        }
        CheckNics(*fabric);
        Simulator::Destroy();
    }

    /// @return packets sent again
    uint64_t CheckPair(const QueuePair& sender, const QueuePair& receiver)
    {
        const QueuePair::Counters& sent = sender.GetCounters();
        const QueuePair::Counters& got = receiver.GetCounters();
        NS_TEST_EXPECT_MSG_EQ(got.packetsAccepted, sender.GetPosted(), "placed exactly once");
        NS_TEST_EXPECT_MSG_EQ(sent.dataPackets,
                              sender.GetPosted() + sent.retransmissions + sent.repairs,
                              "sent = posted + sent again + repair packets");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(got.packetsAccepted + got.packetsDiscarded,
                                    sent.dataPackets,
                                    "no packet comes that was not sent");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sent.naksReceived, got.naksSent, "nor any NAK");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(got.outOfSequence,
                                    got.packetsAccepted + got.packetsDiscarded,
                                    "sequence is a matter of received packets");
        return sent.retransmissions + sent.repairs;
    }

    /// What comes to a NIC is placed or discarded.
    void CheckNics(const Fabric& fabric)
    {
        for (const Ptr<RoceNetDevice>& nic : fabric.GetNicList())
        {
            uint64_t data = 0;
            for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
            {
                const auto& pair = nic->GetQueuePair(i)->GetCounters();
                data += pair.packetsAccepted + pair.packetsDiscarded;
            }
            NS_TEST_EXPECT_MSG_EQ(nic->GetCounters().data, data, "data = placed + discarded");
        }
    }
};

FABRIC_TEST_F(RoceRandomLossTestCase, g_roceNic, "Random loss of 0.1 to 20 %")
{
    for (double probability : {0.0, 0.001, 0.01, 0.05, 0.2})
    {
        for (TypeId recovery : {GoBackNRecovery::GetTypeId(),
                                OracleRecovery::GetTypeId(),
                                SackRecovery::GetTypeId(),
                                StrictRecovery::GetTypeId()})
        {
            Check(probability, recovery);
        }
    }
}

/// The ideal of an erasure code: a message of m packets is complete when m packets have arrived,
/// whichever they are. OracleRecovery reaches it with one more packet for each lost one, as long as
/// no acknowledgement is lost; StrictRecovery sends more, and those that arrive count.
struct RoceErasureTestCase : FabricTestCase
{
    static constexpr uint64_t PACKETS = 300; //!< of the message

    /// @param percent of data that is lost
    void Check(TypeId recovery, uint32_t percent, int64_t seed)
    {
        ClosHelper helper = ClosOf({{"RecoveryType", recovery}});
        Pair pair({}, helper);
        const UniformInteger random = Uniform(seed);
        uint64_t lost = 0;
        uint64_t passed = 0;
        DropFrames(*pair.fabric, [&](const FabricFrame& frame) {
            const bool refused = frame.opcode != RC_ACK && random(100) < percent;
            lost += refused;
            passed += frame.opcode != RC_ACK && !refused;
            return refused;
        });
        pair.InstallOracle(2085);
        uint64_t arrivals = 0;
        uint64_t passedWhenReceived = 0;
        Trace(*pair.fabric->GetNic(1)->GetPort(0), "Receive", [&](Ptr<const FabricFrame>) {
            ++arrivals;
        });
        pair.ends.second->SetReceiveCallback(
            CallbackOf([&](Ptr<QueuePair>, uint64_t, uint32_t) { passedWhenReceived = arrivals; }));
        pair.Post(PACKETS * MTU);
        Simulator::Run();
        const QueuePair::Counters& sent = pair.Sent();
        const std::string what = recovery.GetName() + " at " + std::to_string(percent) + " %";
        NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 1, what << ": done");
        NS_TEST_EXPECT_MSG_EQ(passedWhenReceived, PACKETS, what << ": complete with packet m");
        NS_TEST_EXPECT_MSG_EQ(sent.timeouts, 0, what << ": no timeout");
        if (recovery == OracleRecovery::GetTypeId())
        {
            NS_TEST_EXPECT_MSG_EQ(sent.retransmissions, lost, what << ": one for each");
            NS_TEST_EXPECT_MSG_EQ(pair.ends.second->GetCounters().packetsDiscarded, 0, what);
            NS_TEST_EXPECT_MSG_EQ(passed, PACKETS, what << ": no packet too many");
        }
        else
        {
            // what is sent in a round trip after enough have been sent
            NS_TEST_EXPECT_MSG_EQ(sent.dataPackets, PACKETS + sent.repairs, what);
            NS_TEST_EXPECT_MSG_EQ_TOL(passed, PACKETS + 50 * (100 - percent) / 100, 15, what);
        }
    }
};

FABRIC_TEST_F(RoceErasureTestCase,
              g_roceNic,
              "A message is complete when enough packets have arrived")
{
    for (uint32_t percent : {0, 1, 10, 50})
    {
        for (int64_t seed = 1; seed <= 5; ++seed)
        {
            Check(OracleRecovery::GetTypeId(), percent, seed);
            Check(StrictRecovery::GetTypeId(), percent, seed);
        }
    }
}

/// An acknowledgement is lost: the oracle tells its receiver half a round trip later, and it sends
/// the packet again, to have another one.
FABRIC_TEST(g_roceNic, "The oracle knows of lost acknowledgements")
{
    Pair pair({}, Recovering("Oracle"));
    uint32_t acks = 0;
    DropFrames(*pair.fabric,
               [&acks](const FabricFrame& frame) { return frame.opcode == RC_ACK && acks++ == 0; });
    pair.InstallOracle(2000);
    pair.Post(MTU);
    Simulator::Run();
    const int64_t data = 500000 + 41740; // a link, in ps, the frame with its RETH
    const int64_t ack = 500000 + 640;
    const int64_t known = 2 * data + ack + 1000000;
    NS_TEST_EXPECT_MSG_EQ(pair.reports.sentAt.at(0), known + 2 * data + 2 * ack, "a round trip on");
    NS_TEST_EXPECT_MSG_EQ(pair.Sent().retransmissions, 1, "sent again");
    NS_TEST_EXPECT_MSG_EQ(pair.Sent().timeouts, 0, "without the timer");
}

/// A NIC of several planes uses all its ports, and its throughput is their sum.
struct RocePlanesTestCase : FabricTestCase
{
    static constexpr uint32_t PACKETS = 4000; //!< of all messages together

    /// @return how long it takes, in ns
    /// @param spray whether each queue pair uses all planes, or one
    double Measure(uint16_t planes, bool spray)
    {
        ClosHelper helper;
        if (spray)
        {
            helper.SetNicAttribute("RecoveryType", TypeIdValue(OracleRecovery::GetTypeId()));
            helper.SetNicAttribute("BalancerType", TypeIdValue(HostRandomBalancer::GetTypeId()));
        }
        Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(1, 1, 2, planes));
        RoceHelper roce;
        const uint32_t pairs = spray ? 16 : 400;
        Reports reports;
        for (uint32_t i = 0; i < pairs; ++i)
        {
            const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
            ends.second->SetReceiveCallback(reports.OnReceived());
            ends.first->PostWrite(uint64_t{PACKETS} / pairs * MTU, reports.OnSent());
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(reports.sent.size(), pairs, "all messages complete");
        NS_TEST_EXPECT_MSG_EQ(reports.received.size(), pairs, "at both ends");
        for (uint16_t plane = 0; plane < planes; ++plane)
        {
            const uint64_t sent = Tx(*fabric, 0, plane).GetCounters().sentFrames;
            const uint64_t answered = Tx(*fabric, 1, plane).GetCounters().sentFrames;
            NS_TEST_EXPECT_MSG_GT(sent, PACKETS / planes * 3 / 4, "plane " << plane);
            NS_TEST_EXPECT_MSG_EQ(answered, sent, "ACKs return in the plane of their data");
        }
        const double time = reports.sentAt.empty() ? 0 : reports.sentAt.back() / 1000.0;
        Simulator::Destroy();
        return time;
    }
};

FABRIC_TEST_F(RocePlanesTestCase, g_roceNic, "Two and four planes")
{
    for (bool spray : {false, true})
    {
        const double one = Measure(1, spray);
        NS_TEST_EXPECT_MSG_EQ_TOL(one, PACKETS * 41.78 + 2085, 100, "the line rate");
        for (uint16_t planes : {2, 4})
        {
            const double several = Measure(planes, spray);
            const double ideal = PACKETS * 41.78 / planes + 2085;
            NS_TEST_EXPECT_MSG_GT(several, ideal - 100, "no more than the ports give");
            // the fullest of the planes gets a little more than its share of 4000 packets
            NS_TEST_EXPECT_MSG_LT(several, ideal * 1.25, "all planes in use: " << planes);
        }
    }
}

/// No packet of a queue pair whose packets may go by any plane waits for one port while another is
/// idle: all ports send without a pause, and as much as each other. If they have to wait for the
/// port of a random plane, they take longer.
struct RoceAnyPlaneTestCase : FabricTestCase
{
    static constexpr uint32_t PACKETS = 480;   //!< of all queue pairs together
    static constexpr int64_t RETH_STEPS = 160; //!< 16 bytes, which a first packet has more

    /// @return when the last packet begins to be sent, in time steps
    /// @param any whether packets may go by any plane
    static int64_t Send(uint16_t planes, uint32_t queuePairs, bool any)
    {
        Default("HostRandomBalancer::AnyPlane", any);
        ClosHelper helper = ClosOf({{"RecoveryType", OracleRecovery::GetTypeId()}});
        helper.SetBalancerType(HostRandomBalancer::GetTypeId());
        Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(1, 1, 2, planes));
        int64_t last = 0;
        WatchSending(*fabric, 0, [&last](Ptr<const FabricFrame> frame) {
            last = std::max(last, frame->sentAt);
        });
        for (uint32_t i = 0; i < queuePairs; ++i)
        {
            RoceHelper()
                .Connect(fabric->GetNic(0), fabric->GetNic(1))
                .first->PostWrite(PACKETS / queuePairs * MTU);
        }
        Simulator::Run();
        Simulator::Destroy();
        return last;
    }
};

FABRIC_TEST_F(RoceAnyPlaneTestCase, g_roceNic, "Packets that may go by any plane do not wait")
{
    for (const uint16_t planes : {2, 3, 4})
    {
        for (const uint32_t queuePairs : {1, 2, 5})
        {
            const int64_t shortest = (PACKETS / planes - 1) * PACKET_STEPS;
            const int64_t last = Send(planes, queuePairs, true);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(last, shortest, "at line rate");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(last,
                                        shortest + queuePairs * RETH_STEPS,
                                        planes << " planes, " << queuePairs << " queue pairs");
        }
        NS_TEST_EXPECT_MSG_GT(Send(planes, 1, false),
                              PACKETS / planes * PACKET_STEPS * 5 / 4,
                              planes << " planes");
    }
}

/// A balancer that gives each packet another source port, and takes note of those of lost packets.
struct ListeningBalancer : HostBalancer
{
    std::optional<PathChoice> Choose(const PathRequest&) override
    {
        return PathChoice{uint32_t{PathChoice::FIRST_PORT} + m_next++};
    }

    void Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t) override
    {
        if (event == PathEvent::LOST)
        {
            lost.push_back(entropy);
        }
    }

    std::vector<uint16_t> lost; //!< source ports of lost packets

    uint16_t m_next{0}; //!< the next one, from the first on
};

/// A balancer hears of each loss that the sender finds by itself or is told of, with the path of
/// the very transmission that was lost, also if that was a retransmission.
struct RoceLostPathsTestCase : FabricTestCase
{
    /// Lose some packets of 400.  @param twice numbers of packets that are lost twice
    void Check(const std::string& recovery, const std::set<uint32_t>& twice)
    {
        Pair pair({}, Recovering(recovery));
        std::map<uint32_t, uint32_t> copies;
        std::vector<uint16_t> refused;
        DropFrames(*pair.fabric, [&](const FabricFrame& frame) {
            const bool isData = frame.opcode != RC_ACK;
            const uint32_t copy = isData ? ++copies[frame.psn] : 0;
            const bool refuses = isData && frame.psn < 300 && frame.psn % 61 == 7 &&
                                 copy <= 1 + twice.count(frame.psn);
            if (refuses)
            {
                refused.push_back(frame.entropy);
            }
            return refuses;
        });
        Ptr<LossOracle> oracle = CreateObject<LossOracle>();
        oracle->Install({pair.fabric->GetNic(0), pair.fabric->GetNic(1)},
                        {pair.fabric->GetSwitch(0)},
                        {});
        Ptr<ListeningBalancer> balancer = CreateObject<ListeningBalancer>();
        pair.ends.first->SetBalancer(balancer);
        pair.Post(400 * MTU);
        Simulator::Run();
        std::sort(refused.begin(), refused.end());
        std::sort(balancer->lost.begin(), balancer->lost.end());
        NS_TEST_EXPECT_MSG_EQ(refused.size(), 5 + twice.size(), recovery);
        NS_TEST_EXPECT_MSG_EQ((balancer->lost == refused), true, recovery);
        NS_TEST_EXPECT_MSG_EQ(pair.ends.first->GetPendingMessages(), 0, recovery);
        NS_TEST_EXPECT_MSG_EQ(pair.Sent().timeouts, 0, recovery);
    }
};

FABRIC_TEST_F(RoceLostPathsTestCase, g_roceNic, "Losses are told with their paths")
{
    Check("GoBackN", {});
    Check("Sack", {68, 190});
    Check("Oracle", {68, 190});
    Check("PacketTimer", {68, 190});
}

/// A control that adds up what it is told of.
struct CountingControl : CongestionControl
{
    uint64_t GetWindow() const override
    {
        return 1 << 30;
    }

    DataRate GetRate() const override
    {
        return DataRate("800Gb/s");
    }

    bool Acknowledged(uint32_t bytes, const AckReport&, int64_t) override
    {
        acked += bytes;
        return false;
    }

    uint64_t acked{0}; //!< payload bytes acknowledged
};

/// A congestion control hears of each byte exactly once, however it was acknowledged: by its own
/// ACK, by a later one, by a NAK, or by a message's number.
struct RoceAckedBytesTestCase : FabricTestCase
{
    /// @param loss probability of each frame on a link
    void Check(const std::string& recovery, double loss)
    {
        Pair pair({}, Recovering(recovery), LeafSpine(2, 2, 2));
        pair.fabric->GetChannel(0)->SetLossProbability(loss);
        Ptr<CountingControl> control = CreateObject<CountingControl>();
        pair.ends.first->SetControl(control);
        uint64_t posted = 0;
        for (uint64_t bytes : {0, 1, 4096, 4097, 700001, 0, 5, 8192, 1000000})
        {
            pair.Post(bytes);
            posted += bytes;
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(pair.ends.first->GetPendingMessages(), 0, recovery);
        const bool isRepaired = pair.Sent().retransmissions + pair.Sent().repairs > 0;
        NS_TEST_EXPECT_MSG_EQ((isRepaired || loss == 0), true, recovery);
        NS_TEST_EXPECT_MSG_EQ(control->acked, posted, recovery << " and loss " << loss);
    }
};

FABRIC_TEST_F(RoceAckedBytesTestCase, g_roceNic, "Each byte is acknowledged once")
{
    for (const std::string recovery : {"GoBackN", "Oracle", "Sack", "Strict"})
    {
        for (double loss : {0.0, 0.03})
        {
            Check(recovery, loss);
        }
    }
}

/// Whatever a NIC of several planes sends starts when it is chosen, also on a port that was idle
/// when a queue pair turned to it.
struct RocePresentTestCase : FabricTestCase
{
    void Check(uint16_t planes)
    {
        ClosHelper helper = ClosOf({{"RecoveryType", OracleRecovery::GetTypeId()},
                                    {"BalancerType", HostRandomBalancer::GetTypeId()}});
        Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(1, 1, 2, planes));
        uint32_t sent = 0;
        WatchSending(*fabric, 0, [this, &sent](Ptr<const FabricFrame> frame) {
            ++sent;
            NS_TEST_EXPECT_MSG_EQ(frame->sentAt, FabricClock::Now(), "starts now");
        });
        RoceHelper roce;
        for (uint8_t dscp : {26, 34, 34}) // two classes
        {
            const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
            ends.first->SetAttribute("Dscp", UintegerValue(dscp));
            ScheduleFunction(NanoSeconds(dscp), [ends]() { ends.first->PostWrite(400000); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sent, 3 * 98, "all packets");
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(RocePresentTestCase, g_roceNic, "Nothing starts in the past")
{
    for (uint16_t planes : {1, 2, 4})
    {
        for (double rate : {1.0, 0.7})
        {
            Default("FixedControl::RateFraction", rate);
            Check(planes);
        }
    }
}

/// Two hosts of different pods exchange one message each over an empty fat-tree: the permutation
/// lower bound of arXiv 2507.21372, appendix B, is reached.
FABRIC_TEST(g_roceNic, "256 packets between two pods take 17.05694 us")
{
    Pair pair({}, {}, FatTree(8));
    pair.Post(256 * MTU);
    pair.ends.second->PostWrite(256 * MTU, pair.reports.OnSent());
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.reports.sent.size(), 2, "both messages complete");
    for (int64_t time : pair.reports.sentAt)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(time / 1000.0, 17056.94, 1, "completion time in ns");
    }
}

/// What a NIC cannot use it drops and counts, and RoceHelper gives connections what it is told.
FABRIC_TEST(g_roceNic, "RoceHelper, and frames for nobody")
{
    ClosHelper helper = ClosOf({{"BalancerType", HostRandomBalancer::GetTypeId()}});
    Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 2));
    RoceHelper roce = RoceOf({{"Mtu", 1024}});
    roce.SetControl(FactoryOf("FixedControl", {{"Window", 4096}}));
    roce.SetRecovery(FactoryOf("OracleRecovery"));
    const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
    NS_TEST_EXPECT_MSG_EQ(ends.first->GetPeerHost(), 1, "connected");
    NS_TEST_EXPECT_MSG_EQ(ends.second->GetPeerNumber(), ends.first->GetNumber(), "connected");
    PointerValue policy;
    ends.first->GetAttribute("Recovery", policy);
    NS_TEST_EXPECT_MSG_NE(PeekPointer(policy.Get<OracleRecovery>()), nullptr, "its own recovery");
    ends.first->GetAttribute("Balancer", policy);
    NS_TEST_EXPECT_MSG_NE(PeekPointer(policy.Get<HostRandomBalancer>()),
                          nullptr,
                          "the NIC's balancer");
    ends.second->GetAttribute("Control", policy);
    NS_TEST_EXPECT_MSG_NE(PeekPointer(policy.Get<FixedControl>()), nullptr, "its own control");
    NS_TEST_EXPECT_MSG_EQ(policy.Get<FixedControl>()->GetWindow(), 4096, "with attributes");
    uint64_t most = 0;
    WatchSending(*fabric, 0, [&](Ptr<const FabricFrame>) {
        most = std::max(most, ends.first->GetRecovery().GetOutstanding());
    });
    Reports reports;
    ends.second->SetReceiveCallback(reports.OnReceived());
    ends.first->PostWrite(10000, reports.OnSent());
    for (uint32_t destination : {0, 1})
    {
        // no queue pair 0 there, and destination 0 is not reached by way of host 0's leaf port
        Ptr<FabricFrame> frame = MakeFrame(*fabric, 0, destination, 3, 100);
        SendFrame(*fabric, frame);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(reports.received.size(), 1, "the message comes");
    NS_TEST_EXPECT_MSG_EQ(ends.second->GetCounters().packetsAccepted, 10, "in its packets");
    NS_TEST_EXPECT_MSG_EQ(most, 4, "the window is in packets of the connection");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(1)->GetCounters().dropped, 1, "unknown queue pair");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(0)->GetCounters().dropped, 1, "unknown queue pair");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(1)->GetCounters().data, 10, "data");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(0)->GetCounters().acks, 10, "ACKs");
}
