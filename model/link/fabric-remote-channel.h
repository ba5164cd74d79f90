/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_REMOTE_CHANNEL_H
#define FABRIC_REMOTE_CHANNEL_H

#include "fabric-channel.h"
#include "frame-carrier.h"
#include "frame-ferry.h"

#include "ns3/frame-trailer.h"
#include "ns3/growing-ring.h"
#include "ns3/mac48-address.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A cable between two ranks: at one end the port that this rank simulates, at the other end its
 * ghost, a port that sends nothing here.
 *
 * A frame crosses as the bytes of its headers with a FrameTrailer, when its transmission begins; it
 * is sent so early because that is the look-ahead by which ranks keep in step. The port that sends
 * keeps a frame at least until it has arrived, so that a cut loses it there, as it does on one
 * rank. The ghost hands over what arrives, so that random losses, pauses and traces are as on one
 * rank too.
 */
class FabricRemoteChannel : public FabricChannel, private FrameCarrier, private FrameFerry::Receiver
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricRemoteChannel();
    ~FabricRemoteChannel() override;

    /**
     * Say which end is here. To be called once, after Connect().
     *
     * @param end the end whose port this rank simulates, 0 or 1
     * @param link number of the link, the same on both ranks
     * @param rank the rank that simulates the other end
     * @param ferry takes frames there
     */
    void Split(std::size_t end, uint32_t link, uint32_t rank, const Ptr<FrameFerry>& ferry);

  protected:
    void DoDispose() override;

  private:
    void Carry(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival) override;
    Ptr<FabricFrame> TakeLost(int64_t now) override;
    uint32_t CountFrames(int64_t now) const override;
    uint64_t CountBytes(int64_t now) const override;
    void Expect(const Ptr<FabricFrame>& frame, const FrameTrailer& trailer) override;

    /// A frame on its way to the other rank.
    struct InFlight
    {
        int64_t arrival{0};          //!< when it arrives, in picoseconds
        FabricFrame* frame{nullptr}; //!< the frame; the channel owns one reference to it
    };

    Ptr<FabricPort> m_local;        //!< the port that is here
    Ptr<FabricPort> m_ghost;        //!< that of the other rank
    Mac48Address m_source;          //!< address of the port that is here
    Mac48Address m_destination;     //!< that of the port of the other rank
    uint32_t m_link{0};             //!< number of the link
    uint32_t m_rank{0};             //!< the other rank
    Ptr<FrameFerry> m_ferry;        //!< takes frames there
    GrowingRing<InFlight> m_flight; //!< frames on their way, the first one first
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_REMOTE_CHANNEL_H */
