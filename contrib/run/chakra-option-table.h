/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_OPTION_TABLE_H
#define CHAKRA_OPTION_TABLE_H

#include "option-table.h"

#include "ns3/chakra-options.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Add the options that say how Chakra traces are read.  @param table where to add them
void AddChakraOptions(OptionTable& table);

/// @return the names of these options
std::vector<std::string> ListChakraOptions();

/**
 * @param table the options as they were given
 * @param report where to say how they were given, for run.json
 * @return how Chakra traces are read, but where ranks are
 * @throws std::invalid_argument with one line that says which option cannot be accepted and why
 */
ChakraOptions ReadChakraOptions(const OptionTable& table, nlohmann::ordered_json& report);

} // namespace aifabric
} // namespace ns3

#endif /* CHAKRA_OPTION_TABLE_H */
