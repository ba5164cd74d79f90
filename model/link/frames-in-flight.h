/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAMES_IN_FLIGHT_H
#define FRAMES_IN_FLIGHT_H

#include "frame-handler.h"

#include "ns3/fabric-frame.h"
#include "ns3/growing-ring.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The frames on a link in one direction, in the order of their arrivals. The first one stands by
 * itself, so that a link with one frame touches no other memory. Each frame has one reference that
 * belongs to this class.
 */
class FramesInFlight
{
  public:
    /// Append a frame.  @param frame the frame, with a reference to it
    /// @param arrival when its last bit arrives, in picoseconds
    void Push(FabricFrame* frame, int64_t arrival)
    {
        if (m_first)
        {
            m_others.push_back(Flight{arrival, frame});
        }
        else
        {
            m_arrival = arrival;
            m_first = frame;
        }
    }

    /// @return the first frame, removed, with a reference to it; nullptr if there is none
    FabricFrame* Pop()
    {
        FabricFrame* first = m_first;
        const Flight next = m_others.empty() ? Flight{} : m_others.pop_front();
        m_first = next.frame;
        m_arrival = next.arrival;
        return first;
    }

    /// @return the first frame, or nullptr
    FabricFrame* First() const
    {
        return m_first;
    }

    /// @return when the first frame arrives, in picoseconds
    int64_t GetArrival() const
    {
        return m_arrival;
    }

    /// @return when the last frame arrives, in picoseconds, if there is one
    int64_t GetLastArrival() const
    {
        return m_others.empty() ? m_arrival : m_others.back().arrival;
    }

    /// @return how many frames there are
    uint32_t CountFrames() const
    {
        return m_others.size() + (m_first ? 1 : 0);
    }

    /// @return their bytes
    uint64_t CountBytes() const;

    /**
     * A frame arrives, and these follow it: prefetch what each of the first ones will touch at the
     * other end, one step a frame, as PrefetchingEvent::Prefetch() does. There is a first frame.
     *
     * @param handler who receives
     */
    void Prefetch(const FrameHandler& handler) const;

    /**
     * The same for frames that are all new in flight: the steps that they would have had by now,
     * but for the last one of the first frame, which would wait for the one before it.
     *
     * @param handler who receives
     */
    void PrefetchNew(const FrameHandler& handler) const;

    /// Prefetch the first frame and the place of the next one.
    void Prefetch() const
    {
        __builtin_prefetch(m_first, 1);
        __builtin_prefetch(m_others.Place());
    }

    /// Prefetch the place where Push() will put a frame.
    void PrefetchPlace() const
    {
        if (m_first)
        {
            __builtin_prefetch(m_others.NextPlace(), 1);
        }
    }

  private:
    /// A frame on its way.
    struct Flight
    {
        int64_t arrival{0};          //!< when its last bit arrives, in picoseconds
        FabricFrame* frame{nullptr}; //!< the frame
    };

    GrowingRing<Flight> m_others;  //!< all but the first
    FabricFrame* m_first{nullptr}; //!< the first
    int64_t m_arrival{0};          //!< when it arrives
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAMES_IN_FLIGHT_H */
