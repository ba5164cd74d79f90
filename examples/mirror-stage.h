/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MIRROR_STAGE_H
#define MIRROR_STAGE_H

#include "ns3/fabric-frame-pool.h"
#include "ns3/ingress-stage.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Traffic mirroring: of the data frames that come from the hosts below a leaf, a copy of one in n
 * goes to a collector, without its payload. The frame itself passes. So a copy stands for n frames:
 * what arrives at the collector estimates who sends how much to whom. The distance between two
 * frames that are copied is random, 1 to 2 n - 1: with a constant distance, the frames of hosts
 * that take turns would be copied of some hosts only.
 */
class MirrorStage : public IngressStage
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MirrorStage();

    void Install(FabricSwitch& fabricSwitch) override;
    bool Passes(const Ptr<FabricFrame>& frame, int64_t now) override;
    void Count(PolicyCounters& counters) const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// @return whether a frame is data from a host of this switch  @param frame the frame
    bool IsOfHost(const FabricFrame& frame) const;

    /// Draw which frame is copied next.
    void DrawNext();

    /// @return a copy for the collector  @param frame the frame
    Ptr<FabricFrame> MakeCopy(const FabricFrame& frame);

    FabricSwitch* m_switch{nullptr};     //!< the switch
    Ptr<FabricFramePool> m_pool;         //!< where copies come from
    Ptr<UniformRandomVariable> m_random; //!< draws distances
    uint32_t m_period{0};                //!< mean distance, in frames
    uint32_t m_collector{0};             //!< host index of the collector
    uint8_t m_dscp{0};                   //!< of copies
    uint32_t m_left{0};                  //!< frames until the next one that is copied
    uint64_t m_seen{0};                  //!< data frames of hosts
    uint64_t m_copies{0};                //!< copies sent
};

} // namespace aifabric
} // namespace ns3

#endif /* MIRROR_STAGE_H */
