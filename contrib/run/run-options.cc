/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-table.h"
#include "option-value.h"
#include "policy-kinds.h"
#include "run-config.h"

#include "ns3/abort.h"
#include "ns3/config.h"
#include "ns3/connection-table.h"
#include "ns3/earlier-results.h"
#include "ns3/fabric-graph.h"
#include "ns3/global-value.h"
#include "ns3/message-steering.h"
#include "ns3/node-fabric.h"
#include "ns3/printable.h"
#include "ns3/queue-pair.h"
#include "ns3/rank-plan-csv.h"
#include "ns3/rank-transport.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/window-simulator.h"
#include "ns3/worker-number.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* GRANTED = "granted";           //!< an engine
constexpr const char* NULL_MESSAGE = "null-message"; //!< an engine
constexpr const char* WINDOWS = "windows";           //!< a simulator: WindowSimulator
constexpr const char* EVENTS = "events";             //!< a simulator: that of ns-3

constexpr const char* PACKETS = "packets";           //!< a fidelity: each packet is simulated
constexpr const char* FLUID = "fluid";               //!< a fidelity: FluidCarrier
constexpr const char* UNCHECKED = "fluid-unchecked"; //!< the same, however close to packets

constexpr const char* IMPLEMENTATION = "SimulatorImplementationType"; //!< of ns-3's simulator

/// @return the TypeId of ns-3's simulator for an engine, if there is such an engine
/// @param engine its name, or auto
std::optional<std::string>
FindEngine(const std::string& engine)
{
    if (engine == GRANTED || engine == "auto")
    {
        return "ns3::DistributedSimulatorImpl";
    }
    if (engine == NULL_MESSAGE)
    {
        return "ns3::NullMessageSimulatorImpl";
    }
    return std::nullopt;
}

const OptionWhen RANKS = {"only with several --ranks"};

} // namespace

/// The options that say how a run is computed, on which ranks.
// clang-format off
const OptionGroup RUN_ROWS = {"How the run is computed", {
    {"library", NONE, Plain("libraries"),
     "shared libraries with policies of your own, separated by commas"},
    {"fidelity", PACKETS, Choice({PACKETS, FLUID, UNCHECKED}),
     "what is computed: packets, or fluid, the rates of messages, which is much faster, knows no "
     "losses, and is refused where it is not known to be close to packets, or fluid-unchecked, "
     "which is refused only where it cannot be computed"},
    {"simulator", AUTO, Choice({WINDOWS, EVENTS}),
     "who runs what happens: windows (node after node, in windows of time; the fastest) or events "
     "(one list of events); the results are equal (auto: windows, on one rank and without "
     "--scheduler)"},
    {"threads", AUTO, Whole(1, WorkerNumber::MOST),
     "threads that run the nodes of a window; the results do not depend on them (auto: as many as "
     "there are processors, if about 20 million packet-hops or more are run)"},
    {"scheduler", "monotone", Plain("policy"),
     "event scheduler, or help; if given, the simulator is events", {}, {},
     {"SchedulerType"}},
    {"ranks", "1", Whole(1, 4096),
     "number of processes of the run, which mpiexec starts; ./fabric run --ranks=N starts them by "
     "itself"},
    {"engine", AUTO, Choice({GRANTED, NULL_MESSAGE}),
     "synchronization of the ranks: granted (DistributedSimulatorImpl) or null-message "
     "(NullMessageSimulatorImpl) (auto: granted)", {}, RANKS},
    {"config", NONE, Plain("config"),
     "run.json of a run, which is repeated, or a TOML scenario, in which each key is an option and "
     "the table [attributes] has attributes of ns-3; paths in it are relative to its folder, and "
     "options of the command line win"},
    {"writeConfig", NONE, Plain("output"),
     "TOML scenario, such as mine.toml, that is written: it has the options of this run, each with "
     "a comment; with --check there is no run"},
    {"plan", AUTO, Plain("file"),
     "partition of the fabric among the ranks: auto, or a file with the lines node,rank for all "
     "switches; a host is on the rank of its leaf", {}, RANKS},
}};

// clang-format on

namespace
{

/// Reads how a run is computed.
class RunOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Read how the run is computed, and refuse what that does not go with.
    void ReadRun()
    {
        for (const OptionTable::Option& option : m_table.GetOptions())
        {
            const std::string& unit = option.row.type.unit;
            const bool isRead = unit == "file" || unit == "config";
            RefuseIf(isRead && !m_scenario.hasNewFolder && IsReplaced(option.value),
                     option.row.name,
                     "a file that the results in --out=" + Printable(m_scenario.out) +
                         " do not replace");
        }
        const std::string fidelity = Read("fidelity");
        m_scenario.isUnchecked = fidelity == UNCHECKED;
        m_scenario.isFluid = fidelity == FLUID || m_scenario.isUnchecked;
        ReadRanks();
        CheckNodes();
    }

    /// Read who runs what happens. To be called when all else is read.
    void ReadSimulator()
    {
        CheckQueuePairs();
        const std::string simulator = m_table.Get("simulator");
        Read("simulator");
        const std::optional<std::string> unfit = FindUnfitForWindows();
        RefuseIf(simulator == WINDOWS && unfit, "simulator", "events with " + unfit.value_or(""));
        if (IsAttributeGiven(IMPLEMENTATION))
        {
            CheckImplementation(unfit);
        }
        else if (simulator == WINDOWS || (simulator == AUTO && !unfit))
        {
            GlobalValue::Bind(IMPLEMENTATION, StringValue(WindowSimulator::GetTypeId().GetName()));
        }
        StringValue type;
        GlobalValue::GetValueByName(IMPLEMENTATION, type);
        ReadThreads(type.Get() == WindowSimulator::GetTypeId().GetName());
    }

    /// Read how many threads run what happens.  @param inWindows whether a WindowSimulator does
    void ReadThreads(bool inWindows) const
    {
        constexpr uint64_t MANY_HOPS = 20'000'000; // some seconds
        const std::optional<std::string> unfit = inWindows            ? FindUnfitForThreads()
                                                 : m_scenario.isFluid ? "--fidelity=fluid"
                                                                      : "a list of events";
        const bool isLarge = !unfit && CountPacketHops(m_table, m_scenario) >= MANY_HOPS;
        const uint32_t usual =
            isLarge ? std::clamp(std::thread::hardware_concurrency(), 1U, WorkerNumber::MOST) : 1;
        const uint32_t threads = Parse("threads", Whole(1, WorkerNumber::MOST, usual));
        RefuseIf(threads > 1 && unfit, "threads", "1 with " + unfit.value_or(""));
        if (threads > 1)
        {
            Config::SetDefault(WindowSimulator::GetTypeId().GetName() + "::Threads",
                               UintegerValue(threads));
        }
    }

    /// @return which option has hosts share what threads cannot, or nothing
    std::optional<std::string> FindUnfitForThreads() const
    {
        return FindGiven({{m_scenario.aggregation.has_value(), "in-network aggregation"},
                          {m_scenario.receiverSlots > 0, "--receiverAdmission"},
                          {!m_scenario.acksInFabric, "--acks=bypass"},
                          {m_scenario.proberPs > 0, "--prober"},
                          {m_scenario.reachabilityPs > 0, "--reachability"},
                          {m_scenario.hopLatency, "--hopLatency"},
                          {!m_scenario.captures.empty(), "--pcap"}});
    }

    /// Refuse a simulator, given by its type, that contradicts another option.
    /// @param unfit which option does not work in windows
    void CheckImplementation(const std::optional<std::string>& unfit) const
    {
        RefuseIf(IsGiven("simulator"), "simulator", std::string("auto with --") + IMPLEMENTATION);
        StringValue type;
        GlobalValue::GetValueByName(IMPLEMENTATION, type);
        OptionError::ThrowIf(type.Get() == WindowSimulator::GetTypeId().GetName() && unfit,
                             IMPLEMENTATION,
                             type.Get(),
                             "another simulator with " + unfit.value_or(""));
    }

    /// Read how the run is computed.
    void ReadRanks()
    {
        m_scenario.scheduler = ReadPolicy("scheduler");
        const uint32_t ranks = Read("ranks");
        Read("engine");
        if (ranks == 1)
        {
            for (const std::string option : {"engine", "plan"})
            {
                RefuseIf(IsGiven(option), option, RANKS.words);
            }
            return;
        }
        RefuseIf(!m_scenario.graph->IsClos(),
                 "ranks",
                 "1 in a fabric that has no tiers: plans cut a fabric between its tiers");
        const std::optional<std::string> shortcut =
            m_scenario.training ? "--workload=" + m_scenario.workload : FindShortcut();
        RefuseIf(shortcut.has_value(), "ranks", "1 with " + shortcut.value_or(""));
        OptionError::ThrowIf(m_scenario.delayPs == 0,
                             "delay",
                             m_table.Get("delay"),
                             "above zero with several ranks");
        try
        {
            m_scenario.plan = MakeRankPlan(m_table.Get("plan"), *m_scenario.graph, ranks);
        }
        catch (const std::invalid_argument& error)
        {
            const std::string what = error.what();
            const bool isOfFile =
                what.rfind(m_table.Get("plan") + ":", 0) == 0; // which may be "plan"
            const bool isOfOption =
                !isOfFile && (what.rfind("ranks:", 0) == 0 || what.rfind("plan:", 0) == 0);
            throw std::invalid_argument((isOfOption ? "--" : "--plan: ") + what);
        }
        CheckRanks(ranks); // last: a build without MPI, too, says what is wrong with a plan
    }

    /// @return which given option has hosts act on each other beside the fabric, without a delay
    std::optional<std::string> FindShortcut() const
    {
        return FindGiven({{m_scenario.proberPs > 0, "--prober"},
                          {!m_scenario.denied.empty(), "--denylist"},
                          {m_scenario.receiverSlots > 0, "--receiverAdmission"}});
    }

    /// @return which option does not work in windows; or nothing
    std::optional<std::string> FindUnfitForWindows() const
    {
        return FindGiven({{IsGiven("scheduler"), "--scheduler"},
                          {m_scenario.isFluid, "--fidelity=fluid"},
                          {RankTransport::GetRanks() > 1, "several --ranks"}});
    }

    /// Refuse a steering that needs more queue pairs than two hosts can have.
    void CheckQueuePairs() const
    {
        constexpr uint64_t LONG = uint64_t{1} << 40; // bytes of a message that uses all queue pairs
        const auto steering = MakePolicy<MessageSteering>(m_scenario.steering);
        const uint64_t most = ConnectionTable::CountReserved(m_scenario.graph->HostCount());
        RefuseIf(steering->CountLanes(Flow()) == 0 && steering->CountQueuePairs(1, LONG, 1) > most,
                 "steering",
                 "one whose attributes need at most " + std::to_string(most) +
                     " queue pairs between two of so many hosts");
    }

    /// @return the first option that is given, or nothing
    /// @param options whether each is given, and how to name it
    static std::optional<std::string> FindGiven(
        const std::vector<std::pair<bool, std::string>>& options)
    {
        for (const auto& [isGiven, name] : options)
        {
            if (isGiven)
            {
                return name;
            }
        }
        return std::nullopt;
    }

    /// Refuse another number of ranks than there are.
    void CheckRanks(uint32_t ranks) const
    {
        if (RankTransport::GetRanks() != ranks)
        {
            Refuse("ranks",
                   RankTransport::IsAvailable()
                       ? "the number of processes that mpiexec has started, which is " +
                             std::to_string(RankTransport::GetRanks())
                       : "1 in a build without MPI; ./fabric run --ranks=N makes one with it");
        }
    }

    /// Refuse what nodes of several GPUs, and the PCIe of NICs, do not go with. To be called when
    /// Refuse what works at leaves, and would take NICs that GPUs share for them.
    void RefuseSharedNics() const
    {
        if (m_scenario.nodes.GetGpusPerNic() == 1)
        {
            return;
        }
        const std::string with = " with --nicsPerNode, whose NICs are switches below the leaves";
        RefuseIf(m_scenario.aggregation.has_value(),
                 "nicsPerNode",
                 "as many as GPUs with in-network aggregation, whose sums begin at leaves");
        RefuseIf(!IsNone("prober"), "prober", NONE + with);
        RefuseIf(!IsNone("reachability"), "reachability", NONE + with);
        const std::string balancer = Registry("balancer").NameOf(m_scenario.balancer);
        RefuseIf(balancer == "te" || balancer == "path-pinning", "balancer", "another one" + with);
    }

    /// all else is read.
    void CheckNodes() const
    {
        const std::string reader = "ns3::aifabric::PcieReader";
        if (m_scenario.graph->Planes() > 1)
        {
            RefuseAttributes(reader, "only with one plane");
        }
        for (const std::string& attribute : {reader + "::ReadCredits", reader + "::ReadBytes"})
        {
            if (IsAttributeGiven(attribute) && !IsAttributeGiven(reader + "::Latency"))
            {
                throw OptionError(attribute,
                                  m_scenario.attributes.at(attribute),
                                  "only with --" + reader + "::Latency");
            }
        }
        const GpuNodes& nodes = m_scenario.nodes;
        RefuseIf(m_scenario.HasSumJobs() && nodes.GetGpus() > 1,
                 "gpusPerNode",
                 "1 with in-network aggregation alone");
        RefuseSharedNics();
        for (uint32_t host = 0; m_scenario.plan && host < m_scenario.graph->HostCount(); ++host)
        {
            const uint32_t first = nodes.HostOf(nodes.NodeOf(host), 0);
            RefuseIf(m_scenario.plan->RankOfHost(host) != m_scenario.plan->RankOfHost(first),
                     "gpusPerNode",
                     "such that the hosts of each node are on one of the --ranks; host " +
                         std::to_string(host) + " is not where host " + std::to_string(first) +
                         " is");
        }
    }

    /// @return whether results in the folder for results have the name of a file
    /// @param path the file
    bool IsReplaced(const std::string& path) const
    {
        namespace fs = std::filesystem;
        std::error_code error;
        const fs::path target = fs::canonical(path, error); // where a symbolic link leads
        if (error)
        {
            return false; // no file: a number, or a name such as none
        }
        for (const fs::path& file : {fs::path(path), target})
        {
            const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
            if (EarlierResults::IsResult(file.filename().string()) &&
                fs::equivalent(folder, m_scenario.out, error))
            {
                return true;
            }
        }
        return false;
    }
};

} // namespace

void
ReadRun(const OptionTable& table, FabricScenario& scenario)
{
    RunOptions(table, scenario).ReadRun();
}

void
ReadSimulator(const OptionTable& table, FabricScenario& scenario)
{
    RunOptions(table, scenario).ReadSimulator();
}

void
EnableRanks(int* argc, char*** argv)
{
    const std::string ranksOption = "--ranks=";
    const std::string engineOption = "--engine=";
    std::string ranks = "1";
    std::string engine = GRANTED;
    for (int i = 1; i < *argc; ++i)
    {
        const std::string argument = (*argv)[i];
        if (argument.compare(0, ranksOption.size(), ranksOption) == 0)
        {
            ranks = argument.substr(ranksOption.size());
        }
        if (argument.compare(0, engineOption.size(), engineOption) == 0)
        {
            engine = argument.substr(engineOption.size());
        }
    }
    if (ranks != "1" && RankTransport::IsAvailable())
    {
        RankTransport::Enable(argc, argv, FindEngine(engine).value_or(*FindEngine(GRANTED)));
        std::atexit(&RankTransport::Disable); // where help ends the program
        if (RankTransport::GetRank() > 0)
        {
            const FILE* nowhere = std::freopen("/dev/null", "w", stdout); // rank 0 says the same
            NS_ABORT_MSG_IF(!nowhere, "/dev/null cannot be written");
        }
    }
}

namespace
{

/// Load shared libraries.  @param given their paths, with commas between them
void
LoadLibraries(const GivenOption& given)
{
    std::istringstream paths(given.value);
    for (std::string path; std::getline(paths, path, ',');)
    {
        const bool isLoaded =
            path == NONE || (!path.empty() && dlopen(std::filesystem::absolute(path).c_str(),
                                                     RTLD_NOW | RTLD_GLOBAL));
        if (!isLoaded)
        {
            const std::string why =
                path.empty() ? "paths of shared libraries with a comma between two" : dlerror();
            const OptionError error("library", path.empty() ? given.value : path, why);
            throw std::invalid_argument(given.origin + error.what());
        }
    }
}

} // namespace

void
LoadPolicies(const std::vector<std::string>& arguments, const RunConfig& config)
{
    std::vector<GivenOption> options = config.GetOptions();
    std::transform(arguments.begin(),
                   arguments.end(),
                   std::back_inserter(options),
                   &GivenOption::TakeApart);
    for (const GivenOption& given : options)
    {
        if (given.isOption && given.name == "library")
        {
            LoadLibraries(given);
        }
    }
}

} // namespace aifabric
} // namespace ns3
