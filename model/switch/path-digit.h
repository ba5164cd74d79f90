/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_DIGIT_H
#define PATH_DIGIT_H

#include "ns3/path-choice.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @param sourcePort UDP source port of a packet: PathChoice::FIRST_PORT + the label of its path
 *        (PathView), or any other number, which names a path too
 * @param tier tier of a switch on the way up
 * @param leafUplinks uplinks of a leaf of the fabric
 * @param uplinks uplinks of the switch
 * @return the uplink that the switch takes, from 0 on
 */
inline uint32_t
GetPathDigit(uint16_t sourcePort, uint8_t tier, uint16_t leafUplinks, uint16_t uplinks)
{
    const auto label = static_cast<uint16_t>(sourcePort - PathChoice::FIRST_PORT);
    const uint32_t part = tier == 0 ? label % leafUplinks : label / leafUplinks;
    return part < uplinks ? part : part % uplinks;
}

} // namespace aifabric
} // namespace ns3

#endif /* PATH_DIGIT_H */
