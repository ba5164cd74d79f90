/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANGE_MAP_H
#define RANGE_MAP_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// The values that ReadRangeMap() accepts.
struct RangeMapLimits
{
    uint32_t least; //!< smallest value
    uint32_t most;  //!< largest value
};

/**
 * Read a map from small numbers to small numbers, such as "0-7:0,8-15:1,26:3". An entry is a key
 * or a range of keys, a colon and the value. No key may stand in two entries.
 *
 * @param text the map; empty: no entry
 * @param map the values by key before; keys without an entry keep theirs
 * @param limits the values that are allowed
 * @return the values by key
 * @throws std::invalid_argument if an entry is wrong; the message quotes the entry and says what is
 *         allowed, in one line
 */
std::vector<uint32_t> ReadRangeMap(const std::string& text,
                                   std::vector<uint32_t> map,
                                   const RangeMapLimits& limits);

/**
 * @param map values by key
 * @return the text that ReadRangeMap() reads, with neighbours of equal values in one range
 */
std::string WriteRangeMap(const std::vector<uint32_t>& map);

} // namespace aifabric
} // namespace ns3

#endif /* RANGE_MAP_H */
