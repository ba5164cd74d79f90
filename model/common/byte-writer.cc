/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "byte-writer.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

ByteWriter::ByteWriter(const std::string& tag)
{
    WriteText(tag);
}

void
ByteWriter::Append(const void* data, std::size_t size)
{
    m_bytes.append(static_cast<const char*>(data), size);
}

void
ByteWriter::WriteNumber(uint64_t value)
{
    WriteRecord(value);
}

void
ByteWriter::WriteText(const std::string& text)
{
    WriteNumber(text.size());
    m_bytes += text;
}

std::string
ByteWriter::Finish()
{
    WriteNumber(Checksum(m_bytes));
    return std::exchange(m_bytes, {});
}

uint64_t
ByteWriter::Checksum(std::string_view bytes)
{
    constexpr uint64_t BASIS = 0xcbf29ce484222325;
    constexpr uint64_t PRIME = 0x100000001b3;
    uint64_t sum = BASIS;
    for (const char byte : bytes)
    {
        sum = (sum ^ static_cast<unsigned char>(byte)) * PRIME;
    }
    return sum;
}

} // namespace aifabric
} // namespace ns3
