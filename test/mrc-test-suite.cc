/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/ev-denylist.h"
#include "ns3/ingress-stage.h"
#include "ns3/link-fault.h"
#include "ns3/mrc-ack-policy.h"
#include "ns3/mrc-balancer.h"
#include "ns3/mrc-codec.h"
#include "ns3/mrc-message-numbers.h"
#include "ns3/mrc-queue-pair.h"
#include "ns3/mrc-recovery.h"
#include "ns3/port-status.h"
#include "ns3/psn-window.h"
#include "ns3/trimming-buffer.h"

#include <limits>

static Suite g_mrc("ai-fabric-mrc");

namespace
{

using Numbers = std::vector<uint64_t>; //!< of packets

constexpr int64_t RTT = 10000;       //!< base RTT in picoseconds
constexpr uint8_t FIRST = 4;         //!< DSCP of first transmissions
constexpr uint8_t AGAIN = 8;         //!< DSCP of retransmissions
constexpr uint8_t LAST_HOP = 45;     //!< DSCP of packets that the last switch has trimmed
constexpr int64_t QUEUE = 1'000'000; //!< what a full queue takes, in picoseconds: 50 kB

/// @return a SACK  @param trigger the packet that triggers it
/// @param cumulative the first packet that has not come  @param bits of the packets from there on
AckReport
MakeSack(uint64_t trigger, int64_t sentAt, uint64_t cumulative, uint64_t bits)
{
    AckReport report;
    report.psn = trigger & PsnWindow::PSN_MASK;
    report.sentAt = sentAt;
    report.cumulativePsn = cumulative & PsnWindow::PSN_MASK;
    report.bitmapPsn = report.cumulativePsn;
    report.bitmap = bits;
    report.outOfOrder = __builtin_popcountll(bits);
    return report;
}

/// @return a fabric whose switches follow the labels of MRC
Ptr<Fabric>
MakeFabric(const FabricGraph& graph, bool trims = false, uint8_t trimmed = 1)
{
    ClosHelper clos;
    clos.SetBalancerType(MrcBalancer::GetTypeId());
    if (trims)
    {
        clos.SetAdmission(FactoryOf("TrimmingBuffer",
                                    {{"PortBytes", 50000},
                                     {"Classes", trimmed},
                                     {"TrimmedDscp", 44},
                                     {"LastHopDscp", 45}}));
    }
    return InstallFabric(clos, graph);
}

/// @return what a queue pair and its policies have counted
PolicyCounters
CountPolicies(const Ptr<QueuePair>& queuePair)
{
    PolicyCounters counters;
    queuePair->CountPolicies(counters);
    return counters;
}

} // namespace

/// MrcRecovery step by step: the sending end.
struct MrcRecoveryTestCase : FabricTestCase
{
    /// @return a recovery that has sent packets at 0, 10, 20 ... ps on four paths in turn
    Ptr<MrcRecovery> MakeSent(uint64_t packets, bool trims = true)
    {
        auto recovery = CreateObject<MrcRecovery>();
        FabricFacts facts;
        facts.baseRtt = PicoSeconds(RTT);
        facts.trims = trims;
        NS_TEST_EXPECT_MSG_EQ(recovery->Start(facts), false, "it needs no window");
        for (uint64_t number = 0; number < packets; ++number)
        {
            Take(*recovery, number, 10 * number, number % 4, false);
        }
        return recovery;
    }

    /// @param number the packet that it should send  @param isAgain whether it was sent before
    void Take(MrcRecovery& recovery,
              uint64_t number,
              int64_t start,
              uint32_t entropy,
              bool isAgain,
              uint16_t plane = 0)
    {
        NS_TEST_EXPECT_MSG_EQ(recovery.HasNext(1000000), true, "packet " << number);
        NS_TEST_EXPECT_MSG_EQ(recovery.TakeNext(start).number, number, "the packet taken");
        recovery.NotePath(number, entropy, plane, isAgain, start);
    }

    /// A report comes.  @param now when  @param plane by which it comes
    static LossRecovery::Feedback Receive(MrcRecovery& recovery,
                                          int64_t now,
                                          const AckReport& report,
                                          std::optional<uint16_t> plane = std::nullopt)
    {
        recovery.SetNow(now, plane);
        return recovery.AckReceived(report);
    }

    /// The plane of a packet that was taken for lost is slow, which its duplicate shows.
    /// @param recovery has inferred that packet 0 of plane 0 is lost
    void CheckSlowPlane(const Ptr<MrcRecovery>& recovery)
    {
        Take(*recovery, 0, 8 * RTT, 1, true, 1);
        Receive(*recovery, 9 * RTT, MakeSack(0, 8 * RTT, 5, 0), 1);
        NS_TEST_EXPECT_MSG_GT(recovery->GetOldestStart(), 100 * RTT, "none is missing");
        Receive(*recovery, 9 * RTT + 10, MakeSack(0, 0, 5, 0), 0); // the duplicate
        NS_TEST_EXPECT_MSG_EQ(recovery->GetSmoothedRtt(0), 9 * RTT + 10, "a sample");
        Take(*recovery, 5, 10 * RTT, 0, false, 0);
        Take(*recovery, 6, 11 * RTT, 1, false, 1);
        const auto lost = Receive(*recovery, 19 * RTT, MakeSack(6, 18 * RTT, 5, 0b10), 1).lost;
        NS_TEST_EXPECT_MSG_EQ(lost.empty(), true, "plane 0 takes longer");
        NS_TEST_EXPECT_MSG_EQ(recovery->GetOldestStart(), 18 * RTT + 10, "its timer waits for it");
        NS_TEST_EXPECT_MSG_EQ(recovery->ExpireSentUntil(18 * RTT).empty(), true, "not yet");
        NS_TEST_EXPECT_MSG_EQ(recovery->ExpireSentUntil(19 * RTT).size(), 1, "now");
    }
};

FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "A later packet of the same path shows a loss at once")
{
    auto recovery = MakeSent(12);
    recovery->SetNow(RTT);
    // 0 to 2 and 4 to 6 have come; 3 is on the path of 7 and 11
    auto feedback = recovery->AckReceived(MakeSack(6, 60, 3, 0b1110));
    NS_TEST_EXPECT_MSG_EQ(feedback.newlyAcked, 6, "six have come");
    NS_TEST_EXPECT_MSG_EQ(feedback.lost.empty(), true, "3 may be late");
    feedback = recovery->AckReceived(MakeSack(8, 80, 3, 0b111110));
    NS_TEST_EXPECT_MSG_EQ((feedback.lost == Numbers{3}), true, "7 has overtaken 3");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetNext(), 3, "the oldest first");
    feedback = recovery->AckReceived(MakeSack(11, 110, 3, 0b111110));
    NS_TEST_EXPECT_MSG_EQ(feedback.lost.empty(), true, "it is known");
}

/// Retransmissions may overtake others, and which transmission has come is not always known.
FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "MRC recovery: kinds")
{
    auto recovery = MakeSent(8);
    auto feedback = Receive(*recovery, RTT, MakeSack(4, 40, 0, 0b10000));
    NS_TEST_EXPECT_MSG_EQ((feedback.lost == Numbers{0}), true, "4 has overtaken 0");
    Take(*recovery, 0, 100, 1, true);
    feedback = recovery->AckReceived(MakeSack(0, 100, 1, 0b1000));
    NS_TEST_EXPECT_MSG_EQ(feedback.lost.empty(), true, "1 was sent the first time");
    feedback = recovery->AckReceived(MakeSack(5, 50, 1, 0b11000));
    NS_TEST_EXPECT_MSG_EQ((feedback.lost == Numbers{1}), true, "5 has overtaken 1");
    Take(*recovery, 1, 110, 2, true);
    feedback = recovery->AckReceived(MakeSack(1, 10, 2, 0b1100));
    NS_TEST_EXPECT_MSG_EQ(feedback.newlyAcked, 1, "the first transmission of 1 has come");
    NS_TEST_EXPECT_MSG_EQ(feedback.lost.empty(), true, "which says nothing of path 2");
}

FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "A packet is late after the smoothed RTT and the slack")
{
    for (const bool trims : {true, false})
    {
        auto recovery = MakeSent(6, trims);
        recovery->SetAttribute("VariationFactor", DoubleValue(0));
        const int64_t patience = RTT + (trims ? RTT * 3 / 4 : RTT);
        Receive(*recovery, RTT + 20, MakeSack(2, 20, 0, 0b100));
        NS_TEST_EXPECT_MSG_EQ(recovery->GetSmoothedRtt(0), RTT, "as expected");
        // probes, which take one RTT
        AckReport answer = MakeSack(0, 0, 0, 0b100);
        answer.probe = 1;
        const auto probe = [&](int64_t now) {
            answer.sentAt = now - RTT;
            return Receive(*recovery, now, answer).lost;
        };
        NS_TEST_EXPECT_MSG_EQ((probe(patience + 10) == Numbers{0}), true, "1 may still come");
        NS_TEST_EXPECT_MSG_EQ((probe(patience + 41) == Numbers{1, 3, 4}), true, "5 may still come");
        answer.sentAt = 50;
        NS_TEST_EXPECT_MSG_EQ(Receive(*recovery, 2 * patience + 1000, answer).lost.empty(),
                              true,
                              "5 was sent no earlier");
    }
}

/// A packet is not late if the answer of a probe took as long.
FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "MRC recovery: slow probe")
{
    auto recovery = MakeSent(2);
    recovery->SetAttribute("VariationFactor", DoubleValue(0));
    AckReport answer = MakeSack(0, 20, 0, 0);
    answer.probe = 1;
    NS_TEST_EXPECT_MSG_EQ(Receive(*recovery, 20 + 3 * RTT, answer).lost.empty(),
                          true,
                          "queues are long");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetSmoothedRtt(0), 3 * RTT, "a sample");
    answer.sentAt = RTT;
    NS_TEST_EXPECT_MSG_EQ((Receive(*recovery, 4 * RTT, answer).lost == Numbers{0, 1}),
                          true,
                          "late");
}

FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "Where round trips vary, packets may be later")
{
    auto recovery = MakeSent(3);
    // the first sample: a deviation of 1 RTT
    NS_TEST_EXPECT_MSG_EQ(Receive(*recovery, 2 * RTT + 20, MakeSack(2, 20, 0, 0b100)).lost.empty(),
                          true,
                          "0 and 1 are not later than 6.75 RTT");
    AckReport answer = MakeSack(0, 7 * RTT / 2, 0, 0b100); // as long as the first sample
    answer.probe = 1;
    NS_TEST_EXPECT_MSG_EQ(Receive(*recovery, 11 * RTT / 2, answer).lost.empty(), true, "5.75 RTT");
    answer.sentAt = 4 * RTT;
    NS_TEST_EXPECT_MSG_EQ((Receive(*recovery, 6 * RTT, answer).lost == Numbers{0, 1}),
                          true,
                          "late");
}

/// A plane with longer queues does not make its packets late.
FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "MRC recovery: planes")
{
    auto recovery = MakeSent(0);
    recovery->SetAttribute("VariationFactor", DoubleValue(0));
    for (uint64_t number = 0; number < 60; ++number)
    {
        Take(*recovery, number, 10 * number, number % 2, false, number % 2);
    }
    // Of plane 1 a packet takes 3 RTT, of plane 0 one RTT.
    uint64_t came = 0;
    for (uint64_t number = 1; number < 59; ++number)
    {
        const int64_t rtts = number % 2 ? 3 : 1;
        came |= uint64_t{1} << number;
        Receive(*recovery, rtts * RTT + 10 * number, MakeSack(number, 10 * number, 0, came));
    }
    NS_TEST_EXPECT_MSG_LT(recovery->GetSmoothedRtt(0), RTT + 100, "the fast plane");
    NS_TEST_EXPECT_MSG_GT(recovery->GetSmoothedRtt(1), 2 * RTT, "the slow one");
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*recovery)["inferred_losses"],
                          1,
                          "0, by a later packet of its path");
}

/// Packets of one plane do not show that packets of another one are late.
FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "MRC recovery: other plane")
{
    auto recovery = MakeSent(0);
    recovery->SetAttribute("VariationFactor", DoubleValue(0));
    Take(*recovery, 0, 0, 0, false, 0);
    Take(*recovery, 1, 10, 1, false, 1);
    Take(*recovery, 2, RTT, 1, false, 1);
    auto lost = Receive(*recovery, 2 * RTT, MakeSack(2, RTT, 0, 0b110)).lost;
    NS_TEST_EXPECT_MSG_EQ(lost.empty(), true, "0 may be in a longer queue");
    Take(*recovery, 3, 6 * RTT, 1, false, 1);
    lost = Receive(*recovery, 7 * RTT, MakeSack(3, 6 * RTT, 0, 0b1110)).lost;
    NS_TEST_EXPECT_MSG_EQ(lost.empty(), true, "plane 0 may be slower");
    Take(*recovery, 4, 6 * RTT + 20, 1, false, 1);
    lost = Receive(*recovery, 7 * RTT + 20, MakeSack(4, 6 * RTT + 20, 0, 0b11110)).lost;
    NS_TEST_EXPECT_MSG_EQ((lost == Numbers{0}), true, "too long");
    CheckSlowPlane(recovery);
}

FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "An earlier SACK that comes later shows nothing")
{
    auto recovery = MakeSent(12);
    recovery->SetNow(RTT);
    // 0 to 8 have come. The first SACK tells of the last four, the second one of the others.
    AckReport newest = MakeSack(8, 80, 9, 0);
    AckReport partial = newest;
    partial.cumulativePsn = 0;
    partial.bitmapPsn = 5;
    partial.bitmap = 0b1111;
    partial.outOfOrder = 8; // 1 to 8
    auto feedback = recovery->AckReceived(partial);
    NS_TEST_EXPECT_MSG_EQ((feedback.lost == Numbers{0}),
                          true,
                          "of 1 to 4 a SACK that is under way may tell");
    feedback = recovery->AckReceived(MakeSack(4, 40, 0, 0b11100));
    NS_TEST_EXPECT_MSG_EQ(feedback.lost.empty(), true, "1 has come after this SACK");
    feedback = recovery->AckReceived(newest);
    NS_TEST_EXPECT_MSG_EQ(feedback.newlyAcked, 2, "0 and 1");
}

FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "The packet has come after all")
{
    auto recovery = MakeSent(6);
    recovery->SetAttribute("VariationFactor", DoubleValue(0));
    recovery->SetNow(2 * RTT);
    AckReport answer = MakeSack(0, RTT, 0, 0);
    answer.probe = 1;
    const auto lost = recovery->AckReceived(answer).lost;
    NS_TEST_EXPECT_MSG_EQ((lost == Numbers{0, 1, 2, 3, 4, 5}), true, "all are late");
    Take(*recovery, 0, 2 * RTT, 7, true);
    Take(*recovery, 1, 2 * RTT + 10, 7, true);
    Receive(*recovery, 2 * RTT + 100, MakeSack(0, 0, 1, 0)); // before a retransmission can arrive
    auto found = recovery->TakeFalseLosses();
    NS_TEST_ASSERT_MSG_EQ(found.size(), 1, "the first transmission of 0");
    NS_TEST_EXPECT_MSG_EQ(found[0].entropy, 0, "its path");
    NS_TEST_EXPECT_MSG_EQ(found[0].inferredAt, 2 * RTT, "when it was inferred");
    Receive(*recovery, 4 * RTT, MakeSack(1, 2 * RTT + 10, 2, 0));
    NS_TEST_EXPECT_MSG_EQ(recovery->TakeFalseLosses().empty(), true, "1 was lost");
    recovery->AckReceived(MakeSack(2, 20, 3, 0));
    NS_TEST_EXPECT_MSG_EQ(recovery->TakeFalseLosses().size(), 1, "2 waits, and has come");
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*recovery)["false_losses_found"], 2, "0 and 2");
}

FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "The receiver tracks some packets only")
{
    auto recovery = CreateObject<MrcRecovery>();
    recovery->SetRange(4);
    for (uint64_t number = 0; number < 4; ++number)
    {
        Take(*recovery, number, number, 0, false);
    }
    NS_TEST_EXPECT_MSG_EQ(recovery->HasNext(100), false, "the range is full");
    Receive(*recovery, 100, MakeSack(3, 3, 0, 0b1110));
    NS_TEST_EXPECT_MSG_EQ(recovery->GetNext(), 0, "0 is lost");
    Take(*recovery, 0, 200, 0, true);
    NS_TEST_EXPECT_MSG_EQ(recovery->HasNext(100), false, "and still missing");
    recovery->AckReceived(MakeSack(0, 200, 4, 0));
    NS_TEST_EXPECT_MSG_EQ(recovery->HasNext(4), false, "nothing is posted");
    NS_TEST_EXPECT_MSG_EQ(recovery->HasNext(5), true, "packet 4");
}

FABRIC_TEST_F(MrcRecoveryTestCase, g_mrc, "Probes, and how long they wait for answers")
{
    auto recovery = MakeSent(2);
    const int64_t patience = RTT + RTT * 3 / 4;
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(100, false), 100 + patience, "the first");
    const uint8_t first = recovery->TakeProbe(20000);
    NS_TEST_EXPECT_MSG_GT(first, 0, "its number");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(100, true), 20000 + 2 * patience, "doubled");
    NS_TEST_EXPECT_MSG_NE(recovery->TakeProbe(70000), first, "another number");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(100, true), 70000 + 4 * patience, "doubled");
    recovery->SetNow(80000);
    AckReport answer = MakeSack(0, 70000, 0, 0);
    answer.probe = 2;
    recovery->AckReceived(answer);
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(100, true), 70000 + RTT, "answered");
    PolicyCounters counters = CountersOf(*recovery);
    NS_TEST_EXPECT_MSG_EQ(counters["probes"], 2, "two");
    NS_TEST_EXPECT_MSG_EQ(counters["late_losses"], 2, "both packets");
    auto unknown = CreateObject<MrcRecovery>();
    NS_TEST_EXPECT_MSG_EQ(unknown->GetProbeDue(0, true),
                          std::numeric_limits<int64_t>::max(),
                          "without an RTT there are none");
    auto varied = MakeSent(2);
    Receive(*varied, 2 * RTT, MakeSack(1, 10, 0, 0b10)); // varies by RTT - 10
    NS_TEST_EXPECT_MSG_EQ(varied->GetProbeDue(0, true),
                          2 * RTT - 10 + 4 * (RTT - 10),
                          "as long as the RTT may vary, without the slack");
}

FABRIC_TEST(g_mrc, "Timeouts of 1.024 us times a power of two; some of them do not double")
{
    auto recovery = CreateObject<MrcRecovery>();
    NS_TEST_EXPECT_MSG_EQ(recovery->GetUsualTimeoutPs(1e6, 1e9, 0), 64 * 1.024e6, "2^6");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetUsualTimeoutPs(3e7, 1e9, 0), 128 * 1.024e6, "2^7");
    RetransmissionLimits limits;
    limits.timeout = 100;
    limits.linear = 2;
    RetransmissionTimer timer;
    timer.SetBacksOff(true);
    for (const int64_t timeout : {100, 100, 100, 200, 400})
    {
        NS_TEST_EXPECT_MSG_EQ(timer.GetTimeout(limits), timeout, "the ladder");
        timer.Expire(0);
    }
}

FABRIC_TEST(g_mrc, "A packet is sent in vain if it was sent for long, and often enough")
{
    RetransmissionLimits limits;
    limits.timeout = 100;
    limits.least = 400;
    RetransmissionTimer timer;
    timer.PacketSent(1000, true);
    timer.PacketSent(1500, false);
    NS_TEST_EXPECT_MSG_EQ(timer.IsInVain(2000, limits), false, "it was sent once");
    timer.PacketSent(1600, true);
    NS_TEST_EXPECT_MSG_EQ(timer.IsInVain(1399, limits), false, "for less than it survives");
    NS_TEST_EXPECT_MSG_EQ(timer.IsInVain(1400, limits), true, "for as long");
    timer.Acknowledged(1700);
    NS_TEST_EXPECT_MSG_EQ(timer.IsInVain(9000, limits), false, "nothing is missing");
}

/// MSN, RQMSN and immediates; and when SACKs are due.
struct MrcNumbersTestCase : FabricTestCase
{
    static PostedMessage Message(uint64_t first, uint32_t packets)
    {
        PostedMessage message;
        message.firstPacket = first;
        message.packets = packets;
        return message;
    }

    /// Check what a message carries.  @param immediate its immediate; -1: none
    void Expect(MrcMessageNumbers& numbers,
                const PostedMessage& message,
                uint16_t msn,
                uint16_t rqmsn,
                int64_t immediate)
    {
        const MrcMessageNumbers::Names names = numbers.Find(message);
        NS_TEST_EXPECT_MSG_EQ(names.msn, msn, "MSN");
        NS_TEST_EXPECT_MSG_EQ(names.rqmsn, rqmsn, "RQMSN of " << msn);
        const int64_t found = names.immediate ? int64_t{*names.immediate} : -1;
        NS_TEST_EXPECT_MSG_EQ(found, immediate, "immediate of " << msn);
    }
};

FABRIC_TEST_F(MrcNumbersTestCase, g_mrc, "Messages of three packets, one and two")
{
    MrcMessageNumbers numbers;
    numbers.PostImmediate(3, 77);
    numbers.PostImmediate(4, 0);
    Expect(numbers, Message(0, 3), 0, 0, -1);
    Expect(numbers, Message(3, 1), 1, 0, 77);
    Expect(numbers, Message(4, 2), 2, 1, 0);
    Expect(numbers, Message(0, 3), 0, 0, -1); // again
    numbers.Acknowledge(2);
    NS_TEST_EXPECT_MSG_EQ(numbers.GetAcknowledged(), 0, "the first one is not whole");
    numbers.Acknowledge(4);
    NS_TEST_EXPECT_MSG_EQ(numbers.GetAcknowledged(), 2, "two are");
    NS_TEST_EXPECT_MSG_EQ(numbers.CountImmediates(), 1, "one is left");
    Expect(numbers, Message(4, 2), 2, 1, 0);
    Expect(numbers, Message(6, 1), 3, 0, -1);
    numbers.Acknowledge(7);
    NS_TEST_EXPECT_MSG_EQ(numbers.GetAcknowledged(), 4, "all are");
}

FABRIC_TEST(g_mrc, "The triggers of a SACK")
{
    auto policy = CreateObject<MrcAckPolicy>();
    AckPolicy::Arrival arrival{16383, true, false, false, true, false};
    NS_TEST_EXPECT_MSG_EQ(policy->IsDue(arrival), false, "below SackGenThreshold");
    arrival.unreported = 16384;
    NS_TEST_EXPECT_MSG_EQ(policy->IsDue(arrival), true, "four packets");
    NS_TEST_EXPECT_MSG_EQ(policy->IsDue({1, false, true, false, false, false}), true, "mark");
    NS_TEST_EXPECT_MSG_EQ(policy->IsDue({1, true, false, true, false, false}), true, "asked");
    NS_TEST_EXPECT_MSG_EQ(policy->IsDue({1, true, false, false, false, true}), true, "gap");
    NS_TEST_EXPECT_MSG_EQ(policy->IsDue({1, false, false, false, false, false}), false, "no");
    NS_TEST_EXPECT_MSG_EQ(policy->IsEach(), false, "not each packet");
}

/// Makes packets say that their messages are shorter than they are.
struct ShorteningStage : IngressStage
{
    void Install(FabricSwitch&) override
    {
    }

    bool Passes(const Ptr<FabricFrame>& frame, int64_t) override
    {
        if (MrcCodec::IsData(frame->opcode))
        {
            frame->Extra().reth.length = 1;
        }
        return true;
    }
};

/// Transfers through a fabric: immediates, windows that differ, trimmed packets, ports that fail.
struct MrcTransferTestCase : FabricTestCase
{
    /// A cable above a leaf is cut, and each plane has four paths: three quarters of the rate
    /// remain (check C4: planes carry equal load), and only EVs of the cable are retired for good.
    void CheckCutCable(uint32_t planes)
    {
        constexpr uint32_t HOSTS = 4;
        int64_t whole = 0;
        for (const bool cuts : {false, true})
        {
            Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 4, HOSTS, planes));
            std::vector<Ptr<QueuePair>> senders;
            for (uint32_t host = 0; host < HOSTS; ++host)
            {
                senders.push_back(
                    MrcHelper().Connect(fabric->GetNic(host), fabric->GetNic(host + HOSTS)).first);
                senders.back()->PostWrite(8000000);
            }
            FailureHelper faults;
            faults.SetAttribute("Down", BooleanValue(true));
            faults.SetAttribute("Start", TimeValue(MicroSeconds(10)));
            std::vector<Ptr<LinkFault>> installed;
            if (cuts)
            {
                const std::string plane = planes > 1 ? "plane0-" : "";
                installed = faults.Install(*fabric, plane + "leaf-0:4--" + plane + "spine-0:0");
            }
            Simulator::Run();
            PolicyCounters counters;
            for (const Ptr<QueuePair>& sender : senders)
            {
                NS_TEST_EXPECT_MSG_EQ(sender->GetPendingMessages(), 0, "it is done");
                sender->CountPolicies(counters);
            }
            NS_TEST_EXPECT_MSG_EQ(counters["ev_retired"] - counters["ev_reinstated"],
                                  (cuts ? HOSTS : 0),
                                  "one EV of each sender");
            const int64_t time = Simulator::Now().GetNanoSeconds();
            whole = cuts ? whole : time;
            NS_TEST_EXPECT_MSG_EQ((time < 1.55 * whole), true, time << " ns, without: " << whole);
            Simulator::Destroy();
        }
    }

    /// @return makes queue pairs that give up after eight timeouts of 50 us
    static RoceHelper ShortRetries()
    {
        RoceHelper roce = MrcHelper();
        roce.SetQueuePairAttribute("ExponentialRetries", UintegerValue(0));
        roce.SetQueuePairAttribute("RetryTime", TimeValue(Time(0)));
        roce.SetQueuePairAttribute("AckTimeout", TimeValue(MicroSeconds(50)));
        return roce;
    }

    /// Cut all links of a place after 40 us.  @param stop when they are back; 0: never
    /// @return the faults
    static std::vector<Ptr<LinkFault>> Cut(const Fabric& fabric,
                                           const std::string& place,
                                           Time stop)
    {
        return Fail(fabric, place, {{"Down", true}, {"Start", MicroSeconds(40)}, {"Stop", stop}});
    }

    /// All ports of a NIC are down for long. When they return, a probe finds what was lost,
    /// whatever the interval of probes and the timers have become.
    /// @param host the sender (0), or the receiver (2)
    void CheckReturn(const std::string& host)
    {
        for (const int64_t outage : {3000, 3200, 3500}) // us
        {
            Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 2, 2, 2));
            const auto ends = MrcHelper().Connect(fabric->GetNic(0), fabric->GetNic(2));
            int64_t time = 0;
            ends.first->PostWrite(8000000, // 80 us at the rate of both ports
                                  CallbackOf([&time](Ptr<QueuePair>, uint64_t) {
                                      time = Simulator::Now().GetMicroSeconds();
                                  }));
            const auto installed = Cut(*fabric, host, MicroSeconds(outage));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_GT(time, outage, "it has waited");
            NS_TEST_EXPECT_MSG_LT(time, outage + 200, host);
            Simulator::Destroy();
        }
    }

    /// A plane loses all without a sign, and nobody denies it: the other planes carry all, until it
    /// delivers again.
    void CheckForsaken(uint32_t planes)
    {
        int64_t whole = 0;
        for (const bool isCut : {false, true})
        {
            Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 4, 4, planes), true);
            const auto sender = MrcHelper().Connect(fabric->GetNic(0), fabric->GetNic(5)).first;
            sender->PostWrite(20000000 * planes);
            FailureHelper faults;
            faults.SetAttribute("LossProbability", DoubleValue(1));
            faults.SetAttribute("Start", TimeValue(MicroSeconds(40)));
            std::vector<Ptr<LinkFault>> installed;
            if (isCut)
            {
                installed = faults.Install(*fabric, "plane1-leaf-1");
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(sender->GetPendingMessages(), 0, "it is done");
            NS_TEST_EXPECT_MSG_EQ(CountPolicies(sender)["silent_planes"],
                                  isCut,
                                  planes << " planes");
            const int64_t time = Simulator::Now().GetNanoSeconds();
            whole = isCut ? whole : time;
            NS_TEST_EXPECT_MSG_LT((planes - 1) * time, 1.1 * planes * whole, planes << " planes");
            Simulator::Destroy();
        }
    }

    /// @return the first leaf of a plane
    static uint32_t FindSwitch(const Fabric& fabric, uint16_t plane)
    {
        uint32_t id = 0;
        const auto& switches = fabric.GetGraph().Switches();
        while (switches[id].plane != plane || switches[id].tier > 0)
        {
            ++id;
        }
        return id;
    }

    /// What has come to host 0 in an incast, by DSCP.
    struct Kind
    {
        std::set<uint8_t> classes; //!< of the packets
        int64_t longest{0};        //!< way of a packet, in picoseconds
    };

    /// Four hosts send to one.  @return what comes
    static std::map<uint8_t, Kind> SendIncast(const Fabric& fabric)
    {
        std::map<uint8_t, Kind> found;
        Trace(*fabric.GetNic(0)->GetPort(0), "Receive", [&](Ptr<const FabricFrame> frame) {
            Kind& kind = found[frame->GetTos() >> 2];
            kind.classes.insert(frame->GetClass());
            kind.longest = std::max(kind.longest, FabricClock::Now() - frame->sentAt);
        });
        for (uint32_t host = 4; host < 8; ++host)
        {
            MrcHelper().Connect(fabric.GetNic(host), fabric.GetNic(0)).first->PostWrite(1000000);
        }
        Simulator::Run();
        return found;
    }

    /// A port fails and works again.  @param delay until paths are chosen by that
    void CheckPorts(Time delay)
    {
        Default("MrcQueuePair::PortRemapDelay", delay);
        Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 4, 2, 4));
        const auto ends = MrcHelper().Connect(fabric->GetNic(0), fabric->GetNic(2));
        ends.first->PostWrite(20000000);
        ends.second->PostWrite(20000000);
        const auto installed =
            Fail(*fabric,
                 "host-0:1",
                 {{"Down", true}, {"Start", MicroSeconds(40)}, {"Stop", MicroSeconds(200)}});
        Simulator::Run();
        for (const Ptr<QueuePair>& end : {ends.first, ends.second})
        {
            NS_TEST_EXPECT_MSG_EQ(end->GetPendingMessages(), 0, "it is acknowledged");
            NS_TEST_EXPECT_MSG_EQ(end->GetCounters().bytesAccepted, 20000000, "once");
            NS_TEST_EXPECT_MSG_EQ(end->HasFailed(), false, "it survives");
        }
        const uint64_t updates = CountPolicies(ends.first)["port_status_updates"];
        NS_TEST_EXPECT_MSG_EQ((updates == 2 || updates == 3),
                              true,
                              updates << ": down and up; one frame may be lost");
        NS_TEST_EXPECT_MSG_EQ(CountPolicies(ends.second)["port_status_updates"],
                              0,
                              "its ports work");
        NS_TEST_EXPECT_MSG_EQ(CountPolicies(ends.first)["ev_retired"], 0, "a port is no path");
        Config::Reset();
        Simulator::Destroy();
    }

    /// Ports work again before their losses are noticed: no path is blamed.
    void CheckShortOutage(const std::string& place)
    {
        for (const int64_t outage : {1, 2, 5, 20}) // us
        {
            Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 4, 2, 4));
            const auto ends = MrcHelper().Connect(fabric->GetNic(0), fabric->GetNic(2));
            ends.first->PostWrite(20000000);
            ends.second->PostWrite(20000000);
            const auto installed = Cut(*fabric, place, MicroSeconds(40 + outage));
            Simulator::Run();
            for (const Ptr<QueuePair>& end : {ends.first, ends.second})
            {
                PolicyCounters counters = CountPolicies(end);
                NS_TEST_EXPECT_MSG_GT(counters["inferred_losses"], 0, "packets are lost");
                NS_TEST_EXPECT_MSG_EQ(counters["ev_retired"], 0, place << " for " << outage);
            }
            Simulator::Destroy();
        }
    }
};

FABRIC_TEST_F(MrcTransferTestCase, g_mrc, "immediates, windows, trimmed packets, ports")
{
    CheckPorts(Time(0));
    CheckPorts(MicroSeconds(30));
    CheckShortOutage("host-0:1");
    CheckShortOutage("plane1-leaf-1");
    for (const std::string host : {"host-0", "host-2"})
    {
        CheckReturn(host);
    }
    for (const uint32_t planes : {2, 4})
    {
        CheckForsaken(planes);
    }
    for (const uint32_t planes : {1, 2})
    {
        CheckCutCable(planes);
    }
}

FABRIC_TEST(g_mrc, "Which ports have come back, by the updates of the other end")
{
    PortStatus ports;
    NS_TEST_EXPECT_MSG_EQ(ports.SetPeer(1, 0b1101).value(), 0, "one fails");
    NS_TEST_EXPECT_MSG_EQ(ports.SetPeer(1, 0b1101).value(), 0, "the same again");
    NS_TEST_EXPECT_MSG_EQ(ports.SetPeer(2, 0b1111).value(), 0b0010, "it is back");
    NS_TEST_EXPECT_MSG_EQ(ports.SetPeer(4, 0b1110).value(), 0b1110, "one update is missing");
    NS_TEST_EXPECT_MSG_EQ(ports.SetPeer(3, 0b1111).has_value(), false, "it comes too late");
    NS_TEST_EXPECT_MSG_EQ(ports.GetPeer(), 0b1110, "the latest one counts");
}

FABRIC_TEST(g_mrc, "Immediates come with their messages, in order")
{
    Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 2, 2, 2));
    const auto ends = MrcHelper().Connect(fabric->GetNic(0), fabric->GetNic(2));
    const auto sender = DynamicCast<MrcQueuePair>(ends.first);
    const auto receiver = DynamicCast<MrcQueuePair>(ends.second);
    std::vector<uint32_t> came;
    uint32_t done = 0;
    receiver->SetImmediateCallback(CallbackOf([&](Ptr<QueuePair> queuePair, uint32_t immediate) {
        came.push_back(immediate);
        NS_TEST_EXPECT_MSG_EQ(queuePair->GetCounters().messages,
                              2 * came.size(),
                              "all earlier messages are whole");
    }));
    const auto note = CallbackOf([&done](Ptr<QueuePair>, uint64_t) { ++done; });
    for (const uint32_t immediate : {5U, 0U, 0xFFFFFFFFU, 7U})
    {
        sender->PostWrite(30000);
        sender->PostWriteImmediate(immediate % 2 ? 9000 : 0, immediate, note);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((came == std::vector<uint32_t>{5, 0, 0xFFFFFFFF, 7}), true, "order");
    NS_TEST_EXPECT_MSG_EQ(done, 4, "all are acknowledged");
    NS_TEST_EXPECT_MSG_EQ(receiver->GetCounters().bytesAccepted, 147000, "bytes");
    NS_TEST_EXPECT_MSG_EQ(sender->GetCounters().retransmissions, 0, "nothing was lost");
}

FABRIC_TEST(g_mrc, "One immediate too many is an error")
{
    Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 1, 1));
    RoceHelper roce = MrcHelper();
    roce.SetQueuePairAttribute("MaxImmediates", UintegerValue(3));
    const auto ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
    const auto sender = DynamicCast<MrcQueuePair>(ends.first);
    for (uint32_t immediate = 0; immediate < 3; ++immediate)
    {
        sender->PostWriteImmediate(100, immediate);
    }
    NS_TEST_EXPECT_MSG_EQ(sender->HasFailed(), false, "three may be in flight");
    sender->PostWriteImmediate(100, 3);
    NS_TEST_EXPECT_MSG_EQ(sender->HasFailed(), true, "four may not");
    NS_TEST_EXPECT_MSG_EQ(CountPolicies(sender)["failed_queue_pairs"], 1, "it is counted");
    ends.second->PostWrite(100); // the failed end refuses it
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends.second->HasFailed(), true, "UNEXP_EVENT");
}

FABRIC_TEST(g_mrc, "A responder that tracks fewer packets refuses those beyond its window")
{
    Default("FabricChannel::Delay", MicroSeconds(5));
    Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 1, 1));
    const RoceHelper roce = MrcHelper();
    const auto sender = roce.Connect(fabric->GetNic(0), fabric->GetNic(1)).first;
    const Ptr<QueuePair> small =
        fabric->GetNic(1)->GetQueuePair(fabric->GetNic(1)->GetEndpointCount() - 1);
    small->SetAttribute("MaxPsnRange", UintegerValue(1));
    sender->PostWrite(4000000);
    const auto installed = Fail(*fabric, "leaf-0:1", {{"LossProbability", 0.01}});
    FailureHelper::AssignStreams(installed, 1);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(sender->GetPendingMessages(), 0, "it is acknowledged");
    NS_TEST_EXPECT_MSG_GT(small->GetCounters().naksSent, 0, "packets beyond the window");
    NS_TEST_EXPECT_MSG_EQ(small->GetCounters().bytesAccepted, 4000000, "once");
}

FABRIC_TEST(g_mrc, "A packet outside of its message is refused, which fails the queue pair")
{
    Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 1, 1));
    fabric->GetSwitch(0)->SetStage(CreateObject<ShorteningStage>());
    const auto [sender, receiver] = MrcHelper().Connect(fabric->GetNic(0), fabric->GetNic(1));
    sender->PostWrite(10000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(sender->HasFailed(), true, "by a NACK");
    NS_TEST_EXPECT_MSG_EQ(receiver->GetCounters().bytesAccepted, 0, "none is placed");
    NS_TEST_EXPECT_MSG_GT(CountPolicies(receiver)["nacks_unexpected"], 0, "the reason");
}

FABRIC_TEST(g_mrc, "Trimmed packets are retransmitted, and retire no path")
{
    Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 2, 4), true);
    std::vector<Ptr<QueuePair>> senders;
    for (uint32_t host = 4; host < 8; ++host)
    {
        senders.push_back(MrcHelper().Connect(fabric->GetNic(host), fabric->GetNic(0)).first);
        senders.back()->PostWrite(1000000);
    }
    Simulator::Run();
    PolicyCounters counters;
    uint64_t refused = 0;
    uint64_t again = 0;
    for (const Ptr<QueuePair>& sender : senders)
    {
        NS_TEST_EXPECT_MSG_EQ(sender->GetPendingMessages(), 0, "it is acknowledged");
        sender->CountPolicies(counters);
        refused += sender->GetCounters().naksReceived;
        again += sender->GetCounters().retransmissions;
    }
    NS_TEST_EXPECT_MSG_GT(refused, 0, "packets are trimmed");
    NS_TEST_EXPECT_MSG_EQ(again, refused, "and retransmitted, each once");
    NS_TEST_EXPECT_MSG_EQ(counters["inferred_losses"], 0, "nothing vanishes");
    NS_TEST_EXPECT_MSG_EQ(counters["ev_retired"], 0, "no path is blamed");
}

/// Trimmed packets have the class of control, and overtake data at the last hop.
FABRIC_TEST_F(MrcTransferTestCase, g_mrc, "MRC transfer: classes")
{
    auto found = SendIncast(*MakeFabric(LeafSpine(2, 2, 4), true));
    using Classes = std::set<uint8_t>;
    NS_TEST_EXPECT_MSG_EQ((found[FIRST].classes == Classes{0}), true, "first transmissions");
    NS_TEST_EXPECT_MSG_EQ((found[AGAIN].classes == Classes{0}), true, "the queue pair's class");
    NS_TEST_EXPECT_MSG_EQ((found[LAST_HOP].classes == Classes{5}), true, "trimmed packets");
    NS_TEST_EXPECT_MSG_LT(found[LAST_HOP].longest + QUEUE / 4,
                          found[FIRST].longest,
                          "trimmed packets wait for no data");
}

/// With a table of their own, switches give retransmissions a class, which may have a queue.
FABRIC_TEST_F(MrcTransferTestCase, g_mrc, "MRC transfer: own queue")
{
    Default("FabricPort::Classes", 0x4D);
    Default("DscpTable::Classes", "8:2");
    auto found = SendIncast(*MakeFabric(LeafSpine(2, 2, 4), true, 1 << 0 | 1 << 2));
    NS_TEST_EXPECT_MSG_EQ((found[AGAIN].classes == std::set<uint8_t>{2}), true, "its class");
    NS_TEST_EXPECT_MSG_LT(found[AGAIN].longest + QUEUE / 4,
                          found[FIRST].longest,
                          "retransmissions wait for no first transmission");
}

FABRIC_TEST(g_mrc, "A host without links is given up, and the simulation ends")
{
    Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 2, 2, 2));
    RoceHelper roce = MrcHelper();
    roce.SetQueuePairAttribute("ExponentialRetries", UintegerValue(2));
    const auto ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(2));
    ends.first->PostWrite(20000000);
    const auto installed = Fail(*fabric, "host-2", {{"Down", true}, {"Start", MicroSeconds(40)}});
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends.first->HasFailed(), true, "nobody answers");
}

/// All ports of the NIC fail for longer than the retries last.
FABRIC_TEST_F(MrcTransferTestCase, g_mrc, "MRC transfer: no port")
{
    Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 2, 2, 2));
    const RoceHelper roce = ShortRetries();
    const auto ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(2));
    const auto idle = roce.Connect(fabric->GetNic(0), fabric->GetNic(3));
    ends.first->PostWrite(20000000);
    const auto installed = Cut(*fabric, "host-0", Time(0));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends.first->HasFailed(), true, "it cannot send");
    NS_TEST_EXPECT_MSG_EQ(idle.first->HasFailed(), false, "it has nothing to send");
}

/// All ports of a NIC fail for longer than the retries last, and there is something to send only
/// then.
FABRIC_TEST_F(MrcTransferTestCase, g_mrc, "MRC transfer: no port for long")
{
    Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 2, 2, 2));
    const RoceHelper roce = ShortRetries();
    const auto ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(2));
    const auto back = roce.Connect(fabric->GetNic(1), fabric->GetNic(0));
    const auto installed = Cut(*fabric, "host-0", Time(0));
    ScheduleFunction(MilliSeconds(2), [&] {
        ends.first->PostWrite(10000);
        back.first->PostWrite(10000);
        NS_TEST_EXPECT_MSG_EQ(ends.first->HasFailed(), false, "not within the call");
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends.first->HasFailed(), true, "it cannot send");
    NS_TEST_EXPECT_MSG_EQ(back.first->HasFailed(), true, "its packets are lost");
}

/// The NIC of the receiver fails, and the retries of the sender outlast that, or do not.
FABRIC_TEST_F(MrcTransferTestCase, g_mrc, "MRC transfer: long outage")
{
    for (const bool isLong : {false, true})
    {
        Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 2, 2, 2));
        RoceHelper roce = MrcHelper();
        roce.SetQueuePairAttribute("RetryTime", TimeValue(Time(0)));
        roce.SetQueuePairAttribute("AckTimeout", TimeValue(MicroSeconds(50)));
        roce.SetQueuePairAttribute("ExponentialRetries", UintegerValue(3));
        const auto ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(2));
        const auto budget = ends.first->GetRetryBudget(MicroSeconds(50), true);
        NS_TEST_EXPECT_MSG_EQ(*budget, MicroSeconds(50 * (8 + 2 + 4 + 8)), "7 and 3 retries");
        ends.first->PostWrite(20000000);
        const Time stop = MicroSeconds(40) + 0.5 * *budget + (isLong ? *budget : Time(0));
        const auto installed = Cut(*fabric, "host-2", stop);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ends.first->HasFailed(), isLong, "outage until " << stop);
        Simulator::Destroy();
    }
}

/// A plane loses all without a sign, and the EVs of the plane are denied: neither data nor SACKs
/// use it any more.
FABRIC_TEST_F(MrcTransferTestCase, g_mrc, "MRC transfer: silent plane")
{
    int64_t whole = 0;
    for (const bool isCut : {false, true})
    {
        Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 4, 4, 2), true);
        const auto ends = MrcHelper().Connect(fabric->GetNic(0), fabric->GetNic(5));
        EvDenylist denylist(fabric->GetGraph(), {fabric->GetNic(0), fabric->GetNic(5)});
        int64_t time = 0;
        ends.first->PostWrite(20000000, CallbackOf([&time](Ptr<QueuePair>, uint64_t) {
                                  time = Simulator::Now().GetNanoSeconds();
                              }));
        std::vector<Ptr<LinkFault>> installed;
        if (isCut)
        {
            installed = Fail(*fabric,
                             "plane1-leaf-0",
                             {{"LossProbability", 1}, {"Start", MicroSeconds(40)}});
            ScheduleFunction(MicroSeconds(90), [&] {
                denylist.SetBad({{FabricElement::T0, FindSwitch(*fabric, 1), 1}});
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(time, 0, "it is done");
        // 1.79 times as long; 1.96 times if SACKs go on using the plane
        NS_TEST_EXPECT_MSG_EQ((100 * time < 187 * whole), isCut, time << " ns, without: " << whole);
        whole = time;
        Simulator::Destroy();
    }
}

FABRIC_TEST(g_mrc, "The receiver takes a part of the window of its sender, which sends less")
{
    int64_t whole = 0;
    for (const uint8_t penalty : {0, 127})
    {
        Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 2, 2, 2));
        const auto ends = MrcHelper().Connect(fabric->GetNic(0), fabric->GetNic(2));
        DynamicCast<MrcQueuePair>(ends.second)->GetReceivingHalf().SetPenalty(penalty, false);
        ends.first->PostWrite(4000000);
        Simulator::Run();
        const int64_t time = Simulator::Now().GetNanoSeconds();
        NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), 0, "it is done");
        NS_TEST_EXPECT_MSG_EQ((time > 2 * whole), true, time << " ns, without: " << whole);
        whole = time;
        Simulator::Destroy();
    }
}
