/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_DIRECTION_H
#define LINK_DIRECTION_H

#include "frame-carrier.h"

#include "ns3/fabric-frame.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricPort;
class WireEnd;

/**
 * @ingroup ai-fabric
 *
 * One direction of a link: between which ports, whether it is cut, who carries its frames to
 * another rank, and what it has lost. Nothing of it is touched by a frame that simply arrives.
 */
class LinkDirection
{
  public:
    /// @param sender the port that sends
    explicit LinkDirection(FabricPort* sender);

    /// @param receiver the port that receives
    void SetReceiver(FabricPort* receiver)
    {
        m_receiver = receiver;
    }

    /// @return the port that sends
    FabricPort* GetSender() const
    {
        return m_sender;
    }

    /// @return the port that receives, or nullptr
    FabricPort* GetReceiver() const
    {
        return m_receiver;
    }

    /// @param carrier who carries frames to a receiver that another rank simulates, or nullptr
    void SetCarrier(FrameCarrier* carrier)
    {
        m_carrier = carrier;
    }

    /// Another rank simulates the sender, and counts what it sends.
    void SetGhost()
    {
        m_isGhost = true;
    }

    /// @return whether frames reach the receiver
    bool IsUp() const
    {
        return m_isUp;
    }

    /// @return whether frames simply arrive
    bool IsDirect() const
    {
        return m_isUp && !m_carrier;
    }

    /// @return whether a frame was lost when the link was cut  @param start when its transmission
    /// began, in picoseconds
    bool WasCutSince(int64_t start) const
    {
        return start <= m_cutAt;
    }

    /**
     * Cut the link, and lose what is in flight, or restore it.
     *
     * @param wire the frames in flight
     * @param now the current time, in picoseconds
     */
    void SetUp(bool up, WireEnd& wire, int64_t now);

    /// Send a frame that does not simply arrive: the link is cut, or leads to another rank.
    /// @param start the time  @param arrival when it would arrive
    void SendElsewhere(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival);

    /// Count a frame as lost on the link.  @param ps when it is lost, in picoseconds; a
    /// transmitter may decide it before or after that time
    void Lose(const Ptr<FabricFrame>& frame, int64_t ps);

    /// @return frames lost
    uint64_t GetLostFrames() const
    {
        return m_lostFrames;
    }

    /// @return their bytes
    uint64_t GetLostBytes() const
    {
        return m_lostBytes;
    }

    /// @return frames in flight; those of a ghost are counted by the port that sent them
    /// @param wire the frames in flight on this rank
    uint32_t CountFrames(const WireEnd& wire) const;

    /// @return their bytes  @param wire the frames in flight on this rank
    uint64_t CountBytes(const WireEnd& wire) const;

  private:
    bool m_isUp{true};                //!< the link is not cut
    bool m_isGhost{false};            //!< another rank simulates the sender
    uint64_t m_lostFrames{0};         //!< frames lost
    uint64_t m_lostBytes{0};          //!< their bytes
    int64_t m_cutAt{-1};              //!< when the link was cut last
    FrameCarrier* m_carrier{nullptr}; //!< who carries frames to another rank
    FabricPort* const m_sender;       //!< the port that sends
    FabricPort* m_receiver{nullptr};  //!< the port that receives
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_DIRECTION_H */
