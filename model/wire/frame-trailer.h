/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_TRAILER_H
#define FRAME_TRAILER_H

#include "fabric-frame.h"

#include "ns3/trailer.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the wire does not carry of a frame, and another rank needs, behind the frame's headers, in
 * network order: the link that it crosses (4 bytes), when its transmission began, when it arrives,
 * and FabricFrame::sentAt (8 bytes each), FabricFrame::wireBytes (2 bytes), which is not that
 * of the headers where a model says so (RoceNetDevice::AckBytes, ChargeReth), the flags
 * FRAME_TRIMMED and FRAME_TELEMETRY, and the traffic class (1 byte each), whose highest bits say
 * that CongaTag, FrameExtra::heldFor and ConweaveTag come next.
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
     * @param link number of the link
     * @param start when the transmission over this link began, in picoseconds
     * @param arrival when its last bit arrives, in picoseconds
     */
    FrameTrailer(uint32_t link, int64_t start, int64_t arrival, const FabricFrame& frame);

    /// @return the number of the link
    uint32_t GetLink() const;

    /// @return when the transmission over this link began, in picoseconds
    int64_t GetStart() const;

    /// @return when the frame's last bit arrives, in picoseconds
    int64_t GetArrival() const;

    /// @return whether the frame has a tag of CONGA
    bool HasTag() const;

    /// @return whether the frame was held in hosts
    bool WasHeld() const;

    /// @return whether the frame, a packet of a message, has a tag of ConWeave
    bool HasConweaveTag() const;

    /// Give a frame that was made of its headers what they do not have.
    void Complete(FabricFrame& frame) const;

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator end) const override;
    uint32_t Deserialize(Buffer::Iterator end) override;
    void Print(std::ostream& os) const override;

  private:
    uint32_t m_link{0};   //!< number of the link
    int64_t m_start{0};   //!< start of the transmission
    int64_t m_arrival{0}; //!< arrival
    int64_t m_sentAt{0};  //!< FabricFrame::sentAt
    uint16_t m_bytes{0};  //!< FabricFrame::wireBytes
    uint8_t m_flags{0};   //!< flags of FabricFrame that no header has
    uint8_t m_class{0};   //!< FabricFrame::GetClass(), TAG_BIT, HELD_BIT, CONWEAVE_BIT
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_TRAILER_H */
