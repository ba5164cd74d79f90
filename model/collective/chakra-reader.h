/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_READER_H
#define CHAKRA_READER_H

#include "training-workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Read the Chakra execution traces of a run, a file a rank: PREFIX.0.et, PREFIX.1.et and so on.
 * Rank r runs on host r. doc/training.rst says what is read and what is not.
 *
 * @param prefix how the files' names begin
 * @param hosts number of hosts, at least as many as there are files
 * @param groups process groups that nodes name by pg_name; one of all ranks needs no name
 * @return the workload, checked
 * @throws std::invalid_argument with one line that names the file, the node and what is wrong
 */
TrainingWorkload ReadChakraTraces(const std::string& prefix,
                                  uint32_t hosts,
                                  const std::vector<Communicator>& groups = {});

} // namespace aifabric
} // namespace ns3

#endif /* CHAKRA_READER_H */
