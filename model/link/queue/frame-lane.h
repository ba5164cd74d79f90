/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_LANE_H
#define FRAME_LANE_H

#include "ns3/fabric-frame.h"
#include "ns3/growing-ring.h"
#include "ns3/prefetch-lines.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <limits>

namespace ns3
{
namespace aifabric
{

class FabricQueue;

/**
 * @ingroup ai-fabric
 *
 * The frames of one traffic class that wait at a port, first in, first out. The oldest one stands
 * by itself, so that all that a packet-hop touches of a queue with one frame is in one cache line.
 * FabricQueue is the ns-3 queue on top of it; it counts and traces each change once it is observed.
 */
class alignas(64) FrameLane
{
  public:
    /**
     * A frame that waits. Its size stands beside it and the pointer is plain, so that leaving does
     * not have to look at the frame, whose cache line is far away by then.
     */
    struct Entry
    {
        FabricFrame* frame{nullptr}; //!< the frame; the holder of the entry owns one reference
        uint64_t bytes{0};           //!< its bytes on the wire; without a gap it stays in registers
    };

    /**
     * @param queue the queue whose frames these are
     */
    void SetQueue(FabricQueue* queue)
    {
        m_queue = queue;
    }

    /// @param size the most that waits
    void SetMaxSize(const QueueSize& size)
    {
        constexpr uint32_t UNLIMITED = std::numeric_limits<uint32_t>::max();
        const bool isOfFrames = size.GetUnit() == QueueSizeUnit::PACKETS;
        m_maxFrames = isOfFrames ? size.GetValue() : UNLIMITED;
        m_maxBytes = isOfFrames ? UNLIMITED : size.GetValue();
        m_limitsFrames = m_maxFrames < UNLIMITED;
    }

    /// @return the most that waits
    QueueSize GetMaxSize() const
    {
        return m_limitsFrames ? QueueSize(QueueSizeUnit::PACKETS, m_maxFrames)
                              : QueueSize(QueueSizeUnit::BYTES, m_maxBytes);
    }

    /// @param watched whether the queue counts and traces each change
    void SetWatched(bool watched)
    {
        m_watched = watched;
    }

    /// @return whether the queue counts and traces each change
    bool IsWatched() const
    {
        return m_watched;
    }

    /// @return whether there is room for a frame
    bool HasRoom(uint32_t bytes) const
    {
        return bytes <= m_maxBytes - m_bytes && (!m_limitsFrames || GetFrames() < m_maxFrames);
    }

    /**
     * Append a frame that there is room for.
     */
    void Push(const Ptr<FabricFrame>& frame)
    {
        const uint32_t bytes = frame->wireBytes;
        frame->Ref();
        if (m_first)
        {
            m_others.push_back(Entry{PeekPointer(frame), bytes});
        }
        else
        {
            m_first = PeekPointer(frame);
            m_firstBytes = bytes;
        }
        m_bytes += bytes;
        m_enqueuedBytes += bytes;
        ++m_enqueuedFrames;
        if (m_watched)
        {
            NotifyEnqueued(frame);
        }
    }

    /// Count a frame that comes and leaves at once.  @param bytes its bytes on the wire
    /// @return whether there is room, and no one who sees it come
    bool Pass(uint32_t bytes)
    {
        if (m_watched || !HasRoom(bytes))
        {
            return false;
        }
        m_enqueuedBytes += bytes;
        ++m_enqueuedFrames;
        return true;
    }

    /// @return the oldest frame of a lane that is not empty, removed
    Entry Pop()
    {
        return Leave(TakeFirst());
    }

    /// @return the newest frame of a lane that is not empty, removed
    Entry PopLast()
    {
        return m_others.empty() ? Pop() : Leave(m_others.pop_back());
    }

    /// @return the oldest frame of a lane that is not empty
    Ptr<const FabricFrame> Front() const
    {
        return m_first;
    }

    /// @return the oldest frame of a lane that is not empty
    const FabricFrame* First() const
    {
        return m_first;
    }

    /// @return the newest frame of a lane that is not empty
    const FabricFrame& Last() const
    {
        return m_others.empty() ? *m_first : *m_others.back().frame;
    }

    /// Get what Push() and Pop() will touch beside the lane into the cache.
    void PrefetchPlace() const
    {
        if (m_first)
        {
            PrefetchLine(m_others.Place());
        }
    }

    /// Get the oldest frame of a lane that is not empty into the cache.
    void PrefetchNext() const
    {
        PrefetchLine(m_first);
    }

    /// Remove all frames without traces or counters.
    void Clear()
    {
        while (!IsEmpty())
        {
            TakeFirst().frame->Unref();
        }
        m_bytes = 0;
    }

    /// @return whether no frame waits
    bool IsEmpty() const
    {
        return !m_first;
    }

    /// @return frames that wait
    uint32_t GetFrames() const
    {
        return m_others.size() + (m_first ? 1 : 0);
    }

    /// @return bytes that wait
    uint32_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return frames that ever came in, modulo 2^32
    uint32_t GetEnqueuedFrames() const
    {
        return m_enqueuedFrames;
    }

    /// @return bytes that ever came in, modulo 2^32
    uint32_t GetEnqueuedBytes() const
    {
        return m_enqueuedBytes;
    }

  private:
    /// @return the oldest frame of a lane that is not empty, removed but still counted
    Entry TakeFirst()
    {
        const Entry first{m_first, m_firstBytes};
        const Entry next = m_others.empty() ? Entry{} : m_others.pop_front();
        m_first = next.frame;
        m_firstBytes = next.bytes;
        return first;
    }

    /// Count a frame that was removed.  @param entry the frame  @return the same
    Entry Leave(const Entry& entry)
    {
        m_bytes -= entry.bytes;
        if (m_watched)
        {
            NotifyDequeued(entry.frame);
        }
        return entry;
    }

    /// Have the queue's trace sources report a frame that came in.
    void NotifyEnqueued(const Ptr<FabricFrame>& frame);

    /// Have the queue's trace sources report a frame that went out.
    void NotifyDequeued(FabricFrame* frame);

    // No two sums side by side: see EgressQueues.

    FabricFrame* m_first{nullptr};                              //!< the oldest frame
    GrowingRing<Entry> m_others;                                //!< all but the oldest
    uint32_t m_bytes{0};                                        //!< bytes of all
    uint32_t m_maxFrames{std::numeric_limits<uint32_t>::max()}; //!< most frames
    uint32_t m_enqueuedFrames{0};                               //!< frames that ever came in
    uint32_t m_maxBytes{std::numeric_limits<uint32_t>::max()};  //!< most bytes
    uint32_t m_enqueuedBytes{0};                                //!< bytes that ever came in
    uint16_t m_firstBytes{0};                                   //!< bytes of the oldest frame
    bool m_watched{false};         //!< the queue counts and traces changes
    bool m_limitsFrames{false};    //!< m_maxFrames is a limit
    FabricQueue* m_queue{nullptr}; //!< the queue
};

static_assert(sizeof(FrameLane) == 64, "one cache line");

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_LANE_H */
