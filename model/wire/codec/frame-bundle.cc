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

/// @return bytes of the telemetry that a frame carries, behind its trailer
uint32_t
GetTelemetryBytes(const FabricFrame& frame)
{
    return frame.flags & FRAME_TELEMETRY ? sizeof(PathTelemetry) : 0;
}

/// @return bytes behind that: the tag of CONGA, how long the frame was held, the tag of ConWeave
uint32_t
GetExtraBytes(const FabricFrame& frame)
{
    const FrameExtra& extra = frame.GetExtra();
    return (extra.conga.isSet ? sizeof(extra.conga) : 0) +
           (extra.heldFor > 0 ? sizeof(extra.heldFor) : 0) +
           (frame.IsOfMessage() && frame.GetConweaveTag().kind ? sizeof(ConweaveTag) : 0);
}

/// Write something as it is in memory, as ranks have one byte order.
/// @return how many bytes it has
template <class T>
uint32_t
WriteObject(Buffer::Iterator& i, const T& object)
{
    i.Write(reinterpret_cast<const uint8_t*>(&object), sizeof(T));
    return sizeof(T);
}

/// Read what another rank has written so.
/// @param left bytes of the message from there on
template <class T>
void
ReadObject(Buffer::Iterator& i, uint32_t& left, T& object)
{
    NS_ABORT_MSG_IF(sizeof(T) > left, "FrameBundle: what another rank sent is no frame");
    i.Read(reinterpret_cast<uint8_t*>(&object), sizeof(T));
    left -= sizeof(T);
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
                           GetTelemetryBytes(frame) + GetExtraBytes(frame);
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
    if (const PathTelemetry* telemetry = frame.FindTelemetry())
    {
        m_used += WriteObject(i, *telemetry);
    }
    if (trailer.HasTag())
    {
        m_used += WriteObject(i, frame.GetExtra().conga);
    }
    if (trailer.WasHeld())
    {
        m_used += WriteObject(i, frame.GetExtra().heldFor);
    }
    if (trailer.HasConweaveTag())
    {
        m_used += WriteObject(i, frame.GetConweaveTag());
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
        if (GetTelemetryBytes(*frame) > 0)
        {
            ReadObject(i, left, frame->AddTelemetry());
        }
        if (trailer.HasTag())
        {
            ReadObject(i, left, frame->Extra().conga);
        }
        if (trailer.WasHeld())
        {
            ReadObject(i, left, frame->Extra().heldFor);
        }
        if (trailer.HasConweaveTag())
        {
            ReadObject(i, left, frame->Extra().leaf.conweave);
        }
        receive(frame, trailer);
    }
}

} // namespace aifabric
} // namespace ns3
