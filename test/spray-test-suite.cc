/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-fuzz.h"

#include "ns3/coalesced-ack-policy.h"
#include "ns3/congestion-control.h"
#include "ns3/host-balancer.h"
#include "ns3/link-fault.h"
#include "ns3/psn-window.h"
#include "ns3/responder.h"
#include "ns3/selective-repeat-recovery.h"
#include "ns3/spray-codec.h"
#include "ns3/spray-queue-pair.h"
#include "ns3/trimming-buffer.h"
#include "ns3/unordered-ack-policy.h"

#include <limits>

static Suite g_spray("ai-fabric-spray");

namespace
{

using Numbers = std::vector<uint64_t>; //!< of packets

constexpr int64_t NO_TIMER = std::numeric_limits<int64_t>::max(); //!< no packet has one

/// A control that notes what it hears. Its window is fixed, or wobbles with each acknowledgement.
struct SprayControl : CongestionControl
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<SprayControl, CongestionControl>("SprayControl")
                                .AddAttribute("Packets",
                                              "The window, or the largest one.",
                                              UintegerValue(1000000),
                                              MakeUintegerAccessor(&SprayControl::m_most),
                                              MakeUintegerChecker<uint64_t>(1))
                                .AddAttribute("Wobbles",
                                              "Whether each acknowledgement changes the window.",
                                              BooleanValue(false),
                                              MakeBooleanAccessor(&SprayControl::m_wobbles),
                                              MakeBooleanChecker());
        return tid;
    }

    void Start(const FabricFacts& facts) override
    {
        m_mtu = facts.mtu;
        m_rate = facts.portRate;
        m_packets = m_most;
    }

    uint64_t GetWindow() const override
    {
        return m_packets * m_mtu;
    }

    DataRate GetRate() const override
    {
        return m_rate;
    }

    bool Acknowledged(uint32_t bytes, const AckReport& report, int64_t) override
    {
        acknowledged += bytes;
        ++reports;
        marks += report.marked;
        again += report.isRetransmission;
        if (m_wobbles)
        {
            m_packets = 1 + (m_packets * 7919 + 31) % m_most;
        }
        return m_wobbles;
    }

    void Lost(const LossSample& loss, int64_t) override
    {
        lost[loss.reason] += loss.bytes / m_mtu;
    }

    uint64_t acknowledged{0};            //!< bytes
    uint64_t reports{0};                 //!< ACKs heard
    uint64_t marks{0};                   //!< of these, with a mark
    uint64_t again{0};                   //!< of these, of packets that were sent again
    std::map<LossReason, uint64_t> lost; //!< packets, by how that was found out

    uint64_t m_most{0};    //!< the largest window, in packets
    uint64_t m_packets{1}; //!< the window, in packets
    uint64_t m_mtu{0};     //!< payload of a full packet
    bool m_wobbles{false}; //!< each acknowledgement changes the window
    DataRate m_rate;       //!< of the port
};

NS_OBJECT_ENSURE_REGISTERED(SprayControl);

/// A balancer that takes entropies in turn, and notes what it is told of them.
struct SprayBalancer : HostBalancer
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<SprayBalancer, HostBalancer>("SprayBalancer");
        return tid;
    }

    std::optional<PathChoice> Choose(const PathRequest& request) override
    {
        const uint32_t entropy = PathChoice::FIRST_PORT + m_next++ % 1000;
        chosen[request.number].push_back(entropy);
        return PathChoice{entropy, 0};
    }

    void Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t) override
    {
        heard[event].push_back(entropy);
    }

    std::map<uint64_t, std::vector<uint32_t>> chosen; //!< entropies, by packet
    std::map<PathEvent, std::vector<uint32_t>> heard; //!< entropies, by what became of the packets

    uint32_t m_next{0}; //!< how many were taken
};

NS_OBJECT_ENSURE_REGISTERED(SprayBalancer);

Ptr<SprayControl>
ControlOf(const Ptr<QueuePair>& queuePair)
{
    return DynamicCast<SprayControl>(queuePair->GetControl());
}

/// @return a helper that connects by spraying  @param control the packets of the window
RoceHelper
SprayHelper(uint64_t window = 1000000, bool wobbles = false)
{
    RoceHelper roce;
    roce.SetQueuePair(FactoryOf("SprayQueuePair"));
    roce.SetControl(FactoryOf("SprayControl", {{"Packets", window}, {"Wobbles", wobbles}}));
    roce.SetBalancer(FactoryOf("SprayBalancer"));
    return roce;
}

/// Have fabrics acknowledge by a policy.
/// @param bytes for which it sends an acknowledgement, if it has that
void
SetAckPolicy(ClosHelper& clos, const std::string& policy, uint32_t bytes)
{
    const std::string name = "ns3::aifabric::" + policy + "AckPolicy";
    clos.SetNicAttribute("AckPolicyType", TypeIdValue(TypeId::LookupByName(name)));
    if (policy != "PerPacket")
    {
        Config::SetDefault(name + "::Bytes", UintegerValue(bytes));
    }
}

/// Lengths and keys of the messages that come, one after the other.
using Messages = std::vector<std::pair<uint64_t, uint32_t>>;

/// Note messages.  @return what to call for each
QueuePair::KeyCallback
Note(Messages& messages)
{
    return CallbackOf([&messages](Ptr<QueuePair>, uint64_t bytes, uint32_t key) {
        messages.emplace_back(bytes, key);
    });
}

} // namespace

/// SelectiveRepeatRecovery step by step: the sending end.
struct SprayRecoveryTestCase : FabricTestCase
{
    /// @return an ACK  @param trigger the packet that triggers it
    /// @param cumulative the first that has not come
    static AckReport Report(uint64_t trigger, uint64_t cumulative, uint64_t first, uint64_t bits)
    {
        AckReport report;
        report.psn = trigger & PsnWindow::PSN_MASK;
        report.cumulativePsn = cumulative & PsnWindow::PSN_MASK;
        report.bitmapPsn = first & PsnWindow::PSN_MASK;
        report.bitmap = bits;
        return report;
    }

    static NackReport Refuse(uint64_t number, int64_t sentAt)
    {
        NackReport report;
        report.psn = number & PsnWindow::PSN_MASK;
        report.sentAt = sentAt;
        report.reason = NackReason::TRIMMED;
        return report;
    }

    /// @param number the packet that it should send
    void Take(LossRecovery& recovery, uint64_t number, int64_t start)
    {
        NS_TEST_EXPECT_MSG_EQ(recovery.HasNext(1000), true, "packet " << number);
        NS_TEST_EXPECT_MSG_EQ(recovery.GetNext(), number, "the next packet");
        NS_TEST_EXPECT_MSG_EQ(recovery.TakeNext(start).number, number, "the packet taken");
    }

    /// @return a recovery that has sent packets, at 0, 10, 20 ...
    Ptr<SelectiveRepeatRecovery> MakeSent(uint64_t packets)
    {
        auto recovery = CreateObject<SelectiveRepeatRecovery>();
        NS_TEST_EXPECT_MSG_EQ(recovery->GetOldestStart(), NO_TIMER, "nothing is sent");
        for (uint64_t number = 0; number < packets; ++number)
        {
            Take(*recovery, number, 10 * number);
        }
        return recovery;
    }
};

FABRIC_TEST_F(SprayRecoveryTestCase, g_spray, "Cumulative PSN and bitmap")
{
    auto recovery = MakeSent(8);
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(1, 2, 2, 0)).newlyAcked, 2, "0 and 1");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetUnacknowledged(), 2, "cumulative");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(6, 2, 2, 0b10100)).newlyAcked, 2, "4 and 6");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOutstanding(), 4, "2, 3, 5, 7");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(6, 2, 2, 0b10100)).newlyAcked, 0, "again");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(0, 1, 1, 0b1)).newlyAcked, 0, "late");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(3, 2, 2, 0)).newlyAcked, 1, "the trigger");
    const uint64_t beyond = ~uint64_t{0} << 6;
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(3, 2, 2, beyond)).newlyAcked,
                          0,
                          "packets that were never sent");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(2, 5, 5, 0b10)).newlyAcked, 1, "2 alone");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetUnacknowledged(), 5, "all before 5");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(7, 8, 8, 0)).newlyAcked, 2, "5 and 7");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOutstanding(), 0, "all has come");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOldestStart(), NO_TIMER, "no timer runs");
    NS_TEST_EXPECT_MSG_EQ(recovery->HasNext(8), false, "nothing is left");
}

/// NACKs of the last transmission, of an earlier one, and late ones.
FABRIC_TEST_F(SprayRecoveryTestCase, g_spray, "Spray recovery: NACKs")
{
    auto recovery = MakeSent(4);
    NS_TEST_EXPECT_MSG_EQ((recovery->NackReceived(Refuse(1, 10)).lost == Numbers{1}),
                          true,
                          "its only transmission");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOutstanding(), 3, "0, 2, 3");
    NS_TEST_EXPECT_MSG_EQ(recovery->NackReceived(Refuse(1, 10)).lost.empty(), true, "twice");
    Take(*recovery, 1, 100); // before new packets
    Take(*recovery, 4, 110);
    NS_TEST_EXPECT_MSG_EQ(recovery->NackReceived(Refuse(1, 10)).lost.empty(),
                          true,
                          "of an earlier transmission");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOutstanding(), 5, "none is lost");
    NS_TEST_EXPECT_MSG_EQ((recovery->NackReceived(Refuse(1, 100)).lost == Numbers{1}),
                          true,
                          "of the last transmission");
    NS_TEST_EXPECT_MSG_EQ((recovery->NackReceived(Refuse(0, 0)).lost == Numbers{0}), true, "0");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(1, 0, 0, 0)).newlyAcked, 1, "1 had come");
    Take(*recovery, 0, 120); // the lowest first; 1 needs not be sent again
    Take(*recovery, 5, 130);
    NS_TEST_EXPECT_MSG_EQ(recovery->NackReceived(Refuse(1, 100)).lost.empty(), true, "late");
    NS_TEST_EXPECT_MSG_EQ(recovery->NackReceived(Refuse(77, 0)).lost.empty(), true, "not sent");
}

FABRIC_TEST_F(SprayRecoveryTestCase, g_spray, "Each packet has the timer of its last transmission")
{
    auto recovery = MakeSent(5);
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOldestStart(), 0, "packet 0");
    NS_TEST_EXPECT_MSG_EQ(recovery->ExpireSentUntil(-1).empty(), true, "not yet");
    recovery->AckReceived(Report(2, 1, 1, 0b10)); // 0 and 2
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOldestStart(), 10, "packet 1");
    NS_TEST_EXPECT_MSG_EQ((recovery->ExpireSentUntil(30) == Numbers{1, 3}), true, "not 2");
    NS_TEST_EXPECT_MSG_EQ(recovery->ExpireSentUntil(30).empty(), true, "once");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOldestStart(), 40, "packet 4");
    NS_TEST_EXPECT_MSG_EQ(recovery->NackReceived(Refuse(3, 30)).lost.empty(), true, "known");
    recovery->TimerExpired(); // which is the queue pair's affair
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOutstanding(), 1, "packet 4");
    Take(*recovery, 1, 50);
    Take(*recovery, 3, 60);
    recovery->NackReceived(Refuse(1, 50));
    NS_TEST_EXPECT_MSG_EQ((recovery->ExpireSentUntil(60) == Numbers{4, 3}), true, "1 is lost");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOldestStart(), NO_TIMER, "all are lost");
    Take(*recovery, 1, 70);
    Take(*recovery, 3, 80);
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(4, 5, 5, 0)).newlyAcked, 3, "1, 3, 4");
    NS_TEST_EXPECT_MSG_EQ(recovery->ExpireSentUntil(1000).empty(), true, "no timer runs");
    NS_TEST_EXPECT_MSG_EQ(recovery->HasNext(5), false, "and nothing waits");
}

FABRIC_TEST_F(SprayRecoveryTestCase, g_spray, "Many packets before a missing one show a loss, once")
{
    auto recovery = MakeSent(30);
    recovery->SetAttribute("OutOfOrderLimit", UintegerValue(6));
    AckReport report = Report(10, 2, 2, 0b111101100);
    report.outOfOrder = 5; // 4, 5, 7 to 10, and the limit is six
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(report).lost.empty(), true, "not enough");
    report.outOfOrder = 6;
    NS_TEST_EXPECT_MSG_EQ((recovery->AckReceived(report).lost == Numbers{2, 3}),
                          true,
                          "what is missing among four");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(report).lost.empty(), true, "once");
    Take(*recovery, 2, 300);
    Take(*recovery, 3, 310);
    report = Report(3, 6, 6, 0b11110);
    report.outOfOrder = 4;
    NS_TEST_EXPECT_MSG_EQ((recovery->AckReceived(report).lost == Numbers{6}),
                          true,
                          "further ones of those sent when the loss was found");
    Take(*recovery, 6, 320);
    report = Report(29, 30, 30, 0);
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(report).lost.empty(), true, "the end");
    Take(*recovery, 30, 330);
    report.outOfOrder = 6;
    NS_TEST_EXPECT_MSG_EQ((recovery->AckReceived(report).lost == Numbers{30}), true, "again");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(report).lost.empty(), true, "known");
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*recovery)["inferred_losses"], 4, "2, 3, 6, 30");
}

FABRIC_TEST(g_spray, "What the queue pair has to know")
{
    auto recovery = CreateObject<SelectiveRepeatRecovery>();
    NS_TEST_EXPECT_MSG_EQ(recovery->GetTraits().needsReports, true, "a bitmap");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetTraits().needsAckPerPacket, false, "ACKs may be coalesced");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetTraits().timesEachPacket, true, "a timer a packet");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetTraits().backsOff, true, "as Ultra Ethernet does");
    recovery->SetAttribute("BackOff", BooleanValue(false));
    NS_TEST_EXPECT_MSG_EQ(recovery->GetTraits().backsOff, false, "an attribute");
    NS_TEST_EXPECT_MSG_EQ(
        DynamicCast<SelectiveRepeatRecovery>(recovery->Fork())->GetTraits().backsOff,
        false,
        "a fork has it");
}

/// More packets than there are PSNs, with a hole at the wrap.
FABRIC_TEST_F(SprayRecoveryTestCase, g_spray, "Spray recovery: wrap")
{
    constexpr uint64_t STEP = 1 << 20;
    constexpr uint64_t END = 1 << 24;
    auto recovery = CreateObject<SelectiveRepeatRecovery>();
    uint64_t number = 0;
    for (uint64_t base = 0; base < END - STEP; base += STEP)
    {
        for (; number < base + STEP; ++number)
        {
            recovery->TakeNext(number);
        }
        recovery->AckReceived(Report(number - 1, number, number, 0));
    }
    while (number < END + 50)
    {
        recovery->TakeNext(number++);
    }
    const uint64_t hole = END - 3;
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(Report(END + 9, hole, hole, 0b111110)).newlyAcked,
                          STEP - 3 + 5 + 1,
                          "up to the hole, five behind it and the trigger");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetUnacknowledged(), hole, "the hole");
    NS_TEST_EXPECT_MSG_EQ((recovery->NackReceived(Refuse(hole, hole)).lost == Numbers{hole}),
                          true,
                          "it was trimmed");
    Take(*recovery, hole, END + 100);
    recovery->AckReceived(Report(hole, END + 50, END + 50, 0));
    NS_TEST_EXPECT_MSG_EQ(recovery->GetUnacknowledged(), END + 50, "all has come");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOutstanding(), 0, "all has come");
}

/// The receiving end: what its reports say, and when UnorderedAckPolicy has them sent.
struct SprayResponderTestCase : FabricTestCase
{
    using Answer = LossRecovery::Answer;

    static constexpr uint32_t MTU = 1000; //!< payload of a full packet

    /// Begin anew.  @param bytes for which there is one ACK
    /// @param leastCount the least that a packet adds to them
    void Begin(uint32_t bytes, uint32_t leastCount = 0)
    {
        m_connection = Connection();
        m_connection.mtu = MTU;
        m_connection.recovery = CreateObject<SelectiveRepeatRecovery>();
        m_responder = Responder();
        m_responder.SetAckPolicy(
            CreateWith<UnorderedAckPolicy>({{"Bytes", bytes}, {"LeastCount", leastCount}}));
    }

    /// @return how a packet is answered  @param isRequested whether it asks for an answer
    Answer Receive(uint64_t number,
                   bool isRequested = false,
                   bool isMarked = false,
                   uint32_t payload = MTU)
    {
        const uint32_t psn = number & PsnWindow::PSN_MASK;
        return m_responder
            .Receive({psn, payload, 0, nullptr, 0, isMarked, isRequested}, m_connection)
            .answer;
    }

    /// @return how packets are answered, a letter each
    std::string ReceiveAll(const Numbers& numbers, uint32_t payload = MTU)
    {
        std::string answers;
        for (const uint64_t number : numbers)
        {
            answers += Receive(number, false, false, payload) == Answer::ACK ? 'A' : '-';
        }
        return answers;
    }

    /// @return the report that a packet triggers
    AckReport Report(uint32_t psn)
    {
        AckReport report;
        report.psn = psn;
        m_responder.FillReport(report, *m_connection.recovery);
        return report;
    }

    Connection m_connection; //!< has the recovery
    Responder m_responder;   //!< what is tested
};

FABRIC_TEST_F(SprayResponderTestCase, g_spray, "Cumulative PSN, bitmap, bytes, out-of-order count")
{
    Begin(1);
    ReceiveAll({0, 1, 3, 5});
    AckReport report = Report(5);
    NS_TEST_EXPECT_MSG_EQ(report.cumulativePsn, 2, "2 is missing");
    NS_TEST_EXPECT_MSG_EQ(report.bitmapPsn, 2, "from there on");
    NS_TEST_EXPECT_MSG_EQ(report.bitmap, 0b1010, "3 and 5");
    NS_TEST_EXPECT_MSG_EQ(report.receivedBytes, 4 * MTU, "four packets");
    NS_TEST_EXPECT_MSG_EQ(report.outOfOrder, 2, "3 and 5");
    for (uint64_t number = 6; number < 200; ++number)
    {
        Receive(number);
    }
    report = Report(199);
    NS_TEST_EXPECT_MSG_EQ(report.cumulativePsn, 2, "2 is still missing");
    NS_TEST_EXPECT_MSG_EQ(report.bitmapPsn, 136, "up to the trigger");
    NS_TEST_EXPECT_MSG_EQ(report.bitmap, ~uint64_t{0}, "64 packets");
    NS_TEST_EXPECT_MSG_EQ(report.outOfOrder, 196, "all but 2 and 4, from 3 on");
    NS_TEST_EXPECT_MSG_EQ(Report(40).bitmap, ~uint64_t{0b101}, "from 2 on, but 2 and 4");
    ReceiveAll({4, 2});
    report = Report(2);
    NS_TEST_EXPECT_MSG_EQ(report.cumulativePsn, 200, "all");
    NS_TEST_EXPECT_MSG_EQ(report.bitmap, 0, "nothing behind");
    NS_TEST_EXPECT_MSG_EQ(report.outOfOrder, 0, "nothing behind");
}

FABRIC_TEST_F(SprayResponderTestCase, g_spray, "Trimmed packets")
{
    Begin(1);
    ReceiveAll({0, 2});
    NS_TEST_EXPECT_MSG_EQ((m_responder.ReceiveTrimmed(1, m_connection).answer == Answer::NAK),
                          true,
                          "a packet that is missing");
    NS_TEST_EXPECT_MSG_EQ((m_responder.ReceiveTrimmed(9, m_connection).answer == Answer::NAK),
                          true,
                          "one far ahead");
    for (const uint32_t psn : {0, 2})
    {
        NS_TEST_EXPECT_MSG_EQ((m_responder.ReceiveTrimmed(psn, m_connection).answer == Answer::ACK),
                              true,
                              "one that had come");
    }
    NS_TEST_EXPECT_MSG_EQ(m_responder.GetCounters().packetsAccepted, 2, "none is accepted");
    NS_TEST_EXPECT_MSG_EQ(m_responder.GetCounters().packetsDiscarded, 0, "nor discarded");
}

FABRIC_TEST_F(SprayResponderTestCase, g_spray, "The first packet, and then one of four")
{
    Begin(4 * MTU);
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), "A---A---A-", "in order");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({30, 29, 28, 27, 26}), "--A--", "in any order");
    Begin(4 * MTU - 1);
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({0, 1, 2, 3, 4, 5, 6, 7, 8}), "A---A---A", "as many");
    Begin(4 * MTU + 1);
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({0, 1, 2, 3, 4, 5, 6, 7, 8}), "A----A---", "five");
}

/// Short packets: with LeastCount each counts as at least that much.
FABRIC_TEST_F(SprayResponderTestCase, g_spray, "Spray responder: short packets")
{
    Begin(4 * MTU);
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({0, 1, 2, 3, 4, 5, 6}, 10), "A------", "30 bytes");
    Begin(4 * MTU, 2 * MTU);
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({0, 1, 2, 3, 4, 5, 6}, 10), "A-A-A-A", "every second one");
    NS_TEST_EXPECT_MSG_EQ(m_responder.GetCounters().bytesAccepted, 70, "what has come");
    Begin(4 * MTU, MTU / 2);
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({0, 1, 2, 3, 4, 5, 6, 7, 8}), "A---A---A", "longer ones");
}

FABRIC_TEST_F(SprayResponderTestCase, g_spray, "Marks, requests and duplicates")
{
    Begin(4 * MTU);
    ReceiveAll({0, 1});
    NS_TEST_EXPECT_MSG_EQ((Receive(2, false, true) == Answer::ACK), true, "a mark");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({3, 4, 5, 6}), "---A", "the count begins anew");
    NS_TEST_EXPECT_MSG_EQ((Receive(7, true) == Answer::ACK), true, "a request");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({8, 9}), "--", "the count begins anew");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({8}), "A", "a duplicate");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({10, 11, 12, 13}), "---A", "the count begins anew");
    NS_TEST_EXPECT_MSG_EQ(m_responder.GetCounters().packetsDiscarded, 1, "the duplicate");
}

FABRIC_TEST_F(SprayResponderTestCase, g_spray, "A gap that is filled after a request")
{
    Begin(100 * MTU);
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({0, 2, 1, 3}), "A---", "nobody has asked");
    NS_TEST_EXPECT_MSG_EQ((Receive(6, true) == Answer::ACK), true, "a request");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({5, 4}), "-A", "the last gap");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({8, 7, 10, 9}), "----", "the request was answered");
    NS_TEST_EXPECT_MSG_EQ((Receive(12, true) == Answer::ACK), true, "a request");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({13, 15, 11}), "---", "14 is missing");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({14}), "A", "now nothing is");
    NS_TEST_EXPECT_MSG_EQ((Receive(16, true) == Answer::ACK), true, "a request without a gap");
    NS_TEST_EXPECT_MSG_EQ(ReceiveAll({18, 17, 20, 19}), "----", "was answered");
}

/// The bytes of each header, written by hand, and back.
struct SprayWireTestCase : FabricTestCase
{
    /// @return the bytes behind the BTH, as hexadecimal digits
    std::string Write(const FabricFrame& frame)
    {
        Buffer buffer;
        buffer.AddAtStart(m_codec.GetBytes(frame.opcode, 0));
        Buffer::Iterator i = buffer.Begin();
        m_codec.Write(i, frame);
        std::ostringstream os;
        for (Buffer::Iterator b = buffer.Begin(); !b.IsEnd();)
        {
            const char* digits = "0123456789abcdef";
            const uint8_t byte = b.ReadU8();
            os << digits[byte >> 4] << digits[byte & 15];
        }
        const Ptr<FabricFrame> read = m_pool->Create();
        read->opcode = frame.opcode;
        m_codec.Read(buffer.Begin(), *read);
        NS_TEST_EXPECT_MSG_EQ(read->msn, frame.msn, "what is read is what was written");
        NS_TEST_EXPECT_MSG_EQ(read->offset, frame.offset, "what is read is what was written");
        NS_TEST_EXPECT_MSG_EQ(read->syndrome, frame.syndrome, "what is read is what was written");
        if (SprayCodec::HasDemand(frame.opcode))
        {
            const DemandFields& demand = read->GetExtra().demand;
            NS_TEST_EXPECT_MSG_EQ(demand.wanted, frame.GetExtra().demand.wanted, "wanted");
            NS_TEST_EXPECT_MSG_EQ(demand.unsolicited,
                                  frame.GetExtra().demand.unsolicited,
                                  "unsolicited");
            return os.str();
        }
        const SackFields& a = read->GetExtra().sack;
        const SackFields& b = frame.GetExtra().sack;
        const bool isSame = a.bitmap == b.bitmap && a.receivedBytes == b.receivedBytes &&
                            a.cumulativePsn == b.cumulativePsn && a.bitmapPsn == b.bitmapPsn &&
                            a.outOfOrder == b.outOfOrder && a.penalty == b.penalty &&
                            a.probe == b.probe;
        NS_TEST_EXPECT_MSG_EQ(isSame, true, "what is read is what was written");
        return os.str();
    }

    SprayCodec m_codec;                                     //!< what is tested
    Ptr<FabricFramePool> m_pool{Create<FabricFramePool>()}; //!< of frames
};

FABRIC_TEST_F(SprayWireTestCase, g_spray, "bytes of sprayed packets, their ACKs and NACKs: headers")
{
    const Ptr<FabricFrame> data = m_pool->Create();
    data->opcode = SPRAY_DATA;
    data->msn = 0xDEADBEEF;
    data->offset = 0x80012345;
    NS_TEST_EXPECT_MSG_EQ(Write(*data), "deadbeef80012345", "key; sent again, and place");
    data->opcode = SPRAY_LAST;
    data->offset = 7;
    NS_TEST_EXPECT_MSG_EQ(Write(*data), "deadbeef00000007", "key; place");
    const Ptr<FabricFrame> ack = m_pool->Create();
    ack->opcode = SPRAY_ACK;
    ack->syndrome = 1;
    ack->msn = 0xABCDEF;
    SackFields& sack = ack->Extra().sack;
    sack.bitmap = 0x8000000000000001;
    sack.receivedBytes = 0x103456789ABC;
    sack.cumulativePsn = 0xFFFFFE;
    sack.bitmapPsn = 0x000102;
    sack.outOfOrder = 0xCAFE0001;
    sack.penalty = 0x7F;
    sack.probe = 0x5A;
    NS_TEST_EXPECT_MSG_EQ(Write(*ack),
                          "01abcdef"         // triggered by a packet sent again; MSN
                          "7ffffffe"         // penalty; cumulative PSN
                          "5a000102"         // probe; PSN of bit 0
                          "8000000000000001" // bitmap
                          "0000103456789abc" // bytes
                          "cafe0001",        // out of order
                          "ACK");
    const Ptr<FabricFrame> nack = m_pool->Create();
    nack->opcode = SPRAY_NACK;
    nack->syndrome = SprayCodec::TRIMMED_LAST_HOP;
    nack->msn = 0x000003;
    NS_TEST_EXPECT_MSG_EQ(Write(*nack), "02000003", "reason; MSN");
    const Ptr<FabricFrame> probe = m_pool->Create();
    probe->opcode = SPRAY_PROBE;
    probe->syndrome = 0xC7;
    probe->msn = 0x123456;
    NS_TEST_EXPECT_MSG_EQ(Write(*probe), "c7123456", "number; end of what it asks for");
}

FABRIC_TEST_F(SprayWireTestCase, g_spray, "Those of credit")
{
    const Ptr<FabricFrame> credit = m_pool->Create();
    credit->opcode = SPRAY_CREDIT;
    credit->msn = 0xFEDCBA;
    NS_TEST_EXPECT_MSG_EQ(Write(*credit), "00fedcba", "credit");
    const Ptr<FabricFrame> request = m_pool->Create();
    request->opcode = SPRAY_REQUEST;
    request->Extra().demand = {0x123456, 0xFFFFFF};
    NS_TEST_EXPECT_MSG_EQ(Write(*request), "0012345600ffffff", "wanted; unsolicited");
    const Ptr<FabricFrame> data = m_pool->Create();
    data->opcode = SPRAY_DEMAND_LAST;
    data->Extra().demand = {0xABCDEF, 0x000001};
    data->msn = 0xDEADBEEF;
    data->offset = 0x80012345;
    NS_TEST_EXPECT_MSG_EQ(Write(*data),
                          "00abcdef"  // wanted
                          "00000001"  // unsolicited
                          "deadbeef"  // key
                          "80012345", // sent again, and place
                          "data with demand");
}

FABRIC_TEST_F(SprayWireTestCase, g_spray, "Lengths, and who may carry bytes of a message")
{
    for (uint32_t opcode = SPRAY_DATA; opcode < 0x100; ++opcode)
    {
        const bool isData = opcode == SPRAY_DATA || opcode == SPRAY_LAST ||
                            opcode == SPRAY_DEMAND_DATA || opcode == SPRAY_DEMAND_LAST;
        const bool isKnown = isData || (opcode >= SPRAY_ACK && opcode <= SPRAY_REQUEST);
        NS_TEST_EXPECT_MSG_EQ(m_codec.Supports(opcode), isKnown, +opcode);
        NS_TEST_EXPECT_MSG_EQ(m_codec.MayCarry(opcode), isData, +opcode);
    }
    using Row = std::tuple<uint8_t, uint32_t, bool, uint32_t>;
    // Ethernet, IP, UDP, BTH, extension, data and pad, ICRC, FCS
    for (const auto& [opcode, payload, ipv6, bytes] :
         {Row{SPRAY_DEMAND_DATA, 4086, false, 14 + 20 + 8 + 12 + 16 + 4088 + 4 + 4},
          Row{SPRAY_REQUEST, 0, false, 14 + 20 + 8 + 12 + 8 + 4 + 4},
          Row{SPRAY_CREDIT, 0, true, 14 + 40 + 8 + 12 + 4 + 4 + 4},
          Row{SPRAY_DATA, 4086, false, 14 + 20 + 8 + 12 + 8 + 4088 + 4 + 4},
          Row{SPRAY_ACK, 0, true, 14 + 40 + 8 + 12 + 32 + 4 + 4},
          Row{SPRAY_NACK, 0, false, 14 + 20 + 8 + 12 + 4 + 4 + 4},
          Row{SPRAY_PROBE, 0, false, 14 + 20 + 8 + 12 + 4 + 4 + 4}})
    {
        NS_TEST_EXPECT_MSG_EQ(FrameCodec::RoceWireBytes(opcode, payload, ipv6), bytes, +opcode);
    }
}

/// Messages of all lengths come once, in order, with their keys; the control hears of each byte
/// once; and nothing is sent again where nothing is lost.
struct SprayMessagesTestCase : FabricTestCase
{
    /// @param ipv6 whether in IPv6
    void Check(const std::string& policy,
               uint32_t bytes,
               uint64_t window,
               bool ipv6,
               bool wobbles = false)
    {
        const std::vector<uint64_t> lengths{0, 0, 0, 1, 1, 4097, 4096, 0, 1, 1 << 20, 4097, 0};
        ClosHelper clos;
        SetAckPolicy(clos, policy, bytes);
        clos.SetNicAttribute("IpVersion", StringValue(ipv6 ? "6" : "4"));
        Ptr<Fabric> fabric = InstallFabric(clos, LeafSpine(2, 4, 2));
        RoceHelper roce = SprayHelper(window, wobbles);
        roce.SetQueuePairAttribute("FirstPsn", UintegerValue((1 << 24) - 20));
        const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(3));
        Messages came;
        ends.second->SetReceiveCallback(Note(came));
        Messages expected;
        uint64_t total = 0;
        for (const uint64_t bytes : lengths)
        {
            ends.first->PostWrite(bytes, {}, 0xFFFF0000 + expected.size());
            expected.emplace_back(bytes, 0xFFFF0000 + expected.size());
            total += bytes;
        }
        for (uint32_t i = 0; i < 300; ++i)
        {
            ends.first->PostWrite(1, {}, i);
            expected.emplace_back(1, i);
        }
        Simulator::Run();
        total += 300;
        NS_TEST_EXPECT_MSG_EQ((came == expected), true, "each message once, in order");
        NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), 0, "all are acknowledged");
        const Ptr<SprayControl> control = ControlOf(ends.first);
        NS_TEST_EXPECT_MSG_EQ(control->acknowledged, total, "the control hears of each byte once");
        const QueuePair::Counters sent = ends.first->GetCounters();
        const QueuePair::Counters got = ends.second->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(got.packetsAccepted, ends.first->GetPosted(), "each packet");
        NS_TEST_EXPECT_MSG_EQ(got.bytesAccepted, total, "each byte");
        NS_TEST_EXPECT_MSG_EQ(control->reports, got.acksSent, "each ACK comes");
        NS_TEST_EXPECT_MSG_EQ(sent.timeouts, 0, "no timer expires");
        NS_TEST_EXPECT_MSG_EQ(sent.retransmissions, 0, "nothing is sent again");
        if (policy == "PerPacket")
        {
            NS_TEST_EXPECT_MSG_EQ(got.acksSent, got.packetsAccepted, "an ACK for each");
            const auto balancer = DynamicCast<SprayBalancer>(ends.first->GetBalancer());
            std::vector<uint32_t> chosen;
            for (const auto& entry : balancer->chosen)
            {
                chosen.push_back(entry.second.back());
            }
            std::vector<uint32_t> heard = balancer->heard[PathEvent::GOOD];
            std::sort(chosen.begin(), chosen.end());
            std::sort(heard.begin(), heard.end());
            NS_TEST_EXPECT_MSG_EQ((heard == chosen), true, "with the entropy of its packet");
        }
        fabric->Dispose();
    }
};

/// A long message has an ACK for each so many bytes, and one for its last packet; several of them
/// may be asked for by a full window.
struct SprayCoalescingTestCase : FabricTestCase
{
    /// @return ACKs of a message of 256 packets
    uint64_t Count(uint32_t bytes, uint64_t window, uint32_t messages)
    {
        ClosHelper clos;
        SetAckPolicy(clos, "Unordered", bytes);
        Ptr<Fabric> fabric = clos.Install(LeafSpine(2, 1, 1));
        const auto ends = SprayHelper(window).Connect(fabric->GetNic(0), fabric->GetNic(1));
        for (uint32_t i = 0; i < messages; ++i)
        {
            ends.first->PostWrite(1 << 20);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), 0, "all are acknowledged");
        NS_TEST_EXPECT_MSG_EQ(ends.first->GetCounters().timeouts, 0, "no timer expires");
        const uint64_t acks = ends.second->GetCounters().acksSent;
        Simulator::Destroy();
        return acks;
    }
};

FABRIC_TEST_F(SprayCoalescingTestCase, g_spray, "an ACK for several packets")
{
    NS_TEST_EXPECT_MSG_EQ(Count(4 * 4096, 1000, 1), 1 + 256 / 4, "one of four, and the ends");
    NS_TEST_EXPECT_MSG_EQ(Count(8 * 4096, 1000, 1), 1 + 256 / 8, "one of eight, and the ends");
    NS_TEST_EXPECT_MSG_EQ(Count(1, 1000, 1), 256, "each");
    NS_TEST_EXPECT_MSG_EQ(Count(4 * 4096, 3, 1), 256, "windows of less than four packets");
    const uint64_t asked = Count(15 * 4096, 16, 1);
    NS_TEST_EXPECT_MSG_GT(asked, 256 / 16, "a full window asks");
    NS_TEST_EXPECT_MSG_LT(asked, 256, "and not each packet");
}

/// Packets that a switch trims are refused with the reason, and sent again; control and balancer
/// hear of each, with the entropy that the packet had.
struct SprayTrimmingTestCase : FabricTestCase
{
    /// Packets that were marked before the last switch trimmed them.
    void RunMarked()
    {
        ClosHelper clos;
        clos.SetAdmission(FactoryOf("TrimmingBuffer", {{"PortBytes", 20000}, {"Victim", "Coin"}}));
        clos.SetMarker(FactoryOf("StepMarker", {{"Threshold", 0}}));
        Ptr<Fabric> fabric = InstallFabric(clos, LeafSpine(2, 1, 3));
        RoceHelper roce = SprayHelper();
        const RoceHelper::Ends ends[] = {roce.Connect(fabric->GetNic(4), fabric->GetNic(3)),
                                         roce.Connect(fabric->GetNic(5), fabric->GetNic(3))};
        uint64_t refused = 0;
        uint64_t marked = 0;
        uint64_t unmarked = 0; // trimmed on arrival, before they were marked
        for (const auto& [sender, receiver] : ends)
        {
            sender->PostWrite(400000);
        }
        Simulator::Run();
        for (const auto& [sender, receiver] : ends)
        {
            auto& heard = DynamicCast<SprayBalancer>(sender->GetBalancer())->heard;
            refused += sender->GetCounters().naksReceived;
            marked += heard[PathEvent::MARKED].size() - ControlOf(sender)->marks;
            unmarked += heard[PathEvent::TRIMMED_LAST_HOP].size();
        }
        NS_TEST_EXPECT_MSG_EQ(marked + unmarked, refused, "a NACK reports a mark, or a good path");
        NS_TEST_EXPECT_MSG_GT(marked, 10, "marked packets were trimmed");
        Simulator::Destroy();
    }

    /// @param isLastHop whether the link to the receiver is too slow, or one within the fabric
    void Run(bool isLastHop)
    {
        ClosHelper clos;
        clos.SetAdmission(FactoryOf("TrimmingBuffer", {{"PortBytes", 20000}}));
        clos.SetNicAttribute("AckPolicyType", TypeIdValue(UnorderedAckPolicy::GetTypeId()));
        Ptr<Fabric> fabric = InstallFabric(clos, LeafSpine(2, 1, 3));
        RoceHelper roce = SprayHelper();
        roce.SetQueuePairAttribute("AckDscp", UintegerValue(48));
        std::vector<RoceHelper::Ends> all;
        for (uint32_t host = 0; host < 3; ++host)
        {
            all.push_back(
                roce.Connect(fabric->GetNic(host), fabric->GetNic(isLastHop ? 3 : 3 + host)));
            if (isLastHop && host > 0)
            {
                all.pop_back(); // the uplink is no bottleneck
                all.push_back(roce.Connect(fabric->GetNic(3 + host), fabric->GetNic(3)));
            }
            all.back().first->PostWrite(400000);
        }
        Simulator::Run();
        const LossReason reason = isLastHop ? LossReason::TRIMMED_LAST_HOP : LossReason::TRIMMED;
        const PathEvent event = isLastHop ? PathEvent::TRIMMED_LAST_HOP : PathEvent::TRIMMED;
        uint64_t refused = 0;
        for (const RoceHelper::Ends& ends : all)
        {
            const QueuePair::Counters sent = ends.first->GetCounters();
            const auto control = ControlOf(ends.first);
            const auto balancer = DynamicCast<SprayBalancer>(ends.first->GetBalancer());
            NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), 0, "all is delivered");
            NS_TEST_EXPECT_MSG_EQ(sent.timeouts, 0, "without a timer");
            NS_TEST_EXPECT_MSG_EQ(sent.naksReceived, sent.retransmissions, "each is sent again");
            NS_TEST_EXPECT_MSG_EQ(ends.second->GetCounters().naksSent,
                                  sent.naksReceived,
                                  "each NACK comes");
            NS_TEST_EXPECT_MSG_EQ(ends.second->GetCounters().packetsDiscarded, 0, "once each");
            NS_TEST_EXPECT_MSG_EQ(control->lost[reason], sent.naksReceived, "and says why");
            NS_TEST_EXPECT_MSG_EQ(control->lost.size(),
                                  (sent.naksReceived > 0 ? 1 : 0),
                                  "no other reason");
            NS_TEST_EXPECT_MSG_EQ(control->acknowledged, 400000, "each byte once");
            refused += sent.naksReceived;
            CheckEntropies(*balancer, event, sent.naksReceived);
            const uint64_t again =
                std::count_if(balancer->chosen.begin(),
                              balancer->chosen.end(),
                              [](const auto& entry) { return entry.second.size() > 1; });
            NS_TEST_EXPECT_MSG_EQ(control->again, again, "ACKs of packets that were sent again");
        }
        NS_TEST_EXPECT_MSG_GT(refused, 10, "packets were trimmed");
        Simulator::Destroy();
    }

    /// The balancer hears of the entropies of trimmed transmissions: of each packet, the first ones
    /// that it chose.
    void CheckEntropies(SprayBalancer& balancer, PathEvent event, uint64_t count)
    {
        std::vector<uint32_t> expected;
        for (const auto& entry : balancer.chosen)
        {
            const std::vector<uint32_t>& entropies = entry.second;
            expected.insert(expected.end(), entropies.begin(), entropies.end() - 1);
        }
        std::vector<uint32_t> heard = balancer.heard[event];
        NS_TEST_EXPECT_MSG_EQ(heard.size(), count, "one for each NACK");
        std::sort(expected.begin(), expected.end());
        std::sort(heard.begin(), heard.end());
        NS_TEST_EXPECT_MSG_EQ((heard == expected), true, "all transmissions but the last ones");
    }
};

FABRIC_TEST_F(SprayTrimmingTestCase, g_spray, "reasons of NACKs")
{
    Run(true);
    Run(false);
    RunMarked();
}

/// Retransmissions have a DSCP of their own if one is set; switches can trim them later than other
/// packets.
struct SprayRetransmissionTestCase : FabricTestCase
{
    static constexpr uint8_t ALIKE = 64;        //!< RetransmissionDscp: that of data
    static constexpr uint8_t DATA = 26;         //!< DSCP of data
    static constexpr uint8_t AGAIN = 28;        //!< DSCP of retransmissions, of the same class
    static constexpr uint32_t ROOM = 20000;     //!< PortBytes
    static constexpr uint32_t HOSTS = 6;        //!< of two leaves
    static constexpr uint64_t BYTES = 1000000;  //!< of a message
    static constexpr uint32_t MARK = 1U << 31U; //!< in the offset of a retransmission

    /// @return how many retransmissions were sent again
    uint64_t Run(uint8_t dscp, uint32_t bytes)
    {
        ClosHelper clos;
        clos.SetAdmission(FactoryOf(
            "TrimmingBuffer",
            {{"PortBytes", ROOM}, {"RetransmissionBytes", bytes}, {"RetransmissionDscp", AGAIN}}));
        Ptr<Fabric> fabric = InstallFabric(clos, LeafSpine(2, 1, HOSTS / 2));
        RoceHelper roce = SprayHelper();
        roce.SetQueuePairAttribute("AckDscp", UintegerValue(48));
        roce.SetQueuePairAttribute("RetransmissionDscp", UintegerValue(dscp));
        std::map<std::pair<bool, uint32_t>, uint64_t> dscps; // whether again, and the DSCP
        std::vector<Ptr<QueuePair>> senders;
        for (uint32_t host = 0; host < HOSTS / 2; ++host)
        {
            const auto nic = fabric->GetNic(host);
            Trace(*nic->GetPort(0), "Send", [&dscps](Ptr<const FabricFrame> frame) {
                const bool isAgain = (frame->offset & MARK) != 0;
                ++dscps[{isAgain, frame->GetTos() >> 2}];
            });
            senders.push_back(roce.Connect(nic, fabric->GetNic(HOSTS / 2 + host)).first);
            senders.back()->PostWrite(BYTES);
        }
        Simulator::Run();
        uint64_t again = 0;
        uint64_t thrice = 0;
        for (const Ptr<QueuePair>& sender : senders)
        {
            NS_TEST_EXPECT_MSG_EQ(sender->GetPendingMessages(), 0, "all is delivered");
            NS_TEST_EXPECT_MSG_EQ(sender->GetCounters().timeouts, 0, "without a timer");
            again += sender->GetCounters().retransmissions;
            for (const auto& entry : DynamicCast<SprayBalancer>(sender->GetBalancer())->chosen)
            {
                thrice += entry.second.size() > 2 ? entry.second.size() - 2 : 0;
            }
        }
        NS_TEST_EXPECT_MSG_GT(again, 100, "packets are sent again");
        NS_TEST_EXPECT_MSG_EQ(dscps.size(), 2, "a DSCP of each kind");
        const uint64_t expected = dscps[{true, dscp == ALIKE ? DATA : dscp}];
        NS_TEST_EXPECT_MSG_EQ(expected, again, "that of retransmissions");
        NS_TEST_EXPECT_MSG_GT((dscps[{false, DATA}]), 700, "that of other packets");
        Simulator::Destroy();
        return thrice;
    }
};

FABRIC_TEST_F(SprayRetransmissionTestCase, g_spray, "DSCP and room of retransmissions")
{
    NS_TEST_EXPECT_MSG_GT(Run(ALIKE, 0), 20, "a retransmission is trimmed as other packets");
    NS_TEST_EXPECT_MSG_GT(Run(AGAIN, 0), 20, "whatever its DSCP is");
    NS_TEST_EXPECT_MSG_EQ(Run(AGAIN, 100 * ROOM), 0, "unless it has room of its own");
    NS_TEST_EXPECT_MSG_GT(Run(ALIKE, 100 * ROOM), 20, "which needs the DSCP");
}

/// The timeout doubles with each expiration, and is what it was after an acknowledgement; after
/// RetryLimit expirations in a row the queue pair gives up.
struct SprayBackOffTestCase : FabricTestCase
{
    static constexpr int64_t TIMEOUT = 50; //!< us

    /// @return when the timer expires, in us  @param up when the link begins to work, in us
    /// @param down when it ends, for 10 us
    std::vector<int64_t> Run(double up, double down, bool backsOff, uint32_t retries)
    {
        Default("SelectiveRepeatRecovery::Sleek", "Never");
        Default("SelectiveRepeatRecovery::BackOff", backsOff);
        Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(2, 1, 1));
        Break(*fabric, 0, up);
        Break(*fabric, down, down + 10);
        RoceHelper roce = SprayHelper(1);
        roce.SetQueuePairAttribute("AckTimeout", TimeValue(MicroSeconds(TIMEOUT)));
        roce.SetQueuePairAttribute("RetryLimit", UintegerValue(retries));
        roce.SetQueuePairAttribute("RetryTime", TimeValue(Time(0)));
        const auto ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
        std::vector<int64_t> times;
        Trace(*ends.first, "Timeout", [&times](uint32_t) {
            times.push_back(FabricClock::Now() / 1000000);
        });
        ends.first->PostWrite(50000);
        Simulator::Run();
        const bool isLost = up > 1e6;
        NS_TEST_EXPECT_MSG_EQ(ends.first->HasFailed(), isLost, "it gives up, or does not");
        NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), (isLost ? 1 : 0), "messages");
        Simulator::Destroy();
        return times;
    }

    /// Let a cable lose everything.  @param from when, in us  @param until when, in us
    void Break(const Fabric& fabric, double from, double until)
    {
        const Ptr<LinkFault> fault = Fail(
            fabric,
            0,
            {{"Start", MicroSeconds(from)}, {"Stop", MicroSeconds(until)}, {"LossProbability", 1}});
        FailureHelper::AssignStreams({fault}, 1);
    }
};

FABRIC_TEST_F(SprayBackOffTestCase, g_spray, "the timeout doubles until something is acknowledged")
{
    using Times = std::vector<int64_t>;
    NS_TEST_EXPECT_MSG_EQ((Run(1e9, 1e9, true, 3) == Times{50, 150, 350, 750}),
                          true,
                          "it doubles, and gives up after the fourth");
    NS_TEST_EXPECT_MSG_EQ((Run(1e9, 1e9, false, 3) == Times{50, 100, 150, 200}), true, "it stays");
    // The link works from 200 us to 360 us: the transmission at 350 us arrives, and two more
    // packets. What the link loses after that is sent again 50 us later, not 400 us.
    const Times times = Run(200, 360, true, 7);
    NS_TEST_ASSERT_MSG_EQ(times.size(), 4, "timeouts");
    NS_TEST_EXPECT_MSG_EQ(times[2], 350, "the third");
    NS_TEST_EXPECT_MSG_LT(times[3], 420, "the fourth");
}

/// A fork has the attributes of its original, and works like one that was made by them.
struct SprayForkTestCase : FabricTestCase
{
    /// @return when a message was acknowledged, and ACKs
    std::pair<Time, uint64_t> Run(bool isForked)
    {
        Default("SprayQueuePair::Mtu", 1024);
        Default("SprayQueuePair::LastHopDscp", 51);
        ClosHelper clos;
        SetAckPolicy(clos, "Unordered", 8192);
        clos.SetNicAttribute("QueuePairType", TypeIdValue(SprayQueuePair::GetTypeId()));
        Ptr<Fabric> fabric = InstallFabric(clos, LeafSpine(2, 2, 1));
        std::vector<Ptr<QueuePair>> ends;
        for (const uint32_t host : {0, 1})
        {
            const auto made = fabric->GetNic(host)->MakeQueuePair();
            ends.push_back(isForked ? made->Fork() : made);
            NS_TEST_EXPECT_MSG_NE(DynamicCast<SprayQueuePair>(ends.back()), nullptr, "its class");
            UintegerValue dscp;
            ends.back()->GetAttribute("LastHopDscp", dscp);
            NS_TEST_EXPECT_MSG_EQ(dscp.Get(), 51, "its attribute");
            fabric->GetNic(host)->AddQueuePair(ends.back());
        }
        ends[0]->Connect(1, ends[1]->GetNumber());
        ends[1]->Connect(0, ends[0]->GetNumber());
        Time done;
        ends[0]->PostWrite(100000, CallbackOf([&done](Ptr<QueuePair>, uint64_t) {
                               done = Simulator::Now();
                           }));
        Simulator::Run();
        const uint64_t acks = ends[1]->GetCounters().acksSent;
        NS_TEST_EXPECT_MSG_GT(done, Time(0), "it is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(acks, 1 + 12 + 1, "98 packets, an ACK for eight");
        Simulator::Destroy();
        return {done, acks};
    }
};

FABRIC_TEST_F(SprayForkTestCase, g_spray, "a fork")
{
    NS_TEST_EXPECT_MSG_EQ((Run(true) == Run(false)), true, "the same messages and times");
}

/// Whatever is lost, trimmed and acknowledged by any policy, the laws of connections hold, and the
/// control is informed of each byte and each loss once.
struct SprayPropertyTestCase : ConnectionFuzz
{
    static constexpr uint32_t SEEDS = 50; //!< of a case

    SprayPropertyTestCase()
    {
        m_mostMessages = 8;
        m_longestMessage = 200;
    }

    void CheckSeeds() override
    {
        NS_TEST_EXPECT_MSG_GT(m_trimmed, SEEDS, "frames were trimmed");
        NS_TEST_EXPECT_MSG_GT(m_lost, SEEDS, "frames were lost");
    }

    Ptr<Fabric> Draw() override
    {
        Default("SprayQueuePair::Mtu", Pick({64, 1000, 4096, 4096}));
        Default("SelectiveRepeatRecovery::OutOfOrderLimit", Pick({0, 0, 1, 5, 40}));
        ClosHelper clos;
        const uint64_t bytes = Pick({5000, 9000, 20000, 60000});
        if (m_random() % 4 > 0)
        {
            clos.SetAdmission(FactoryOf("TrimmingBuffer",
                                        {{"PortBytes", bytes},
                                         {"OtherBytes", Pick({200, 2000, 800000})},
                                         {"Victim", m_random() % 2 ? "Coin" : "Arriving"}}));
        }
        else
        {
            clos.SetAdmission(FactoryOf("PortBuffer", {{"PortBytes", bytes}}));
        }
        if (m_random() % 2)
        {
            clos.SetMarker(FactoryOf("StepMarker", {{"Threshold", bytes / 3}}));
        }
        const std::vector<std::string> policies{"PerPacket", "Coalesced", "Unordered"};
        SetAckPolicy(clos, policies[m_random() % 3], Pick({1, 4096, 16384, 61440}));
        clos.SetNicAttribute("IpVersion", StringValue(m_random() % 2 ? "6" : "4"));
        Ptr<Fabric> fabric =
            InstallFabric(clos, LeafSpine(2 + m_random() % 2, 1 + m_random() % 4, 2));
        Lose(*fabric);
        return fabric;
    }

    /// Let cables lose frames.
    void Lose(const Fabric& fabric)
    {
        std::vector<Ptr<LinkFault>> faults;
        for (uint32_t count = m_random() % 4; count > 0; --count)
        {
            const double loss = 0.001 * Pick({1, 10, 50, 150});
            const uint32_t link = m_random() % fabric.GetChannelCount();
            faults.push_back(Fail(fabric, link, {{"LossProbability", loss}}));
        }
        FailureHelper::AssignStreams(faults, 1000);
    }

    void Connect(const Fabric& fabric) override
    {
        RoceHelper roce = SprayHelper(Pick({1, 5, 30, 1000000, 1000000}), m_random() % 2);
        roce.SetBalancer(FactoryOf("HostRandomBalancer"));
        roce.SetQueuePairAttribute("AckTimeout", TimeValue(MicroSeconds(Pick({100, 300}))));
        roce.SetQueuePairAttribute("FirstPsn", UintegerValue(Pick({0, (1 << 24) - 10})));
        roce.SetQueuePairAttribute("AckDscp", UintegerValue(Pick({26, 48})));
        roce.SetQueuePairAttribute("RetryLimit", UintegerValue(12));
        const uint32_t hosts = fabric.GetGraph().HostCount();
        for (uint32_t host = 0; host < hosts; ++host)
        {
            const uint32_t peer = m_random() % 4 ? 0 : m_random() % hosts;
            if (peer != host)
            {
                AddStreams(roce.Connect(fabric.GetNic(host), fabric.GetNic(peer)));
            }
        }
    }

    void PostMessage(std::size_t stream, uint64_t bytes, uint32_t key) override
    {
        ScheduleFunction(NanoSeconds(1000 * m_streams[stream].drawn),
                         [this, stream, bytes, key] { PostNow(stream, bytes, key); });
    }

    void CheckStream(const Stream& stream) override
    {
        const QueuePair::Counters sent = stream.sender->GetCounters();
        const QueuePair::Counters got = stream.receiver->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(ControlOf(stream.sender)->acknowledged,
                              stream.bytes,
                              m_what << ": the control hears of each byte once");
        NS_TEST_EXPECT_MSG_EQ(sent.dataPackets,
                              stream.sender->GetPosted() + sent.retransmissions,
                              m_what << ": sent");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sent.naksReceived, got.naksSent, m_what << ": NACKs");
        const auto& losses = ControlOf(stream.sender)->lost;
        uint64_t lost = 0;
        for (const auto& loss : losses)
        {
            lost += loss.second;
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sent.retransmissions, lost, m_what << ": known to be lost");
        const auto timeouts = losses.find(LossReason::PACKET_TIMEOUT);
        NS_TEST_EXPECT_MSG_EQ(sent.timeouts,
                              (timeouts == losses.end() ? 0 : timeouts->second),
                              m_what << ": timeouts");
    }

    /// No frame is unaccounted for.
    void CheckRun(const Fabric& fabric) override
    {
        uint64_t sent = 0;
        uint64_t taken = 0;
        for (const Stream& stream : m_streams)
        {
            const QueuePair::Counters data = stream.sender->GetCounters();
            const QueuePair::Counters answers = stream.receiver->GetCounters();
            PolicyCounters policies;
            stream.sender->CountPolicies(policies);
            sent += data.dataPackets + answers.acksSent + answers.naksSent + policies["probes"] +
                    policies["report_requests"];
            taken += answers.packetsAccepted + answers.packetsDiscarded;
        }
        uint64_t came = 0;
        uint64_t given = 0;
        for (uint32_t host = 0; host < fabric.GetGraph().HostCount(); ++host)
        {
            const auto& counters = fabric.GetNic(host)->GetCounters();
            given += counters.data;
            came += counters.data + counters.acks + counters.trimmed;
            m_trimmed += counters.trimmed;
        }
        uint64_t gone = 0;
        ForEachPort(fabric, [&gone](FabricPort& port) {
            gone += port.GetTransmitter().GetCounters().lostFrames;
        });
        m_lost += gone;
        NS_TEST_EXPECT_MSG_EQ(given, taken, m_what << ": accepted and discarded");
        NS_TEST_EXPECT_MSG_EQ(came + gone + CountRefused(fabric),
                              sent,
                              m_what << ": came, lost on cables, dropped");
    }

    uint64_t m_trimmed{0}; //!< frames that arrived trimmed
    uint64_t m_lost{0};    //!< frames that were lost on cables
};

FABRIC_ROWS(g_spray)
{
    using Messages = SprayMessagesTestCase;
    for (const bool ipv6 : {false, true})
    {
        const std::string ip = ipv6 ? "IPv6, " : "IPv4, ";
        rows.AddRow<Messages>(ip + "an ACK a packet", "PerPacket", 0, 1000000, ipv6);
        rows.AddRow<Messages>(ip + "coalesced ACKs", "Coalesced", 16384, 64, ipv6);
        for (const uint64_t window : {1, 7, 1000})
        {
            const std::string name = ip + "window " + std::to_string(window);
            rows.AddRow<Messages>(name + ", many ACKs", "Unordered", 4096, window, ipv6);
            rows.AddRow<Messages>(name + ", few ACKs", "Unordered", 61440, window, ipv6);
        }
    }
    rows.AddRow<SprayPropertyTestCase>("random losses, trimming and policies",
                                       1,
                                       SprayPropertyTestCase::SEEDS);
    rows.AddRow<SprayPropertyTestCase>("more random losses, trimming and policies",
                                       51,
                                       SprayPropertyTestCase::SEEDS);
}
