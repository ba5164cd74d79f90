/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-aeth-header.h"

#include <ostream>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RoceAethHeader);

TypeId
RoceAethHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::RoceAethHeader")
                            .SetParent<Header>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<RoceAethHeader>();
    return tid;
}

TypeId
RoceAethHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
RoceAethHeader::SetSyndrome(uint8_t syndrome)
{
    m_syndrome = syndrome;
}

uint8_t
RoceAethHeader::GetSyndrome() const
{
    return m_syndrome;
}

void
RoceAethHeader::SetMsn(uint32_t msn)
{
    m_msn = msn & 0xFFFFFF;
}

uint32_t
RoceAethHeader::GetMsn() const
{
    return m_msn;
}

uint32_t
RoceAethHeader::GetSerializedSize() const
{
    return SIZE;
}

void
RoceAethHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(static_cast<uint32_t>(m_syndrome) << 24 | m_msn);
}

uint32_t
RoceAethHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t word = start.ReadNtohU32();
    m_syndrome = word >> 24;
    m_msn = word & 0xFFFFFF;
    return GetSerializedSize();
}

void
RoceAethHeader::Print(std::ostream& os) const
{
    os << "syndrome=0x" << std::hex << +m_syndrome << std::dec << " msn=" << m_msn;
}

} // namespace aifabric
} // namespace ns3
