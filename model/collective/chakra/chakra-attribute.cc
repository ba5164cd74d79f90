/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-attribute.h"

#ifdef AI_FABRIC_PROTOBUF

#include "ns3/message-text.h"
#include "ns3/table-reader.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>

namespace ns3
{
namespace aifabric
{

namespace
{

using Format = ProtobufReader::Format;

// Numbers of fields, as in chakra-trace.cc.
constexpr int ATTRIBUTE_NAME = 1;     //!< name, a string
constexpr int ATTRIBUTE_STRING = 29;  //!< a string
constexpr int ATTRIBUTE_BOOLS = 28;   //!< a message with booleans
constexpr int ATTRIBUTE_INT32S = 8;   //!< a message with numbers
constexpr int ATTRIBUTE_INT64S = 10;  //!< a message with numbers
constexpr int ATTRIBUTE_UINT32S = 12; //!< a message with numbers
constexpr int ATTRIBUTE_UINT64S = 14; //!< a message with numbers
constexpr int MAX_TEXT = 1 << 20;     //!< characters that are kept
constexpr int NUMBERS_VALUES = 1;     //!< of the numbers: the values
constexpr int ATTRIBUTE_BYTES = 31;   //!< bytes
constexpr int BOOLS_VALUES = 1;       //!< of the booleans: the values

/// Attributes that are whole numbers, and whether a trace is refused in which one is not.
const std::map<std::string, bool> NUMBERS = {{"comm_type", true},
                                             {"comm_size", true},
                                             {"comm_src", true},
                                             {"comm_dst", true},
                                             {"comm_tag", true},
                                             {"comm_priority", true},
                                             {"is_cpu_op", true},
                                             {"num_ops", true},
                                             {"tensor_size", false},
                                             {"stream", false},
                                             {"runtime", false}};

/// @return the whole number that a text stands for
std::optional<int64_t>
NumberOf(const std::string& text)
{
    if (text == "True" || text == "true")
    {
        return 1;
    }
    if (text == "False" || text == "false")
    {
        return 0;
    }
    const auto digits = ParseDigits(text);
    return digits ? std::optional<int64_t>(static_cast<int64_t>(*digits)) : std::nullopt;
}

} // namespace

ChakraAttribute::ChakraAttribute(ProtobufReader& reader)
    : m_reader(reader)
{
    reader.ReadMessage([this](uint32_t tag) { ReadField(tag); });
}

void
ChakraAttribute::KeepIn(ChakraNode& node) const
{
    const auto number = NUMBERS.find(m_name);
    if (number != NUMBERS.end())
    {
        KeepNumber(number->second, node);
    }
    else if (m_name == "pg_name" || m_name == "comm_group")
    {
        Require(m_isText || m_isNumber, "a text");
        node.texts[m_name] = m_isText ? m_text : std::to_string(m_number);
    }
    else if (m_name == "in_split_size")
    {
        KeepSplits(node);
    }
    else if (m_name == "involved_dim")
    {
        Require(m_isBools, "a list of booleans");
        node.leavesOutDimension = node.leavesOutDimension || m_hasFalse;
    }
}

void
ChakraAttribute::KeepNumber(bool isNeeded, ChakraNode& node) const
{
    std::optional<int64_t> number;
    if (m_isNumber)
    {
        number = m_number;
    }
    else if (m_isText)
    {
        number = NumberOf(m_text);
    }
    Require(number || !isNeeded, "a whole number");
    if (number)
    {
        node.numbers[m_name] = *number;
    }
}

void
ChakraAttribute::KeepSplits(ChakraNode& node) const
{
    constexpr const char* WHAT = "a list of whole numbers, such as [12, 0, 13]";
    node.splits = m_numbers;
    if (!m_isText)
    {
        Require(m_isNumbers, WHAT);
        return;
    }
    const bool isList = m_text.size() > 1 && m_text.front() == '[' && m_text.back() == ']';
    Require(isList, WHAT);
    const std::string list = m_text.substr(1, m_text.size() - 2);
    for (std::size_t begin = 0; begin < list.size();)
    {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::size_t digits = std::min(list.find_first_not_of(' ', begin), end);
        const auto number = ParseDigits(list.substr(digits, end - digits));
        Require(number && end + 1 != list.size(), WHAT);
        node.splits.push_back(*number);
        begin = end + 1;
    }
}

void
ChakraAttribute::Require(bool ok, const char* what) const
{
    if (!ok)
    {
        m_reader.Fail("attribute " + Quoted(m_name) + " is not " + what);
    }
}

void
ChakraAttribute::ReadField(uint32_t tag)
{
    switch (ProtobufReader::NumberOf(tag))
    {
    case ATTRIBUTE_NAME:
        m_name = m_reader.ReadText(tag);
        break;
    case ATTRIBUTE_STRING:
    case ATTRIBUTE_BYTES:
        m_isText = true;
        m_text = m_reader.ReadText(tag, MAX_TEXT);
        break;
    case ATTRIBUTE_BOOLS:
        m_reader.Require(ProtobufReader::HasLength(tag));
        m_isBools = true;
        m_reader.ReadMessage([this](uint32_t field) { ReadBools(field); });
        break;
    case ATTRIBUTE_INT32S:
    case ATTRIBUTE_INT64S:
    case ATTRIBUTE_UINT32S:
    case ATTRIBUTE_UINT64S:
        m_reader.Require(ProtobufReader::HasLength(tag));
        m_isNumbers = true;
        m_reader.ReadMessage([this](uint32_t field) { ReadNumbers(field); });
        break;
    default:
        ReadNumber(tag);
    }
}

void
ChakraAttribute::ReadNumbers(uint32_t tag)
{
    if (ProtobufReader::NumberOf(tag) != NUMBERS_VALUES)
    {
        m_reader.Skip(tag);
        return;
    }
    m_reader.ReadVarints(tag, [this](uint64_t number) { m_numbers.push_back(number); });
}

void
ChakraAttribute::ReadBools(uint32_t tag)
{
    if (ProtobufReader::NumberOf(tag) != BOOLS_VALUES)
    {
        m_reader.Skip(tag);
    }
    else if (Format::GetTagWireType(tag) == Format::WIRETYPE_VARINT)
    {
        m_hasFalse = m_reader.ReadVarint(tag) == 0 || m_hasFalse;
    }
    else
    {
        m_hasFalse = m_reader.ReadText(tag).find('\0') != std::string::npos || m_hasFalse;
    }
}

void
ChakraAttribute::ReadNumber(uint32_t tag)
{
    switch (ProtobufReader::NumberOf(tag))
    {
    case 7:  // int32
    case 9:  // int64
    case 11: // uint32
    case 13: // uint64
    case 27: // bool
        SetNumber(static_cast<int64_t>(m_reader.ReadVarint(tag)));
        break;
    case 15: // sint32
    case 17: // sint64
        SetNumber(Format::ZigZagDecode64(m_reader.ReadVarint(tag)));
        break;
    case 3: // double
        SetReal(Format::DecodeDouble(m_reader.ReadFixed64(tag)));
        break;
    case 5: // float
        SetReal(Format::DecodeFloat(m_reader.ReadFixed32(tag)));
        break;
    case 19: // fixed32
        SetNumber(m_reader.ReadFixed32(tag));
        break;
    case 23: // sfixed32
        SetNumber(static_cast<int32_t>(m_reader.ReadFixed32(tag)));
        break;
    case 21: // fixed64
    case 25: // sfixed64
        SetNumber(static_cast<int64_t>(m_reader.ReadFixed64(tag)));
        break;
    default:
        m_reader.Skip(tag);
    }
}

void
ChakraAttribute::SetNumber(int64_t number)
{
    m_isNumber = true;
    m_number = number;
}

void
ChakraAttribute::SetReal(double value)
{
    constexpr double MOST = 9e18; // less than 2^63
    m_isNumber = std::abs(value) <= MOST && std::floor(value) == value;
    m_number = m_isNumber ? static_cast<int64_t>(value) : 0;
}

} // namespace aifabric
} // namespace ns3

#endif
