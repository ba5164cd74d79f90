/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-draw.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace aifabric
{

std::vector<uint32_t>
ChoosingSwitches(const FabricGraph& graph)
{
    const auto isChoice = [](const PortGroup& group) { return group.count > 1; };
    std::vector<uint32_t> chosen;
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        const ForwardingRule& rule = graph.Switches()[id].forwarding;
        if (isChoice(rule.up) || std::any_of(rule.down.begin(), rule.down.end(), isChoice))
        {
            chosen.push_back(id);
        }
    }
    return chosen;
}

std::vector<uint32_t>
DrawSwitches(const FabricGraph& graph, double share, const std::function<double()>& uniform)
{
    std::vector<std::pair<double, uint32_t>> order;
    for (const uint32_t id : ChoosingSwitches(graph))
    {
        order.emplace_back(uniform(), id);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::lround(share * static_cast<double>(order.size())));
    std::vector<uint32_t> drawn;
    for (const auto& entry : order)
    {
        drawn.push_back(entry.second);
    }
    std::sort(drawn.begin(), drawn.end());
    return drawn;
}

} // namespace aifabric
} // namespace ns3
