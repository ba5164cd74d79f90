/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-text.h"

#include "ns3/table-reader.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

namespace
{

const char* const BLANKS = " \t\r\n"; //!< between values

/// @return whether a character may be in a number or a word such as true  @param c the character
bool
IsWord(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.';
}

} // namespace

JsonText::JsonText(std::string_view text)
    : m_text(text)
{
}

void
JsonText::Fail(const std::string& why) const
{
    const auto end = m_text.begin() + static_cast<std::ptrdiff_t>(std::min(m_at, m_text.size()));
    const auto line = 1 + std::count(m_text.begin(), end, '\n');
    throw std::invalid_argument("line " + std::to_string(line) + ": " + why);
}

char
JsonText::Peek()
{
    m_at = std::min(m_text.find_first_not_of(BLANKS, m_at), m_text.size());
    return m_at < m_text.size() ? m_text[m_at] : '\0';
}

void
JsonText::Expect(char c)
{
    if (Peek() != c)
    {
        Fail(std::string("is no JSON as expected here (") + c + ")");
    }
    ++m_at;
}

bool
JsonText::IsObject()
{
    return Peek() == '{';
}

bool
JsonText::IsList()
{
    return Peek() == '[';
}

bool
JsonText::IsText()
{
    return Peek() == '"';
}

void
JsonText::BeginList()
{
    Expect('[');
    m_isFirst = true;
}

void
JsonText::BeginObject()
{
    Expect('{');
    m_isFirst = true;
}

bool
JsonText::Next(char end)
{
    const bool isFirst = m_isFirst;
    m_isFirst = false;
    if (Peek() == end)
    {
        ++m_at;
        return false;
    }
    if (!isFirst)
    {
        Expect(',');
    }
    return true;
}

bool
JsonText::NextValue()
{
    return Next(']');
}

std::optional<std::string>
JsonText::NextKey()
{
    if (!Next('}'))
    {
        return std::nullopt;
    }
    const std::string key = ReadText();
    Expect(':');
    return key;
}

std::string
JsonText::ReadText()
{
    Expect('"');
    std::string text;
    while (m_at < m_text.size() && m_text[m_at] != '"')
    {
        const char c = m_text[m_at++];
        if (c == '\\')
        {
            ReadEscape(text);
            continue;
        }
        text += c;
    }
    Expect('"');
    return text;
}

void
JsonText::ReadEscape(std::string& text)
{
    constexpr std::string_view NAMES = "\"\\/bfnrt";
    constexpr std::string_view MEANINGS = "\"\\/\b\f\n\r\t";
    constexpr std::size_t CODE = 4; // digits of a character's code
    const char c = m_at < m_text.size() ? m_text[m_at++] : '\0';
    const std::size_t known = NAMES.find(c);
    if (known != std::string_view::npos)
    {
        text += MEANINGS[known];
        return;
    }
    if (c != 'u' || m_text.size() - m_at < CODE)
    {
        Fail("is no JSON: an escape is not known");
    }
    text += '?'; // names here have none
    m_at += CODE;
}

uint64_t
JsonText::ReadNumber()
{
    Peek();
    const std::size_t begin = m_at;
    SkipWord();
    const auto number = ParseDigits(m_text.substr(begin, m_at - begin));
    if (!number || *number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    {
        m_at = begin;
        Fail("is no whole number as expected here");
    }
    return *number;
}

void
JsonText::SkipWord()
{
    const std::size_t begin = m_at;
    while (m_at < m_text.size() && IsWord(m_text[m_at]))
    {
        ++m_at;
    }
    if (m_at == begin)
    {
        Fail("is no JSON");
    }
}

void
JsonText::Skip()
{
    std::string open; // what ends each list and object that has begun
    do
    {
        if (!open.empty() && !Next(open.back()))
        {
            open.pop_back();
            continue;
        }
        if (!open.empty() && open.back() == '}')
        {
            ReadText();
            Expect(':');
        }
        switch (Peek())
        {
        case '[':
            BeginList();
            open += ']';
            break;
        case '{':
            BeginObject();
            open += '}';
            break;
        case '"':
            ReadText();
            break;
        default:
            SkipWord();
        }
    } while (!open.empty());
}

void
JsonText::End()
{
    if (Peek() != '\0' || m_at < m_text.size())
    {
        Fail("something stands after the end");
    }
}

} // namespace aifabric
} // namespace ns3
