/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CODEC_RESULT_H
#define CODEC_RESULT_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// How a deserialization ended.
enum class CodecResult : uint8_t
{
    OK,           //!< there is a frame
    TRUNCATED,    //!< the bytes end before the headers or their lengths say
    BAD_LENGTH,   //!< lengths contradict each other
    BAD_CHECKSUM, //!< the IPv4 header checksum of a RoCE packet is wrong
    BAD_ICRC,     //!< the invariant CRC of a RoCE packet is wrong
    UNSUPPORTED,  //!< a protocol, option, opcode or address that the fabric does not know
};

} // namespace aifabric
} // namespace ns3

#endif /* CODEC_RESULT_H */
