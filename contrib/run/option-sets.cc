/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sets.h"

#include "option-value.h"

#include "ns3/message-text.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

OptionSets::OptionSets(std::string option, std::vector<Set> sets)
    : m_option(std::move(option)),
      m_sets(std::move(sets))
{
}

std::string
OptionSets::ListNames() const
{
    return Listed(GetNames(), m_sets.size());
}

std::vector<std::string>
OptionSets::GetNames() const
{
    std::vector<std::string> names;
    for (const Set& set : m_sets)
    {
        names.push_back(set.name);
    }
    return names;
}

const std::vector<OptionSets::Set>&
OptionSets::GetSets() const
{
    return m_sets;
}

bool
OptionSets::Print(const OptionTable& table, std::ostream& os) const
{
    if (table.Get(m_option) != "help")
    {
        return false;
    }
    for (const Set& set : m_sets)
    {
        os << set.name << "\n    " << set.what << "\n";
        for (const auto& [name, value] : set.options)
        {
            os << "    --" << name << "=" << value << "\n";
        }
    }
    return true;
}

const OptionSets::Set*
OptionSets::Find(const OptionTable& table) const
{
    const std::string& given = table.Get(m_option);
    const std::string& usual = table.GetDefault(m_option);
    if (given == usual)
    {
        return nullptr;
    }
    const auto found = std::find_if(m_sets.begin(), m_sets.end(), [&given](const Set& set) {
        return set.name == given;
    });
    OptionError::ThrowIf(found == m_sets.end(),
                         m_option,
                         given,
                         OptionError::OneOf(given, GetNames(), usual));
    return &*found;
}

} // namespace aifabric
} // namespace ns3
