/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-imm-header.h"

#include <ostream>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RoceImmHeader);

TypeId
RoceImmHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::RoceImmHeader")
                            .SetParent<Header>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<RoceImmHeader>();
    return tid;
}

TypeId
RoceImmHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
RoceImmHeader::SetImmediate(uint32_t immediate)
{
    m_immediate = immediate;
}

uint32_t
RoceImmHeader::GetImmediate() const
{
    return m_immediate;
}

uint32_t
RoceImmHeader::GetSerializedSize() const
{
    return SIZE;
}

void
RoceImmHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_immediate);
}

uint32_t
RoceImmHeader::Deserialize(Buffer::Iterator start)
{
    m_immediate = start.ReadNtohU32();
    return GetSerializedSize();
}

void
RoceImmHeader::Print(std::ostream& os) const
{
    os << "immediate=0x" << std::hex << m_immediate << std::dec;
}

} // namespace aifabric
} // namespace ns3
