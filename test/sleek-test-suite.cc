/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-fuzz.h"

#include "ns3/psn-window.h"
#include "ns3/rc-queue-pair.h"
#include "ns3/selective-repeat-recovery.h"
#include "ns3/serialization-time.h"
#include "ns3/spray-queue-pair.h"
#include "ns3/trimming-buffer.h"

#include <limits>

static Suite g_sleek("ai-fabric-sleek");

namespace
{

using Numbers = std::vector<uint64_t>; //!< of packets

constexpr int64_t NO_PROBE = std::numeric_limits<int64_t>::max(); //!< no probe will be due
constexpr int64_t RTT = 10000;                                    //!< base RTT in picoseconds

/// @return a report  @param cumulative the first packet that has not come
/// @param bits of the packets from there on  @param outOfOrder packets that arrived out of order
AckReport
MakeSack(uint64_t cumulative, uint64_t bits, uint32_t outOfOrder)
{
    AckReport report;
    report.psn = (cumulative - 1) & PsnWindow::PSN_MASK;
    report.cumulativePsn = cumulative & PsnWindow::PSN_MASK;
    report.bitmapPsn = report.cumulativePsn;
    report.bitmap = bits;
    report.outOfOrder = outOfOrder;
    return report;
}

/// @return the answer to a probe  @param cumulative the first packet that has not come
/// @param bits of the packets from there on
AckReport
MakeAnswer(uint64_t cumulative, uint64_t bits, uint8_t probe, int64_t sentAt)
{
    AckReport report = MakeSack(cumulative, bits, 0);
    report.psn = report.cumulativePsn; // the packet that is missing
    report.probe = probe;
    report.sentAt = sentAt;
    return report;
}

/// @return a helper of queue pairs that spray
RoceHelper
SprayHelper()
{
    RoceHelper roce;
    roce.SetQueuePair(FactoryOf("SprayQueuePair"));
    roce.SetBalancer(FactoryOf("HostRandomBalancer"));
    return roce;
}

} // namespace

/// SelectiveRepeatRecovery with the rules of SLEEK, step by step.
struct SleekRecoveryTestCase : FabricTestCase
{
    /// @return a recovery with a window of 10 packets that has sent packets at 0, 10, 20 ...
    Ptr<SelectiveRepeatRecovery> MakeSent(uint64_t packets)
    {
        auto recovery = CreateObject<SelectiveRepeatRecovery>();
        FabricFacts facts;
        facts.baseRtt = PicoSeconds(RTT);
        NS_TEST_EXPECT_MSG_EQ(recovery->Start(facts), true, "it uses the window");
        recovery->WindowChanged(10);
        for (uint64_t number = 0; number < packets; ++number)
        {
            recovery->TakeNext(10 * number);
        }
        return recovery;
    }

    /// @return whether a recovery infers losses
    bool Infers(const std::string& mode, bool trims)
    {
        const auto recovery = CreateWith<SelectiveRepeatRecovery>({{"Sleek", mode}});
        FabricFacts facts;
        facts.trims = trims;
        facts.baseRtt = PicoSeconds(RTT);
        const bool uses = recovery->Start(facts);
        NS_TEST_EXPECT_MSG_EQ((recovery->GetProbeDue(0, true) != NO_PROBE), uses, "probes");
        PolicyCounters counters = CountersOf(*recovery);
        NS_TEST_EXPECT_MSG_EQ(counters.size(), (uses ? 2 : 0), "counters");
        return uses;
    }

    /// @return the packets that a report shows to be lost
    /// @param outOfOrder packets that arrived out of order
    Numbers Infer(uint32_t window, uint32_t outOfOrder)
    {
        auto recovery = MakeSent(40);
        recovery->WindowChanged(window);
        return recovery->AckReceived(MakeSack(1, ~uint64_t{1}, outOfOrder)).lost;
    }
};

FABRIC_TEST_F(SleekRecoveryTestCase, g_sleek, "Where the rules apply")
{
    NS_TEST_EXPECT_MSG_EQ(Infers("Auto", false), true, "switches drop");
    NS_TEST_EXPECT_MSG_EQ(Infers("Auto", true), false, "switches trim");
    NS_TEST_EXPECT_MSG_EQ(Infers("Always", true), true, "always");
    NS_TEST_EXPECT_MSG_EQ(Infers("Never", false), false, "never");
    auto recovery = CreateObject<SelectiveRepeatRecovery>();
    NS_TEST_EXPECT_MSG_EQ(recovery->Start(FabricFacts()), true, "the fabric is not known");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(0, true), NO_PROBE, "without its base RTT");
}

/// 1.5 windows, at most the largest one, at least five packets.
FABRIC_TEST_F(SleekRecoveryTestCase, g_sleek, "Sleek recovery: limit")
{
    NS_TEST_EXPECT_MSG_EQ(Infer(4, 5).empty(), true, "1.5 windows are six packets");
    NS_TEST_EXPECT_MSG_EQ((Infer(4, 6) == Numbers{1}), true, "six packets");
    NS_TEST_EXPECT_MSG_EQ(Infer(5, 7).empty(), true, "1.5 windows are 7.5 packets");
    NS_TEST_EXPECT_MSG_EQ((Infer(5, 8) == Numbers{1}), true, "eight packets");
    NS_TEST_EXPECT_MSG_EQ(Infer(1, 4).empty(), true, "at least five packets");
    NS_TEST_EXPECT_MSG_EQ((Infer(1, 5) == Numbers{1}), true, "five packets");
    NS_TEST_EXPECT_MSG_EQ(Infer(9, 9).empty(), true, "the largest window has ten packets");
    NS_TEST_EXPECT_MSG_EQ((Infer(9, 10) == Numbers{1}), true, "ten packets");
}

/// A window of packets at a time, which ignore the window.
FABRIC_TEST_F(SleekRecoveryTestCase, g_sleek, "Sleek recovery: share")
{
    auto recovery = MakeSent(40);
    NS_TEST_EXPECT_MSG_EQ(recovery->IgnoresWindow(), false, "nothing is lost");
    const uint64_t bits = 0xFFFFF000; // 2 to 11 and 32 are missing behind 2
    const Numbers lost = recovery->AckReceived(MakeSack(2, bits << 2, 18)).lost;
    NS_TEST_EXPECT_MSG_EQ((lost == Numbers{2, 3, 4, 5, 6, 7, 8, 9, 10, 11}),
                          true,
                          "a window from the first missing packet on");
    NS_TEST_EXPECT_MSG_EQ(recovery->IgnoresWindow(), true, "these ignore the window");
    for (const uint64_t number : lost)
    {
        NS_TEST_EXPECT_MSG_EQ(recovery->TakeNext(500).number, number, "the lowest first");
    }
    NS_TEST_EXPECT_MSG_EQ(recovery->IgnoresWindow(), false, "and new packets do not");
    const Numbers more = recovery->AckReceived(MakeSack(12, 0xFFFFC, 20)).lost;
    NS_TEST_EXPECT_MSG_EQ((more == Numbers{12, 13}), true, "as the cumulative PSN advances");
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(MakeSack(12, 0xFFFFC, 20)).lost.empty(),
                          true,
                          "once");
    recovery->AckReceived(MakeSack(40, 0, 0));
    recovery->TakeNext(600);
    NS_TEST_EXPECT_MSG_EQ(recovery->IgnoresWindow(), false, "the end");
}

FABRIC_TEST_F(SleekRecoveryTestCase, g_sleek, "When probes are due")
{
    auto recovery = MakeSent(3);
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(500, false), 500 + 3 * RTT, "3 base RTTs");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(500, true), 500 + 2 * RTT, "RTT and target");
    const int64_t at = 500 + 2 * RTT;
    NS_TEST_EXPECT_MSG_EQ(+recovery->TakeProbe(at), 1, "the first probe");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(500, true), at + 5 * RTT, "5 base RTTs later");
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(at + 4 * RTT, true),
                          at + 6 * RTT,
                          "after an acknowledgement");
    for (uint32_t i = 0; i < 253; ++i)
    {
        recovery->TakeProbe(at);
    }
    NS_TEST_EXPECT_MSG_EQ(+recovery->TakeProbe(at), 1, "0 and 255 are no numbers");
    NS_TEST_EXPECT_MSG_EQ(recovery->SetAttributeFailSafe("ProbeInterval", DoubleValue(0.09)),
                          false,
                          "too many probes");
    recovery->SetAttribute("ProbeInterval", DoubleValue(0.1));
    recovery->SetAttribute("ProbeAfter", DoubleValue(1e-6));
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(at, true), at + RTT / 10, "a floor");
    recovery->SetAttribute("ProbeAfter", DoubleValue(0));
    NS_TEST_EXPECT_MSG_EQ(recovery->GetProbeDue(500, true), NO_PROBE, "no probes");
}

FABRIC_TEST_F(SleekRecoveryTestCase, g_sleek, "What an answer shows")
{
    auto recovery = MakeSent(8);
    const int64_t at = 3 * RTT;
    const uint8_t probe = recovery->TakeProbe(at);
    recovery->TakeNext(at + 1); // number 8, under way
    const AckReport late = MakeAnswer(2, 0, probe, at);
    NS_TEST_EXPECT_MSG_EQ(recovery->AckReceived(late).newlyAcked, 2, "0 and 1, not 2");
    NS_TEST_EXPECT_MSG_EQ(recovery->ProbeAnswered(late, at + 2 * RTT).empty(), true, "late");
    const AckReport other = MakeAnswer(2, 0, probe + 1, at);
    NS_TEST_EXPECT_MSG_EQ(recovery->ProbeAnswered(other, at + RTT).empty(), true, "another");
    const AckReport answer = MakeAnswer(2, 0b1000, probe, at); // 5 has come
    recovery->AckReceived(answer);
    NS_TEST_EXPECT_MSG_EQ((recovery->ProbeAnswered(answer, at + RTT) == Numbers{2, 3, 4, 6, 7}),
                          true,
                          "the missing packets, except the last one, which is under way");
    NS_TEST_EXPECT_MSG_EQ(recovery->IgnoresWindow(), true, "as inferred losses");
    for (const uint64_t number : {2, 3, 4, 6, 7})
    {
        NS_TEST_EXPECT_MSG_EQ(recovery->TakeNext(at + RTT).number, number, "sent again");
    }
    NS_TEST_EXPECT_MSG_EQ(recovery->ProbeAnswered(answer, at + RTT + 1).empty(),
                          true,
                          "a second copy of the answer");
    PolicyCounters counters = CountersOf(*recovery);
    NS_TEST_EXPECT_MSG_EQ(counters["probes"], 1, "probes");
    NS_TEST_EXPECT_MSG_EQ(counters["inferred_losses"], 5, "packets");
}

/// Lost tails, lost answers, dead paths: how long a message takes.
struct SleekTailTestCase : FabricTestCase
{
    /// What came out.
    struct Outcome
    {
        Time done;                   //!< when the message was acknowledged
        QueuePair::Counters sent;    //!< of the sender
        PolicyCounters policies;     //!< of the sender
        std::map<int, int> opcodes;  //!< frames that the first switch saw, by opcode
        std::vector<uint32_t> sizes; //!< of probes, in bytes
    };

    /// @return what comes out  @param mode whether the rules of SLEEK apply
    /// @param loses whether the first switch loses a frame: the frame, and how many of its opcode
    /// came before
    Outcome Run(const std::string& mode, const std::function<bool(const FabricFrame&, int)>& loses)
    {
        Default("SelectiveRepeatRecovery::Sleek", mode);
        Ptr<Fabric> fabric = InstallFabric(ClosHelper(), LeafSpine(2, 1, 1));
        Outcome outcome;
        const ChaosStage::Rule rule = [&](ChaosStage& stage, const FabricFrame& frame) {
            const int before = outcome.opcodes[frame.opcode]++;
            if (frame.opcode == SPRAY_PROBE)
            {
                outcome.sizes.push_back(frame.wireBytes);
            }
            if (!loses(frame, before))
            {
                stage.Forward(frame);
            }
        };
        fabric->GetSwitch(0)->SetStage(CreateObject<ChaosStage>(fabric->GetPool(), rule));
        const auto ends = SprayHelper().Connect(fabric->GetNic(0), fabric->GetNic(1));
        m_rtt = fabric->GetRoundTripTime(4096);
        ends.first->PostWrite(40000, CallbackOf([&outcome](Ptr<QueuePair>, uint64_t) {
                                  outcome.done = Simulator::Now();
                              }));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(outcome.done, Time(0), "it is acknowledged");
        outcome.sent = ends.first->GetCounters();
        ends.first->CountPolicies(outcome.policies);
        Simulator::Destroy();
        return outcome;
    }

    Time m_rtt; //!< base RTT of the fabric
};

FABRIC_TEST_F(SleekTailTestCase, g_sleek, "probes find losses that nothing else shows")
{
    const Outcome whole = Run("Auto", [](const FabricFrame&, int) { return false; });
    NS_TEST_EXPECT_MSG_EQ(whole.opcodes.count(SPRAY_PROBE), 0, "nothing is missing");
}

FABRIC_TEST_F(SleekTailTestCase, g_sleek, "The last packets are lost, and no later ones show it")
{
    const auto loses = [](const FabricFrame& frame, int before) {
        return (frame.opcode == SPRAY_DATA && before == 8) ||
               (frame.opcode == SPRAY_LAST && before == 0);
    };
    const Outcome probed = Run("Auto", loses);
    NS_TEST_EXPECT_MSG_EQ(probed.sent.timeouts, 0, "no timer");
    NS_TEST_EXPECT_MSG_EQ(probed.sent.retransmissions, 2, "the lost packets");
    NS_TEST_EXPECT_MSG_EQ(probed.policies.at("probes"), 1, "one probe");
    NS_TEST_EXPECT_MSG_LT(probed.done, 6 * m_rtt, "2 RTT until the probe, 1 each way");
    NS_TEST_EXPECT_MSG_EQ((probed.sizes == std::vector<uint32_t>{66}), true, "bytes");
    const Outcome timed = Run("Never", loses);
    NS_TEST_EXPECT_MSG_EQ(timed.sent.timeouts, 2, "a timer each");
    NS_TEST_EXPECT_MSG_GT(timed.done, MicroSeconds(500), "after the timeout");
    NS_TEST_EXPECT_MSG_EQ(timed.opcodes.count(SPRAY_PROBE), 0, "no probe");
}

/// Probes are lost, too: the next one comes 5 base RTTs later.
FABRIC_TEST_F(SleekTailTestCase, g_sleek, "Sleek tail: lost probes")
{
    const Outcome outcome = Run("Auto", [](const FabricFrame& frame, int before) {
        return (frame.opcode == SPRAY_LAST && before == 0) ||
               (frame.opcode == SPRAY_PROBE && before < 2);
    });
    NS_TEST_EXPECT_MSG_EQ(outcome.sent.timeouts, 0, "no timer");
    NS_TEST_EXPECT_MSG_EQ(outcome.policies.at("probes"), 3, "the third one arrives");
    NS_TEST_EXPECT_MSG_GT(outcome.done, 12 * m_rtt, "after two intervals");
    NS_TEST_EXPECT_MSG_LT(outcome.done, 17 * m_rtt, "and not later");
}

FABRIC_TEST_F(SleekTailTestCase, g_sleek, "All reports but answers to probes are lost")
{
    const Outcome outcome = Run("Auto", [](const FabricFrame& frame, int) {
        return frame.opcode == SPRAY_ACK && frame.GetExtra().sack.probe == 0;
    });
    NS_TEST_EXPECT_MSG_EQ(outcome.sent.timeouts, 0, "no timer");
    NS_TEST_EXPECT_MSG_EQ(outcome.policies.at("probes"), 1, "the first one");
    NS_TEST_EXPECT_MSG_EQ(outcome.sent.retransmissions, 0, "all has come");
}

/// Whatever is lost, doubled and overtaken among data, reports, NACKs and probes, the laws of
/// connections hold.
struct SleekPropertyTestCase : ConnectionFuzz
{
    void CheckSeeds() override
    {
        for (const int opcode : {SPRAY_DATA, SPRAY_LAST, SPRAY_ACK, SPRAY_NACK, SPRAY_PROBE})
        {
            NS_TEST_EXPECT_MSG_GT(m_lost[opcode], 0, "lost frames of opcode " << opcode);
            NS_TEST_EXPECT_MSG_GT(m_copied[opcode], 0, "copied frames of opcode " << opcode);
        }
    }

    Ptr<Fabric> Draw() override
    {
        Default("SprayQueuePair::Mtu", Pick({64, 1000, 4096}));
        Default("SelectiveRepeatRecovery::Sleek", m_random() % 3 ? "Always" : "Auto");
        Default("SelectiveRepeatRecovery::OutOfOrderLimit", Pick({0, 0, 3, 30}));
        Default("FixedControl::Window", Pick({0, 5000, 30000, 200000}));
        ClosHelper clos;
        const uint64_t bytes = Pick({9000, 20000, 60000});
        clos.SetAdmission(ObjectFactory(m_random() % 2 ? "ns3::aifabric::TrimmingBuffer"
                                                       : "ns3::aifabric::PortBuffer",
                                        "PortBytes",
                                        UintegerValue(bytes)));
        clos.SetNicAttribute("IpVersion", StringValue(m_random() % 2 ? "6" : "4"));
        Ptr<Fabric> fabric = InstallFabric(clos, LeafSpine(2, 1 + m_random() % 3, 2, 1));
        const uint64_t loss = Pick({0, 1, 5, 15});
        const uint64_t copies = Pick({0, 5, 20});
        const auto delay = static_cast<int64_t>(Pick({0, 2, 30, 200}) * 1000000);
        ChaosStage::InstallAll(
            *fabric,
            [this, loss, copies, delay](ChaosStage& stage, const FabricFrame& frame) {
                Forward(stage, frame, loss, copies, delay);
            });
        return fabric;
    }

    /// Forward a frame or two or none.  @param loss in percent  @param copies in percent
    /// @param delay the longest, in picoseconds
    void Forward(ChaosStage& stage,
                 const FabricFrame& frame,
                 uint64_t loss,
                 uint64_t copies,
                 int64_t delay)
    {
        if (m_random() % 100 < loss)
        {
            ++m_lost[frame.opcode];
            return;
        }
        const bool isCopied = m_random() % 100 < copies;
        m_copied[frame.opcode] += isCopied;
        for (uint32_t i = 0; i < 1U + isCopied; ++i)
        {
            stage.Forward(frame, m_random() % 4 || delay == 0 ? 0 : m_random() % delay);
        }
    }

    void Connect(const Fabric& fabric) override
    {
        RoceHelper roce = SprayHelper();
        roce.SetControl(ObjectFactory(m_random() % 2 ? "ns3::aifabric::NsccControl"
                                                     : "ns3::aifabric::FixedControl"));
        roce.SetQueuePairAttribute("AckTimeout", TimeValue(MicroSeconds(Pick({100, 300}))));
        roce.SetQueuePairAttribute("FirstPsn", UintegerValue(Pick({0, (1 << 24) - 10})));
        roce.SetQueuePairAttribute("AckDscp", UintegerValue(Pick({26, 48})));
        roce.SetQueuePairAttribute("RetryLimit", UintegerValue(20));
        for (uint32_t host = 1; host < fabric.GetGraph().HostCount(); ++host)
        {
            AddStreams(roce.Connect(fabric.GetNic(host), fabric.GetNic(0)));
        }
    }

    void PostMessage(std::size_t stream, uint64_t bytes, uint32_t key) override
    {
        const Time time = NanoSeconds(30000 * (m_random() % 3) + m_streams[stream].drawn);
        ScheduleFunction(time, [this, stream, bytes, key] { PostNow(stream, bytes, key); });
    }

    std::map<int, uint64_t> m_lost;   //!< frames that were, by opcode
    std::map<int, uint64_t> m_copied; //!< frames that were, by opcode
};

/// The round-trip time of a fabric is that of the frames of its queue pairs; and what a queue pair
/// takes of memory.
struct SprayCostTestCase : FabricTestCase
{
    /// @return the round-trip time
    Time Measure(TypeId type)
    {
        ClosHelper clos = ClosOf({{"QueuePairType", type}});
        Ptr<Fabric> fabric = clos.Install(LeafSpine(2, 1, 1));
        m_rate = fabric->GetNic(0)->GetPort(0)->GetDataRate();
        const Time rtt = fabric->GetRoundTripTime(4096);
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(0)->GetFacts(4096).baseRtt, rtt, "what policies get");
        Simulator::Destroy();
        return rtt;
    }

    DataRate m_rate; //!< of a link
};

FABRIC_TEST_F(SprayCostTestCase, g_sleek, "round-trip time and bytes of a queue pair")
{
    NS_TEST_EXPECT_MSG_LT_OR_EQ(sizeof(SprayQueuePair) + sizeof(SelectiveRepeatRecovery),
                                1024,
                                "a queue pair and its recovery");
    const Time rc = Measure(RcQueuePair::GetTypeId());
    const Time spray = Measure(SprayQueuePair::GetTypeId());
    // 4166 and 94 bytes instead of 4158 and 64, on four links
    NS_TEST_EXPECT_MSG_EQ((spray - rc), 4 * SerializationTime(m_rate, 38), "larger frames");
}

FABRIC_ROWS(g_sleek)
{
    rows.AddRow<SleekPropertyTestCase>("random loss, copies and reordering", 1, 50);
    rows.AddRow<SleekPropertyTestCase>("more random loss, copies and reordering", 51, 50);
}
