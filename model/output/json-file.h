/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_FILE_H
#define JSON_FILE_H

#include <nlohmann/json.hpp>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * Make a text of JSON. Numbers have at most 15 significant digits, as in CSV files
 * (FormatNumber()); one that is not finite becomes null. Bytes that are not UTF-8 become U+FFFD.
 *
 * @param json what becomes a text
 * @param indent by how much each level is indented; -1: all is one line
 * @return the text
 */
std::string DumpJson(nlohmann::ordered_json json, int indent = -1);

/**
 * Write a JSON file, as DumpJson() makes its text.
 *
 * @param path the file
 * @param json what to write
 * @throws std::runtime_error if it cannot be written
 */
void WriteJson(const std::string& path, const nlohmann::ordered_json& json);

} // namespace aifabric
} // namespace ns3

#endif /* JSON_FILE_H */
