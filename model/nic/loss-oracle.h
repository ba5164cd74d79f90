/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSS_ORACLE_H
#define LOSS_ORACLE_H

#include "roce-net-device.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-switch.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Tells senders which packets were lost, at the time at which the missing acknowledgement would
 * have come had nothing waited: a round trip after the packet was sent, or at once if that is past.
 * A lost acknowledgement counts as a loss of the packet that it answers. OracleRecovery lives by
 * it; other recoveries do not listen.
 */
class LossOracle : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LossOracle();
    ~LossOracle() override;

    /**
     * Watch a fabric.
     *
     * @param nics the NICs, by host index
     * @param switches the switches
     * @param channels the channels
     */
    void Install(const std::vector<Ptr<RoceNetDevice>>& nics,
                 const std::vector<Ptr<FabricSwitch>>& switches,
                 const std::vector<Ptr<FabricChannel>>& channels);

  protected:
    void DoDispose() override;

  private:
    /// A switch dropped a frame.  @param frame the frame  @param reason why
    void FrameDropped(Ptr<const FabricFrame> frame, FabricSwitch::DropReason reason);

    /// A frame was lost.  @param frame the frame
    void FrameLost(Ptr<const FabricFrame> frame);

    /// @return the queue pair that sent the data that a frame carries or answers, or nullptr
    /// @param frame the frame  @param [out] host its host
    RoceQueuePair* FindSender(const FabricFrame& frame, uint32_t& host) const;

    /// Tell a sender.  @param host its host  @param number its queue pair
    /// @param psn the PSN of the lost packet  @param sourcePort its UDP source port
    void Tell(uint32_t host, uint32_t number, uint32_t psn, uint16_t sourcePort);

    Time m_roundTrip;                       //!< between a packet and its acknowledgement
    std::vector<Ptr<RoceNetDevice>> m_nics; //!< by host index
};

} // namespace aifabric
} // namespace ns3

#endif /* LOSS_ORACLE_H */
