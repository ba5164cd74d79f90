/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSMITTER_TIMER_H
#define TRANSMITTER_TIMER_H

#include "ns3/event-impl.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-source.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * A call of one method of a FabricTransmitter at a later time. It may be scheduled more than once:
 * only the earliest call counts as pending, a later one finds nothing to do.
 */
class TransmitterTimer : public EventImpl
{
  public:
    /// What to call.
    using Method = void (FabricTransmitter::*)();

    /**
     * @param transmitter whom to call
     * @param method what to call
     */
    TransmitterTimer(FabricTransmitter* transmitter, Method method);
    ~TransmitterTimer() override;

    /**
     * Schedule a call, unless one is pending for that time or earlier.
     *
     * @param node the node in whose context it runs
     * @param time when, in picoseconds
     */
    void Arm(uint32_t node, int64_t time)
    {
        if (time >= m_pendingAt)
        {
            return;
        }
        m_pendingAt = time;
        Ref();
        Simulator::ScheduleWithContext(node, FabricClock::Until(time), this);
    }

    /// Never call again.
    void Disarm();

  private:
    void Notify() override;

    FabricTransmitter* m_transmitter; //!< whom to call
    Method m_method;                  //!< what to call
    int64_t m_pendingAt{NEVER};       //!< the earliest scheduled call, in picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* TRANSMITTER_TIMER_H */
