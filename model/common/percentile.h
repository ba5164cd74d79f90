/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PERCENTILE_H
#define PERCENTILE_H

#include <cstddef>

namespace ns3
{
namespace aifabric
{

/// @return the place of the 99th percentile among ascending values: that of the first one that at
/// least 99 % of them do not exceed  @param count how many there are, at least 1
constexpr std::size_t
PlaceOf99(std::size_t count)
{
    return (99 * count - 1) / 100;
}

} // namespace aifabric
} // namespace ns3

#endif /* PERCENTILE_H */
