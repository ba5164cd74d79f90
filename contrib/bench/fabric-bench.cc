/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a packet-hop costs in ai-fabric: a random permutation, or an all-reduce, on a k-ary fat-tree
 * with host-side spraying, RoCE headers, 4 KiB packets and an acknowledgement a packet, on the
 * module's whole path. bare-loop.cc does only the necessary events of the same permutation. With
 * --transport=spray the packets are those of SprayQueuePair, which has fewer acknowledgements.
 *
 * It prints one key=value line for each of: hosts, packets (that a host sends), packet_hops (data
 * and ACK, one a link crossing), events, cpu_s (user and system time of the event loop),
 * setup_cpu_s, packet_hops_per_cpu_s, events_per_packet_hop, peak_rss_bytes, bytes_per_host (growth
 * of the resident set by the set-up), cct_ns (when the last ACK arrived), balancer, algorithm and
 * transport.
 */

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/flow-driver.h"
#include "ns3/flow-list.h"
#include "ns3/global-value.h"
#include "ns3/host-balancer.h"
#include "ns3/monotone-scheduler.h"
#include "ns3/oracle-recovery.h"
#include "ns3/policy-registry.h"
#include "ns3/queue-pair.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-driver.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <sys/resource.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// @return user and system time of this process, in seconds
double
CpuSeconds()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
           1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// @return the resident set of this process, in bytes
uint64_t
ResidentBytes()
{
    uint64_t total = 0;
    uint64_t resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

/// @return the most that the resident set has been, in bytes
uint64_t
PeakResidentBytes()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024ULL;
}

/// Install the policies that a balancer's name stands for.
/// @param helper builds the fabric  @param name the name
void
UseBalancer(ClosHelper& helper, const std::string& name)
{
    const PolicyRegistry registry("Balancer",
                                  {SwitchBalancer::GetTypeId(), HostBalancer::GetTypeId()});
    helper.SetBalancerType(registry.Find(name));
}

/// @return the kinds of queue pairs
PolicyRegistry
Transports()
{
    return PolicyRegistry("QueuePair", {QueuePair::GetTypeId()});
}

/// @return the congestion controls
PolicyRegistry
Controls()
{
    return PolicyRegistry("Control", {CongestionControl::GetTypeId()});
}

/// What to measure.
struct Options
{
    uint32_t hosts{128};                                       //!< hosts
    uint32_t packets{0};                                       //!< data packets that a host sends
    std::string algorithm;                                     //!< of an all-reduce; or permutation
    std::string balancer{"host-random"};                       //!< load balancer
    std::string transport{"rc"};                               //!< kind of queue pairs
    std::string control{"fixed"};                              //!< congestion control
    uint64_t window{0};                                        //!< of FixedControl, in bytes
    std::string simulator{"ns3::aifabric::WindowSimulator"};   //!< who runs what happens
    std::string scheduler{"ns3::aifabric::MonotoneScheduler"}; //!< of events in one list
};

/// @return the arity of the fat-tree with so many hosts, or 0  @param hosts how many
int64_t
ArityOf(uint32_t hosts)
{
    const int64_t k = 2 * std::lround(std::cbrt(4.0 * hosts) / 2);
    return k >= 2 && k * k * k / 4 == hosts ? k : 0;
}

/// @return what the command line asks for  @param argc its arguments  @param argv their texts
Options
Parse(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.AddValue("hosts", "number of hosts: k^3/4 of an even k", options.hosts);
    cmd.AddValue("packets",
                 "data packets that a host sends (0: as many as make a run of seconds)",
                 options.packets);
    cmd.AddValue("algorithm",
                 "who sends what to whom in an all-reduce, such as ring or direct (empty: a "
                 "permutation, one message a host)",
                 options.algorithm);
    cmd.AddValue("balancer", "load balancer, or help", options.balancer);
    cmd.AddValue("transport", "kind of queue pairs: rc, spray or mrc", options.transport);
    cmd.AddValue("rateControl", "congestion control, such as fixed or nscc", options.control);
    cmd.AddValue("window", "window of the control fixed, in bytes (0: no limit)", options.window);
    cmd.AddValue("simulator",
                 "TypeId of the simulator; ns3::DefaultSimulatorImpl has one list of events",
                 options.simulator);
    cmd.AddValue("scheduler", "TypeId of the scheduler of that list", options.scheduler);
    cmd.Parse(argc, argv);
    return options;
}

/// Choose transport and congestion control.  @param helper builds the fabric
/// @param options what to measure
void
UseTransport(ClosHelper& helper, const Options& options)
{
    const TypeId type = Transports().Find(options.transport);
    const Ptr<QueuePair> sample = ObjectFactory(type.GetName()).Create<QueuePair>();
    const TransportTraits& traits = sample->GetTraits();
    const bool hasOwnRecovery = traits.sendsPathProbes; // which tells its balancer of losses
    helper.SetNicAttribute(
        "RecoveryType",
        TypeIdValue(hasOwnRecovery ? *traits.recovery : OracleRecovery::GetTypeId()));
    helper.SetNicAttribute("QueuePairType", TypeIdValue(type));
    if (traits.ackPolicy)
    {
        helper.SetNicAttribute("AckPolicyType", TypeIdValue(*traits.ackPolicy));
    }
    helper.SetNicAttribute("ControlType", TypeIdValue(Controls().Find(options.control)));
    Config::SetDefault("ns3::aifabric::FixedControl::Window", UintegerValue(options.window));
}

/// @return the fabric to measure  @param options what to measure
Ptr<Fabric>
Build(const Options& options)
{
    ClosHelper helper;
    UseTransport(helper, options);
    UseBalancer(helper, options.balancer);
    ObjectFactory buffer("ns3::aifabric::PortBuffer");
    buffer.Set("PortBytes", UintegerValue(1 << 30)); // as in bare-loop, nothing is lost
    helper.SetAdmission(buffer);
    FatTreeConfig config;
    config.k = ArityOf(options.hosts);
    Ptr<Fabric> fabric = helper.Install(MakeFatTree(config));
    fabric->AssignStreams(1);
    return fabric;
}

/// @return the algorithms of collectives
PolicyRegistry
Algorithms()
{
    return PolicyRegistry("Algorithm", {CollectiveAlgorithm::GetTypeId()});
}

/// @return whether a name is known; otherwise the user is told  @param registry all names
/// @param option whose value the name is  @param name the name
bool
IsKnown(const PolicyRegistry& registry, const std::string& option, const std::string& name)
{
    const bool isKnown = registry.Has(name);
    if (!isKnown)
    {
        std::cerr << "fabric-bench: --" << option << "=" << name << ": one of " << registry.List()
                  << "\n";
    }
    return isKnown;
}

/// @return the flows of a permutation  @param options what to measure
std::vector<Flow>
MakePermutation(const Options& options)
{
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(0);
    std::vector<Flow> flows =
        RandomPermutation(options.hosts, options.packets * 4096ULL, [random](uint32_t bound) {
            return random->GetInteger(0, bound - 1);
        });
    for (Flow& flow : flows)
    {
        flow.startPs = random->GetInteger(0, 41780);
    }
    return flows;
}

/// @return an all-reduce in which a host sends about as much  @param options what to measure
TrainingWorkload
MakeAllReduce(const Options& options)
{
    TrainingStep step;
    step.name = "all-reduce";
    step.kind = TrainingStep::Kind::COLLECTIVE;
    const double factor = BusFactor(CollectiveKind::ALL_REDUCE, options.hosts);
    step.bytes = std::llround(options.packets / factor / options.hosts) * 4096 * options.hosts;
    TrainingPlan plan;
    plan.communicators.push_back({"all", std::vector<uint32_t>(options.hosts)});
    std::iota(plan.communicators[0].hosts.begin(), plan.communicators[0].hosts.end(), 0);
    plan.phases.push_back({"benchmark", 1, {step}});
    return MakeWorkload(plan, options.hosts);
}

/// @return who starts the traffic  @param options what to measure  @param service carries it
Ptr<Object>
Drive(const Options& options, const Ptr<MessageService>& service)
{
    if (options.algorithm.empty())
    {
        Ptr<FlowDriver> driver = CreateObject<FlowDriver>();
        driver->Install(service, MakePermutation(options));
        return driver;
    }
    CollectiveDefaults defaults;
    defaults.algorithm = Algorithms().Find(options.algorithm);
    Ptr<TrainingDriver> driver = CreateObject<TrainingDriver>();
    driver->Install(service, MakeAllReduce(options), defaults, 4096);
    return driver;
}

/// @return who carries the traffic  @param fabric where
Ptr<MessageService>
MakeService(const Fabric& fabric)
{
    const std::vector<Ptr<RoceNetDevice>>& nics = fabric.GetNicList();
    Ptr<MessageService> service = CreateObject<MessageService>();
    service->Install(nics);
    service->TraceConnectWithoutContext("AllCompleted", Callback<void>([] { Simulator::Stop(); }));
    return service;
}

/// @return when the last message was acknowledged  @param service what carried them
Time
FindEnd(const MessageService& service)
{
    Time end;
    for (const FlowRecord& record : service.GetRecords())
    {
        end = Max(end, record.completedAt);
    }
    return end;
}

/// Measure and print.  @param options what to measure  @return whether all messages were completed
bool
Measure(const Options& options)
{
    const uint64_t before = ResidentBytes();
    const double setupBegin = CpuSeconds();
    Ptr<Fabric> fabric = Build(options);
    Ptr<MessageService> service = MakeService(*fabric);
    Ptr<Object> driver = Drive(options, service);
    const uint64_t setupBytes = ResidentBytes() - before;
    const double begin = CpuSeconds();
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    const double seconds = CpuSeconds() - begin;

    const uint64_t hops = fabric->GetPacketHops();
    const uint64_t events = Simulator::GetEventCount();
    std::cout << std::fixed << std::setprecision(6) << "hosts=" << options.hosts
              << "\npackets=" << options.packets << "\npacket_hops=" << hops
              << "\nevents=" << events << "\ncpu_s=" << seconds
              << "\nsetup_cpu_s=" << begin - setupBegin
              << "\npacket_hops_per_cpu_s=" << hops / seconds
              << "\nevents_per_packet_hop=" << static_cast<double>(events) / hops
              << "\npeak_rss_bytes=" << PeakResidentBytes()
              << "\nbytes_per_host=" << setupBytes / options.hosts
              << "\ncct_ns=" << FindEnd(*service).GetNanoSeconds()
              << "\nbalancer=" << options.balancer
              << "\nalgorithm=" << (options.algorithm.empty() ? "none" : options.algorithm)
              << "\ntransport=" << options.transport << "\n";
    const uint64_t missing = service->GetExpected() - service->GetCompleted();
    if (missing > 0)
    {
        std::cerr << "fabric-bench: " << missing << " messages were not completed\n";
    }
    driver->Dispose();
    service->Dispose();
    fabric->Dispose();
    Simulator::Destroy();
    return missing == 0;
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options = Parse(argc, argv);
    if (options.balancer == "help")
    {
        PolicyRegistry("Balancer", {SwitchBalancer::GetTypeId(), HostBalancer::GetTypeId()})
            .Print(std::cout);
        return 0;
    }
    if (!options.algorithm.empty() && !IsKnown(Algorithms(), "algorithm", options.algorithm))
    {
        return 1;
    }
    if (!IsKnown(Transports(), "transport", options.transport) ||
        !IsKnown(Controls(), "rateControl", options.control))
    {
        return 1;
    }
    TypeId simulator;
    if (!TypeId::LookupByNameFailSafe(options.simulator, &simulator) ||
        !simulator.IsChildOf(SimulatorImpl::GetTypeId()))
    {
        std::cerr << "fabric-bench: --simulator=" << options.simulator
                  << ": a TypeId of ns-3's simulators, such as ns3::DefaultSimulatorImpl\n";
        return 1;
    }
    if (ArityOf(options.hosts) == 0)
    {
        std::cerr << "fabric-bench: --hosts=" << options.hosts
                  << ": k^3/4 of an even k, such as 16, 128 or 1024\n";
        return 1;
    }
    if (options.packets == 0)
    {
        options.packets = std::max<uint32_t>(256, (1 << 20) / options.hosts);
    }
    Time::SetResolution(Time::FS); // as ai-fabric-run has it
    GlobalValue::Bind("SimulatorImplementationType", StringValue(options.simulator));
    ObjectFactory scheduler;
    scheduler.SetTypeId(options.scheduler);
    Simulator::SetScheduler(scheduler);
    try
    {
        return Measure(options) ? 0 : 1;
    }
    catch (const std::exception& error)
    {
        std::cerr << "fabric-bench: " << error.what() << "\n";
        return 1;
    }
}
