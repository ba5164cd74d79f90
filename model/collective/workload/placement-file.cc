/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "placement-file.h"

#include "ns3/message-text.h"
#include "ns3/table-reader.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Reads lines of numbers, and says where what is wrong stands.
class NumberLines
{
  public:
    /// @param input the text; must outlive this  @param name what to call it
    /// @param what the numbers are  @param bound what they are less than
    NumberLines(std::istream& input, std::string name, std::string what, uint32_t bound)
        : m_input(input),
          m_name(std::move(name)),
          m_what(std::move(what)),
          m_bound(bound)
    {
    }

    /// @return the numbers of the next line that has any; none at the end
    std::vector<uint32_t> Next()
    {
        std::vector<uint32_t> numbers;
        for (std::string line; numbers.empty() && std::getline(m_input, line);)
        {
            ++m_line;
            const std::size_t begin = line.find_first_not_of(BLANKS);
            if (begin != std::string::npos && line[begin] != '#')
            {
                numbers = Split(line);
            }
        }
        return numbers;
    }

    /// Also read hosts as node:GPU.  @param nodes of the fabric; must outlive this
    void SetNodes(const GpuNodes& nodes)
    {
        m_nodes = &nodes;
    }

    /// @return the number of the current line, from 1
    uint64_t GetLine() const
    {
        return m_line;
    }

    /// Refuse the current line.  @param why what is wrong with it
    [[noreturn]] void Fail(const std::string& why) const
    {
        throw std::invalid_argument(m_name + ":" + std::to_string(m_line) + ": " + why);
    }

    /// Refuse the whole text.  @param why what is wrong with it
    [[noreturn]] void FailText(const std::string& why) const
    {
        throw std::invalid_argument(m_name + ": " + why);
    }

  private:
    static constexpr const char* BLANKS = " \t\r"; //!< what may stand between numbers

    /// @return the numbers of a line, with blanks or a comma between them
    std::vector<uint32_t> Split(const std::string& line) const
    {
        const std::string separators = std::string(BLANKS) + ",";
        std::vector<uint32_t> numbers;
        bool isMissing = false; // after a comma
        for (std::size_t i = line.find_first_not_of(BLANKS); i != std::string::npos;
             i = line.find_first_not_of(BLANKS, i))
        {
            if (line[i] == ',')
            {
                isMissing = isMissing || numbers.empty();
                Require(!isMissing);
                isMissing = true;
                ++i;
                continue;
            }
            const std::size_t end = std::min(line.find_first_of(separators, i), line.size());
            numbers.push_back(Parse(line.substr(i, end - i)));
            isMissing = false;
            i = end;
        }
        Require(!isMissing);
        return numbers;
    }

    /// Refuse the current line unless each comma has numbers on both sides.  @param ok whether
    void Require(bool ok) const
    {
        if (!ok)
        {
            Fail("there is nothing before or after a comma");
        }
    }

    /// @return a number  @param text the number
    uint32_t Parse(const std::string& text) const
    {
        const std::size_t colon = text.find(':');
        if (m_nodes && colon != std::string::npos)
        {
            return ParseGpu(text, colon);
        }
        const auto number = ParseDigits(text);
        if (!number || *number >= m_bound)
        {
            Fail(Quoted(text) + " is not a " + m_what + " (0.." +
                 std::to_string(int64_t{m_bound} - 1) + ")");
        }
        return static_cast<uint32_t>(*number);
    }

    /// @return the host of a GPU  @param text node:GPU  @param colon its place
    uint32_t ParseGpu(const std::string& text, std::size_t colon) const
    {
        const uint32_t gpus = m_nodes->GetGpus();
        const auto node = ParseDigits(text.substr(0, colon));
        const auto gpu = ParseDigits(text.substr(colon + 1));
        if (!node || *node >= m_bound / gpus || !gpu || *gpu >= gpus)
        {
            Fail(Quoted(text) + " is not node:GPU (0.." + std::to_string(m_bound / gpus - 1) +
                 ":0.." + std::to_string(gpus - 1) + ")");
        }
        return m_nodes->HostOf(static_cast<uint32_t>(*node), static_cast<uint32_t>(*gpu));
    }

    std::istream& m_input;            //!< the text
    std::string m_name;               //!< its name
    std::string m_what;               //!< what the numbers are
    uint32_t m_bound;                 //!< what they are less than
    uint64_t m_line{0};               //!< number of the current line
    const GpuNodes* m_nodes{nullptr}; //!< whose GPUs hosts may be named by; null: none
};

} // namespace

std::vector<uint32_t>
ReadPlacement(std::istream& input, const std::string& name, uint32_t hosts, const GpuNodes& nodes)
{
    NumberLines lines(input, name, "host", hosts);
    lines.SetNodes(nodes);
    std::vector<uint32_t> placement;
    std::map<uint32_t, uint64_t> lineOf;
    for (auto numbers = lines.Next(); !numbers.empty(); numbers = lines.Next())
    {
        if (numbers.size() > 1)
        {
            lines.Fail(std::to_string(numbers.size()) + " numbers; a line is the host of one rank");
        }
        const auto [first, isNew] = lineOf.emplace(numbers[0], lines.GetLine());
        if (!isNew)
        {
            lines.Fail("host " + std::to_string(numbers[0]) + " has a rank already, in line " +
                       std::to_string(first->second));
        }
        placement.push_back(numbers[0]);
    }
    if (placement.size() < 2)
    {
        lines.FailText("has " + std::to_string(placement.size()) +
                       " ranks (at least 2, the number of a host a line)");
    }
    return placement;
}

std::vector<uint32_t>
ReadPlacementFile(const std::string& path, uint32_t hosts, const GpuNodes& nodes)
{
    auto input = OpenTable(path);
    return ReadPlacement(input, path, hosts, nodes);
}

std::vector<std::vector<uint32_t>>
ReadRankGroups(std::istream& input, const std::string& name, uint32_t ranks)
{
    NumberLines lines(input, name, "rank", ranks);
    std::vector<std::vector<uint32_t>> groups;
    for (auto group = lines.Next(); !group.empty(); group = lines.Next())
    {
        std::set<uint32_t> members;
        for (const uint32_t rank : group)
        {
            if (!members.insert(rank).second)
            {
                lines.Fail("rank " + std::to_string(rank) + " stands there twice");
            }
        }
        if (group.size() < 2)
        {
            lines.Fail("one rank; a communicator has at least 2");
        }
        groups.push_back(std::move(group));
    }
    if (groups.empty())
    {
        lines.FailText("has no communicator (its ranks in one line)");
    }
    return groups;
}

std::vector<std::vector<uint32_t>>
ReadRankGroupFile(const std::string& path, uint32_t ranks)
{
    auto input = OpenTable(path);
    return ReadRankGroups(input, path, ranks);
}

} // namespace aifabric
} // namespace ns3
