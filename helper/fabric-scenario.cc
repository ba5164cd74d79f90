/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-scenario.h"

#include "chakra-option-table.h"
#include "failure-helper.h"
#include "option-value.h"
#include "policy-registry.h"
#include "rank-options.h"

#include "ns3/ack-policy.h"
#include "ns3/boolean.h"
#include "ns3/buffer-admission.h"
#include "ns3/chakra-reader.h"
#include "ns3/clos-builder.h"
#include "ns3/collective-algorithm.h"
#include "ns3/congestion-control.h"
#include "ns3/csv-writer.h"
#include "ns3/direct-algorithm.h"
#include "ns3/ecn-marker.h"
#include "ns3/fabric-net-device.h"
#include "ns3/failure-draw.h"
#include "ns3/fixed-control.h"
#include "ns3/flow-list.h"
#include "ns3/frame-codec.h"
#include "ns3/global-value.h"
#include "ns3/host-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/message-steering.h"
#include "ns3/object-factory.h"
#include "ns3/path-label-balancer.h"
#include "ns3/placement-file.h"
#include "ns3/printable.h"
#include "ns3/process-cost.h"
#include "ns3/queue-pair-scheduler.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-plan-csv.h"
#include "ns3/rank-transport.h"
#include "ns3/ring-algorithm.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/sack-recovery.h"
#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"
#include "ns3/single-steering.h"
#include "ns3/step-marker.h"
#include "ns3/strict-recovery.h"
#include "ns3/string.h"
#include "ns3/switch-balancer.h"
#include "ns3/switch-draw.h"
#include "ns3/training-file.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"
#include "ns3/way-counter.h"
#include "ns3/workload-check.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

namespace ns3
{
namespace aifabric
{

namespace
{

const std::string AUTO = "auto"; //!< the value of an option whose default depends on others
const std::string HELP = "help"; //!< the value of an option that asks for what there is
const std::string THREE_TIER_ONLY = "only with --topology=three-tier"; //!< of its options
const std::string NONE = "none"; //!< the value of an option for what may be absent

/// The options of collectives, and what has them.
const std::vector<std::pair<std::string, std::string>> COLLECTIVE_OPTIONS = {
    {"algorithm", "only with collectives and training iterations"},
    {"channels", "only with collectives and training iterations"},
    {"chunks", "only with collectives and training iterations"},
    {"repeat", "only with collectives"},
    {"root", "only with " + ListRootedKinds()},
    {"placement", "only with collectives and --workload=chakra"},
    {"communicators", "only with collectives"}};

// Random streams, apart from those of a run.
constexpr int64_t FAILURE_STREAM = 3;
constexpr int64_t UPGRADE_STREAM = 4;

constexpr uint64_t PS_BIT_PER_BYTE = 8'000'000'000'000; //!< divided by bit/s: ps a byte
constexpr uint64_t MIN_RATE = 1'000'000;                //!< bit/s
constexpr uint32_t GAP_BYTES = 20;                      //!< between two frames
constexpr uint32_t FRAME_BYTES = 126;                   //!< headers of a data packet and an ACK

// What the parts of a run take of memory, in bytes, as measured.
constexpr uint64_t HOST_BYTES = 4096;  //!< a host
constexpr uint64_t PORT_BYTES = 8192;  //!< a port
constexpr uint64_t FLOW_BYTES = 4096;  //!< a message with its queue pair
constexpr uint64_t SHARED_BYTES = 256; //!< a message on a queue pair that others have made

/// The kinds of policies that an option chooses among.
struct PolicyKind
{
    std::string suffix;        //!< of the class names
    std::vector<TypeId> bases; //!< their base classes
};

/// @return all kinds, by option
const std::map<std::string, PolicyKind>&
PolicyKinds()
{
    static const std::map<std::string, PolicyKind> KINDS = {
        {"algorithm", {"Algorithm", {CollectiveAlgorithm::GetTypeId()}}},
        {"steering", {"Steering", {MessageSteering::GetTypeId()}}},
        {"balancer", {"Balancer", {SwitchBalancer::GetTypeId(), HostBalancer::GetTypeId()}}},
        {"upgrade", {"Balancer", {SwitchBalancer::GetTypeId()}}},
        {"rateControl", {"Control", {CongestionControl::GetTypeId()}}},
        {"recovery", {"Recovery", {LossRecovery::GetTypeId()}}},
        {"ackPolicy", {"AckPolicy", {AckPolicy::GetTypeId()}}},
        {"sendOrder", {"Scheduler", {QueuePairScheduler::GetTypeId()}}},
        {"admission", {"Buffer", {BufferAdmission::GetTypeId()}}},
        {"marker", {"Marker", {EcnMarker::GetTypeId()}}},
        {"scheduler", {"Scheduler", {Scheduler::GetTypeId()}}}};
    return KINDS;
}

/// @return the policies of a kind  @param option its option
PolicyRegistry
Registry(const std::string& option)
{
    const PolicyKind& kind = PolicyKinds().at(option);
    return PolicyRegistry(kind.suffix, kind.bases);
}

/// @return a number of bytes in GB, with a decimal if it is small  @param bytes the number
std::string
FormatGigabytes(double bytes)
{
    constexpr double GIGABYTE = 1e9;
    constexpr double TENTHS = 10;
    const double tenths = std::round(bytes / GIGABYTE * TENTHS);
    return tenths < TENTHS * TENTHS ? FormatNumber(tenths / TENTHS)
                                    : std::to_string(std::llround(bytes / GIGABYTE));
}

/// @return what is wrong with a parameter of a builder, without the parameter
/// @param message "name: value what"  @param [out] name the parameter
std::string
SplitMessage(const std::string& message, std::string& name)
{
    const std::size_t colon = message.find(": ");
    name = message.substr(0, colon);
    return message.substr(message.find(' ', colon + 2) + 1);
}

} // namespace

ScenarioReader::ScenarioReader()
    : m_table("ai-fabric-run",
              "Runs one scenario on a RoCE fabric and leaves run.json, flows.csv, links.csv,\n"
              "layers.csv, queues.csv and events.csv in a folder. Sizes take B, kB, MB, GB, TB,\n"
              "KiB, MiB, GiB, TiB; times ps, ns, us, ms, s; rates Mb/s, Gb/s, Tb/s.")
{
    DeclareOptions();
    ReserveAttributes();
}

void
ScenarioReader::DeclareOptions()
{
    DeclareFabric();
    DeclareTraffic();
    DeclareCollectives();
    DeclareFlows();
    DeclarePolicies();
    DeclareFailures();
    DeclareRun();
}

void
ScenarioReader::DeclareFabric()
{
    m_table.Add("topology", "fat-tree", "shape of the fabric: fat-tree, leaf-spine or three-tier");
    m_table.Add("k", AUTO, "fat-tree: ports of a switch, even; k^3/4 hosts (auto: 8)");
    m_table.Add("leaves", AUTO, "leaf-spine: leaf switches a plane (auto: 8)");
    m_table.Add("spines", AUTO, "leaf-spine: spine switches a plane (auto: 8)");
    m_table.Add("pods", AUTO, "three-tier: pods (auto: 8)");
    m_table.Add("leavesPerPod", AUTO, "three-tier: leaf switches a pod and plane (auto: 4)");
    m_table.Add("spinesPerPod", AUTO, "three-tier: switches of tier 1 a pod and plane (auto: 4)");
    m_table.Add("cores",
                AUTO,
                "three-tier: core switches a plane, a multiple of spinesPerPod (auto: 16)");
    m_table.Add("hostsPerLeaf",
                AUTO,
                "leaf-spine, three-tier: hosts at each leaf (auto: 8; three-tier 16)");
    m_table.Add("planes", "1", "planes of the fabric, which is ports of a NIC");
    m_table.Add("rate", "800Gb/s", "rate of each link");
    m_table.Add("fabricRate", AUTO, "rate of each link between switches (auto: as --rate)");
    m_table.Add("delay", "500ns", "propagation delay of each link");
    m_table.Add("buffer", "800kB", "room for waiting frames, a switch port (bytes)");
    m_table.Add("mtu", "4096", "payload of a full packet (bytes)");
}

void
ScenarioReader::DeclareTraffic()
{
    m_table.Add("workload",
                AUTO,
                "traffic: flows that start by themselves (permutation, all-to-all, incast, flows), "
                "a collective (" +
                    ListCollectiveKinds() +
                    "), or a training iteration (training, chakra); all-to-all is a collective if "
                    "an option of collectives is given (auto: what a file is given for, else "
                    "permutation)");
    m_table.Add("flows", NONE, "file of flows: start_ns,source,destination,bytes");
    m_table.Add("training", NONE, "file of a training iteration (TOML)");
    m_table.Add("chakra",
                NONE,
                "Chakra execution traces of a training iteration: FILE stands for FILE.0.et, "
                "FILE.1.et, ..., one a rank");
    AddChakraOptions(m_table);
    m_table.Add("size",
                AUTO,
                "length of each message (bytes; auto: 1MiB, all-to-all 64KiB); size of a "
                "collective, as nccl-tests counts it (auto: 16MiB)");
}

void
ScenarioReader::DeclareCollectives()
{
    m_table.Add(
        "algorithm",
        AUTO,
        "who sends what to whom in collectives, or help (auto: ring; direct where ring cannot)");
    m_table.Add("channels",
                AUTO,
                "parts of a collective that go side by side, as in NCCL (auto: 1)");
    m_table.Add("chunks",
                AUTO,
                "parts of the data that go through a collective on their own, one behind the other "
                "(auto: where a rank hands on what it gets, so many that a chunk takes about as "
                "long to send as to travel; else 1)");
    m_table.Add("repeat",
                AUTO,
                "how often a collective is done, each after the one before (auto: 1)");
    m_table.Add("root",
                AUTO,
                ListRootedKinds() + ": the rank that it begins or ends with (auto: 0)");
    m_table.Add("placement",
                NONE,
                "file that says on which hosts the ranks of a collective or of Chakra traces run: "
                "the number of a host a line, rank 0 first (none: rank r is host r)");
    m_table.Add("communicators",
                AUTO,
                "groups of ranks that each do the collective, all at the same time: how many, of "
                "equally many ranks that follow one another, or a file: the ranks of a group a "
                "line (auto: 1)");
}

void
ScenarioReader::DeclareFlows()
{
    m_table.Add("steering",
                "single",
                "how messages are divided among queue pairs and paths, or help");
    m_table.Add("senders", AUTO, "incast: hosts that send to host 0 (auto: 16, or all others)");
    m_table.Add("jitter",
                AUTO,
                "each host starts its flows at random before this time (auto: the time of one "
                "packet, or 0 with flows of a file)");
    m_table.Add("acks",
                "fabric",
                "acknowledgements cross the fabric, or bypass it: they take no room "
                "and no time of any port (fabric or bypass)");
}

void
ScenarioReader::DeclarePolicies()
{
    m_table.Add("balancer", "ecmp", "load balancer, or help");
    m_table.Add("upgrade",
                NONE,
                "switch balancer of a part of the switches, in place of --balancer's, or help");
    m_table.Add("upgraded",
                AUTO,
                "share of the switches that choose among ports that get the other balancer, drawn "
                "at random (0 to 1; auto: 0.5)");
    m_table.Add("rateControl", "fixed", "congestion control of queue pairs, or help");
    m_table.Add("recovery", "oracle", "loss recovery of queue pairs, or help");
    m_table.Add("ackPolicy",
                "per-packet",
                "when accepted packets are acknowledged, or help; coalesced needs go-back-n");
    m_table.Add("sendOrder",
                "round-robin",
                "which queue pair of a NIC sends the next packet, or help: each in turn "
                "(round-robin), or that of the message posted first (oldest-first)");
    m_table.Add("admission", "port", "buffer of switches, or help");
    m_table.Add("marker",
                AUTO,
                "congestion marking in switches, none, or help (auto: step if the balancer needs "
                "marks, where it says; else none)");
}

void
ScenarioReader::DeclareFailures()
{
    m_table.Add("fail",
                NONE,
                "link faults, separated by commas: LINK@10us cuts it, LINK@10us-50us for "
                "a time, LINK*0.5@... halves its rate, LINK%0.01@... loses 1 % of "
                "frames; help lists the links");
    m_table.Add("failRate",
                "0",
                "probability with which each link between switches is dead from the start "
                "(0 to 1); all hosts stay connected");
    m_table.Add("convergence",
                "100us",
                "time from a cut or repair until all switches have the weights for it, or never");
    m_table.Add("detection",
                AUTO,
                "time until the switches at the link stop or begin to use it by themselves, or "
                "never (auto: as --convergence)");
    m_table.Add("rho",
                AUTO,
                "data rate of a host as a fraction of its line rate, or max: what the links that "
                "are not dead from the start can bear (auto: 1; with dead links and a fixed rate "
                "max, if the workload is permutation or all-to-all)");
}

void
ScenarioReader::DeclareRun()
{
    m_table.Add("scheduler", "monotone", "event scheduler, or help");
    m_table.Add(
        "ranks",
        "1",
        "processes of the run, which mpiexec has started; ./fabric run --ranks=N starts them");
    m_table.Add("engine",
                AUTO,
                "how ranks keep in step: granted (DistributedSimulatorImpl) or null-message "
                "(NullMessageSimulatorImpl) (auto: granted)");
    m_table.Add(
        "plan",
        AUTO,
        "which rank simulates what: auto, or a file: node,rank (each switch; hosts stand with "
        "their leaf)");
    m_table.Add("pcap",
                NONE,
                "ports to capture, separated by commas: host-0, a switch, or switch:port");
    m_table.Add("out", "results/run", "folder for the results");
    m_table.Add("sample", "100ns", "time between two samples of the queues, at first (0: none)");
    m_table.Add("period",
                AUTO,
                "time that sending_queue_packets is about (auto: what the busiest NIC takes to "
                "send its data)");
    m_table.Add("stallTime",
                AUTO,
                "simulated time without an acknowledgement after which a run "
                "has stalled (auto: 20 timeouts of a queue pair)");
    m_table.AddFlag("progress", "say on stderr how far the run is");
    m_table.AddFlag("check", "check the options, say how large the run is, and do not run it");
}

void
ScenarioReader::ReserveAttributes()
{
    const std::string space = "ns3::aifabric::";
    m_table.Reserve(space + "FabricPort::DataRate", "rate");
    m_table.Reserve(space + "FabricChannel::Delay", "delay");
    m_table.Reserve(space + "PortBuffer::PortBytes", "buffer");
    m_table.Reserve(space + "SharedBuffer::BufferBytes", "buffer");
    m_table.Reserve(space + "TrimmingBuffer::PortBytes", "buffer");
    m_table.Reserve(space + "RoceQueuePair::Mtu", "mtu");
    m_table.Reserve(space + "FabricSwitch::DetectionDelay", "detection");
    m_table.Reserve(space + "RouteConvergence::Delay", "convergence");
    m_table.Reserve(space + "RoceNetDevice::DataRateFraction", "rho");
    m_table.Reserve(space + "RoceNetDevice::RecoveryType", "recovery");
    m_table.Reserve(space + "RoceNetDevice::ControlType", "rateControl");
    m_table.Reserve(space + "RoceNetDevice::BalancerType", "balancer");
    m_table.Reserve(space + "RoceNetDevice::SchedulerType", "sendOrder");
    m_table.Reserve(space + "RoceNetDevice::AckPolicyType", "ackPolicy");
    m_table.Reserve(space + "AckBypass::HopTime", "delay");
    m_table.Reserve(space + "MessageService::SteeringType", "steering");
    for (const std::string attribute : {"Start", "Stop", "Down", "RateFactor", "LossProbability"})
    {
        m_table.Reserve(space + "LinkFault::" + attribute, "fail");
    }
    m_table.Reserve("SchedulerType", "scheduler");
}

std::optional<FabricScenario>
ScenarioReader::Read(int argc, char* argv[])
{
    m_table.Parse(argc, argv);
    if (PrintsPolicies())
    {
        return std::nullopt;
    }
    ReadTopology();
    if (PrintsLinks())
    {
        return std::nullopt;
    }
    for (const auto& [name, value] : m_table.GetAttributes())
    {
        m_scenario.attributes[name] = value;
    }
    m_scenario.attributes.erase("RngSeed"); // these two are not the scenario's
    m_scenario.attributes.erase("RngRun");
    ReadLinks();
    ReadTraffic();
    ReadPolicies();
    CheckGlobals();
    ReadFaults();
    ReadReaction();
    ReadCaptures();
    ReadPatience();
    ReadObservation();
    ReadRanks();
    CheckMemory();
    CheckAttributes();
    m_scenario.options["attributes"] = m_scenario.attributes;
    m_scenario.check = ReadFlag("check");
    m_scenario.extent = DescribeExtent();
    return std::move(m_scenario);
}

bool
ScenarioReader::PrintsPolicies() const
{
    bool printed = false;
    for (const auto& entry : PolicyKinds())
    {
        if (m_table.Get(entry.first) == HELP)
        {
            Registry(entry.first).Print(std::cout);
            printed = true;
        }
    }
    return printed;
}

bool
ScenarioReader::PrintsLinks() const
{
    if (m_table.Get("fail") != HELP)
    {
        return false;
    }
    for (uint32_t link = 0; link < m_scenario.graph->Links().size(); ++link)
    {
        std::cout << m_scenario.graph->LinkName(link) << "\n";
    }
    return true;
}

void
ScenarioReader::ReadTopology()
{
    const std::string topology = m_table.Get("topology");
    m_scenario.options["topology"] = topology;
    try
    {
        if (topology == "fat-tree")
        {
            m_scenario.graph = ReadFatTree();
        }
        else if (topology == "leaf-spine")
        {
            m_scenario.graph = ReadLeafSpine();
        }
        else if (topology == "three-tier")
        {
            m_scenario.graph = ReadThreeTier();
        }
        else
        {
            Refuse("topology", "one of fat-tree, leaf-spine, three-tier");
        }
    }
    catch (const OptionError&)
    {
        throw;
    }
    catch (const std::invalid_argument& error)
    {
        std::string name;
        const std::string what = SplitMessage(error.what(), name);
        Refuse(name, what);
    }
    m_scenario.options["planes"] = m_scenario.graph->Planes();
    m_scenario.options["hosts"] = m_scenario.graph->HostCount();
    if (m_scenario.graph->HostCount() < 2)
    {
        Refuse(topology == "fat-tree" ? "k" : "hostsPerLeaf",
               "makes a fabric of less than 2 hosts");
    }
}

FabricGraph
ScenarioReader::ReadFatTree()
{
    constexpr int64_t K = 8;
    RefuseGiven({"leaves", "spines"}, "only with --topology=leaf-spine");
    RefuseGiven({"pods", "leavesPerPod", "spinesPerPod", "cores"}, THREE_TIER_ONLY);
    RefuseGiven({"hostsPerLeaf"}, "not with --topology=fat-tree");
    FatTreeConfig config;
    config.k = ReadInteger("k", 2, MAX_SWITCH_PORTS, K);
    if (config.k % 2 != 0)
    {
        Refuse("k",
               "an even number from 2 to " + std::to_string(MAX_SWITCH_PORTS - 1) + OrAuto("k"));
    }
    config.planes = ReadInteger("planes", 1, MAX_PLANES);
    m_scenario.options["k"] = config.k;
    const auto hosts = static_cast<uint64_t>(config.k * config.k * config.k / 4);
    RefuseMemory(hosts, hosts * 3 * config.planes); // a link of each tier for each host
    return MakeFatTree(config);
}

FabricGraph
ScenarioReader::ReadLeafSpine()
{
    constexpr int64_t SIZE = 8;
    RefuseGiven({"k"}, "only with --topology=fat-tree");
    RefuseGiven({"pods", "leavesPerPod", "spinesPerPod", "cores"}, THREE_TIER_ONLY);
    LeafSpineConfig config;
    config.leaves = ReadInteger("leaves", 1, MAX_SWITCH_PORTS, SIZE);
    config.spines = ReadInteger("spines", 1, MAX_SWITCH_PORTS, SIZE);
    config.hostsPerLeaf = ReadInteger("hostsPerLeaf", 1, MAX_SWITCH_PORTS, SIZE);
    config.planes = ReadInteger("planes", 1, MAX_PLANES);
    m_scenario.options["leaves"] = config.leaves;
    m_scenario.options["spines"] = config.spines;
    m_scenario.options["hostsPerLeaf"] = config.hostsPerLeaf;
    const auto leaves = static_cast<uint64_t>(config.leaves);
    RefuseMemory(leaves * config.hostsPerLeaf,
                 leaves * (config.hostsPerLeaf + config.spines) * config.planes);
    return MakeLeafSpine(config);
}

FabricGraph
ScenarioReader::ReadThreeTier()
{
    constexpr int64_t PODS = 8;
    constexpr int64_t SWITCHES = 4; // of each kind, a pod
    constexpr int64_t CORES = 16;
    constexpr int64_t HOSTS = 16;
    RefuseGiven({"k"}, "only with --topology=fat-tree");
    RefuseGiven({"leaves", "spines"}, "only with --topology=leaf-spine");
    ThreeTierConfig config;
    config.pods = ReadInteger("pods", 2, MAX_SWITCH_PORTS, PODS);
    config.leavesPerPod = ReadInteger("leavesPerPod", 1, MAX_SWITCH_PORTS, SWITCHES);
    config.spinesPerPod = ReadInteger("spinesPerPod", 1, MAX_SWITCH_PORTS, SWITCHES);
    config.cores = ReadInteger("cores", 1, MAX_SWITCH_PORTS, CORES);
    config.hostsPerLeaf = ReadInteger("hostsPerLeaf", 1, MAX_SWITCH_PORTS, HOSTS);
    config.planes = ReadInteger("planes", 1, MAX_PLANES);
    m_scenario.options["pods"] = config.pods;
    m_scenario.options["leavesPerPod"] = config.leavesPerPod;
    m_scenario.options["spinesPerPod"] = config.spinesPerPod;
    m_scenario.options["cores"] = config.cores;
    m_scenario.options["hostsPerLeaf"] = config.hostsPerLeaf;
    const auto leaves = static_cast<uint64_t>(config.pods * config.leavesPerPod);
    RefuseMemory(leaves * config.hostsPerLeaf,
                 (leaves * (config.hostsPerLeaf + config.spinesPerPod) +
                  static_cast<uint64_t>(config.pods * config.cores)) *
                     config.planes);
    return MakeThreeTier(config);
}

uint64_t
ScenarioReader::ReadRate(const std::string& option) const
{
    const std::optional<uint64_t> rate = ParseRate(m_table.Get(option));
    if (!rate || *rate < MIN_RATE || PS_BIT_PER_BYTE % *rate != 0)
    {
        Refuse(option,
               "a rate with its unit, of at least 1 Mb/s, at which a byte takes a whole number of "
               "picoseconds: 10, 25, 40, 50, 100, 200, 400, 800 Gb/s and others" +
                   OrAuto(option));
    }
    return *rate;
}

void
ScenarioReader::ReadLinks()
{
    m_scenario.rate = ReadRate("rate");
    m_scenario.fabricRate =
        m_table.Get("fabricRate") == AUTO ? m_scenario.rate : ReadRate("fabricRate");
    m_scenario.delayPs = ReadTime("delay", 0);
    ReadMtu();
    const uint32_t frame = FrameCodec::RoceWireBytes(RC_WRITE_ONLY, m_scenario.mtu, false);
    m_scenario.bufferBytes = ReadSize("buffer", frame);
    if (m_scenario.bufferBytes > std::numeric_limits<uint32_t>::max())
    {
        Refuse("buffer", "less than 4 GiB");
    }
    m_scenario.options["rate"] = m_table.Get("rate");
    m_scenario.options["fabricRate"] =
        m_table.Get(m_table.Get("fabricRate") == AUTO ? "rate" : "fabricRate");
    m_scenario.options["delay"] = m_table.Get("delay");
    m_scenario.options["buffer"] = m_scenario.bufferBytes;
    m_scenario.options["mtu"] = m_scenario.mtu;
}

void
ScenarioReader::ReadMtu()
{
    constexpr uint64_t MIN_MTU = 64;
    constexpr uint64_t MAX_MTU = 32768;
    const std::optional<uint64_t> size = ParseSize(m_table.Get("mtu"));
    if (!size || *size < MIN_MTU || *size > MAX_MTU)
    {
        Refuse("mtu", "64 to 32768 bytes");
    }
    const uint64_t mtu = *size;
    m_scenario.mtu = mtu;
    const std::string attribute = "Mtu";
    const TypeId device = FabricNetDevice::GetTypeId();
    TypeId::AttributeInformation information;
    device.LookupAttributeByName(attribute, &information);
    const uint64_t usual =
        dynamic_cast<const UintegerValue*>(PeekPointer(information.initialValue))->Get();
    const uint32_t packet = FrameCodec::RoceWireBytes(RC_WRITE_ONLY, mtu, false) -
                            FrameCodec::ETHERNET_SIZE - FrameCodec::FCS_SIZE;
    if (packet > usual && m_scenario.attributes.count(device.GetName() + "::" + attribute) > 0)
    {
        Refuse("mtu",
               "packets of " + std::to_string(usual) + " bytes (" + device.GetName() +
                   "::" + attribute + "), and this makes packets of " + std::to_string(packet));
    }
    m_scenario.deviceMtu = std::max<uint64_t>(usual, packet);
}

void
ScenarioReader::ReadTraffic()
{
    const std::string given = m_table.Get("workload");
    std::string workload = given != AUTO ? given : "permutation";
    for (const std::string file : {"flows", "training", "chakra"})
    {
        m_scenario.options[file] = m_table.Get(file);
        workload = given == AUTO && !IsNone(file) ? file : workload;
    }
    for (const std::string file : {"flows", "training", "chakra"})
    {
        if (file != workload && !IsNone(file))
        {
            Refuse(file, "not with --workload=" + workload);
        }
    }
    m_scenario.workload = workload;
    m_scenario.options["workload"] = workload;
    m_scenario.options["placement"] = m_table.Get("placement");
    if (workload != "chakra")
    {
        RefuseGiven(ListChakraOptions(), "only with --workload=chakra");
    }
    const std::optional<CollectiveKind> kind = FindCollectiveKind(workload);
    if (kind && (kind != CollectiveKind::ALL_TO_ALL || IsCollectiveGiven()))
    {
        ReadCollective(*kind);
    }
    else if (workload == "training" || workload == "chakra")
    {
        RefuseGiven({"size"}, "not with --workload=" + workload);
        RefuseCollective({"repeat", "root", "communicators"});
        ReadTraining(workload);
    }
    else
    {
        RefuseCollective(
            {"algorithm", "channels", "chunks", "repeat", "root", "placement", "communicators"});
        ReadMessages();
    }
    ReadJitter();
    const std::string& acks = m_table.Get("acks");
    if (acks != "fabric" && acks != "bypass")
    {
        Refuse("acks", "one of fabric, bypass");
    }
    m_scenario.acksInFabric = acks == "fabric";
    if (!m_scenario.acksInFabric && m_scenario.fabricRate != m_scenario.rate)
    {
        Refuse("acks", "fabric, where --fabricRate is not --rate");
    }
    m_scenario.options["acks"] = acks;
}

bool
ScenarioReader::IsCollectiveGiven() const
{
    return std::any_of(COLLECTIVE_OPTIONS.begin(),
                       COLLECTIVE_OPTIONS.end(),
                       [this](const auto& option) { return IsGiven(option.first); });
}

void
ScenarioReader::RefuseCollective(const std::set<std::string>& names)
{
    for (const auto& [name, why] : COLLECTIVE_OPTIONS)
    {
        if (names.count(name) > 0)
        {
            RefuseGiven({name}, why);
        }
    }
}

void
ScenarioReader::ReadMessages()
{
    constexpr uint64_t SIZE = 1048576;
    constexpr uint64_t ALL_TO_ALL_SIZE = 65536;
    constexpr int64_t SENDERS = 16;
    const std::string& workload = m_scenario.workload;
    if (workload != "permutation" && workload != "all-to-all" && workload != "incast" &&
        workload != "flows")
    {
        Refuse("workload",
               "one of permutation, incast, flows, training, chakra, " + ListCollectiveKinds());
    }
    if (workload != "incast")
    {
        RefuseGiven({"senders"}, "only with --workload=incast");
    }
    if (workload == "flows")
    {
        RefuseGiven({"size"}, "not with --workload=flows, whose file has the sizes");
        ReadFlows();
        return;
    }
    m_scenario.size = ReadSize("size", 1, workload == "all-to-all" ? ALL_TO_ALL_SIZE : SIZE);
    m_scenario.options["size"] = m_scenario.size;
    if (m_scenario.size > MAX_FLOW_BYTES)
    {
        Refuse("size", "at most " + std::to_string(MAX_FLOW_BYTES) + " bytes");
    }
    if (workload == "incast")
    {
        const int64_t others = m_scenario.graph->HostCount() - 1;
        m_scenario.senders = ReadInteger("senders", 1, others, std::min(SENDERS, others));
        m_scenario.options["senders"] = m_scenario.senders;
    }
}

void
ScenarioReader::ReadCollective(CollectiveKind kind)
{
    constexpr uint64_t SIZE = 16777216;
    constexpr int64_t MOST_REPEATS = 1000000;
    RefuseGiven({"senders", "jitter"}, "not with --workload=" + m_scenario.workload);
    if (!HasRoot(kind))
    {
        RefuseCollective({"root"});
    }
    TrainingPlan plan;
    plan.communicators = ReadCommunicators(ReadPlacement());
    std::size_t ranks = m_scenario.graph->HostCount(); // of the smallest communicator
    for (const Communicator& communicator : plan.communicators)
    {
        ranks = std::min(ranks, communicator.hosts.size());
    }
    TrainingStep step;
    step.kind = TrainingStep::Kind::COLLECTIVE;
    step.collective = kind;
    step.bytes = ReadSize("size", 1, SIZE);
    step.root = static_cast<uint32_t>(ReadInteger("root", 0, static_cast<int64_t>(ranks) - 1, 0));
    step.repeat = static_cast<uint32_t>(ReadInteger("repeat", 1, MOST_REPEATS, 1));
    step.where = "--repeat=" + std::to_string(step.repeat);
    step.after.emplace(); // nothing: communicators do not wait for each other
    if (step.bytes > MAX_WORKLOAD_BYTES)
    {
        Refuse("size", "at most " + std::to_string(MAX_WORKLOAD_BYTES) + " bytes");
    }
    plan.phases.push_back({"collective", 1, {}});
    for (; step.communicator < plan.communicators.size(); ++step.communicator)
    {
        step.name = plan.communicators[step.communicator].name;
        plan.phases[0].steps.push_back(step);
    }
    m_scenario.training = MakeWorkload(plan, m_scenario.graph->HostCount());
    m_scenario.options["size"] = step.bytes;
    m_scenario.options["repeat"] = step.repeat;
    if (HasRoot(kind))
    {
        m_scenario.options["root"] = step.root;
    }
    ReadAlgorithm("algorithm");
}

std::vector<uint32_t>
ScenarioReader::ReadPlacement() const
{
    const uint32_t hosts = m_scenario.graph->HostCount();
    if (IsNone("placement"))
    {
        std::vector<uint32_t> placement(hosts);
        std::iota(placement.begin(), placement.end(), 0);
        return placement;
    }
    try
    {
        return ReadPlacementFile(m_table.Get("placement"), hosts);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(std::string("--placement: ") + error.what());
    }
}

std::vector<Communicator>
ScenarioReader::ReadCommunicators(const std::vector<uint32_t>& placement)
{
    const std::vector<std::vector<uint32_t>> groups =
        ReadRankGroups(static_cast<uint32_t>(placement.size()));
    std::vector<Communicator> communicators;
    for (const std::vector<uint32_t>& group : groups)
    {
        const bool isOnly = groups.size() == 1;
        Communicator communicator;
        communicator.name =
            m_scenario.workload + (isOnly ? "" : "-" + std::to_string(communicators.size()));
        std::transform(group.begin(),
                       group.end(),
                       std::back_inserter(communicator.hosts),
                       [&placement](uint32_t rank) { return placement[rank]; });
        communicators.push_back(std::move(communicator));
    }
    m_scenario.options["communicators"] = m_table.Get("communicators");
    return communicators;
}

std::vector<std::vector<uint32_t>>
ScenarioReader::ReadRankGroups(uint32_t ranks) const
{
    const std::string& text = m_table.Get("communicators");
    const bool isCount = text.find_first_not_of("-0123456789.") == std::string::npos;
    if (text != AUTO && !isCount)
    {
        try
        {
            return ReadRankGroupFile(text, ranks);
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(std::string("--communicators: ") + error.what());
        }
    }
    const int64_t count = text == AUTO ? 1 : ParseInteger(text).value_or(0);
    if (count < 1 || count > ranks / 2 || ranks % count != 0)
    {
        Refuse("communicators",
               "a whole number from 1 to " + std::to_string(ranks / 2) + " that divides the " +
                   std::to_string(ranks) + " ranks, a file, or auto");
    }
    const auto size = static_cast<uint32_t>(ranks / count);
    std::vector<std::vector<uint32_t>> groups(count, std::vector<uint32_t>(size));
    for (uint32_t i = 0; i < count; ++i)
    {
        std::iota(groups[i].begin(), groups[i].end(), i * size);
    }
    return groups;
}

void
ScenarioReader::ReadTraining(const std::string& option)
{
    RefuseGiven({"senders", "jitter"}, "not with --workload=" + m_scenario.workload);
    const std::string& path = m_table.Get(option);
    if (IsNone(option))
    {
        Refuse("workload", "needs --" + option + "=FILE");
    }
    if (option == "chakra")
    {
        m_scenario.training = ReadChakra(path);
    }
    else
    {
        RefuseCollective({"placement"});
        m_scenario.training = ReadTrainingPlan(path);
    }
    ReadAlgorithm(option);
}

TrainingWorkload
ScenarioReader::ReadTrainingPlan(const std::string& path) const
{
    try
    {
        return ReadTrainingFile(path,
                                m_scenario.graph->HostCount(),
                                Registry("algorithm").GetNames());
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(std::string("--training: ") + error.what());
    }
}

TrainingWorkload
ScenarioReader::ReadChakra(const std::string& prefix)
{
    ChakraOptions options = ReadChakraOptions(m_table, m_scenario.options);
    options.placement = IsNone("placement") ? std::vector<uint32_t>() : ReadPlacement();
    try
    {
        ChakraWorkload workload = ReadChakraTraces(prefix, m_scenario.graph->HostCount(), options);
        m_scenario.notes = std::move(workload.notes);
        return std::move(workload.training);
    }
    catch (const ChakraGroupsError& error)
    {
        throw std::invalid_argument("--chakraGroups: " + Printable(m_table.Get("chakraGroups")) +
                                    ": " + error.what());
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(std::string("--chakra: ") + error.what());
    }
}

void
ScenarioReader::ReadAlgorithm(const std::string& blamed)
{
    constexpr int64_t MOST_CHANNELS = 1024;
    const PolicyRegistry registry = Registry("algorithm");
    const bool isGiven = m_table.Get("algorithm") != AUTO;
    CollectiveDefaults& defaults = m_scenario.collectives;
    defaults.algorithm = isGiven ? ReadPolicy("algorithm") : ChooseAlgorithms();
    defaults.byName = registry.GetTypes();
    defaults.channels = static_cast<uint32_t>(ReadInteger("channels", 1, MOST_CHANNELS, 1));
    ReadChunks();
    for (const auto& entry : defaults.byName)
    {
        m_scenario.algorithms.emplace(entry.second, registry.NameOf(entry.second));
    }
    try
    {
        m_extent = WorkloadExtent(*m_scenario.training, defaults, m_scenario.mtu).Total();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument("--" + blamed + ": " + error.what());
    }
    if (m_extent.messages == 0)
    {
        Refuse(blamed, "sends no message");
    }
    m_scenario.options["algorithm"] = registry.NameOf(defaults.algorithm);
    m_scenario.options["channels"] = defaults.channels;
}

void
ScenarioReader::ReadChunks()
{
    constexpr int64_t MOST_CHUNKS = 1 << 16;
    const std::string attribute = "ns3::aifabric::CollectiveAlgorithm::Chunks";
    const bool isAttribute = m_scenario.attributes.count(attribute) > 0;
    if (IsGiven("chunks"))
    {
        if (isAttribute)
        {
            Refuse("chunks", "auto with --" + attribute);
        }
        const auto chunks = static_cast<uint32_t>(ReadInteger("chunks", 1, MOST_CHUNKS));
        m_scenario.collectives.chunks = chunks;
        m_scenario.options["chunks"] = chunks;
        return;
    }
    m_scenario.options["chunks"] = isAttribute ? m_scenario.attributes.at(attribute) : AUTO;
    if (!isAttribute)
    {
        m_scenario.collectives.chunkBytes = ChooseChunkBytes();
        m_scenario.options["chunkBytes"] = *m_scenario.collectives.chunkBytes;
    }
}

uint64_t
ScenarioReader::ChooseChunkBytes() const
{
    const uint64_t links = 2 * m_scenario.graph->Tiers();
    const uint64_t packet =
        FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, m_scenario.mtu, false) + GAP_BYTES;
    const uint64_t travelPs = links * m_scenario.delayPs +
                              2 * packet * (PS_BIT_PER_BYTE / m_scenario.rate) +
                              (links - 2) * packet * (PS_BIT_PER_BYTE / m_scenario.fabricRate);
    const uint64_t bytes =
        travelPs / (PS_BIT_PER_BYTE / m_scenario.rate) * m_scenario.graph->Planes();
    return std::max<uint64_t>(1, bytes / m_scenario.mtu) * m_scenario.mtu;
}

TypeId
ScenarioReader::ChooseAlgorithms()
{
    const Ptr<RingAlgorithm> ring = CreateObject<RingAlgorithm>();
    const TypeId other = DirectAlgorithm::GetTypeId(); // does all kinds
    const std::string name = Registry("algorithm").NameOf(other);
    bool isOther = false;
    bool isRing = false;
    for (WorkloadProgram& program : m_scenario.training->programs)
    {
        for (WorkloadNode& node : program)
        {
            if (node.kind != WorkloadNode::Kind::COLLECTIVE || !node.algorithm.empty())
            {
                continue;
            }
            const bool rings = ring->Supports(node.collective);
            node.algorithm = rings ? "" : name;
            (rings ? isRing : isOther) = true;
        }
    }
    return isOther && !isRing ? other : ring->GetInstanceTypeId();
}

void
ScenarioReader::ReadFlows()
{
    const std::string path = m_table.Get("flows");
    if (IsNone("flows"))
    {
        Refuse("workload", "needs --flows=FILE");
    }
    try
    {
        m_scenario.fileFlows = ReadFlowCsvFile(path, m_scenario.graph->HostCount());
    }
    catch (const std::invalid_argument& error)
    {
        const std::string what = error.what();
        const std::string prefix = path + ":";
        const bool named = what.compare(0, prefix.size(), prefix) == 0;
        const bool numbered = named && what.size() > prefix.size() && what[prefix.size()] != ' ';
        Refuse("flows",
               !named
                   ? what
                   : (numbered ? "line " : "") + what.substr(prefix.size() + (numbered ? 0 : 1)));
    }
}

void
ScenarioReader::ReadJitter()
{
    const uint64_t psPerByte = PS_BIT_PER_BYTE / m_scenario.rate;
    const uint32_t packet =
        FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, m_scenario.mtu, false) + GAP_BYTES;
    if (m_table.Get("jitter") != AUTO)
    {
        m_scenario.jitterPs = ReadTime("jitter", 0);
    }
    else if (m_scenario.workload != "flows" && !m_scenario.training)
    {
        m_scenario.jitterPs = static_cast<int64_t>(packet * psPerByte);
    }
    m_scenario.options["jitter"] = FormatNs(m_scenario.jitterPs) + "ns";
}

void
ScenarioReader::ReadPolicies()
{
    m_scenario.balancer = ReadPolicy("balancer");
    m_scenario.rateControl = ReadPolicy("rateControl");
    m_scenario.recovery = ReadPolicy("recovery");
    m_scenario.sendOrder = ReadPolicy("sendOrder");
    m_scenario.ackPolicy = ReadPolicy("ackPolicy");
    m_scenario.admission = ReadPolicy("admission");
    m_scenario.scheduler = ReadPolicy("scheduler");
    uint64_t ports = 0;
    for (const FabricSwitchSpec& spec : m_scenario.graph->Switches())
    {
        ports = std::max<uint64_t>(ports, spec.portCount);
    }
    TypeId::AttributeInformation shared;
    if (m_scenario.admission.LookupAttributeByName("BufferBytes", &shared) &&
        m_scenario.bufferBytes * ports > std::numeric_limits<uint32_t>::max())
    {
        Refuse("buffer",
               "for all " + std::to_string(ports) + " ports of a switch together less than 4 GiB");
    }
    for (const std::string option : {"balancer",
                                     "rateControl",
                                     "recovery",
                                     "ackPolicy",
                                     "sendOrder",
                                     "admission",
                                     "scheduler"})
    {
        m_scenario.options[option] = m_table.Get(option);
    }
    CheckAckPolicy();
    CheckAckClass();
    ReadSteering();
    ReadUpgrade();
    ReadMarker();
}

void
ScenarioReader::CheckAckPolicy() const
{
    const auto policy = ObjectFactory(m_scenario.ackPolicy.GetName()).Create<AckPolicy>();
    const auto recovery = ObjectFactory(m_scenario.recovery.GetName()).Create<LossRecovery>();
    if (!policy->IsEach() && recovery->NeedsAckPerPacket())
    {
        Refuse("ackPolicy",
               "--recovery=" + m_table.Get("recovery") +
                   " needs an acknowledgement of each packet: per-packet");
    }
}

void
ScenarioReader::CheckAckClass() const
{
    constexpr uint64_t DSCP_PER_CLASS = 8;
    UintegerValue data;
    UintegerValue acks;
    const Ptr<RoceQueuePair> queuePair = CreateObject<RoceQueuePair>();
    queuePair->GetAttribute("Dscp", data);
    queuePair->GetAttribute("AckDscp", acks);
    if (m_scenario.recovery == StrictRecovery::GetTypeId() && m_scenario.acksInFabric &&
        acks.Get() / DSCP_PER_CLASS < data.Get() / DSCP_PER_CLASS)
    {
        Refuse("recovery",
               "with it, acknowledgements (ns3::aifabric::RoceQueuePair::AckDscp) need at least "
               "the class of data (Dscp): two hosts that send each other repair packets would "
               "hold them back for ever");
    }
}

void
ScenarioReader::ReadUpgrade()
{
    constexpr double HALF = 0.5;
    if (IsNone("upgrade"))
    {
        RefuseGiven({"upgraded"}, "only with --upgrade");
        m_scenario.options["upgrade"] = nullptr;
        m_scenario.options["upgraded"] = nullptr;
        return;
    }
    ObjectFactory factory;
    factory.SetTypeId(m_scenario.balancer);
    const bool isHost = m_scenario.balancer.IsChildOf(HostBalancer::GetTypeId());
    const TypeId usual =
        isHost ? factory.Create<HostBalancer>()->GetSwitchBalancer() : m_scenario.balancer;
    if (usual == PathLabelBalancer::GetTypeId())
    {
        const bool isSteered = !m_table.IsGiven("balancer");
        const std::string chooser = isSteered ? "steering" : "balancer";
        Refuse("upgrade",
               "not with --" + chooser + "=" + m_table.Get(chooser) +
                   ", whose switches obey the hosts");
    }
    m_scenario.upgrade = ReadPolicy("upgrade");
    if (m_scenario.upgrade == usual)
    {
        Refuse("upgrade",
               "another balancer than the one that switches have with --balancer=" +
                   m_table.Get("balancer"));
    }
    std::optional<double> share = HALF;
    if (m_table.Get("upgraded") != AUTO)
    {
        share = ParseNumber(m_table.Get("upgraded"));
    }
    if (!share || !(*share >= 0 && *share <= 1))
    {
        Refuse("upgraded", "a decimal number from 0 to 1, or auto");
    }
    m_scenario.options["upgrade"] = m_table.Get("upgrade");
    m_scenario.options["upgraded"] = *share;
    DrawUpgrade(*share);
}

void
ScenarioReader::DrawUpgrade(double share)
{
    const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(UPGRADE_STREAM);
    m_scenario.upgraded =
        DrawSwitches(*m_scenario.graph, share, [random]() { return random->GetValue(0, 1); });
    std::vector<std::string> names;
    for (const uint32_t id : m_scenario.upgraded)
    {
        names.push_back(m_scenario.graph->SwitchName(id));
    }
    m_scenario.options["upgradedSwitches"] = names;
}

void
ScenarioReader::ReadSteering()
{
    m_scenario.steering = ReadPolicy("steering");
    m_scenario.options["steering"] = m_table.Get("steering");
    ObjectFactory factory;
    factory.SetTypeId(m_scenario.steering);
    const std::optional<TypeId> balancer = factory.Create<MessageSteering>()->GetBalancer();
    if (!balancer)
    {
        return;
    }
    if (m_table.IsGiven("balancer"))
    {
        Refuse("balancer",
               "none with --steering=" + m_table.Get("steering") + ", which chooses the paths");
    }
    m_scenario.balancer = *balancer;
    m_scenario.options["balancer"] = Registry("balancer").NameOf(*balancer);
}

void
ScenarioReader::ReadMarker()
{
    const TypeId balancer = m_scenario.balancer;
    const std::string& marker = m_table.Get("marker");
    const bool isGiven = m_scenario.attributes.count("ns3::aifabric::StepMarker::Threshold") > 0;
    double share = 0;
    if (marker == AUTO && balancer.IsChildOf(HostBalancer::GetTypeId()))
    {
        ObjectFactory factory;
        factory.SetTypeId(balancer);
        share = factory.Create<HostBalancer>()->GetMarkingShare();
    }
    if (share > 0)
    {
        m_scenario.marker = StepMarker::GetTypeId();
    }
    else if (marker != AUTO && marker != NONE)
    {
        m_scenario.marker = ReadPolicy("marker");
    }
    m_scenario.options["marker"] = marker != AUTO ? marker : share > 0 ? "step" : NONE;
    if (share > 0 && !isGiven)
    {
        m_scenario.markingThreshold = std::lround(share * m_scenario.bufferBytes);
        m_scenario.options["markingThreshold"] = *m_scenario.markingThreshold;
    }
    else
    {
        m_scenario.options["markingThreshold"] = nullptr;
    }
}

void
ScenarioReader::ReadFaults()
{
    const std::string& fail = m_table.Get("fail");
    m_scenario.options["fail"] = fail;
    if (!IsNone("fail"))
    {
        for (const std::string& item : ReadList("fail"))
        {
            m_scenario.faults.push_back(ReadFault(item));
        }
    }
    DrawFaults();
    m_scenario.alive.assign(m_scenario.graph->Links().size(), true);
    for (const FaultSpec& fault : m_scenario.faults)
    {
        if (fault.down && fault.startPs == 0 && !fault.stopPs)
        {
            m_scenario.alive[fault.link] = false;
        }
    }
    CheckFaults();
}

void
ScenarioReader::DrawFaults()
{
    constexpr uint32_t DRAWS = 1000;
    const std::optional<double> rate = ParseNumber(m_table.Get("failRate"));
    if (!rate || !(*rate >= 0 && *rate <= 1))
    {
        Refuse("failRate", "a decimal number from 0 to 1");
    }
    m_scenario.options["failRate"] = *rate;
    if (*rate == 0)
    {
        return;
    }
    const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(FAILURE_STREAM);
    const auto failed = DrawFailures(
        *m_scenario.graph,
        *rate,
        [random]() { return random->GetValue(0, 1); },
        DRAWS);
    if (!failed)
    {
        Refuse("failRate",
               "a rate that leaves all hosts connected; none of " + std::to_string(DRAWS) +
                   " sets of dead links did");
    }
    for (const uint32_t link : *failed)
    {
        FaultSpec fault;
        fault.link = link;
        m_scenario.faults.push_back(fault);
    }
}

void
ScenarioReader::CheckFaults() const
{
    if (std::find(m_scenario.alive.begin(), m_scenario.alive.end(), false) ==
        m_scenario.alive.end())
    {
        return; // all pairs of hosts would be looked at
    }
    std::vector<HostPair> pairs;
    for (const Flow& flow : m_scenario.fileFlows)
    {
        pairs.emplace_back(flow.source, flow.destination);
    }
    const std::optional<HostPair> cut = FindSeparated(*m_scenario.graph, m_scenario.alive, pairs);
    if (cut)
    {
        Refuse("fail",
               "cuts from the start for good must leave each host a way to those it sends to; "
               "host-" +
                   std::to_string(cut->first) + " has none to host-" + std::to_string(cut->second));
    }
}

void
ScenarioReader::ReadReaction()
{
    m_scenario.convergencePs = ReadTimeOrNever("convergence");
    m_scenario.detectionPs =
        m_table.Get("detection") == AUTO ? m_scenario.convergencePs : ReadTimeOrNever("detection");
    m_scenario.options["convergence"] = m_table.Get("convergence");
    m_scenario.options["detection"] = m_table.Get("detection");
    m_scenario.options["rho"] = m_table.Get("rho");
    const bool isWhole = std::find(m_scenario.alive.begin(), m_scenario.alive.end(), false) ==
                         m_scenario.alive.end();
    const bool isRegular = !m_scenario.training && (m_scenario.workload == "permutation" ||
                                                    m_scenario.workload == "all-to-all");
    const bool isFixed = m_scenario.rateControl == FixedControl::GetTypeId();
    if (m_table.Get("rho") == AUTO)
    {
        m_scenario.rho = 1;
        if (!isWhole && isRegular && isFixed)
        {
            m_scenario.rho.reset();
        }
    }
    else if (m_table.Get("rho") == "max" && m_scenario.training)
    {
        Refuse("rho",
               "a decimal number from 0.001 to 1, or auto, with --workload=" + m_scenario.workload);
    }
    else if (m_table.Get("rho") != "max")
    {
        constexpr double LEAST = 0.001;
        m_scenario.rho = ParseNumber(m_table.Get("rho"));
        if (!m_scenario.rho || !(*m_scenario.rho >= LEAST && *m_scenario.rho <= 1))
        {
            Refuse("rho", "a decimal number from 0.001 to 1, max, or auto");
        }
    }
}

std::optional<int64_t>
ScenarioReader::ReadTimeOrNever(const std::string& name) const
{
    if (m_table.Get(name) == "never")
    {
        return std::nullopt;
    }
    const std::optional<int64_t> value = ParseTime(m_table.Get(name));
    if (!value || *value < 0)
    {
        Refuse(name,
               "a time with its unit (ps, ns, us, ms, s) of at most 1000s, or never" +
                   OrAuto(name));
    }
    return value;
}

FaultSpec
ScenarioReader::ReadFault(const std::string& item) const
{
    constexpr double LEAST_FRACTION = 1e-6;
    constexpr double LEAST_RATE = 1e4; // bit/s
    const std::size_t at = item.rfind('@');
    const std::string what = item.substr(0, at);
    const std::size_t change = what.find_first_of("*%");
    const std::string name = what.substr(0, change);
    FaultSpec fault;
    if (at == std::string::npos || !ReadFaultTimes(fault, item.substr(at + 1)))
    {
        throw OptionError("fail", item, "LINK@START or LINK@START-STOP, such as @10us-50us");
    }
    if (change != std::string::npos)
    {
        const std::optional<double> number = ParseNumber(what.substr(change + 1));
        if (!number || *number < LEAST_FRACTION || *number > 1)
        {
            throw OptionError("fail", item, "after * or % a decimal number from 0.000001 to 1");
        }
        fault.down = false;
        (what[change] == '*' ? fault.rateFactor : fault.lossProbability) = *number;
        const uint64_t rate = std::min(m_scenario.rate, m_scenario.fabricRate);
        if (fault.rateFactor * static_cast<double>(rate) < LEAST_RATE)
        {
            throw OptionError("fail", item, "must leave at least 10 kb/s of the rate");
        }
    }
    fault.link = FindLink(item, name);
    return fault;
}

uint32_t
ScenarioReader::FindLink(const std::string& item, const std::string& name) const
{
    const FabricGraph& graph = *m_scenario.graph;
    std::vector<uint32_t> links;
    try
    {
        links = FailureHelper::FindLinks(graph, name);
    }
    catch (const std::invalid_argument&)
    {
    }
    if (links.size() != 1)
    {
        throw OptionError("fail",
                          item,
                          (links.empty() ? "there is no such link" : "that are several links") +
                              std::string("; names are like ") +
                              graph.LinkName(graph.Links().size() - 1) +
                              ", --fail=help lists them");
    }
    return links[0];
}

bool
ScenarioReader::ReadFaultTimes(FaultSpec& fault, const std::string& times)
{
    const std::size_t dash = times.find('-');
    const std::optional<int64_t> start = ParseTime(times.substr(0, dash));
    if (dash != std::string::npos)
    {
        fault.stopPs = ParseTime(times.substr(dash + 1));
        if (!start || !fault.stopPs || *fault.stopPs <= *start)
        {
            return false;
        }
    }
    fault.startPs = start.value_or(0);
    return start.has_value();
}

void
ScenarioReader::ReadCaptures()
{
    const std::string& pcap = m_table.Get("pcap");
    m_scenario.options["pcap"] = pcap;
    if (IsNone("pcap"))
    {
        return;
    }
    uint64_t files = 0;
    for (const std::string& item : ReadList("pcap"))
    {
        m_scenario.captures.push_back(ReadCapture(item));
        const CaptureSpec& capture = m_scenario.captures.back();
        files +=
            capture.isHost || capture.port ? 1 : m_scenario.graph->Switches()[capture.id].portCount;
    }
    constexpr uint64_t OTHERS = 32; // files that a run has open beside its captures
    const uint64_t most = ProcessCost::RaiseOpenFiles(files + OTHERS);
    if (files + OTHERS > most)
    {
        Refuse("pcap",
               "captures in " + std::to_string(files) + " files, and a process may have only " +
                   std::to_string(most) + " open (ulimit -n)");
    }
}

std::vector<std::string>
ScenarioReader::ReadList(const std::string& name) const
{
    const std::vector<std::string> items = SplitList(m_table.Get(name));
    if (std::find(items.begin(), items.end(), "") != items.end())
    {
        Refuse(name, "there is nothing before or after a comma");
    }
    return items;
}

CaptureSpec
ScenarioReader::ReadCapture(const std::string& item) const
{
    const FabricGraph& graph = *m_scenario.graph;
    const std::string prefix = "host-";
    const std::size_t colon = item.find(':');
    const std::string node = item.substr(0, colon);
    const std::optional<int64_t> port =
        ParseInteger(colon == std::string::npos ? "" : item.substr(colon + 1));
    const bool isHost = node.compare(0, prefix.size(), prefix) == 0;
    const int64_t host = isHost ? ParseInteger(node.substr(prefix.size())).value_or(-1) : -1;
    CaptureSpec capture;
    capture.isHost = host >= 0 && host < graph.HostCount();
    int64_t ports = graph.Planes() == 1 ? 1 : 0; // a NIC of several ports is captured whole
    if (capture.isHost)
    {
        capture.id = host;
    }
    else
    {
        while (capture.id < graph.Switches().size() && graph.SwitchName(capture.id) != node)
        {
            ++capture.id;
        }
        const bool found = capture.id < graph.Switches().size();
        ports = found ? graph.Switches()[capture.id].portCount : 0;
    }
    const bool isPort = port && *port >= 0 && *port < ports;
    if ((!capture.isHost && ports == 0) || (colon != std::string::npos && !isPort))
    {
        throw OptionError("pcap",
                          item,
                          "host-0 to host-" + std::to_string(graph.HostCount() - 1) +
                              ", a switch such as " + graph.SwitchName(0) + ", or " +
                              graph.SwitchName(0) + ":0");
    }
    if (isPort)
    {
        capture.port = *port;
    }
    return capture;
}

void
ScenarioReader::ReadRanks()
{
    const auto ranks = static_cast<uint32_t>(ReadInteger("ranks", 1, RankOptions::MOST));
    if (!RankOptions::FindEngine(m_table.Get("engine")))
    {
        Refuse("engine", RankOptions::GRANTED + std::string(" or ") + RankOptions::NULL_MESSAGE);
    }
    if (ranks > 1 && m_scenario.training)
    {
        Refuse("ranks", "1 with --workload=" + m_scenario.workload);
    }
    if (ranks > 1 && m_scenario.steering != SingleSteering::GetTypeId())
    {
        Refuse("ranks", "1 with --steering=" + m_table.Get("steering"));
    }
    BooleanValue renews;
    CreateObject<SingleSteering>()->GetAttribute("Renew", renews);
    if (ranks > 1 && renews.Get())
    {
        Refuse("ranks", "1 with --ns3::aifabric::MessageSteering::Renew");
    }
    if (ranks == 1)
    {
        for (const std::string option : {"engine", "plan"})
        {
            if (IsGiven(option))
            {
                Refuse(option, "only with several --ranks");
            }
        }
        return;
    }
    if (RankTransport::GetRanks() != ranks)
    {
        Refuse("ranks",
               RankTransport::IsAvailable()
                   ? "the number of processes that mpiexec has started, which is " +
                         std::to_string(RankTransport::GetRanks())
                   : "1 in a build without MPI; ./fabric run --ranks=N makes one with it");
    }
    if (m_scenario.delayPs == 0)
    {
        throw OptionError("delay", m_table.Get("delay"), "above zero with several ranks");
    }
    try
    {
        m_scenario.plan = MakeRankPlan(m_table.Get("plan"), *m_scenario.graph, ranks);
    }
    catch (const std::invalid_argument& error)
    {
        const std::string what = error.what();
        const bool isOfOption = what.rfind("ranks:", 0) == 0 || what.rfind("plan:", 0) == 0;
        throw std::invalid_argument((isOfOption ? "--" : "--plan: ") + what);
    }
}

void
ScenarioReader::ReadObservation()
{
    m_scenario.out = m_table.Get("out");
    m_scenario.samplePs = ReadTime("sample", 0);
    if (m_table.Get("period") != AUTO)
    {
        m_scenario.periodPs = ReadTime("period", 1);
    }
    m_scenario.progress = ReadFlag("progress");
    m_scenario.options["out"] = m_scenario.out;
    m_scenario.options["sample"] = m_table.Get("sample");
    m_scenario.options["progress"] = m_scenario.progress;
    m_scenario.options["check"] = ReadFlag("check");
}

void
ScenarioReader::ReadPatience()
{
    constexpr int64_t TIMEOUTS = 20;
    const std::string attribute = "AckTimeout";
    const TypeId queuePair = RoceQueuePair::GetTypeId();
    TypeId::AttributeInformation information;
    queuePair.LookupAttributeByName(attribute, &information);
    const auto* given = dynamic_cast<const TimeValue*>(PeekPointer(information.initialValue));
    const bool isGiven = m_scenario.attributes.count(queuePair.GetName() + "::" + attribute) > 0;
    m_scenario.ackTimeoutPs = isGiven ? given->Get().GetPicoSeconds() : ChooseTimeout();
    constexpr int64_t MOST_PS = 2'000'000'000'000'000; // ns-3 counts up to 9223 s in femtoseconds
    m_scenario.stallPs = m_table.Get("stallTime") == AUTO
                             ? TIMEOUTS * std::min(m_scenario.ackTimeoutPs, MOST_PS / TIMEOUTS)
                             : ReadTime("stallTime", 1);
    m_scenario.options["stallTime"] = FormatNs(m_scenario.stallPs) + "ns";
    m_scenario.options["ackTimeout"] = FormatNs(m_scenario.ackTimeoutPs) + "ns";
}

int64_t
ScenarioReader::ChooseTimeout() const
{
    constexpr double MOST_PS = 1e15; // what RoceQueuePair::AckTimeout may be
    const uint64_t rate = std::min(m_scenario.rate, m_scenario.fabricRate);
    const double psPerByte = static_cast<double>(PS_BIT_PER_BYTE / rate);
    const double links = 2.0 * m_scenario.graph->Tiers();
    const double packet = (m_scenario.mtu + FRAME_BYTES) * psPerByte;
    const double drain = static_cast<double>(m_scenario.bufferBytes) * psPerByte;
    const double empty = links * (2 * static_cast<double>(m_scenario.delayPs) + packet);
    const double full = empty + links * drain; // all buffers of the way there full
    if (3 * empty > MOST_PS)
    {
        Refuse("delay", "so short that three round trips are at most 1000s");
    }
    if (m_scenario.recovery == SackRecovery::GetTypeId())
    {
        // the study's reading: losses that the acknowledgements do not show must not cost too much
        constexpr double LEAST_PS = 1e8;
        return std::llround(std::clamp(std::max(3 * empty, full), LEAST_PS, MOST_PS));
    }
    constexpr double LEAST_PS = 5e8; // for the others it is the last resort
    return std::llround(std::clamp(10 * (full - links * packet), LEAST_PS, MOST_PS));
}

void
ScenarioReader::CheckGlobals()
{
    constexpr uint64_t MAX_SEED = 4294944442; // less than both moduli of ns-3's generator
    UintegerValue seed;
    GlobalValue::GetValueByName("RngSeed", seed);
    if (seed.Get() < 1 || seed.Get() > MAX_SEED)
    {
        throw OptionError("RngSeed",
                          std::to_string(seed.Get()),
                          "1 to " + std::to_string(MAX_SEED));
    }
    StringValue implementation;
    GlobalValue::GetValueByName("SimulatorImplementationType", implementation);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(implementation.Get(), &type) ||
        !type.IsChildOf(SimulatorImpl::GetTypeId()))
    {
        throw OptionError("SimulatorImplementationType",
                          implementation.Get(),
                          "a subclass of ns3::SimulatorImpl");
    }
}

std::vector<TypeId>
ScenarioReader::FindUsedPolicies() const
{
    std::vector<TypeId> used = {m_scenario.balancer,
                                m_scenario.steering,
                                m_scenario.rateControl,
                                m_scenario.recovery,
                                m_scenario.ackPolicy,
                                m_scenario.sendOrder,
                                m_scenario.admission,
                                m_scenario.scheduler};
    if (m_scenario.marker)
    {
        used.push_back(*m_scenario.marker);
    }
    if (m_scenario.upgrade)
    {
        used.push_back(*m_scenario.upgrade);
    }
    const std::set<TypeId> algorithms = FindUsedAlgorithms();
    used.insert(used.end(), algorithms.begin(), algorithms.end());
    ObjectFactory factory;
    factory.SetTypeId(m_scenario.balancer);
    if (m_scenario.balancer.IsChildOf(HostBalancer::GetTypeId()))
    {
        used.push_back(factory.Create<HostBalancer>()->GetSwitchBalancer());
    }
    else if (m_scenario.graph->Planes() > 1)
    {
        used.push_back(factory.Create<SwitchBalancer>()->GetHostBalancer());
    }
    for (std::size_t i = 0; i < used.size(); ++i) // policies name others by attributes
    {
        for (std::size_t j = 0; j < used[i].GetAttributeN(); ++j)
        {
            const Ptr<const AttributeValue> value = used[i].GetAttribute(j).initialValue;
            const auto* named = dynamic_cast<const TypeIdValue*>(PeekPointer(value));
            if (named && std::find(used.begin(), used.end(), named->Get()) == used.end())
            {
                used.push_back(named->Get());
            }
        }
    }
    return used;
}

std::set<TypeId>
ScenarioReader::FindUsedAlgorithms() const
{
    const CollectiveDefaults& defaults = m_scenario.collectives;
    std::set<TypeId> used;
    if (!m_scenario.training)
    {
        return used;
    }
    for (const WorkloadProgram& program : m_scenario.training->programs)
    {
        for (const WorkloadNode& node : program)
        {
            if (node.kind == WorkloadNode::Kind::COLLECTIVE)
            {
                used.insert(node.algorithm.empty() ? defaults.algorithm
                                                   : defaults.byName.at(node.algorithm));
            }
        }
    }
    return used;
}

void
ScenarioReader::CheckAttributes() const
{
    const std::vector<TypeId> used = FindUsedPolicies();
    for (const auto& [attribute, value] : m_scenario.attributes)
    {
        TypeId type;
        if (!TypeId::LookupByNameFailSafe(attribute.substr(0, attribute.rfind("::")), &type) ||
            std::any_of(used.begin(), used.end(), [&type](TypeId policy) {
                return policy == type || policy.IsChildOf(type);
            }))
        {
            continue; // a global value, or a policy that takes part
        }
        for (const auto& [option, kind] : PolicyKinds())
        {
            if (std::any_of(kind.bases.begin(), kind.bases.end(), [&type](TypeId base) {
                    return type == base || type.IsChildOf(base);
                }))
            {
                throw OptionError(attribute,
                                  value,
                                  "has no effect with --" + option + "=" + m_table.Get(option));
            }
        }
    }
}

uint64_t
ScenarioReader::CountMessages() const
{
    const uint64_t hosts = m_scenario.graph->HostCount();
    return m_scenario.training                   ? m_extent.messages
           : m_scenario.workload == "all-to-all" ? hosts * (hosts - 1)
           : m_scenario.workload == "flows"      ? m_scenario.fileFlows.size()
           : m_scenario.workload == "incast"     ? m_scenario.senders
                                                 : hosts;
}

std::string
ScenarioReader::DescribeExtent() const
{
    const auto packetsOf = [this](uint64_t bytes) {
        return (bytes + m_scenario.mtu - 1) / m_scenario.mtu;
    };
    uint64_t packets = 0;
    for (const Flow& flow : m_scenario.fileFlows)
    {
        packets += packetsOf(flow.bytes);
    }
    packets += m_scenario.training            ? m_extent.packets
               : m_scenario.fileFlows.empty() ? CountMessages() * packetsOf(m_scenario.size)
                                              : 0;
    const uint64_t ways = m_scenario.acksInFabric ? 2 : 1; // there, and back
    const uint64_t links = uint64_t{2} * m_scenario.graph->Tiers();
    std::ostringstream os;
    os << m_scenario.graph->HostCount() << " hosts, " << CountMessages() << " messages, about "
       << packets * ways * links << " packet-hops\n";
    for (const std::string& note : m_scenario.notes)
    {
        os << m_scenario.workload << ": " << note << "\n";
    }
    return os.str();
}

void
ScenarioReader::CheckMemory() const
{
    const uint64_t hosts = m_scenario.graph->HostCount();
    const uint64_t links = m_scenario.graph->Links().size();
    const uint64_t flows = CountMessages();
    // Collectives use the same queue pairs again and again.
    const uint64_t pairs = hosts * (hosts - 1) * m_scenario.collectives.channels;
    const uint64_t shared = m_scenario.training && flows > pairs ? flows - pairs : 0;
    ObjectFactory factory;
    factory.SetTypeId(m_scenario.steering);
    const uint64_t pieces = factory.Create<MessageSteering>()->GetMostPieces();
    RefuseMemory(hosts,
                 links,
                 " and " + std::to_string(flows) + " messages",
                 static_cast<double>((flows - shared) * FLOW_BYTES * pieces) +
                     static_cast<double>(shared * SHARED_BYTES * pieces));
}

void
ScenarioReader::RefuseMemory(uint64_t hosts,
                             uint64_t links,
                             const std::string& others,
                             double bytes) const
{
    constexpr double SHARE = 0.9;
    const std::string& topology = m_table.Get("topology");
    const double needed = static_cast<double>(hosts) * HOST_BYTES +
                          2 * static_cast<double>(links) * PORT_BYTES + bytes;
    const auto there = static_cast<double>(ProcessCost::GetAvailableBytes());
    if (needed > SHARE * there)
    {
        Refuse(topology == "fat-tree"     ? "k"
               : topology == "leaf-spine" ? "leaves"
                                          : "pods",
               std::to_string(hosts) + " hosts" + others + " need about " +
                   FormatGigabytes(needed) + " GB of memory, and there are " +
                   FormatGigabytes(there));
    }
}

int64_t
ScenarioReader::ReadInteger(const std::string& name,
                            int64_t low,
                            int64_t high,
                            std::optional<int64_t> automatic) const
{
    const std::string& text = m_table.Get(name);
    if (automatic && text == AUTO)
    {
        return *automatic;
    }
    const std::size_t point = text.find('.');
    const bool hasZeros = point != std::string::npos && point + 1 < text.size() &&
                          text.find_first_not_of('0', point + 1) == std::string::npos;
    const std::optional<int64_t> value = ParseInteger(hasZeros ? text.substr(0, point) : text);
    if (value && *value >= low && *value <= high)
    {
        return *value;
    }
    Refuse(name,
           "a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
               OrAuto(name));
}

uint64_t
ScenarioReader::ReadSize(const std::string& name,
                         uint64_t low,
                         std::optional<uint64_t> automatic) const
{
    const std::string& text = m_table.Get(name);
    if (automatic && text == AUTO)
    {
        return *automatic;
    }
    const std::optional<uint64_t> value = ParseSize(text);
    if (!value || *value < low)
    {
        Refuse(name,
               "a number of bytes, such as 4096, 800kB or 1MiB, of at least " +
                   std::to_string(low) + OrAuto(name));
    }
    return *value;
}

int64_t
ScenarioReader::ReadTime(const std::string& name, int64_t low) const
{
    const std::optional<int64_t> value = ParseTime(m_table.Get(name));
    if (!value || *value < low)
    {
        Refuse(name,
               std::string("a time with its unit (ps, ns, us, ms, s), such as 500ns, ") +
                   (low > 0 ? "above zero and of" : "of") + " at most 1000s" + OrAuto(name));
    }
    return *value;
}

bool
ScenarioReader::ReadFlag(const std::string& name) const
{
    const std::string& text = m_table.Get(name);
    if (text == "true" || text == "True")
    {
        return true;
    }
    if (text != "false" && text != "False")
    {
        Refuse(name, "true or false");
    }
    return false;
}

TypeId
ScenarioReader::ReadPolicy(const std::string& option) const
{
    const PolicyRegistry registry = Registry(option);
    const std::string& name = m_table.Get(option);
    if (!registry.Has(name))
    {
        Refuse(option, "one of " + registry.List());
    }
    return registry.Find(name);
}

void
ScenarioReader::RefuseGiven(const std::vector<std::string>& names, const std::string& why)
{
    for (const std::string& name : names)
    {
        if (IsGiven(name))
        {
            Refuse(name, why);
        }
        if (m_table.GetDefault(name) == NONE)
        {
            m_scenario.options[name] = NONE;
        }
        else
        {
            m_scenario.options[name] = nullptr;
        }
    }
}

bool
ScenarioReader::IsGiven(const std::string& name) const
{
    return m_table.IsGiven(name) && m_table.Get(name) != AUTO && !IsNone(name);
}

bool
ScenarioReader::IsNone(const std::string& name) const
{
    const std::string& value = m_table.Get(name);
    return m_table.GetDefault(name) == NONE && value == NONE;
}

std::string
ScenarioReader::OrAuto(const std::string& name) const
{
    return m_table.GetDefault(name) == AUTO ? ", or auto" : "";
}

void
ScenarioReader::Refuse(const std::string& name, const std::string& allowed) const
{
    throw OptionError(name, m_table.Get(name), allowed);
}

} // namespace aifabric
} // namespace ns3
