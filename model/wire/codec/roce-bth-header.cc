/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-bth-header.h"

#include <ostream>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RoceBthHeader);

TypeId
RoceBthHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::RoceBthHeader")
                            .SetParent<Header>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<RoceBthHeader>();
    return tid;
}

TypeId
RoceBthHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
RoceBthHeader::SetOpcode(uint8_t opcode)
{
    m_opcode = opcode;
}

uint8_t
RoceBthHeader::GetOpcode() const
{
    return m_opcode;
}

void
RoceBthHeader::SetFlags(uint8_t flags)
{
    m_flags = flags & FLAGS;
}

uint8_t
RoceBthHeader::GetFlags() const
{
    return m_flags;
}

void
RoceBthHeader::SetReserved(uint8_t reserved)
{
    m_reserved = reserved & 0x7F;
}

uint8_t
RoceBthHeader::GetReserved() const
{
    return m_reserved;
}

void
RoceBthHeader::SetPadCount(uint8_t padCount)
{
    m_padCount = padCount & 0x3;
}

uint8_t
RoceBthHeader::GetPadCount() const
{
    return m_padCount;
}

uint8_t
RoceBthHeader::GetTransportVersion() const
{
    return m_transportVersion;
}

void
RoceBthHeader::SetPartitionKey(uint16_t partitionKey)
{
    m_partitionKey = partitionKey;
}

uint16_t
RoceBthHeader::GetPartitionKey() const
{
    return m_partitionKey;
}

void
RoceBthHeader::SetDestinationQp(uint32_t destinationQp)
{
    m_destinationQp = destinationQp & 0xFFFFFF;
}

uint32_t
RoceBthHeader::GetDestinationQp() const
{
    return m_destinationQp;
}

void
RoceBthHeader::SetPsn(uint32_t psn)
{
    m_psn = psn & 0xFFFFFF;
}

uint32_t
RoceBthHeader::GetPsn() const
{
    return m_psn;
}

uint32_t
RoceBthHeader::GetSerializedSize() const
{
    return SIZE;
}

void
RoceBthHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteU8(m_opcode);
    i.WriteU8((m_flags & BTH_SOLICITED ? 0x80 : 0) | (m_flags & BTH_MIG_REQ ? 0x40 : 0) |
              (m_padCount << 4) | m_transportVersion);
    i.WriteHtonU16(m_partitionKey);
    const uint32_t notification = (m_flags & BTH_FECN ? 0x80 : 0) | (m_flags & BTH_BECN ? 0x40 : 0);
    i.WriteHtonU32(notification << 24 | m_destinationQp);
    const uint32_t request = (m_flags & BTH_ACK_REQ ? 0x80 : 0) | m_reserved;
    i.WriteHtonU32(request << 24 | m_psn);
}

uint32_t
RoceBthHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_opcode = i.ReadU8();
    const uint8_t second = i.ReadU8();
    m_padCount = (second >> 4) & 0x3;
    m_transportVersion = second & 0xF;
    m_partitionKey = i.ReadNtohU16();
    const uint32_t destination = i.ReadNtohU32();
    m_destinationQp = destination & 0xFFFFFF;
    const uint32_t sequence = i.ReadNtohU32();
    m_psn = sequence & 0xFFFFFF;
    m_reserved = sequence >> 24 & 0x7F;
    m_flags = (second & 0x80 ? BTH_SOLICITED : 0) | (second & 0x40 ? BTH_MIG_REQ : 0) |
              (destination & 0x80000000 ? BTH_FECN : 0) |
              (destination & 0x40000000 ? BTH_BECN : 0) | (sequence & 0x80000000 ? BTH_ACK_REQ : 0);
    return GetSerializedSize();
}

void
RoceBthHeader::Print(std::ostream& os) const
{
    os << "opcode=0x" << std::hex << +m_opcode << " destinationQp=0x" << m_destinationQp << std::dec
       << " psn=" << m_psn << " pad=" << +m_padCount;
    os << (m_flags & BTH_SOLICITED ? " solicited" : "") << (m_flags & BTH_MIG_REQ ? " migReq" : "")
       << (m_flags & BTH_FECN ? " fecn" : "") << (m_flags & BTH_BECN ? " becn" : "")
       << (m_flags & BTH_ACK_REQ ? " ackReq" : "");
}

} // namespace aifabric
} // namespace ns3
