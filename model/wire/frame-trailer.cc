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

FrameTrailer::FrameTrailer(int64_t start, int64_t sentAt)
    : m_start(start),
      m_sentAt(sentAt)
{
}

int64_t
FrameTrailer::GetStart() const
{
    return m_start;
}

int64_t
FrameTrailer::GetSentAt() const
{
    return m_sentAt;
}

TypeId
FrameTrailer::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FrameTrailer::GetSerializedSize() const
{
    return 2 * sizeof(int64_t);
}

void
FrameTrailer::Serialize(Buffer::Iterator end) const
{
    end.Prev(GetSerializedSize());
    end.WriteHtonU64(m_start);
    end.WriteHtonU64(m_sentAt);
}

uint32_t
FrameTrailer::Deserialize(Buffer::Iterator end)
{
    end.Prev(GetSerializedSize());
    m_start = end.ReadNtohU64();
    m_sentAt = end.ReadNtohU64();
    return GetSerializedSize();
}

void
FrameTrailer::Print(std::ostream& os) const
{
    os << "start=" << m_start << "ps sentAt=" << m_sentAt << "ps";
}

} // namespace aifabric
} // namespace ns3
