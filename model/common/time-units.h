/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIME_UNITS_H
#define TIME_UNITS_H

namespace ns3
{
namespace aifabric
{

constexpr double PS_PER_NS = 1000;       //!< picoseconds, in which times are kept, of a nanosecond
constexpr double BIT_PS_PER_BYTE = 8e12; //!< divided by a rate in bit/s: ps a byte

} // namespace aifabric
} // namespace ns3

#endif /* TIME_UNITS_H */
