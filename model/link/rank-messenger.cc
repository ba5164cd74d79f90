/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-messenger.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/fabric-clock.h"
#include "ns3/node.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return a device on a node, at the end of a cable
Ptr<NetDevice>
AddDevice(const Ptr<Node>& node, const Ptr<SimpleChannel>& cable)
{
    Ptr<SimpleNetDevice> device = CreateObject<SimpleNetDevice>();
    device->SetAttribute("PointToPointMode", BooleanValue(true));
    device->SetChannel(cable);
    node->AddDevice(device);
    return device;
}

} // namespace

RankMessenger::RankMessenger(Time delay, const RankTransport::Receiver& receiver)
{
    NS_ABORT_MSG_IF(!delay.IsStrictlyPositive(),
                    "several ranks need time to hear of each other: the delay of links has to be "
                    "positive, and LossOracle::RoundTripTime at least 4 ps");
    const uint32_t ranks = RankTransport::GetRanks();
    const uint32_t mine = RankTransport::GetRank();
    std::vector<Ptr<Node>> nodes;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        nodes.push_back(CreateObject<Node>(rank));
    }
    m_peers.resize(ranks);
    for (uint32_t a = 0; a < ranks; ++a)
    {
        for (uint32_t b = a + 1; b < ranks; ++b)
        {
            Ptr<SimpleChannel> cable = CreateObject<SimpleChannel>();
            cable->SetAttribute("Delay", TimeValue(delay));
            const Ptr<NetDevice> first = AddDevice(nodes[a], cable);
            const Ptr<NetDevice> second = AddDevice(nodes[b], cable);
            if (a == mine || b == mine)
            {
                m_peers[a == mine ? b : a] = a == mine ? second : first;
                RankTransport::Receive(a == mine ? first : second, receiver);
            }
        }
    }
}

void
RankMessenger::Send(uint32_t rank, const Ptr<Packet>& message, int64_t due) const
{
    RankTransport::Send(message, FabricClock::At(due, 0), m_peers.at(rank));
}

void
RankMessenger::SendToOthers(const Ptr<Packet>& message, int64_t due) const
{
    for (uint32_t rank = 0; rank < m_peers.size(); ++rank)
    {
        if (m_peers[rank])
        {
            Send(rank, message, due);
        }
    }
}

} // namespace aifabric
} // namespace ns3
