/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-queue.h"

#include "queue-counters.h"

#include "ns3/abort.h"
#include "ns3/queue-size.h"

namespace ns3
{
namespace aifabric
{

template struct QueueCounterAccess<QueuedPackets, &QueueBase::m_nPackets>;
template struct QueueCounterAccess<QueuedBytes, &QueueBase::m_nBytes>;
template struct QueueCounterAccess<ReceivedPackets, &QueueBase::m_nTotalReceivedPackets>;
template struct QueueCounterAccess<ReceivedBytes, &QueueBase::m_nTotalReceivedBytes>;

NS_OBJECT_ENSURE_REGISTERED(FabricQueue);

TypeId
FabricQueue::GetTypeId()
{
    // The parent is Object and not Queue<>, whose trace sources of the same names would hide ours.
    static TypeId tid =
        TypeId("ns3::aifabric::FabricQueue")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<FabricQueue>()
            .AddAttribute("MaxSize",
                          "Most that the queue holds (packets or bytes), beside what the buffer "
                          "admission of its switch allows.",
                          QueueSizeValue(QueueSize("4294967295B")),
                          MakeQueueSizeAccessor(&FabricQueue::SetMaxSize, &FabricQueue::GetMaxSize),
                          MakeQueueSizeChecker())
            .AddTraceSource("Enqueue",
                            "A frame was accepted.",
                            MakeTraceSourceAccessor(&FabricQueue::m_enqueueTrace),
                            "ns3::aifabric::FabricQueue::FrameTracedCallback")
            .AddTraceSource("Dequeue",
                            "A frame leaves the queue: its transmission begins.",
                            MakeTraceSourceAccessor(&FabricQueue::m_dequeueTrace),
                            "ns3::aifabric::FabricQueue::FrameTracedCallback")
            .AddTraceSource("Drop",
                            "A frame was not accepted.",
                            MakeTraceSourceAccessor(&FabricQueue::m_dropTrace),
                            "ns3::aifabric::FabricQueue::FrameTracedCallback")
            .AddTraceSource("PacketsInQueue",
                            "Frames in the queue, the one in transmission not counted.",
                            MakeTraceSourceAccessor(&FabricQueue::m_packetsTrace),
                            "ns3::aifabric::FabricQueue::LengthTracedCallback")
            .AddTraceSource("BytesInQueue",
                            "Bytes in the queue, the frame in transmission not counted.",
                            MakeTraceSourceAccessor(&FabricQueue::m_bytesTrace),
                            "ns3::aifabric::FabricQueue::LengthTracedCallback");
    return tid;
}

FabricQueue::FabricQueue()
    : m_lane(&m_own)
{
    m_own.SetQueue(this);
    const auto watch = [this]() { Watch(); };
    m_enqueueTrace.SetWatcher(watch);
    m_dequeueTrace.SetWatcher(watch);
    m_packetsTrace.SetWatcher(watch);
    m_bytesTrace.SetWatcher(watch);
}

FabricQueue::~FabricQueue()
{
}

void
FabricQueue::DoDispose()
{
    m_own.Clear();
    m_lane = &m_own;
    m_watcher = nullptr;
    Queue<FabricFrame>::DoDispose();
}

void
FabricQueue::Bind(FrameLane& lane)
{
    m_lane = &lane;
    lane.SetQueue(this);
    QueueBase::SetMaxSize(lane.GetMaxSize());
}

void
FabricQueue::Watch()
{
    if (!IsWatched())
    {
        m_lane->SetWatched(true);
        if (m_watcher)
        {
            m_watcher();
        }
        Count();
    }
}

bool
FabricQueue::IsWatched() const
{
    return m_lane->IsWatched();
}

void
FabricQueue::SetWatcher(const std::function<void()>& watcher)
{
    m_watcher = watcher;
}

std::pair<uint32_t, uint32_t>
FabricQueue::Count()
{
    const std::pair<uint32_t, uint32_t> before{GetNPackets(), GetNBytes()};
    GetCounter<QueuedPackets>(*this) = m_lane->GetFrames();
    GetCounter<QueuedBytes>(*this) = m_lane->GetBytes();
    GetCounter<ReceivedPackets>(*this) = m_lane->GetEnqueuedFrames();
    GetCounter<ReceivedBytes>(*this) = m_lane->GetEnqueuedBytes();
    return before;
}

void
FabricQueue::NoteEnqueued(const Ptr<FabricFrame>& frame)
{
    const auto [packets, bytes] = Count();
    m_enqueueTrace(frame);
    m_packetsTrace(packets, GetNPackets());
    m_bytesTrace(bytes, GetNBytes());
}

void
FabricQueue::NoteDequeued(const Ptr<FabricFrame>& frame)
{
    const auto [packets, bytes] = Count();
    m_dequeueTrace(frame);
    m_packetsTrace(packets, GetNPackets());
    m_bytesTrace(bytes, GetNBytes());
}

bool
FabricQueue::Enqueue(Ptr<FabricFrame> frame)
{
    Watch();
    if (!m_lane->HasRoom(frame->wireBytes))
    {
        Refuse(frame);
        return false;
    }
    m_lane->Push(frame);
    return true;
}

Ptr<FabricFrame>
FabricQueue::Dequeue()
{
    Watch();
    return m_lane->IsEmpty() ? nullptr : Ptr<FabricFrame>(m_lane->Pop().frame, false);
}

Ptr<FabricFrame>
FabricQueue::Remove()
{
    Ptr<FabricFrame> frame = Dequeue();
    if (frame)
    {
        DropAfterDequeue(frame);
        m_dropTrace(frame);
    }
    return frame;
}

Ptr<const FabricFrame>
FabricQueue::Peek() const
{
    return m_lane->IsEmpty() ? nullptr : m_lane->Front();
}

void
FabricQueue::Refuse(const Ptr<FabricFrame>& frame)
{
    DropBeforeEnqueue(frame);
    m_dropTrace(frame);
}

void
FabricQueue::SetMaxSize(QueueSize size)
{
    NS_ABORT_MSG_IF(size.GetValue() == 0, // which QueueBase ignores
                    "FabricQueue::MaxSize is " << size << "; a queue has to hold something");
    m_lane->SetMaxSize(size);
    QueueBase::SetMaxSize(size);
}

QueueSize
FabricQueue::GetMaxSize() const
{
    return QueueBase::GetMaxSize();
}

void
FrameLane::NotifyEnqueued(const Ptr<FabricFrame>& frame)
{
    m_queue->NoteEnqueued(frame);
}

void
FrameLane::NotifyDequeued(FabricFrame* frame)
{
    m_queue->NoteDequeued(frame);
}

} // namespace aifabric
} // namespace ns3
