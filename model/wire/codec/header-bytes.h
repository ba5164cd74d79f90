/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HEADER_BYTES_H
#define HEADER_BYTES_H

#include "ns3/buffer.h"
#include "ns3/header.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// Write a header.  @param [in,out] i where; then, behind it
inline void
WriteHeader(Buffer::Iterator& i, const Header& header)
{
    header.Serialize(i);
    i.Next(header.GetSerializedSize());
}

/// Read a header.  @param [in,out] i its first byte; then, behind it  @return the header
template <class T>
T
ReadHeader(Buffer::Iterator& i)
{
    T header;
    i.Next(header.Deserialize(i));
    return header;
}

/// @return a buffer that holds some bytes  @param bytes the first one  @param size how many
inline Buffer
MakeBuffer(const uint8_t* bytes, uint32_t size)
{
    Buffer buffer;
    buffer.AddAtStart(size);
    buffer.Begin().Write(bytes, size);
    return buffer;
}

} // namespace aifabric
} // namespace ns3

#endif /* HEADER_BYTES_H */
