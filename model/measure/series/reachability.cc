/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reachability.h"

#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* REACHABILITY_TAG = "Reachability 1"; //!< the number is the version

/// Add results.  @param [in,out] sum where  @param pair what is added
void
Add(Reachability::Pair& sum, const Reachability::Pair& pair)
{
    sum.sent += pair.sent;
    sum.lost += pair.lost;
    sum.alerts += pair.alerts;
    sum.roundTrips.Merge(pair.roundTrips);
}

} // namespace

Reachability::Pair
Reachability::Sum() const
{
    Pair sum;
    for (const Pair& pair : pairs)
    {
        Add(sum, pair);
    }
    return sum;
}

void
Reachability::Merge(const Reachability& other)
{
    if (racks != other.racks || pairs.size() != other.pairs.size())
    {
        throw std::invalid_argument("probes of different fabrics cannot be merged");
    }
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        Add(pairs[i], other.pairs[i]);
    }
}

std::string
Reachability::Write() const
{
    ByteWriter writer(REACHABILITY_TAG);
    writer.WriteRecords(racks);
    for (const Pair& pair : pairs)
    {
        writer.WriteNumber(pair.sent);
        writer.WriteNumber(pair.lost);
        writer.WriteNumber(pair.alerts);
        pair.roundTrips.Write(writer);
    }
    return writer.Finish();
}

Reachability
Reachability::Read(const std::string& bytes)
{
    ByteReader reader(REACHABILITY_TAG, bytes);
    Reachability results;
    results.racks = reader.ReadRecords<uint64_t>();
    for (std::size_t left = results.racks.size() * results.racks.size(); left > 0; --left)
    {
        Pair& pair = results.pairs.emplace_back();
        pair.sent = reader.ReadNumber();
        pair.lost = reader.ReadNumber();
        pair.alerts = reader.ReadNumber();
        pair.roundTrips = LatencyHistogram::Read(reader);
    }
    reader.Finish();
    return results;
}

} // namespace aifabric
} // namespace ns3
