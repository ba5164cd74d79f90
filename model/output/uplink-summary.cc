/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "uplink-summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{
namespace aifabric
{

UplinkSummary::UplinkSummary(const FabricGraph& graph,
                             const PortCatalog& catalog,
                             const std::vector<RunMeasures::Port>& ports,
                             int64_t durationPs)
{
    const uint32_t uplink = graph.IsClos() ? graph.LeafTier() + 1U : 0; // tier of leaves' uplinks
    for (std::size_t i = 0; i < ports.size(); i += 2)                   // the lower ends of links
    {
        if (uplink > 0 && graph.Links()[catalog.GetPorts()[i].link].tier == uplink)
        {
            m_shares.push_back(static_cast<double>(ports[i].busyTime) / durationPs);
        }
    }
    std::sort(m_shares.begin(), m_shares.end());
}

double
UplinkSummary::GetQuantile(double share) const
{
    const auto place = static_cast<std::size_t>(std::ceil(share * m_shares.size()));
    return m_shares[place > 0 ? place - 1 : 0];
}

nlohmann::ordered_json
UplinkSummary::ToJson() const
{
    if (m_shares.empty())
    {
        return nullptr;
    }
    constexpr double LOW = 0.25;
    constexpr double MIDDLE = 0.5;
    constexpr double HIGH = 0.75;
    nlohmann::ordered_json json;
    json["mean"] = std::accumulate(m_shares.begin(), m_shares.end(), 0.0) / m_shares.size();
    json["least"] = m_shares.front();
    json["p25"] = GetQuantile(LOW);
    json["median"] = GetQuantile(MIDDLE);
    json["p75"] = GetQuantile(HIGH);
    json["most"] = m_shares.back();
    return json;
}

} // namespace aifabric
} // namespace ns3
