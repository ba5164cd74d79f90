/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_KIND_H
#define COLLECTIVE_KIND_H

#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the ranks of a communicator do together.
 */
enum class CollectiveKind
{
    ALL_REDUCE,     //!< all get the sum of all vectors
    ALL_GATHER,     //!< all get the parts of all
    REDUCE_SCATTER, //!< each gets its part of the sum of all vectors
    BROADCAST,      //!< all get the vector of one
    ALL_TO_ALL,     //!< each gets a part of its own from each other
    SEND_RECEIVE,   //!< each sends its vector to the next, the last one to the first
};

/// @return the name of a kind, such as all-reduce  @param kind the kind
std::string NameOf(CollectiveKind kind);

/// @return the kind of a name, if there is one  @param name the name, such as all-reduce
std::optional<CollectiveKind> FindCollectiveKind(const std::string& name);

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_KIND_H */
