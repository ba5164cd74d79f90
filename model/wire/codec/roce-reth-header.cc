/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-reth-header.h"

#include <ostream>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RoceRethHeader);

TypeId
RoceRethHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::RoceRethHeader")
                            .SetParent<Header>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<RoceRethHeader>();
    return tid;
}

TypeId
RoceRethHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
RoceRethHeader::SetReth(const Reth& reth)
{
    m_reth = reth;
}

const Reth&
RoceRethHeader::GetReth() const
{
    return m_reth;
}

uint32_t
RoceRethHeader::GetSerializedSize() const
{
    return SIZE;
}

void
RoceRethHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU64(m_reth.virtualAddress);
    i.WriteHtonU32(m_reth.remoteKey);
    i.WriteHtonU32(m_reth.length);
}

uint32_t
RoceRethHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_reth.virtualAddress = i.ReadNtohU64();
    m_reth.remoteKey = i.ReadNtohU32();
    m_reth.length = i.ReadNtohU32();
    return GetSerializedSize();
}

void
RoceRethHeader::Print(std::ostream& os) const
{
    os << "virtualAddress=0x" << std::hex << m_reth.virtualAddress << " remoteKey=0x"
       << m_reth.remoteKey << std::dec << " length=" << m_reth.length;
}

} // namespace aifabric
} // namespace ns3
