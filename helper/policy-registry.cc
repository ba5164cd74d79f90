/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "policy-registry.h"

#include "ns3/attribute.h"
#include "ns3/message-text.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iomanip>
#include <iostream>

namespace ns3
{
namespace aifabric
{

namespace
{

const std::string SPACE = "ns3::aifabric::"; //!< where the module's classes are

/**
 * @param type a type name such as ns3::aifabric::HostRandomBalancer
 * @param suffix what it ends with, such as Balancer
 * @return the short name, such as host-random; empty if the type does not end with the suffix
 */
std::string
ShortName(const std::string& type, const std::string& suffix)
{
    const std::size_t colon = type.rfind(':');
    const std::string name = colon == std::string::npos ? type : type.substr(colon + 1);
    if (name.size() <= suffix.size() ||
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
    {
        return "";
    }
    std::string result;
    for (const char c : name.substr(0, name.size() - suffix.size()))
    {
        if (std::isupper(static_cast<unsigned char>(c)) && !result.empty())
        {
            result += '-';
        }
        result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return result;
}

/// @return a time in the largest unit in which it is whole, such as 100us  @param ps the time, in
/// picoseconds
std::string
FormatTime(int64_t ps)
{
    static const std::vector<std::pair<int64_t, std::string>> UNITS = {{1'000'000'000'000, "s"},
                                                                       {1'000'000'000, "ms"},
                                                                       {1'000'000, "us"},
                                                                       {1'000, "ns"}};
    for (const auto& [size, unit] : UNITS)
    {
        if (ps != 0 && ps % size == 0)
        {
            return std::to_string(ps / size) + unit;
        }
    }
    return ps == 0 ? "0" : std::to_string(ps) + "ps";
}

/// @return the default of an attribute, as people write it
std::string
Default(const TypeId::AttributeInformation& attribute)
{
    const auto* time = dynamic_cast<const TimeValue*>(PeekPointer(attribute.initialValue));
    return time ? FormatTime(time->Get().GetPicoSeconds())
                : attribute.initialValue->SerializeToString(attribute.checker);
}

/// Print the attributes that a class brings.  @param type the class
/// @param prefix what stands before their names
void
PrintAttributes(std::ostream& os, TypeId type, const std::string& prefix)
{
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation attribute = type.GetAttribute(i);
        os << "  " << prefix << attribute.name << " [" << Default(attribute)
           << "]: " << attribute.help << "\n";
    }
}

/// @return whether a name is a short one  @param name a short name or the name of a type
bool
IsShort(const std::string& name)
{
    return name.find(':') == std::string::npos;
}

} // namespace

PolicyRegistry::PolicyRegistry(const std::string& suffix, const std::vector<TypeId>& bases)
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const bool isPolicy =
            type.HasConstructor() && std::any_of(bases.begin(), bases.end(), [type](TypeId base) {
                return type != base && type.IsChildOf(base);
            });
        const std::string name = isPolicy ? ShortName(type.GetName(), suffix) : "";
        if (!name.empty())
        {
            m_types.emplace(type.GetName(), type);
            if (!type.MustHideFromDocumentation())
            {
                m_types.emplace(name, type); // the module's own come first
            }
        }
    }
}

bool
PolicyRegistry::Has(const std::string& name) const
{
    return m_types.count(name) > 0;
}

TypeId
PolicyRegistry::Find(const std::string& name) const
{
    if (!Has(name))
    {
        std::cerr << "no policy '" << name << "'; there are " << List() << std::endl;
        std::exit(1); // as CommandLine does: a user has given the name
    }
    return m_types.at(name);
}

const std::map<std::string, TypeId>&
PolicyRegistry::GetTypes() const
{
    return m_types;
}

std::string
PolicyRegistry::NameOf(TypeId type) const
{
    const auto named = std::find_if(m_types.begin(), m_types.end(), [type](const auto& entry) {
        return IsShort(entry.first) && entry.second == type;
    });
    return named != m_types.end() ? named->first : type.GetName();
}

std::vector<std::string>
PolicyRegistry::GetNames() const
{
    std::vector<std::string> names;
    for (const auto& entry : m_types)
    {
        if (IsShort(entry.first))
        {
            names.push_back(entry.first);
        }
    }
    return names;
}

std::string
PolicyRegistry::List() const
{
    const std::vector<std::string> names = GetNames();
    return Listed(names, names.size());
}

void
PolicyRegistry::Print(std::ostream& os) const
{
    for (const auto& [name, type] : m_types)
    {
        if (!IsShort(name))
        {
            continue;
        }
        os << std::left << std::setw(16) << name << " " << type.GetName() << "\n";
        PrintAttributes(os, type, "");
        for (TypeId base = type.GetParent(); base.GetName().rfind(SPACE, 0) == 0;
             base = base.GetParent())
        {
            PrintAttributes(os, base, base.GetName().substr(SPACE.size()) + "::");
        }
    }
}

} // namespace aifabric
} // namespace ns3
