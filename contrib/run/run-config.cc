/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-config.h"

#include "input-files.h"
#include "option-value.h"
#include "program-version.h"

#include "ns3/printable.h"
#include "ns3/toml-text.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace ns3
{
namespace aifabric
{

namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uintmax_t MOST_RUN_BYTES = 64 << 20;  //!< of a run.json, which has a few MB
constexpr std::size_t MOST_OPTIONS = 10000;          //!< of a run, which has some dozens
constexpr std::size_t MOST_SCENARIO_BYTES = 1 << 20; //!< of a scenario, which has a few kB

/// @return whether an option is one of the command line only: what starts processes, and files
bool
IsOfCommandLine(const std::string& name)
{
    static const std::set<std::string> NAMES = {"config", "writeConfig", "ranks", "engine", "plan"};
    return NAMES.count(name) > 0;
}

/// @return a scalar as on a command line, if it is one
std::optional<std::string>
TextOf(const TomlValue& value)
{
    if (const auto* text = std::get_if<std::string>(&value.value))
    {
        return *text;
    }
    if (const auto* number = std::get_if<int64_t>(&value.value))
    {
        return std::to_string(*number);
    }
    if (const auto* number = std::get_if<double>(&value.value))
    {
        return json(*number).dump();
    }
    if (const auto* flag = std::get_if<bool>(&value.value))
    {
        return *flag ? "true" : "false";
    }
    return std::nullopt;
}

/// @return the items of a list with commas between them, if all of them are texts or numbers
std::optional<std::string>
JoinedTextOf(const TomlValue::List& list)
{
    std::string text;
    for (const TomlValue& item : list)
    {
        const std::optional<std::string> one = TextOf(item);
        if (!one || std::holds_alternative<bool>(item.value))
        {
            return std::nullopt;
        }
        text += (text.empty() ? "" : ",") + *one;
    }
    return text;
}

/// @return a key of an object  @tparam T of its value
template <typename T>
const T*
FindPart(const json& object, const char* key)
{
    const auto found = object.find(key);
    return found == object.end() ? nullptr : found->get_ptr<const T*>();
}

} // namespace

RunConfig::RunConfig(const std::vector<std::string>& arguments, const std::vector<OptionRow>& rows)
    : m_rows(rows)
{
    std::transform(arguments.begin(),
                   arguments.end(),
                   std::back_inserter(m_arguments),
                   &GivenOption::TakeApart);
    for (const GivenOption& given : m_arguments)
    {
        if (given.isOption && given.name == "config" && given.value != NONE)
        {
            OptionError::ThrowIf(!m_path.empty(), given.name, given.value, "is given twice");
            OptionError::ThrowIf(given.value.empty(),
                                 given.name,
                                 "",
                                 "a value is needed: --config=value");
            m_path = given.value;
        }
    }
    if (m_path.empty())
    {
        return;
    }
    const std::string text = ReadText();
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos)
    {
        Fail("", "is empty: a run.json or a TOML scenario is needed");
    }
    if (text[first] == '{')
    {
        ReadRun(text);
    }
    else
    {
        ReadScenario(text);
    }
}

std::string
RunConfig::ReadText() const
{
    const std::string gzip = "\x1f\x8b";
    std::error_code error;
    if (!fs::is_regular_file(m_path, error))
    {
        throw OptionError("config", m_path, "a file is needed: a run.json or a TOML scenario");
    }
    if (fs::file_size(m_path, error) > MOST_RUN_BYTES)
    {
        Fail("", "has more than 64 MiB, and a run.json has not");
    }
    std::ifstream file(m_path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    const std::string text = content.str();
    if (file.bad() || !file.is_open())
    {
        throw OptionError("config", m_path, "cannot be read");
    }
    if (text.compare(0, gzip.size(), gzip) == 0)
    {
        Fail("", "is an archive; tar xf unpacks it, and --config takes its run.json");
    }
    return text;
}

void
RunConfig::ReadRun(const std::string& text)
{
    const json run = json::parse(text, nullptr, false);
    if (run.is_discarded())
    {
        Fail("", "is no run.json: it is not whole, or no JSON");
    }
    const auto* const program = FindPart<std::string>(run, "program");
    if (!program || *program != "ai-fabric-run")
    {
        Fail("program", "ai-fabric-run is needed: only its runs can be repeated");
    }
    const auto* const options = FindPart<json::object_t>(run, "options");
    if (!options)
    {
        Fail("options", "is missing: an older version has written it, which did not note them");
    }
    if (options->size() > MOST_OPTIONS)
    {
        Fail("options", "are more than " + std::to_string(MOST_OPTIONS));
    }
    for (const auto& [key, global] : {std::pair("seed", "RngSeed"), std::pair("run", "RngRun")})
    {
        const auto* const number = FindPart<uint64_t>(run, key);
        if (!number)
        {
            Fail(key, "a whole number is needed");
        }
        Give(key, global, std::to_string(*number), "");
    }
    const auto inputs = run.find("inputs");
    for (const auto& [name, value] : *options)
    {
        const std::string where = "options." + name;
        if (!value.is_string())
        {
            Fail(where, "a text is needed");
        }
        const std::string noted = value.get<std::string>();
        const OptionRow* const row = Find(name);
        if (!row || !NamesFiles(*row, noted) || IsOnCommandLine(name))
        {
            Give(where, name, noted, "");
            continue;
        }
        const bool isNoted = inputs != run.end() && inputs->is_object() && inputs->contains(name);
        const json input = isNoted ? inputs->at(name) : json();
        CheckInput(name, input);
        Give(where, name, noted, input.at("value").get<std::string>());
    }
    CompareVersions(run);
}

void
RunConfig::CheckInput(const std::string& name, const json& input) const
{
    const std::string where = "inputs." + name;
    const auto* const value = FindPart<std::string>(input, "value");
    const auto* const noted = FindPart<json::object_t>(input, "sha256");
    if (!value || !noted)
    {
        Fail(where, "the value and the sha256 of the files of --" + name + " are needed");
    }
    const OptionRow& row = *Find(name);
    const auto open = [this](const std::string& path) { return Open(path); };
    const std::string other = "; --" + name + "=FILE takes another one";
    std::map<std::string, std::string> there;
    for (const auto& [path, digest] : DigestFiles(row, MovePaths(row, *value, open)))
    {
        there[fs::path(path).lexically_normal().string()] = digest;
    }
    for (const auto& [path, digest] : *noted)
    {
        const std::string file = Open(path);
        const auto found = there.find(fs::path(file).lexically_normal().string());
        std::error_code error;
        if (found == there.end() || !fs::exists(file, error))
        {
            Fail(where, file + " is gone" + other);
        }
        if (digest != found->second || found->second.empty())
        {
            Fail(where, file + " is not what the run has read (sha256)" + other);
        }
        there.erase(found);
    }
    if (!there.empty())
    {
        Fail(where, there.begin()->first + " was not there" + other);
    }
}

void
RunConfig::CompareVersions(const json& run)
{
    const auto versions = run.find("versions");
    const json noted = versions == run.end() ? json() : *versions;
    std::string theirs;
    bool differs = false;
    for (const auto& [name, version] : GetVersions())
    {
        if (name != "compiler")
        {
            const auto* const other = FindPart<std::string>(noted, name.c_str());
            differs |= !other || *other != version;
            theirs += (theirs.empty() ? "" : ", ") + name + " " + (other ? *other : "unknown");
        }
    }
    if (differs)
    {
        m_note = OneLine(m_path) + " was written by " + OneLine(theirs) + "; this is " +
                 DescribeVersion() + ", whose results may differ";
    }
}

void
RunConfig::ReadScenario(const std::string& text)
{
    if (text.size() > MOST_SCENARIO_BYTES)
    {
        Fail("", "has more than 1 MiB, and a TOML scenario has not");
    }
    const TomlValue root = ParseToml(text, OneLine(m_path));
    for (const TomlEntry& entry : std::get<TomlValue::Table>(root.value))
    {
        if (entry.key == "attributes")
        {
            ReadAttributes(entry);
            continue;
        }
        const OptionRow* const row = Find(entry.key);
        if (!row && std::holds_alternative<TomlValue::Table>(entry.value.value))
        {
            Fail(std::to_string(entry.keyLine),
                 entry.key + ": no such option, and the only table is [attributes]");
        }
        const std::string value = ReadValue(entry, row);
        Give(std::to_string(entry.keyLine), entry.key, value, value);
    }
}

void
RunConfig::ReadAttributes(const TomlEntry& table)
{
    const auto* const entries = std::get_if<TomlValue::Table>(&table.value.value);
    if (!entries)
    {
        Fail(std::to_string(table.keyLine), "attributes: a table of attributes is needed");
    }
    for (const TomlEntry& entry : *entries)
    {
        if (Find(entry.key))
        {
            Fail(std::to_string(entry.keyLine),
                 entry.key + ": is an option, which stands before [attributes]");
        }
        Give(std::to_string(entry.keyLine), entry.key, ReadValue(entry, nullptr), "");
    }
}

std::string
RunConfig::ReadValue(const TomlEntry& entry, const OptionRow* row) const
{
    const std::string unit = row ? row->type.unit : "";
    const bool takesList = unit == "list" || unit == "libraries";
    const bool takesFlag = !row || unit == "flag" || unit == "boolean";
    const bool takesNumber = !row || unit == "count" || unit == "number" || unit == "bytes" ||
                             unit == "time" || unit == "list" || unit == "choice" ||
                             row->type.isWord;
    const auto* const list = std::get_if<TomlValue::List>(&entry.value.value);
    const std::optional<std::string> text = list ? JoinedTextOf(*list) : TextOf(entry.value);
    const bool isFlag = std::holds_alternative<bool>(entry.value.value);
    const bool isText = std::holds_alternative<std::string>(entry.value.value);
    const bool fits = list ? takesList : isFlag ? takesFlag : isText ? true : takesNumber;
    if (text && fits)
    {
        return *text;
    }
    Fail(std::to_string(entry.keyLine),
         entry.key + ": " +
             (!row          ? "a text, a number, true or false is needed"
              : takesFlag   ? "true or false is needed"
              : takesList   ? "a text, or a list of texts, is needed"
              : takesNumber ? "a number or a text is needed"
                            : "a text is needed"));
}

void
RunConfig::Give(const std::string& where,
                const std::string& name,
                const std::string& noted,
                const std::string& seen)
{
    if (IsOfCommandLine(name))
    {
        Fail(where, name + ": is an option of the command line only");
    }
    if (IsOnCommandLine(name))
    {
        return;
    }
    GivenOption given;
    given.name = name;
    given.noted = noted;
    given.value = noted;
    given.origin = OneLine(m_path) + ":" + where + ": ";
    const OptionRow* const row = Find(name);
    if (row && NamesFiles(*row, noted))
    {
        given.value = MovePaths(*row, seen, [this](const std::string& path) { return Open(path); });
    }
    m_options.push_back(given);
}

const OptionRow*
RunConfig::Find(const std::string& name) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&name](const OptionRow& row) {
        return row.name == name;
    });
    return found == m_rows.end() ? nullptr : &*found;
}

bool
RunConfig::IsOnCommandLine(const std::string& name) const
{
    return std::any_of(m_arguments.begin(), m_arguments.end(), [&name](const GivenOption& given) {
        return given.isOption && given.name == name;
    });
}

std::string
RunConfig::Open(const std::string& path) const
{
    return (fs::path(m_path).parent_path() / path).string();
}

void
RunConfig::Fail(const std::string& where, const std::string& why) const
{
    throw std::invalid_argument(OneLine(m_path) + (where.empty() ? "" : ":" + where) + ": " +
                                OneLine(why));
}

} // namespace aifabric
} // namespace ns3
