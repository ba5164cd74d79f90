/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_FILE_H
#define JSON_FILE_H

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * Write a JSON file. Numbers have at most 15 significant digits, as in CSV files (FormatNumber());
 * one that is not finite becomes null. Bytes that are not UTF-8 become U+FFFD.
 *
 * @param path the file
 * @param json what to write
 * @throws std::runtime_error if it cannot be written
 */
void WriteJson(const std::string& path, nlohmann::ordered_json json);

} // namespace aifabric
} // namespace ns3

#endif /* JSON_FILE_H */
