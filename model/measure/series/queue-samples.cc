/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-samples.h"

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

constexpr const char* SAMPLES_TAG =
    "QueueSamples 1"; //!< of strings of bytes; the number is the version

} // namespace

void
QueueSamples::Merge(const QueueSamples& other)
{
    if (times != other.times)
    {
        throw std::invalid_argument("samples that were taken at different times cannot be merged");
    }
    if (states.size() != other.states.size())
    {
        throw std::invalid_argument("samples of different layers cannot be merged");
    }
    for (std::size_t i = 0; i < states.size(); ++i)
    {
        states[i].frames += other.states[i].frames;
        states[i].bytes += other.states[i].bytes;
        states[i].maxFrames = std::max(states[i].maxFrames, other.states[i].maxFrames);
        states[i].pausedPorts += other.states[i].pausedPorts;
    }
}

std::string
QueueSamples::Write() const
{
    ByteWriter writer(SAMPLES_TAG);
    writer.WriteRecords(times);
    writer.WriteRecords(states);
    return writer.Finish();
}

QueueSamples
QueueSamples::Read(const std::string& bytes)
{
    ByteReader reader(SAMPLES_TAG, bytes);
    QueueSamples samples;
    samples.times = reader.ReadRecords<int64_t>();
    samples.states = reader.ReadRecords<LayerState>();
    reader.Finish();
    return samples;
}

} // namespace aifabric
} // namespace ns3
