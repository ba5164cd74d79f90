/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-table.h"

#include "environment-options.h"
#include "fatal-error-line.h"
#include "option-value.h"
#include "policy-kinds.h"
#include "program-version.h"

#include "ns3/abort.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/message-text.h"
#include "ns3/printable.h"
#include "ns3/string.h"
#include "ns3/table-reader.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return whether ns-3 itself answers an option
bool
IsQuestion(const std::string& name)
{
    static const std::set<std::string> NAMES = {"PrintHelp",
                                                "help",
                                                "PrintVersion",
                                                "version",
                                                "PrintGroups",
                                                "PrintTypeIds",
                                                "PrintGlobals",
                                                "PrintGroup",
                                                "PrintAttributes"};
    return NAMES.count(name) > 0;
}

/// @return the type that an attribute names by a short name of its kind of policy (PolicyKinds()),
/// or what it says  @param name its full name
std::string
FindPolicyName(const std::string& name, const std::string& value)
{
    const std::size_t colon = name.rfind("::");
    TypeId owner;
    TypeId::AttributeInformation info;
    if (colon == std::string::npos ||
        !TypeId::LookupByNameFailSafe(name.substr(0, colon), &owner) ||
        !owner.LookupAttributeByName(name.substr(colon + 2), &info))
    {
        return value;
    }
    const auto* usual = dynamic_cast<const TypeIdValue*>(PeekPointer(info.initialValue));
    for (const auto& [option, kind] : PolicyKinds())
    {
        const bool isKind =
            usual && usual->Get().GetUid() > 0 &&
            std::any_of(kind.bases.begin(), kind.bases.end(), [usual](const TypeId& base) {
                return usual->Get() == base || usual->Get().IsChildOf(base);
            });
        if (isKind && Registry(option).Has(value))
        {
            return Registry(option).Find(value).GetName();
        }
    }
    return value;
}

/// The options that are explained first.
const std::vector<std::string> FIRST = {"topology",
                                        "planes",
                                        "nicRate",
                                        "workload",
                                        "size",
                                        "training",
                                        "stack",
                                        "balancer",
                                        "fail",
                                        "out"};

/// @return whether an option is one of FIRST
bool
IsFirst(const OptionRow& row)
{
    return std::count(FIRST.begin(), FIRST.end(), row.name) > 0;
}

/// @return what stands above an option in the help
std::string
HeadingOf(const OptionRow& row)
{
    return IsFirst(row) ? "First options" : row.heading;
}

/// @return a global value, or nullptr
const GlobalValue*
FindGlobal(const std::string& name)
{
    const auto found = std::find_if(GlobalValue::Begin(),
                                    GlobalValue::End(),
                                    [&name](const GlobalValue* g) { return g->GetName() == name; });
    return found == GlobalValue::End() ? nullptr : *found;
}

/// @return who checks an attribute's values, or nullptr  @param name its full name
Ptr<const AttributeChecker>
FindAttributeChecker(const std::string& name)
{
    const std::size_t colon = name.rfind("::");
    TypeId type;
    if (colon == std::string::npos || !TypeId::LookupByNameFailSafe(name.substr(0, colon), &type))
    {
        return nullptr;
    }
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        if (type.GetAttributeFullName(i) == name)
        {
            return type.GetAttribute(i).checker;
        }
    }
    return nullptr;
}

/// @return why a text is no time, though ns-3 may take it for one; empty if it may be one
std::string
WhyNoTime(const std::string& text)
{
    constexpr double MOST_S = 9e3; // what fits, in femtoseconds
    static const std::map<std::string, double> SECONDS = {{"fs", 1e-15},
                                                          {"ps", 1e-12},
                                                          {"ns", 1e-9},
                                                          {"us", 1e-6},
                                                          {"ms", 1e-3},
                                                          {"s", 1},
                                                          {"min", 60},
                                                          {"h", 3600},
                                                          {"d", 86400},
                                                          {"y", 31536000}};
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (!text.empty() && *end == '\0' && number != 0)
    {
        return "a time needs its unit (ps, ns, us, ms, s)";
    }
    const auto unit = SECONDS.find(end);
    const bool fits = unit == SECONDS.end() || std::abs(number * unit->second) < MOST_S;
    return fits ? "" : "a time of less than 9000s";
}

/// @return whether a text is a rate above 0 that ns-3 takes for 0
bool
IsBelowOneBit(const std::string& text)
{
    char* unit = nullptr;
    const double number = std::strtod(text.c_str(), &unit);
    return number > 0 && number * (*unit == 'B' ? 8 : 1) < 1 && (*unit == 'b' || *unit == 'B');
}

/// @return what a value may be  @param checker who checks it
std::string
Allowed(const AttributeChecker& checker)
{
    std::string type = checker.GetValueTypeName();
    const std::string::size_type colon = type.rfind(':');
    type = colon == std::string::npos ? type : type.substr(colon + 1);
    return "not a value of this attribute (" + type +
           (checker.HasUnderlyingTypeInformation() ? " " + checker.GetUnderlyingTypeInformation()
                                                   : "") +
           ")";
}

/// @return whether a value is a number that ns-3 reads without an exponent only
/// @param checker of the attribute
bool
HasNumber(const AttributeChecker& checker)
{
    const std::string type = checker.GetValueTypeName();
    return type == "ns3::UintegerValue" || type == "ns3::IntegerValue" || type == "DataRateValue";
}

/// Refuse a value that ns-3 would take or abort at.  @param name of the attribute
/// @param checker of the attribute
void
CheckValue(const std::string& name, const std::string& value, const AttributeChecker& checker)
{
    const std::string type = checker.GetValueTypeName();
    OptionError::ThrowIf(type == "ns3::PointerValue" || type == "ns3::ObjectPtrContainerValue",
                         name,
                         value,
                         "an object cannot be given here");
    const std::string why = type == "ns3::TimeValue" ? WhyNoTime(value) : "";
    OptionError::ThrowIf(!why.empty(), name, value, why);
    OptionError::ThrowIf(type == "DataRateValue" && IsBelowOneBit(value),
                         name,
                         value,
                         "a rate of at least 1bps, or 0bps");
    in6_addr address;
    OptionError::ThrowIf(type == "Ipv6AddressValue" &&
                             inet_pton(AF_INET6, value.c_str(), &address) != 1,
                         name,
                         value,
                         "an IPv6 address, such as 5f00::"); // ns-3 takes any text
    OptionError::ThrowIf(OneLine(value) != value, name, value, Allowed(checker));
    OptionError::ThrowIf(type == "ns3::UintegerValue" && value.find('-') != std::string::npos,
                         name,
                         value,
                         Allowed(checker)); // ns-3 takes -1 for the largest number
}

} // namespace

OptionTable::OptionTable(const std::string& program, const std::string& usage)
    : m_program(program),
      m_usage(usage)
{
}

void
OptionTable::Add(const std::vector<OptionRow>& rows)
{
    for (const OptionRow& row : rows)
    {
        NS_ABORT_MSG_IF(Find(row.name), "OptionTable: --" << row.name << " is there already");
        m_options.push_back({row, row.usual, row.usual});
        for (const std::string& attribute : row.attributes)
        {
            Reserve(attribute, row.name);
        }
    }
}

void
OptionTable::Reserve(const std::string& attribute, const std::string& option)
{
    m_reserved[attribute] = option;
}

OptionTable::Option*
OptionTable::Find(const std::string& name)
{
    auto found = std::find_if(m_options.begin(), m_options.end(), [&name](const Option& option) {
        return option.row.name == name;
    });
    return found == m_options.end() ? nullptr : &*found;
}

const OptionTable::Option&
OptionTable::At(const std::string& name) const
{
    const Option* option = const_cast<OptionTable*>(this)->Find(name);
    NS_ABORT_MSG_IF(!option, "OptionTable: there is no --" << name);
    return *option;
}

void
OptionTable::Parse(const std::vector<std::string>& arguments,
                   const std::vector<GivenOption>& configured)
{
    AskNs3(arguments);
    TakeEnvironment();
    for (const GivenOption& given : configured)
    {
        m_origin = given.origin;
        m_origins[given.name] = given.origin;
        try
        {
            Take(given);
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(m_origin + error.what());
        }
    }
    m_origin.clear();
    for (const std::string& argument : arguments)
    {
        const GivenOption given = GivenOption::TakeApart(argument);
        if (!given.isOption || given.name.empty())
        {
            throw std::invalid_argument(Printable(argument) +
                                        ": an option is written --name=value");
        }
        Take(given);
    }
}

std::string
OptionTable::NameOrigin(const std::string& message) const
{
    const std::size_t begin = message.compare(0, 2, "--") == 0 ? 2 : 0;
    const std::size_t end = std::min(message.find('='), message.find(": "));
    const auto found = m_origins.find(message.substr(begin, end - begin));
    return found == m_origins.end() ? message : found->second + message;
}

std::vector<const OptionRow*>
OptionTable::Sort() const
{
    std::vector<const OptionRow*> rows;
    for (const std::string& name : FIRST)
    {
        rows.push_back(&At(name).row);
    }
    for (const Option& option : m_options)
    {
        if (!IsFirst(option.row))
        {
            rows.push_back(&option.row);
        }
    }
    return rows;
}

void
OptionTable::PrintJson() const
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const OptionRow* row : Sort())
    {
        list.push_back({{"name", row->name},
                        {"group", HeadingOf(*row)},
                        {"unit", row->type.unit},
                        {"default", row->usual},
                        {"range", row->type.allowed},
                        {"when", row->when.words},
                        {"help", row->help}});
    }
    std::cout << list.dump(1) << std::endl;
}

void
OptionTable::PrintHelp(const CommandLine& commandLine) const
{
    std::stringstream help;
    commandLine.PrintHelp(help);
    const std::vector<const OptionRow*> rows = Sort();
    auto row = rows.begin();
    std::string heading;
    for (std::string line; std::getline(help, line);)
    {
        if (row != rows.end() && line.find("    --" + (*row)->name + ":") == 0)
        {
            if (HeadingOf(**row) != heading)
            {
                heading = HeadingOf(**row);
                std::cout << "\n  " << heading << "\n";
            }
            ++row;
        }
        std::cout << line << "\n";
    }
}

void
OptionTable::AskNs3(const std::vector<std::string>& arguments)
{
    CommandLine commandLine(m_program + ".cc");
    commandLine.Usage(m_usage);
    for (const OptionRow* row : Sort())
    {
        commandLine.AddValue(row->name, row->help, Find(row->name)->value);
    }
    std::vector<std::string> questions = {m_program};
    for (const std::string& text : arguments)
    {
        const GivenOption argument = GivenOption::TakeApart(text);
        TypeId type;
        if (argument.isOption && argument.name == "PrintAttributes" &&
            !TypeId::LookupByNameFailSafe(argument.value, &type))
        {
            throw OptionError(argument.name, argument.value, "no such type; see --PrintTypeIds");
        }
        OptionError::ThrowIf(argument.isOption && OneLine(text) != text &&
                                 IsQuestion(argument.name),
                             argument.name,
                             argument.value,
                             "no control characters");
        if (argument.isOption && (argument.name == "version" || argument.name == "PrintVersion"))
        {
            std::cout << DescribeVersion() << std::endl;
            std::exit(0); // as CommandLine does
        }
        if (argument.isOption && (argument.name == "help" || argument.name == "PrintHelp"))
        {
            argument.value == "json" ? PrintJson() : PrintHelp(commandLine);
            if (!std::cout.flush())
            {
                throw std::runtime_error("stdout cannot be written");
            }
            std::exit(0);
        }
        if (argument.isOption && IsQuestion(argument.name))
        {
            questions.push_back(text);
        }
    }
    commandLine.Parse(questions); // exits if there are any
}

void
OptionTable::Take(const GivenOption& given)
{
    Option* option = Find(given.name);
    if (!option)
    {
        SetAttribute(given.name, given.value);
        return;
    }
    OptionError::ThrowIf(given.value.empty() && option->row.type.unit != "flag",
                         given.name,
                         "",
                         "a value is needed: --" + given.name + "=value");
    OptionError::ThrowIf(option->isGiven, given.name, given.value, "is given twice");
    option->value = given.hasValue ? given.value : "true";
    option->noted = given.hasValue ? given.noted : "true";
    option->isGiven = true;
}

void
OptionTable::TakeEnvironment()
{
    for (const EnvironmentOption& entry : ReadEnvironment())
    {
        m_origin = "environment variable " + entry.variable + ": ";
        try
        {
            OptionError::ThrowIf(Find(entry.name),
                                 entry.name,
                                 entry.value,
                                 "is an option of the command line");
            SetAttribute(entry.name, entry.value);
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(m_origin + error.what());
        }
    }
    m_origin.clear();
    for (const auto& attribute : m_attributes)
    {
        m_overruled.insert(attribute.first);
    }
}

void
OptionTable::SetAttribute(const std::string& name, const std::string& value)
{
    const auto reserved = m_reserved.find(name);
    if (reserved != m_reserved.end())
    {
        throw OptionError(name, value, "use --" + reserved->second + " for this");
    }
    const GlobalValue* global = FindGlobal(name);
    const Ptr<const AttributeChecker> checker =
        global ? global->GetChecker() : FindAttributeChecker(name);
    if (!checker)
    {
        throw OptionError(name,
                          value,
                          "no such option" + HintAt(name) + "; --PrintHelp lists them");
    }
    CheckValue(name, value, *checker);
    if (m_overruled.erase(name) > 0)
    {
        m_attributes.erase(
            std::find_if(m_attributes.begin(), m_attributes.end(), [&name](const auto& given) {
                return given.first == name;
            }));
    }
    OptionError::ThrowIf(IsAttributeGiven(name), name, value, "is given twice");
    const std::string plain =
        HasNumber(*checker) ? ExpandExponent(value) : FindPolicyName(name, value);
    FatalErrorLine::SetContext(m_origin + "--" + Printable(name) + "=" + Printable(value) + ": ",
                               Allowed(*checker)); // ns-3 aborts at a text that it cannot read
    OptionError::ThrowIf(!Config::SetGlobalFailSafe(name, StringValue(plain)) &&
                             !Config::SetDefaultFailSafe(name, StringValue(plain)),
                         name,
                         value,
                         Allowed(*checker));
    FatalErrorLine::SetContext("");
    m_attributes.emplace_back(name, value);
}

std::string
OptionTable::HintAt(const std::string& name) const
{
    const std::size_t colon = name.rfind("::");
    TypeId type;
    std::vector<std::string> names;
    if (colon == std::string::npos)
    {
        std::transform(m_options.begin(),
                       m_options.end(),
                       std::back_inserter(names),
                       [](const Option& option) { return option.row.name; });
        std::transform(GlobalValue::Begin(),
                       GlobalValue::End(),
                       std::back_inserter(names),
                       [](const GlobalValue* global) { return global->GetName(); });
        return Hint(name, names);
    }
    if (TypeId::LookupByNameFailSafe(name.substr(0, colon), &type))
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            names.push_back(type.GetAttribute(i).name);
        }
        return Hint(name.substr(colon + 2), names);
    }
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        names.push_back(TypeId::GetRegistered(i).GetName());
    }
    return Hint(name.substr(0, colon), names);
}

bool
OptionTable::IsAttributeGiven(const std::string& name) const
{
    return std::any_of(m_attributes.begin(), m_attributes.end(), [&name](const auto& given) {
        return given.first == name;
    });
}

void
OptionTable::Presume(const std::string& name, const std::string& value)
{
    Option* option = Find(name);
    if (option && !option->isGiven)
    {
        option->value = value;
        option->isPresumed = true;
    }
    else if (!option && !IsAttributeGiven(name))
    {
        SetAttribute(name, value);
    }
}

} // namespace aifabric
} // namespace ns3
