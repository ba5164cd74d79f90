/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_OPTIONS_H
#define CHAKRA_OPTIONS_H

#include "chakra-groups.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How Chakra traces are read.
 */
struct ChakraOptions
{
    ChakraGroups groups;             //!< that nodes name; before those that the traces make
    std::vector<uint32_t> placement; //!< host by rank; empty: rank r runs on host r
    bool followsControl{false};      //!< whether control dependencies are waited for
    bool hasStreams{true};           //!< whether devices do one thing at a time per stream
    double operationsPerSecond{0};   //!< of a device; 0: not known
    double memoryBytesPerSecond{0};  //!< of its memory; 0: not known
};

/**
 * @ingroup ai-fabric
 *
 * What traces have and is left out.
 */
struct ChakraOmissions
{
    uint64_t control{0};   //!< control dependencies that are not followed
    uint64_t strangers{0}; //!< control dependencies on nodes that are not there
    uint64_t memory{0};    //!< memory nodes with a size and no duration
    uint64_t alone{0};     //!< collectives of groups of one rank
    uint64_t empty{0};     //!< collectives of 0 bytes
};

} // namespace aifabric
} // namespace ns3

#endif /* CHAKRA_OPTIONS_H */
