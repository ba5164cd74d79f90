/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-list.h"

#include "ns3/table-reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t MAX_SHUFFLES = 1000;   //!< a fair source of randomness needs 2.7 on average
constexpr std::size_t START_DECIMALS = 3; //!< a picosecond is the thousandth of a nanosecond
constexpr std::size_t CLASS_COLUMN = 4;   //!< behind those that are needed
constexpr std::size_t OPERATION_COLUMN = 5;
constexpr int64_t START_PS_PER_NS = 1000; //!< picoseconds of a nanosecond

/// Refuse a traffic matrix that needs more hosts.  @param least how many
void
RequireHosts(uint32_t hosts, uint32_t least)
{
    if (hosts < least)
    {
        throw std::invalid_argument("hosts: " + std::to_string(hosts) + " are too few (at least " +
                                    std::to_string(least) + ")");
    }
}

/// @return the numbers 0..n-1  @param count n
std::vector<uint32_t>
Numbers(uint32_t count)
{
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

/// Shuffle, every order equally likely.  @param numbers what  @param uniform randomness
void
Shuffle(std::vector<uint32_t>& numbers, const UniformInteger& uniform)
{
    for (auto left = static_cast<uint32_t>(numbers.size()); left > 1; --left)
    {
        std::swap(numbers[left - 1], numbers[uniform(left)]);
    }
}

/// @return whether some number stands at its own place
bool
HasFixedPoint(const std::vector<uint32_t>& numbers)
{
    for (uint32_t i = 0; i < numbers.size(); ++i)
    {
        if (numbers[i] == i)
        {
            return true;
        }
    }
    return false;
}

/// @return a time in ps, if the text is one in ns with up to three decimals
std::optional<int64_t>
ParseStart(std::string_view given)
{
    const std::string plain = ExpandExponent(given);
    const std::string_view text = plain;
    auto point = text.find('.');
    auto whole = ParseDigits(text.substr(0, point));
    std::string decimals(point == std::string_view::npos ? "0" : text.substr(point + 1));
    if (!whole || decimals.empty() || decimals.size() > START_DECIMALS)
    {
        return std::nullopt;
    }
    decimals.resize(START_DECIMALS, '0');
    auto part = ParseDigits(decimals);
    if (!part || *whole > MAX_FLOW_START_NS || (*whole == MAX_FLOW_START_NS && *part > 0))
    {
        return std::nullopt;
    }
    return static_cast<int64_t>(*whole) * START_PS_PER_NS + static_cast<int64_t>(*part);
}

/// @return what a start may be
std::string
StartsAllowed()
{
    return "a time in ns (0.." + std::to_string(MAX_FLOW_START_NS) + ", up to " +
           std::to_string(START_DECIMALS) + " decimals)";
}

/// @return what a size may be
std::string
BytesAllowed()
{
    return "a number of bytes (0.." + std::to_string(MAX_FLOW_BYTES) + ")";
}

/// @return a host  @param table where it stands
uint32_t
ParseHost(const TableReader& table, std::size_t column, uint32_t hosts)
{
    auto host = ParseDigits(table.GetField(column));
    table.Require(host && *host < hosts,
                  column,
                  "a host (0.." + std::to_string(static_cast<int64_t>(hosts) - 1) + ")");
    return static_cast<uint32_t>(*host);
}

/// @return the flow of the current row
Flow
ParseFlow(const TableReader& table, uint32_t hosts)
{
    auto start = ParseStart(table.GetField(0));
    table.Require(start.has_value(), 0, StartsAllowed());
    Flow flow;
    flow.startPs = *start;
    flow.source = ParseHost(table, 1, hosts);
    flow.destination = ParseHost(table, 2, hosts);
    table.Require(flow.destination != flow.source, 2, "another host than the source");
    auto bytes = ParseDigits(ExpandExponent(table.GetField(3)));
    table.Require(bytes && *bytes <= MAX_FLOW_BYTES, 3, BytesAllowed());
    flow.bytes = *bytes;
    if (!table.GetField(CLASS_COLUMN).empty())
    {
        flow.trafficClass = table.GetWhole(CLASS_COLUMN, 0, Flow::USUAL_CLASS - 1);
    }
    const std::string_view operation = table.GetField(OPERATION_COLUMN);
    flow.isRead = operation == "read";
    table.Require(flow.isRead || operation.empty() || operation == "write",
                  OPERATION_COLUMN,
                  "write or read");
    return flow;
}

} // namespace

std::vector<Flow>
RandomPermutation(uint32_t hosts, uint64_t bytes, const UniformInteger& uniform)
{
    RequireHosts(hosts, 2);
    auto destinations = Numbers(hosts);
    // Shuffling until nothing stands at its own place leaves the rest equally likely.
    for (uint32_t i = 0; HasFixedPoint(destinations); ++i)
    {
        if (i == MAX_SHUFFLES)
        {
            throw std::logic_error("RandomPermutation: the source of randomness is not uniform");
        }
        Shuffle(destinations, uniform);
    }
    std::vector<Flow> flows;
    flows.reserve(hosts);
    for (uint32_t source = 0; source < hosts; ++source)
    {
        flows.push_back({0, source, destinations[source], bytes});
    }
    return flows;
}

std::vector<Flow>
AllToAll(uint32_t hosts, uint64_t bytes, const UniformInteger& uniform)
{
    RequireHosts(hosts, 2);
    uint32_t others = hosts - 1;
    std::vector<Flow> flows;
    flows.reserve(static_cast<std::size_t>(hosts) * others);
    for (uint32_t source = 0; source < hosts; ++source)
    {
        auto shift = uniform(others);
        for (uint32_t i = 0; i < others; ++i)
        {
            auto distance = 1 + (shift + i) % others;
            flows.push_back({0, source, (source + distance) % hosts, bytes});
        }
    }
    return flows;
}

std::vector<Flow>
Tornado(uint32_t hosts, uint64_t bytes)
{
    RequireHosts(hosts, 2);
    std::vector<Flow> flows;
    flows.reserve(hosts);
    for (uint32_t source = 0; source < hosts; ++source)
    {
        flows.push_back({0, source, (source + hosts / 2) % hosts, bytes});
    }
    return flows;
}

std::vector<Flow>
PoissonArrivals(uint32_t hosts,
                const SizeDistribution& sizes,
                double meanGapPs,
                int64_t durationPs,
                const std::function<double()>& random)
{
    RequireHosts(hosts, 2);
    std::vector<Flow> flows;
    for (uint32_t source = 0; source < hosts; ++source)
    {
        double start = DrawArrival(0, meanGapPs, random);
        for (; start < static_cast<double>(durationPs);
             start = DrawArrival(start, meanGapPs, random))
        {
            flows.push_back(DrawMessage(hosts, source, start, sizes, random));
        }
    }
    return flows;
}

double
DrawArrival(double startPs, double meanGapPs, const std::function<double()>& random)
{
    return startPs - meanGapPs * std::log1p(-random());
}

Flow
DrawMessage(uint32_t hosts,
            uint32_t source,
            double startPs,
            const SizeDistribution& sizes,
            const std::function<double()>& random)
{
    const auto distance = 1 + static_cast<uint32_t>(random() * (hosts - 1));
    const uint64_t bytes = sizes.Draw(random());
    return {static_cast<int64_t>(startPs), source, (source + distance) % hosts, bytes};
}

void
OrderEach(std::vector<Flow>& flows, uint32_t every)
{
    for (std::size_t i = every - 1; i < flows.size(); i += every)
    {
        flows[i].ordered = true;
    }
}

void
PartQueuePairs(std::vector<Flow>& flows)
{
    constexpr uint32_t LAST = std::numeric_limits<decltype(Flow::channel)>::max();
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> used; // channels, by pair of hosts
    for (Flow& flow : flows)
    {
        const auto [low, high] = std::minmax(flow.source, flow.destination);
        const uint32_t channel = used[{low, high}]++;
        if (channel > LAST)
        {
            throw std::invalid_argument("hosts " + std::to_string(low) + " and " +
                                        std::to_string(high) + " have more than " +
                                        std::to_string(LAST + 1) + " flows");
        }
        flow.channel = static_cast<uint16_t>(channel);
    }
}

void
MakeReads(std::vector<Flow>& flows)
{
    for (Flow& flow : flows)
    {
        flow.isRead = true;
    }
}

bool
HasReads(const std::vector<Flow>& flows)
{
    return std::any_of(flows.begin(), flows.end(), [](const Flow& flow) { return flow.isRead; });
}

uint8_t
FindClasses(const std::vector<Flow>& flows)
{
    uint32_t classes = 0;
    for (const Flow& flow : flows)
    {
        classes |= 1U << flow.trafficClass;
    }
    return classes & ((1U << Flow::USUAL_CLASS) - 1);
}

std::vector<Flow>
Incast(uint32_t hosts,
       uint32_t senders,
       uint32_t receiver,
       uint64_t bytes,
       const UniformInteger& uniform)
{
    RequireHosts(hosts, 2);
    if (receiver >= hosts)
    {
        throw std::invalid_argument("receiver: " + std::to_string(receiver) +
                                    " is not a host (0.." + std::to_string(hosts - 1) + ")");
    }
    if (senders < 1 || senders >= hosts)
    {
        throw std::invalid_argument("senders: " + std::to_string(senders) + " is not in 1.." +
                                    std::to_string(hosts - 1));
    }
    auto candidates = Numbers(hosts);
    std::swap(candidates[receiver], candidates.back());
    candidates.pop_back();
    std::vector<Flow> flows;
    flows.reserve(senders);
    for (uint32_t i = 0; i < senders; ++i)
    {
        std::swap(candidates[i], candidates[i + uniform(hosts - 1 - i)]);
        flows.push_back({0, candidates[i], receiver, bytes});
    }
    return flows;
}

std::vector<Flow>
ReadFlowCsv(std::istream& input, const std::string& name, uint32_t hosts)
{
    TableReader table(input,
                      name,
                      {"start_ns", "source", "destination", "bytes"},
                      {"flow",
                       "received_ns",
                       "completed_ns",
                       "duration_ns",
                       "ideal_ns",
                       "slowdown",
                       "links",
                       "collective",
                       "slice",
                       "step",
                       "ordered"}, // those of a run's flows.csv
                      {"class", "operation"});
    std::vector<Flow> flows;
    while (table.Next())
    {
        flows.push_back(ParseFlow(table, hosts));
    }
    if (flows.empty())
    {
        table.FailText("has no flow (at least one line after " + table.GetHeader() + ")");
    }
    return flows;
}

std::vector<Flow>
ReadFlowCsvFile(const std::string& path, uint32_t hosts)
{
    auto input = OpenTable(path);
    return ReadFlowCsv(input, path, hosts);
}

} // namespace aifabric
} // namespace ns3
