/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-file.h"

#include "ns3/csv-writer.h"

#include <cmath>
#include <fstream>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

using nlohmann::ordered_json;

/// Round all numbers to the digits of FormatNumber().  @param [in,out] json what has them
void
Round(ordered_json& json)
{
    for (ordered_json& value : json)
    {
        if (value.is_structured())
        {
            Round(value);
        }
        else if (value.is_number_float() && std::isfinite(value.get<double>()))
        {
            value = ordered_json::parse(FormatNumber(value.get<double>()));
        }
    }
}

} // namespace

std::string
DumpJson(ordered_json json, int indent)
{
    Round(json);
    return json.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

void
WriteJson(const std::string& path, const ordered_json& json)
{
    constexpr int INDENT = 2;
    std::ofstream file(path);
    file << DumpJson(json, INDENT) << "\n";
    file.close();
    if (!file)
    {
        throw std::runtime_error(path + ": cannot be written");
    }
}

} // namespace aifabric
} // namespace ns3
