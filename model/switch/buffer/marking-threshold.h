/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MARKING_THRESHOLD_H
#define MARKING_THRESHOLD_H

#include "ns3/fabric-port.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/nstime.h"
#include "ns3/time-units.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * A marking threshold as the time that a port needs to send a queue of that length, so that ports
 * of unequal rates mark after equal delays. The rate is the nominal one, FabricPort::DataRate: what
 * a degraded link has left of it is FabricTransmitter::GetQueueFactor(), as with thresholds in
 * bytes.
 */
class MarkingThreshold
{
  public:
    /// @param time the time; 0: the threshold is given in bytes
    void SetTime(Time time)
    {
        m_time = time;
    }

    /// @return the time; 0: the threshold is given in bytes
    Time GetTime() const
    {
        return m_time;
    }

    /// @return whether the threshold is a time
    bool IsTimed() const
    {
        return !m_time.IsZero();
    }

    /// @return the threshold of a port of a healthy link, in bytes  @param egress the port
    double GetBytes(const FabricTransmitter& egress) const
    {
        const auto rate = static_cast<double>(egress.GetPort()->GetDataRate().GetBitRate());
        return static_cast<double>(m_time.GetPicoSeconds()) * rate / BIT_PS_PER_BYTE;
    }

  private:
    Time m_time; //!< 0: the threshold is given in bytes
};

} // namespace aifabric
} // namespace ns3

#endif /* MARKING_THRESHOLD_H */
