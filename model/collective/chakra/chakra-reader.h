/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_READER_H
#define CHAKRA_READER_H

#include "chakra-options.h"

#include "ns3/training-workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a run's Chakra traces say.
 */
struct ChakraWorkload
{
    TrainingWorkload training;      //!< what is done, checked
    std::vector<std::string> notes; //!< what is left out, a line each
};

/**
 * Read the Chakra execution traces of a run, a file a rank: PREFIX.0.et, PREFIX.1.et and so on.
 * doc/training.rst says what is read and what is not.
 *
 * @param prefix how the files' names begin
 * @param hosts number of hosts, at least as many as there are files
 * @param options how they are read
 * @return what they say
 * @throws std::invalid_argument with one line that names the file, the node and what is wrong
 */
ChakraWorkload ReadChakraTraces(const std::string& prefix,
                                uint32_t hosts,
                                const ChakraOptions& options = {});

} // namespace aifabric
} // namespace ns3

#endif /* CHAKRA_READER_H */
