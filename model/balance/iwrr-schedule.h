/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IWRR_SCHEDULE_H
#define IWRR_SCHEDULE_H

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// A random integer: called with n, it returns one of 0 to n - 1 with equal probability.
using DrawBelow = std::function<uint32_t(uint32_t)>;

/**
 * @param size how many numbers
 * @param draw the source of randomness
 * @return the numbers 0 to size - 1 in a random order, all orders equally likely
 */
std::vector<uint32_t> RandomOrder(uint32_t size, const DrawBelow& draw);

/**
 * One round of an interleaved weighted round robin (arXiv 2507.21372, appendix F): the weights are
 * divided by their greatest common divisor; in turn r = 1, 2, ... each port whose weight is r or
 * more is served once.
 *
 * @param weights the weights of the ports
 * @param order the ports in the order of service: each number below weights.size() once
 * @return the ports as they are served; each as often as its divided weight says
 */
std::vector<uint32_t> InterleavedSchedule(const std::vector<uint32_t>& weights,
                                          const std::vector<uint32_t>& order);

} // namespace aifabric
} // namespace ns3

#endif /* IWRR_SCHEDULE_H */
