/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-file.h"

#include "option-value.h"

#include "ns3/clos-builder.h"
#include "ns3/message-text.h"
#include "ns3/table-reader.h"
#include "ns3/toml-section.h"
#include "ns3/workload-text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t MOST_HOSTS = 65536;   //!< each switch has a route to each
constexpr uint32_t MOST_SWITCHES = 4096; //!< a search begins at each that has hosts
constexpr uint32_t MOST_LINKS = 1048576; //!< of a file
constexpr uint32_t MOST_PARALLEL = 256;  //!< links between two switches
const std::string HOST = "host-";        //!< before the number of a host
const std::vector<std::string> KEYS = {"node", "to", "rate", "delay", "count"};
const std::vector<std::string> KINDS = {"switch", "host", "link"};

/// What a file says of a switch, host or link: a row of a CSV text, or a table of a TOML text.
class Record
{
  public:
    virtual ~Record() = default;

    /// @return the value of one of KEYS; empty, if it is not given
    virtual std::string Get(const std::string& key) const = 0;

    /// Refuse a value, unless it is allowed.  @param allowed what is
    virtual void Require(bool ok, const std::string& key, const std::string& allowed) const = 0;
};

/// A row of a CSV text.
class RowRecord : public Record
{
  public:
    /// @param reader stands at the row
    explicit RowRecord(const TableReader& reader)
        : m_reader(reader)
    {
    }

    std::string Get(const std::string& key) const override
    {
        return std::string(m_reader.GetField(ColumnOf(key)));
    }

    void Require(bool ok, const std::string& key, const std::string& allowed) const override
    {
        m_reader.Require(ok, ColumnOf(key), allowed);
    }

  private:
    /// @return the column of a key, behind that of the kind
    static std::size_t ColumnOf(const std::string& key)
    {
        return 1 + (std::find(KEYS.begin(), KEYS.end(), key) - KEYS.begin());
    }

    const TableReader& m_reader; //!< of the text
};

/// A table of a TOML text.
class SectionRecord : public Record
{
  public:
    /// @param section the table
    explicit SectionRecord(const TomlSection& section)
        : m_section(section)
    {
        m_section.CheckKeys(KEYS);
    }

    std::string Get(const std::string& key) const override
    {
        if (key == "count" && m_section.Has(key))
        {
            return std::to_string(m_section.GetNumber(key, 1, MOST_PARALLEL, 1));
        }
        return m_section.GetText(key);
    }

    void Require(bool ok, const std::string& key, const std::string& allowed) const override
    {
        if (!ok && !m_section.Has(key))
        {
            m_section.Fail(key + " is missing: " + allowed);
        }
        if (!ok)
        {
            m_section.Fail(key, Quoted(Get(key)) + " is not " + allowed);
        }
    }

  private:
    const TomlSection& m_section; //!< the table
};

/// Makes a fabric of records.
class NetworkReader
{
  public:
    /// @param usual what links are like of which the file does not say it
    explicit NetworkReader(NetworkCables usual)
        : m_usual(usual)
    {
    }

    /// Add a switch, host or link, as one of KINDS says it.
    void Add(const std::string& kind, const Record& record)
    {
        if (kind == "switch")
        {
            AddSwitches(record);
        }
        else if (kind == "host")
        {
            AddHosts(record);
        }
        else
        {
            AddLinks(record);
        }
    }

    /// @return the fabric
    FabricGraph Finish() const
    {
        return m_assembly.Finish();
    }

  private:
    void AddSwitches(const Record& record)
    {
        for (const std::string key : {"to", "rate", "delay", "count"})
        {
            record.Require(record.Get(key).empty(), key, "allowed for a switch: leave it empty");
        }
        for (const std::string& name : Expand(record, "node"))
        {
            record.Require(IsSwitchName(name),
                           "node",
                           "a name of letters, digits, _ and single -, which begins with a letter "
                           "and not with host-, plane- or optic-");
            record.Require(m_ids.size() < MOST_SWITCHES,
                           "node",
                           "one of at most " + std::to_string(MOST_SWITCHES) + " switches");
            record.Require(m_ids.count(name) == 0, "node", "a new name: " + name + " is taken");
            m_ids[name] = m_assembly.AddSwitch(name);
        }
    }

    void AddHosts(const Record& record)
    {
        const std::vector<std::string> hosts = Expand(record, "node");
        const std::vector<uint32_t> switches = FindSwitches(record, "to");
        const NetworkAssembly::Cable cable = ReadCable(record, m_usual.host);
        record.Require(ReadCount(record) == 1, "count", "1, or empty: a host has one port");
        record.Require(hosts.size() % switches.size() == 0,
                       "node",
                       "a number of hosts that the " + std::to_string(switches.size()) +
                           " switches share evenly");
        const std::size_t each = hosts.size() / switches.size();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const bool isHost = hosts[i].compare(0, HOST.size(), HOST) == 0;
            const auto number =
                isHost ? ParseDigits(hosts[i].substr(HOST.size())) : std::optional<uint64_t>();
            record.Require(number && *number < MOST_HOSTS &&
                               hosts[i] == HOST + std::to_string(*number),
                           "node",
                           "a host, from host-0 to host-" + std::to_string(MOST_HOSTS - 1) +
                               ", or a range such as host-0..7");
            record.Require(
                m_assembly.Attach(static_cast<uint32_t>(*number), switches[i / each], cable),
                "node",
                "a host without a link: " + hosts[i] + " has one, and one port");
        }
    }

    void AddLinks(const Record& record)
    {
        const std::vector<uint32_t> from = FindSwitches(record, "node");
        const std::vector<uint32_t> to = FindSwitches(record, "to");
        const NetworkAssembly::Cable cable = ReadCable(record, m_usual.fabric);
        const uint32_t count = ReadCount(record);
        for (const uint32_t a : from)
        {
            for (const uint32_t b : to)
            {
                record.Require(a != b, "to", "another switch than the link begins at");
                record.Require(m_joined.insert({std::min(a, b), std::max(a, b)}).second,
                               "to",
                               "joined with it for the first time: parallel links "
                               "are a count");
                m_links += count;
                record.Require(m_links <= MOST_LINKS,
                               "count",
                               "one of at most " + std::to_string(MOST_LINKS) + " links in all");
                for (uint32_t i = 0; i < count; ++i)
                {
                    m_assembly.Join(a, b, cable);
                }
            }
        }
    }

    /// @return the switches that a value names
    std::vector<uint32_t> FindSwitches(const Record& record, const std::string& key) const
    {
        std::vector<uint32_t> ids;
        for (const std::string& name : Expand(record, key))
        {
            const auto found = m_ids.find(name);
            record.Require(found != m_ids.end(),
                           key,
                           "a switch that the file names before" +
                               (name == record.Get(key) ? std::string() : ": " + name));
            ids.push_back(found->second);
        }
        return ids;
    }

    /// @return the names of a range such as leaf-0..3, or the only name
    static std::vector<std::string> Expand(const Record& record, const std::string& key)
    {
        const std::string text = record.Get(key);
        record.Require(!text.empty(), key, "the name of a node, or a range such as leaf-0..3");
        const std::size_t dots = text.find("..");
        if (dots == std::string::npos)
        {
            return {text};
        }
        const std::size_t prefix = text.find_last_not_of("0123456789", dots - 1) + 1;
        const auto first =
            dots == 0 ? std::optional<uint64_t>() : ParseDigits(text.substr(prefix, dots - prefix));
        const auto last = ParseDigits(text.substr(dots + 2));
        record.Require(first && last && *first <= *last && *last - *first < MOST_HOSTS,
                       key,
                       "a range of at most " + std::to_string(MOST_HOSTS) +
                           " names, such as leaf-0..3");
        std::vector<std::string> names;
        for (uint64_t number = *first; number <= *last; ++number)
        {
            names.push_back(text.substr(0, prefix) + std::to_string(number));
        }
        return names;
    }

    /// @return whether a switch may have a name, which --fail can name then
    static bool IsSwitchName(const std::string& name)
    {
        const auto isIn = [](char character, const std::string& others) {
            return (character >= 'a' && character <= 'z') ||
                   (character >= 'A' && character <= 'Z') ||
                   others.find(character) != std::string::npos;
        };
        const auto begins = [&name](const std::string& prefix) {
            return name.compare(0, prefix.size(), prefix) == 0;
        };
        return isIn(name[0], "") && !begins(HOST) && !begins("plane-") && !begins("optic-") &&
               name.find("--") == std::string::npos && name.back() != '-' &&
               std::all_of(name.begin(), name.end(), [&isIn](char character) {
                   return isIn(character, "0123456789_-");
               });
    }

    /// @return rate and delay of a link  @param usual what it is like, if the record does not say
    /// it
    static NetworkAssembly::Cable ReadCable(const Record& record,
                                            const NetworkAssembly::Cable& usual)
    {
        constexpr int64_t MOST_DELAY_PS = 1'000'000'000'000; // 1 s, a quarter of a million km
        NetworkAssembly::Cable cable = usual;
        if (const std::string text = record.Get("rate"); !text.empty())
        {
            const std::optional<uint64_t> rate = ParseRate(text);
            record.Require(rate && IsLinkRate(*rate), "rate", LINK_RATES);
            cable.rate = *rate;
        }
        if (const std::string text = record.Get("delay"); !text.empty())
        {
            const std::optional<int64_t> delay = ParseDuration(text);
            record.Require(delay && *delay >= 0 && *delay <= MOST_DELAY_PS,
                           "delay",
                           "a time with its unit (ps, ns, us, ms, s) of at most 1s");
            cable.delayPs = *delay;
        }
        return cable;
    }

    /// @return how many parallel links there are
    static uint32_t ReadCount(const Record& record)
    {
        const std::string text = record.Get("count");
        if (text.empty())
        {
            return 1;
        }
        const auto count = ParseDigits(text);
        record.Require(count && *count >= 1 && *count <= MOST_PARALLEL,
                       "count",
                       "a whole number from 1 to " + std::to_string(MOST_PARALLEL));
        return static_cast<uint32_t>(*count);
    }

    NetworkCables m_usual;                            //!< what links are usually like
    NetworkAssembly m_assembly;                       //!< the parts so far
    std::map<std::string, uint32_t> m_ids;            //!< of switches
    std::set<std::pair<uint32_t, uint32_t>> m_joined; //!< switches that are joined
    uint64_t m_links{0};                              //!< links between switches
};

/// @return whether a text ends in another one
bool
EndsIn(const std::string& text, const std::string& end)
{
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Read the rows of a CSV text.  @param reader makes the fabric
void
ReadRows(std::istream& text, const std::string& path, NetworkReader& reader)
{
    std::vector<std::string> columns{"kind"};
    columns.insert(columns.end(), KEYS.begin(), KEYS.end());
    TableReader rows(text, path, columns);
    const RowRecord record(rows);
    while (rows.Next())
    {
        const std::string kind(rows.GetField(0));
        rows.Require(std::count(KINDS.begin(), KINDS.end(), kind) > 0, 0, "switch, host or link");
        reader.Add(kind, record);
    }
}

/// Read the tables of a TOML text.  @param reader makes the fabric
void
ReadTables(std::istream& text, const std::string& path, NetworkReader& reader)
{
    const std::string content{std::istreambuf_iterator<char>(text), {}};
    const TomlValue root = ParseToml(content, path);
    const TomlSection file(root, path, "a topology");
    file.CheckKeys({"title", "switch", "host", "link"});
    file.GetText("title");
    for (const std::string& kind : KINDS)
    {
        for (const TomlSection& section : file.GetSections(kind, "a " + kind))
        {
            reader.Add(kind, SectionRecord(section));
        }
    }
}

} // namespace

bool
IsTopologyFile(const std::string& topology)
{
    return EndsIn(topology, ".toml") || EndsIn(topology, ".csv");
}

FabricGraph
ReadTopologyFile(const std::string& path, const NetworkCables& usual)
{
    std::ifstream text = OpenTable(path);
    NetworkReader reader(usual);
    if (EndsIn(path, ".toml"))
    {
        ReadTables(text, path, reader);
    }
    else
    {
        ReadRows(text, path, reader);
    }
    try
    {
        return reader.Finish();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(path + ": " + error.what());
    }
}

} // namespace aifabric
} // namespace ns3
