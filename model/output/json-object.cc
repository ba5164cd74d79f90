/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-object.h"

#include "ns3/csv-writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return whether a text is UTF-8, as far as its bytes' leading bits tell  @param text the text
bool
IsUtf8(const std::string& text)
{
    int following = 0;
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        const bool follows = (byte & 0xC0) == 0x80;
        if (follows != (following > 0) || byte > 0xF4)
        {
            return false;
        }
        following = follows       ? following - 1
                    : byte < 0x80 ? 0
                    : byte < 0xE0 ? 1
                    : byte < 0xF0 ? 2
                                  : 3;
    }
    return following == 0;
}

} // namespace

std::string
JsonObject::Quote(const std::string& value)
{
    const bool isUtf8 = IsUtf8(value); // names of files need not be
    std::string quoted = "\"";
    for (const char c : value)
    {
        if (c == '"' || c == '\\')
        {
            quoted += '\\';
        }
        if (!isUtf8 && static_cast<unsigned char>(c) >= 0x80)
        {
            quoted += "\\ufffd";
        }
        else if (static_cast<unsigned char>(c) < ' ')
        {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
            quoted += escape.data();
        }
        else
        {
            quoted += c;
        }
    }
    return quoted + '"';
}

void
JsonObject::SetText(const std::string& key, const std::string& text)
{
    const auto isIt = [&key](const Member& member) { return member.key == key; };
    const auto found = std::find_if(m_members.begin(), m_members.end(), isIt);
    if (found != m_members.end())
    {
        *found = Member{key, text, nullptr};
        return;
    }
    m_members.push_back(Member{key, text, nullptr});
}

void
JsonObject::Set(const std::string& key, const std::string& value)
{
    SetText(key, Quote(value));
}

void
JsonObject::Set(const std::string& key, const char* value)
{
    SetText(key, Quote(value));
}

void
JsonObject::Set(const std::string& key, bool value)
{
    SetText(key, value ? "true" : "false");
}

void
JsonObject::Set(const std::string& key, int value)
{
    SetText(key, std::to_string(value));
}

void
JsonObject::Set(const std::string& key, uint32_t value)
{
    SetText(key, std::to_string(value));
}

void
JsonObject::Set(const std::string& key, int64_t value)
{
    SetText(key, std::to_string(value));
}

void
JsonObject::Set(const std::string& key, uint64_t value)
{
    SetText(key, std::to_string(value));
}

void
JsonObject::Set(const std::string& key, double value)
{
    SetText(key, std::isfinite(value) ? FormatNumber(value) : "null");
}

void
JsonObject::SetNull(const std::string& key)
{
    SetText(key, "null");
}

void
JsonObject::Set(const std::string& key, const std::vector<std::string>& values)
{
    std::string text = "[";
    for (const std::string& value : values)
    {
        text += (text.size() > 1 ? ", " : "") + Quote(value);
    }
    SetText(key, text + "]");
}

JsonObject&
JsonObject::AddObject(const std::string& key)
{
    m_members.push_back(Member{key, "", std::make_shared<JsonObject>()});
    return *m_members.back().object;
}

void
JsonObject::Print(std::ostream& os, std::size_t indent) const
{
    constexpr std::size_t STEP = 2;
    const std::string blanks(indent + STEP, ' ');
    const char* separator = "{\n";
    for (const Member& member : m_members)
    {
        os << separator << blanks << Quote(member.key) << ": ";
        if (member.object)
        {
            member.object->Print(os, indent + STEP);
        }
        else
        {
            os << member.text;
        }
        separator = ",\n";
    }
    os << (m_members.empty() ? "{" : "\n" + std::string(indent, ' ')) << "}";
}

} // namespace aifabric
} // namespace ns3
