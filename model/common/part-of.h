/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PART_OF_H
#define PART_OF_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * Where a part begins if a whole is cut as evenly as integers allow.
 *
 * @param parts into how many parts, fewer than 2^32
 * @param part the number of a part; the number of parts for the end of the last
 * @return floor(whole * part / parts), of which no step overflows
 */
constexpr uint64_t
PartBegin(uint64_t whole, uint64_t parts, uint64_t part)
{
    return whole / parts * part + whole % parts * part / parts;
}

} // namespace aifabric
} // namespace ns3

#endif /* PART_OF_H */
