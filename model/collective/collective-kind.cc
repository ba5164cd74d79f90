/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-kind.h"

#include <array>
#include <cstddef>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Names of the kinds, in their order.
constexpr std::array<const char*, 6> NAMES =
    {"all-reduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all", "send-receive"};

} // namespace

std::string
NameOf(CollectiveKind kind)
{
    return NAMES.at(static_cast<std::size_t>(kind));
}

std::optional<CollectiveKind>
FindCollectiveKind(const std::string& name)
{
    for (std::size_t i = 0; i < NAMES.size(); ++i)
    {
        if (name == NAMES.at(i))
        {
            return static_cast<CollectiveKind>(i);
        }
    }
    return std::nullopt;
}

} // namespace aifabric
} // namespace ns3
