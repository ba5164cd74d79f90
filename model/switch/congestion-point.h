/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGESTION_POINT_H
#define CONGESTION_POINT_H

#include "ecn-marker.h"

#include "ns3/fabric-frame.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * Where a switch marks congestion: which frames its EcnMarker sees, and when. Frames that are not
 * ECN-capable or were trimmed are never marked.
 */
class CongestionPoint
{
  public:
    /// @param marker the marker, or nullptr
    void SetMarker(Ptr<EcnMarker> marker)
    {
        m_marker = marker;
    }

    /// @return the marker, or nullptr
    const Ptr<EcnMarker>& GetMarker() const
    {
        return m_marker;
    }

    /// The simulation begins.
    void Initialize();

    /// @return whether frames are marked when they join a queue
    bool MarksAtEnqueue() const
    {
        return m_marker && !m_marker->IsAtDequeue();
    }

    /// @return whether frames are marked when they leave a queue
    bool MarksAtDequeue() const
    {
        return m_marker && m_marker->IsAtDequeue();
    }

    /// Mark a frame if its queue is long.  @param egress its port
    void Mark(FabricFrame& frame, const FabricTransmitter& egress);

    /// Ports have another fraction of their thresholds (EcnMarker::SetLeastFactor).
    /// @param least the least fraction of all ports, in (0, 1]
    void SetLeastFactor(double least);

    /// Assign fixed random streams.  @param stream the first stream index to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

    /// The simulation ends.
    void Dispose();

  private:
    Ptr<EcnMarker> m_marker; //!< who marks, or nullptr
    bool m_atLastHop{true};  //!< it sees frames to hosts
};

} // namespace aifabric
} // namespace ns3

#endif /* CONGESTION_POINT_H */
