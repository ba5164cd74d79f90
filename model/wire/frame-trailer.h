/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_TRAILER_H
#define FRAME_TRAILER_H

#include "fabric-frame-pool.h"
#include "fabric-frame.h"

#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/trailer.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the wire does not carry of a frame, and another rank needs, behind the frame's bytes, in
 * network order: when its transmission began and FabricFrame::sentAt (8 bytes each), and
 * FabricFrame::wireBytes (2 bytes), which is not that of the bytes where a model says so
 * (RoceNetDevice::AckBytes).
 */
class FrameTrailer : public Trailer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FrameTrailer() = default;

    /**
     * @param start when the transmission over this link began, in picoseconds
     * @param frame the frame
     */
    FrameTrailer(int64_t start, const FabricFrame& frame);

    /**
     * @param frame a frame
     * @param start when its transmission over this link began, in picoseconds
     * @param source MAC address of the sending end of the link
     * @param destination MAC address of the receiving end of the link
     * @return its bytes for another rank, with a trailer; ns-3 stores no byte of its payload
     */
    static Ptr<Packet> Pack(const FabricFrame& frame,
                            int64_t start,
                            Mac48Address source,
                            Mac48Address destination);

    /**
     * Make a frame of what Pack() made of it on another rank.
     *
     * @param bytes the bytes
     * @param pool where the frame is to live
     * @param [out] start when its transmission over this link began, in picoseconds
     * @return the frame
     */
    static Ptr<FabricFrame> Unpack(const Ptr<Packet>& bytes, FabricFramePool& pool, int64_t& start);

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator end) const override;
    uint32_t Deserialize(Buffer::Iterator end) override;
    void Print(std::ostream& os) const override;

  private:
    int64_t m_start{0};  //!< start of the transmission
    int64_t m_sentAt{0}; //!< FabricFrame::sentAt
    uint16_t m_bytes{0}; //!< FabricFrame::wireBytes
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_TRAILER_H */
