/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-list.h"

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <numeric>
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

constexpr std::array<std::string_view, 4> COLUMNS = {"start_ns", "source", "destination", "bytes"};
constexpr std::string_view HEADER = "start_ns,source,destination,bytes";
constexpr std::string_view BYTE_ORDER_MARK = "\xef\xbb\xbf";
constexpr uint32_t MAX_SHUFFLES = 1000;   //!< a fair source of randomness needs 2.7 on average
constexpr std::size_t MAX_LINE = 4096;    //!< characters of a line
constexpr std::size_t MAX_QUOTED = 40;    //!< characters of a value shown in a message
constexpr std::size_t START_DECIMALS = 3; //!< a picosecond is the thousandth of a nanosecond
constexpr int64_t PS_PER_NS = 1000;       //!< picoseconds of a nanosecond

/// Refuse a traffic matrix that needs more hosts.  @param hosts how many  @param least how many
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

/// @return whether some number stands at its own place  @param numbers the numbers
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

/// @return the text without blanks at its ends  @param text the text
std::string_view
Trim(std::string_view text)
{
    constexpr std::string_view BLANKS = " \t\r";
    auto first = text.find_first_not_of(BLANKS);
    if (first == std::string_view::npos)
    {
        return {};
    }
    return text.substr(first, text.find_last_not_of(BLANKS) - first + 1);
}

/// @return a value in quotes, fit for a one-line message  @param value the value
std::string
Quote(std::string_view value)
{
    std::string quoted = "'";
    for (auto c : value.substr(0, MAX_QUOTED))
    {
        quoted += c >= ' ' && c <= '~' ? c : '?';
    }
    return quoted + (value.size() > MAX_QUOTED ? "...'" : "'");
}

/// @return the fields of a line, without blanks around them  @param line the line
std::vector<std::string_view>
Split(std::string_view line)
{
    std::vector<std::string_view> fields;
    for (auto comma = line.find(','); comma != std::string_view::npos; comma = line.find(','))
    {
        fields.push_back(Trim(line.substr(0, comma)));
        line.remove_prefix(comma + 1);
    }
    fields.push_back(Trim(line));
    return fields;
}

/// @return a number of decimal digits and nothing else, if it is one  @param text the digits
std::optional<uint64_t>
ParseDigits(std::string_view text)
{
    uint64_t value = 0;
    auto end = text.data() + text.size();
    auto result = std::from_chars(text.data(), end, value);
    if (text.empty() || result.ec != std::errc() || result.ptr != end)
    {
        return std::nullopt;
    }
    return value;
}

/// @return a time in ps, if the text is one in ns with up to three decimals  @param text the text
std::optional<int64_t>
ParseStart(std::string_view text)
{
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
    return static_cast<int64_t>(*whole) * PS_PER_NS + static_cast<int64_t>(*part);
}

/**
 * Reads a flow file line by line and knows where it is, for messages.
 */
class FlowCsvReader
{
  public:
    /**
     * @param name what to call the file in messages
     * @param hosts number of hosts
     */
    FlowCsvReader(const std::string& name, uint32_t hosts)
        : m_name(name),
          m_hosts(hosts)
    {
    }

    /// @return the flows  @param input the file's text
    std::vector<Flow> Read(std::istream& input)
    {
        std::vector<Flow> flows;
        bool hasHeader = false;
        for (std::string line; GetLine(input, line);)
        {
            auto content = Content(line);
            if (content.empty())
            {
                continue;
            }
            if (hasHeader)
            {
                flows.push_back(ParseFlow(content));
                continue;
            }
            CheckHeader(content);
            hasHeader = true;
        }
        CheckEnd(input, hasHeader, flows.empty());
        return flows;
    }

  private:
    /// Read a line, or as much of it as shows that it is too long.
    /// @param input where from  @param line where to  @return whether there was one
    bool GetLine(std::istream& input, std::string& line) const
    {
        line.clear();
        int character = input.get();
        const bool there = character != std::istream::traits_type::eof();
        for (; character != std::istream::traits_type::eof() && character != '\n';
             character = input.get())
        {
            line += static_cast<char>(character);
            if (line.size() > MAX_LINE)
            {
                throw std::invalid_argument(m_name + ":" + std::to_string(m_line + 1) +
                                            ": is longer than " + std::to_string(MAX_LINE) +
                                            " characters");
            }
        }
        return there;
    }

    /// @return what a new line says, empty if it is blank or a comment  @param line the line
    std::string_view Content(std::string_view line)
    {
        if (++m_line == 1 && line.substr(0, BYTE_ORDER_MARK.size()) == BYTE_ORDER_MARK)
        {
            line.remove_prefix(BYTE_ORDER_MARK.size());
        }
        line = Trim(line);
        return line.empty() || line.front() == '#' ? std::string_view() : line;
    }

    /// @return a flow  @param line its line
    Flow ParseFlow(std::string_view line) const
    {
        auto fields = Split(line);
        CheckFieldCount(fields.size());
        auto start = ParseStart(fields[0]);
        Require(start.has_value(), 0, fields[0], StartsAllowed());
        Flow flow;
        flow.startPs = *start;
        flow.source = ParseHost(1, fields[1]);
        flow.destination = ParseHost(2, fields[2]);
        Require(flow.destination != flow.source, 2, fields[2], "another host than the source");
        auto bytes = ParseDigits(fields[3]);
        Require(bytes && *bytes > 0 && *bytes <= MAX_FLOW_BYTES, 3, fields[3], BytesAllowed());
        flow.bytes = *bytes;
        return flow;
    }

    /// @return a host  @param column number of the column  @param field what stands there
    uint32_t ParseHost(std::size_t column, std::string_view field) const
    {
        auto host = ParseDigits(field);
        Require(host && *host < m_hosts,
                column,
                field,
                "a host (0.." + std::to_string(static_cast<int64_t>(m_hosts) - 1) + ")");
        return static_cast<uint32_t>(*host);
    }

    /// @return what a start may be
    static std::string StartsAllowed()
    {
        return "a time in ns (0.." + std::to_string(MAX_FLOW_START_NS) + ", up to " +
               std::to_string(START_DECIMALS) + " decimals)";
    }

    /// @return what a size may be
    static std::string BytesAllowed()
    {
        return "a number of bytes (1.." + std::to_string(MAX_FLOW_BYTES) + ")";
    }

    /// Check the names of the columns.  @param line the first line
    void CheckHeader(std::string_view line) const
    {
        auto names = Split(line);
        for (std::size_t i = 0; i < std::min(names.size(), COLUMNS.size()); ++i)
        {
            if (names[i] != COLUMNS[i])
            {
                Fail("column " + std::to_string(i + 1) + ": " + Quote(names[i]) + " is not '" +
                     std::string(COLUMNS[i]) + "' (the first line must be " + std::string(HEADER) +
                     ")");
            }
        }
        CheckFieldCount(names.size());
    }

    /// Check that a line has all columns and no others.  @param count how many it has
    void CheckFieldCount(std::size_t count) const
    {
        if (count < COLUMNS.size())
        {
            Fail("column " + std::string(COLUMNS[count]) + ": missing (a line is " +
                 std::string(HEADER) + ")");
        }
        if (count > COLUMNS.size())
        {
            Fail("column " + std::to_string(COLUMNS.size() + 1) + ": one too many (a line is " +
                 std::string(HEADER) + ")");
        }
    }

    /**
     * Check what was found when the text ended.
     *
     * @param input the text
     * @param hasHeader whether there was a first line
     * @param isEmpty whether there was no flow
     */
    void CheckEnd(const std::istream& input, bool hasHeader, bool isEmpty) const
    {
        if (input.bad())
        {
            throw std::invalid_argument(m_name + ": cannot be read");
        }
        if (!hasHeader)
        {
            throw std::invalid_argument(m_name + ": is empty (the first line must be " +
                                        std::string(HEADER) + ")");
        }
        if (isEmpty)
        {
            throw std::invalid_argument(m_name + ": has no flow (at least one line after " +
                                        std::string(HEADER) + ")");
        }
    }

    /**
     * Refuse a value.
     *
     * @param ok whether it is allowed
     * @param column number of its column
     * @param value the value
     * @param allowed what is allowed
     */
    void Require(bool ok,
                 std::size_t column,
                 std::string_view value,
                 const std::string& allowed) const
    {
        if (!ok)
        {
            Fail("column " + std::string(COLUMNS[column]) + ": " + Quote(value) + " is not " +
                 allowed);
        }
    }

    /// Refuse the current line.  @param why why
    [[noreturn]] void Fail(const std::string& why) const
    {
        throw std::invalid_argument(m_name + ":" + std::to_string(m_line) + ": " + why);
    }

    std::string m_name; //!< name of the file
    uint32_t m_hosts;   //!< number of hosts
    uint64_t m_line{0}; //!< number of the current line, from 1
};

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
    return FlowCsvReader(name, hosts).Read(input);
}

std::vector<Flow>
ReadFlowCsvFile(const std::string& path, uint32_t hosts)
{
    std::error_code error;
    std::ifstream input;
    if (std::filesystem::is_regular_file(path, error)) // not what may go on for ever
    {
        input.open(path);
    }
    if (!input.is_open())
    {
        throw std::invalid_argument(path + ": cannot be read");
    }
    return ReadFlowCsv(input, path, hosts);
}

} // namespace aifabric
} // namespace ns3
