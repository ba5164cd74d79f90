/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/chakra-reader.h"
#include "ns3/cluster-jobs.h"
#include "ns3/cluster-workload.h"
#include "ns3/collective-algorithm.h"
#include "ns3/collective-kind.h"
#include "ns3/collective-layout.h"
#include "ns3/goal-reader.h"
#include "ns3/hash.h"
#include "ns3/job-placement.h"
#include "ns3/message-text.h"
#include "ns3/part-skew.h"
#include "ns3/placement-file.h"
#include "ns3/printable.h"
#include "ns3/random-variable-stream.h"
#include "ns3/training-file.h"
#include "ns3/training-plan.h"
#include "ns3/workload-check.h"
#include "ns3/workload-extent.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return whether there is a file or folder at a path
bool
IsThere(const std::string& path)
{
    std::error_code ignored; // a path that is too long, or not to be looked at
    return std::filesystem::exists(path, ignored);
}

/// @return whether the value of --communicators is a number of groups
bool
IsGroupCount(const std::string& text)
{
    return text.find_first_not_of("-0123456789.") == std::string::npos;
}

const std::vector<std::string> NAMES = {"algorithm",
                                        "protocol",
                                        "channels",
                                        "chunks",
                                        "repeat",
                                        "root",
                                        "placement",
                                        "jobRanks",
                                        "communicators",
                                        "skew"}; //!< the options that only collectives have

const OptionWhen COLLECTIVE = {"only with collectives"};
const OptionWhen ROOTED = {"only with " + ListRootedKinds()};
const OptionWhen PLACED = {"only with collectives, --workload=chakra and --workload=goal"};

} // namespace

/// What collectives are.
// clang-format off
const OptionGroup COLLECTIVE_ROWS = {"Collectives", {
    {"size", AUTO, Bytes(1),
     "bytes of each message (auto: 1MiB); all-to-all: bytes from each rank to each other (auto: "
     "64KiB); other collectives: bytes of a rank, as nccl-tests counts them (auto: 16MiB)"},
    {"repeat", AUTO, Whole(1, 1000000, 1),
     "number of times that the collective runs, one after the other (auto: 1)", {}, COLLECTIVE},
    {"root", AUTO, Whole(0, 0, 0),
     ListRootedKinds() + ": rank of the root (auto: 0)", {}, ROOTED},
    {"placement", NONE,
     FileOr([](const std::string& text) { return FindJobPlacement(text).has_value(); }),
     "hosts of the ranks of a collective, of Chakra traces or GOAL, or of the workers and then the "
     "parameter servers of in-network aggregation: packed (rack after rack), fragmented (one node "
     "of each rack first, racks in random order), random (nodes in random order), or a file with "
     "the number of one host per line, rank 0 first (none: rank r runs on host r)", {}, PLACED},
    {"jobRanks", AUTO, Whole(2, 0),
     "number of ranks, if they are less than the hosts of the fabric (auto: all hosts, or those "
     "of the file of the placement)", {}, PLACED},
    {"communicators", AUTO, FileOr(IsGroupCount),
     "groups of ranks that each run the whole collective, all at the same time: the number of "
     "groups, which have equal sizes and consecutive ranks, or a file with the ranks of one group "
     "per line (auto: 1)", {}, COLLECTIVE},
    {"skew", NONE,
     FileOr([](const std::string& text) { return ParsePartSkew(text).has_value(); }),
     "all-to-all: how unequally it loads the ranks, as a mixture of experts (MoE) does: hot:F "
     "(rank 0 gets F times as much as each other), zipf:S (rank r gets a share in proportion to 1 "
     "/ (r + 1)^S; the mean is --size), or a file with a line for each rank that has its bytes "
     "for each",
     {}, Only("workload", "all-to-all")},
}};

// clang-format on

namespace
{

/// Reads collectives, training iterations and jobs.
class CollectiveOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Read the options of collectives, or refuse them.  @return whether the traffic is collectives
    bool ReadTraffic()
    {
        const std::string& workload = m_scenario.workload;
        const std::optional<CollectiveKind> kind = FindCollectiveKind(workload);
        const bool hasJobs = HasJobFile(m_table);
        RefuseGiven(hasJobs ? std::vector<std::string>{} : std::vector<std::string>{"jobs"});
        if (!IsInNetwork(m_table.Get("algorithm")))
        {
            RefuseGiven({"slots",
                         "parameterServers",
                         "aggregationWindow",
                         "aggregationReach",
                         "resultPath",
                         "distinctSlots",
                         "gradientMagnitude",
                         "gradientRounding"});
        }
        if (hasJobs)
        {
            RefuseIf(kind != CollectiveKind::ALL_REDUCE, "jobs", "only with --workload=all-reduce");
            ReadJobs(ReadJobFile(m_table, m_scenario));
        }
        else if (kind && (kind != CollectiveKind::ALL_TO_ALL || IsAnyChanged()))
        {
            ReadCollective(*kind);
        }
        else if (std::count(PROGRAM_FILES.begin(), PROGRAM_FILES.end(), workload) > 0)
        {
            ReadTraining(workload);
        }
        else
        {
            for (const std::string& name : NAMES)
            {
                RefuseIf(IsChanged(name), name, m_table.At(name).row.when.words);
                NoteUnused(name);
            }
            return false;
        }
        return true;
    }

    /// @return whether an option was given another value than its default  @param name the option
    bool IsChanged(const std::string& name) const
    {
        static const std::set<std::string> USUALLY_ONE = {"channels",
                                                          "chunks",
                                                          "repeat",
                                                          "communicators"};
        const std::string& text = m_table.Get(name);
        const bool isUsual =
            (USUALLY_ONE.count(name) > 0 && text == "1") || (name == "protocol" && text == NONE);
        return IsGiven(name) && !isUsual;
    }

    /// @return whether an option that only collectives have was given another value than its
    /// default
    bool IsAnyChanged() const
    {
        return std::any_of(NAMES.begin(), NAMES.end(), [this](const std::string& name) {
            return IsChanged(name);
        });
    }

    void ReadCollective(CollectiveKind kind)
    {
        constexpr uint64_t SIZE = 16777216;
        RefuseGiven({"senders", "jitter"}, "not with --workload=" + m_scenario.workload);
        if (!HasRoot(kind))
        {
            RefuseGiven({"root"});
        }
        RefuseUnmeant({"skew"});
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
        const bool isPerPair = kind == CollectiveKind::ALL_TO_ALL;
        const uint64_t size = Read("size", isPerPair ? ALL_TO_ALL_SIZE : SIZE);
        if (HasRoot(kind))
        {
            step.root = Read("root", Whole(0, static_cast<int64_t>(ranks) - 1, 0));
        }
        step.repeat = Read("repeat");
        step.where = "--repeat=" + std::to_string(step.repeat);
        step.after.emplace(); // nothing: communicators do not wait for each other
        const std::size_t most = isPerPair ? m_scenario.graph->HostCount() : 1; // parts of a rank
        RefuseIf(size > MAX_WORKLOAD_BYTES / most,
                 "size",
                 "at most " + std::to_string(MAX_WORKLOAD_BYTES / most) + " bytes");
        plan.phases.push_back({"collective", 1, {}});
        TrainingPlan once = plan;
        for (; step.communicator < plan.communicators.size(); ++step.communicator)
        {
            const Communicator& communicator = plan.communicators[step.communicator];
            step.name = communicator.name;
            step.bytes = isPerPair ? size * communicator.hosts.size() : size;
            ReadSkew(step, static_cast<uint32_t>(communicator.hosts.size()));
            plan.phases[0].steps.push_back(step);
            once.phases[0].steps.push_back(step);
            once.phases[0].steps.back().repeat = 1;
        }
        CheckRepeats("algorithm", once, step.repeat);
        m_scenario.training = MakeWorkload(plan, m_scenario.graph->HostCount());
        ReadAlgorithm(m_table, m_scenario, "algorithm");
    }

    /// Read the sizes of the parts of an all-to-all.  @param step the all-to-all, whose size is set
    void ReadSkew(TrainingStep& step, uint32_t ranks)
    {
        const std::string text = m_table.Get("skew");
        if (Read("skew").is_null())
        {
            return;
        }
        const auto skew = ParsePartSkew(text);
        const bool isKind = text.rfind("hot", 0) == 0 || text.rfind("zipf", 0) == 0;
        RefuseIf(!skew && !IsThere(text),
                 "skew",
                 (isKind ? "" : "there is no such file; ") + std::string(PartSkew::ALLOWED) +
                     ", a file, or none");
        if (!skew)
        {
            RefuseGiven({"size"}, "not with a file of --skew, which has the sizes");
        }
        PartSizes parts = skew ? SkewParts(*skew, ranks, step.bytes)
                               : ReadFile("skew", [&]() { return ReadPartSizesFile(text, ranks); });
        RefuseIf(parts.GetMost() > MAX_WORKLOAD_BYTES,
                 "skew",
                 "so little that a rank has at most " + std::to_string(MAX_WORKLOAD_BYTES) +
                     " bytes");
        step.bytes = parts.GetSize();
        step.parts = std::make_shared<const PartSizes>(std::move(parts));
    }

    /// @return draws for placements
    static UniformInteger MakeDraws()
    {
        constexpr int64_t PLACEMENT_STREAM = 6; // apart from those of a run
        const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(PLACEMENT_STREAM);
        return [random](uint32_t bound) { return random->GetInteger(0, bound - 1); };
    }

    /// @return the hosts of the ranks, by rank
    std::vector<uint32_t> ReadPlacement() const
    {
        const uint32_t hosts = m_scenario.graph->HostCount();
        const auto kind = FindJobPlacement(m_table.Get("placement"));
        if (IsNone("placement") || kind)
        {
            const uint32_t gpus = m_scenario.nodes.GetGpus();
            const uint32_t ranks = Parse("jobRanks", Whole(2, hosts, hosts));
            RefuseIf(ranks % gpus != 0,
                     "jobRanks",
                     "a multiple of the " + std::to_string(gpus) + " GPUs of a node");
            if (!kind)
            {
                std::vector<uint32_t> placement(ranks);
                std::iota(placement.begin(), placement.end(), 0);
                return placement;
            }
            return PlaceJob(*kind, *m_scenario.graph, m_scenario.nodes, ranks, MakeDraws());
        }
        RefuseIf(!IsThere(m_table.Get("placement")),
                 "placement",
                 "packed, fragmented, random, a file, or none" +
                     Hint(m_table.Get("placement"), {"packed", "fragmented", "random"}));
        RefuseIf(IsGiven("jobRanks"), "jobRanks", "auto with a file of --placement");
        return ReadFile("placement", [&]() {
            return ReadPlacementFile(m_table.Get("placement"), hosts, m_scenario.nodes);
        });
    }

    /// @return who does a collective together  @param placement the hosts of the ranks
    std::vector<Communicator> ReadCommunicators(const std::vector<uint32_t>& placement)
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
        return communicators;
    }

    /// @return the ranks of each communicator
    std::vector<std::vector<uint32_t>> ReadRankGroups(uint32_t ranks) const
    {
        const std::string& text = m_table.Get("communicators");
        if (text != AUTO && !IsGroupCount(text))
        {
            RefuseIf(!IsThere(text), "communicators", "a whole number, a file, or auto");
            return ReadFile("communicators", [&]() { return ReadRankGroupFile(text, ranks); });
        }
        const int64_t count = text == AUTO ? 1 : ParseWhole(text).value_or(0);
        RefuseIf(count < 1 || count > ranks / 2 || ranks % count != 0,
                 "communicators",
                 "a whole number from 1 to " + std::to_string(ranks / 2) + " that divides the " +
                     std::to_string(ranks) + " ranks, a file, or auto");
        const auto size = static_cast<uint32_t>(ranks / count);
        std::vector<std::vector<uint32_t>> groups(count, std::vector<uint32_t>(size));
        for (uint32_t i = 0; i < count; ++i)
        {
            std::iota(groups[i].begin(), groups[i].end(), i * size);
        }
        return groups;
    }

    /// Read a training iteration.  @param option the option that names its file
    void ReadTraining(const std::string& option)
    {
        RefuseGiven({"size"}, "not with --workload=" + m_scenario.workload);
        RefuseGiven({"repeat", "root", "communicators", "skew"});
        RefuseGiven({"senders", "jitter"}, "not with --workload=" + m_scenario.workload);
        const std::string& path = m_table.Get(option);
        RefuseIf(IsNone(option), "workload", "needs --" + option + "=FILE");
        if (option == "chakra")
        {
            m_scenario.training = ReadTraces(m_table, m_scenario, path);
        }
        else if (option == "goal")
        {
            m_scenario.training = ReadGoal(m_table, m_scenario, path);
        }
        else if (option == "cluster")
        {
            RefuseGiven({"placement", "jobRanks"});
            m_scenario.training = ReadCluster(path);
        }
        else
        {
            RefuseGiven({"placement", "jobRanks"});
            m_scenario.training = ReadFile("training", [&]() {
                return ReadToml(path, m_scenario.graph->HostCount());
            });
        }
        ReadAlgorithm(m_table, m_scenario, option);
    }

    /// @return what a TOML file says  @param hosts how many there are  @param job what draws are
    /// apart by: a job has the same ones alone
    TrainingWorkload ReadToml(const std::string& path, uint32_t hosts, const std::string& job = "")
    {
        constexpr int64_t TOKEN_STREAMS = int64_t{1} << 44; // apart from those of a run
        const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(TOKEN_STREAMS + (job.empty() ? 0 : Hash32(job)));
        TrainingWorkload workload =
            ReadTrainingFile(path,
                             hosts,
                             Registry("algorithm").GetNames(),
                             MakeAlgorithmCheck(m_table, m_scenario),
                             [random](uint32_t bound) { return random->GetInteger(0, bound - 1); });
        AddNotes(job, workload.notes);
        return workload;
    }

    /// @return what jobs do that share the fabric  @param path their file
    TrainingWorkload ReadCluster(const std::string& path)
    {
        std::vector<ClusterJob>& jobs = m_scenario.jobs;
        jobs = ReadFile("cluster", [&]() {
            std::vector<ClusterJob> read = ReadClusterJobFile(path);
            PlaceClusterJobs(read, *m_scenario.graph, m_scenario.nodes, MakeDraws());
            return read;
        });
        const auto hasTraces = [](const ClusterJob& job) {
            return !job.program.empty() && !IsProgramFile(job.program);
        };
        if (std::none_of(jobs.begin(), jobs.end(), hasTraces))
        {
            RefuseGiven(TRACE_OPTIONS, "only with Chakra traces");
        }
        if (!IsNone("onlyJob"))
        {
            const std::string& only = m_table.Get("onlyJob");
            jobs.erase(std::remove_if(jobs.begin(),
                                      jobs.end(),
                                      [&only](const ClusterJob& job) { return job.name != only; }),
                       jobs.end());
            RefuseIf(jobs.empty(), "onlyJob", "the name of a job of the file");
            jobs.front().after.clear();
        }
        std::vector<ClusterJob> plain;
        std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(plain), [](const auto& job) {
            return job.program.empty();
        });
        if (!plain.empty())
        {
            CheckIterations("cluster", plain);
        }
        return ReadFile("cluster", [&]() {
            const uint32_t hosts = m_scenario.graph->HostCount();
            ClusterWorkload all(jobs, MakeWorkload(MakeClusterPlan(plain), hosts), hosts);
            for (const ClusterJob& job : jobs)
            {
                if (!job.program.empty())
                {
                    AddProgram(path, job, all);
                }
            }
            return all.Join();
        });
    }

    /// Add what the ranks of a job do, and name its line if that is wrong.  @param path the table
    /// of jobs  @param all where to add it
    void AddProgram(const std::string& path, const ClusterJob& job, ClusterWorkload& all)
    {
        try
        {
            all.Add(job, ReadProgram(path, job));
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(path + ":" + std::to_string(job.line) + ": " +
                                        error.what());
        }
    }

    /// @return what the ranks of a job do, as if they were all hosts  @param path the table of jobs
    TrainingWorkload ReadProgram(const std::string& path, const ClusterJob& job)
    {
        const std::filesystem::path file = std::filesystem::path(path).parent_path() / job.program;
        if (file.extension() == ".toml")
        {
            TrainingWorkload workload = ReadToml(file.string(), job.ranks, job.name);
            if (workload.barrier)
            {
                throw std::invalid_argument("without barrier in " + file.string());
            }
            return workload;
        }
        if (IsProgramFile(job.program))
        {
            GoalWorkload schedule = ReadGoalFile(file.string(), job.ranks);
            AddNotes(job.name, schedule.notes);
            return std::move(schedule.training);
        }
        ChakraWorkload traces = ReadJobTraces(m_table, m_scenario, file.string(), job.ranks);
        AddNotes(job.name, traces.notes);
        return std::move(traces.training);
    }

    /// Note what a file leaves out, or may not mean.  @param job whose file it is; empty: there are
    /// no jobs  @param notes a line each
    void AddNotes(const std::string& job, const std::vector<std::string>& notes)
    {
        for (const std::string& note : notes)
        {
            m_scenario.notes.push_back((job.empty() ? "" : job + ": ") + note);
        }
    }

    /// Read jobs whose all-reduces are messages.  @param jobs the jobs, without their hosts
    void ReadJobs(std::vector<ClusterJob> jobs)
    {
        RefuseGiven({"senders", "jitter"}, "not with --jobs=FILE");
        RefuseGiven({"repeat", "root", "communicators", "skew"}, "not with --jobs=FILE");
        const std::vector<uint32_t> hosts = ReadPlacement();
        const std::size_t workers = hosts.size() / jobs.size();
        RefuseIf(workers < 2,
                 "jobs",
                 "each job needs 2 workers or more; there are " + std::to_string(hosts.size()) +
                     " hosts for " + std::to_string(jobs.size()) +
                     (jobs.size() == 1 ? " job" : " jobs"));
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            jobs[i].name = "job-" + std::to_string(i);
            jobs[i].ranks = static_cast<uint32_t>(workers);
            jobs[i].hosts.assign(hosts.data() + i * workers, hosts.data() + (i + 1) * workers);
        }
        m_scenario.jobs = std::move(jobs);
        CheckIterations("jobs", m_scenario.jobs);
        constexpr int64_t COMPUTATION_STREAM = 7; // apart from those of a run
        m_scenario.training = ReadFile("jobs", [this]() {
            return MakeWorkload(MakeClusterPlan(m_scenario.jobs), m_scenario.graph->HostCount());
        });
        const auto normal = CreateObject<NormalRandomVariable>();
        normal->SetStream(COMPUTATION_STREAM);
        DrawComputations(*m_scenario.training, m_scenario.jobs, [normal]() {
            return normal->GetValue();
        });
        ReadAlgorithm(m_table, m_scenario, "jobs");
    }

    /// Refuse collectives that are too many, before they are made.  @param blamed the option that
    /// names them  @param plan each of them once  @param times how often
    void CheckRepeats(const std::string& blamed, const TrainingPlan& plan, uint64_t times)
    {
        m_scenario.training = ReadFile(blamed, [this, &plan]() {
            return MakeWorkload(plan, m_scenario.graph->HostCount());
        });
        ReadAlgorithm(m_table, m_scenario, blamed);
        const std::string repeating = blamed == "algorithm" ? "repeat" : blamed;
        CheckMessages(m_table,
                      m_scenario,
                      m_scenario.extent.messages * times,
                      times > 1 ? repeating : "");
    }

    /// Refuse jobs that are too long, before their iterations are made.  @param blamed the option
    void CheckIterations(const std::string& blamed, std::vector<ClusterJob> jobs)
    {
        uint64_t least = jobs.front().iterations;
        for (ClusterJob& job : jobs)
        {
            least = std::min<uint64_t>(least, job.iterations);
            job.iterations = 1;
        }
        CheckRepeats(blamed, ReadFile(blamed, [&jobs]() { return MakeClusterPlan(jobs); }), least);
    }
};

} // namespace

bool
ReadCollectives(const OptionTable& table, FabricScenario& scenario)
{
    return CollectiveOptions(table, scenario).ReadTraffic();
}

std::vector<uint32_t>
ReadPlacement(const OptionTable& table, FabricScenario& scenario)
{
    return CollectiveOptions(table, scenario).ReadPlacement();
}

} // namespace aifabric
} // namespace ns3
