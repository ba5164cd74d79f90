/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-bundle.h"

#include "frame-codec.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <array>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return bytes behind the trailer of a frame: the telemetry that it carries
uint32_t
GetTelemetryBytes(const FabricFrame& frame)
{
    return frame.flags & FRAME_TELEMETRY ? sizeof(PathTelemetry) : 0;
}

} // namespace

FrameBundle::FrameBundle()
{
    m_bytes.AddAtStart(MOST_BYTES);
}

bool
FrameBundle::HasRoom(const FabricFrame& frame) const
{
    const uint32_t bytes = FrameCodec::HeaderBytes(frame) + FrameTrailer().GetSerializedSize() +
                           GetTelemetryBytes(frame);
    return m_used + bytes <= MOST_BYTES;
}

void
FrameBundle::Add(const FabricFrame& frame,
                 const FrameTrailer& trailer,
                 Mac48Address source,
                 Mac48Address destination)
{
    NS_ASSERT_MSG(HasRoom(frame), "no room in the bundle");
    Buffer::Iterator i = m_bytes.Begin();
    i.Next(m_used);
    FrameCodec::WriteHeaders(i, frame, source, destination);
    const uint32_t bytes = FrameCodec::HeaderBytes(frame) + trailer.GetSerializedSize();
    i.Next(bytes);
    trailer.Serialize(i);
    m_used += bytes;
    if (const PathTelemetry* telemetry = frame.FindTelemetry()) // ranks have one byte order
    {
        i.Write(reinterpret_cast<const uint8_t*>(telemetry), sizeof(PathTelemetry));
        m_used += sizeof(PathTelemetry);
    }
}

bool
FrameBundle::IsEmpty() const
{
    return m_used == 0;
}

Ptr<Packet>
FrameBundle::Take()
{
    Ptr<Packet> message = Create<Packet>(m_bytes.PeekData(), m_used);
    m_used = 0;
    return message;
}

void
FrameBundle::Read(const Packet& message, FabricFramePool& pool, const Receiver& receive)
{
    std::array<uint8_t, MOST_BYTES> bytes;
    uint32_t left = message.CopyData(bytes.data(), bytes.size());
    Buffer buffer;
    buffer.AddAtStart(left);
    buffer.Begin().Write(bytes.data(), left);
    Buffer::Iterator i = buffer.Begin();
    while (left > 0)
    {
        const Ptr<FabricFrame> frame = pool.Create();
        const FrameCodec::Result result = FrameCodec::ReadHeaders(i, *frame);
        FrameTrailer trailer;
        const uint32_t size = FrameCodec::HeaderBytes(*frame) + trailer.GetSerializedSize();
        NS_ABORT_MSG_IF(result != FrameCodec::Result::OK || size > left,
                        "FrameBundle: what another rank sent is no frame");
        i.Next(size);
        trailer.Deserialize(i);
        trailer.Complete(*frame);
        left -= size;
        if (const uint32_t more = GetTelemetryBytes(*frame))
        {
            NS_ABORT_MSG_IF(more > left, "FrameBundle: what another rank sent is no frame");
            i.Read(reinterpret_cast<uint8_t*>(&frame->AddTelemetry()), more);
            left -= more;
        }
        receive(frame, trailer);
    }
}

} // namespace aifabric
} // namespace ns3
