/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fault-reader.h"

#include "option-value.h"

#include "ns3/failure-helper.h"
#include "ns3/way-counter.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t DRAW_STREAM = 5;        // apart from those of a run
const std::string CABLES = "cables:";     //!< before how many cables are drawn
const std::string SWITCHES = "switches:"; //!< before how many switches are drawn

/// @return whether a text begins with another one  @param text the text  @param prefix the other
bool
BeginsWith(const std::string& text, const std::string& prefix)
{
    return text.compare(0, prefix.size(), prefix) == 0;
}

} // namespace

FaultReader::FaultReader(const FabricScenario& scenario)
    : m_scenario(scenario),
      m_random(CreateObject<UniformRandomVariable>())
{
    m_random->SetStream(DRAW_STREAM);
}

void
FaultReader::Explain(std::ostream& os)
{
    os << "# These are the links. A fault is WHERE[/DIRECTION][CHANGE]@START[-STOP], and faults "
          "are\n"
          "# separated by commas.\n"
          "# WHERE:     LINK, by its name or its number, which counts from 0\n"
          "#            NODE:PORT, the link there, such as leaf-0:4\n"
          "#            NODE--NODE, all links between two nodes, such as leaf-0--spine-1\n"
          "#            NODE, all links of a switch or a host, such as spine-1 or host-5\n"
          "#            cables:N, so many links between switches, drawn at random; cables:0.05 is "
          "a\n"
          "#            share of them. If they are cut from time 0 for good, all hosts stay\n"
          "#            connected\n"
          "#            switches:N, so many switches above the lowest tier, with all of their "
          "links\n"
          "# DIRECTION: up, what the lower end sends, or down. Without it, both\n"
          "# CHANGE:    *F, a fraction F of the rate is left\n"
          "#            ~F, the link is degraded: a fraction F of its rate, of the room of its\n"
          "#            queues, and of their marking thresholds is left\n"
          "#            %P, each frame is lost with probability P\n"
          "#            Without it, the link is cut\n"
          "# START:     a time, such as 10us. With STOP, the fault ends then\n";
}

bool
FaultReader::IsDead(const FaultSpec& fault)
{
    return fault.down && fault.startPs == 0 && !fault.stopPs;
}

void
FaultReader::Read(const std::string& item, std::vector<FaultSpec>& faults)
{
    const std::size_t at = item.rfind('@');
    const std::string what = item.substr(0, at);
    const std::size_t change = what.find_first_of("*~%");
    std::string where = what.substr(0, change);
    FaultSpec fault;
    OptionError::ThrowIf(at == std::string::npos || !ReadTimes(fault, item.substr(at + 1)),
                         "fail",
                         item,
                         "LINK@START or LINK@START-STOP, such as @10us-50us");
    if (change != std::string::npos)
    {
        ReadChange(fault, item, what.substr(change));
    }
    ReadDirection(fault, item, where);
    for (const uint32_t link : FindLinks(item, where, fault, faults))
    {
        fault.link = link;
        faults.push_back(fault);
    }
}

bool
FaultReader::ReadTimes(FaultSpec& fault, const std::string& times)
{
    const std::size_t dash = times.find('-');
    const std::optional<int64_t> start = ParseTime(times.substr(0, dash));
    if (dash != std::string::npos)
    {
        fault.stopPs = ParseTime(times.substr(dash + 1));
        if (!start || !fault.stopPs || *fault.stopPs <= *start)
        {
            return false;
        }
    }
    fault.startPs = start.value_or(0);
    return start.has_value();
}

void
FaultReader::ReadChange(FaultSpec& fault, const std::string& item, const std::string& what) const
{
    constexpr double LEAST_FRACTION = 1e-6;
    constexpr double LEAST_RATE = 1e4; // bit/s
    const std::optional<double> number = ParseNumber(what.substr(1));
    OptionError::ThrowIf(!number || !(*number >= LEAST_FRACTION && *number <= 1),
                         "fail",
                         item,
                         "after *, ~ or % a decimal number from 0.000001 to 1");
    fault.down = false;
    (what[0] == '%' ? fault.lossProbability : fault.rateFactor) = *number;
    fault.queueFactor = what[0] == '~' ? *number : 1;
    const uint64_t rate = std::min(m_scenario.rate, m_scenario.fabricRate);
    OptionError::ThrowIf(fault.rateFactor * static_cast<double>(rate) < LEAST_RATE,
                         "fail",
                         item,
                         "must leave at least 10 kb/s of the rate");
}

void
FaultReader::ReadDirection(FaultSpec& fault, const std::string& item, std::string& where)
{
    const std::size_t slash = where.find('/');
    if (slash == std::string::npos)
    {
        return;
    }
    const std::string direction = where.substr(slash + 1);
    OptionError::ThrowIf(direction != "up" && direction != "down",
                         "fail",
                         item,
                         "after / up or down");
    fault.direction = direction == "up" ? LinkFault::UP : LinkFault::DOWN;
    where = where.substr(0, slash);
}

std::vector<uint32_t>
FaultReader::FindLinks(const std::string& item,
                       const std::string& where,
                       const FaultSpec& fault,
                       const std::vector<FaultSpec>& faults)
{
    for (const auto& [prefix, kind] :
         {std::make_pair(CABLES, Kind::CABLES), std::make_pair(SWITCHES, Kind::SWITCHES)})
    {
        if (BeginsWith(where, prefix))
        {
            return Draw(item, kind, where.substr(prefix.size()), fault, faults);
        }
    }
    const FabricGraph& graph = *m_scenario.graph;
    try
    {
        return FailureHelper::FindLinks(graph, where);
    }
    catch (const std::invalid_argument&)
    {
        throw OptionError("fail",
                          item,
                          "there is no such link, port or node; links are like " +
                              graph.LinkName(graph.Links().size() - 1) +
                              ", --fail=help lists them and explains faults");
    }
}

std::vector<uint32_t>
FaultReader::GetCandidates(Kind kind) const
{
    const FabricGraph& graph = *m_scenario.graph;
    std::vector<uint32_t> candidates;
    if (kind == Kind::CABLES)
    {
        for (uint32_t link = 0; link < graph.Links().size(); ++link)
        {
            if (!graph.Links()[link].a.isHost)
            {
                candidates.push_back(link);
            }
        }
        return candidates;
    }
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        if (graph.Switches()[id].tier > 0)
        {
            candidates.push_back(id);
        }
    }
    return candidates;
}

uint32_t
FaultReader::ReadNumber(const std::string& item, const std::string& number, uint32_t candidates)
{
    const bool isShare = number.find('.') != std::string::npos;
    const double share = isShare ? ParseNumber(number).value_or(0) : 0; // 0: refused, too
    const int64_t count = isShare ? 0 : ParseInteger(number).value_or(0);
    const bool isRight =
        candidates > 0 && (isShare ? share > 0 && share <= 1 : count > 0 && count <= candidates);
    OptionError::ThrowIf(!isRight,
                         "fail",
                         item,
                         candidates == 0
                             ? "this fabric has none of these"
                             : "after : a number from 1 to " + std::to_string(candidates) +
                                   ", or a share with a decimal point, up to 1.0");
    return isShare ? std::max<uint32_t>(1, std::lround(share * candidates))
                   : static_cast<uint32_t>(count);
}

std::vector<uint32_t>
FaultReader::GetLinks(Kind kind, const std::vector<uint32_t>& ids) const
{
    if (kind == Kind::CABLES)
    {
        return ids;
    }
    const FabricGraph& graph = *m_scenario.graph;
    std::vector<bool> isDrawn(graph.Switches().size());
    for (const uint32_t id : ids)
    {
        isDrawn[id] = true;
    }
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < graph.Links().size(); ++link)
    {
        const FabricLinkSpec& spec = graph.Links()[link];
        if (isDrawn[spec.b.id] || (!spec.a.isHost && isDrawn[spec.a.id]))
        {
            links.push_back(link);
        }
    }
    return links;
}

std::vector<uint32_t>
FaultReader::Draw(const std::string& item,
                  Kind kind,
                  const std::string& number,
                  const FaultSpec& fault,
                  const std::vector<FaultSpec>& faults)
{
    constexpr uint32_t DRAWS = 1000;
    std::vector<uint32_t> candidates = GetCandidates(kind);
    const uint32_t count = ReadNumber(item, number, candidates.size());
    std::vector<bool> before(m_scenario.graph->Links().size(), true);
    for (const FaultSpec& other : faults)
    {
        before[other.link] = before[other.link] && !IsDead(other);
    }
    for (uint32_t draw = 0; draw < DRAWS; ++draw)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            std::swap(candidates[i], candidates[m_random->GetInteger(i, candidates.size() - 1)]);
        }
        std::vector<uint32_t> drawn(candidates.begin(), candidates.begin() + count);
        std::sort(drawn.begin(), drawn.end());
        const std::vector<uint32_t> links = GetLinks(kind, drawn);
        std::vector<bool> alive = before;
        for (const uint32_t link : links)
        {
            alive[link] = false;
        }
        if (!IsDead(fault) || IsConnected(*m_scenario.graph, alive))
        {
            return links;
        }
    }
    throw OptionError("fail",
                      item,
                      "must leave all hosts connected; none of " + std::to_string(DRAWS) +
                          " draws did");
}

} // namespace aifabric
} // namespace ns3
