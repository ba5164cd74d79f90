/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethereal-v1-steering.h"

#include "ns3/fabric-clock.h"
#include "ns3/message-service.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EtherealV1Steering);

TypeId
EtherealV1Steering::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::EtherealV1Steering")
                            .SetParent<SourceRoutedSteering>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<EtherealV1Steering>();
    return tid;
}

void
EtherealV1Steering::DoDispose()
{
    m_sending.clear();
    SourceRoutedSteering::DoDispose();
}

std::vector<EtherealPlanner::Piece>
EtherealV1Steering::Divide(const std::vector<uint64_t>& bytes, const std::vector<uint16_t>& paths)
{
    Refresh();
    std::vector<EtherealPlanner::Piece> pieces =
        Plan(EtherealPlanner::Split::EQUAL_PIECES, bytes, paths);
    const UniformInteger uniform = [this](uint32_t bound) { return Draw(bound); };
    for (EtherealPlanner::Piece& piece : pieces)
    {
        piece.path = m_unsent.Choose(piece.bytes, paths, uniform);
    }
    return pieces;
}

void
EtherealV1Steering::Posted(const Order& order, const Ptr<QueuePair>& queuePair)
{
    const uint64_t packets = queuePair->CountPackets(order.bytes);
    m_sending.push_back(
        {queuePair, queuePair->GetPosted() + packets, order.bytes, order.path.value()});
}

void
EtherealV1Steering::Refresh()
{
    const Ptr<RoceNetDevice>& nic = GetService().GetNics()[GetHost()];
    for (std::size_t port = 0; port < nic->GetPortCount(); ++port)
    {
        nic->GetPort(port)->GetTransmitter().Advance(FabricClock::Now() - 1); // decides late
    }
    for (auto it = m_sending.begin(); it != m_sending.end();)
    {
        const uint64_t sent = it->queuePair->GetRecovery().GetSent();
        const uint64_t packets = it->end - std::min(it->end, sent);
        const uint64_t left = std::min(it->left, packets * it->queuePair->GetMtu());
        m_unsent.Remove(it->path, it->left - left);
        it->left = left;
        it = left == 0 ? m_sending.erase(it) : std::next(it);
    }
}

void
EtherealV1Steering::Rerouted(const Ptr<QueuePair>& queuePair, uint16_t to)
{
    Refresh();
    for (Sending& sending : m_sending)
    {
        if (sending.queuePair == queuePair)
        {
            m_unsent.Remove(sending.path, sending.left);
            m_unsent.Add(to, sending.left);
            sending.path = to;
        }
    }
}

} // namespace aifabric
} // namespace ns3
