/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transmitter-timer.h"

#include "fabric-transmitter.h"

namespace ns3
{
namespace aifabric
{

TransmitterTimer::TransmitterTimer(FabricTransmitter* transmitter, Method method)
    : m_transmitter(transmitter),
      m_method(method)
{
}

TransmitterTimer::~TransmitterTimer()
{
}

void
TransmitterTimer::Disarm()
{
    m_transmitter = nullptr;
}

void
TransmitterTimer::Notify()
{
    if (!m_transmitter)
    {
        return;
    }
    if (m_pendingAt <= FabricClock::Now())
    {
        m_pendingAt = NEVER;
    }
    (m_transmitter->*m_method)();
}

} // namespace aifabric
} // namespace ns3
