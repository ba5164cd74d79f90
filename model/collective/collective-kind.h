/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_KIND_H
#define COLLECTIVE_KIND_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a group of ranks wants to have at the end.
 *
 * The *size* of a collective is that of nccl-tests. It is the vector that each rank has or gets
 * with ALL_REDUCE, BROADCAST, SEND_RECEIVE, REDUCE and SENDRECV, and the parts of all ranks
 * together, N parts, with ALL_GATHER (each rank begins with one part and ends with all),
 * REDUCE_SCATTER (begins with N, ends with one), ALL_TO_ALL (has one part for each rank, itself
 * included), GATHER (the root ends with all) and SCATTER (the root begins with all).
 */
enum class CollectiveKind : uint8_t
{
    ALL_REDUCE,     //!< each rank gets the sum of the vectors of all
    ALL_GATHER,     //!< each rank gets the parts of all
    REDUCE_SCATTER, //!< each rank gets one part of the sum of the vectors of all
    BROADCAST,      //!< each rank gets the vector of the root
    ALL_TO_ALL,     //!< each rank gets from each other the part that is meant for it
    SEND_RECEIVE,   //!< the rank after the root, or rank 0 after the last, gets the root's vector
    REDUCE,         //!< the root gets the sum of the vectors of all
    GATHER,         //!< the root gets the parts of all
    SCATTER,        //!< each rank gets its part of the vector of the root
    SENDRECV,       //!< each rank gets the vector of the rank before it, rank 0 that of the last
};

/// All kinds.
constexpr std::array<CollectiveKind, 10> COLLECTIVE_KINDS = {CollectiveKind::ALL_REDUCE,
                                                             CollectiveKind::ALL_GATHER,
                                                             CollectiveKind::REDUCE_SCATTER,
                                                             CollectiveKind::BROADCAST,
                                                             CollectiveKind::ALL_TO_ALL,
                                                             CollectiveKind::SEND_RECEIVE,
                                                             CollectiveKind::REDUCE,
                                                             CollectiveKind::GATHER,
                                                             CollectiveKind::SCATTER,
                                                             CollectiveKind::SENDRECV};

/// @return the name of a kind, such as "all-reduce"
std::string NameOf(CollectiveKind kind);

/// @return the kind of a name; none if there is no such kind  @param name such as "all-reduce"
std::optional<CollectiveKind> FindCollectiveKind(const std::string& name);

/// @return the names of all kinds, separated by commas
std::string ListCollectiveKinds();

/// @return whether one rank has or gets what the others have not
bool HasRoot(CollectiveKind kind);

/// @return whether the size is that of a part for each rank together
bool HasParts(CollectiveKind kind);

/// @return the names of all kinds that have a root, separated by commas
std::string ListRootedKinds();

/**
 * The bus bandwidth of a collective is its size, divided by its time, times this factor: it can be
 * compared with the speed of a NIC, whatever the number of ranks (nccl-tests, doc/PERFORMANCE.md).
 *
 * @param ranks number of ranks, N
 * @return 2(N-1)/N for ALL_REDUCE; (N-1)/N for ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER and
 *         SCATTER; otherwise 1, or 0 with one rank, which moves nothing
 */
double BusFactor(CollectiveKind kind, uint32_t ranks);

/**
 * The bytes that the blocks of a collective stand for (CollectiveAlgorithm). These are the bytes of
 * its size, but with ALL_TO_ALL and SENDRECV, where each rank has as many of its own.
 *
 * @param size size of the collective, in bytes
 * @return bytes of all blocks of all lanes
 */
uint64_t BlockBytes(CollectiveKind kind, uint32_t ranks, uint64_t size);

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_KIND_H */
