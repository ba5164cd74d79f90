/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACING_H
#define PACING_H

#include "time-units.h"

#include "ns3/abort.h"
#include "ns3/data-rate.h"

#include <cmath>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Time that a rate gives to a byte, in picoseconds times 2^16.
 */
class Pacing
{
  public:
    /// @return that time, rounded up  @param rate the rate, at least 1 bit/s
    static int64_t Of(DataRate rate)
    {
        NS_ABORT_MSG_IF(rate.GetBitRate() == 0,
                        "Pacing: the rate of data is less than 1 bit/s; see RateFraction, "
                        "DataRateFraction, and the DataRate of its port");
        const double pacing = BIT_PS_PER_BYTE * (1 << 16) / rate.GetBitRate();
        return std::ceil(pacing * (1 - 1e-12)); // what is whole may not look so in binary
    }

    /**
     * @param bytes bytes, gaps included
     * @param pacing time that a rate gives to a byte
     * @return time that it gives to all of them, in picoseconds, rounded up
     */
    static int64_t Spread(uint32_t bytes, int64_t pacing)
    {
        // in two parts, because the product may not fit
        const int64_t rest = pacing & 0xFFFF;
        return bytes * (pacing >> 16) + ((bytes * rest + 0xFFFF) >> 16);
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* PACING_H */
