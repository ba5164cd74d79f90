/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "iwrr-schedule.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

std::vector<uint32_t>
RandomOrder(uint32_t size, const DrawBelow& draw)
{
    std::vector<uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t left = size; left > 1; --left)
    {
        std::swap(order[left - 1], order[draw(left)]);
    }
    return order;
}

std::vector<uint32_t>
InterleavedSchedule(const std::vector<uint32_t>& weights, const std::vector<uint32_t>& order)
{
    uint32_t divisor = 0;
    uint32_t largest = 0;
    for (const uint32_t weight : weights)
    {
        divisor = std::gcd(divisor, weight);
        largest = std::max(largest, weight);
    }
    std::vector<uint32_t> schedule;
    for (uint64_t served = 0; served < largest; served += divisor)
    {
        std::copy_if(order.begin(), order.end(), std::back_inserter(schedule), [&](uint32_t port) {
            return weights[port] > served;
        });
    }
    return schedule;
}

} // namespace aifabric
} // namespace ns3
