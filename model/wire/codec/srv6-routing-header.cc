/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "srv6-routing-header.h"

#include "ns3/ipv6-address.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(Srv6RoutingHeader);

TypeId
Srv6RoutingHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::Srv6RoutingHeader")
                            .SetParent<Header>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<Srv6RoutingHeader>();
    return tid;
}

void
Srv6RoutingHeader::SetNextHeader(uint8_t nextHeader)
{
    m_nextHeader = nextHeader;
}

uint8_t
Srv6RoutingHeader::GetNextHeader() const
{
    return m_nextHeader;
}

void
Srv6RoutingHeader::SetSegmentsLeft(uint8_t left)
{
    m_left = left;
}

uint8_t
Srv6RoutingHeader::GetSegmentsLeft() const
{
    return m_left;
}

void
Srv6RoutingHeader::SetSegments(const std::vector<Address>& segments)
{
    m_segments = segments;
}

const std::vector<Srv6RoutingHeader::Address>&
Srv6RoutingHeader::GetSegments() const
{
    return m_segments;
}

bool
Srv6RoutingHeader::IsValid() const
{
    return m_isValid;
}

TypeId
Srv6RoutingHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
Srv6RoutingHeader::GetSerializedSize() const
{
    return GetBytes(m_segments.size());
}

void
Srv6RoutingHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(m_nextHeader);
    start.WriteU8(SEGMENT_BYTES / FIXED_BYTES * m_segments.size());
    start.WriteU8(ROUTING_TYPE);
    start.WriteU8(m_left);
    start.WriteU8(m_segments.empty() ? 0 : m_segments.size() - 1);
    start.WriteU8(0);
    start.WriteHtonU16(0);
    for (const Address& segment : m_segments)
    {
        start.Write(segment.data(), segment.size());
    }
}

uint32_t
Srv6RoutingHeader::Deserialize(Buffer::Iterator start)
{
    m_segments.clear();
    m_isValid = start.GetRemainingSize() >= FIXED_BYTES;
    if (!m_isValid)
    {
        return 0;
    }
    m_nextHeader = start.ReadU8();
    const uint32_t bytes = FIXED_BYTES * start.ReadU8();
    const uint8_t type = start.ReadU8();
    m_left = start.ReadU8();
    const uint32_t lastEntry = start.ReadU8();
    start.Next(3); // flags and tag
    const uint32_t segments = bytes / SEGMENT_BYTES;
    m_isValid = type == ROUTING_TYPE && bytes % SEGMENT_BYTES == 0 && segments > 0 &&
                lastEntry + 1 == segments && m_left <= segments &&
                start.GetRemainingSize() >= bytes;
    if (!m_isValid)
    {
        return FIXED_BYTES;
    }
    m_segments.resize(segments);
    for (Address& segment : m_segments)
    {
        start.Read(segment.data(), segment.size());
    }
    return GetSerializedSize();
}

void
Srv6RoutingHeader::Print(std::ostream& os) const
{
    os << "next header " << +m_nextHeader << " segments left " << +m_left;
    for (Address segment : m_segments)
    {
        os << " " << Ipv6Address(segment.data());
    }
}

} // namespace aifabric
} // namespace ns3
