/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-run.h"

#include "fatal-error-line.h"
#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/ai-fabric-version.h"
#include "ns3/boolean.h"
#include "ns3/byte-writer.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/congestion-control.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/event-table.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-pcap-helper.h"
#include "ns3/failure-helper.h"
#include "ns3/flow-list.h"
#include "ns3/frame-codec.h"
#include "ns3/function-callback.h"
#include "ns3/json-file.h"
#include "ns3/link-fault.h"
#include "ns3/loss-recovery.h"
#include "ns3/measure-run.h"
#include "ns3/pointer.h"
#include "ns3/printable.h"
#include "ns3/rank-transport.h"
#include "ns3/rho-max.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace ns3
{
namespace aifabric
{

namespace
{

// Random streams, by what they are for.
constexpr int64_t WORKLOAD_STREAM = 1;
constexpr int64_t JITTER_STREAM = 2;
constexpr int64_t SWITCH_STREAMS = int64_t{1} << 32;
constexpr int64_t STREAMS_PER_SWITCH = 1 << 8;
constexpr int64_t CHANNEL_STREAMS = int64_t{1} << 40;
constexpr int64_t STEERING_STREAMS = int64_t{1} << 47;
constexpr int64_t NIC_STREAMS = int64_t{1} << 48;
constexpr int64_t STREAMS_PER_NIC = 1 << 16;

#if defined(NS3_BUILD_PROFILE_DEBUG)
constexpr const char* BUILD_PROFILE = "debug";
#elif defined(NS3_BUILD_PROFILE_OPTIMIZED)
constexpr const char* BUILD_PROFILE = "optimized";
#elif defined(NS3_BUILD_PROFILE_RELEASE)
constexpr const char* BUILD_PROFILE = "release";
#else
constexpr const char* BUILD_PROFILE = "unknown";
#endif

#if defined(__clang__)
constexpr const char* COMPILER = "clang++ " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* COMPILER = "g++ " __VERSION__;
#else
constexpr const char* COMPILER = "unknown";
#endif

/// @return the version of ns-3
std::string
Ns3Version()
{
#ifdef AI_FABRIC_NS3_VERSION
    return AI_FABRIC_NS3_VERSION;
#else
    return CommandLine().GetVersion();
#endif
}

/// @return a factory of a type  @param type the type
ObjectFactory
FactoryOf(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory;
}

/// @return a random variable with a stream of its own  @param stream the stream
Ptr<UniformRandomVariable>
MakeRandom(int64_t stream)
{
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    return random;
}

/// @return the messages of a scenario, all of them at their earliest  @param scenario the scenario
std::vector<Flow>
MakeFlows(const FabricScenario& scenario)
{
    const Ptr<UniformRandomVariable> random = MakeRandom(WORKLOAD_STREAM);
    const UniformInteger uniform = [random](uint32_t bound) {
        return random->GetInteger(0, bound - 1);
    };
    const uint32_t hosts = scenario.graph->HostCount();
    if (scenario.workload == "permutation")
    {
        return RandomPermutation(hosts, scenario.size, uniform);
    }
    if (scenario.workload == "all-to-all")
    {
        return AllToAll(hosts, scenario.size, uniform);
    }
    if (scenario.workload == "incast")
    {
        return Incast(hosts, scenario.senders, 0, scenario.size, uniform);
    }
    return scenario.fileFlows;
}

/// Delay the starts: those of a host all by the same time.
/// @param flows the messages  @param scenario the scenario
void
AddJitter(std::vector<Flow>& flows, const FabricScenario& scenario)
{
    const Ptr<UniformRandomVariable> random = MakeRandom(JITTER_STREAM);
    std::vector<int64_t> delays(scenario.graph->HostCount());
    for (int64_t& delay : delays)
    {
        delay = static_cast<int64_t>(random->GetValue(0, scenario.jitterPs));
    }
    for (Flow& flow : flows)
    {
        flow.startPs += delays[flow.source];
    }
}

/// @return a new name of a folder for what a rank other than 0 writes
std::string
ScratchPath()
{
    const std::string name =
        "ai-fabric-" + std::to_string(getpid()) + "-" + std::to_string(std::random_device()());
    return (std::filesystem::temp_directory_path() / name).string();
}

/// @return what a file holds  @param path the file
std::string
ReadFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (!file)
    {
        throw std::runtime_error(path + ": cannot be read");
    }
    return content.str();
}

/// @return what is wrong with a link  @param spec the fault
std::string
DescribeFault(const FaultSpec& spec)
{
    if (spec.down)
    {
        return "cut";
    }
    return spec.rateFactor < 1 ? "factor=" + FormatNumber(spec.rateFactor)
                               : "probability=" + FormatNumber(spec.lossProbability);
}

} // namespace

ScenarioRun::ScenarioRun(const FabricScenario& scenario, std::ostream& messages)
    : m_scenario(scenario),
      m_messages(messages)
{
    try
    {
        SetUp();
    }
    catch (const std::exception&)
    {
        RankTransport::LetFirstSpeak(true);
        throw;
    }
    m_isSetUp = true;
    RankTransport::LetFirstSpeak(false);
}

void
ScenarioRun::SetUp()
{
    OpenFolder();
    Simulator::SetScheduler(FactoryOf(m_scenario.scheduler));
    if (!m_scenario.training)
    {
        m_flows = MakeFlows(m_scenario);
        AddJitter(m_flows, m_scenario);
    }
    m_rhoMax = RhoMax(*m_scenario.graph,
                      m_scenario.alive,
                      m_flows,
                      static_cast<double>(m_scenario.fabricRate) / m_scenario.rate);
    m_rho = m_scenario.rho.value_or(m_rhoMax);
    BuildFabric();
    AssignStreams();
    InstallFaults(); // before the traffic: what is dead at the start is dead for the first packet
    InstallTraffic();
    InstallBypass();
    InstallCaptures();
    InstallObservers();
    InitializeNodes();
}

void
ScenarioRun::InitializeNodes() const
{
    for (const NodeContainer& nodes : {m_fabric->GetHosts(), m_fabric->GetSwitchNodes()})
    {
        std::for_each(nodes.Begin(), nodes.End(), [](const Ptr<Node>& node) {
            node->Initialize(); // what policies refuse, they refuse now
        });
    }
}

ScenarioRun::ScenarioRun(const FabricScenario& scenario)
    : m_scenario(scenario),
      m_messages(std::cerr)
{
}

void
ScenarioRun::Check(const FabricScenario& scenario)
{
    constexpr std::size_t MOST_LINKS = 20000;
    if (scenario.graph->Links().size() <= MOST_LINKS)
    {
        ScenarioRun run(scenario);
        run.BuildFabric();
        run.InitializeNodes();
    }
}

ScenarioRun::~ScenarioRun()
{
    FatalErrorLine::SetCleanup(nullptr);
    TearDown();
    if (RankTransport::GetRank() > 0)
    {
        m_folder.reset();
        std::filesystem::remove_all(m_scratch);
    }
}

void
ScenarioRun::TearDown()
{
    m_heartbeat.Stop();
    m_watch = nullptr;
    m_faults.clear();
    m_convergence = nullptr;
    m_channels.clear();
    m_switches.clear();
    m_nics.clear();
    for (const Ptr<Object>& object : {Ptr<Object>(m_driver),
                                      Ptr<Object>(m_training),
                                      Ptr<Object>(m_service),
                                      Ptr<Object>(m_oracle),
                                      Ptr<Object>(m_bypass),
                                      Ptr<Object>(m_fabric)})
    {
        if (object)
        {
            object->Dispose();
        }
    }
    m_driver = nullptr;
    m_training = nullptr;
    m_service = nullptr;
    m_oracle = nullptr;
    m_bypass = nullptr;
    m_fabric = nullptr;
    Simulator::Destroy();
}

void
ScenarioRun::OpenFolder()
{
    try
    {
        // What other ranks write is brought to rank 0.
        m_scratch = RankTransport::GetRank() > 0 ? ScratchPath() : "";
        m_folder = std::make_unique<OutputFolder>(m_scratch.empty() ? m_scenario.out : m_scratch);
    }
    catch (const std::invalid_argument& error)
    {
        throw OptionError("out", m_scenario.out, error.what());
    }
    FatalErrorLine::SetCleanup([this]() {
        m_folder->Discard();
        if (!m_isSetUp)
        {
            RankTransport::LetFirstSpeak(true);
        }
    });
}

void
ScenarioRun::BuildFabric()
{
    Config::SetDefault("ns3::aifabric::RoceQueuePair::Mtu", UintegerValue(m_scenario.mtu));
    Config::SetDefault("ns3::aifabric::FabricNetDevice::Mtu", UintegerValue(m_scenario.deviceMtu));
    Config::SetDefault("ns3::aifabric::RoceQueuePair::AckTimeout",
                       TimeValue(PicoSeconds(m_scenario.ackTimeoutPs)));
    ClosHelper helper;
    helper.SetPortAttribute("DataRate", DataRateValue(DataRate(m_scenario.rate)));
    if (m_scenario.fabricRate != m_scenario.rate)
    {
        helper.SetFabricRate(DataRate(m_scenario.fabricRate));
    }
    helper.SetChannelAttribute("Delay", TimeValue(PicoSeconds(m_scenario.delayPs)));
    helper.SetNicAttribute("RecoveryType", TypeIdValue(m_scenario.recovery));
    helper.SetNicAttribute("AckPolicyType", TypeIdValue(m_scenario.ackPolicy));
    helper.SetNicAttribute("SchedulerType", TypeIdValue(m_scenario.sendOrder));
    helper.SetNicAttribute("ControlType", TypeIdValue(m_scenario.rateControl));
    helper.SetNicAttribute("DataRateFraction", DoubleValue(m_rho));
    UseBalancer(helper);
    if (m_scenario.plan)
    {
        helper.SetRankPlan(*m_scenario.plan);
    }
    helper.SetAdmission(FactoryOf(m_scenario.admission));
    if (m_scenario.marker)
    {
        ObjectFactory marker = FactoryOf(*m_scenario.marker);
        if (m_scenario.markingThreshold)
        {
            marker.Set("Threshold", UintegerValue(*m_scenario.markingThreshold));
        }
        helper.SetMarker(marker);
    }
    m_fabric = helper.Install(*m_scenario.graph);
    for (uint32_t host = 0; host < m_scenario.graph->HostCount(); ++host)
    {
        m_nics.push_back(m_fabric->GetNic(host));
    }
    for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
    {
        const Ptr<FabricSwitch> fabricSwitch = m_fabric->GetSwitch(id);
        const Ptr<BufferAdmission> admission = fabricSwitch->GetAdmission();
        // A buffer is either shared by the ports or divided among them.
        if (!admission->SetAttributeFailSafe(
                "BufferBytes",
                UintegerValue(m_scenario.bufferBytes * fabricSwitch->GetPortCount())))
        {
            admission->SetAttributeFailSafe("PortBytes", UintegerValue(m_scenario.bufferBytes));
        }
        const uint64_t ports = fabricSwitch->GetPortCount();
        const uint64_t least = admission->GetLeastBytes(*fabricSwitch);
        if (least > m_scenario.bufferBytes * ports)
        {
            throw OptionError("buffer",
                              std::to_string(m_scenario.bufferBytes),
                              "at least " + std::to_string((least + ports - 1) / ports) +
                                  " bytes a port with these lossless classes");
        }
        m_switches.push_back(fabricSwitch);
    }
    for (uint32_t link = 0; link < m_fabric->GetChannelCount(); ++link)
    {
        m_channels.push_back(m_fabric->GetChannel(link));
    }
    m_catalog = std::make_unique<PortCatalog>(*m_scenario.graph, m_channels);
}

void
ScenarioRun::UseBalancer(ClosHelper& helper) const
{
    helper.SetBalancerType(m_scenario.balancer);
    if (m_scenario.upgrade)
    {
        helper.SetUpgrade(m_scenario.upgraded, FactoryOf(*m_scenario.upgrade));
    }
}

void
ScenarioRun::AssignStreams() const
{
    int64_t stream = SWITCH_STREAMS;
    for (const Ptr<FabricSwitch>& fabricSwitch : m_switches)
    {
        fabricSwitch->AssignStreams(stream);
        stream += STREAMS_PER_SWITCH;
    }
    stream = CHANNEL_STREAMS;
    for (const Ptr<FabricChannel>& channel : m_channels)
    {
        stream += channel->AssignStreams(stream);
    }
    stream = NIC_STREAMS;
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nic->AssignStreams(stream);
        stream += STREAMS_PER_NIC;
    }
}

void
ScenarioRun::InstallTraffic()
{
    m_end = std::make_unique<RunEnd>(m_scenario.delayPs);
    const auto complete = FunctionCallback<void>([this]() { m_end->Complete(); });
    SetUsuals();
    m_oracle = CreateObject<LossOracle>();
    m_oracle->Install(m_nics, m_switches, m_channels);
    Config::SetDefault("ns3::aifabric::MessageService::SteeringType",
                       TypeIdValue(m_scenario.steering));
    m_service = CreateObject<MessageService>();
    m_service->Install(m_nics);
    m_service->AssignStreams(STEERING_STREAMS);
    if (m_scenario.training)
    {
        m_training = CreateObject<TrainingDriver>();
        m_training->Install(m_service,
                            *m_scenario.training,
                            m_scenario.collectives,
                            m_scenario.mtu);
        m_training->TraceConnectWithoutContext("Finished", complete);
    }
    else
    {
        m_driver = CreateObject<FlowDriver>();
        m_driver->Install(m_service, m_flows);
        m_service->TraceConnectWithoutContext("AllCompleted", complete);
    }
    if (m_service->GetExpected() == 0)
    {
        Simulator::Schedule(Time(0), &RunEnd::Complete, m_end.get());
    }
}

void
ScenarioRun::SetUsuals() const
{
    const uint64_t links = 2 * m_scenario.graph->Tiers();
    const uint32_t data = FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, m_scenario.mtu, false);
    const uint32_t bytes = data + m_nics[0]->GetAckBytes();
    const Time host = DataRate(m_scenario.rate).CalculateBytesTxTime(bytes);
    const Time fabric = DataRate(m_scenario.fabricRate).CalculateBytesTxTime(bytes);
    const int64_t roundTrip = links * 2 * m_scenario.delayPs + 2 * host.GetPicoSeconds() +
                              (links - 2) * fabric.GetPicoSeconds();
    SetUsual("ns3::aifabric::LossOracle::RoundTripTime", PicoSeconds(roundTrip));
    const auto control = MakePolicy<CongestionControl>(m_scenario.rateControl);
    for (const auto& [attribute, value] : control->GetUsualTimes(PicoSeconds(roundTrip)))
    {
        SetUsual(attribute, value);
    }
}

void
ScenarioRun::InstallBypass()
{
    if (m_scenario.acksInFabric)
    {
        return;
    }
    const Time serialization =
        DataRate(m_scenario.rate).CalculateBytesTxTime(m_nics[0]->GetAckBytes());
    m_bypass = CreateObject<AckBypass>();
    m_bypass->SetAttribute("HopTime", TimeValue(PicoSeconds(m_scenario.delayPs) + serialization));
    m_bypass->Install(*m_scenario.graph, m_nics);
}

int64_t
ScenarioRun::GetPeriodPs() const
{
    if (m_scenario.periodPs)
    {
        return *m_scenario.periodPs;
    }
    const uint32_t mtu = m_scenario.mtu;
    const uint32_t headers = FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, mtu, false) - mtu;
    std::vector<uint64_t> bytes(m_nics.size());
    for (const FlowRecord& record : m_service->GetRecords())
    {
        const Flow& flow = record.flow;
        bytes[flow.source] +=
            flow.bytes + (flow.bytes + mtu - 1) / mtu * (headers + m_nics[0]->GetGap());
    }
    const double most = *std::max_element(bytes.begin(), bytes.end());
    const double rate = static_cast<double>(m_scenario.rate) * m_scenario.graph->Planes();
    constexpr double BIT_PS_PER_BYTE = 8e12;
    return std::llround(most * BIT_PS_PER_BYTE / rate);
}

void
ScenarioRun::SetUsual(const std::string& attribute, Time value) const
{
    if (m_scenario.attributes.count(attribute) == 0)
    {
        Config::SetDefault(attribute, TimeValue(value));
    }
}

void
ScenarioRun::InstallFaults()
{
    const bool isFirst = RankTransport::GetRank() == 0;
    const bool isOnly = RankTransport::GetRanks() == 1;
    m_eventPath = m_folder->Add("events.csv");
    if (!isOnly)
    {
        m_eventPath = m_folder->AddScratch("events.csv.part");
    }
    m_events = std::make_unique<EventLog>(m_eventPath, isFirst);
    m_events->Watch(*m_catalog);
    m_events->Watch(m_nics);
    InstallConvergence();
    for (const FaultSpec& spec : m_scenario.faults)
    {
        Ptr<LinkFault> fault = CreateObject<LinkFault>();
        fault->SetAttribute("Channel", PointerValue(m_channels[spec.link]));
        fault->SetAttribute("Start", TimeValue(PicoSeconds(spec.startPs)));
        fault->SetAttribute("Stop", TimeValue(PicoSeconds(spec.stopPs.value_or(0))));
        fault->SetAttribute("Down", BooleanValue(spec.down));
        fault->SetAttribute("RateFactor", DoubleValue(spec.rateFactor));
        fault->SetAttribute("LossProbability", DoubleValue(spec.lossProbability));
        const std::string link = m_scenario.graph->LinkName(spec.link);
        const std::string what = DescribeFault(spec);
        for (const auto& [trace, event] :
             {std::make_pair("Begin", "fault_begin"), std::make_pair("End", "fault_end")})
        {
            fault->TraceConnectWithoutContext(
                trace,
                FunctionCallback<void, Ptr<const LinkFault>>(
                    [this, name = std::string(event), link, what](Ptr<const LinkFault>) {
                        m_events->WriteGlobal(name, link, what);
                    }));
        }
        fault->Initialize();
        m_faults.push_back(fault);
    }
}

void
ScenarioRun::InstallConvergence()
{
    auto delay = [](const std::optional<int64_t>& ps) {
        return ps ? PicoSeconds(*ps) : Time::Max();
    };
    for (const Ptr<FabricSwitch>& fabricSwitch : m_switches)
    {
        fabricSwitch->SetAttribute("DetectionDelay", TimeValue(delay(m_scenario.detectionPs)));
    }
    m_convergence = FailureHelper::InstallConvergence(*m_fabric, delay(m_scenario.convergencePs));
    m_convergence->TraceConnectWithoutContext(
        "Converged",
        FunctionCallback<void, uint32_t, uint32_t>([this](uint32_t links, uint32_t switches) {
            m_events->WriteGlobal("converged",
                                  "routing",
                                  "links=" + std::to_string(links) +
                                      " switches=" + std::to_string(switches));
        }));
}

void
ScenarioRun::InstallCaptures()
{
    FabricPcapHelper helper;
    std::set<std::string> names;
    for (const CaptureSpec& capture : m_scenario.captures)
    {
        const std::string node = capture.isHost ? "host-" + std::to_string(capture.id)
                                                : m_scenario.graph->SwitchName(capture.id);
        const Ptr<Node> owner = capture.isHost ? m_fabric->GetHosts().Get(capture.id)
                                               : m_fabric->GetSwitchNodes().Get(capture.id);
        for (uint32_t device = 0; device < owner->GetNDevices(); ++device)
        {
            const std::string name =
                node + (capture.isHost ? "" : "-" + std::to_string(device)) + ".pcap";
            const bool wanted = capture.isHost || capture.port.value_or(device) == device;
            if (wanted && names.insert(name).second)
            {
                const std::string path = m_folder->Add(name);
                m_captures.push_back({path, owner->GetSystemId()});
                if (RankTransport::IsHere(owner))
                {
                    helper.EnablePcap(path, owner->GetDevice(device), true, true);
                }
            }
        }
    }
}

void
ScenarioRun::InstallObservers()
{
    m_sampler = std::make_unique<QueueSampler>(*m_catalog, PicoSeconds(m_scenario.samplePs));
    m_watch = std::make_unique<StallWatch>(*m_service,
                                           m_nics,
                                           m_switches,
                                           *m_catalog,
                                           PicoSeconds(m_scenario.stallPs));
    m_watch->SetConsult([this](uint8_t state) { m_end->Consult(state); },
                        PicoSeconds(m_scenario.delayPs + 1));
    m_end->SetJudge([this](uint8_t states, int64_t age) { m_watch->Judge(states, age); });
    if (m_scenario.samplePs > 0)
    {
        const Time first = PicoSeconds(FirstStart());
        m_heartbeat.Add([this, first]() {
            const Time wait = first - PicoSeconds(FabricClock::Now());
            return wait.IsStrictlyPositive() ? wait : m_sampler->Sample();
        });
    }
    m_heartbeat.Add([this]() { return m_watch->Check(); });
    m_heartbeat.SetDryCallback([this]() { m_watch->RanDry(); });
    if (m_scenario.progress && RankTransport::GetRank() == 0)
    {
        m_progress = std::make_unique<ProgressReporter>(m_messages,
                                                        isatty(STDERR_FILENO) == 1,
                                                        *m_service,
                                                        *m_catalog);
        m_heartbeat.Add([this]() { return m_progress->Check(); });
    }
}

int64_t
ScenarioRun::FirstStart() const
{
    if (m_service->GetRecords().empty())
    {
        return 0; // messages are sent as the run goes on
    }
    int64_t first = std::numeric_limits<int64_t>::max();
    for (const FlowRecord& record : m_service->GetRecords())
    {
        first = std::min(first, record.flow.startPs);
    }
    return first;
}

bool
ScenarioRun::Run()
{
    if (BUILD_PROFILE == std::string("debug"))
    {
        m_messages << "ai-fabric-run: this is a debug build, which is several times slower than a "
                      "release build"
                   << std::endl;
    }
    m_heartbeat.Start();
    const ProcessCost loop;
    Simulator::Run();
    m_loopSeconds = loop.GetWallSeconds();
    if (m_progress)
    {
        m_progress->Finish();
    }
    const std::size_t pending = m_service->GetExpected() - m_service->GetCompleted();
    const uint64_t allPending = RankTransport::Sum(pending);
    if (m_watch->HasStalled() || allPending > 0) // the last message may have come in between
    {
        ReportStall(pending > 0 || (allPending == 0 && RankTransport::GetRank() == 0));
        return false;
    }
    const uint64_t observing = m_heartbeat.GetEvents() + m_end->GetEvents();
    m_eventCount = RankTransport::Sum(Simulator::GetEventCount() - observing);
    return true;
}

void
ScenarioRun::ReportStall(bool hasPart) const
{
    std::ostringstream mine;
    if (m_watch->HasStalled() && hasPart)
    {
        m_watch->Print(mine);
    }
    const std::vector<std::string> all = RankTransport::Gather(mine.str());
    for (uint32_t rank = 0; rank < all.size(); ++rank)
    {
        if (!all[rank].empty())
        {
            const std::string who = all.size() > 1 ? "rank " + std::to_string(rank) + " " : "";
            m_messages << "ai-fabric-run: " << who << all[rank];
        }
    }
    m_messages << std::flush;
}

BoundParameters
ScenarioRun::GetBoundParameters() const
{
    UintegerValue dscp;
    UintegerValue ackDscp;
    const Ptr<RoceNetDevice> nic = m_nics[0];
    const Ptr<RoceQueuePair> queuePair = CreateObject<RoceQueuePair>(); // all have its attributes
    queuePair->GetAttribute("Dscp", dscp);
    queuePair->GetAttribute("AckDscp", ackDscp);
    BoundParameters parameters;
    parameters.linkRate = m_scenario.rate;
    parameters.fabricRate = m_scenario.fabricRate;
    parameters.linkDelayPs = m_scenario.delayPs;
    parameters.payloadBytes = m_scenario.mtu;
    parameters.headerBytes =
        FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, m_scenario.mtu, false) - m_scenario.mtu;
    parameters.ackBytes = nic->GetAckBytes();
    parameters.gapBytes = nic->GetGap();
    parameters.acksInFabric = m_scenario.acksInFabric;
    parameters.rateFactor = m_rho;
    parameters.acksAlternate = ackDscp.Get() / 8 >= dscp.Get() / 8;
    return parameters;
}

RunReport::Matrix
ScenarioRun::GetMatrix() const
{
    const uint64_t others = m_scenario.graph->HostCount() - 1;
    if (m_scenario.training)
    {
        return {};
    }
    if (m_scenario.workload == "permutation")
    {
        return {m_scenario.size, 1};
    }
    if (m_scenario.workload == "all-to-all")
    {
        return {m_scenario.size, others};
    }
    return {};
}

void
ScenarioRun::WriteResults()
{
    m_events->Close();
    RunMeasures measures = MeasureRun(*m_catalog, m_switches, m_nics, *m_service);
    const int64_t end = FabricClock::Now();
    QueueSamples samples = m_sampler->GetSamples();
    const BoundParameters bound = GetBoundParameters();
    m_period = GetPeriodPs();
    KeepTraffic(bound);
    m_convergences = m_convergence->GetConvergences();
    m_updatedSwitches = m_convergence->GetUpdatedSwitches();
    TearDown(); // closes the captures
    Gather(measures, samples);
    if (RankTransport::GetRank() > 0)
    {
        m_folder->Discard();
        return;
    }
    m_report = std::make_unique<RunReport>(
        RunReport::Parts{*m_scenario.graph, *m_catalog, m_flows, m_origins, m_iteration, end},
        std::move(measures),
        bound,
        GetMatrix(),
        m_period);
    m_report->WriteFlows(m_folder->Add("flows.csv"));
    if (m_collectives)
    {
        m_collectives->WriteCollectives(m_folder->Add("collectives.csv"));
        m_collectives->WriteSteps(m_folder->Add("steps.csv"));
    }
    m_report->WriteLinks(m_folder->Add("links.csv"));
    m_report->WriteLayers(m_folder->Add("layers.csv"));
    m_report->WriteQueues(m_folder->Add("queues.csv"), samples);
    WriteSummary();
    m_folder->Commit();
}

void
ScenarioRun::KeepTraffic(const BoundParameters& bound)
{
    m_mostActive = m_service->GetMostActive();
    if (!m_training)
    {
        return;
    }
    m_flows.clear();
    for (const FlowRecord& record : m_service->GetRecords())
    {
        m_flows.push_back(record.flow);
    }
    m_origins = m_training->GetOrigins();
    m_iteration = {m_training->GetEndPs(), m_training->GetComputeBoundPs()};
    m_collectives = std::make_unique<CollectiveReport>(
        m_training->GetCollectives(),
        *m_iteration,
        bound,
        m_scenario.graph->Planes(),
        [this](TypeId algorithm) { return m_scenario.algorithms.at(algorithm); });
}

void
ScenarioRun::Gather(RunMeasures& measures, QueueSamples& samples)
{
    m_cpuSeconds = ProcessCost::GetCpuSeconds();
    m_peakBytes = ProcessCost::GetPeakResidentBytes();
    if (RankTransport::GetRanks() == 1)
    {
        return;
    }
    ByteWriter writer("rank 1");
    writer.WriteRecord(m_cpuSeconds);
    writer.WriteNumber(m_peakBytes);
    writer.WriteNumber(m_mostActive);
    writer.WriteText(measures.Write());
    writer.WriteText(samples.Write());
    writer.WriteText(ReadFile(m_eventPath));
    for (const CaptureFile& capture : m_captures)
    {
        if (capture.rank == RankTransport::GetRank())
        {
            writer.WriteText(ReadFile(capture.path));
        }
    }
    const std::vector<std::string> all = RankTransport::Gather(writer.Finish());
    std::vector<std::istringstream> logs;
    for (uint32_t rank = 0; rank < all.size(); ++rank)
    {
        ByteReader reader("rank 1", all[rank]);
        const auto seconds = reader.ReadRecord<double>();
        m_cpuSeconds += rank > 0 ? seconds : 0;
        m_peakBytes = std::max(m_peakBytes, reader.ReadNumber());
        m_mostActive = std::max(m_mostActive, static_cast<uint32_t>(reader.ReadNumber()));
        const std::string theirs = reader.ReadText();
        const std::string seen = reader.ReadText();
        logs.emplace_back(reader.ReadText());
        if (rank > 0)
        {
            measures.Merge(RunMeasures::Read(theirs));
            samples.Merge(QueueSamples::Read(seen));
            TakeFiles(rank, reader);
        }
    }
    MergeEvents(logs);
}

void
ScenarioRun::MergeEvents(std::vector<std::istringstream>& logs) const
{
    if (logs.empty())
    {
        return;
    }
    std::vector<std::istream*> parts;
    for (std::istringstream& log : logs)
    {
        parts.push_back(&log);
    }
    const std::string part = ".part";
    EventTable::Merge(parts, m_eventPath.substr(0, m_eventPath.size() - part.size()));
    std::filesystem::remove(m_eventPath);
}

void
ScenarioRun::TakeFiles(uint32_t rank, ByteReader& reader)
{
    for (const CaptureFile& capture : m_captures)
    {
        if (capture.rank == rank)
        {
            std::ofstream file(capture.path, std::ios::binary);
            file << reader.ReadText();
            file.close();
            if (!file)
            {
                throw std::runtime_error(capture.path + ": cannot be written");
            }
        }
    }
}

void
ScenarioRun::WriteSummary()
{
    nlohmann::ordered_json json;
    Summarize(json);
    WriteJson(m_folder->Add("run.json"), std::move(json));
}

void
ScenarioRun::Summarize(nlohmann::ordered_json& json) const
{
    json["program"] = "ai-fabric-run";
    json["seed"] = RngSeedManager::GetSeed();
    json["run"] = RngSeedManager::GetRun();
    json["buildProfile"] = BUILD_PROFILE;
    nlohmann::ordered_json& versions = json["versions"];
    versions["ai-fabric"] = AI_FABRIC_VERSION;
    versions["ns-3"] = Ns3Version();
    versions["compiler"] = COMPILER;
    nlohmann::ordered_json& scenario = json["scenario"];
    scenario = m_scenario.options;
    scenario["period"] = FormatNs(m_period) + "ns";
    nlohmann::ordered_json& results = json["results"];
    m_report->AddResults(results);
    results["max_active_queue_pairs"] = m_mostActive;
    if (m_collectives)
    {
        m_collectives->AddResults(results["collectives"]);
    }
    AddFailures(results);
    results["events"] = m_eventCount;
    AddCost(results);
    json["files"] = m_folder->GetNames();
}

void
ScenarioRun::AddFailures(nlohmann::ordered_json& results) const
{
    std::vector<std::string> failed;
    for (uint32_t link = 0; link < m_scenario.alive.size(); ++link)
    {
        if (!m_scenario.alive[link])
        {
            failed.push_back(m_scenario.graph->LinkName(link));
        }
    }
    results["failed_links"] = failed;
    results["rho_max"] = m_rhoMax;
    results["rho"] = m_rho;
    results["convergences"] = m_convergences;
    results["updated_switches"] = m_updatedSwitches;
}

void
ScenarioRun::AddCost(nlohmann::ordered_json& results) const
{
    results["ranks"] = RankTransport::GetRanks();
    results["cpu_s"] = m_cpuSeconds;
    results["wall_s"] = m_cost.GetWallSeconds();
    results["loop_wall_s"] = m_loopSeconds;
    results["peak_rss_bytes"] = m_peakBytes;
    results["packet_hops_per_cpu_s"] = m_report->GetResults().packetHops / m_cpuSeconds;
}

void
ScenarioRun::PrintSummary(std::ostream& os) const
{
    if (RankTransport::GetRank() > 0)
    {
        return;
    }
    const RunReport::Results& results = m_report->GetResults();
    constexpr double PS_PER_US = 1e6;
    constexpr int LABEL = 17; // characters before what is said
    os << std::fixed << std::setprecision(3) << "completion time  " << results.cctPs / PS_PER_US
       << " us, " << std::setprecision(2) << results.increasePercent
       << " % over the lower bound of " << std::setprecision(3) << results.boundPs / PS_PER_US
       << " us\n"
       << "switch queues    at most " << results.maxQueuePackets << " packets, "
       << std::setprecision(2) << results.meanQueuePackets << " on average\n"
       << "losses           " << results.drops << " packets dropped, ";
    if (results.trimmed > 0)
    {
        os << results.trimmed << " trimmed, ";
    }
    os << results.linkLosses << " lost on links, " << results.sentAgain << " retransmissions, "
       << results.timeouts << " timeouts\n";
    PrintWarning(os);
    os << "results          " << OneLine(m_scenario.out) << "\n";
    for (const std::string& note : m_scenario.notes)
    {
        os << std::left << std::setw(LABEL) << m_scenario.workload << note << "\n";
    }
}

void
ScenarioRun::PrintWarning(std::ostream& os) const
{
    const bool isIdeal = MakePolicy<LossRecovery>(m_scenario.recovery)->IsIdeal();
    const RunReport::Results& results = m_report->GetResults();
    const uint64_t lost = results.drops + results.linkLosses + results.trimmed;
    constexpr uint64_t PERCENT = 100;
    if (isIdeal && PERCENT * lost > results.framesSent)
    {
        const double percent = static_cast<double>(PERCENT * lost) / results.framesSent;
        os << "warning          " << std::fixed << std::setprecision(1) << percent
           << " % of all packets were lost, and this recovery is ideal: a real one, such as "
              "--recovery=sack or go-back-n, may take much longer\n";
    }
}

} // namespace aifabric
} // namespace ns3
