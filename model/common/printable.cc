/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "printable.h"

#include <cstddef>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr std::size_t MAX_PRINTED = 80; //!< characters of a text shown in a message

/// @return whether a character ends a line or changes the direction of writing  @param character in
/// UTF-8
bool
IsFormat(const std::string& character)
{
    static const std::string BEGIN = "\xE2\x80"; // of U+2000 to U+203F
    if (character.compare(0, BEGIN.size(), BEGIN) == 0)
    {
        const auto last = static_cast<unsigned char>(character.back());
        return last == 0x8E || last == 0x8F || (last >= 0xA8 && last <= 0xAE);
    }
    return character >= "\xE2\x81\xA6" && character <= "\xE2\x81\xA9"; // U+2066 to U+2069
}

/// @return the length of a character in UTF-8; 0: there is none, or a control character
/// @param begin where the character begins
std::size_t
PrintableLength(const std::string& text, std::size_t begin)
{
    constexpr unsigned char DELETE = 0x7F;
    constexpr unsigned char FOLLOWING = 0x80; // of the first two bits
    const auto first = static_cast<unsigned char>(text[begin]);
    if (first < FOLLOWING)
    {
        return first < ' ' || first == DELETE ? 0 : 1;
    }
    const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (length == 0 || first > 0xF4 || begin + length > text.size())
    {
        return 0;
    }
    for (std::size_t i = begin + 1; i < begin + length; ++i)
    {
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != FOLLOWING)
        {
            return 0;
        }
    }
    const bool isControl = first == 0xC2 && static_cast<unsigned char>(text[begin + 1]) < 0xA0;
    return isControl || IsFormat(text.substr(begin, length)) ? 0 : length;
}

} // namespace

std::string
Printable(const std::string& text)
{
    return OneLine(text.substr(0, MAX_PRINTED)) + (text.size() > MAX_PRINTED ? "..." : "");
}

std::string
OneLine(const std::string& text)
{
    std::string printable;
    for (std::size_t i = 0; i < text.size();)
    {
        const std::size_t length = PrintableLength(text, i);
        printable += length > 0 ? text.substr(i, length) : "?";
        i += length > 0 ? length : 1;
    }
    return printable;
}

} // namespace aifabric
} // namespace ns3
