/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "size-distribution.h"

#include "flow-list.h"

#include "ns3/table-reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return a number from 0 to 1 with or without decimals, if the text is one
std::optional<double>
ParseProbability(std::string_view text)
{
    const std::string number = ExpandExponent(text);
    const bool isPlain = !number.empty() && text.size() <= 20 &&
                         number.find_first_not_of("0123456789.") == std::string::npos &&
                         std::count(number.begin(), number.end(), '.') <= 1 && number != ".";
    const double value = isPlain ? std::stod(number) : -1;
    return value >= 0 && value <= 1 ? std::optional<double>(value) : std::nullopt;
}

} // namespace

SizeDistribution::SizeDistribution(std::vector<Point> points)
    : m_points(std::move(points))
{
    if (m_points.empty() || m_points.back().probability != 1)
    {
        throw std::invalid_argument("the last probability of a size distribution must be 1");
    }
    for (std::size_t i = 0; i + 1 < m_points.size(); ++i)
    {
        if (m_points[i + 1].bytes < m_points[i].bytes ||
            m_points[i + 1].probability < m_points[i].probability)
        {
            throw std::invalid_argument("bytes and probabilities of a size distribution must not "
                                        "go down");
        }
    }
}

uint64_t
SizeDistribution::Draw(double uniform) const
{
    const auto next = std::upper_bound(
        m_points.begin(),
        m_points.end(),
        uniform,
        [](double value, const Point& point) { return value < point.probability; });
    if (next == m_points.begin() || next == m_points.end())
    {
        const Point& point = next == m_points.end() ? m_points.back() : m_points.front();
        return static_cast<uint64_t>(std::max(1.0, std::round(point.bytes)));
    }
    const Point& low = *(next - 1);
    const double share = (uniform - low.probability) / (next->probability - low.probability);
    return static_cast<uint64_t>(
        std::max(1.0, std::round(low.bytes + share * (next->bytes - low.bytes))));
}

double
SizeDistribution::GetMean() const
{
    double mean = m_points.front().bytes * m_points.front().probability;
    for (std::size_t i = 1; i < m_points.size(); ++i)
    {
        mean += (m_points[i].probability - m_points[i - 1].probability) *
                (m_points[i].bytes + m_points[i - 1].bytes) / 2;
    }
    return mean;
}

SizeDistribution
ReadSizeDistribution(std::istream& input, const std::string& name)
{
    TableReader table(input, name, {"bytes", "probability"});
    std::vector<SizeDistribution::Point> points;
    while (table.Next())
    {
        const std::optional<uint64_t> bytes = ParseDigits(ExpandExponent(table.GetField(0)));
        const double least = points.empty() ? 1 : points.back().bytes;
        table.Require(bytes && *bytes >= least && *bytes <= MAX_FLOW_BYTES,
                      0,
                      "a number of bytes (1.." + std::to_string(MAX_FLOW_BYTES) +
                          ") that is not below the one before it");
        const std::optional<double> probability = ParseProbability(table.GetField(1));
        table.Require(probability && (points.empty() || *probability >= points.back().probability),
                      1,
                      "a decimal number from 0 to 1 that is not below the one before it");
        points.push_back({static_cast<double>(*bytes), *probability});
    }
    if (points.empty() || points.back().probability < 1)
    {
        table.FailText("must end with a probability of 1");
    }
    return SizeDistribution(std::move(points));
}

SizeDistribution
ReadSizeDistributionFile(const std::string& path)
{
    auto input = OpenTable(path);
    return ReadSizeDistribution(input, path);
}

} // namespace aifabric
} // namespace ns3
