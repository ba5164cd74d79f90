/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fault-draw.h"

#include "fault-reader.h"
#include "option-value.h"

#include "ns3/link-finder.h"
#include "ns3/way-counter.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t DRAW_STREAM = 5; // apart from those of a run

} // namespace

FaultDraw::FaultDraw(const FabricScenario& scenario)
    : m_scenario(scenario),
      m_random(CreateObject<UniformRandomVariable>())
{
    m_random->SetStream(DRAW_STREAM);
}

std::optional<std::vector<uint32_t>>
FaultDraw::Draw(const std::string& item,
                const std::string& where,
                const FaultSpec& fault,
                const std::vector<FaultSpec>& faults)
{
    constexpr uint32_t DRAWS = 1000;
    const std::size_t colon = where.find(':');
    const std::optional<Groups> groups =
        colon == std::string::npos ? std::nullopt : GetGroups(where.substr(0, colon));
    if (!groups)
    {
        return std::nullopt;
    }
    const uint32_t count = ReadNumber(item, where.substr(colon + 1), groups->size());
    std::vector<bool> before(m_scenario.graph->Links().size(), true);
    for (const FaultSpec& other : faults)
    {
        before[other.link] = before[other.link] && !FaultReader::IsDead(other);
    }
    std::vector<uint32_t> order(groups->size());
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t draw = 0; draw < DRAWS; ++draw)
    {
        std::vector<uint32_t> links = DrawOnce(*groups, order, count);
        std::vector<bool> alive = before;
        for (const uint32_t link : links)
        {
            alive[link] = false;
        }
        if (!FaultReader::IsDead(fault) || IsConnected(*m_scenario.graph, alive))
        {
            return links;
        }
    }
    throw OptionError("fail",
                      item,
                      "must leave all hosts connected; none of " + std::to_string(DRAWS) +
                          " draws did");
}

std::vector<uint32_t>
FaultDraw::DrawOnce(const Groups& groups, std::vector<uint32_t>& order, uint32_t count) const
{
    std::vector<uint32_t> links;
    for (uint32_t i = 0; i < count; ++i)
    {
        std::swap(order[i], order[m_random->GetInteger(i, order.size() - 1)]);
        links.insert(links.end(), groups[order[i]].begin(), groups[order[i]].end());
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

std::optional<FaultDraw::Groups>
FaultDraw::GetGroups(const std::string& kind) const
{
    return kind == "cables"     ? std::optional<Groups>(GetCables())
           : kind == "switches" ? std::optional<Groups>(GetSwitches())
           : kind == "optics"   ? std::optional<Groups>(GetOptics())
                                : std::nullopt;
}

FaultDraw::Groups
FaultDraw::GetCables() const
{
    Groups groups;
    for (uint32_t link = 0; link < m_scenario.graph->Links().size(); ++link)
    {
        if (!m_scenario.graph->Links()[link].a.isHost)
        {
            groups.push_back({link});
        }
    }
    return groups;
}

FaultDraw::Groups
FaultDraw::GetSwitches() const
{
    const FabricGraph& graph = *m_scenario.graph;
    Groups groups;
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        if (graph.Switches()[id].tier > 0)
        {
            groups.emplace_back();
            for (uint16_t port = 0; port < graph.Switches()[id].portCount; ++port)
            {
                groups.back().push_back(graph.LinkAt({false, id, port}));
            }
        }
    }
    return groups;
}

FaultDraw::Groups
FaultDraw::GetOptics() const
{
    const LinkFinder finder(*m_scenario.graph, m_scenario.opticPorts);
    Groups groups;
    for (const FabricEnd& optic : finder.GetOptics())
    {
        groups.push_back(finder.FindOptic(optic));
    }
    return groups;
}

uint32_t
FaultDraw::ReadNumber(const std::string& item, const std::string& number, uint32_t candidates)
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
                             : "after the colon, a number of them" +
                                   (candidates == 1 ? std::string(", which is 1")
                                                    : " from 1 to " + std::to_string(candidates)) +
                                   ", or a share with a decimal point, up to 1.0");
    return isShare ? std::max<uint32_t>(1, std::lround(share * candidates))
                   : static_cast<uint32_t>(count);
}

} // namespace aifabric
} // namespace ns3
