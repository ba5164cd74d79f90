/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERIALIZATION_TIME_H
#define SERIALIZATION_TIME_H

#include "ns3/data-rate.h"
#include "ns3/int64x64.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * As DataRate::CalculateBytesTxTime(), which before ns-3.37 overflows where times count
 * femtoseconds.
 *
 * @param rate a rate above 0
 * @param bytes bytes on the wire
 * @return how long they take to leave at the rate
 */
inline Time
SerializationTime(const DataRate& rate, uint32_t bytes)
{
    return Seconds(int64x64_t(8 * uint64_t{bytes}) / int64x64_t(rate.GetBitRate()));
}

} // namespace aifabric
} // namespace ns3

#endif /* SERIALIZATION_TIME_H */
