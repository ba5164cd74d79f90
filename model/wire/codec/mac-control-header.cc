/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mac-control-header.h"

#include <ostream>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MacControlHeader);

TypeId
MacControlHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::MacControlHeader")
                            .SetParent<Header>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<MacControlHeader>();
    return tid;
}

TypeId
MacControlHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
MacControlHeader::SetOpcode(uint16_t opcode)
{
    m_opcode = opcode;
}

uint16_t
MacControlHeader::GetOpcode() const
{
    return m_opcode;
}

void
MacControlHeader::SetPauseVector(const PauseVector& vector)
{
    m_vector = vector;
}

const PauseVector&
MacControlHeader::GetPauseVector() const
{
    return m_vector;
}

uint32_t
MacControlHeader::GetSerializedSize() const
{
    switch (m_opcode)
    {
    case PAUSE:
        return OPCODE_SIZE + 2;
    case PFC:
        return OPCODE_SIZE + 2 + 2 * m_vector.quanta.size();
    default:
        return OPCODE_SIZE;
    }
}

void
MacControlHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU16(m_opcode);
    if (m_opcode == PAUSE)
    {
        i.WriteHtonU16(m_vector.quanta[0]);
    }
    else if (m_opcode == PFC)
    {
        i.WriteHtonU16(m_vector.classes);
        for (const uint16_t quanta : m_vector.quanta)
        {
            i.WriteHtonU16(quanta);
        }
    }
}

uint32_t
MacControlHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_opcode = i.ReadNtohU16();
    m_vector = {};
    if (m_opcode == PAUSE)
    {
        m_vector.quanta[0] = i.ReadNtohU16();
    }
    else if (m_opcode == PFC)
    {
        m_vector.classes = i.ReadNtohU16() & 0xFF;
        for (uint16_t& quanta : m_vector.quanta)
        {
            quanta = i.ReadNtohU16();
        }
    }
    return GetSerializedSize();
}

void
MacControlHeader::Print(std::ostream& os) const
{
    if (m_opcode == PAUSE)
    {
        os << "PAUSE quanta=" << m_vector.quanta[0];
    }
    else if (m_opcode == PFC)
    {
        os << "PFC";
        for (std::size_t c = 0; c < m_vector.quanta.size(); ++c)
        {
            if (m_vector.classes & (1 << c))
            {
                os << " class" << c << "=" << m_vector.quanta[c];
            }
        }
    }
    else
    {
        os << "opcode=0x" << std::hex << m_opcode << std::dec;
    }
}

} // namespace aifabric
} // namespace ns3
