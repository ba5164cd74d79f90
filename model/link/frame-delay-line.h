/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_DELAY_LINE_H
#define FRAME_DELAY_LINE_H

#include "frame-handler.h"

#include "ns3/event-impl.h"
#include "ns3/growing-ring.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricPort;

/**
 * @ingroup ai-fabric
 *
 * The latency of a switch or a NIC: it receives frames in the place of a FrameHandler, and hands
 * each frame on after a constant time, in the order of arrival, and not faster than at a rate.
 * Frames that come by several ports in one picosecond are handed on in the turns of these ports
 * (FabricClock), as they arrive; ports that share a turn, in the order of their numbers.
 *
 * It costs one event a frame more. Who has neither latency nor such ports has no delay line.
 *
 * **Conservation**: frames received = handed on + held.
 */
class FrameDelayLine final : public EventImpl, public FrameHandler
{
  public:
    /**
     * @param handler who gets the frames, and outlives them
     * @param node the node of the handler
     * @param latency how long each frame is held, in picoseconds; 0: to the end of its turn
     */
    FrameDelayLine(FrameHandler& handler, uint32_t node, int64_t latency);
    ~FrameDelayLine() override;

    /// Hold the frames that come by ports.  @param ports all ports of the handler
    /// @param handler who gets the frames, and outlives them
    /// @param latency how long each frame is held; 0: only ports that share a turn have a line
    /// @param pacing time between two frames for each byte of the second one (Pacing); 0: none.
    /// With it, frames note how long they were held (FrameExtra::heldFor).
    /// @return the line; null: none is needed
    static Ptr<FrameDelayLine> Insert(const std::vector<Ptr<FabricPort>>& ports,
                                      FrameHandler& handler,
                                      Time latency,
                                      int64_t pacing = 0);

    void ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now) override;
    void PrefetchFrame(const FabricFrame& frame, uint32_t step) const override;
    bool NeedsPrefetch() const override;
    bool IsHost() const override;
    bool SetsClasses() const override;
    void QueueFactorChanged() override;

    /// @return frames that are held
    uint32_t GetFrames() const;

    /// Drop all frames without a word: the simulation ends.
    void Dispose();

  private:
    /// A frame that is held.
    struct Held
    {
        int64_t due{0};              //!< when it is handed on, in picoseconds
        FabricFrame* frame{nullptr}; //!< the frame; the line owns one reference to it
        uint16_t ingress{0};         //!< the port by which it came
    };

    /// @return when a frame that has come is handed on, in picoseconds
    /// @param now the current time, in picoseconds
    int64_t Delay(FabricFrame& frame, int64_t now);

    /// Put the youngest frame before those that come in its turn by ports of larger numbers.
    void SortLast();

    /// The oldest frame is due.
    void Notify() override;

    /// Schedule the oldest frame.
    void ScheduleFirst();

    FrameHandler* m_handler;  //!< who gets the frames; null: disposed of
    uint32_t m_node;          //!< the node of the handler
    int64_t m_latency;        //!< how long each frame is held at least, in picoseconds
    int64_t m_pacing{0};      //!< time for each byte; 0: none
    int64_t m_freeAt{0};      //!< when the last frame is handed on, in picoseconds
    GrowingRing<Held> m_held; //!< frames, the oldest first
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_DELAY_LINE_H */
