/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WIRE_END_H
#define WIRE_END_H

#include "frame-handler.h"

#include "ns3/fabric-frame.h"
#include "ns3/growing-ring.h"
#include "ns3/prefetch-lines.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class LinkDirection;

/**
 * @ingroup ai-fabric
 *
 * The end of a wire: the frames in flight, in the order of their arrivals, and who receives them.
 * It schedules nothing: its owner pops each frame at its arrival, and has it delivered.
 *
 * The first frame stands by itself, so that a wire with one frame touches no other memory. Each
 * frame has one reference that belongs to this class.
 */
class alignas(64) WireEnd
{
  public:
    WireEnd();

    // Set-up

    /// @param handler who receives  @param ingress the port's index there  @param node its number
    void SetReceiver(FrameHandler* handler, uint16_t ingress, uint32_t node);

    /// @param handler who receives from now on
    void SetHandler(FrameHandler* handler);

    /// @param delay propagation delay, in picoseconds
    void SetDelay(int64_t delay)
    {
        m_delay = delay;
    }

    /// @param direct whether all frames that are sent arrive here: the link is not cut, and no
    /// carrier has them
    void SetDirect(bool direct)
    {
        m_isDirect = direct;
    }

    /// @param lossy whether frames may be lost at random
    void SetLossy(bool lossy)
    {
        m_isLossy = lossy;
    }

    /// @param observed whether the port at this end observes arrivals
    void SetObserved(bool observed)
    {
        m_isObserved = observed;
    }

    /// @param announced whether the receiver knows that there are frames, and when the first
    /// arrives
    void SetAnnounced(bool announced)
    {
        m_isAnnounced = announced;
    }

    /// @return whether the receiver knows that there are frames, and when the first one arrives
    bool IsAnnounced() const
    {
        return m_isAnnounced;
    }

    /// @return whether all frames that are sent arrive here
    bool IsDirect() const
    {
        return m_isDirect;
    }

    /// @return whether the handler prefetches for frames before they arrive
    bool NeedsPrefetch() const
    {
        return m_prefetches;
    }

    /// @return whether the port at this end is that of a host
    bool LeadsToHost() const
    {
        return m_leadsToHost;
    }

    /// @return the index of the port at this end
    uint16_t GetIngress() const
    {
        return m_ingress;
    }

    /// @return the node at this end
    uint32_t GetNode() const
    {
        return m_node;
    }

    /// @return propagation delay, in picoseconds
    int64_t GetDelay() const
    {
        return m_delay;
    }

    /// @return when a frame arrives, in picoseconds  @param end when its last bit is sent
    int64_t GetArrivalOf(int64_t end) const
    {
        return end + m_delay;
    }

    /// @return another end of this wire, without frames
    WireEnd MakeEmpty() const;

    // Frames

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

    /**
     * Remove the first frames.
     *
     * @param until those that arrive before it, in picoseconds
     * @param take gets a frame with a reference, and when it arrives
     */
    template <typename F>
    void PopUntil(int64_t until, F&& take)
    {
        if (!m_first || m_arrival >= until)
        {
            return;
        }
        take(m_first, m_arrival);
        m_others.PopWhile([until, &take](const Flight& flight) {
            const bool arrives = flight.arrival < until;
            if (arrives)
            {
                take(flight.frame, flight.arrival);
            }
            return arrives;
        });
        Pop();
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

    /// @return whether a frame that has arrived may be lost at random, or is observed, or is a
    /// PAUSE or PFC frame
    bool IsSpecial(const FabricFrame& frame) const
    {
        return m_isLossy || m_isObserved || frame.kind >= FrameKind::PAUSE;
    }

    /// Hand a frame that has arrived to the receiver, where IsSpecial() is false.
    /// @param frame what Pop() returned  @param now the current time, in picoseconds
    void DeliverPlain(const Ptr<FabricFrame>& frame, int64_t now) const
    {
        m_handler->ReceiveFrame(frame, m_ingress, now);
    }

    /**
     * Hand a frame that has arrived to the receiver, unless it is lost at random.
     *
     * @param frame what Pop() returned
     * @param direction which counts it if it is lost, and knows the ports
     * @param now the current time, in picoseconds
     */
    void Deliver(const Ptr<FabricFrame>& frame, LinkDirection& direction, int64_t now) const
    {
        if (IsSpecial(*frame))
        {
            DeliverSpecial(frame, direction, now);
            return;
        }
        DeliverPlain(frame, now);
    }

    /// The same, where IsSpecial() is true.
    [[gnu::noinline]] void DeliverSpecial(const Ptr<FabricFrame>& frame,
                                          LinkDirection& direction,
                                          int64_t now) const;

    // Prefetching

    /// A frame arrives, and these follow it: prefetch what each of the first ones will touch at the
    /// receiver, one step a frame, as PrefetchingEvent::Prefetch() does. There is a first frame.
    [[gnu::noinline]] void PrefetchNext() const;

    /// The same for frames that are all new in flight: the steps that they would have had by now,
    /// but for the last one of the first frame, which would wait for the one before it.
    [[gnu::noinline]] void PrefetchNew() const;

    /// Prefetch what the first frame will touch, if there is one.  @param step as of an event
    void PrefetchFirst(uint32_t step) const
    {
        if (m_first)
        {
            m_handler->PrefetchFrame(*m_first, step);
        }
    }

    /// Prefetch the first frame and the place of the next one.
    void Prefetch() const
    {
        PrefetchLine(m_first);
        PrefetchLine(m_others.Place());
    }

    /// Prefetch the place where Push() will put a frame.
    void PrefetchPlace() const
    {
        if (m_first)
        {
            PrefetchLine(m_others.NextPlace());
        }
    }

  private:
    /// A frame on its way.
    struct Flight
    {
        int64_t arrival{0};          //!< when its last bit arrives, in picoseconds
        FabricFrame* frame{nullptr}; //!< the frame
    };

    // One cache line, which the sender and the receiver share.

    bool m_isDirect : 1;              //!< all frames that are sent arrive here
    bool m_isLossy : 1;               //!< frames may be lost at random
    bool m_isObserved : 1;            //!< the port observes arrivals
    bool m_prefetches : 1;            //!< the handler prefetches for frames before they arrive
    bool m_leadsToHost : 1;           //!< the port is that of a host
    bool m_isAnnounced : 1;           //!< the receiver knows of the frames
    uint16_t m_ingress{0};            //!< index of the port at the handler
    uint32_t m_node{0};               //!< node of the port
    GrowingRing<Flight> m_others;     //!< all frames but the first
    FabricFrame* m_first{nullptr};    //!< the first frame
    int64_t m_arrival{0};             //!< when it arrives
    FrameHandler* m_handler{nullptr}; //!< who receives
    int64_t m_delay{0};               //!< propagation delay
};

static_assert(sizeof(WireEnd) == 64, "one cache line");

} // namespace aifabric
} // namespace ns3

#endif /* WIRE_END_H */
