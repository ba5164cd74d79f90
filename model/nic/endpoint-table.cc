/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "endpoint-table.h"

#include "ns3/abort.h"
#include "ns3/prefetch-lines.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

uint32_t
EndpointTable::ReserveNumbers(EndpointMaker* maker, uint32_t bits)
{
    NS_ABORT_MSG_IF(!m_ranges.empty() && bits != m_rangeBits,
                    "EndpointTable::ReserveNumbers: as many numbers as before");
    const std::size_t before = m_ranges.size() << bits;
    NS_ABORT_MSG_IF(before >= ROUND_NUMBERS, "a host has too many connections to other hosts");
    m_rangeBits = bits;
    m_ranges.push_back({maker, {}});
    return FIRST_RESERVED + before;
}

void
EndpointTable::ReleaseNumbers(uint32_t first)
{
    const std::size_t call = CallOf(first);
    if (call < m_ranges.size()) // or else the NIC was disposed of
    {
        m_ranges[call].maker = nullptr;
    }
}

uint32_t
EndpointTable::InstallEndpoint(const Ptr<Endpoint>& endpoint,
                               EndpointNic* nic,
                               std::optional<uint32_t> reserved)
{
    const auto index = static_cast<int64_t>(m_endpoints.size());
    const uint32_t number = reserved.value_or(GetNumber(index));
    endpoint->Install(nic, number, m_stream < 0 ? -1 : m_stream + index % STREAMS);
    m_endpoints.push_back(endpoint);
    if (reserved)
    {
        const std::size_t place = GetPlace(number, m_rangeBits);
        std::vector<Endpoint*>& made = m_ranges[CallOf(number)].made;
        made.resize(std::max(made.size(), place + 1));
        made[place] = PeekPointer(endpoint);
    }
    return number;
}

Endpoint*
EndpointTable::FindReserved(uint32_t number) const
{
    if (number < ROUND_NUMBERS)
    {
        return nullptr;
    }
    const std::size_t call = CallOf(number);
    const std::size_t place = GetPlace(number, m_rangeBits);
    return call < m_ranges.size() && place < m_ranges[call].made.size() ? m_ranges[call].made[place]
                                                                        : nullptr;
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
EndpointTable::FindAddressee(const FabricFrame& frame)
{
    if (HasContents(frame.kind))
    {
        return FindMember(frame.GetExtra().gradients.job);
    }
    const uint32_t number = frame.destinationQp;
    const std::size_t call = CallOf(number);
    if (number < ROUND_NUMBERS || call >= m_ranges.size() || !m_ranges[call].maker)
    {
        return nullptr;
    }
    m_ranges[call].maker->MakeEndpoint(number);
    return FindReserved(number);
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
    m_ranges.clear();
}

void
EndpointTable::PrefetchEndpoint(const FabricFrame& frame, uint32_t step) const
{
    const std::size_t index = frame.destinationQp - FIRST_NUMBER;
    if (step == 1)
    {
        if (index < m_endpoints.size())
        {
            PrefetchLine(&m_endpoints[index]);
        }
        return;
    }
    if (const Endpoint* const endpoint = FindEndpoint(frame.destinationQp))
    {
        endpoint->PrefetchArrival(frame, step - 1);
    }
}

} // namespace aifabric
} // namespace ns3
