/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-remote-channel.h"

#include "fabric-net-device.h"
#include "fabric-port.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-trailer.h"
#include "ns3/rank-transport.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FabricRemoteChannel);

TypeId
FabricRemoteChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::FabricRemoteChannel")
                            .SetParent<FabricChannel>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<FabricRemoteChannel>();
    return tid;
}

FabricRemoteChannel::FabricRemoteChannel()
{
}

FabricRemoteChannel::~FabricRemoteChannel()
{
}

void
FabricRemoteChannel::Split(std::size_t end, const Ptr<FabricFramePool>& pool)
{
    NS_ABORT_MSG_IF(FabricClock::StepsPerPs() == 1,
                    "FabricRemoteChannel: ranks need an order of what happens at once: call "
                    "Time::SetResolution(Time::FS) before anything else");
    NS_ABORT_MSG_IF(GetDelay().IsZero(),
                    "FabricRemoteChannel::Delay is 0: ranks cannot look ahead over it");
    m_local = GetPort(end);
    m_ghost = GetPort(1 - end);
    m_pool = pool;
    m_local->GetTransmitter().SetCarrier(this);
    RankTransport::Receive(m_local->GetDevice(), MakeCallback(&FabricRemoteChannel::Arrive, this));
}

void
FabricRemoteChannel::Carry(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival)
{
    while (!m_flight.empty() && m_flight.front().arrival < start)
    {
        m_flight.pop_front();
    }
    const Ptr<FabricNetDevice> there = m_ghost->GetDevice();
    const Ptr<Packet> bytes =
        FrameTrailer::Pack(*frame,
                           start,
                           Mac48Address::ConvertFrom(m_local->GetDevice()->GetAddress()),
                           Mac48Address::ConvertFrom(there->GetAddress()));
    const int64_t turn = FabricClock::TurnOfPort(m_local->GetTransmitter().GetPeerIndex());
    RankTransport::Send(bytes, FabricClock::At(arrival, turn), there);
    m_flight.push_back({arrival, frame});
}

void
FabricRemoteChannel::Arrive(Ptr<Packet> bytes)
{
    int64_t start = 0;
    const Ptr<FabricFrame> frame = FrameTrailer::Unpack(bytes, *m_pool, start);
    m_ghost->GetTransmitter().Arrive(frame, start, FabricClock::Now());
}

Ptr<FabricFrame>
FabricRemoteChannel::TakeLost(int64_t now)
{
    while (!m_flight.empty())
    {
        const InFlight first = m_flight.front();
        m_flight.pop_front();
        if (first.arrival >= now)
        {
            return first.frame;
        }
    }
    return nullptr;
}

uint32_t
FabricRemoteChannel::CountFrames(int64_t now) const
{
    uint32_t frames = 0;
    for (const InFlight& flight : m_flight)
    {
        frames += flight.arrival > now;
    }
    return frames;
}

uint64_t
FabricRemoteChannel::CountBytes(int64_t now) const
{
    uint64_t bytes = 0;
    for (const InFlight& flight : m_flight)
    {
        bytes += flight.arrival > now ? flight.frame->wireBytes : 0;
    }
    return bytes;
}

void
FabricRemoteChannel::DoDispose()
{
    m_local = nullptr;
    m_ghost = nullptr;
    m_flight.clear();
    FabricChannel::DoDispose();
}

} // namespace aifabric
} // namespace ns3
