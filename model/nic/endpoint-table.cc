/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "endpoint-table.h"

#include "ns3/prefetch-lines.h"

namespace ns3
{
namespace aifabric
{

uint32_t
EndpointTable::InstallEndpoint(const Ptr<Endpoint>& endpoint, EndpointNic* nic)
{
    const auto index = static_cast<int64_t>(m_endpoints.size());
    endpoint->Install(nic, GetNumber(index), m_stream < 0 ? -1 : m_stream + index % STREAMS);
    m_endpoints.push_back(endpoint);
    return GetNumber(index);
}

Endpoint*
EndpointTable::FindMember(uint16_t job) const
{
    for (const auto& [number, member] : m_members)
    {
        if (number == job)
        {
            return member;
        }
    }
    return nullptr;
}

Endpoint*
EndpointTable::FindAddressee(const FabricFrame& frame) const
{
    return HasContents(frame.kind) ? FindMember(frame.GetExtra().gradients.job) : nullptr;
}

void
EndpointTable::NameMember(uint16_t job, const Ptr<Endpoint>& endpoint)
{
    m_members.emplace_back(job, PeekPointer(endpoint));
}

void
EndpointTable::DisposeEndpoints()
{
    for (const Ptr<Endpoint>& endpoint : m_endpoints)
    {
        endpoint->Dispose();
    }
    m_endpoints.clear();
    m_members.clear();
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
        PrefetchLine(&m_endpoints[index]);
        return;
    }
    m_endpoints[index]->PrefetchArrival(frame, step - 1);
}

} // namespace aifabric
} // namespace ns3
