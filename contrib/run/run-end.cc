/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-end.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

RunEnd::RunEnd(int64_t delay)
    : m_delay(delay + 1) // later than the look-ahead
{
    if (RankTransport::GetRanks() > 1)
    {
        m_messenger =
            Create<RankMessenger>(PicoSeconds(delay), MakeCallback(&RunEnd::ReceiveState, this));
    }
}

void
RunEnd::SetStatesCallback(StatesCallback callback)
{
    m_statesKnown = std::move(callback);
}

void
RunEnd::Complete()
{
    Count(Broadcast(COMPLETE));
}

void
RunEnd::ReportState(uint8_t state)
{
    const int64_t knownAt = Broadcast(state);
    m_states[knownAt] |= state;
    Simulator::Schedule(FabricClock::Until(knownAt, FabricClock::OUT_OF_BAND_TURN),
                        &RunEnd::Decide,
                        this);
}

int64_t
RunEnd::Broadcast(uint8_t state) const
{
    const int64_t knownAt = FabricClock::Now() + m_delay;
    if (m_messenger)
    {
        m_messenger->SendToOthers(Create<Packet>(&state, 1), knownAt);
    }
    return knownAt;
}

void
RunEnd::ReceiveState(Ptr<Packet> packet)
{
    uint8_t state = 0;
    packet->CopyData(&state, 1);
    const int64_t now = FabricClock::Now();
    if (state == COMPLETE)
    {
        Count(now);
    }
    else
    {
        m_states[now] |= state;
    }
}

void
RunEnd::Decide()
{
    ++m_events;
    const auto first = m_states.begin();
    const uint8_t states = first->second;
    m_states.erase(first);
    m_statesKnown(states, m_delay);
}

uint64_t
RunEnd::GetEvents() const
{
    return m_events;
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
