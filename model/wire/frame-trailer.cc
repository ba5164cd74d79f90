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

TypeId
FrameTrailer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::FrameTrailer")
                            .SetParent<Trailer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<FrameTrailer>();
    return tid;
}

FrameTrailer::FrameTrailer(int64_t start, const FabricFrame& frame)
    : m_start(start),
      m_sentAt(frame.sentAt),
      m_bytes(frame.wireBytes)
{
}

int64_t
FrameTrailer::GetStart() const
{
    return m_start;
}

void
FrameTrailer::Complete(FabricFrame& frame) const
{
    frame.sentAt = m_sentAt;
    frame.wireBytes = m_bytes;
}

TypeId
FrameTrailer::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FrameTrailer::GetSerializedSize() const
{
    return 2 * sizeof(int64_t) + sizeof(uint16_t);
}

void
FrameTrailer::Serialize(Buffer::Iterator end) const
{
    end.Prev(GetSerializedSize());
    end.WriteHtonU64(m_start);
    end.WriteHtonU64(m_sentAt);
    end.WriteHtonU16(m_bytes);
}

uint32_t
FrameTrailer::Deserialize(Buffer::Iterator end)
{
    end.Prev(GetSerializedSize());
    m_start = end.ReadNtohU64();
    m_sentAt = end.ReadNtohU64();
    m_bytes = end.ReadNtohU16();
    return GetSerializedSize();
}

void
FrameTrailer::Print(std::ostream& os) const
{
    os << "start=" << m_start << "ps sentAt=" << m_sentAt << "ps wireBytes=" << m_bytes;
}

} // namespace aifabric
} // namespace ns3
