/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dqplb-steering.h"

#include "message-service.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(DqplbSteering);

TypeId
DqplbSteering::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::DqplbSteering")
            .SetParent<MessageSteering>()
            .SetGroupName("AiFabric")
            .AddConstructor<DqplbSteering>()
            .AddAttribute("QueuePairs",
                          "Queue pairs to each destination.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&DqplbSteering::m_queuePairs),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("FragmentBytes",
                          "Length of a fragment, in bytes; the last one of a message may be "
                          "shorter. 0: each queue pair gets an equal part of the message.",
                          UintegerValue(524288),
                          MakeUintegerAccessor(&DqplbSteering::m_fragmentBytes),
                          MakeUintegerChecker<uint64_t>(0, MessageService::LONGEST_WRITE))
            .AddAttribute("MaxFragments",
                          "Fragments that may be outstanding on a queue pair. They count as full "
                          "ones, however short they are.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&DqplbSteering::m_maxFragments),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
DqplbSteering::DoDispose()
{
    m_peers.clear();
    MessageSteering::DoDispose();
}

DqplbSteering::Peer&
DqplbSteering::PeerOf(uint32_t message)
{
    const Flow& flow = GetService().GetFlow(message);
    Peer& peer = m_peers[uint64_t{flow.destination} << 18 | uint64_t{flow.channel} << 2 |
                         uint64_t{flow.isBackground} << 1 | flow.ordered];
    peer.outstanding.resize(m_queuePairs);
    return peer;
}

uint64_t
DqplbSteering::FragmentBytes(uint64_t bytes) const
{
    const uint64_t share = (bytes + m_queuePairs - 1) / m_queuePairs;
    return m_fragmentBytes > 0 ? m_fragmentBytes : std::max<uint64_t>(1, share);
}

uint64_t
DqplbSteering::CountFragments(uint64_t bytes) const
{
    const uint64_t most = FragmentBytes(bytes);
    return std::max<uint64_t>(1, (bytes + most - 1) / most);
}

uint64_t
DqplbSteering::CountPieces(uint32_t messages, uint64_t bytes, uint32_t) const
{
    return messages * CountFragments(bytes);
}

uint64_t
DqplbSteering::CountQueuePairs(uint32_t messages, uint64_t bytes, uint32_t) const
{
    // With Renew each outstanding fragment has a queue pair of its own.
    const uint64_t most = uint64_t{m_queuePairs} * (Renews() ? m_maxFragments : 1);
    return messages * std::min(most, CountFragments(bytes));
}

void
DqplbSteering::Send(uint32_t message)
{
    const uint64_t bytes = GetService().GetFlow(message).bytes;
    const uint64_t most = FragmentBytes(bytes);
    const uint64_t fragments = CountFragments(bytes);
    GetService().SetPieces(message, fragments);
    Peer& peer = PeerOf(message);
    for (uint64_t i = 0; i < fragments; ++i)
    {
        peer.waiting.push_back({message, std::min(most, bytes - i * most)});
    }
    PostWaiting(peer);
    m_held += std::min<uint64_t>(peer.waiting.size(), fragments);
}

void
DqplbSteering::PostWaiting(Peer& peer)
{
    while (!peer.waiting.empty())
    {
        const Fragment fragment = peer.waiting.front();
        uint32_t tried = 0;
        while (tried < m_queuePairs && peer.outstanding[peer.next] >= m_maxFragments)
        {
            peer.next = (peer.next + 1) % m_queuePairs;
            ++tried;
        }
        if (tried == m_queuePairs)
        {
            return;
        }
        peer.waiting.pop_front();
        const uint32_t index = peer.next;
        peer.next = (index + 1) % m_queuePairs;
        ++peer.outstanding[index];
        const uint32_t first = GetService().GetFlow(fragment.message).channel * m_queuePairs;
        Lane& lane = peer.lanes[Post(fragment.message, fragment.bytes, first + index)];
        lane.index = index;
        lane.posted.push_back(fragment.bytes);
    }
}

void
DqplbSteering::WriteAcknowledged(uint32_t message, uint32_t queuePair, uint64_t bytes)
{
    Peer& peer = PeerOf(message);
    Lane& lane = peer.lanes.at(queuePair);
    lane.posted.front() -= bytes; // a fragment of more than MaxMessageBytes is several writes
    if (lane.posted.front() == 0)
    {
        lane.posted.pop_front();
        --peer.outstanding[lane.index];
        PostWaiting(peer);
    }
}

void
DqplbSteering::Count(PolicyCounters& counters) const
{
    counters["dqplb_fragments_held"] += m_held;
}

} // namespace aifabric
} // namespace ns3
