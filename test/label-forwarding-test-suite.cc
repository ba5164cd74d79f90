/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/coalesced-ack-policy.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/entropy-balancer.h"
#include "ns3/go-back-n-recovery.h"
#include "ns3/oracle-recovery.h"
#include "ns3/part-hash-balancer.h"
#include "ns3/path-view.h"
#include "ns3/permuted-label-balancer.h"
#include "ns3/policy-registry.h"
#include "ns3/prime-balancer.h"
#include "ns3/spray-queue-pair.h"
#include "ns3/unordered-ack-policy.h"

#include <stdexcept>

static Suite g_labelForwarding("ai-fabric-label-forwarding");

namespace
{

/// The balancers that have as many labels as paths, if switches use the parts of labels.
const std::vector<std::string> RIVALS =
    {"HostRandom", "HostPermuted", "HostCounter", "Bitmap", "Bitmap1", "Mixed", "Reps", "RepsFifo"};

/// @return a balancer of that kind
Ptr<HostBalancer>
Make(const std::string& name, const std::string& forwarding)
{
    const ObjectFactory factory = FactoryOf(name + "Balancer", {{"Forwarding", forwarding}});
    return factory.Create<HostBalancer>();
}

/// @return the label of the next packet
uint32_t
TakeLabel(HostBalancer& balancer)
{
    return ChoosePath(balancer).entropy - PathChoice::FIRST_PORT;
}

/// A balancer that takes entropies in turn and notes what it is told.
struct LabelNotingBalancer : HostBalancer
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<LabelNotingBalancer, HostBalancer>("LabelNotingBalancer");
        return tid;
    }

    std::optional<PathChoice> Choose(const PathRequest&) override
    {
        return PathChoice{PathChoice::FIRST_PORT + chosen++ % ENTROPIES, 0};
    }

    void Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t) override
    {
        if (event == PathEvent::GOOD)
        {
            heard.push_back(entropy - PathChoice::FIRST_PORT);
        }
    }

    uint32_t chosen{0};          //!< how many entropies were taken
    std::vector<uint32_t> heard; //!< which of them were good, in the order of the reports
};

NS_OBJECT_ENSURE_REGISTERED(LabelNotingBalancer);

} // namespace

/// EntropyBalancer::Forwarding: which balancer switches get, and which labels hosts use.
struct PathLabelsTestCase : FabricTestCase
{
    /// Each path of two tiers of 4 and 2 uplinks has a label, and no other label is used.
    void CheckLabels(const std::string& name, uint32_t planes)
    {
        const uint32_t paths = 8 * planes;
        Ptr<HostBalancer> balancer = Make(name, "Direct");
        FabricFacts facts = MakeFacts("100Gb/s", 4096);
        facts.uplinks = {4, 2};
        facts.planes = planes;
        balancer->Start(facts, 1);
        std::set<uint32_t> labels;
        std::map<uint32_t, uint32_t> uses;
        for (uint32_t i = 0; i < 1600; ++i)
        {
            const PathChoice choice = ChoosePath(*balancer, planes);
            const uint32_t label = choice.entropy - PathChoice::FIRST_PORT;
            labels.insert(label);
            ++uses[label % paths];
            if (name != "HostRandom") // which takes any plane
            {
                NS_TEST_EXPECT_MSG_EQ(choice.plane, label / 8 % planes, name + ", plane");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(labels.size(), paths, name);
        NS_TEST_EXPECT_MSG_EQ(uses.size(), paths, name + ", each path");
        for (const auto& [path, count] : uses)
        {
            NS_TEST_EXPECT_MSG_GT(count, 1600 / paths / 2, name + ", path " + std::to_string(path));
        }
    }

    /// A destination in the same pod has as many labels as the leaf has uplinks.
    void CheckDestination(const std::string& name)
    {
        const FabricGraph graph = FatTree(8);
        const auto paths = std::make_shared<PathView>(graph);
        const std::map<uint32_t, uint32_t> counts = {{127, 16}, {12, 4}, {1, 1}};
        for (const auto& [destination, count] : counts)
        {
            Ptr<HostBalancer> balancer = Make(name, "Direct");
            balancer->Start({}, 1);
            balancer->Connect(0, destination, paths);
            std::set<uint32_t> labels;
            for (uint32_t i = 0; i < 1000; ++i)
            {
                labels.insert(TakeLabel(*balancer));
            }
            NS_TEST_EXPECT_MSG_EQ(labels.size(), count, name);
        }
    }
};

FABRIC_TEST_F(PathLabelsTestCase,
              g_labelForwarding,
              "spraying over path labels: a label for each path")
{
    const std::map<std::string, TypeId> types = {{"Direct", PermutedLabelBalancer::GetTypeId()},
                                                 {"PartHash", PartHashBalancer::GetTypeId()},
                                                 {"FullHash", EcmpBalancer::GetTypeId()}};
    for (const std::string& name : RIVALS)
    {
        for (const auto& [forwarding, type] : types)
        {
            NS_TEST_EXPECT_MSG_EQ(Make(name, forwarding)->GetSwitchBalancer(),
                                  type,
                                  name + " " + forwarding);
        }
        const Ptr<HostBalancer> usual = FactoryOf(name + "Balancer").Create<HostBalancer>();
        NS_TEST_EXPECT_MSG_EQ(usual->GetSwitchBalancer(), EcmpBalancer::GetTypeId(), name);
        NS_TEST_EXPECT_MSG_EQ(Make(name, "Direct")->Fork()->GetSwitchBalancer(),
                              PermutedLabelBalancer::GetTypeId(),
                              name + ", a fork");
        CheckLabels(name, 1);
        CheckLabels(name, 2);
        CheckDestination(name);
    }
}

/// What needs a power of two has its own number of labels if the paths are none.
FABRIC_TEST(g_labelForwarding, "Path labels: other counts")
{
    FabricFacts facts = MakeFacts("100Gb/s", 4096);
    facts.uplinks = {5, 0};
    const std::map<std::string, uint32_t> counts = {{"Bitmap", 64},
                                                    {"Bitmap1", 256},
                                                    {"HostRandom", 5},
                                                    {"Reps", 5}};
    for (const auto& [name, count] : counts)
    {
        Ptr<HostBalancer> balancer = Make(name, "PartHash");
        balancer->Start(facts, 1);
        std::set<uint32_t> labels;
        for (uint32_t i = 0; i < 1000; ++i)
        {
            labels.insert(TakeLabel(*balancer));
        }
        NS_TEST_EXPECT_MSG_EQ(labels.size(), count, name);
    }
}

/// Spraying over path labels on a fabric: what uses each label once a round loads all uplinks
/// alike.
struct PathLabelsFabricTestCase : FabricTestCase
{
    /// Send each host's message to another pod.  @return the numbers of frames on uplinks of leaves
    std::set<uint64_t> Run(const std::string& name)
    {
        ClosHelper helper;
        helper.SetBalancerType(TypeId::LookupByName("ns3::aifabric::" + name + "Balancer"));
        helper.SetNicAttribute("RecoveryType", TypeIdValue(OracleRecovery::GetTypeId()));
        const FabricGraph graph = FatTree(4);
        Ptr<Fabric> fabric = InstallFabric(helper, graph);
        std::vector<Flow> flows;
        const uint32_t hosts = graph.HostCount();
        for (uint32_t host = 0; host < hosts; ++host)
        {
            flows.push_back({0, host, (host + hosts / 2) % hosts, 64 * 4096});
        }
        const auto driver = StartFlows(*fabric, flows);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(driver->GetService()->GetCompleted(), hosts, "all arrive");
        std::set<uint64_t> loads;
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            const FabricSwitchSpec& spec = graph.Switches()[id];
            for (uint16_t i = 0; spec.tier == 0 && i < spec.forwarding.up.count; ++i)
            {
                const auto port = static_cast<uint16_t>(spec.forwarding.up.first + i);
                const auto& transmitter = fabric->GetPort({false, id, port})->GetTransmitter();
                loads.insert(transmitter.GetCounters().deliveredFrames);
            }
        }
        fabric->Dispose();
        Simulator::Destroy();
        return loads;
    }
};

FABRIC_TEST_F(PathLabelsFabricTestCase,
              g_labelForwarding,
              "spraying over path labels on a fabric: uplinks carry equally many packets")
{
    for (const std::string name : {"HostPermuted", "Bitmap", "HostCounter"})
    {
        Default("EntropyBalancer::Forwarding", "Direct");
        NS_TEST_EXPECT_MSG_EQ(Run(name).size(), 1, name + ", direct");
        Default("EntropyBalancer::Forwarding", "FullHash");
        NS_TEST_EXPECT_MSG_GT(Run(name).size(), 1, name + ", hashed");
    }
}

/// PRIME with other numbers of values, and with penalties that queue pairs share.
struct PrimeSharingTestCase : FabricTestCase
{
    /// @return labels that a queue pair uses
    std::size_t CountLabels(const std::string& sizes,
                            const std::string& forwarding,
                            const std::array<uint32_t, 2>& uplinks)
    {
        Ptr<PrimeBalancer> balancer =
            CreateWith<PrimeBalancer>({{"PartSizes", sizes}, {"Forwarding", forwarding}});
        FabricFacts facts = MakeFacts("100Gb/s", 4096);
        facts.uplinks = uplinks;
        balancer->Start(facts, 1);
        std::set<uint32_t> labels;
        for (uint32_t i = 0; i < 300; ++i)
        {
            labels.insert(TakeLabel(*balancer));
        }
        return labels.size();
    }

    /// @return whether sizes are refused before anything runs
    bool IsRefused(const std::string& sizes, const FabricGraph& graph)
    {
        const auto balancer = CreateWith<PrimeBalancer>({{"PartSizes", sizes}});
        try
        {
            balancer->CheckFabric(graph);
            return false;
        }
        catch (const std::invalid_argument&)
        {
            return true;
        }
    }

    /// @return whether a queue pair avoids what another one to host 5 has lost a packet on
    bool IsAvoided(bool shares, uint32_t destination)
    {
        const auto model = CreateWith<PrimeBalancer>(
            {{"SharePenaltiesAcrossQps", shares}, {"ExploreBytes", 1}, {"PNack", 1000}});
        const FabricGraph graph = LeafSpine(3, 4, 2);
        const auto paths = std::make_shared<PathView>(graph);
        const auto connect = [&model, &paths](uint32_t host) {
            const Ptr<HostBalancer> balancer = model->Fork();
            balancer->Start({}, 1);
            balancer->Connect(0, host, paths);
            balancer->Choose({1, 1, 1000}); // explores
            return balancer;
        };
        const Ptr<HostBalancer> first = connect(5);
        const Ptr<HostBalancer> second = connect(destination);
        const uint32_t lost = first->Choose({1, 1, 1000})->entropy;
        first->Feedback(lost, PathEvent::LOST, 0, 10);
        for (uint32_t i = 0; i < 40; ++i)
        {
            if (second->Choose({1, 1, 1000})->entropy % 4 == lost % 4)
            {
                return false;
            }
        }
        return true;
    }
};

FABRIC_TEST_F(PrimeSharingTestCase,
              g_labelForwarding,
              "prime: sizes of parts, and penalties of several queue pairs")
{
    NS_TEST_EXPECT_MSG_EQ(CountLabels("", "Direct", {8, 0}), 8, "those of the fabric");
    NS_TEST_EXPECT_MSG_EQ(CountLabels("64", "FullHash", {8, 0}), 64, "more of them");
    NS_TEST_EXPECT_MSG_EQ(CountLabels("4", "Direct", {8, 0}), 4, "half the uplinks");
    NS_TEST_EXPECT_MSG_EQ(CountLabels("16", "FullHash", {4, 4}), 64, "of the leaf alone");
    NS_TEST_EXPECT_MSG_EQ(CountLabels("4,2", "Direct", {4, 4}), 8, "of the next tier");
    NS_TEST_EXPECT_MSG_EQ(CountLabels("16,16", "FullHash", {4, 0}), 16, "there is one tier");
    Ptr<PrimeBalancer> balancer = CreateObject<PrimeBalancer>();
    balancer->SetAttribute("PartSizes", StringValue("8,4"));
    StringValue sizes;
    balancer->GetAttribute("PartSizes", sizes);
    NS_TEST_EXPECT_MSG_EQ(sizes.Get(), "8,4", "as set");
    NS_TEST_EXPECT_MSG_EQ(IsRefused("2,2", FatTree(4)), false, "two parts");
    NS_TEST_EXPECT_MSG_EQ(IsRefused("2,2,2", FatTree(4)), true, "not three");
    NS_TEST_EXPECT_MSG_EQ(IsRefused("8,2", FatTree(4)), true, "labels below it");
    NS_TEST_EXPECT_MSG_EQ(IsRefused("2,8", FatTree(4)), false, "the last part");
    NS_TEST_EXPECT_MSG_EQ(IsRefused("8", LeafSpine(2, 8, 2, 2)), false, "one");
    NS_TEST_EXPECT_MSG_EQ(IsRefused("8,2", LeafSpine(2, 8, 2, 2)), true, "not two");
    NS_TEST_EXPECT_MSG_EQ(IsAvoided(true, 5), true, "the other queue pair has told");
    NS_TEST_EXPECT_MSG_EQ(IsAvoided(true, 4), false, "another destination");
    NS_TEST_EXPECT_MSG_EQ(IsAvoided(false, 5), false, "queue pairs do not share");
}

/// AckDeaggregation: an acknowledgement of several packets tells the balancer of each of them.
struct AckDeaggregationTestCase : FabricTestCase
{
    static constexpr uint32_t PACKETS = 100; //!< of the message

    /// @return the packets whose entropies are reported, if there is an ACK for 15 packets
    std::vector<uint32_t> Hear(const std::string& type, bool deaggregates)
    {
        const bool isSpray = type == "SprayQueuePair";
        const std::string policy =
            isSpray ? "ns3::aifabric::UnorderedAckPolicy" : "ns3::aifabric::CoalescedAckPolicy";
        Config::SetDefault(policy + "::Bytes", UintegerValue(15 * 4096));
        ClosHelper clos = ClosOf({{"AckPolicyType", TypeId::LookupByName(policy)}});
        if (!isSpray)
        {
            clos.SetNicAttribute("RecoveryType", TypeIdValue(GoBackNRecovery::GetTypeId()));
        }
        Ptr<Fabric> fabric = clos.Install(LeafSpine(2, 1, 1));
        RoceHelper roce;
        roce.SetQueuePair(FactoryOf(type));
        roce.SetQueuePairAttribute("AckDeaggregation", BooleanValue(deaggregates));
        roce.SetBalancer(FactoryOf("LabelNotingBalancer"));
        const auto ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
        ends.first->PostWrite(PACKETS * 4096);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ends.first->GetPendingMessages(), 0, "all are acknowledged");
        std::vector<uint32_t> heard =
            DynamicCast<LabelNotingBalancer>(ends.first->GetBalancer())->heard;
        fabric->Dispose();
        Simulator::Destroy();
        return heard;
    }
};

FABRIC_TEST_F(AckDeaggregationTestCase,
              g_labelForwarding,
              "an acknowledgement tells the balancer of each packet")
{
    for (const std::string type : {"SprayQueuePair", "RcQueuePair"})
    {
        std::vector<uint32_t> all(PACKETS);
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            all[i] = i;
        }
        NS_TEST_EXPECT_MSG_EQ((Hear(type, true) == all), true, type + ", each once, in order");
        const std::vector<uint32_t> few = Hear(type, false);
        NS_TEST_EXPECT_MSG_LT(few.size(), PACKETS / 10, type + ", those that trigger one");
        NS_TEST_EXPECT_MSG_GT(few.size(), 5, type + ", which are some");
    }
}
