/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_FERRY_H
#define FRAME_FERRY_H

#include "rank-messenger.h"

#include "ns3/callback.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/frame-bundle.h"
#include "ns3/frame-trailer.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <unordered_map>
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
 * step. A bundle that is full leaves at once. IP frames leave alone, and at once.
 */
class FrameFerry : public SimpleRefCount<FrameFerry>
{
  public:
    /// What is called with a frame that comes over a link: earlier than it arrives, or just then.
    using Receiver = Callback<void, Ptr<FabricFrame>, const FrameTrailer&>;

    /**
     * @param delay all frames arrive later than this after they are sent; positive
     * @param pool where frames that come are to live
     */
    FrameFerry(Time delay, const Ptr<FabricFramePool>& pool);

    /**
     * @param link number of a link, the same on all ranks
     * @param receiver called with each frame that comes over it
     */
    void Receive(uint32_t link, const Receiver& receiver);

    /**
     * Take a frame to another rank.
     *
     * @param rank the rank
     * @param frame the frame
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
        int64_t due{0};     //!< when the first of them arrives, in picoseconds
    };

    /// The time to wait for more frames is over.
    void Depart();

    /// Send what waits.  @param rank to which rank
    void Depart(uint32_t rank);

    /// A bundle comes.  @param message the bundle
    void HearBundle(Ptr<Packet> message);

    /// An IP frame comes.  @param message the frame, with its trailer
    void HearPacket(Ptr<Packet> message);

    /// Hand over a frame.  @param frame the frame  @param trailer what its headers do not have
    void Deliver(const Ptr<FabricFrame>& frame, const FrameTrailer& trailer) const;

    int64_t m_delay;                                    //!< in picoseconds
    int64_t m_wait;                                     //!< for more frames, in picoseconds
    Ptr<FabricFramePool> m_pool;                        //!< where frames live
    RankMessenger m_bundles;                            //!< takes them to other ranks
    RankMessenger m_packets;                            //!< takes IP frames there
    std::vector<Load> m_loads;                          //!< by rank
    bool m_isWaiting{false};                            //!< whether a departure is scheduled
    std::unordered_map<uint32_t, Receiver> m_receivers; //!< by link
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_FERRY_H */
