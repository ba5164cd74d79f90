/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-file.h"

#include "parallel-section.h"
#include "part-section.h"

#include "ns3/message-text.h"
#include "ns3/table-reader.h"
#include "ns3/toml-section.h"
#include "ns3/workload-check.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t MAX_REPEAT = 1'000'000; //!< repetitions of a step or phase

/// Reads a plan from a text.
class PlanReader
{
  public:
    /// @param algorithms names of algorithms; none: any  @param check what they do; null: all
    PlanReader(uint32_t hosts,
               const std::vector<std::string>& algorithms,
               const AlgorithmCheck& check)
        : m_hosts(hosts),
          m_algorithms(algorithms),
          m_check(check)
    {
    }

    /// @return the plan  @param file the whole text
    TrainingPlan Read(const TomlSection& file)
    {
        file.CheckKeys({"title",
                        "barrier",
                        "skipBelowRanks",
                        "communicator",
                        "phase",
                        "parallelism",
                        "model"});
        file.GetText("title");
        m_plan.barrier = file.GetBool("barrier");
        m_plan.skipBelowRanks = file.GetBool("skipBelowRanks");
        m_plan.communicators.push_back({TomlSection::ALL, std::vector<uint32_t>(m_hosts)});
        auto& all = m_plan.communicators.back().hosts;
        std::iota(all.begin(), all.end(), 0);
        for (const auto& section : file.GetSections("communicator", "a communicator"))
        {
            ReadCommunicator(section);
        }
        for (const auto& section : file.GetSections("phase", "a phase"))
        {
            m_plan.phases.push_back(ReadPhase(section));
        }
        if (m_plan.phases.empty())
        {
            file.Fail("there is no [[phase]]");
        }
        return std::move(m_plan);
    }

  private:
    /// @return names of the communicators
    std::vector<std::string> CommunicatorNames() const
    {
        std::vector<std::string> names;
        for (const auto& communicator : m_plan.communicators)
        {
            names.push_back(communicator.name);
        }
        return names;
    }

    /// Read a communicator.  @param section its table
    void ReadCommunicator(const TomlSection& section)
    {
        section.CheckKeys({"name", "hosts"});
        if (!section.Has("name") || !section.Has("hosts"))
        {
            section.Fail("a communicator needs name and hosts");
        }
        Communicator communicator{section.GetText("name"), section.GetHosts("hosts", m_hosts)};
        for (const auto& name : CommunicatorNames())
        {
            if (name == communicator.name)
            {
                section.Fail("name", "there is another communicator " + Quoted(name));
            }
        }
        std::vector<bool> isMember(m_hosts);
        for (const uint32_t host : communicator.hosts)
        {
            if (isMember[host])
            {
                section.Fail("hosts", "host " + std::to_string(host) + " is there twice");
            }
            isMember[host] = true;
        }
        m_plan.communicators.push_back(std::move(communicator));
    }

    /// @return the name of an algorithm, empty if none is given  @param section a collective
    std::string GetAlgorithm(const TomlSection& section, CollectiveKind kind) const
    {
        const std::string name = section.GetText("algorithm");
        const bool isKnown =
            m_algorithms.empty() || name.empty() ||
            std::find(m_algorithms.begin(), m_algorithms.end(), name) != m_algorithms.end();
        if (!isKnown)
        {
            section.Fail("algorithm",
                         Quoted(name) + " is none" + Hint(name, m_algorithms) + "; there are " +
                             Listed(m_algorithms));
        }
        const std::string why = m_check ? m_check(name, kind) : "";
        if (!why.empty())
        {
            section.Fail(name.empty() ? "collective" : "algorithm", why);
        }
        return name;
    }

    /// @return a phase  @param section its table
    TrainingPhase ReadPhase(const TomlSection& section) const
    {
        section.CheckKeys({"name", "repeat", "steps"});
        TrainingPhase phase;
        phase.name = section.GetText("name");
        phase.repeat = section.GetNumber("repeat", 1, MAX_REPEAT, 1);
        for (const auto& step : section.GetSections("steps", "a step"))
        {
            phase.steps.push_back(ReadStep(step));
        }
        if (phase.steps.empty())
        {
            section.Fail("a phase needs steps");
        }
        return phase;
    }

    /// @return a step  @param section its table
    TrainingStep ReadStep(const TomlSection& section) const
    {
        section.CheckKeys({"name",
                           "compute",
                           "collective",
                           "bytes",
                           "bytesPerRank",
                           "parts",
                           "skew",
                           "combine",
                           "on",
                           "root",
                           "algorithm",
                           "from",
                           "to",
                           "repeat",
                           "after"});
        TrainingStep step;
        step.where = section.Where();
        step.repeat = section.GetNumber("repeat", 1, MAX_REPEAT, 1);
        if (section.Has("after"))
        {
            step.after = section.GetTexts("after");
        }
        const bool isCompute = section.Has("compute");
        const bool isCollective = section.Has("collective");
        const bool isMessage = section.Has("from") || section.Has("to");
        if (isCompute + isCollective + isMessage != 1)
        {
            section.Fail(
                "a step is one of: compute = \"1ms\"; collective = \"all-reduce\" with bytes; "
                "from and to with bytes");
        }
        if (isCompute)
        {
            ReadCompute(section, step);
        }
        else if (isCollective)
        {
            ReadCollective(section, step);
        }
        else
        {
            ReadMessage(section, step);
        }
        if (section.Has("name"))
        {
            step.name = section.GetText("name");
        }
        return step;
    }

    /// Refuse keys that do not go with a kind of step.  @param section the step
    static void Forbid(const TomlSection& section,
                       const std::vector<std::string>& keys,
                       const std::string& kind)
    {
        for (const auto& key : keys)
        {
            if (section.Has(key))
            {
                section.Fail(key, "does not go with " + kind);
            }
        }
    }

    /// Read what a delay has.  @param section the step  @param step where to put it
    void ReadCompute(const TomlSection& section, TrainingStep& step) const
    {
        Forbid(section,
               {"bytes", "bytesPerRank", "parts", "skew", "combine", "root", "algorithm"},
               "compute");
        step.kind = TrainingStep::Kind::COMPUTE;
        step.name = "compute";
        step.durationPs = section.GetDuration("compute");
        step.communicator = GetCommunicator(section);
    }

    /// Read what a message has.  @param section the step  @param step where to put it
    void ReadMessage(const TomlSection& section, TrainingStep& step) const
    {
        Forbid(section,
               {"bytesPerRank", "parts", "skew", "combine", "on", "root", "algorithm"},
               "from and to");
        if (!section.Has("from") || !section.Has("to") || !section.Has("bytes"))
        {
            section.Fail("a message needs from, to and bytes");
        }
        step.kind = TrainingStep::Kind::MESSAGE;
        step.name = "message";
        step.source = section.GetNumber("from", 0, m_hosts - 1, 0);
        step.destination = section.GetNumber("to", 0, m_hosts - 1, 0);
        step.bytes = section.GetBytes("bytes", MAX_WORKLOAD_BYTES);
        if (step.source == step.destination)
        {
            section.Fail("to", "is not another host than from");
        }
    }

    /// Read what a collective has.  @param section the step  @param step where to put it
    void ReadCollective(const TomlSection& section, TrainingStep& step) const
    {
        const std::string kind = section.GetText("collective");
        const auto collective = FindCollectiveKind(kind);
        if (!collective)
        {
            std::vector<std::string> names;
            std::transform(COLLECTIVE_KINDS.begin(),
                           COLLECTIVE_KINDS.end(),
                           std::back_inserter(names),
                           NameOf);
            section.Fail("collective",
                         Quoted(kind) + " is none" + Hint(kind, names) + "; there are " +
                             ListCollectiveKinds());
        }
        step.kind = TrainingStep::Kind::COLLECTIVE;
        step.name = kind;
        step.collective = *collective;
        step.communicator = GetCommunicator(section);
        const auto ranks =
            static_cast<uint32_t>(m_plan.communicators[step.communicator].hosts.size());
        step.algorithm = GetAlgorithm(section, *collective);
        if (!HasRoot(*collective))
        {
            Forbid(section, {"root"}, kind);
        }
        step.root = section.GetNumber("root", 0, ranks - 1, 0);
        if (*collective != CollectiveKind::ALL_TO_ALL)
        {
            Forbid(section, {"parts", "skew", "combine"}, kind);
        }
        const bool hasParts = section.Has("parts");
        if (hasParts)
        {
            Forbid(section, {"bytes", "bytesPerRank", "skew"}, "parts");
        }
        step.bytes = hasParts ? 0 : GetSize(section, *collective, ranks);
        step.parts = GetPartSizes(section, ranks, step.bytes);
        step.bytes = step.parts ? step.parts->GetSize() : step.bytes;
    }

    /**
     * @param section a collective
     * @return its size in bytes
     */
    static uint64_t GetSize(const TomlSection& section, CollectiveKind kind, uint32_t ranks)
    {
        const bool hasParts = HasParts(kind);
        if (!hasParts)
        {
            Forbid(section, {"bytesPerRank"}, NameOf(kind));
        }
        if (section.Has("bytes") == section.Has("bytesPerRank"))
        {
            section.Fail(NameOf(kind) + " needs bytes" +
                         (hasParts ? ", or bytesPerRank, and not both" : ""));
        }
        return section.Has("bytes")
                   ? section.GetBytes("bytes", MAX_WORKLOAD_BYTES)
                   : section.GetBytes("bytesPerRank", MAX_WORKLOAD_BYTES / ranks) * ranks;
    }

    /// @return index of the communicator of a step  @param section the step
    uint32_t GetCommunicator(const TomlSection& section) const
    {
        const std::string name = section.Has("on") ? section.GetText("on") : TomlSection::ALL;
        const auto names = CommunicatorNames();
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
        {
            section.Fail("on",
                         "there is no communicator " + Quoted(name) + Hint(name, names) +
                             "; there are " + Listed(names));
        }
        return static_cast<uint32_t>(found - names.begin());
    }

    uint32_t m_hosts;                      //!< number of hosts
    std::vector<std::string> m_algorithms; //!< names of algorithms; none: any
    AlgorithmCheck m_check;                //!< what they do; null: all
    TrainingPlan m_plan;                   //!< what was read
};

} // namespace

TrainingPlan
ReadTrainingText(const std::string& text,
                 const std::string& name,
                 uint32_t hosts,
                 const std::vector<std::string>& algorithms,
                 const AlgorithmCheck& check)
{
    const TomlValue file = ParseToml(text, name);
    return PlanReader(hosts, algorithms, check).Read(TomlSection(file, name, "the file"));
}

TrainingWorkload
ReadTrainingWorkload(const std::string& text,
                     const std::string& name,
                     uint32_t hosts,
                     const std::vector<std::string>& algorithms,
                     const AlgorithmCheck& check)
{
    const TomlValue value = ParseToml(text, name);
    const TomlSection file(value, name, "the file");
    if (file.Has("parallelism") || file.Has("model"))
    {
        const TomlSection whole(value, name, "a file with [parallelism]");
        return MakeWorkload(ReadParallelPlan(whole, hosts), hosts);
    }
    return MakeWorkload(PlanReader(hosts, algorithms, check).Read(file), hosts);
}

TrainingWorkload
ReadTrainingFile(const std::string& path,
                 uint32_t hosts,
                 const std::vector<std::string>& algorithms,
                 const AlgorithmCheck& check)
{
    std::ifstream input = OpenTable(path);
    const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    return ReadTrainingWorkload(text, path, hosts, algorithms, check);
}

} // namespace aifabric
} // namespace ns3
