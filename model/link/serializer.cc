/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "serializer.h"

#include "ns3/abort.h"

#include <limits>

namespace ns3
{
namespace aifabric
{

void
Serializer::SetTiming(int64_t stepsPerByte, int64_t gap)
{
    constexpr int64_t most = std::numeric_limits<int64_t>::max() >> 16; // of the largest frame
    NS_ABORT_MSG_IF(stepsPerByte > most,
                    "FabricTransmitter: too slow to tell when a frame is sent");
    NS_ABORT_MSG_IF(gap > std::numeric_limits<uint32_t>::max(),
                    "FabricTransmitter: a gap of " << gap << " picoseconds; the most is 2^32 - 1");
    m_stepsPerByte = stepsPerByte;
    m_gap = gap;
}

} // namespace aifabric
} // namespace ns3
