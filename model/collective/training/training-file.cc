/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-file.h"

#include "parallel-groups.h"
#include "parallel-section.h"
#include "part-draw.h"

#include "ns3/message-text.h"
#include "ns3/table-reader.h"
#include "ns3/toml-section.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Reads a plan from a text.
class PlanReader
{
  public:
    /// @param algorithms names of algorithms; none: any  @param check what they do; null: all
    /// @param uniform draws parts of all-to-alls
    PlanReader(uint32_t hosts,
               const std::vector<std::string>& algorithms,
               const AlgorithmCheck& check,
               const UniformInteger& uniform)
    {
        m_names.hosts = hosts;
        m_names.algorithms = algorithms;
        m_names.check = check;
        m_names.draw = std::make_shared<PartDraw>(uniform);
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
        ReadGroups(file);
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
            file.Fail(file.Has("parallelism") ? "there is no [[phase]] and no [model]"
                                              : "there is no [[phase]]");
        }
        m_plan.communicators = m_names.communicators;
        return std::move(m_plan);
    }

  private:
    /// Read what groups of hosts there are.  @param file the whole text
    void ReadGroups(const TomlSection& file)
    {
        const uint32_t hosts = m_names.hosts;
        if (!file.Has("parallelism"))
        {
            m_names.communicators = ParallelGroups({}, hosts).GetCommunicators();
            return;
        }
        const TomlSection section = file.GetSection("parallelism", "[parallelism]");
        const ParallelGroups groups(ReadParallelLayout(section, hosts), hosts);
        m_names.communicators = groups.GetCommunicators();
        for (const auto& [name, dimension] : PARALLEL_DIMENSIONS)
        {
            m_names.dimensions[name] = groups.ListOf(dimension);
        }
    }

    /// Read a communicator.  @param section its table
    void ReadCommunicator(const TomlSection& section)
    {
        section.CheckKeys({"name", "hosts"});
        if (!section.Has("name") || !section.Has("hosts"))
        {
            section.Fail("a communicator needs name and hosts");
        }
        Communicator communicator{section.GetText("name"),
                                  section.GetHosts("hosts", m_names.hosts)};
        const auto& others = m_names.communicators;
        const bool isTaken = m_names.dimensions.count(communicator.name) > 0 ||
                             std::any_of(others.begin(), others.end(), [&](const auto& other) {
                                 return other.name == communicator.name;
                             });
        if (isTaken)
        {
            section.Fail("name", "there is another communicator " + Quoted(communicator.name));
        }
        std::vector<bool> isMember(m_names.hosts);
        for (const uint32_t host : communicator.hosts)
        {
            if (isMember[host])
            {
                section.Fail("hosts", "host " + std::to_string(host) + " is there twice");
            }
            isMember[host] = true;
        }
        m_names.communicators.push_back(std::move(communicator));
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
            ReadSteps(step, m_names, phase);
        }
        if (phase.steps.empty())
        {
            section.Fail("a phase needs steps");
        }
        return phase;
    }

    StepNames m_names;   //!< what steps may name
    TrainingPlan m_plan; //!< what was read
};

} // namespace

TrainingPlan
ReadTrainingText(const std::string& text,
                 const std::string& name,
                 uint32_t hosts,
                 const std::vector<std::string>& algorithms,
                 const AlgorithmCheck& check,
                 const UniformInteger& uniform)
{
    const TomlValue file = ParseToml(text, name);
    return PlanReader(hosts, algorithms, check, uniform).Read(TomlSection(file, name, "the file"));
}

TrainingWorkload
ReadTrainingWorkload(const std::string& text,
                     const std::string& name,
                     uint32_t hosts,
                     const std::vector<std::string>& algorithms,
                     const AlgorithmCheck& check,
                     const UniformInteger& uniform)
{
    const TomlValue value = ParseToml(text, name);
    const TomlSection file(value, name, "the file");
    if (file.Has("model"))
    {
        const TomlSection whole(value, name, "a file with [model]");
        return MakeWorkload(ReadParallelPlan(whole, hosts, uniform), hosts);
    }
    return MakeWorkload(PlanReader(hosts, algorithms, check, uniform).Read(file), hosts);
}

TrainingWorkload
ReadTrainingFile(const std::string& path,
                 uint32_t hosts,
                 const std::vector<std::string>& algorithms,
                 const AlgorithmCheck& check,
                 const UniformInteger& uniform)
{
    std::ifstream input = OpenTable(path);
    const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    return ReadTrainingWorkload(text, path, hosts, algorithms, check, uniform);
}

} // namespace aifabric
} // namespace ns3
