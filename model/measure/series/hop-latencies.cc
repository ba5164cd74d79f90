/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hop-latencies.h"

#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* LATENCIES_TAG = "HopLatencies 1"; //!< the number is the version

} // namespace

void
HopLatencies::Merge(const HopLatencies& other)
{
    if (switches.size() != other.switches.size())
    {
        throw std::invalid_argument("latencies of different switches cannot be merged");
    }
    for (std::size_t i = 0; i < switches.size(); ++i)
    {
        switches[i].Merge(other.switches[i]);
    }
}

std::string
HopLatencies::Write() const
{
    ByteWriter writer(LATENCIES_TAG);
    writer.WriteNumber(switches.size());
    for (const LatencyHistogram& histogram : switches)
    {
        histogram.Write(writer);
    }
    return writer.Finish();
}

HopLatencies
HopLatencies::Read(const std::string& bytes)
{
    ByteReader reader(LATENCIES_TAG, bytes);
    HopLatencies latencies;
    for (uint64_t left = reader.ReadNumber(); left > 0; --left)
    {
        latencies.switches.push_back(LatencyHistogram::Read(reader));
    }
    reader.Finish();
    return latencies;
}

} // namespace aifabric
} // namespace ns3
