/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "step-section.h"

#include "part-section.h"

#include "ns3/message-text.h"
#include "ns3/part-sizes.h"
#include "ns3/workload-check.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Reads a step.
class StepReader
{
  public:
    /// @param names what it may name; must outlive the reader
    explicit StepReader(const StepNames& names)
        : m_names(names)
    {
    }

    /// Add the step, or that of each group, to a phase.  @param section its table
    void Read(const TomlSection& section, TrainingPhase& phase) const
    {
        TrainingStep step = ReadStep(section);
        if (step.kind == TrainingStep::Kind::MESSAGE)
        {
            phase.steps.push_back(step);
            return;
        }
        const std::vector<uint32_t> groups = GetCommunicators(section);
        if (groups.empty())
        {
            step.kind = TrainingStep::Kind::COMPUTE; // alone, a host has nothing to communicate
            phase.steps.push_back(step);
            return;
        }
        for (const uint32_t group : groups)
        {
            step.communicator = group;
            if (step.kind == TrainingStep::Kind::COLLECTIVE && IsDrawn(section))
            {
                DrawParts(section, phase, step);
            }
            else if (section.Has("combine") && !FindDispatches(phase, step).empty())
            {
                section.Fail("combine",
                             "needs draw = \"step\", as the step before it has whose tokens it "
                             "returns");
            }
            phase.steps.push_back(step);
        }
    }

  private:
    /// Draw the parts of all rounds, or take those of the dispatch.  @param section the step
    /// @param phase the steps before it  @param step where to put them
    void DrawParts(const TomlSection& section, const TrainingPhase& phase, TrainingStep& step) const
    {
        step.drawn.clear();
        if (!section.GetBool("combine"))
        {
            const uint64_t count = uint64_t{step.repeat} * phase.repeat;
            for (uint64_t i = 0; i < count; ++i)
            {
                step.drawn.push_back(DrawPartSizes(section,
                                                   CountRanks(step.communicator),
                                                   step.bytes,
                                                   *m_names.draw));
            }
            return;
        }
        const TrainingStep& dispatch = FindDispatch(section, phase, step);
        step.isReturn = true;
        for (const auto& parts : dispatch.drawn)
        {
            step.drawn.push_back(ReturnPartSizes(section, *parts, step.bytes, dispatch.bytes));
        }
    }

    /// @return the first step before a combine whose tokens none has returned
    /// @param section the combine  @param phase the steps before it  @param step the combine
    static const TrainingStep& FindDispatch(const TomlSection& section,
                                            const TrainingPhase& phase,
                                            const TrainingStep& step)
    {
        const std::deque<const TrainingStep*> open = FindDispatches(phase, step);
        if (open.empty())
        {
            section.Fail("combine",
                         "needs a step with draw before it in the phase, on the same hosts and "
                         "as often repeated, whose tokens no other one returns");
        }
        return *open.front();
    }

    /// @return the steps before a combine whose tokens none has returned
    /// @param phase the steps before it  @param step the combine
    static std::deque<const TrainingStep*> FindDispatches(const TrainingPhase& phase,
                                                          const TrainingStep& step)
    {
        std::deque<const TrainingStep*> open;
        for (const TrainingStep& other : phase.steps)
        {
            const bool isAlike = !other.drawn.empty() && other.communicator == step.communicator &&
                                 other.repeat == step.repeat;
            if (isAlike && other.isReturn)
            {
                open.pop_front();
            }
            else if (isAlike)
            {
                open.push_back(&other);
            }
        }
        return open;
    }

    /// @return the name of an algorithm, empty if none is given  @param section a collective
    std::string GetAlgorithm(const TomlSection& section, CollectiveKind kind) const
    {
        const std::string name = section.GetText("algorithm");
        const std::string why = m_names.check ? m_names.check(name, kind) : "";
        if (!why.empty())
        {
            section.Fail(name.empty() ? "collective" : "algorithm", why);
        }
        const bool isKnown =
            m_names.algorithms.empty() || name.empty() ||
            std::find(m_names.algorithms.begin(), m_names.algorithms.end(), name) !=
                m_names.algorithms.end();
        if (!isKnown)
        {
            section.Fail("algorithm",
                         Quoted(name) + " is none" + Hint(name, m_names.algorithms) +
                             "; there are " + Listed(m_names.algorithms));
        }
        return name;
    }

    /// @return a step, of all that it is of one  @param section its table
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
                           "draw",
                           "token",
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

    /// Refuse what only collectives have.  @param section the step
    static void ForbidCollective(const TomlSection& section, const std::string& kind)
    {
        Forbid(section,
               {"bytesPerRank", "parts", "skew", "combine", "draw", "token", "root", "algorithm"},
               kind);
    }

    /// Read what a delay has.  @param section the step  @param step where to put it
    void ReadCompute(const TomlSection& section, TrainingStep& step) const
    {
        Forbid(section, {"bytes"}, "compute");
        ForbidCollective(section, "compute");
        step.kind = TrainingStep::Kind::COMPUTE;
        step.name = "compute";
        step.durationPs = section.GetDuration("compute");
    }

    /// Read what a message has.  @param section the step  @param step where to put it
    void ReadMessage(const TomlSection& section, TrainingStep& step) const
    {
        Forbid(section, {"on"}, "from and to");
        ForbidCollective(section, "from and to");
        if (!section.Has("from") || !section.Has("to") || !section.Has("bytes"))
        {
            section.Fail("a message needs from, to and bytes");
        }
        step.kind = TrainingStep::Kind::MESSAGE;
        step.name = "message";
        step.source = section.GetNumber("from", 0, m_names.hosts - 1, 0);
        step.destination = section.GetNumber("to", 0, m_names.hosts - 1, 0);
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
        const std::vector<uint32_t> groups = GetCommunicators(section);
        const uint32_t ranks = groups.empty() ? 1 : CountRanks(groups.front());
        step.algorithm = GetAlgorithm(section, *collective);
        if (!HasRoot(*collective))
        {
            Forbid(section, {"root"}, kind);
        }
        step.root = section.GetNumber("root", 0, ranks - 1, 0);
        if (*collective != CollectiveKind::ALL_TO_ALL)
        {
            Forbid(section, {"parts", "skew", "combine", "draw", "token"}, kind);
        }
        const bool hasParts = section.Has("parts");
        if (hasParts)
        {
            Forbid(section, {"bytes", "bytesPerRank", "skew", "draw", "token"}, "parts");
        }
        step.bytes = hasParts ? 0 : GetSize(section, *collective, ranks);
        if (IsDrawn(section))
        {
            return; // DrawParts() draws for each group
        }
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

    /// @return number of ranks of a communicator
    uint32_t CountRanks(uint32_t communicator) const
    {
        return static_cast<uint32_t>(m_names.communicators[communicator].hosts.size());
    }

    /// @return the communicators of a step: one, or all groups of a dimension, none if each is a
    /// host  @param section the step
    std::vector<uint32_t> GetCommunicators(const TomlSection& section) const
    {
        const std::string name = section.Has("on") ? section.GetText("on") : TomlSection::ALL;
        const auto dimension = m_names.dimensions.find(name);
        if (dimension != m_names.dimensions.end())
        {
            return dimension->second;
        }
        const auto& all = m_names.communicators;
        const auto found = std::find_if(all.begin(), all.end(), [&name](const auto& communicator) {
            return communicator.name == name;
        });
        if (found == all.end())
        {
            const std::vector<std::string> known = ListCommunicators(m_names);
            section.Fail("on",
                         "there is no communicator " + Quoted(name) + Hint(name, known) +
                             "; there are " + Listed(known));
        }
        return {static_cast<uint32_t>(found - all.begin())};
    }

    const StepNames& m_names; //!< what a step may name
};

} // namespace

std::vector<std::string>
ListCommunicators(const StepNames& names)
{
    std::vector<std::string> all;
    for (const auto& [name, groups] : names.dimensions)
    {
        all.push_back(name);
    }
    for (const Communicator& communicator : names.communicators)
    {
        all.push_back(communicator.name);
    }
    return all;
}

void
ReadSteps(const TomlSection& section, const StepNames& names, TrainingPhase& phase)
{
    StepReader(names).Read(section, phase);
}

} // namespace aifabric
} // namespace ns3
