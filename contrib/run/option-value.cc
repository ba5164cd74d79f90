/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-value.h"

#include "ns3/message-text.h"
#include "ns3/printable.h"
#include "ns3/table-reader.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr double LARGEST = 1e18;              //!< beyond it, numbers do not fit
constexpr double MAX_TIME_PS = 1e15;          //!< 1000 s
constexpr std::size_t MAX_NUMBER_LENGTH = 30; //!< more digits than any number needs

using Units = std::map<std::string, double>; //!< how much a unit is of the smallest one

/// @param given a decimal number and a unit  @return the number in the smallest unit, if the text
/// is such
std::optional<double>
ParseQuantity(const std::string& given, const Units& units)
{
    const std::string text = ExpandExponent(given);
    const std::size_t end = text.find_first_not_of("0123456789.");
    const std::string digits = text.substr(0, end);
    const auto unit = units.find(end == std::string::npos ? "" : text.substr(end));
    const std::optional<double> number = ParseNumber(digits);
    if (!number || unit == units.end() || *number * unit->second > LARGEST)
    {
        return std::nullopt;
    }
    return *number * unit->second;
}

/// @param text a decimal number, and one of some units behind k, M, G, T, P or E, or without unit
/// @return the number in that unit, if the text is such
std::optional<double>
ParseMetric(const std::string& text, const std::vector<std::string>& units)
{
    constexpr double THOUSAND = 1000;
    Units known = {{"", 1}};
    for (const std::string& unit : units)
    {
        double factor = 1;
        for (const char* const prefix : {"", "k", "M", "G", "T", "P", "E"})
        {
            known[prefix + unit] = factor;
            factor *= THOUSAND;
        }
    }
    return ParseQuantity(text, known);
}

/// @return a number that is whole but for the noise of decimals, as an integer, if it is
/// @param value the number
std::optional<uint64_t>
WholeNumber(std::optional<double> value)
{
    constexpr double NOISE = 1e-9;
    if (!value || std::abs(*value - std::round(*value)) > NOISE * (1 + *value))
    {
        return std::nullopt;
    }
    return static_cast<uint64_t>(std::llround(*value));
}

} // namespace

OptionError::OptionError(const std::string& name,
                         const std::string& value,
                         const std::string& allowed)
    : std::invalid_argument("--" + Printable(name) + "=" + Printable(value) + ": " + allowed)
{
}

std::string
OptionError::OneOf(const std::string& value,
                   const std::vector<std::string>& known,
                   const std::string& other)
{
    if (known.empty())
    {
        return other + ", or one of --library";
    }
    return "one of " + Listed(known, known.size()) + (other.empty() ? "" : ", or " + other) +
           Hint(value, known);
}

void
OptionError::ThrowIf(bool isWrong,
                     const std::string& name,
                     const std::string& value,
                     const std::string& allowed)
{
    if (isWrong)
    {
        throw OptionError(name, value, allowed);
    }
}

std::string
NameOption(const std::string& message)
{
    const std::string line = OneLine(message);
    const std::size_t colons = std::min(line.find("::"), line.size());
    const std::size_t attribute = std::min(colons + 2, line.size());
    const std::size_t end = line.find_first_of(":=", attribute);
    TypeId type;
    TypeId::AttributeInformation information;
    const bool isAttribute =
        end != std::string::npos &&
        TypeId::LookupByNameFailSafe("ns3::aifabric::" + line.substr(0, colons), &type) &&
        type.LookupAttributeByName(line.substr(attribute, end - attribute), &information);
    return isAttribute ? "--ns3::aifabric::" + line : line;
}

std::optional<int64_t>
ParseInteger(const std::string& text)
{
    int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (text.empty() || result.ec != std::errc() || result.ptr != end)
    {
        return std::nullopt;
    }
    return value;
}

std::optional<int64_t>
ParseWhole(const std::string& text)
{
    const std::string plain = ExpandExponent(text);
    const std::size_t point = plain.find('.');
    const bool hasZeros = point != std::string::npos && point + 1 < plain.size() &&
                          plain.find_first_not_of('0', point + 1) == std::string::npos;
    return ParseInteger(hasZeros ? plain.substr(0, point) : plain);
}

std::optional<double>
ParseNumber(const std::string& given)
{
    const std::string text = ExpandExponent(given);
    const bool isDecimal = !text.empty() && given.size() <= MAX_NUMBER_LENGTH &&
                           text.find_first_not_of("0123456789.") == std::string::npos &&
                           text.find('.') == text.rfind('.') && text.front() != '.' &&
                           text.back() != '.';
    if (!isDecimal)
    {
        return std::nullopt;
    }
    return std::strtod(text.c_str(), nullptr);
}

std::optional<uint64_t>
ParseRate(const std::string& text)
{
    static const Units UNITS = {{"bps", 1},
                                {"b/s", 1},
                                {"kbps", 1e3},
                                {"kb/s", 1e3},
                                {"Mbps", 1e6},
                                {"Mb/s", 1e6},
                                {"Gbps", 1e9},
                                {"Gb/s", 1e9},
                                {"Tbps", 1e12},
                                {"Tb/s", 1e12}};
    return WholeNumber(ParseQuantity(text, UNITS));
}

bool
IsLinkRate(uint64_t rate)
{
    constexpr uint64_t MIN_RATE = 1'000'000;                // bit/s
    constexpr uint64_t PS_BIT_PER_BYTE = 8'000'000'000'000; // divided by bit/s: ps a byte
    return rate >= MIN_RATE && PS_BIT_PER_BYTE % rate == 0;
}

std::optional<double>
ParseOperationRate(const std::string& text)
{
    return ParseMetric(text, {"FLOPS", "FLOP/s", "flops", "flop/s", "OPS", "op/s"});
}

std::optional<double>
ParseByteRate(const std::string& text)
{
    constexpr double BITS = 8; // of a byte
    const std::optional<double> bytes = ParseMetric(text, {"B/s", "Bps"});
    const std::optional<uint64_t> bits = ParseRate(text);
    return bytes || !bits ? bytes : std::make_optional(static_cast<double>(*bits) / BITS);
}

std::optional<int64_t>
ParseTime(const std::string& text)
{
    static const Units UNITS = {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};
    const std::optional<double> time =
        text == "0" ? std::optional<double>(0) : ParseQuantity(text, UNITS);
    if (!time || *time > MAX_TIME_PS)
    {
        return std::nullopt;
    }
    return std::llround(*time);
}

std::optional<TimeRange>
ParseTimeRange(const std::string& text)
{
    std::size_t dash = text.find('-');
    while (dash != std::string::npos && dash > 0 && std::tolower(text[dash - 1]) == 'e')
    {
        dash = text.find('-', dash + 1); // of an exponent
    }
    const std::optional<int64_t> start = ParseTime(text.substr(0, dash));
    TimeRange range{start.value_or(0), std::nullopt};
    if (dash != std::string::npos)
    {
        range.stopPs = ParseTime(text.substr(dash + 1));
    }
    const bool ends = dash == std::string::npos || (range.stopPs && *range.stopPs > range.startPs);
    return start && ends ? std::optional(range) : std::nullopt;
}

std::optional<uint32_t>
ParseHost(const std::string& text, uint32_t hosts)
{
    const std::string prefix = "host-";
    const bool isHost = text.compare(0, prefix.size(), prefix) == 0;
    const int64_t host = isHost ? ParseInteger(text.substr(prefix.size())).value_or(-1) : -1;
    return host >= 0 && host < hosts ? std::optional(static_cast<uint32_t>(host)) : std::nullopt;
}

} // namespace aifabric
} // namespace ns3
