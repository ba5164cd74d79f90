/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREFETCH_LINES_H
#define PREFETCH_LINES_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// Prefetch the first cache lines of an object that will be changed.
inline void
PrefetchLines(const void* object, uint32_t lines)
{
    constexpr uint32_t LINE = 64;
    for (uint32_t i = 0; i < lines; ++i)
    {
        __builtin_prefetch(static_cast<const char*>(object) + i * LINE, 1);
    }
}

} // namespace aifabric
} // namespace ns3

#endif /* PREFETCH_LINES_H */
