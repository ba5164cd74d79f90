/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-text.h"

#include "ns3/table-reader.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>

namespace ns3
{
namespace aifabric
{

namespace
{

using Units = std::map<std::string_view, uint64_t>; //!< how much a unit is of the smallest one

/**
 * @param decimals what stands behind the point of a number, without zeros at its end
 * @param unit how much a unit is of the smallest one
 * @return what they are of the unit, in the smallest one, if that is whole
 */
std::optional<uint64_t>
PartOf(const std::string& decimals, uint64_t unit)
{
    constexpr std::size_t MAX_DECIMALS = 18; // of 64 bits
    if (decimals.empty())
    {
        return 0;
    }
    const auto numerator = ParseDigits(decimals);
    if (!numerator || decimals.size() > MAX_DECIMALS)
    {
        return std::nullopt;
    }
    uint64_t denominator = 1;
    for (std::size_t i = 0; i < decimals.size(); ++i)
    {
        denominator *= 10;
    }
    const uint64_t common = std::gcd(denominator, unit);
    denominator /= common;
    if (*numerator % denominator != 0)
    {
        return std::nullopt;
    }
    return *numerator / denominator * (unit / common);
}

/**
 * @param given a decimal number and a unit
 * @return the number in the smallest unit, if the text is such, and whole, and less than 2^63
 */
std::optional<uint64_t>
ParseQuantity(std::string_view given, const Units& units)
{
    const std::string plain = ExpandExponent(given);
    const std::string_view text = plain;
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string_view number = text.substr(0, end);
    const std::size_t point = std::min(number.find('.'), number.size());
    std::string decimals(number.substr(std::min(point + 1, number.size())));
    const auto unit = units.find(text.substr(end));
    const auto whole = ParseDigits(number.substr(0, point));
    if (unit == units.end() || !whole || (point < number.size() && decimals.empty()))
    {
        return std::nullopt;
    }
    decimals.erase(decimals.find_last_not_of('0') + 1);
    const auto part = PartOf(decimals, unit->second);
    if (!part)
    {
        return std::nullopt;
    }
    if (*whole > (static_cast<uint64_t>(INT64_MAX) - *part) / unit->second)
    {
        return std::nullopt;
    }
    return *whole * unit->second + *part;
}

} // namespace

std::optional<uint64_t>
ParseBytes(std::string_view text)
{
    constexpr uint64_t KI = 1024;
    static const Units UNITS = {{"", 1},
                                {"B", 1},
                                {"kB", 1'000},
                                {"KB", 1'000},
                                {"MB", 1'000'000},
                                {"GB", 1'000'000'000},
                                {"TB", 1'000'000'000'000},
                                {"KiB", KI},
                                {"MiB", KI * KI},
                                {"GiB", KI * KI * KI},
                                {"TiB", KI * KI * KI * KI}};
    return ParseQuantity(text, UNITS);
}

std::optional<int64_t>
ParseDuration(std::string_view text)
{
    static const Units UNITS = {{"ps", 1},
                                {"ns", 1'000},
                                {"us", 1'000'000},
                                {"ms", 1'000'000'000},
                                {"s", 1'000'000'000'000}};
    const auto time = text == "0" ? std::optional<uint64_t>(0) : ParseQuantity(text, UNITS);
    return time ? std::optional<int64_t>(static_cast<int64_t>(*time)) : std::nullopt;
}

} // namespace aifabric
} // namespace ns3
