/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "send-arbiter.h"

#include "ns3/fabric-clock.h"
#include "ns3/pacing.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>

namespace ns3
{
namespace aifabric
{

void
SendArbiter::Install(Ptr<FabricFramePool> pool, uint32_t gap)
{
    m_pool = pool;
    m_gap = gap;
}

void
SendArbiter::AddPort(const Ptr<FabricPort>& port, const Ptr<EndpointScheduler>& line)
{
    line->Install(this, m_lines.size());
    m_lines.push_back(line);
    m_ports.push_back(port);
    m_transmitters.push_back(&port->GetTransmitter());
    m_transmitters.back()->SetSource(PeekPointer(line));
    // An endpoint that sends over several ports couples them: what one port does at a departure
    // concerns the others at that time.
    for (FabricTransmitter* transmitter : m_transmitters)
    {
        transmitter->SetEager(FabricTransmitter::EAGER_OWNER,
                              m_transmitters.size() > 1,
                              FabricClock::Now());
    }
    SetRateFraction(m_fraction);
}

void
SendArbiter::SetCommonLine(const Ptr<EndpointScheduler>& line)
{
    m_common = line;
    m_common->Install(this, COMMON_LINE);
}

void
SendArbiter::SetRateFraction(double fraction)
{
    m_fraction = fraction;
    double rate = 0;
    for (const Ptr<FabricPort>& port : m_ports)
    {
        rate += port->GetDataRate().GetBitRate();
    }
    const DataRate data(static_cast<uint64_t>(rate * fraction));
    const int64_t pacing = fraction < 1 && !m_ports.empty() ? Pacing::Of(data) : 0;
    const bool isOne = m_ports.size() == 1;
    for (const Ptr<EndpointScheduler>& line : m_lines)
    {
        line->SetPacing(isOne ? pacing : 0);
    }
    m_pacing = isOne ? 0 : pacing;
}

void
SendArbiter::EndChange(Endpoint* endpoint, int64_t now)
{
    if (endpoint->isReady)
    {
        if (!m_waiting.empty())
        {
            if (!endpoint->CanSend())
            {
                StopWaiting(endpoint);
            }
            PlaceWaiting(now);
        }
        for (const Ptr<EndpointScheduler>& line : m_lines)
        {
            line->Reorder(endpoint);
        }
        if (m_common)
        {
            m_common->Reorder(endpoint);
        }
        if (endpoint->pacedLine != Endpoint::NO_LINE && endpoint->TakeMoved())
        {
            Move(endpoint, now);
        }
        return;
    }
    if (!endpoint->CanSend())
    {
        return;
    }
    if (m_lines.size() == 1)
    {
        m_lines[0]->Enlist(endpoint, now);
        m_transmitters[0]->Resume(now);
        return;
    }
    Enlist(endpoint, now, nullptr);
    for (FabricTransmitter* transmitter : m_transmitters)
    {
        transmitter->Resume(now);
    }
}

void
SendArbiter::Move(Endpoint* endpoint, int64_t now)
{
    const uint8_t line = endpoint->pacedLine;
    if (line != COMMON_LINE)
    {
        m_lines[line]->Move(endpoint, now);
        m_transmitters[line]->Resume(now);
        return;
    }
    m_common->Move(endpoint, now);
    ScheduleRelease(now);
}

void
SendArbiter::PacketDeparts(Endpoint* endpoint, uint32_t bytes, int64_t now, EndpointScheduler& busy)
{
    if (m_pacing)
    {
        const int64_t spread = Pacing::Spread(bytes + m_gap, m_pacing);
        m_common->SetFreeAt(m_common->GetFreeAt() - GetCharge(*endpoint) + spread);
        ScheduleRelease(now);
    }
    if (!endpoint->CanSend())
    {
        return;
    }
    if (m_lines.size() == 1)
    {
        busy.Enlist(endpoint, now);
        return;
    }
    Enlist(endpoint, now, &busy);
}

void
SendArbiter::Enlist(Endpoint* endpoint, int64_t now, const EndpointScheduler* busy)
{
    if (m_pacing)
    {
        m_common->Enlist(endpoint, now);
    }
    else
    {
        EnlistAtPort(endpoint, now, busy);
    }
    if (!m_resumePending)
    {
        m_resumePending = true;
        Simulator::ScheduleNow(&SendArbiter::ResumePorts, this);
    }
}

void
SendArbiter::EnlistAtPort(Endpoint* endpoint, int64_t now, const EndpointScheduler* busy)
{
    if (!EnlistAtChoice(endpoint, now, busy))
    {
        const uint8_t trafficClass = endpoint->GetClass();
        endpoint->isReady = true;
        m_waiting.push_back(endpoint);
        ++m_waitingOf[trafficClass];
        SchedulePlacing(trafficClass, now);
    }
}

bool
SendArbiter::EnlistAtChoice(Endpoint* endpoint, int64_t now, const EndpointScheduler* busy)
{
    const uint8_t trafficClass = endpoint->GetClass();
    const uint32_t planes = m_transmitters.size();
    const auto choice = endpoint->ChoosePort({planes, FindFree(trafficClass, now, busy), now});
    if (!choice)
    {
        return false;
    }
    const uint32_t port =
        choice->anyPlane ? FindFirst(choice->plane, trafficClass, now, busy) : choice->plane;
    m_lines[port]->Enlist(endpoint, now);
    return true;
}

uint32_t
SendArbiter::FindFree(uint8_t trafficClass, int64_t now, const EndpointScheduler* busy) const
{
    uint32_t free = 0;
    for (uint32_t port = 0; port < m_transmitters.size(); ++port)
    {
        const FabricTransmitter& transmitter = *m_transmitters[port];
        const EndpointScheduler& line = *m_lines[port];
        const bool isFree = transmitter.IsLinkUp() && transmitter.GetOpenAt(trafficClass) <= now &&
                            transmitter.GetWaitingFrames() == 0 && line.GetWaiting() == 0 &&
                            &line != busy;
        free |= uint32_t{isFree} << port;
    }
    return free;
}

bool
SendArbiter::HasFreePort(int64_t now) const
{
    for (uint8_t trafficClass = 0; trafficClass < m_waitingOf.size(); ++trafficClass)
    {
        if (m_waitingOf[trafficClass] > 0 && FindFree(trafficClass, now, nullptr) != 0)
        {
            return true;
        }
    }
    return false;
}

void
SendArbiter::PlaceWaiting(int64_t now)
{
    if (m_waiting.empty())
    {
        return;
    }
    std::size_t asked = 0;
    std::size_t refused = 0;
    // Without a free port, each one would go on waiting: do not ask them at each packet.
    for (; asked < m_waiting.size() && HasFreePort(now); ++asked)
    {
        Endpoint* endpoint = m_waiting[asked];
        endpoint->isReady = false;
        if (endpoint->CanSend() && !EnlistAtChoice(endpoint, now, nullptr))
        {
            endpoint->isReady = true;
            m_waiting[refused++] = endpoint;
        }
        else
        {
            --m_waitingOf[endpoint->GetClass()];
        }
    }
    m_waiting.erase(m_waiting.begin() + refused, m_waiting.begin() + asked);
    SchedulePlacingOfAll(now);
    for (FabricTransmitter* transmitter : m_transmitters)
    {
        transmitter->Resume(now);
    }
    SchedulePlacingOfAll(now); // now it is known when the ports are open again
}

void
SendArbiter::StopWaiting(Endpoint* endpoint)
{
    const auto place = std::find(m_waiting.begin(), m_waiting.end(), endpoint);
    if (place != m_waiting.end())
    {
        m_waiting.erase(place);
        --m_waitingOf[endpoint->GetClass()];
        endpoint->isReady = false;
    }
}

void
SendArbiter::SchedulePlacingOfAll(int64_t now)
{
    for (uint8_t trafficClass = 0; trafficClass < m_waitingOf.size(); ++trafficClass)
    {
        if (m_waitingOf[trafficClass] > 0)
        {
            SchedulePlacing(trafficClass, now);
        }
    }
}

void
SendArbiter::SchedulePlacing(uint8_t trafficClass, int64_t now)
{
    int64_t next = NEVER;
    for (const FabricTransmitter* transmitter : m_transmitters)
    {
        const int64_t openAt = transmitter->GetOpenAt(trafficClass);
        next = openAt > now ? std::min(next, openAt) : next;
    }
    if (next < m_placeAt)
    {
        m_placeAt = next;
        Simulator::Schedule(FabricClock::Until(next), &SendArbiter::ResumePorts, this);
    }
}

uint32_t
SendArbiter::FindFirst(uint32_t plane,
                       uint8_t trafficClass,
                       int64_t now,
                       const EndpointScheduler* busy) const
{
    auto wait = [this, trafficClass, now, busy](uint32_t port) {
        const FabricTransmitter& transmitter = *m_transmitters[port];
        const EndpointScheduler& line = *m_lines[port];
        const bool isPaused = transmitter.GetPaused() >> trafficClass & 1;
        const int64_t freeAt = std::max({transmitter.GetFreeAt(), line.GetFreeAt(), now});
        return std::make_tuple(isPaused,
                               line.GetWaiting() + transmitter.GetWaitingFrames(),
                               &line == busy ? NEVER : freeAt);
    };
    uint32_t first = plane;
    for (uint32_t step = 1; step < m_transmitters.size(); ++step)
    {
        const uint32_t other = (plane + step) % m_transmitters.size();
        first = wait(other) < wait(first) ? other : first;
    }
    return first;
}

int64_t
SendArbiter::GetCharge(const Endpoint& endpoint) const
{
    return Pacing::Spread(endpoint.GetPacketBytes() + m_gap, m_pacing);
}

void
SendArbiter::Release(int64_t now)
{
    int trafficClass = m_common->GetReadyClass(ALL_CLASSES, now);
    for (; trafficClass >= 0; trafficClass = m_common->GetReadyClass(ALL_CLASSES, now))
    {
        Endpoint* endpoint = m_common->Take(trafficClass);
        m_common->SetFreeAt(now + GetCharge(*endpoint));
        EnlistAtPort(endpoint, now, nullptr);
    }
    m_releaseAt = m_releaseAt <= now ? NEVER : m_releaseAt;
    ScheduleRelease(now);
}

void
SendArbiter::ScheduleRelease(int64_t now)
{
    const int64_t next = std::max(m_common->GetNextTime(ALL_CLASSES), now);
    if (next < m_releaseAt)
    {
        m_releaseAt = next;
        Simulator::Schedule(FabricClock::Until(next), &SendArbiter::ResumePorts, this);
    }
}

void
SendArbiter::ResumePorts()
{
    m_resumePending = false;
    if (m_transmitters.empty())
    {
        return; // disposed of
    }
    const int64_t now = FabricClock::Now();
    BeginChange(now);
    Release(now);
    m_placeAt = m_placeAt <= now ? NEVER : m_placeAt;
    PlaceWaiting(now);
    for (FabricTransmitter* transmitter : m_transmitters)
    {
        transmitter->Resume(now);
    }
}

void
SendArbiter::Dispose()
{
    m_transmitters.clear();
    m_waiting.clear();
    m_waitingOf.fill(0);
    m_lines.clear();
    m_ports.clear();
    m_common = nullptr;
    m_pool = nullptr;
}

} // namespace aifabric
} // namespace ns3
