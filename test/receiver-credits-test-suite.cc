/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/credit-pacer.h"
#include "ns3/ingress-stage.h"
#include "ns3/rccc-control.h"
#include "ns3/spray-codec.h"
#include "ns3/spray-credits.h"
#include "ns3/spray-queue-pair.h"
#include "ns3/trimming-buffer.h"
#include "ns3/unordered-ack-policy.h"

static Suite g_receiverCredits("ai-fabric-receiver-credits");

namespace
{

constexpr uint32_t MTU = 4096; //!< payload bytes of a packet

/// A switch that loses frames that a test chooses.
struct LossyStage : IngressStage
{
    void Install(FabricSwitch&) override
    {
    }

    bool Passes(const Ptr<FabricFrame>& frame, int64_t now) override
    {
        const bool isLost = loses && loses(*frame, now);
        lost += isLost;
        return !isLost;
    }

    std::function<bool(const FabricFrame&, int64_t)> loses; //!< whether it loses a frame
    uint64_t lost{0};                                       //!< how many it has lost
};

/// Bytes that messages need, and when they are done.
struct Transfer
{
    Ptr<QueuePair> sender;   //!< the one end
    Ptr<QueuePair> receiver; //!< the other
    uint64_t done{0};        //!< messages that are acknowledged
    Time last;               //!< when the last one was
};

/// Post a message, and note when it is acknowledged.
void
Post(Transfer& transfer, uint64_t bytes)
{
    transfer.sender->PostWrite(bytes, CallbackOf([&transfer](Ptr<QueuePair>, uint64_t) {
                                   ++transfer.done;
                                   transfer.last = Simulator::Now();
                               }));
}

/// @return a helper that connects by spraying  @param control the name of the congestion control
RoceHelper
MakeHelper(const std::string& control)
{
    RoceHelper roce;
    roce.SetQueuePair(FactoryOf("SprayQueuePair", {{"AckDscp", 48}}));
    roce.SetControl(FactoryOf(control + "Control"));
    roce.SetBalancer(FactoryOf("HostRandomBalancer"));
    return roce;
}

/// @return a helper of senders that need credit  @param factor of the unsolicited bytes
RoceHelper
RcccHelper(double factor)
{
    RoceHelper roce = MakeHelper("Rccc");
    roce.SetControl(FactoryOf("RcccControl", {{"UnsolicitedFactor", factor}}));
    return roce;
}

/// @return a connection between two hosts
Transfer
Open(const RoceHelper& roce, const Fabric& fabric, uint32_t from, uint32_t to)
{
    const auto [sender, receiver] = roce.Connect(fabric.GetNic(from), fabric.GetNic(to));
    return {sender, receiver, 0, Time(0)};
}

/// @return the stage that a switch now has
Ptr<LossyStage>
Lossy(const Fabric& fabric, uint32_t id)
{
    const auto stage = CreateObject<LossyStage>();
    fabric.GetSwitch(id)->SetStage(stage);
    return stage;
}

/// @return what the buffers of all switches have counted
PolicyCounters
CountBuffers(const Fabric& fabric)
{
    PolicyCounters counters;
    for (const Ptr<FabricSwitch>& fabricSwitch : fabric.GetSwitchList())
    {
        fabricSwitch->GetAdmission()->Count(counters);
    }
    return counters;
}

/// @return a fabric whose switches trim
Ptr<Fabric>
MakeFabric(const FabricGraph& graph, const std::string& rate, uint64_t bytes)
{
    ClosHelper clos = ClosOf({}, {{"DataRate", rate}});
    clos.SetBalancerType(TypeId::LookupByName("ns3::aifabric::HostRandomBalancer"));
    clos.SetAdmission(FactoryOf("TrimmingBuffer", {{"PortBytes", bytes}}));
    clos.SetMarker(FactoryOf("StepMarker", {{"Threshold", bytes / 2}, {"AtLastHop", false}}));
    Default("UnorderedAckPolicy::Bytes", MTU);
    clos.SetNicAttribute("AckPolicyType", TypeIdValue(UnorderedAckPolicy::GetTypeId()));
    return InstallFabric(clos, graph);
}

/// @return what the policies of queue pairs have counted
PolicyCounters
CountPolicies(const std::vector<Transfer>& transfers)
{
    PolicyCounters counters;
    for (const Transfer& transfer : transfers)
    {
        transfer.sender->CountPolicies(counters);
        transfer.receiver->CountPolicies(counters);
    }
    return counters;
}

} // namespace

/// What the two ends count, in cases computed by hand; lost, late and repeated announcements;
/// fields that wrap.
/// What the receiving end wants, has given and has been spared. A quantum has 256 bytes.
FABRIC_TEST(g_receiverCredits, "Credit sums: receiver")
{
    SprayCredits credits(256);
    NS_TEST_EXPECT_MSG_EQ(credits.IsOwing(), false, "nobody wants anything");
    NS_TEST_EXPECT_MSG_EQ(credits.Grant(1000), 0, "so nothing is given");
    NS_TEST_EXPECT_MSG_EQ(credits.DemandReceived({10, 4}), 4 * 256, "four units unsolicited");
    NS_TEST_EXPECT_MSG_EQ(credits.DemandReceived({10, 4}), 0, "once");
    NS_TEST_EXPECT_MSG_EQ(credits.Grant(1000), 1024, "rounded up");
    NS_TEST_EXPECT_MSG_EQ(credits.GetGranted(), 4, "units");
    NS_TEST_EXPECT_MSG_EQ(credits.Grant(2048), 6 * 256, "no more than is wanted");
    NS_TEST_EXPECT_MSG_EQ(credits.IsOwing(), false, "that was all");
    NS_TEST_EXPECT_MSG_EQ(credits.DemandReceived({9, 3}), 0, "late");
    NS_TEST_EXPECT_MSG_EQ(credits.IsOwing(), false, "which changes nothing");
    NS_TEST_EXPECT_MSG_EQ(credits.DemandReceived({11, 6}), 2 * 256, "more");
    NS_TEST_EXPECT_MSG_EQ(credits.IsOwing(), true, "one unit");
    NS_TEST_EXPECT_MSG_EQ(credits.Trimmed(1000), 1000, "of six units");
    NS_TEST_EXPECT_MSG_EQ(credits.Trimmed(1000), 6 * 256 - 1000, "the rest of them");
    NS_TEST_EXPECT_MSG_EQ(credits.Trimmed(1000), 0, "what had credit is not spared");
    SprayCredits late(256);
    NS_TEST_EXPECT_MSG_EQ(late.Trimmed(300), 0, "nothing is announced yet");
    NS_TEST_EXPECT_MSG_EQ(late.DemandReceived({0, 4}), 4 * 256 - 300, "less what is trimmed");
}

FABRIC_TEST(g_receiverCredits, "What the sending end announces and gets")
{
    SprayCredits credits(256);
    NS_TEST_EXPECT_MSG_EQ(credits.IsExpecting(), false, "it has asked for nothing");
    DemandFields demand = credits.Announce({1000, 4096});
    NS_TEST_EXPECT_MSG_EQ(demand.wanted, 4, "rounded up");
    NS_TEST_EXPECT_MSG_EQ(demand.unsolicited, 16, "units");
    NS_TEST_EXPECT_MSG_EQ(credits.IsExpecting(), true, "four units");
    NS_TEST_EXPECT_MSG_EQ(credits.CreditReceived(3), 768, "bytes");
    NS_TEST_EXPECT_MSG_EQ(credits.CreditReceived(1), 768, "late");
    NS_TEST_EXPECT_MSG_EQ(credits.IsExpecting(), true, "one unit");
    NS_TEST_EXPECT_MSG_EQ(credits.CreditReceived(4), 1024, "the last one");
    NS_TEST_EXPECT_MSG_EQ(credits.IsExpecting(), false, "all has come");
    demand = credits.Announce({512, 4096});
    NS_TEST_EXPECT_MSG_EQ(demand.wanted, 4, "what was announced stays");
}

FABRIC_TEST(g_receiverCredits, "A sum is lost when all frames that carried it came without it")
{
    SprayCredits credits(1);
    const auto send = [&credits](uint64_t wanted, int64_t sentAt) {
        credits.Announce({wanted, 0});
        credits.AnnouncementSent(sentAt);
    };
    NS_TEST_EXPECT_MSG_EQ(credits.IsAnnouncementLost(), false, "none is sent");
    send(10, 1);
    send(10, 2);
    credits.AnnouncementRefused(1);
    NS_TEST_EXPECT_MSG_EQ(credits.IsAnnouncementLost(), false, "another one is on its way");
    credits.AnnouncementRefused(2);
    NS_TEST_EXPECT_MSG_EQ(credits.IsAnnouncementLost(), true, "both are lost");
    send(10, 3);
    NS_TEST_EXPECT_MSG_EQ(credits.IsAnnouncementLost(), false, "a request");
    send(11, 4);
    credits.AnnouncementRefused(3);
    NS_TEST_EXPECT_MSG_EQ(credits.IsAnnouncementLost(), false, "an earlier sum");
    credits.AnnouncementRefused(4);
    NS_TEST_EXPECT_MSG_EQ(credits.IsAnnouncementLost(), true, "the latest one");
}

/// What the congestion control allows: an allowance of 100,000 bytes, packets of 1000.
FABRIC_TEST(g_receiverCredits, "Credit sums: control")
{
    const auto control = CreateWith<RcccControl>(
        {{"HeaderBytes", 0}, {"NetworkRtt", MicroSeconds(10)}, {"UnsolicitedFactor", 0.1}});
    control->Start(MakeFacts("800Gb/s", 1000)); // a BDP of 1,000,000 bytes
    NS_TEST_EXPECT_MSG_EQ(control->UsesCredits(), true, "it does");
    NS_TEST_EXPECT_MSG_EQ(control->GetCredit(), 100000, "a tenth of the BDP");
    NS_TEST_EXPECT_MSG_EQ(control->GetDemand(60000).wanted, 0, "within the allowance");
    NS_TEST_EXPECT_MSG_EQ(control->GetDemand(60000).unsolicited, 60000, "all of it");
    NS_TEST_EXPECT_MSG_EQ(control->GetDemand(300000).wanted, 200000, "beyond the allowance");
    NS_TEST_EXPECT_MSG_EQ(control->GetDemand(300000).unsolicited, 100000, "the allowance");
    NS_TEST_EXPECT_MSG_EQ(control->GetDemand(5000000).wanted,
                          control->GetWindow() - 100000,
                          "a window, and no more");
    control->PacketSent(99000, 1);
    NS_TEST_EXPECT_MSG_EQ(control->GetCredit(), 1000, "one packet");
    control->PacketSent(1500, 1);
    NS_TEST_EXPECT_MSG_EQ(control->GetCredit(), 0, "500 bytes too many");
    NS_TEST_EXPECT_MSG_EQ(control->GetDemand(4000).wanted, 4500, "those included");
    NS_TEST_EXPECT_MSG_EQ(control->CreditReceived(2000, 2), true, "credit");
    NS_TEST_EXPECT_MSG_EQ(control->GetCredit(), 1500, "less the 500 bytes");
    NS_TEST_EXPECT_MSG_EQ(control->CreditReceived(1000, 3), false, "late");
    NS_TEST_EXPECT_MSG_EQ(control->CreditReceived(2000, 4), false, "repeated");
    const uint64_t window = control->GetWindow();
    control->Lost({1000, LossReason::TRIMMED_LAST_HOP}, 5);
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(), window, "the last hop is the receiver's");
    control->Lost({1000, LossReason::TRIMMED}, 5);
    NS_TEST_EXPECT_MSG_LT(control->GetWindow(), window, "the fabric is the sender's");
    control->Start(MakeFacts("800Gb/s", 1000));
    NS_TEST_EXPECT_MSG_EQ(control->GetCredit(), 100000, "a new first window");
    NS_TEST_EXPECT_MSG_EQ(control->GetDemand(0).wanted, 0, "and the sums go on");
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*control)["credits_received"], 1, "that brought more");
}

FABRIC_TEST(g_receiverCredits, "Fields have 24 bits")
{
    SprayCredits sender(1);
    SprayCredits receiver(1);
    uint64_t sent = 0;
    for (uint32_t i = 0; i < 40; ++i)
    {
        const uint64_t wanted = sent + 1000000;
        const DemandFields demand = sender.Announce({wanted, i});
        NS_TEST_EXPECT_MSG_LT(demand.wanted, 1 << 24, "24 bits");
        receiver.DemandReceived(demand);
        while (receiver.IsOwing())
        {
            receiver.Grant(300000); // the announcements but the last are lost
        }
        sent = sender.CreditReceived(receiver.GetGranted());
        NS_TEST_EXPECT_MSG_EQ(sent, wanted, "all that was wanted");
    }
    // More than fits into a field is asked for step by step.
    const DemandFields much = sender.Announce({sent + (uint64_t{1} << 32), 40});
    receiver.DemandReceived(much);
    NS_TEST_EXPECT_MSG_EQ(receiver.IsOwing(), true, "a part of it");
    receiver.Grant(1 << 23);
    NS_TEST_EXPECT_MSG_GT(sender.CreditReceived(receiver.GetGranted()), sent + 4000000, "it");
}

/// An incast of 15 hosts: once the first windows have come, the last hop trims nothing, its link is
/// busy until the end, and nobody gets much less than another. As fast as it can be, too, is one
/// sender alone. Where the first windows are small enough not to wait in the fabric, trims end
/// after two base RTTs.
struct CreditIncastTestCase : FabricTestCase
{
    static constexpr uint32_t SENDERS = 15;       //!< of the incast
    static constexpr uint64_t BYTES = 2000000;    //!< of a message
    static constexpr double RATE = 100e9 / 8;     //!< of a port, in bytes per second
    static constexpr double WIRE = 4194.0 / 4096; //!< bytes on the wire, with gap, per byte

    /// @param leaves of the fabric, which has 16 hosts
    void Check(uint32_t leaves, uint32_t planes, double factor)
    {
        m_leaves = leaves;
        m_planes = planes;
        m_factor = factor;
        const double ideal = BYTES * WIRE / (RATE * m_planes);
        NS_TEST_EXPECT_MSG_LT(Run(SENDERS, 0), 1.04 * SENDERS * ideal, "busy until the end");
        NS_TEST_EXPECT_MSG_LT(Run(1, 0), 1.02 * ideal + 20e-6, "one sender");
        NS_TEST_EXPECT_MSG_LT(Run(2, 0), 1.03 * 2 * ideal + 20e-6, "two");
        NS_TEST_EXPECT_MSG_LT(Run(1, 1), 1.04 * ideal + 20e-6, "both ways");
    }

    /// @return when all is acknowledged, in seconds
    /// @param back messages that the receiver sends to the first of them
    double Run(uint32_t senders, uint32_t back)
    {
        const Ptr<Fabric> fabric =
            MakeFabric(LeafSpine(m_leaves, 4, 16 / m_leaves, m_planes), "100Gb/s", 66000);
        RoceHelper roce = RcccHelper(m_factor);
        std::vector<Transfer> transfers(senders + back);
        for (uint32_t i = 0; i < senders; ++i)
        {
            const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(15 - i), fabric->GetNic(0));
            transfers[i] = {ends.first, ends.second, 0, Time(0)};
            if (i < back)
            {
                transfers[senders + i] = {ends.second, ends.first, 0, Time(0)};
            }
        }
        for (Transfer& transfer : transfers)
        {
            Post(transfer, BYTES);
        }
        // The first windows take a base RTT to leave and half a one to arrive. Large ones fill
        // queues within the fabric, of a base RTT, which hold the last packets up.
        const bool isHeldUp = m_leaves > 1 && m_factor == 1;
        const Time rtt = fabric->GetNic(0)->GetFacts(MTU).baseRtt;
        uint64_t early = 0;
        ScheduleFunction(rtt * (isHeldUp ? 4 : 2), [&]() { early = CountTrimmed(*fabric); });
        Simulator::Run();
        // Where paths differ, packets of several credits may arrive at once.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(CountTrimmed(*fabric),
                                    early + (isHeldUp ? 20 : 0),
                                    "nothing is trimmed later");
        NS_TEST_EXPECT_MSG_EQ((early > 0),
                              (senders * m_factor > 1),
                              "the first windows are too much");
        const double end = CheckTransfers(transfers);
        Simulator::Destroy();
        return end;
    }

    /// @return when the last message is acknowledged, in seconds
    double CheckTransfers(const std::vector<Transfer>& transfers)
    {
        Time first = Time::Max();
        Time last;
        for (const Transfer& transfer : transfers)
        {
            NS_TEST_EXPECT_MSG_EQ(transfer.done, 1, "it arrives");
            NS_TEST_EXPECT_MSG_EQ(transfer.sender->GetCounters().timeouts, 0, "without a timer");
            first = std::min(first, transfer.last);
            last = std::max(last, transfer.last);
        }
        NS_TEST_EXPECT_MSG_GT(first.GetSeconds(), 0.9 * last.GetSeconds(), "equal shares");
        const PolicyCounters counters = CountPolicies(transfers);
        NS_TEST_EXPECT_MSG_GT(counters.at("credits_sent"), 50 * transfers.size(), "credit");
        return last.GetSeconds();
    }

    /// @return frames that were trimmed before the link to the receiver
    static uint64_t CountTrimmed(const Fabric& fabric)
    {
        return CountBuffers(fabric)["trimming_last_hop_frames"];
    }

    uint32_t m_leaves; //!< of the fabric
    uint32_t m_planes; //!< of the fabric
    double m_factor;   //!< of the allowance
};

/// Four times as many hosts as uplinks, and each host sends to all of the other leaves. Receivers
/// that give credit for all that their links can take overload the uplinks, and the windows cannot
/// help, because each is a packet at least. With CoreRatio few packets are trimmed, and the uplinks
/// remain busy.
struct CreditCoreTestCase : FabricTestCase
{
    static constexpr uint32_t LEAVES = 4;     //!< of the fabric
    static constexpr uint32_t UPLINKS = 2;    //!< of a leaf
    static constexpr uint32_t HOSTS = 8;      //!< below a leaf
    static constexpr uint64_t BYTES = 256000; //!< of a message
    static constexpr uint64_t PACKETS =
        LEAVES * HOSTS * (LEAVES - 1) * HOSTS * ((BYTES + MTU - 1) / MTU); //!< of all messages
    static constexpr double RATE = 100e9 / 8;     //!< of a port, in bytes per second
    static constexpr double WIRE = 4194.0 / 4096; //!< bytes on the wire, with gap, per byte

    /// What a run gives.
    struct Outcome
    {
        uint64_t trimmed; //!< frames trimmed within the fabric
        double share;     //!< of the uplinks' rate that was used until the end
        double rate;      //!< mean of CreditPacer::GetCoreRate()
    };

    /// @return what the fabric does
    Outcome Run(double ratio)
    {
        Default("CreditPacer::CoreRatio", ratio);
        const Ptr<Fabric> fabric = MakeFabric(LeafSpine(LEAVES, UPLINKS, HOSTS), "100Gb/s", 100000);
        RoceHelper roce = RcccHelper(0);
        std::vector<Transfer> transfers;
        const uint32_t hosts = LEAVES * HOSTS;
        for (uint32_t from = 0; from < hosts; ++from)
        {
            for (uint32_t to = (from / HOSTS + 1) * HOSTS; to < (from / HOSTS + LEAVES) * HOSTS;
                 ++to)
            {
                transfers.push_back(Open(roce, *fabric, from, to % hosts));
            }
        }
        for (Transfer& transfer : transfers)
        {
            Post(transfer, BYTES);
        }
        double rate = 0;
        ScheduleFunction(MicroSeconds(500), [&fabric, &rate]() {
            for (const Ptr<RoceNetDevice>& nic : fabric->GetNicList())
            {
                rate += CreditPacer::Of(*nic).GetCoreRate();
            }
        });
        Simulator::Run();
        Time last;
        for (const Transfer& transfer : transfers)
        {
            NS_TEST_EXPECT_MSG_EQ(transfer.done, 1, "it arrives");
            last = std::max(last, transfer.last);
        }
        PolicyCounters counters = CountBuffers(*fabric);
        Simulator::Destroy();
        return {counters["trimming_frames"] - counters["trimming_last_hop_frames"],
                HOSTS * HOSTS * (LEAVES - 1) * BYTES * WIRE / (UPLINKS * RATE) / last.GetSeconds(),
                rate / hosts};
    }
};

FABRIC_TEST_F(CreditCoreTestCase, g_receiverCredits, "an oversubscribed core")
{
    const double ratio = static_cast<double>(HOSTS) / UPLINKS;
    const Outcome without = Run(1);
    const Outcome with = Run(ratio);
    NS_TEST_EXPECT_MSG_GT(without.trimmed, PACKETS, "a packet is trimmed more than once");
    NS_TEST_EXPECT_MSG_LT(with.trimmed, PACKETS / 6, "few are");
    NS_TEST_EXPECT_MSG_GT(with.share, 0.78, "the uplinks are busy");
    NS_TEST_EXPECT_MSG_GT(with.share, 0.97 * without.share, "as they were");
    NS_TEST_EXPECT_MSG_EQ(without.rate, 1, "the rate of the links");
    NS_TEST_EXPECT_MSG_EQ((with.rate >= 0.9 / ratio && with.rate < 1.6 / ratio),
                          true,
                          "the rate that the core can carry, not " << with.rate);
}

/// Two senders, of which one has ten times as much to send: until the other one is done, they get
/// the same.
FABRIC_TEST(g_receiverCredits, "equal shares")
{
    const Ptr<Fabric> fabric = MakeFabric(LeafSpine(3, 2, 1), "100Gb/s", 120000);
    RoceHelper roce = MakeHelper("Rccc");
    std::vector<Transfer> transfers;
    for (const uint32_t host : {0, 1})
    {
        transfers.push_back(Open(roce, *fabric, host, 2));
    }
    Post(transfers[0], 10000000);
    Post(transfers[1], 1000000);
    std::vector<uint64_t> got(2);
    for (const uint32_t us : {60, 120})
    {
        ScheduleFunction(MicroSeconds(us), [&]() {
            const uint64_t a = transfers[0].receiver->GetCounters().bytesAccepted;
            const uint64_t b = transfers[1].receiver->GetCounters().bytesAccepted;
            const double ratio = static_cast<double>(a - got[0]) / (b - got[1]);
            NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 1, 0.1, "equal shares");
            got = {a, b};
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(transfers[0].done + transfers[1].done, 2, "both are done");
}

/// Lost credits, requests and data: after the last credit is lost a request gets it again; before
/// the first one, it replaces the data that announced the demand; without an allowance the
/// connection begins with a request; and messages that come later do so, too.
struct CreditRequestTestCase : FabricTestCase
{
    static constexpr int64_t US = 1000000; //!< picoseconds

    void Run(const std::function<bool(const FabricFrame&, int64_t)>& loses,
             double factor,
             uint64_t bytes,
             uint64_t least,
             uint64_t most)
    {
        const Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 1, 1), "100Gb/s", 120000);
        const auto stage = Lossy(*fabric, 2); // the spine
        stage->loses = loses;
        RoceHelper roce = RcccHelper(factor);
        roce.SetQueuePairAttribute("AckTimeout", TimeValue(MicroSeconds(50)));
        std::vector<Transfer> transfers{Open(roce, *fabric, 0, 1)};
        Post(transfers[0], bytes);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(transfers[0].done, 1, "it arrives");
        NS_TEST_EXPECT_MSG_EQ((stage->lost > 0), bool(loses) && factor < 2, "frames are lost");
        const PolicyCounters counters = CountPolicies(transfers);
        const uint64_t requests = counters.at("credit_requests");
        NS_TEST_EXPECT_MSG_EQ((requests >= least && requests <= most),
                              true,
                              requests << " requests, factor " << factor << ", " << bytes);
        const int64_t before = transfers[0].last.GetPicoSeconds();
        Post(transfers[0], bytes);
        Post(transfers[0], bytes);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(transfers[0].done, 3, "so do later ones");
        NS_TEST_EXPECT_MSG_GT(transfers[0].last.GetPicoSeconds(), before, "later");
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(CreditRequestTestCase, g_receiverCredits, "requests for credit")
{
    using Loses = std::function<bool(const FabricFrame&, int64_t)>;
    const Loses nothing;
    Run(nothing, 1, 400000, 0, 0);
    Run(nothing, 0, 400000, 1, 1);
    Run(nothing, 1, 1, 0, 0);
    Run(nothing, 0, 1, 1, 1);
    Run([](const FabricFrame& frame, int64_t) { return frame.opcode == SPRAY_CREDIT; },
        1000, // more than all messages
        400000,
        0,
        0);
    Run([](const FabricFrame& frame,
           int64_t now) { return frame.opcode == SPRAY_CREDIT && now < 200 * US; },
        0.1,
        400000,
        1,
        8);
    Run([](const FabricFrame& frame,
           int64_t now) { return frame.opcode == SPRAY_REQUEST && now < 100 * US; },
        0,
        400000,
        2,
        8);
    Run([](const FabricFrame& frame,
           int64_t now) { return SprayCodec::IsData(frame.opcode) && now < 40 * US; },
        0.1,
        400000,
        0,
        4);
    // The last credit: 400,000 bytes need 25 of four packets.
    uint32_t credits = 0;
    Run([&credits](const FabricFrame& frame,
                   int64_t) { return frame.opcode == SPRAY_CREDIT && ++credits == 25; },
        0,
        400000,
        2,
        2);
}

/// A sender repeats a request long before AckTimeout, and on another path: if requests or credits
/// are lost for some time, and if one path of four is dead and no switch knows.
struct CreditRepetitionTestCase : FabricTestCase
{
    static constexpr uint32_t MESSAGE = 1 << 20;   //!< bytes of a message
    static constexpr int64_t LOSS_END = 100000000; //!< picoseconds

    /// @return when a message is acknowledged whose requests or credits are lost at first
    /// @param interval of requests, in base RTTs
    Time Lose(uint8_t opcode, uint32_t interval)
    {
        const Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 1, 1), "100Gb/s", 120000);
        const auto stage = Lossy(*fabric, 2); // the spine
        stage->loses = [opcode](const FabricFrame& frame, int64_t now) {
            return frame.opcode == opcode && now < LOSS_END;
        };
        RoceHelper roce = RcccHelper(0);
        roce.SetQueuePairAttribute("AckTimeout", TimeValue(MilliSeconds(10)));
        roce.SetQueuePairAttribute("RequestInterval", UintegerValue(interval));
        Transfer transfer = Open(roce, *fabric, 0, 1);
        Post(transfer, MESSAGE);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(transfer.done, 1, "it arrives");
        NS_TEST_EXPECT_MSG_EQ(transfer.sender->GetCounters().timeouts,
                              (interval > 0 ? 0 : 1),
                              "expired timers");
        NS_TEST_EXPECT_MSG_LT(CountPolicies({transfer}).at("credit_requests"), 8, "requests");
        Simulator::Destroy();
        return transfer.last;
    }

    /// Send with the default limits while one spine of four loses all that leaf 0 sends and gets.
    /// @return mean time until a message is acknowledged
    Time RunWithDeadPath(const std::string& control, uint32_t run)
    {
        constexpr uint32_t HOSTS = 16;
        constexpr uint32_t LEAF = 4;
        RngSeedManager::SetRun(run);
        const Ptr<Fabric> fabric = MakeFabric(LeafSpine(4, 4, LEAF), "400Gb/s", 400000);
        const auto stage = Lossy(*fabric, 5); // a spine
        stage->loses = [](const FabricFrame& frame, int64_t) {
            return frame.source < LEAF || frame.destination < LEAF;
        };
        RoceHelper roce = MakeHelper(control);
        std::vector<Transfer> transfers(HOSTS);
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            transfers[host] = Open(roce, *fabric, host, (host + LEAF) % HOSTS);
            Post(transfers[host], MESSAGE);
        }
        Simulator::Run();
        Time sum;
        for (const Transfer& transfer : transfers)
        {
            NS_TEST_EXPECT_MSG_EQ(transfer.done, 1, "run " << run);
            sum += transfer.last;
        }
        NS_TEST_EXPECT_MSG_GT(stage->lost, 0, "the dead path");
        Simulator::Destroy();
        return sum / HOSTS;
    }
};

FABRIC_TEST_F(CreditRepetitionTestCase, g_receiverCredits, "repeated requests")
{
    for (const uint8_t opcode : {SPRAY_REQUEST, SPRAY_CREDIT})
    {
        NS_TEST_EXPECT_MSG_LT(Lose(opcode, 10), MicroSeconds(500), "repeated: " << +opcode);
        NS_TEST_EXPECT_MSG_GT(Lose(opcode, 0), MilliSeconds(10), "AckTimeout: " << +opcode);
    }
    Time credits;
    Time window;
    for (uint32_t run = 1; run <= 8; ++run)
    {
        const Time time = RunWithDeadPath("Rccc", run);
        NS_TEST_EXPECT_MSG_LT(time, MilliSeconds(5), "run " << run);
        credits += time;
        window += RunWithDeadPath("Nscc", run);
    }
    NS_TEST_EXPECT_MSG_LT(credits.GetSeconds(),
                          1.1 * window.GetSeconds(),
                          "as fast as a sender that needs no credit");
}

/// Requests and credits get through, and data never does: the sender gives up, because credit is no
/// progress. A sender without credit says that it waits for some, and its expired timers count.
struct CreditWithoutPathTestCase : FabricTestCase
{
    /// Post a message.
    void Start(double factor, const std::function<bool(const FabricFrame&)>& loses)
    {
        m_fabric = MakeFabric(LeafSpine(2, 1, 1), "100Gb/s", 120000);
        const auto stage = Lossy(*m_fabric, 2); // the spine
        stage->loses = [loses](const FabricFrame& frame, int64_t) { return loses(frame); };
        RoceHelper roce = RcccHelper(factor);
        m_sender = roce.Connect(m_fabric->GetNic(0), m_fabric->GetNic(1)).first;
        m_sender->PostWrite(1000000);
    }

    Ptr<Fabric> m_fabric;    //!< two hosts
    Ptr<QueuePair> m_sender; //!< of host 0
};

FABRIC_TEST_F(CreditWithoutPathTestCase, g_receiverCredits, "credit, and no path for data")
{
    for (const double factor : {0.0, 0.1, 1.0})
    {
        Start(factor, [](const FabricFrame& frame) { return SprayCodec::IsData(frame.opcode); });
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_sender->HasFailed(), true, "it gives up, factor " << factor);
        Simulator::Destroy();
    }
    Start(0, [](const FabricFrame& frame) { return frame.opcode == SPRAY_CREDIT; });
    Simulator::Stop(MicroSeconds(700)); // after the first timeout
    Simulator::Run();
    std::ostringstream report;
    m_sender->Describe(report);
    NS_TEST_EXPECT_MSG_NE(report.str().find("waits for credit"), std::string::npos, "starved");
    NS_TEST_EXPECT_MSG_EQ(m_sender->GetCounters().timeouts, 1, "its timer has expired");
}

/// A receiver that nobody can reach: the sender gives up after its retries, and the run ends.
FABRIC_TEST(g_receiverCredits, "a receiver that is gone")
{
    for (const double factor : {0.0, 0.1, 1.0})
    {
        const Ptr<Fabric> fabric = MakeFabric(LeafSpine(2, 1, 1), "100Gb/s", 120000);
        fabric->GetChannel(1)->SetLossProbability(1);
        RoceHelper roce = RcccHelper(factor);
        const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
        ends.first->PostWrite(1000000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ends.first->HasFailed(), true, "it gives up, factor " << factor);
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(1), "after a while");
        Simulator::Destroy();
    }
}

/// Whatever is lost on the way - data, ACKs, NACKs, credits, requests - each message comes, and the
/// same seed gives the same run.
struct CreditPropertyTestCase : FabricTestCase
{
    uint64_t Pick(const std::vector<uint64_t>& numbers)
    {
        return numbers[m_random() % numbers.size()];
    }

    /// Let a switch lose frames of some kinds.
    void Lose(const Fabric& fabric)
    {
        for (uint32_t id = 0; id < fabric.GetSwitchCount(); ++id)
        {
            const auto stage = Lossy(fabric, id);
            const uint64_t permille = Pick({0, 5, 30, 100});
            const uint32_t kinds = m_random();
            stage->loses = [this, permille, kinds](const FabricFrame& frame, int64_t) {
                const bool isLost = kinds >> (frame.opcode & 7) & 1 && m_random() % 1000 < permille;
                m_kinds[frame.opcode] += isLost;
                m_lost += isLost;
                return isLost;
            };
        }
    }

    /// @return when the run ends
    Time Run(uint32_t seed)
    {
        m_random.seed(seed);
        RngSeedManager::SetRun(seed);
        Default("SprayQueuePair::Mtu", Pick({1000, 4096, 4096}));
        Default("SprayQueuePair::CreditQuantum", Pick({1, 256, 256, 5000}));
        Default("CreditPacer::PullPackets", Pick({1, 4, 16}));
        const Ptr<Fabric> fabric =
            MakeFabric(LeafSpine(2, 2, 3, Pick({1, 1, 2})), "100Gb/s", Pick({20000, 120000}));
        Lose(*fabric);
        RoceHelper roce = RcccHelper(0.01 * Pick({0, 10, 100, 200}));
        roce.SetQueuePairAttribute("AckTimeout", TimeValue(MicroSeconds(Pick({50, 200}))));
        std::vector<Transfer> transfers(6);
        std::vector<uint64_t> posted(6);
        for (uint32_t host = 0; host < 6; ++host)
        {
            const uint32_t peer = m_random() % 3 ? (host == 0 ? 3 : 0) : (host + 1) % 6;
            transfers[host] = Open(roce, *fabric, host, peer);
            posted[host] = 1 + m_random() % 4;
            for (uint64_t i = 0; i < posted[host]; ++i)
            {
                Transfer& transfer = transfers[host];
                const uint64_t bytes = Pick({0, 1, 5000, 100000, 500000});
                ScheduleFunction(MicroSeconds(Pick({0, 1, 100, 300})),
                                 [&transfer, bytes]() { Post(transfer, bytes); });
            }
        }
        Simulator::Run();
        for (uint32_t host = 0; host < 6; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(transfers[host].done, posted[host], "seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(transfers[host].sender->HasFailed(), false, "seed " << seed);
        }
        const Time end = Simulator::Now();
        Simulator::Destroy();
        return end;
    }

    std::mt19937 m_random;               //!< decides on the scenario and on losses
    std::map<uint8_t, uint64_t> m_kinds; //!< lost frames, by opcode
    uint64_t m_lost{0};                  //!< lost frames
};

FABRIC_TEST_F(CreditPropertyTestCase, g_receiverCredits, "random losses")
{
    constexpr uint32_t SEEDS = 60;
    for (uint32_t seed = 1; seed <= SEEDS; ++seed)
    {
        const Time end = Run(seed);
        if (seed % 8 == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(Run(seed), end, "seed " << seed);
        }
    }
    NS_TEST_EXPECT_MSG_GT(m_lost, SEEDS, "frames are lost");
    for (const uint8_t opcode : {SPRAY_DEMAND_DATA, SPRAY_ACK, SPRAY_NACK, SPRAY_CREDIT})
    {
        NS_TEST_EXPECT_MSG_GT(m_kinds[opcode], 5, "of each kind: " << +opcode);
    }
    NS_TEST_EXPECT_MSG_GT(m_kinds[SPRAY_REQUEST], 0, "requests, too");
}

FABRIC_ROWS(g_receiverCredits)
{
    rows.AddRow<CreditIncastTestCase>("an incast under a leaf", 1, 1, 1);
    rows.AddRow<CreditIncastTestCase>("an incast from four leaves", 4, 1, 1);
    rows.AddRow<CreditIncastTestCase>("an incast over two planes", 4, 2, 1);
    rows.AddRow<CreditIncastTestCase>("an incast with small first windows", 4, 1, 0.1);
}
