/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_TRACE_H
#define CHAKRA_TRACE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A node of a Chakra execution trace, as far as it is read (MLCommons Chakra, schema versions 0.0.4
 * and 1.0).
 */
struct ChakraNode
{
    /// What it is; the numbers are those of the schema's node types.
    enum Type : uint32_t
    {
        INVALID = 0,      //!< none
        METADATA = 1,     //!< says something of the trace
        MEMORY_LOAD = 2,  //!< reads memory
        MEMORY_STORE = 3, //!< writes memory
        COMPUTE = 4,      //!< computes
        SEND = 5,         //!< sends a message
        RECEIVE = 6,      //!< receives a message
        COLLECTIVE = 7,   //!< takes part in a collective
        STORAGE = 8,      //!< reads or writes files
        BATCH = 9,        //!< handles a batch
        CHECKPOINT = 10,  //!< saves a checkpoint
    };

    uint64_t id{0};                           //!< what dependencies name
    std::string name;                         //!< cut if it is long
    uint64_t type{INVALID};                   //!< what it is
    std::vector<uint64_t> dependencies;       //!< ids, of its data dependencies
    std::vector<uint64_t> callers;            //!< ids, of its control dependencies
    uint64_t durationMicros{0};               //!< how long it takes, in microseconds
    std::string inputs;                       //!< of METADATA: the values of its inputs
    std::map<std::string, int64_t> numbers;   //!< by name, those that are of use
    std::map<std::string, std::string> texts; //!< by name, those that are of use
    std::vector<uint64_t> splits;             //!< in_split_size: an all-to-all's, by receiver
    bool leavesOutDimension{false};           //!< whether involved_dim has a false in it
};

/// Most nodes of a trace of one rank.
constexpr std::size_t MAX_CHAKRA_NODES = 1'000'000;
/// Most dependencies of a trace of one rank.
constexpr std::size_t MAX_CHAKRA_DEPENDENCIES = 10'000'000;

/**
 * Read the trace of a rank: length-delimited protobuf messages, first the trace's metadata, then a
 * node each. What is not listed in ChakraNode is skipped.
 *
 * @param bytes the trace
 * @param name what to call it in messages, such as the file's name
 * @return the nodes, in order
 * @throws std::invalid_argument with one line that names the trace, the place and what is wrong;
 * without protobuf, one line that says so
 */
std::vector<ChakraNode> ParseChakraTrace(const std::string& bytes, const std::string& name);

} // namespace aifabric
} // namespace ns3

#endif /* CHAKRA_TRACE_H */
