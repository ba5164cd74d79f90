/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "byte-reader.h"

#include "byte-writer.h"

#include <stdexcept>

namespace ns3
{
namespace aifabric
{

ByteReader::ByteReader(const std::string& tag, const std::string& bytes)
    : m_tag(tag),
      m_rest(bytes)
{
    uint64_t checksum = 0;
    if (m_rest.size() < sizeof(checksum))
    {
        Refuse("is cut off");
    }
    const std::size_t length = m_rest.size() - sizeof(checksum);
    std::memcpy(&checksum, m_rest.data() + length, sizeof(checksum));
    m_rest = m_rest.substr(0, length);
    if (checksum != ByteWriter::Checksum(m_rest))
    {
        Refuse("is damaged: its checksum is wrong");
    }
    if (const std::string found = ReadText(); found != tag)
    {
        Refuse("holds \"" + found + "\"");
    }
}

void
ByteReader::Refuse(const std::string& fault) const
{
    throw std::invalid_argument("the string of bytes that should hold \"" + m_tag + "\" " + fault);
}

std::string_view
ByteReader::Take(uint64_t count, std::size_t size)
{
    if (count > m_rest.size() / size)
    {
        Refuse("is too short for what it announces");
    }
    const std::string_view taken = m_rest.substr(0, count * size);
    m_rest.remove_prefix(taken.size());
    return taken;
}

uint64_t
ByteReader::ReadNumber()
{
    return ReadRecord<uint64_t>();
}

std::string
ByteReader::ReadText()
{
    return std::string(Take(ReadNumber(), 1));
}

void
ByteReader::Finish() const
{
    if (!m_rest.empty())
    {
        Refuse("has " + std::to_string(m_rest.size()) + " bytes too many");
    }
}

} // namespace aifabric
} // namespace ns3
