/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-ferry.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t WAIT_SHARE = 8; //!< the delay has as many times to wait

} // namespace

FrameFerry::FrameFerry(Time delay, const Ptr<FabricFramePool>& pool)
    : m_delay(delay.GetPicoSeconds()),
      m_wait(m_delay / WAIT_SHARE),
      m_pool(pool),
      m_bundles(PicoSeconds(m_delay - m_wait), MakeCallback(&FrameFerry::ReceiveBundle, this)),
      m_packets(PicoSeconds(m_delay - m_wait), MakeCallback(&FrameFerry::ReceivePacket, this)),
      m_loads(RankTransport::GetRanks())
{
}

void
FrameFerry::Receive(uint32_t link, Receiver* receiver)
{
    m_receivers.resize(std::max<std::size_t>(m_receivers.size(), link + 1));
    m_receivers[link] = receiver;
}

void
FrameFerry::Send(uint32_t rank,
                 const FabricFrame& frame,
                 const FrameTrailer& trailer,
                 Mac48Address source,
                 Mac48Address destination)
{
    const int64_t now = FabricClock::Now();
    NS_ABORT_MSG_IF(trailer.GetArrival() - now <= m_delay,
                    "FrameFerry: a link between ranks has become shorter since they were built");
    if (HasContents(frame.kind))
    {
        Depart(rank); // what the link has carried before comes before
        const Ptr<Packet> message = FrameCodec::Serialize(frame, source, destination);
        message->AddTrailer(trailer);
        m_packets.Send(rank, message, NextDue(rank, trailer.GetArrival()));
        return;
    }
    Load& load = m_loads[rank];
    if (!load.bundle.HasRoom(frame))
    {
        Depart(rank);
    }
    load.arrival =
        load.bundle.IsEmpty() ? trailer.GetArrival() : std::min(load.arrival, trailer.GetArrival());
    load.bundle.Add(frame, trailer, source, destination);
    if (!m_isWaiting)
    {
        m_isWaiting = true;
        const Time wait = FabricClock::Until(now + m_wait);
        Simulator::Schedule(wait, &FrameFerry::DepartAll, this);
    }
}

void
FrameFerry::DepartAll()
{
    m_isWaiting = false;
    for (uint32_t rank = 0; rank < m_loads.size(); ++rank)
    {
        Depart(rank);
    }
}

void
FrameFerry::Depart(uint32_t rank)
{
    Load& load = m_loads[rank];
    if (!load.bundle.IsEmpty())
    {
        m_bundles.Send(rank, load.bundle.Take(), NextDue(rank, load.arrival));
    }
}

int64_t
FrameFerry::NextDue(uint32_t rank, int64_t arrival)
{
    int64_t& due = m_loads[rank].due;
    due = std::max(due + 1, FabricClock::Now() + m_delay - m_wait + 1);
    NS_ABORT_MSG_IF(
        due > arrival,
        "FrameFerry: too many frames at once for a link between ranks that is so short");
    return due;
}

void
FrameFerry::ReceiveBundle(Ptr<Packet> message)
{
    FrameBundle::Read(*message,
                      *m_pool,
                      [this](const Ptr<FabricFrame>& frame, const FrameTrailer& trailer) {
                          Deliver(frame, trailer);
                      });
}

void
FrameFerry::ReceivePacket(Ptr<Packet> message)
{
    FrameTrailer trailer;
    message->RemoveTrailer(trailer);
    const Ptr<FabricFrame> frame = FrameCodec::Deserialize(message, *m_pool);
    NS_ABORT_MSG_IF(!frame, "FrameFerry: what another rank sent is no frame");
    trailer.Complete(*frame);
    Deliver(frame, trailer);
}

void
FrameFerry::Deliver(const Ptr<FabricFrame>& frame, const FrameTrailer& trailer) const
{
    const uint32_t link = trailer.GetLink();
    NS_ABORT_MSG_IF(link >= m_receivers.size() || !m_receivers[link],
                    "FrameFerry: nothing here receives over link " << link);
    m_receivers[link]->Expect(frame, trailer);
}

} // namespace aifabric
} // namespace ns3
