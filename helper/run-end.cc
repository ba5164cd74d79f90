/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-end.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

RunEnd::RunEnd(int64_t delay)
    : m_delay(delay + 1) // later than the look-ahead
{
    if (RankTransport::GetRanks() > 1)
    {
        m_messenger = Create<RankMessenger>(PicoSeconds(delay), MakeCallback(&RunEnd::Hear, this));
    }
}

void
RunEnd::Complete()
{
    Count(Tell(News::COMPLETE));
}

void
RunEnd::GiveUp()
{
    if (m_messenger)
    {
        Simulator::Stop(FabricClock::Until(Tell(News::GIVE_UP), FabricClock::LAST_TURN));
    }
    else
    {
        Simulator::Stop();
    }
}

int64_t
RunEnd::Tell(News news) const
{
    const int64_t knownAt = FabricClock::Now() + m_delay;
    if (m_messenger)
    {
        const auto byte = static_cast<uint8_t>(news);
        m_messenger->SendToOthers(Create<Packet>(&byte, 1), knownAt);
    }
    return knownAt;
}

void
RunEnd::Hear(Ptr<Packet> packet)
{
    uint8_t byte = 0;
    packet->CopyData(&byte, 1);
    const int64_t now = FabricClock::Now();
    if (static_cast<News>(byte) == News::COMPLETE)
    {
        Count(now);
    }
    else
    {
        Simulator::Stop(FabricClock::Until(now, FabricClock::LAST_TURN));
    }
}

void
RunEnd::Count(int64_t knownAt)
{
    m_endPs = std::max(m_endPs, knownAt);
    if (++m_done == RankTransport::GetRanks())
    {
        Simulator::Stop(FabricClock::Until(m_endPs, FabricClock::LAST_TURN));
    }
}

} // namespace aifabric
} // namespace ns3
