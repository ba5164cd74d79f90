/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_BUNDLE_H
#define FRAME_BUNDLE_H

#include "ns3/buffer.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-frame.h"
#include "ns3/frame-trailer.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <cstdint>
#include <functional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Frames that cross to another rank in one message, because a message costs far more than a frame:
 * for each its headers as on the wire (FrameCodec::WriteHeaders()), and a FrameTrailer. The bytes
 * of messages, which are zeros, stay behind. IP frames are more than headers, and are not bundled.
 */
class FrameBundle
{
  public:
    static constexpr uint32_t MOST_BYTES = 1800; //!< in a bundle: a message has some 1900

    /// What takes a frame out of a bundle.
    using Receiver =
        std::function<void(const Ptr<FabricFrame>& frame, const FrameTrailer& trailer)>;

    FrameBundle();

    /**
     * @param frame a frame that is not IP
     * @return whether there is room for it
     */
    bool HasRoom(const FabricFrame& frame) const;

    /**
     * Add a frame, for which there is room.
     *
     * @param trailer what its headers do not have
     * @param source MAC address of the sending end of the link
     * @param destination MAC address of the receiving end of the link
     */
    void Add(const FabricFrame& frame,
             const FrameTrailer& trailer,
             Mac48Address source,
             Mac48Address destination);

    /// @return whether there is no frame
    bool IsEmpty() const;

    /// @return a message with all frames; the bundle is empty then
    Ptr<Packet> Take();

    /**
     * Take frames out of a message that Take() returned on another rank, in their order.
     *
     * @param pool where the frames are to live
     * @param receive called with each frame
     */
    static void Read(const Packet& message, FabricFramePool& pool, const Receiver& receive);

  private:
    Buffer m_bytes;     //!< MOST_BYTES
    uint32_t m_used{0}; //!< of them
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_BUNDLE_H */
