/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "empty-messages.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-port.h"
#include "ns3/node.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

EmptyMessages::EmptyMessages(const std::vector<Ptr<RoceNetDevice>>& nics,
                             const MessageCallback& received,
                             const MessageCallback& completed)
    : m_nics(nics),
      m_received(received),
      m_completed(completed),
      m_pending(nics.size())
{
    for (const Ptr<RoceNetDevice>& nic : nics)
    {
        const Ptr<Node> node = nic->GetNode();
        m_places.push_back({node->GetId(), RankTransport::IsHere(node)});
    }
}

void
EmptyMessages::Send(const Flow& flow, uint32_t message)
{
    const Time delay = m_nics[flow.source]->GetPort(0)->GetChannel()->GetDelay();
    const int64_t step = std::max<int64_t>(delay.GetPicoSeconds(), 1);
    const int64_t now = FabricClock::Now();
    Post(flow.destination, {now + step, message, false});
    Post(flow.source, {now + 2 * step, message, true});
}

void
EmptyMessages::Abort()
{
    m_pending.assign(m_pending.size(), {});
}

void
EmptyMessages::Dispose()
{
    Abort();
    m_nics.clear();
}

void
EmptyMessages::Post(uint32_t host, const Report& report)
{
    const Place& place = m_places[host]; // the node's own thread counts references to it
    if (!place.isHere)
    {
        return;
    }
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_pending[host].insert(report);
    }
    // No earlier in its picosecond than what sends: a window may begin and end with any turn.
    const Time wait = FabricClock::Until(std::get<0>(report), FabricClock::LAST_TURN);
    Simulator::ScheduleWithContext(place.node,
                                   wait,
                                   &EmptyMessages::Deliver,
                                   shared_from_this(),
                                   host);
}

void
EmptyMessages::Deliver(std::shared_ptr<EmptyMessages> self, uint32_t host)
{
    const int64_t now = FabricClock::Now();
    std::unique_lock<std::mutex> lock(self->m_mutex);
    std::set<Report>& pending = self->m_pending[host];
    while (!pending.empty() && std::get<0>(*pending.begin()) <= now)
    {
        const auto [due, message, isSender] = pending.extract(pending.begin()).value();
        lock.unlock();
        (isSender ? self->m_completed : self->m_received)(message);
        lock.lock();
    }
}

} // namespace aifabric
} // namespace ns3
