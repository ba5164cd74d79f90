/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "part-skew.h"

#include "workload-check.h"
#include "workload-text.h"

#include "ns3/message-text.h"
#include "ns3/part-of.h"
#include "ns3/table-reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Refuse a line.  @param name of the text  @param line its number  @param why what is wrong
[[noreturn]] void
FailLine(const std::string& name, std::size_t line, const std::string& why)
{
    throw std::invalid_argument(name + ":" + std::to_string(line) + ": " + why);
}

/// @return the bytes of a line  @param text the line  @param name of the text  @param line number
std::vector<uint64_t>
ReadRow(std::string text, const std::string& name, std::size_t line)
{
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream fields(text);
    std::vector<uint64_t> row;
    for (std::string field; fields >> field;)
    {
        const auto bytes = ParseBytes(field);
        if (!bytes || *bytes > MAX_WORKLOAD_BYTES)
        {
            FailLine(name,
                     line,
                     Quoted(field) + " is not a number of bytes, such as 4096 or 6MiB (0.." +
                         std::to_string(MAX_WORKLOAD_BYTES) + ")");
        }
        row.push_back(*bytes);
    }
    return row;
}

/// @return the share of the bytes that each rank up to one gets by Zipf's law, by rank
std::vector<double>
ZipfShares(uint32_t ranks, double exponent)
{
    std::vector<double> shares(ranks);
    double sum = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        sum += std::pow(rank + 1.0, -exponent);
        shares[rank] = sum;
    }
    for (double& share : shares)
    {
        share /= sum;
    }
    return shares;
}

} // namespace

std::optional<PartSkew>
ParsePartSkew(const std::string& text)
{
    constexpr double MOST_FACTOR = 1e6;
    constexpr double MOST_EXPONENT = 100;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string name = text.substr(0, colon);
    const std::string number = text.substr(std::min(colon + 1, text.size()));
    PartSkew skew;
    skew.kind = name == "hot" ? PartSkew::Kind::HOT : PartSkew::Kind::ZIPF;
    const double most = name == "hot" ? MOST_FACTOR : MOST_EXPONENT;
    const bool isNumber =
        !number.empty() && number.find_first_not_of("0123456789.eE+-") == std::string::npos;
    char* end = nullptr;
    skew.value = isNumber ? std::strtod(number.c_str(), &end) : -1;
    const bool isWhole = isNumber && *end == '\0';
    const bool isKnown = name == "hot" || name == "zipf";
    const bool isRight = isKnown && isWhole && skew.value >= 0 && skew.value <= most;
    return isRight ? std::optional<PartSkew>(skew) : std::nullopt;
}

PartSizes
SkewParts(const PartSkew& skew, uint32_t ranks, uint64_t bytes)
{
    std::vector<uint64_t> parts(ranks);
    if (skew.kind == PartSkew::Kind::HOT)
    {
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            parts[rank] = PartBegin(bytes, ranks, rank + 1) - PartBegin(bytes, ranks, rank);
        }
        const double hot = std::round(static_cast<double>(parts[0]) * skew.value);
        parts[0] = static_cast<uint64_t>(hot);
        return PartSizes::ByReceiver(parts);
    }
    uint64_t begin = 0;
    const std::vector<double> shares = ZipfShares(ranks, skew.value);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const double end = std::round(shares[rank] * static_cast<double>(bytes));
        parts[rank] = static_cast<uint64_t>(end) - begin;
        begin += parts[rank];
    }
    return PartSizes::ByReceiver(parts);
}

PartSizes
ReadPartSizes(std::istream& input, const std::string& name, uint32_t ranks)
{
    std::vector<uint64_t> bytes;
    std::size_t number = 0;
    for (std::string line; std::getline(input, line);)
    {
        ++number;
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line[begin] == '#')
        {
            continue;
        }
        const std::vector<uint64_t> row = ReadRow(line, name, number);
        if (bytes.size() == std::size_t{ranks} * ranks)
        {
            FailLine(name, number, "more lines than the " + std::to_string(ranks) + " ranks");
        }
        if (row.size() != ranks)
        {
            FailLine(name,
                     number,
                     std::to_string(row.size()) + " numbers, of " + std::to_string(ranks) +
                         " ranks; a line has the bytes that a rank has for each");
        }
        if (std::accumulate(row.begin(), row.end(), uint64_t{0}) > MAX_WORKLOAD_BYTES)
        {
            FailLine(name,
                     number,
                     "a rank has more bytes than " + std::to_string(MAX_WORKLOAD_BYTES));
        }
        bytes.insert(bytes.end(), row.begin(), row.end());
    }
    if (bytes.size() != std::size_t{ranks} * ranks)
    {
        throw std::invalid_argument(name + ": has " + std::to_string(bytes.size() / ranks) +
                                    " lines with numbers, of " + std::to_string(ranks) + " ranks");
    }
    return {ranks, std::move(bytes)};
}

PartSizes
ReadPartSizesFile(const std::string& path, uint32_t ranks)
{
    auto input = OpenTable(path);
    return ReadPartSizes(input, path, ranks);
}

} // namespace aifabric
} // namespace ns3
