/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REORDER_QUEUES_H
#define REORDER_QUEUES_H

#include "ns3/balancer-host.h"
#include "ns3/fabric-frame.h"
#include "ns3/growing-ring.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricSwitch;
class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * The reorder queues of a switch, whose balancer decides which frames wait there and until when
 * (ArrivalVerdict): queues of the port that a frame is to leave by, which are paused. Their frames
 * have been admitted to the buffer, and are among those that wait at the port
 * (FabricTransmitter::BeginHold). Frames that are released join the queue of their class, and are
 * marked by its length.
 *
 * **Conservation**: frames held = frames released + frames that wait here.
 */
class ReorderQueues final : public BalancerHost
{
  public:
    /// @param owner the switch, which outlives it
    explicit ReorderQueues(FabricSwitch& owner);

    /**
     * Hold a frame for which the buffer has room.
     *
     * @param queue number of the queue
     * @param egress the port that is to send it
     * @param now the current time, in picoseconds
     */
    void Hold(const Ptr<FabricFrame>& frame,
              uint32_t queue,
              FabricTransmitter& egress,
              int64_t now);

    /// @return frames that wait here
    uint32_t GetFrames() const
    {
        return m_frames;
    }

    /// @return bytes that wait here
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    void Originate(const Ptr<FabricFrame>& frame, int64_t now) override;
    void Release(uint32_t queue, int64_t now) override;
    uint32_t GetNode() const override;
    uint64_t GetMaxHeldBytes() const override;

  private:
    /// A frame that waits.
    struct Held
    {
        Ptr<FabricFrame> frame;             //!< the frame
        FabricTransmitter* egress{nullptr}; //!< the port that is to send it
    };

    FabricSwitch& m_switch;                  //!< the switch
    std::vector<GrowingRing<Held>> m_queues; //!< frames by queue
    uint32_t m_frames{0};                    //!< how many wait
    uint64_t m_bytes{0};                     //!< their bytes
    uint64_t m_maxBytes{0};                  //!< the most of these
};

} // namespace aifabric
} // namespace ns3

#endif /* REORDER_QUEUES_H */
