/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-kind.h"

#include "ns3/message-text.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// What is to be known of a kind.
struct KindTraits
{
    const char* name;   //!< its name
    uint32_t busFactor; //!< numerator of the bus factor, in (N-1)/N; 0: the factor is 1
    bool hasOwnBlocks;  //!< what a rank has is none of what others have
    bool hasRoot;       //!< one rank has or gets what the others have not
    bool hasParts;      //!< the data are parts of the ranks, put together
};

/// @return what is to be known of a kind
const KindTraits&
TraitsOf(CollectiveKind kind)
{
    static constexpr std::array<KindTraits, COLLECTIVE_KINDS.size()> TRAITS = {{
        {"all-reduce", 2, false, false, false},
        {"all-gather", 1, false, false, true},
        {"reduce-scatter", 1, false, false, true},
        {"broadcast", 0, false, true, false},
        {"all-to-all", 1, true, false, true},
        {"send-receive", 0, false, true, false},
        {"reduce", 0, false, true, false},
        {"gather", 1, false, true, true},
        {"scatter", 1, false, true, true},
        {"sendrecv", 0, true, false, false},
    }};
    return TRAITS.at(static_cast<std::size_t>(kind));
}

} // namespace

std::string
NameOf(CollectiveKind kind)
{
    return TraitsOf(kind).name;
}

std::optional<CollectiveKind>
FindCollectiveKind(const std::string& name)
{
    for (const CollectiveKind kind : COLLECTIVE_KINDS)
    {
        if (name == TraitsOf(kind).name)
        {
            return kind;
        }
    }
    return std::nullopt;
}

std::string
ListCollectiveKinds()
{
    std::vector<std::string> names(COLLECTIVE_KINDS.size());
    std::transform(COLLECTIVE_KINDS.begin(), COLLECTIVE_KINDS.end(), names.begin(), &NameOf);
    return Listed(names);
}

double
BusFactor(CollectiveKind kind, uint32_t ranks)
{
    if (ranks < 2)
    {
        return 0;
    }
    const uint32_t numerator = TraitsOf(kind).busFactor;
    return numerator == 0 ? 1 : numerator * (ranks - 1.0) / ranks;
}

bool
HasRoot(CollectiveKind kind)
{
    return TraitsOf(kind).hasRoot;
}

bool
HasParts(CollectiveKind kind)
{
    return TraitsOf(kind).hasParts;
}

std::string
ListRootedKinds()
{
    std::vector<std::string> names;
    for (const CollectiveKind kind : COLLECTIVE_KINDS)
    {
        if (HasRoot(kind))
        {
            names.push_back(NameOf(kind));
        }
    }
    return Listed(names);
}

uint64_t
BlockBytes(CollectiveKind kind, uint32_t ranks, uint64_t size)
{
    return TraitsOf(kind).hasOwnBlocks ? ranks * size : size;
}

} // namespace aifabric
} // namespace ns3
