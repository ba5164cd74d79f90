/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_DEMAND_H
#define TRAFFIC_DEMAND_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What one host sends to another.
 */
struct TrafficDemand
{
    uint32_t source{0};      //!< the sending host
    uint32_t destination{0}; //!< the receiving host
    double rate{0};          //!< its rate, as a share of the line rate of a host; above 0
};

} // namespace aifabric
} // namespace ns3

#endif /* TRAFFIC_DEMAND_H */
