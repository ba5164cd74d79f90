/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-trailer.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FrameTrailer);

namespace
{

// Beside the traffic class.
constexpr uint8_t TAG_BIT = 0x80;      //!< there is a tag of CONGA
constexpr uint8_t HELD_BIT = 0x40;     //!< the frame was held in hosts
constexpr uint8_t CONWEAVE_BIT = 0x20; //!< there is a tag of ConWeave
constexpr uint8_t CLASS_MASK = 0x07;   //!< the traffic class

} // namespace

TypeId
FrameTrailer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::FrameTrailer")
                            .SetParent<Trailer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<FrameTrailer>();
    return tid;
}

FrameTrailer::FrameTrailer(uint32_t link, int64_t start, int64_t arrival, const FabricFrame& frame)
    : m_link(link),
      m_start(start),
      m_arrival(arrival),
      m_sentAt(frame.sentAt),
      m_bytes(frame.wireBytes),
      m_flags(frame.flags & (FRAME_TRIMMED | FRAME_TELEMETRY)),
      m_class(frame.GetClass() | (frame.GetExtra().conga.isSet ? TAG_BIT : 0) |
              (frame.GetExtra().heldFor > 0 ? HELD_BIT : 0) |
              (frame.IsOfMessage() && frame.GetConweaveTag().kind ? CONWEAVE_BIT : 0))
{
}

uint32_t
FrameTrailer::GetLink() const
{
    return m_link;
}

int64_t
FrameTrailer::GetStart() const
{
    return m_start;
}

int64_t
FrameTrailer::GetArrival() const
{
    return m_arrival;
}

bool
FrameTrailer::HasTag() const
{
    return m_class & TAG_BIT;
}

bool
FrameTrailer::WasHeld() const
{
    return m_class & HELD_BIT;
}

bool
FrameTrailer::HasConweaveTag() const
{
    return m_class & CONWEAVE_BIT;
}

void
FrameTrailer::Complete(FabricFrame& frame) const
{
    frame.sentAt = m_sentAt;
    frame.wireBytes = m_bytes;
    frame.flags |= m_flags;
    frame.SetClass(m_class & CLASS_MASK);
}

TypeId
FrameTrailer::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FrameTrailer::GetSerializedSize() const
{
    return sizeof(uint32_t) + 3 * sizeof(int64_t) + sizeof(uint16_t) + 2 * sizeof(uint8_t);
}

void
FrameTrailer::Serialize(Buffer::Iterator end) const
{
    end.Prev(GetSerializedSize());
    end.WriteHtonU32(m_link);
    end.WriteHtonU64(m_start);
    end.WriteHtonU64(m_arrival);
    end.WriteHtonU64(m_sentAt);
    end.WriteHtonU16(m_bytes);
    end.WriteU8(m_flags);
    end.WriteU8(m_class);
}

uint32_t
FrameTrailer::Deserialize(Buffer::Iterator end)
{
    end.Prev(GetSerializedSize());
    m_link = end.ReadNtohU32();
    m_start = end.ReadNtohU64();
    m_arrival = end.ReadNtohU64();
    m_sentAt = end.ReadNtohU64();
    m_bytes = end.ReadNtohU16();
    m_flags = end.ReadU8();
    m_class = end.ReadU8();
    return GetSerializedSize();
}

void
FrameTrailer::Print(std::ostream& os) const
{
    os << "link=" << m_link << " start=" << m_start << "ps arrival=" << m_arrival
       << "ps sentAt=" << m_sentAt << "ps wireBytes=" << m_bytes << " flags=" << +m_flags
       << " class=" << (m_class & CLASS_MASK);
}

} // namespace aifabric
} // namespace ns3
