/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ev-template.h"

#include <charconv>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// What a format is called, and how many bits it has.
struct FormatName
{
    EvTemplate::Format format; //!< the format
    const char* name;          //!< its name
    uint32_t bits;             //!< its bits
};

constexpr FormatName FORMATS[] = {
    {EvTemplate::Format::ECMP, "ecmp", 16},
    {EvTemplate::Format::STEV, "stev", 32},
    {EvTemplate::Format::SRV6, "srv6", 128},
    {EvTemplate::Format::SRV6_SRH, "srv6-srh", 256},
};

/// @return the name and size of a format
const FormatName&
Describe(EvTemplate::Format format)
{
    return FORMATS[static_cast<std::size_t>(format)];
}

/// @return the format with a name
EvTemplate::Format
FindFormat(const std::string& name)
{
    for (const FormatName& each : FORMATS)
    {
        if (name == each.name)
        {
            return each.format;
        }
    }
    throw std::invalid_argument("'" + name + "' is no format: ecmp, stev, srv6 or srv6-srh");
}

/// @return the field that a text describes  @param text width/value/mask
EvTemplate::Field
ReadField(const std::string& text)
{
    const std::vector<std::string> parts = EvTemplate::Split(text, '/');
    if (parts.size() > 3)
    {
        throw std::invalid_argument("'" + text + "' is no field: width/value/mask");
    }
    EvTemplate::Field field{EvTemplate::ReadNumber(parts[0])};
    field.value = parts.size() > 1 ? EvTemplate::ReadNumber(parts[1]) : 0;
    field.mask = parts.size() > 2 ? EvTemplate::ReadNumber(parts[2]) : 0;
    return field;
}

/// @return the bits of a number that are set
uint32_t
CountBits(uint32_t number)
{
    uint32_t count = 0;
    for (; number != 0; number &= number - 1)
    {
        ++count;
    }
    return count;
}

} // namespace

EvTemplate::EvTemplate(Format format, std::vector<Field> fields)
    : m_format(format),
      m_fields(std::move(fields))
{
    uint32_t width = 0;
    for (const Field& field : m_fields)
    {
        if (field.width < 1 || field.width > MOST_BITS)
        {
            throw std::invalid_argument("a field has " + std::to_string(field.width) +
                                        " bits, and may have 1 to 32");
        }
        if (uint64_t{field.value | field.mask} >> field.width != 0)
        {
            throw std::invalid_argument("a value or mask has more bits than its field, which has " +
                                        std::to_string(field.width));
        }
        width += field.width;
        m_bits += CountBits(field.mask);
    }
    if (m_fields.empty() || width > Describe(format).bits)
    {
        throw std::invalid_argument(std::string("the fields of ") + Describe(format).name +
                                    " have " + std::to_string(width) + " bits, and may have 1 to " +
                                    std::to_string(Describe(format).bits));
    }
    if (m_bits > MOST_BITS)
    {
        throw std::invalid_argument("the masks have " + std::to_string(m_bits) +
                                    " bits, and may have 32");
    }
}

EvTemplate
EvTemplate::Read(const std::string& text)
{
    const std::string key = ":fields=";
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || text.compare(colon, key.size(), key) != 0)
    {
        throw std::invalid_argument("'" + text +
                                    "' is no template: FORMAT:fields=WIDTH/VALUE/MASK,...");
    }
    const Format format = FindFormat(text.substr(0, colon));
    std::vector<Field> fields;
    for (const std::string& field : Split(text.substr(colon + key.size()), ','))
    {
        fields.push_back(ReadField(field));
    }
    return {format, std::move(fields)};
}

uint32_t
EvTemplate::ReadNumber(const std::string& text)
{
    const bool isHex = text.compare(0, 2, "0x") == 0;
    const char* const begin = text.data() + (isHex ? 2 : 0);
    const char* const end = text.data() + text.size();
    uint32_t number = 0;
    const auto [rest, error] = std::from_chars(begin, end, number, isHex ? 16 : 10);
    if (error != std::errc() || rest != end)
    {
        throw std::invalid_argument("'" + text + "' is no number of 32 bits");
    }
    return number;
}

std::vector<std::string>
EvTemplate::Split(const std::string& text, char separator)
{
    std::vector<std::string> parts(1);
    for (const char letter : text)
    {
        if (letter == separator)
        {
            parts.emplace_back();
        }
        else
        {
            parts.back() += letter;
        }
    }
    return parts;
}

EvTemplate::Value
EvTemplate::Expand(uint32_t ev) const
{
    constexpr uint32_t BYTE = 8;
    if (uint64_t{ev} >> m_bits != 0)
    {
        throw std::invalid_argument("EV " + std::to_string(ev) + " has more bits than the masks, " +
                                    std::to_string(m_bits));
    }
    Value value{};
    uint32_t unread = m_bits; // of the EV
    uint32_t place = 0;       // of the value
    for (const Field& field : m_fields)
    {
        for (uint32_t bit = field.width; bit-- > 0; ++place)
        {
            const bool isOfEv = field.mask >> bit & 1;
            const uint32_t one = isOfEv ? ev >> --unread & 1 : field.value >> bit & 1;
            value[place / BYTE] |= one << (BYTE - 1 - place % BYTE);
        }
    }
    return value;
}

} // namespace aifabric
} // namespace ns3
