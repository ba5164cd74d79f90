/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-file.h"

#include "workload-check.h"
#include "workload-text.h"

#include "ns3/message-text.h"
#include "ns3/table-reader.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#ifdef AI_FABRIC_TOMLPLUSPLUS

namespace
{

/// What toml++ relies on does not hold.
struct BrokenToml
{
};

/// Refuse a text that toml++ cannot take.  @param holds whether what it relies on holds
constexpr void
RequireToml(bool holds)
{
    if (!holds)
    {
        throw BrokenToml();
    }
}

} // namespace

// There are malformed texts at which toml++ 3.3 runs into an assertion; without assertions, it
// takes what they say for granted. Here they refuse the text, in all builds.
#undef NDEBUG
#define TOML_ASSERT(condition) RequireToml(static_cast<bool>(condition))
#include <toml++/toml.h>
#endif

namespace ns3
{
namespace aifabric
{

#ifdef AI_FABRIC_TOMLPLUSPLUS

namespace
{

constexpr std::ptrdiff_t MAX_DOTS = 4096; //!< in a line: toml++ needs stack for each part of a key

constexpr uint32_t MAX_REPEAT = 1'000'000; //!< repetitions of a step or phase
const char* const ALL = "all";             //!< name of the communicator of all hosts

/// A table of the text, of which every key is asked for and whose values are checked.
class Section
{
  public:
    /**
     * @param table the table; must outlive the section
     * @param name name of the text
     * @param what what the table is, such as "a step"
     */
    Section(const toml::table& table, std::string name, std::string what)
        : m_table(table),
          m_name(std::move(name)),
          m_what(std::move(what))
    {
    }

    /// @return where a node stands, such as "gpt.toml:12"
    std::string Where(const toml::node& node) const
    {
        return m_name + ":" + std::to_string(node.source().begin.line);
    }

    /// @return where the table stands
    std::string Where() const
    {
        return Where(m_table);
    }

    /// Refuse the table.  @param why what is wrong
    [[noreturn]] void Fail(const std::string& why) const
    {
        throw std::invalid_argument(Where() + ": " + why);
    }

    /// Refuse the value of a key.  @param key the key, which is there  @param why what is wrong
    [[noreturn]] void Fail(const std::string& key, const std::string& why) const
    {
        throw std::invalid_argument(Where(*m_table.get(key)) + ": " + key + ": " + why);
    }

    /// Refuse keys that are not known.  @param known those that are
    void CheckKeys(const std::vector<std::string>& known) const
    {
        for (const auto& [tomlKey, value] : m_table)
        {
            const std::string key(tomlKey.str());
            if (std::find(known.begin(), known.end(), key) == known.end())
            {
                throw std::invalid_argument(m_name + ":" +
                                            std::to_string(tomlKey.source().begin.line) + ": " +
                                            Quoted(key) + " is not a key of " + m_what +
                                            Hint(key, known) + "; keys are " + Listed(known));
            }
        }
    }

    /// @return whether there is a key
    bool Has(const std::string& key) const
    {
        return m_table.contains(key);
    }

    /// @return a value, if it is there
    bool GetBool(const std::string& key) const
    {
        const auto* value = m_table.get(key);
        if (value && !value->is_boolean())
        {
            Fail(key, "is not true or false");
        }
        return value && value->as_boolean()->get();
    }

    /// @return a value, empty if it is not there
    std::string GetText(const std::string& key) const
    {
        const auto* value = m_table.get(key);
        if (value && (!value->is_string() || value->as_string()->get().empty()))
        {
            Fail(key, "is not a text in quotes");
        }
        return value ? value->as_string()->get() : "";
    }

    /**
     * @param least the least that is allowed
     * @param otherwise the value if it is not there
     * @return a whole number
     */
    uint32_t GetNumber(const std::string& key,
                       uint32_t least,
                       uint32_t most,
                       uint32_t otherwise) const
    {
        const auto* value = m_table.get(key);
        if (!value)
        {
            return otherwise;
        }
        const auto number = value->is_integer() ? value->as_integer()->get() : -1;
        if (number < least || number > most)
        {
            Fail(key,
                 "is not a whole number of " + std::to_string(least) + ".." + std::to_string(most));
        }
        return static_cast<uint32_t>(number);
    }

    /// @return a number of bytes  @param key its key, which is there
    uint64_t GetBytes(const std::string& key, uint64_t most) const
    {
        const auto* value = m_table.get(key);
        std::optional<uint64_t> bytes;
        if (value->is_integer() && value->as_integer()->get() >= 0)
        {
            bytes = static_cast<uint64_t>(value->as_integer()->get());
        }
        if (value->is_string())
        {
            bytes = ParseBytes(value->as_string()->get());
        }
        if (!bytes || *bytes > most)
        {
            Fail(key,
                 "is not a number of bytes, such as 4096 or \"6MiB\" (0.." + std::to_string(most) +
                     ")");
        }
        return *bytes;
    }

    /// @return a time in picoseconds  @param key its key, which is there
    int64_t GetDuration(const std::string& key) const
    {
        const auto* value = m_table.get(key);
        const auto time =
            value->is_string() ? ParseDuration(value->as_string()->get()) : std::nullopt;
        if (!time || *time > MAX_WORKLOAD_DELAY_PS)
        {
            Fail(key, "is not a time with its unit, such as \"1.5ms\" (\"0\"..\"1000s\")");
        }
        return *time;
    }

    /// @return texts  @param key their key, which is there
    std::vector<std::string> GetTexts(const std::string& key) const
    {
        const auto* array = m_table.get(key)->as_array();
        std::vector<std::string> texts;
        if (!array)
        {
            Fail(key, "is not a list, such as [\"forward\"]");
        }
        for (const auto& value : *array)
        {
            if (!value.is_string())
            {
                Fail(key, "is not a list of texts, such as [\"forward\"]");
            }
            texts.push_back(value.as_string()->get());
        }
        return texts;
    }

    /// @return the tables of a list, none if it is not there
    std::vector<Section> GetSections(const std::string& key, const std::string& what) const
    {
        const auto* value = m_table.get(key);
        std::vector<Section> sections;
        if (value && !value->is_array())
        {
            Fail(key, "is not a list of tables");
        }
        if (!value)
        {
            return sections;
        }
        for (const auto& element : *value->as_array())
        {
            if (!element.is_table())
            {
                Fail(key, "is not a list of tables");
            }
            sections.emplace_back(*element.as_table(), m_name, what);
        }
        return sections;
    }

    /// @return host numbers  @param key their key, which is there
    std::vector<uint32_t> GetHosts(const std::string& key, uint32_t hosts) const
    {
        const auto* value = m_table.get(key);
        std::vector<uint32_t> list;
        if (value->is_string() && value->as_string()->get() == ALL)
        {
            list.resize(hosts);
            std::iota(list.begin(), list.end(), 0);
        }
        else if (value->is_string())
        {
            AddRanges(value->as_string()->get(), key, hosts, list);
        }
        else if (value->is_array())
        {
            for (const auto& element : *value->as_array())
            {
                const auto host = element.is_integer() ? element.as_integer()->get() : -1;
                Require(host >= 0 && host < hosts, key, hosts);
                list.push_back(static_cast<uint32_t>(host));
            }
        }
        Require(!list.empty(), key, hosts);
        return list;
    }

  private:
    /**
     * Add the hosts of a text such as 0-7,12.
     *
     * @param list where to add them
     */
    void AddRanges(std::string_view text,
                   const std::string& key,
                   uint32_t hosts,
                   std::vector<uint32_t>& list) const
    {
        for (std::size_t begin = 0; begin <= text.size();)
        {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            const std::string_view range = text.substr(begin, end - begin);
            const std::size_t dash = std::min(range.find('-'), range.size());
            const auto first = ParseDigits(range.substr(0, dash));
            const auto last = dash < range.size() ? ParseDigits(range.substr(dash + 1)) : first;
            Require(first && last && *first <= *last && *last < hosts && list.size() < hosts,
                    key,
                    hosts);
            for (uint64_t host = *first; host <= *last; ++host)
            {
                list.push_back(static_cast<uint32_t>(host));
            }
            begin = end + 1;
        }
    }

    /// Refuse hosts, unless they are allowed.  @param ok whether they are
    void Require(bool ok, const std::string& key, uint32_t hosts) const
    {
        if (!ok)
        {
            Fail(key,
                 "are not hosts, such as \"all\", \"0-3,7\" or [0, 1] (0.." +
                     std::to_string(hosts - 1) + ")");
        }
    }

    const toml::table& m_table; //!< the table
    std::string m_name;         //!< name of the text
    std::string m_what;         //!< what the table is
};

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
    TrainingPlan Read(const Section& file)
    {
        file.CheckKeys({"title", "barrier", "skipBelowRanks", "communicator", "phase"});
        file.GetText("title");
        m_plan.barrier = file.GetBool("barrier");
        m_plan.skipBelowRanks = file.GetBool("skipBelowRanks");
        m_plan.communicators.push_back({ALL, std::vector<uint32_t>(m_hosts)});
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
    void ReadCommunicator(const Section& section)
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
    std::string GetAlgorithm(const Section& section, CollectiveKind kind) const
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
    TrainingPhase ReadPhase(const Section& section) const
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
    TrainingStep ReadStep(const Section& section) const
    {
        section.CheckKeys({"name",
                           "compute",
                           "collective",
                           "bytes",
                           "bytesPerRank",
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
    static void Forbid(const Section& section,
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
    void ReadCompute(const Section& section, TrainingStep& step) const
    {
        Forbid(section, {"bytes", "bytesPerRank", "root", "algorithm"}, "compute");
        step.kind = TrainingStep::Kind::COMPUTE;
        step.name = "compute";
        step.durationPs = section.GetDuration("compute");
        step.communicator = GetCommunicator(section);
    }

    /// Read what a message has.  @param section the step  @param step where to put it
    void ReadMessage(const Section& section, TrainingStep& step) const
    {
        Forbid(section, {"bytesPerRank", "on", "root", "algorithm"}, "from and to");
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
    void ReadCollective(const Section& section, TrainingStep& step) const
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
        step.bytes = GetSize(section, *collective, ranks);
    }

    /**
     * @param section a collective
     * @return its size in bytes
     */
    static uint64_t GetSize(const Section& section, CollectiveKind kind, uint32_t ranks)
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
    uint32_t GetCommunicator(const Section& section) const
    {
        const std::string name = section.Has("on") ? section.GetText("on") : ALL;
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

/// Refuse keys of so many parts that their table needs too much stack.
void
CheckDots(const std::string& text, const std::string& name)
{
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);)
    {
        ++number;
        if (std::count(line.begin(), line.end(), '.') > MAX_DOTS)
        {
            throw std::invalid_argument(name + ":" + std::to_string(number) + ": has more than " +
                                        std::to_string(MAX_DOTS) + " dots");
        }
    }
}

} // namespace

TrainingPlan
ReadTrainingText(const std::string& text,
                 const std::string& name,
                 uint32_t hosts,
                 const std::vector<std::string>& algorithms,
                 const AlgorithmCheck& check)
{
    CheckDots(text, name);
    try
    {
        const toml::table table = toml::parse(text);
        return PlanReader(hosts, algorithms, check).Read(Section(table, name, "the file"));
    }
    catch (const toml::parse_error& error)
    {
        throw std::invalid_argument(name + ":" + std::to_string(error.source().begin.line) + ": " +
                                    Quoted(error.description()) + " (see https://toml.io)");
    }
    catch (const BrokenToml&)
    {
        throw std::invalid_argument(name + ": is no TOML (see https://toml.io)");
    }
}

#else

TrainingPlan
ReadTrainingText(const std::string& /* text */,
                 const std::string& name,
                 uint32_t /* hosts */,
                 const std::vector<std::string>& /* algorithms */,
                 const AlgorithmCheck& /* check */)
{
    throw std::invalid_argument(name + ": cannot be read, because this program was built without "
                                       "toml++ (Debian package libtomlplusplus-dev)");
}

#endif

TrainingWorkload
ReadTrainingFile(const std::string& path,
                 uint32_t hosts,
                 const std::vector<std::string>& algorithms,
                 const AlgorithmCheck& check)
{
    std::ifstream input = OpenTable(path);
    const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    return MakeWorkload(ReadTrainingText(text, path, hosts, algorithms, check), hosts);
}

} // namespace aifabric
} // namespace ns3
