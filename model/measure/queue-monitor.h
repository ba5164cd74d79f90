/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_MONITOR_H
#define QUEUE_MONITOR_H

#include "queue-peaks.h"

#include "ns3/fabric-switch.h"
#include "ns3/object.h"
#include "ns3/queue-peak.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Keeps the high-water mark of each queue and of each buffer, and reports buffers that become
 * fuller than HighWater. A buffer is the memory of a switch whose admission has an attribute
 * BufferBytes; otherwise each port has one of PortBytes. NICs have queues, and no buffer.
 *
 * It observes queues by their trace sources, so ports schedule their departures; without it,
 * nothing on the path of a frame is different.
 */
class QueueMonitor : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    QueueMonitor();
    ~QueueMonitor() override;

    /**
     * Watch a fabric. To be called once.
     *
     * @param catalog its ports
     * @param switches its switches, by number, with their admissions
     */
    void Install(const FabricGraph& graph,
                 const PortCatalog& catalog,
                 const std::vector<Ptr<FabricSwitch>>& switches);

    /// @return what was seen until now
    const QueuePeaks& GetPeaks() const
    {
        return m_peaks;
    }

    /// @return the most that waited in each queue since the last call, or since the start, in the
    /// order of GetPeaks()
    std::vector<QueuePeak> TakeRecent();

    /**
     * Signature of the Threshold trace source.
     *
     * @param buffer the buffer, as far as is known of it
     * @param bytes bytes that wait there
     * @param isHigh whether it is fuller than HighWater now; false: it holds at most LowWater again
     */
    typedef void (*ThresholdTracedCallback)(const QueuePeaks::Buffer& buffer,
                                            uint64_t bytes,
                                            bool isHigh);

  private:
    /// What waits in a buffer.
    struct Level
    {
        uint64_t bytes{0};  //!< bytes
        bool isHigh{false}; //!< it was fuller than HighWater, and has not come to LowWater since
    };

    static constexpr std::size_t NO_BUFFER = SIZE_MAX; //!< the index of a NIC's buffer

    /// Watch the queues of a port.  @param index of the port in the catalog
    /// @param buffer the index of its buffer, or NO_BUFFER
    void WatchPort(std::size_t index, const FabricPort& port, std::size_t buffer);

    /// The frames of a queue have changed.  @param queue its index  @param frames what it holds
    void FramesChanged(std::size_t queue, uint32_t frames);

    /// The bytes of a queue have changed.  @param queue its index  @param buffer the index of its
    /// buffer, or NO_BUFFER  @param before what it held  @param after what it holds
    void BytesChanged(std::size_t queue, std::size_t buffer, uint32_t before, uint32_t after);

    double m_highWater{0};            //!< part of a buffer above which it is reported
    double m_lowWater{0};             //!< part of a buffer at which it is no longer high
    QueuePeaks m_peaks;               //!< what was seen
    std::vector<QueuePeak> m_recent;  //!< since TakeRecent(), by queue
    std::vector<QueuePeak> m_waiting; //!< what waits, by queue
    std::vector<Level> m_levels;      //!< by buffer
    TracedCallback<const QueuePeaks::Buffer&, uint64_t, bool> m_thresholdTrace; //!< passed
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_MONITOR_H */
