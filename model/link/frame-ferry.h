/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_FERRY_H
#define FRAME_FERRY_H

#include "rank-messenger.h"

#include "ns3/fabric-frame-pool.h"
#include "ns3/frame-bundle.h"
#include "ns3/frame-trailer.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Takes frames to other ranks, many in one message (FrameBundle).
 *
 * A frame that is sent now arrives after the delay of a link at the earliest. An eighth of this
 * delay the ferry may wait for more frames; the rest is the look-ahead by which the ranks keep in
 * step. A bundle that has no room for the next frame leaves before. IP frames leave alone, and at
 * once.
 */
class FrameFerry : public SimpleRefCount<FrameFerry>
{
  public:
    /// What takes the frames that come over a link.
    class Receiver
    {
      public:
        virtual ~Receiver() = default;

        /**
         * A frame has come, no later than it arrives; frames of one link come in their order.
         *
         * @param trailer when it arrives
         */
        virtual void Expect(const Ptr<FabricFrame>& frame, const FrameTrailer& trailer) = 0;
    };

    /**
     * @param delay all frames arrive later than this after they are sent; positive
     * @param pool where frames that come are to live
     */
    FrameFerry(Time delay, const Ptr<FabricFramePool>& pool);

    /**
     * @param link number of a link, the same on all ranks
     * @param receiver takes the frames that come over it
     */
    void Receive(uint32_t link, Receiver* receiver);

    /**
     * Take a frame to another rank.
     *
     * @param trailer when it is sent, which is now, and by which link
     * @param source MAC address of the sending end of the link
     * @param destination MAC address of the receiving end of the link
     */
    void Send(uint32_t rank,
              const FabricFrame& frame,
              const FrameTrailer& trailer,
              Mac48Address source,
              Mac48Address destination);

  private:
    /// What waits for its departure to a rank.
    struct Load
    {
        FrameBundle bundle; //!< frames
        int64_t arrival{0}; //!< when the first of them arrives, in picoseconds
        int64_t due{0};     //!< when the last message comes that went to the rank
    };

    /// The time to wait for more frames is over.
    void DepartAll();

    /// Send what waits.  @param rank to which rank
    void Depart(uint32_t rank);

    /// @return when the next message is to come: after the one before it, and later than the
    /// look-ahead  @param rank where to  @param arrival when its first frame arrives
    int64_t NextDue(uint32_t rank, int64_t arrival);

    /// Receive a bundle of frames.  @param message the bundle
    void ReceiveBundle(Ptr<Packet> message);

    /// Receive an IP frame.  @param message the frame, with its trailer
    void ReceivePacket(Ptr<Packet> message);

    /// Hand over a frame.  @param trailer what its headers do not have
    void Deliver(const Ptr<FabricFrame>& frame, const FrameTrailer& trailer) const;

    int64_t m_delay;                    //!< in picoseconds
    int64_t m_wait;                     //!< for more frames, in picoseconds
    Ptr<FabricFramePool> m_pool;        //!< where frames live
    RankMessenger m_bundles;            //!< takes them to other ranks
    RankMessenger m_packets;            //!< takes IP frames there
    std::vector<Load> m_loads;          //!< by rank
    bool m_isWaiting{false};            //!< whether a departure is scheduled
    std::vector<Receiver*> m_receivers; //!< by link
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_FERRY_H */
