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
FabricRemoteChannel::Split(std::size_t end,
                           uint32_t link,
                           uint32_t rank,
                           const Ptr<FrameFerry>& ferry)
{
    NS_ABORT_MSG_IF(FabricClock::StepsPerPs() == 1,
                    "FabricRemoteChannel: ranks need an order of what happens at once: call "
                    "Time::SetResolution(Time::FS) before anything else");
    m_local = GetPort(end);
    m_ghost = GetPort(1 - end);
    m_source = Mac48Address::ConvertFrom(m_local->GetDevice()->GetAddress());
    m_destination = Mac48Address::ConvertFrom(m_ghost->GetDevice()->GetAddress());
    m_link = link;
    m_rank = rank;
    m_ferry = ferry;
    m_ferry->Receive(link, this);
    m_local->GetTransmitter().SetCarrier(this);
    m_ghost->GetTransmitter().SetGhost();
}

void
FabricRemoteChannel::Carry(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival)
{
    while (!m_flight.empty() && m_flight.front().arrival < start)
    {
        m_flight.pop_front().frame->Unref();
    }
    const FrameTrailer trailer(m_link, start, arrival, *frame);
    m_ferry->Send(m_rank, *frame, trailer, m_source, m_destination);
    frame->Ref();
    m_flight.push_back({arrival, PeekPointer(frame)});
}

void
FabricRemoteChannel::Expect(const Ptr<FabricFrame>& frame, const FrameTrailer& trailer)
{
    m_ghost->GetTransmitter().Expect(frame, trailer.GetStart(), trailer.GetArrival());
}

Ptr<FabricFrame>
FabricRemoteChannel::TakeLost(int64_t now)
{
    while (!m_flight.empty())
    {
        const InFlight first = m_flight.pop_front();
        const Ptr<FabricFrame> frame(first.frame, false);
        if (first.arrival >= now)
        {
            return frame;
        }
    }
    return nullptr;
}

uint32_t
FabricRemoteChannel::CountFrames(int64_t now) const
{
    uint32_t frames = 0;
    for (uint32_t i = 0; i < m_flight.size(); ++i)
    {
        frames += m_flight[i].arrival > now;
    }
    return frames;
}

uint64_t
FabricRemoteChannel::CountBytes(int64_t now) const
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m_flight.size(); ++i)
    {
        bytes += m_flight[i].arrival > now ? m_flight[i].frame->wireBytes : 0;
    }
    return bytes;
}

void
FabricRemoteChannel::DoDispose()
{
    m_local = nullptr;
    m_ghost = nullptr;
    m_ferry = nullptr;
    while (!m_flight.empty())
    {
        m_flight.pop_front().frame->Unref();
    }
    FabricChannel::DoDispose();
}

} // namespace aifabric
} // namespace ns3
