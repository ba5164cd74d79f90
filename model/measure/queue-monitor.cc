/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-monitor.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/function-callback.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(QueueMonitor);

namespace
{

/// @return what a buffer holds, in bytes  @param admission the admission of its switch
/// @param attribute which attribute says it  @param [out] exists whether there is one
uint64_t
ReadBytes(const BufferAdmission& admission, const char* attribute, bool& exists)
{
    UintegerValue value;
    exists = admission.GetAttributeFailSafe(attribute, value);
    return exists ? value.Get() : 0;
}

} // namespace

TypeId
QueueMonitor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::QueueMonitor")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<QueueMonitor>()
            .AddAttribute("HighWater",
                          "Part of a buffer above which it is reported.",
                          DoubleValue(0.75),
                          MakeDoubleAccessor(&QueueMonitor::m_highWater),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("LowWater",
                          "Part of a buffer: one that was reported is reported again only after "
                          "it held no more than this. At most HighWater.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&QueueMonitor::m_lowWater),
                          MakeDoubleChecker<double>(0, 1))
            .AddTraceSource("Threshold",
                            "A buffer has become fuller than HighWater, or has emptied to "
                            "LowWater after that.",
                            MakeTraceSourceAccessor(&QueueMonitor::m_thresholdTrace),
                            "ns3::aifabric::QueueMonitor::ThresholdTracedCallback");
    return tid;
}

QueueMonitor::QueueMonitor()
{
}

QueueMonitor::~QueueMonitor()
{
}

void
QueueMonitor::Install(const FabricGraph& graph,
                      const PortCatalog& catalog,
                      const std::vector<Ptr<FabricSwitch>>& switches)
{
    NS_ABORT_MSG_IF(m_lowWater > m_highWater,
                    "QueueMonitor::LowWater is " << m_lowWater << ", above HighWater, which is "
                                                 << m_highWater);
    std::vector<std::size_t> shared(switches.size(), NO_BUFFER); // by switch
    for (std::size_t port = 0; port < catalog.GetPorts().size(); ++port)
    {
        const PortCatalog::Entry& entry = catalog.GetPorts()[port];
        const FabricLinkSpec& link = graph.Links()[entry.link];
        const FabricEnd& end = port % 2 == 0 ? link.a : link.b;
        std::size_t buffer = NO_BUFFER;
        if (!end.isHost)
        {
            bool isShared = false;
            bool isDivided = false;
            const BufferAdmission& admission = *switches[end.id]->GetAdmission();
            const uint64_t whole = ReadBytes(admission, "BufferBytes", isShared);
            const uint64_t own = ReadBytes(admission, "PortBytes", isDivided);
            std::size_t& known = shared[end.id];
            if (isShared && known == NO_BUFFER)
            {
                known = m_peaks.buffers.size();
                m_peaks.buffers.push_back({end.id, QueuePeaks::NONE, whole});
            }
            else if (!isShared && isDivided)
            {
                m_peaks.buffers.push_back({QueuePeaks::NONE, port, own});
            }
            buffer = isShared ? known : isDivided ? m_peaks.buffers.size() - 1 : NO_BUFFER;
        }
        WatchPort(port, *entry.port, buffer);
    }
    m_levels.resize(m_peaks.buffers.size());
    m_recent.resize(m_peaks.queues.size());
    m_waiting.resize(m_peaks.queues.size());
}

std::vector<QueuePeak>
QueueMonitor::TakeRecent()
{
    std::vector<QueuePeak> recent = m_waiting;
    recent.swap(m_recent);
    return recent;
}

void
QueueMonitor::WatchPort(std::size_t index, const FabricPort& port, std::size_t buffer)
{
    FabricTransmitter& transmitter = port.GetTransmitter();
    for (uint8_t c = 0; c < FabricTransmitter::CLASSES; ++c)
    {
        if (c > 0 && transmitter.GetQueues().SharesQueue(c, c - 1))
        {
            m_peaks.queues.back().classes |= 1 << c;
            continue;
        }
        const Ptr<FabricQueue>& queue = transmitter.GetQueue(c);
        const std::size_t number = m_peaks.queues.size();
        m_peaks.queues.push_back({index, uint64_t{1} << c});
        queue->TraceConnectWithoutContext(
            "BytesInQueue",
            FunctionCallback<void, uint32_t, uint32_t>(
                [this, number, buffer](uint32_t before, uint32_t after) {
                    BytesChanged(number, buffer, before, after);
                }));
        queue->TraceConnectWithoutContext(
            "PacketsInQueue",
            FunctionCallback<void, uint32_t, uint32_t>(
                [this, number](uint32_t, uint32_t after) { FramesChanged(number, after); }));
    }
}

void
QueueMonitor::FramesChanged(std::size_t queue, uint32_t frames)
{
    uint64_t& most = m_peaks.queues[queue].maxFrames;
    most = std::max<uint64_t>(most, frames);
    m_waiting[queue].maxFrames = frames;
    m_recent[queue].Join(m_waiting[queue]);
}

void
QueueMonitor::BytesChanged(std::size_t queue, std::size_t buffer, uint32_t before, uint32_t after)
{
    uint64_t& most = m_peaks.queues[queue].maxBytes;
    most = std::max<uint64_t>(most, after);
    m_waiting[queue].maxBytes = after;
    m_recent[queue].Join(m_waiting[queue]);
    if (buffer == NO_BUFFER)
    {
        return;
    }
    Level& level = m_levels[buffer];
    QueuePeaks::Buffer& seen = m_peaks.buffers[buffer];
    level.bytes = level.bytes + after - before;
    seen.maxBytes = std::max(seen.maxBytes, level.bytes);
    const auto size = static_cast<double>(seen.size);
    const auto bytes = static_cast<double>(level.bytes);
    if (level.isHigh ? bytes <= m_lowWater * size : bytes > m_highWater * size)
    {
        level.isHigh = !level.isHigh;
        seen.passes += level.isHigh ? 1 : 0;
        m_thresholdTrace(seen, level.bytes, level.isHigh);
    }
}

} // namespace aifabric
} // namespace ns3
