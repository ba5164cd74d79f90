/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "endpoint-table.h"

namespace ns3
{
namespace aifabric
{

uint32_t
EndpointTable::InstallEndpoint(const Ptr<Endpoint>& endpoint, RoceNetDevice* nic)
{
    const auto index = static_cast<int64_t>(m_endpoints.size());
    endpoint->Install(nic, GetNumber(index), m_stream < 0 ? -1 : m_stream + index % STREAMS);
    m_endpoints.push_back(endpoint);
    return GetNumber(index);
}

void
EndpointTable::PrefetchEndpoint(const FabricFrame& frame, uint32_t step) const
{
    const std::size_t index = frame.destinationQp - FIRST_NUMBER;
    if (index >= m_endpoints.size())
    {
        return;
    }
    if (step == 1)
    {
        __builtin_prefetch(&m_endpoints[index]);
        return;
    }
    m_endpoints[index]->PrefetchArrival(frame, step - 1);
}

} // namespace aifabric
} // namespace ns3
