/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-trailer.h"

#include "frame-codec.h"

#include "ns3/abort.h"

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

Ptr<Packet>
FrameTrailer::Pack(const FabricFrame& frame,
                   int64_t start,
                   Mac48Address source,
                   Mac48Address destination)
{
    const Ptr<Packet> bytes =
        FrameCodec::Serialize(frame, source, destination, FrameCodec::Icrc::ZERO);
    bytes->AddTrailer(FrameTrailer(start, frame));
    return bytes;
}

Ptr<FabricFrame>
FrameTrailer::Unpack(const Ptr<Packet>& bytes, FabricFramePool& pool, int64_t& start)
{
    FrameTrailer trailer;
    bytes->RemoveTrailer(trailer);
    const Ptr<FabricFrame> frame =
        FrameCodec::Deserialize(bytes, pool, nullptr, nullptr, nullptr, FrameCodec::Icrc::ZERO);
    NS_ABORT_MSG_IF(!frame, "FrameTrailer: what comes from another rank is no frame");
    frame->sentAt = trailer.m_sentAt;
    frame->wireBytes = trailer.m_bytes;
    start = trailer.m_start;
    return frame;
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
