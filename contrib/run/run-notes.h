/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_NOTES_H
#define RUN_NOTES_H

#include "option-table.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// The options that say how a run is computed, what it prints, and where its options stand; they
/// change no result.
extern const std::vector<std::string> HOW;

/// @return what was given, by the names of options and attributes, without those of HOW, seeds, and
/// what does not belong to the scenario, such as --out
nlohmann::ordered_json ListGiven(const OptionTable& table);

/// @return the files that the run reads, by option: the value as seen from the folder for results,
/// and the digest of each file
nlohmann::ordered_json DescribeInputs(const OptionTable& table, const FabricScenario& scenario);

/// @return the defaults of attributes that are not those of their classes, whoever has set them:
/// the user, a preset, a stack, a transport, or another option. Those of simulators are left out.
nlohmann::ordered_json ListSetAttributes();

/// @return a TOML scenario with what was given, each with a comment
/// @param given what ListGiven() has found before presets were applied
/// @param path where it will be, to which paths are relative
std::string WriteOptions(const OptionTable& table,
                         const nlohmann::ordered_json& given,
                         const std::string& path);

} // namespace aifabric
} // namespace ns3

#endif /* RUN_NOTES_H */
