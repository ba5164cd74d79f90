/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-notes.h"

#include "input-files.h"
#include "option-value.h"
#include "program-version.h"

#include "ns3/csv-writer.h"
#include "ns3/nstime.h"
#include "ns3/printable.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator-impl.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

namespace ns3
{
namespace aifabric
{

namespace
{

using nlohmann::ordered_json;

/// @return whether an option or attribute belongs to the scenario: what is run, not how, and not
/// where the results go
bool
IsOfScenario(const std::string& name)
{
    static const std::set<std::string> OTHERS = {"out", "check", "RngSeed", "RngRun"};
    return OTHERS.count(name) == 0 && std::count(HOW.begin(), HOW.end(), name) == 0;
}

/// @return the beginning of the help of an option or attribute, for a comment of a line
std::string
Shorten(const std::string& help)
{
    constexpr std::size_t MOST = 90; // characters
    std::string begin = help.substr(0, std::min(help.find("; "), help.find(". ")));
    if (begin.size() > MOST)
    {
        const std::size_t phrase = begin.find_last_of(",:(", MOST);
        begin.resize(phrase == std::string::npos ? begin.find_last_of(' ', MOST) : phrase);
    }
    const std::size_t open = begin.rfind('(');
    if (open != std::string::npos && begin.find(')', open) == std::string::npos)
    {
        begin.resize(open);
    }
    begin.resize(begin.find_last_not_of(" .") + 1);
    return OneLine(begin);
}

/// @return a text as TOML
std::string
QuoteToml(const std::string& text)
{
    return ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// @return a value of an option as TOML
std::string
WriteValue(const OptionType& type, const std::string& value)
{
    const bool isWhole = ParseInteger(value) && value == std::to_string(*ParseInteger(value));
    if ((type.unit == "flag" || type.unit == "boolean") && (value == "true" || value == "false"))
    {
        return value;
    }
    const bool isDecimal = ParseNumber(value) && value == ordered_json(*ParseNumber(value)).dump();
    if (((type.unit == "count" || type.unit == "bytes") && isWhole) ||
        (type.unit == "number" && isDecimal))
    {
        return value;
    }
    if (type.unit != "list" || value.find(',') == std::string::npos)
    {
        return QuoteToml(value);
    }
    std::string list;
    std::istringstream items(value);
    for (std::string item; std::getline(items, item, ',');)
    {
        list += (list.empty() ? "" : ", ") + QuoteToml(item);
    }
    return "[" + list + "]";
}

/// @return the value of an attribute as a text that the program reads
std::string
AttributeText(const AttributeValue& value, Ptr<const AttributeChecker> checker)
{
    const auto* const time = dynamic_cast<const TimeValue*>(&value);
    return time ? FormatNs(time->Get().GetPicoSeconds()) + "ns" : value.SerializeToString(checker);
}

/// @return the help of an attribute  @param name its full name
std::string
HelpOf(const std::string& name)
{
    const std::size_t colon = name.rfind("::");
    TypeId type;
    TypeId::AttributeInformation information;
    const bool isKnown = colon != std::string::npos &&
                         TypeId::LookupByNameFailSafe(name.substr(0, colon), &type) &&
                         type.LookupAttributeByName(name.substr(colon + 2), &information);
    return isKnown ? information.help : "a global value of ns-3";
}

} // namespace

const std::vector<std::string> HOW = {"ranks",
                                      "engine",
                                      "plan",
                                      "simulator",
                                      "threads",
                                      "config",
                                      "writeConfig",
                                      "progress",
                                      "quiet",
                                      "json"};

ordered_json
ListGiven(const OptionTable& table)
{
    ordered_json given = ordered_json::object();
    for (const OptionTable::Option& option : table.GetOptions())
    {
        if (option.isGiven && IsOfScenario(option.row.name))
        {
            given[option.row.name] = option.noted;
        }
    }
    for (const auto& [name, value] : table.GetAttributes())
    {
        if (IsOfScenario(name))
        {
            given[name] = value;
        }
    }
    return given;
}

ordered_json
DescribeInputs(const OptionTable& table, const FabricScenario& scenario)
{
    ordered_json inputs = ordered_json::object();
    for (const OptionTable::Option& option : table.GetOptions())
    {
        if (!option.isGiven || !IsOfScenario(option.row.name) ||
            !NamesFiles(option.row, option.value))
        {
            continue;
        }
        const auto move = [&](const std::string& path) {
            return SeenFrom(scenario.out, path, option.noted);
        };
        ordered_json& input = inputs[option.row.name];
        input["value"] = MovePaths(option.row, option.value, move);
        input["sha256"] = ordered_json::object();
        for (const auto& [path, digest] : DigestFiles(option.row, option.value))
        {
            input["sha256"][move(path)] = digest;
        }
    }
    return inputs;
}

ordered_json
ListSetAttributes()
{
    std::map<std::string, std::string> attributes;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(j);
            if (attribute.initialValue == attribute.originalInitialValue ||
                type.IsChildOf(SimulatorImpl::GetTypeId()))
            {
                continue;
            }
            const std::string value = AttributeText(*attribute.initialValue, attribute.checker);
            if (value != AttributeText(*attribute.originalInitialValue, attribute.checker))
            {
                attributes[type.GetAttributeFullName(j)] = value;
            }
        }
    }
    return ordered_json(attributes);
}

std::string
WriteOptions(const OptionTable& table, const ordered_json& given, const std::string& path)
{
    const bool hasSet = table.At("stack").isGiven || table.At("preset").isGiven;
    const std::string folder = std::filesystem::path(path).parent_path().string();
    std::ostringstream text;
    text << "# A scenario of ai-fabric-run: ./fabric run --config=FILE\n"
         << "# Written by " << DescribeVersion() << "\n\n"
         << "# the random numbers\nRngSeed = " << RngSeedManager::GetSeed()
         << "\nRngRun = " << RngSeedManager::GetRun() << "\n";
    for (const OptionTable::Option& option : table.GetOptions())
    {
        const bool isNothing =
            option.value == option.row.usual && (option.value == AUTO || option.value == NONE);
        if (!given.contains(option.row.name) || (isNothing && !hasSet))
        {
            continue;
        }
        const auto move = [&](const std::string& file) {
            return SeenFrom(folder, file, option.noted);
        };
        const std::string value = NamesFiles(option.row, option.value)
                                      ? MovePaths(option.row, option.value, move)
                                      : option.value;
        text << "\n# " << Shorten(option.row.help) << "\n"
             << option.row.name << " = " << WriteValue(option.row.type, value) << "\n";
    }
    std::string header = "\n[attributes]\n";
    for (const auto& [name, value] : table.GetAttributes())
    {
        if (given.contains(name))
        {
            text << header << "\n# " << Shorten(HelpOf(name)) << "\n"
                 << QuoteToml(name) << " = " << QuoteToml(value) << "\n";
            header.clear();
        }
    }
    return text.str();
}

} // namespace aifabric
} // namespace ns3
