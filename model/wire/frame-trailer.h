/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_TRAILER_H
#define FRAME_TRAILER_H

#include "ns3/trailer.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the wire does not carry of a frame, and another rank needs: two times, 8 bytes each in
 * network order, behind the frame's bytes.
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
     * @param sentAt FabricFrame::sentAt
     */
    FrameTrailer(int64_t start, int64_t sentAt);

    /// @return when the transmission over this link began, in picoseconds
    int64_t GetStart() const;

    /// @return FabricFrame::sentAt
    int64_t GetSentAt() const;

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator end) const override;
    uint32_t Deserialize(Buffer::Iterator end) override;
    void Print(std::ostream& os) const override;

  private:
    int64_t m_start{0};  //!< start of the transmission
    int64_t m_sentAt{0}; //!< FabricFrame::sentAt
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_TRAILER_H */
