/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "failure-draw.h"

#include "way-counter.h"

namespace ns3
{
namespace aifabric
{

std::optional<std::vector<uint32_t>>
DrawFailures(const FabricGraph& graph,
             double rate,
             const std::function<double()>& uniform,
             uint32_t draws)
{
    for (; draws > 0; --draws)
    {
        std::vector<uint32_t> failed;
        std::vector<bool> alive(graph.Links().size(), true);
        for (uint32_t link = 0; link < alive.size(); ++link)
        {
            if (graph.IsBetweenSwitches(link) && uniform() < rate)
            {
                alive[link] = false;
                failed.push_back(link);
            }
        }
        if (IsConnected(graph, alive))
        {
            return failed;
        }
    }
    return std::nullopt;
}

} // namespace aifabric
} // namespace ns3
