/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef KEEP_EVERY_OTHER_H
#define KEEP_EVERY_OTHER_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Keep every other group of values, from the first one on.  @tparam T of a value
/// @param [in,out] values the values; none stay none  @param size of a group
template <typename T>
void
KeepEveryOther(std::vector<T>& values, std::size_t size, std::size_t groups)
{
    if (values.empty())
    {
        return;
    }
    for (std::size_t kept = 0; 2 * kept < groups; ++kept)
    {
        std::copy_n(values.begin() + 2 * kept * size, size, values.begin() + kept * size);
    }
    values.resize((groups + 1) / 2 * size);
}

} // namespace aifabric
} // namespace ns3

#endif /* KEEP_EVERY_OTHER_H */
