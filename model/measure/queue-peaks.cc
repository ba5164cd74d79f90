/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-peaks.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* PEAKS_TAG = "QueuePeaks 1"; //!< the number is the version

} // namespace

void
QueuePeaks::Merge(const QueuePeaks& other)
{
    if (queues.size() != other.queues.size() || buffers.size() != other.buffers.size())
    {
        throw std::invalid_argument("high-water marks of different queues cannot be merged");
    }
    for (std::size_t i = 0; i < queues.size(); ++i)
    {
        queues[i].maxBytes = std::max(queues[i].maxBytes, other.queues[i].maxBytes);
        queues[i].maxFrames = std::max(queues[i].maxFrames, other.queues[i].maxFrames);
    }
    for (std::size_t i = 0; i < buffers.size(); ++i)
    {
        buffers[i].maxBytes = std::max(buffers[i].maxBytes, other.buffers[i].maxBytes);
        buffers[i].passes += other.buffers[i].passes;
    }
}

std::string
QueuePeaks::GetName(const Buffer& buffer, const FabricGraph& graph, const PortCatalog& catalog)
{
    return buffer.switchId == NONE ? catalog.GetPorts().at(buffer.port).name
                                   : graph.SwitchName(buffer.switchId);
}

std::string
QueuePeaks::Write() const
{
    ByteWriter writer(PEAKS_TAG);
    writer.WriteRecords(queues);
    writer.WriteRecords(buffers);
    return writer.Finish();
}

QueuePeaks
QueuePeaks::Read(const std::string& bytes)
{
    ByteReader reader(PEAKS_TAG, bytes);
    QueuePeaks peaks;
    peaks.queues = reader.ReadRecords<Queue>();
    peaks.buffers = reader.ReadRecords<Buffer>();
    reader.Finish();
    return peaks;
}

} // namespace aifabric
} // namespace ns3
