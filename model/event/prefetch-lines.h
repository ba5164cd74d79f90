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

/// Get the cache line of an address, which will be changed, into the cache. GCC takes a function
/// that does nothing but __builtin_prefetch() for one without an effect, and removes calls of it:
/// the empty assembly is an effect.
inline void
PrefetchLine(const void* address)
{
    __builtin_prefetch(address, 1);
    asm volatile("");
}

/// The same with the first lines of an object.
inline void
PrefetchLines(const void* object, uint32_t lines)
{
    constexpr uint32_t LINE = 64;
    for (uint32_t i = 0; i < lines; ++i)
    {
        PrefetchLine(static_cast<const char*>(object) + i * LINE);
    }
}

} // namespace aifabric
} // namespace ns3

#endif /* PREFETCH_LINES_H */
