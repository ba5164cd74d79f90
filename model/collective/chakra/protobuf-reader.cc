/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "protobuf-reader.h"

#ifdef AI_FABRIC_PROTOBUF

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

ProtobufReader::ProtobufReader(const std::string& bytes, const std::string& name)
    : m_name(name),
      m_input(reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<int>(bytes.size())),
      m_size(bytes.size())
{
}

void
ProtobufReader::SetPlace(const std::string& what)
{
    m_what = what;
}

void
ProtobufReader::Fail(const std::string& why) const
{
    throw std::invalid_argument(m_name + ": " + (m_what.empty() ? "" : m_what + ": ") + why);
}

void
ProtobufReader::Require(bool ok) const
{
    if (!ok)
    {
        Fail("is cut off or no message of Chakra (byte " +
             std::to_string(m_input.CurrentPosition()) + ")");
    }
}

bool
ProtobufReader::IsAtEnd() const
{
    return static_cast<std::size_t>(m_input.CurrentPosition()) >= m_size;
}

int
ProtobufReader::ReadLength()
{
    uint32_t length = 0;
    Require(m_input.ReadVarint32(&length));
    const int untilLimit = m_input.BytesUntilLimit();
    const std::size_t left = untilLimit >= 0
                                 ? static_cast<std::size_t>(untilLimit)
                                 : m_size - static_cast<std::size_t>(m_input.CurrentPosition());
    Require(length <= left);
    return static_cast<int>(length);
}

uint64_t
ProtobufReader::ReadVarint(uint32_t tag)
{
    uint64_t value = 0;
    Require(Format::GetTagWireType(tag) == Format::WIRETYPE_VARINT && m_input.ReadVarint64(&value));
    return value;
}

uint32_t
ProtobufReader::ReadFixed32(uint32_t tag)
{
    uint32_t value = 0;
    Require(Format::GetTagWireType(tag) == Format::WIRETYPE_FIXED32 &&
            m_input.ReadLittleEndian32(&value));
    return value;
}

uint64_t
ProtobufReader::ReadFixed64(uint32_t tag)
{
    uint64_t value = 0;
    Require(Format::GetTagWireType(tag) == Format::WIRETYPE_FIXED64 &&
            m_input.ReadLittleEndian64(&value));
    return value;
}

std::string
ProtobufReader::ReadText(uint32_t tag, int most)
{
    Require(HasLength(tag));
    const int length = ReadLength();
    std::string text;
    Require(m_input.ReadString(&text, std::min(length, most)) &&
            m_input.Skip(std::max(0, length - most)));
    return text;
}

void
ProtobufReader::Skip(uint32_t tag)
{
    Require(Format::SkipField(&m_input, tag));
}

} // namespace aifabric
} // namespace ns3

#endif
