/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plane-paths.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

std::vector<uint16_t>
FindPaths(const PathView& view, uint32_t source, uint32_t destination)
{
    std::vector<uint16_t> paths;
    for (uint16_t plane = 0; plane < view.GetPlanes(); ++plane)
    {
        for (const uint16_t label : view.UsablePaths(source, destination, plane))
        {
            const uint32_t path = uint32_t{label} * view.GetPlanes() + plane;
            NS_ABORT_MSG_IF(path > UINT16_MAX, "SourceRoutedSteering: more than 2^16 paths");
            paths.push_back(static_cast<uint16_t>(path));
        }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::vector<bool>
PlanesTo(const PathView& view, uint32_t destination)
{
    std::vector<bool> planes;
    for (uint16_t plane = 0; plane < view.GetPlanes(); ++plane)
    {
        planes.push_back(view.IsLinkAlive(view.GetGraph().LinkAt({true, destination, plane})));
    }
    return planes;
}

void
AlternatePlanes(std::vector<uint16_t>& paths, uint16_t planes)
{
    std::vector<uint32_t> counts(planes, 0); // paths so far
    std::vector<std::pair<uint32_t, uint16_t>> rounds;
    for (const uint16_t path : paths)
    {
        rounds.emplace_back(counts[path % planes]++, path);
    }
    std::stable_sort(rounds.begin(), rounds.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    std::transform(rounds.begin(), rounds.end(), paths.begin(), [](const auto& round) {
        return round.second;
    });
}

} // namespace aifabric
} // namespace ns3
