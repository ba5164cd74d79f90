/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UNIFORM_INTEGER_H
#define UNIFORM_INTEGER_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * A source of randomness: called with n > 0, it returns an integer of 0..n-1, each equally likely.
 */
using UniformInteger = std::function<uint32_t(uint32_t)>;

/**
 * Shuffle, every order equally likely.
 *
 * @tparam T type of the values
 * @param values what is shuffled
 * @param uniform randomness
 */
template <typename T>
void
Shuffle(std::vector<T>& values, const UniformInteger& uniform)
{
    for (std::size_t left = values.size(); left > 1; --left)
    {
        std::swap(values[left - 1], values[uniform(static_cast<uint32_t>(left))]);
    }
}

} // namespace aifabric
} // namespace ns3

#endif /* UNIFORM_INTEGER_H */
