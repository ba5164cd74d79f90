/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/dqplb-steering.h"
#include "ns3/dscp-table.h"
#include "ns3/dwrr-egress-scheduler.h"
#include "ns3/entropy-balancer.h"
#include "ns3/ethereal-steering.h"
#include "ns3/fixed-control.h"
#include "ns3/host-random-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/m-swift-control.h"
#include "ns3/message-service.h"
#include "ns3/network-builder.h"
#include "ns3/nscc-control.h"
#include "ns3/pinned-balancer.h"
#include "ns3/policy-registry.h"
#include "ns3/rc-queue-pair.h"
#include "ns3/rccc-control.h"
#include "ns3/receiver-admission.h"
#include "ns3/roce-net-device.h"
#include "ns3/single-steering.h"
#include "ns3/spray-queue-pair.h"
#include "ns3/switch-balancer.h"
#include "ns3/training-driver.h"

#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static Suite g_misuse("ai-fabric-misuse", TestSuite::Type::SYSTEM);

namespace
{

/// @return what a process that does something says when it aborts, or ends with exit status 1;
/// empty if it does neither
std::string
LastWords(const std::function<void()>& action)
{
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
    {
        return "";
    }
    const pid_t child = fork();
    if (child == 0)
    {
        const rlimit none{};
        setrlimit(RLIMIT_CORE, &none);
        dup2(ends[1], STDERR_FILENO);
        std::atexit([]() { _exit(1); }); // the runner's static objects are not ours to destroy
        action();
        _exit(0);
    }
    close(ends[1]);
    std::string words;
    std::array<char, 256> buffer{};
    for (ssize_t got = 1; got > 0;)
    {
        got = read(ends[0], buffer.data(), buffer.size());
        words.append(buffer.data(), got > 0 ? got : 0);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    const bool isAborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    return isAborted || (WIFEXITED(status) && WEXITSTATUS(status) == 1) ? words : "";
}

/// A host balancer whose planes are not there.
struct WrongPlaneBalancer : HostBalancer
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<WrongPlaneBalancer, HostBalancer>("WrongPlaneBalancer");
        return tid;
    }

    std::optional<PathChoice> Choose(const PathRequest&) override
    {
        return PathChoice{PathChoice::FIRST_PORT, 7};
    }
};

/// A host balancer whose labels are no entropies.
struct WrongLabelBalancer : EntropyBalancer
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<WrongLabelBalancer, EntropyBalancer>("WrongLabelBalancer");
        return tid;
    }

    uint16_t NextLabel(int64_t) override
    {
        return ENTROPIES;
    }
};

/// A switch balancer whose next hop comes after the last one.
struct WrongHopBalancer : SwitchBalancer
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<WrongHopBalancer, SwitchBalancer>("WrongHopBalancer");
        return tid;
    }

    uint32_t Choose(const FabricFrame&, const EgressGroup& group, int64_t) override
    {
        return group.members.size();
    }
};

NS_OBJECT_ENSURE_REGISTERED(WrongPlaneBalancer);
NS_OBJECT_ENSURE_REGISTERED(WrongLabelBalancer);
NS_OBJECT_ENSURE_REGISTERED(WrongHopBalancer);

/// Send a message across a fabric.
void
SendBy(const std::string& balancer, uint32_t planes)
{
    ClosHelper helper;
    helper.SetBalancerType(TypeId::LookupByName("ns3::aifabric::" + balancer));
    const Ptr<Fabric> fabric = helper.Install(LeafSpine(2, 2, 2, planes));
    RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(2)).first->PostWrite(100000);
    Simulator::Run();
}

/// @return a fabric of four hosts
Ptr<Fabric>
MakeFabric()
{
    return ClosHelper().Install(LeafSpine(2, 2, 2));
}

/// @return two connected queue pairs
RoceHelper::Ends
Connect(const Fabric& fabric)
{
    return RoceHelper().Connect(fabric.GetNic(0), fabric.GetNic(1));
}

/// @return who carries messages between the hosts of a fabric
Ptr<MessageService>
Serve(const Fabric& fabric, TypeId steering)
{
    const std::vector<Ptr<RoceNetDevice>>& nics = fabric.GetNicList();
    auto service = CreateWith<MessageService>({{"SteeringType", steering}});
    service->Install(nics);
    return service;
}

/// Make a queue pair with a recovery of some type.
void
Recover(TypeId recovery)
{
    ClosHelper helper = ClosOf({{"RecoveryType", recovery}});
    helper.Install(LeafSpine(1, 1, 2))->GetNic(0)->CreateQueuePair();
}

/// Send a message.  @param first PSN of the sender's first packet
/// @param second that which the receiver expects
void
Send(const std::string& recovery, uint32_t first, uint32_t second)
{
    ClosHelper helper = ClosOf({{"RecoveryType", recovery}});
    Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 2));
    std::vector<Ptr<QueuePair>> ends;
    for (const uint32_t psn : {first, second})
    {
        ends.push_back(CreateWith<RcQueuePair>({{"FirstPsn", psn}}));
        fabric->GetNic(ends.size() - 1)->AddQueuePair(ends.back());
    }
    ends[0]->Connect(1, ends[1]->GetNumber());
    ends[1]->Connect(0, ends[0]->GetNumber());
    ends[0]->PostWrite(10000);
    Simulator::Run();
}

} // namespace

/// Whoever uses the module wrongly is told so, by name, before anything goes wrong.
struct MisuseTestCase : FabricTestCase
{
    /// Expect an end.
    void Expect(const std::string& words, const std::function<void()>& action)
    {
        const std::string said = LastWords(action);
        NS_TEST_EXPECT_MSG_NE(said.find(words), std::string::npos, words << ", not: " << said);
    }

    static Ptr<DscpTable> MakeTable(const std::string& classes)
    {
        return CreateWith<DscpTable>({{"Classes", classes}});
    }

    /// Make a port.  @param scheduler type of its egress scheduler
    static void MakePort(TypeId scheduler)
    {
        CreateWith<FabricPort>({{"EgressSchedulerType", scheduler}});
    }

    /// What needs a Clos network, in a torus; a message arrives there without it.
    void CheckShapes()
    {
        const auto send = [](const std::string& balancer) {
            const NetworkAssembly::Cable cable{100'000'000'000, 500'000};
            ClosHelper helper;
            helper.SetBalancerType(TypeId::LookupByName("ns3::aifabric::" + balancer));
            const Ptr<Fabric> fabric = helper.Install(MakeTorus({{3, 3}, 1, {cable, cable}}));
            const auto sender = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(4)).first;
            sender->PostWrite(100000);
            Simulator::Run();
            NS_ABORT_MSG_IF(sender->GetPendingMessages() == 0, "all arrived");
        };
        Expect("ClosHelper: ns3::aifabric::OfanBalancer refuses a fabric that has no tiers: ",
               [&]() { send("OfanBalancer"); });
        Expect("ClosHelper: ns3::aifabric::HostDrBalancer refuses a fabric that has no tiers: ",
               [&]() { send("HostDrBalancer"); });
        Expect("all arrived", [&]() { send("JsqBalancer"); });
        Expect("all arrived", [&]() { send("RepsBalancer"); });
    }

    /// Balancers of RoceHelper whose attributes name what the fabric does not have.
    void CheckBalancersOfRoceHelper()
    {
        const auto connect = [](const std::string& balancer,
                                const std::string& attribute,
                                const std::string& value) {
            const ObjectFactory factory = FactoryOf(balancer, {{attribute, value}});
            RoceHelper roce;
            roce.SetQueuePair(FactoryOf("MrcQueuePair"));
            roce.SetBalancer(factory);
            const Ptr<Fabric> fabric = ClosHelper().Install(FatTree(4));
            roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
        };
        const std::string name = "ns3::aifabric::MrcQueuePair::Balancer: ";
        Expect(name + "PrimeBalancer::PartSizes=2,2,2: at most 2 numbers",
               [&]() { connect("PrimeBalancer", "PartSizes", "2,2,2"); });
        Expect(name + "PrimeBalancer::PartSizes=8,2: switches of tier 0 have 2 uplinks",
               [&]() { connect("PrimeBalancer", "PartSizes", "8,2"); });
        const std::string profile = "stev:fields=15,1/0/1,12,4/0/7:generated=0-15";
        Expect(name + "MrcBalancer::Profile=" + profile + ": EVs of planes 0 to 0",
               [&]() { connect("MrcBalancer", "Profile", profile); });
    }
};

FABRIC_TEST(g_misuse, "Misuse is named")
{
    NS_TEST_EXPECT_MSG_EQ(LastWords([]() { Connect(*MakeFabric()); }), "", "all is well");
}

FABRIC_TEST_F(MisuseTestCase, g_misuse, "Misuse is named: queue pairs")
{
    for (const std::string name : {"Mtu", "FirstPsn"})
    {
        Expect("RcQueuePair::" + name + " cannot change", [name]() {
            Connect(*MakeFabric()).second->SetAttribute(name, UintegerValue(1024));
        });
    }
    for (const uint32_t other : {0, 2})
    {
        Expect("belongs to a NIC already", [other]() {
            Ptr<Fabric> fabric = MakeFabric();
            fabric->GetNic(other)->AddQueuePair(Connect(*fabric).first);
        });
    }
    Expect("there is no queue pair", []() { MakeFabric()->GetNic(0)->AddQueuePair(nullptr); });
    Expect("FixedControl is no ns3::aifabric::LossRecovery",
           []() { Recover(FixedControl::GetTypeId()); });
    Expect("is no ns3::aifabric::LossRecovery that can be made",
           []() { Recover(LossRecovery::GetTypeId()); });
}

/// The headroom of PFC is computed from the MTU of the NIC.
FABRIC_TEST_F(MisuseTestCase, g_misuse, "MTU of queue pair and NIC")
{
    const auto connect = [](uint32_t packet) {
        ClosHelper helper = ClosOf({{"Mtu", packet}});
        Default("RcQueuePair::Mtu", 4096);
        Connect(*helper.Install(LeafSpine(1, 1, 2)));
        NS_ABORT_MSG("it fits");
    };
    // IP, UDP, BTH, RETH and ICRC: 20 + 8 + 12 + 16 + 4
    Expect("it fits", [&]() { connect(4156); });
    Expect("RcQueuePair::Mtu: with 4096 bytes of payload an IP packet has 4156 bytes, and Mtu of "
           "the NIC is 4155",
           [&]() { connect(4155); });
}

FABRIC_TEST_F(MisuseTestCase, g_misuse, "Copies of queue pairs")
{
    /// A class that is not registered.
    class Nameless : public HostRandomBalancer
    {
    };

    Expect("RcQueuePair::Fork: it belongs to a NIC, or has no policies",
           []() { CreateObject<RcQueuePair>()->Fork(); });
    Expect("RcQueuePair::Fork: it belongs to a NIC, or has no policies",
           []() { Connect(*MakeFabric()).first->Fork(); });
    Expect("has no TypeId of its own, only ns3::aifabric::HostRandomBalancer: it cannot be "
           "forked",
           []() { CreateObject<Nameless>()->Fork(); });
}

FABRIC_TEST_F(MisuseTestCase, g_misuse, "Connections and messages")
{
    Expect("RcQueuePair::PostWrite: the queue pair is not connected",
           []() { MakeFabric()->GetNic(0)->CreateQueuePair()->PostWrite(1); });
    Expect("RcQueuePair::PostWrite: the queue pair is not connected",
           []() { CreateObject<RcQueuePair>()->PostWrite(1); });
    Expect("RcQueuePair::Connect: the queue pair belongs to no NIC",
           []() { CreateObject<RcQueuePair>()->Connect(1, 16); });
    Expect("RcQueuePair::Connect: there is no host 4",
           []() { MakeFabric()->GetNic(0)->CreateQueuePair()->Connect(4, 16); });
    Expect("RcQueuePair::Connect: messages are pending", []() {
        const RoceHelper::Ends ends = Connect(*MakeFabric());
        ends.first->PostWrite(100000);
        ends.first->Connect(2, 16);
    });
    Expect("RcQueuePair::Mtu is 1024 at one end and 4096 at the other", []() {
        Ptr<Fabric> fabric = MakeFabric();
        Ptr<QueuePair> sender = fabric->GetNic(0)->CreateQueuePair();
        auto receiver = CreateWith<RcQueuePair>({{"Mtu", 1024}});
        fabric->GetNic(1)->AddQueuePair(receiver);
        sender->Connect(1, receiver->GetNumber());
        receiver->Connect(0, sender->GetNumber());
        sender->PostWrite(10000);
        Simulator::Run();
    });
    for (const std::string recovery : {"GoBackN", "Sack", "Oracle", "Strict"})
    {
        for (const auto& [first, second] :
             {std::make_pair(0, 5), std::make_pair(5, 0), std::make_pair(0, 0xFFFFFF)})
        {
            Expect("FirstPsn has to be the same at both ends",
                   [recovery = recovery, first = first, second = second]() {
                       Send("ns3::aifabric::" + recovery + "Recovery", first, second);
                   });
        }
    }
    for (const uint32_t end : {0, 1})
    {
        Expect("FabricPort::DataRate cannot change from 800000000000bps to 400000000000bps",
               [end]() {
                   Default("SharedBuffer::LosslessClasses", 8);
                   ClosHelper helper;
                   helper.SetAdmission(FactoryOf("SharedBuffer"));
                   Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 2));
                   fabric->GetSwitch(0)->Initialize();
                   const Ptr<FabricPort> port = fabric->GetChannel(0)->GetPort(end);
                   port->SetAttribute("DataRate", StringValue("800Gb/s")); // the same
                   port->SetAttribute("DataRate", StringValue("400Gb/s"));
               });
    }
    Expect("FabricChannel::Delay cannot change", []() {
        Ptr<Fabric> fabric = MakeFabric();
        Connect(*fabric).first->PostWrite(1);
        Simulator::Run();
        fabric->GetChannel(0)->SetAttribute("Delay", TimeValue(Seconds(5)));
    });
}

FABRIC_TEST_F(MisuseTestCase, g_misuse, "Misuse is named: helpers")
{
    Expect("RoceHelper::Connect: there is no NIC",
           []() { RoceHelper().Connect(MakeFabric()->GetNic(0), nullptr); });
    const ObjectFactory wrong = FactoryOf("HostRandomBalancer");
    Expect("HostRandomBalancer is no ns3::aifabric::SwitchBalancer",
           [wrong]() { ClosHelper().SetBalancer(wrong); });
    Expect("FixedControl is no ns3::aifabric::SwitchBalancer",
           []() { ClosHelper().SetBalancerType(FixedControl::GetTypeId()); });
    Expect("is no ns3::aifabric::BufferAdmission", [wrong]() { ClosHelper().SetAdmission(wrong); });
    Expect("is no ns3::aifabric::EcnMarker", [wrong]() { ClosHelper().SetMarker(wrong); });
    Expect("message 0 goes from host 1 to itself", []() {
        StartFlows(*MakeFabric(), {{0, 1, 1, 100}});
    });
    Expect("message 0 names a host that is not there", []() {
        StartFlows(*MakeFabric(), {{0, 1, 9, 100}});
    });
    Expect("FlowDriver::Install: it has flows already", []() {
        Ptr<Fabric> fabric = MakeFabric();
        StartFlows(*fabric, {{0, 1, 2, 100}})
            ->Install({fabric->GetNic(0), fabric->GetNic(1)}, {{0, 0, 1, 100}});
    });
}

/// Attributes of ports: tables of DSCPs and egress schedulers.
FABRIC_TEST_F(MisuseTestCase, g_misuse, "Misuse: ports")
{
    Expect("DscpTable::Classes: \"64:1\": an entry is KEY:VALUE or FIRST-LAST:VALUE, with keys "
           "of 0 to 63 and values of 0 to 7",
           []() { MakeTable("0-7:1,64:1"); });
    Expect("DscpTable::Classes: \"5:2\": 5 stands in two entries",
           []() { MakeTable("0-7:1,5:2"); });
    Expect("RoceNetDevice: its ports need equal values of DscpTable::Classes", []() {
        const Ptr<RoceNetDevice> nic = MakeFabric()->GetNic(0);
        nic->AddPlane(CreateWith<FabricPort>({{"DscpTable", PointerValue(MakeTable("26:6"))}}));
    });
    Expect("DwrrEgressScheduler::Weights: \"6:0\": an entry is KEY:VALUE or FIRST-LAST:VALUE, "
           "with keys of 0 to 7 and values of 1 to 65535",
           []() {
               CreateWith<DwrrEgressScheduler>({{"Weights", "6:0"}});
           });
    Expect("FabricPort::EgressSchedulerType: ns3::aifabric::FixedControl is no "
           "ns3::aifabric::EgressScheduler that can be made",
           []() { MakePort(FixedControl::GetTypeId()); });
    Expect("ns3::aifabric::EgressScheduler that can be made",
           []() { MakePort(EgressScheduler::GetTypeId()); });
}

FABRIC_TEST_F(MisuseTestCase, g_misuse, "Congestion controls")
{
    const auto start = [](double least) {
        CreateWith<MSwiftControl>({{"MinWindow", least}, {"MaxWindow", 40960}})
            ->Start(MakeFacts("800Gb/s", 4096));
    };
    NS_TEST_EXPECT_MSG_EQ(LastWords([start]() { start(10); }), "", "both the same");
    Expect("MSwiftControl: MinWindow=10.5 packets is above MaxWindow, which is 10 packets",
           [start]() { start(10.5); });
    Expect("MSwiftControl: MinWindow=5000 packets is above MaxWindow", []() {
        CreateWith<MSwiftControl>({{"MinWindow", 5000}})->Start(MakeFacts("800Gb/s", 4096));
    });
    Expect("NsccControl: NetworkRtt=0 stands for the round-trip time of the fabric",
           []() { CreateObject<NsccControl>()->Start(MakeFacts("800Gb/s", 4096)); });
    Expect("NsccControl: ReferenceRate=0bps; it is above 0", []() {
        CreateWith<NsccControl>(
            {{"NetworkRtt", MicroSeconds(9)}, {"ReferenceRate", DataRateValue(DataRate(0))}})
            ->Start(MakeFacts("800Gb/s", 4096));
    });
}

FABRIC_TEST_F(MisuseTestCase, g_misuse, "Controls that need credit, or are shared")
{
    Expect("ns3::aifabric::RcQueuePair::Control: ns3::aifabric::RcccControl needs credits", []() {
        RoceHelper roce;
        roce.SetControl(FactoryOf("RcccControl"));
        const Ptr<Fabric> fabric = MakeFabric();
        roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
    });
    Expect("RoceNetDevice::SharesControl: ns3::aifabric::RcccControl gets credits for one", []() {
        ClosHelper clos = ClosOf({{"SharesControl", true}});
        const Ptr<Fabric> fabric = clos.Install(LeafSpine(2, 1, 1));
        RoceHelper roce;
        roce.SetQueuePair(FactoryOf("SprayQueuePair"));
        roce.SetControl(FactoryOf("RcccControl"));
        roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
    });
    Expect("SprayQueuePair::Control: host 0 uses credits and host 1 does not", []() {
        const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(2, 1, 1));
        std::vector<Ptr<QueuePair>> ends;
        for (const uint32_t host : {0, 1})
        {
            ends.push_back(CreateObject<SprayQueuePair>());
            ends.back()->SetControl(host == 0 ? Ptr<NsccControl>(CreateObject<RcccControl>())
                                              : CreateObject<NsccControl>());
            fabric->GetNic(host)->AddQueuePair(ends.back());
        }
        ends[0]->Connect(1, ends[1]->GetNumber());
        ends[1]->Connect(0, ends[0]->GetNumber());
        ends[0]->PostWrite(1);
        Simulator::Run();
    });
}

/// Policies that need the paths of packets, with transports that do not tell them.
FABRIC_TEST_F(MisuseTestCase, g_misuse, "Misuse: paths")
{
    for (const std::string transport : {"Rc", "Spray"})
    {
        const std::string type = "ns3::aifabric::" + transport + "QueuePair";
        Expect(type + "::Balancer: ns3::aifabric::MrcBalancer needs probes of paths, which " +
                   type + " does not send",
               [type]() {
                   RoceHelper roce;
                   roce.SetQueuePair(ObjectFactory(type));
                   roce.SetBalancer(FactoryOf("MrcBalancer"));
                   const Ptr<Fabric> fabric = MakeFabric();
                   roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
               });
    }
    Expect("PrimeBalancer::PartSizes=4,4,4: at most 1 numbers", []() {
        Default("PrimeBalancer::PartSizes", "4,4,4");
        ClosHelper clos;
        clos.SetBalancerType(TypeId::LookupByName("ns3::aifabric::PrimeBalancer"));
        Connect(*clos.Install(LeafSpine(2, 1, 3)));
    });
    CheckShapes();
    CheckBalancersOfRoceHelper();
    Expect("ns3::aifabric::SprayQueuePair::Recovery: ns3::aifabric::MrcRecovery needs the paths",
           []() {
               ClosHelper clos = ClosOf({{"RecoveryType", "ns3::aifabric::MrcRecovery"}});
               const Ptr<Fabric> fabric = clos.Install(LeafSpine(2, 1, 1));
               RoceHelper roce;
               roce.SetQueuePair(FactoryOf("SprayQueuePair"));
               roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
           });
}

FABRIC_TEST_F(MisuseTestCase, g_misuse, "A sender that never waits holds back what comes behind it")
{
    const std::string name = "ns3::aifabric::RcQueuePair::Recovery: ";
    const auto connect = [](ClosHelper& clos) {
        clos.SetNicAttribute("RecoveryType", StringValue("ns3::aifabric::StrictRecovery"));
        const Ptr<Fabric> fabric = clos.Install(LeafSpine(2, 1, 1));
        RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(1));
    };
    Expect(name + "senders with ns3::aifabric::StrictRecovery never wait", [&connect]() {
        ClosHelper clos;
        clos.SetAdmission(FactoryOf("TrimmingBuffer"));
        connect(clos);
    });
    Expect(name + "with ns3::aifabric::StrictRecovery, acknowledgements", [&connect]() {
        Default("RcQueuePair::AckDscp", 0);
        ClosHelper clos;
        connect(clos);
    });
}

/// What policies of one's own return, and the names of policies.
FABRIC_TEST_F(MisuseTestCase, g_misuse, "Misuse: returns")
{
    for (const uint32_t planes : {1, 2})
    {
        Expect("WrongPlaneBalancer::Choose() gave plane 7 of a NIC with " + std::to_string(planes) +
                   ", of 0 to " + std::to_string(planes - 1),
               [planes]() { SendBy("WrongPlaneBalancer", planes); });
    }
    Expect("WrongLabelBalancer::NextLabel() gave 16384, of 0 to 16383",
           []() { SendBy("WrongLabelBalancer", 1); });
    Expect("WrongHopBalancer::Choose() gave next hop 2, of 0 to 1",
           []() { SendBy("WrongHopBalancer", 1); });
    const std::string said =
        LastWords([]() { PolicyRegistry("Balancer", {HostBalancer::GetTypeId()}).Find("nope"); });
    NS_TEST_EXPECT_MSG_EQ(said.compare(0, 28, "no policy 'nope'; there are "), 0, said);
    NS_TEST_EXPECT_MSG_EQ(said.find('\n'), said.size() - 1, "one line");
}

/// The messages of a service, and queue pairs that begin anew.
FABRIC_TEST_F(MisuseTestCase, g_misuse, "Misuse: messages")
{
    Expect("MessageService::Install: it has NICs already",
           []() { Serve(*MakeFabric(), SingleSteering::GetTypeId())->Install({}); });
    Expect("MessageService::Start: there is no message 0",
           []() { Serve(*MakeFabric(), SingleSteering::GetTypeId())->Start(0); });
    Expect("MessageService::Start: message 0 was started before", []() {
        const Ptr<Fabric> fabric = MakeFabric();
        const auto service = Serve(*fabric, SingleSteering::GetTypeId());
        service->Start(service->Add({0, 0, 2, 1000}));
        service->Start(0);
    });
    const uint64_t tooLong = uint64_t{1} << 32; // for pieces of a byte
    Expect("MessageService: message 0 is divided into 4294967296 pieces", []() {
        Default("DqplbSteering::FragmentBytes", 1);
        const Ptr<Fabric> fabric = MakeFabric();
        const auto service = Serve(*fabric, DqplbSteering::GetTypeId());
        service->Start(service->Add({0, 0, 2, tooLong}));
    });
    Expect("MessageService: message 0 is divided into 4294967296 pieces", []() {
        const Ptr<Fabric> fabric = MakeFabric();
        const auto service = CreateObject<MessageService>();
        service->SetCarrier(CreateWith<ReceiverAdmission>({{"SlotBytes", 1}}));
        service->Install(fabric->GetNicList());
        service->Start(service->Add({0, 0, 2, tooLong}));
    });
    Expect("RcQueuePair::Renew: the queue pair is not connected",
           []() { MakeFabric()->GetNic(0)->CreateQueuePair()->Renew(); });
    Expect("RcQueuePair::Renew: messages are pending", []() {
        const Ptr<Fabric> fabric = MakeFabric();
        const RoceHelper::Ends ends = Connect(*fabric);
        ends.first->PostWrite(100000);
        ends.first->Renew();
    });
}

FABRIC_TEST_F(MisuseTestCase, g_misuse, "Steerings that do not suit the fabric")
{
    const TypeId ethereal = EtherealSteering::GetTypeId();
    const auto send = [ethereal](const Fabric& fabric) {
        const auto service = Serve(fabric, ethereal);
        service->Start(service->Add({0, 0, 2, 1000}));
        Simulator::Run();
    };
    Expect("ns3::aifabric::EtherealSteering: BalancerType of the NIC has to be "
           "ns3::aifabric::PinnedBalancer",
           [send]() { send(*MakeFabric()); });
    Expect("SourceRoutedSteering: the NIC does not know the paths of the fabric", [send]() {
        const Ptr<Fabric> fabric = MakeFabric();
        fabric->GetNic(0)->SetPaths(nullptr);
        send(*fabric);
    });
    for (const TypeId& type : {MessageSteering::GetTypeId(),
                               SourceRoutedSteering::GetTypeId(),
                               FixedControl::GetTypeId()})
    {
        Expect("MessageService::SteeringType: " + type.GetName() +
                   " is no ns3::aifabric::MessageSteering that can be made",
               [type]() { Serve(*MakeFabric(), type); });
    }
    Expect("PinnedBalancer: label 16384; labels are below 16384",
           []() { CreateObject<PinnedBalancer>()->SetPath(16384); });
}

/// What may change later does have its effect.
struct LaterTestCase : FabricTestCase
{
    /// @return the time of a packet of 4158 bytes and its gap, in ps
    static double PacketPs(double gigabits)
    {
        return 4178 * 8000 / gigabits;
    }

    /// Send twelve packets from a host whose port has 100 Gb/s at first.
    /// @param control the share of the queue pair  @param port that of the port, at first
    /// @param rate the rate of the port later
    /// @return the time between the first packet after the change and the last, in ps
    double SendSlowly(double control, double port, double portLater, const std::string& rate)
    {
        Default("FixedControl::RateFraction", control);
        ClosHelper helper = ClosOf({{"DataRateFraction", port}}, {{"DataRate", "100Gb/s"}});
        Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 2));
        const RoceHelper::Ends ends = Connect(*fabric);
        const Ptr<FabricPort> tx = fabric->GetNic(0)->GetPort(0);
        std::vector<double> starts;
        Trace(*tx, "Send", [&starts](Ptr<const FabricFrame> frame) {
            starts.push_back(frame->sentAt);
        });
        ends.first->PostWrite(12 * 4096);
        ScheduleFunction(PicoSeconds(1), [&fabric, tx, portLater, rate]() {
            fabric->GetNic(0)->SetAttribute("DataRateFraction", DoubleValue(portLater));
            tx->SetAttribute("DataRate", StringValue(rate));
        });
        Simulator::Run();
        Simulator::Destroy();
        Config::Reset();
        return starts.back() - starts[1];
    }

    /// @return what to do when a message is done  @param at where to note the time, in time steps
    static QueuePair::MessageCallback Done(int64_t& at)
    {
        return CallbackOf([&at](Ptr<QueuePair>, uint64_t) { at = FabricClock::Now(); });
    }
};

FABRIC_TEST_F(LaterTestCase, g_misuse, "The delay of a cable changes before the first frame")
{
    Ptr<Fabric> fabric = MakeFabric();
    int64_t done = 0;
    const RoceHelper::Ends ends = Connect(*fabric);
    fabric->GetChannel(0)->SetAttribute("Delay", TimeValue(MicroSeconds(70)));
    ends.first->PostWrite(1, Done(done));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(done, 2 * 70500000, 10000, "70 us and 0.5 us, both ways");
}

/// The rate of a port changes under way: of 21 packets, 11 are sent at 1 Gb/s.
FABRIC_TEST_F(LaterTestCase, g_misuse, "Later: rate")
{
    Ptr<Fabric> fabric = MakeFabric();
    int64_t done = 0;
    const RoceHelper::Ends ends = Connect(*fabric);
    ends.first->PostWrite(21 * 4096, Done(done));
    ScheduleFunction(PicoSeconds(10 * 41780 - 1000), [&fabric]() {
        fabric->GetNic(0)->GetPort(0)->SetAttribute("DataRate", StringValue("1Gb/s"));
    });
    Simulator::Run();
    const double slow = 11 * 4178 * 8000.0;
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(done),
                              10 * 41780 + slow + 2000000,
                              100000 + 20 * 8000,
                              "ten packets at 800 Gb/s, then eleven");
}

/// Rates that follow from that of a port: a fraction for a queue pair, one for all data of the
/// port, and both of these after the port has become faster, and the one for all was changed.
FABRIC_TEST_F(LaterTestCase, g_misuse, "Later: pacing")
{
    const double slow = PacketPs(100);
    NS_TEST_EXPECT_MSG_EQ_TOL(SendSlowly(1, 1, 1, "100Gb/s"), 10 * slow, slow, "as it was");
    NS_TEST_EXPECT_MSG_EQ_TOL(SendSlowly(1, 1, 1, "400Gb/s"), 10 * slow / 4, slow, "faster");
    NS_TEST_EXPECT_MSG_EQ_TOL(SendSlowly(0.5, 1, 1, "200Gb/s"), 10 * slow, slow, "a queue pair");
    NS_TEST_EXPECT_MSG_EQ_TOL(SendSlowly(1, 0.5, 0.5, "200Gb/s"), 10 * slow, slow, "a port");
    NS_TEST_EXPECT_MSG_EQ_TOL(SendSlowly(1, 1, 0.25, "400Gb/s"), 10 * slow, slow, "set later");
    NS_TEST_EXPECT_MSG_EQ_TOL(SendSlowly(0.5, 0.2, 1, "50Gb/s"), 40 * slow, slow, "both");
    auto swift = CreateObject<MSwiftControl>();
    swift->Start(MakeFacts("100Gb/s", 4096));
    swift->LineRateChanged(DataRate("400Gb/s"));
    NS_TEST_EXPECT_MSG_EQ(swift->GetRate(), DataRate("400Gb/s"), "a window has no rate");
}

FABRIC_TEST_F(LaterTestCase, g_misuse, "A queue pair gives up, and says so once")
{
    Ptr<Fabric> fabric = MakeFabric();
    int64_t done = 0;
    uint32_t failed = 0;
    const RoceHelper::Ends ends = Connect(*fabric);
    Trace(*ends.first, "Failed", [&failed]() { ++failed; });
    fabric->GetChannel(0)->SetUp(false);
    ends.first->PostWrite(10000, Done(done));
    Simulator::Run();
    fabric->GetChannel(0)->SetUp(true);
    ends.first->PostWrite(10000, Done(done));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(failed, 1, "it fails once");
    NS_TEST_EXPECT_MSG_EQ(ends.first->HasFailed(), true, "and for good");
    NS_TEST_EXPECT_MSG_EQ(done, 0, "no message is done");
}

/// What a node does to another one at once ends a run in windows, as either may be ahead.
FABRIC_TEST_F(MisuseTestCase, g_misuse, "Misuse of windows")
{
    const auto run = [](const std::function<void()>& action) {
        UseWindows(false);
        ScheduleFunctionWithContext(0, Time(0), [action]() {
            ScheduleFunction(MicroSeconds(1), action);
        });
        Simulator::Run();
    };
    for (const bool up : {false, true})
    {
        Expect("node 0 acts on node ", [run, up]() { // a cut of what comes, or of what is sent
            UseWindows(false);
            const Ptr<Fabric> fabric = MakeFabric();
            Connect(*fabric).first->PostWrite(1000000);
            run([fabric, up]() { fabric->GetChannel(0)->SetDirectionsUp({up, !up}); });
        });
    }
    Expect("node 0 changes links", [run]() {
        UseWindows(false);
        const Ptr<Fabric> fabric = MakeFabric();
        run([fabric]() { fabric->GetChannel(0)->SetDelay(NanoSeconds(1)); });
    });
    Expect("ReceiverAdmission needs ns3::aifabric::WindowSimulator::Threads=1, which is 2", []() {
        UseWindows(false);
        Default("WindowSimulator::Threads", 2);
        CreateObject<ReceiverAdmission>()->Install(*CreateObject<MessageService>());
    });
}
