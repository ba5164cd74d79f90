/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-fabric.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/fabric-clock.h"
#include "ns3/linked-node.h"
#include "ns3/simulator.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(NodeFabric);

TypeId
NodeFabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::NodeFabric")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<NodeFabric>()
            .AddAttribute(
                "Rate",
                "What a GPU sends, and what it receives, to and from the GPUs of its node "
                "together, at least 1 Mb/s.",
                DataRateValue(DataRate("3600Gb/s")),
                MakeDataRateAccessor(&NodeFabric::m_rate),
                MakeDataRateChecker())
            .AddAttribute(
                "SwitchShare",
                "Share of Rate that the switch reaches in what it adds up or copies "
                "(NVLink SHARP), above 0 and at most 1. NCCL reckons with 0.85 (H100) and "
                "0.74 (B200): nvlsEfficiency of its src/graph/tuning.cc.",
                DoubleValue(0.85),
                MakeDoubleAccessor(&NodeFabric::m_switchShare),
                MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("Latency",
                          "Time from the end of a message at its sender to its end at its "
                          "receiver, at most 1 s.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&NodeFabric::m_latency),
                          MakeTimeChecker(Time(0), Seconds(1)));
    return tid;
}

NodeFabric::NodeFabric()
{
}

NodeFabric::~NodeFabric()
{
}

void
NodeFabric::DoDispose()
{
    Abort();
    m_received = MessageCallback();
    m_completed = MessageCallback();
    Object::DoDispose();
}

void
NodeFabric::Install(const GpuNodes& nodes,
                    std::vector<uint32_t> hosts,
                    const MessageCallback& received,
                    const MessageCallback& completed)
{
    NS_ABORT_MSG_IF(GetRate() < LEAST_RATE, "NodeFabric::Rate: at least 1 Mb/s");
    m_nodes = nodes;
    m_hosts = std::move(hosts);
    m_crossbars.resize(m_hosts.size()); // there are at most as many nodes
    JoinRooms();
    m_received = received;
    m_completed = completed;
}

void
NodeFabric::JoinRooms() const
{
    WindowSimulator* const windows = WindowSimulator::Get();
    if (!windows)
    {
        return;
    }
    std::map<uint32_t, std::vector<uint32_t>> rooms; // by node
    for (uint32_t host = 0; host < m_hosts.size(); ++host)
    {
        rooms[m_nodes.NodeOf(host)].push_back(m_hosts[host]);
    }
    for (const auto& [node, hosts] : rooms)
    {
        LinkedNode::Join(*windows, hosts);
    }
}

bool
NodeFabric::Carries(const Flow& flow) const
{
    return m_nodes.Joins(flow.source, flow.destination);
}

uint64_t
NodeFabric::GetRate() const
{
    return m_rate.GetBitRate();
}

int64_t
NodeFabric::GetLatencyPs() const
{
    return m_latency.GetPicoSeconds();
}

NodeFabric::Crossbar&
NodeFabric::Get(uint32_t node)
{
    Crossbar& crossbar = m_crossbars[node];
    if (crossbar.posted.empty())
    {
        const std::size_t gpus = m_nodes.GetGpus();
        crossbar.queues.resize(gpus * gpus);
        crossbar.posted.resize(gpus);
        crossbar.sends.resize(gpus);
        crossbar.receives.resize(gpus);
        crossbar.adder = NodeSwitch(gpus);
    }
    return crossbar;
}

void
NodeFabric::Send(const Flow& flow, uint32_t message)
{
    NS_ABORT_MSG_IF(!Carries(flow),
                    "NodeFabric::Send: hosts " << flow.source << " and " << flow.destination
                                               << " are not of one node");
    const uint32_t node = m_nodes.NodeOf(flow.source);
    const uint32_t sender = m_nodes.IndexOf(flow.source);
    Crossbar& crossbar = Get(node);
    const int64_t now = FabricClock::Now();
    Posted& posted = crossbar.posted[sender];
    posted = posted.at == now ? posted : Posted{now, 0};
    const Waiting waiting{message, flow.bytes, now, posted.count++};
    const uint32_t receiver = m_nodes.IndexOf(flow.destination);
    if (flow.switched)
    {
        crossbar.adder.Post({message,
                             sender,
                             receiver,
                             TimeOf(flow.GetUpBytes(), m_switchShare),
                             TimeOf(flow.GetDownBytes(), m_switchShare),
                             now,
                             waiting.turn});
    }
    else
    {
        crossbar.queues[sender * m_nodes.GetGpus() + receiver].push_back(waiting);
    }
    MatchSoon(node);
}

int64_t
NodeFabric::TimeOf(double bytes, double share) const
{
    constexpr long double BIT_PS_PER_BYTE = 8e12L;
    return static_cast<int64_t>(std::ceil(bytes * BIT_PS_PER_BYTE / (share * GetRate())));
}

void
NodeFabric::Pass(uint32_t node)
{
    NodeSwitch& adder = Get(node).adder;
    const int64_t now = FabricClock::Now();
    for (const auto& [leg, ps] : adder.SendUp(now))
    {
        At(ps, m_nodes.HostOf(node, leg.sender), &NodeFabric::Rise, NodeLeg{node, leg});
    }
    for (const auto& [leg, ps] : adder.SendDown(now))
    {
        const uint32_t sender = m_nodes.HostOf(node, leg.sender);
        const uint32_t receiver = m_nodes.HostOf(node, leg.receiver);
        At(ps + GetLatencyPs(), receiver, &NodeFabric::Arrive, leg.message);
        At(ps + 2 * GetLatencyPs(), sender, &NodeFabric::Complete, leg.message);
    }
}

void
NodeFabric::Rise(NodeLeg leg, uint32_t era)
{
    if (era == m_era)
    {
        Get(leg.node).adder.Rise(leg.leg);
        MatchSoon(leg.node);
    }
}

void
NodeFabric::Abort()
{
    m_crossbars.assign(m_crossbars.size(), {});
    ++m_era;
}

void
NodeFabric::MatchSoon(uint32_t node)
{
    Crossbar& crossbar = Get(node);
    if (!crossbar.matches)
    {
        crossbar.matches = true;
        Simulator::Schedule(FabricClock::Until(FabricClock::Now(), FabricClock::REVIEW_TURN),
                            &NodeFabric::Match,
                            this,
                            node,
                            m_era);
    }
}

void
NodeFabric::Match(uint32_t node, uint32_t era)
{
    if (era != m_era)
    {
        return;
    }
    Crossbar& crossbar = Get(node);
    crossbar.matches = false;
    Pass(node);
    const uint32_t gpus = m_nodes.GetGpus();
    // The oldest messages first; of those of a time and turn the one to the next GPU, so that not
    // all senders choose the same one.
    using Candidate =
        std::tuple<int64_t, uint64_t, uint32_t, uint32_t>; // time, turn, distance, sender
    std::vector<Candidate> candidates;
    for (uint32_t sender = 0; sender < gpus; ++sender)
    {
        for (uint32_t receiver = 0; receiver < gpus && !crossbar.sends[sender]; ++receiver)
        {
            const std::deque<Waiting>& queue = crossbar.queues[sender * gpus + receiver];
            if (!queue.empty() && !crossbar.receives[receiver])
            {
                const uint32_t distance = (receiver + gpus - sender) % gpus;
                candidates.emplace_back(queue.front().postedPs,
                                        queue.front().turn,
                                        distance,
                                        sender);
            }
        }
    }
    std::sort(candidates.begin(), candidates.end());
    for (const auto& [postedPs, turn, distance, sender] : candidates)
    {
        const uint32_t receiver = (sender + distance) % gpus;
        if (!crossbar.sends[sender] && !crossbar.receives[receiver])
        {
            Begin({node, sender, receiver});
        }
    }
}

void
NodeFabric::Begin(Pair pair)
{
    Crossbar& crossbar = Get(pair.node);
    std::deque<Waiting>& queue = crossbar.queues[pair.sender * m_nodes.GetGpus() + pair.receiver];
    const Waiting first = queue.front();
    queue.pop_front();
    crossbar.sends[pair.sender] = true;
    crossbar.receives[pair.receiver] = true;
    const int64_t freePs = FabricClock::Now() + TimeOf(static_cast<double>(first.bytes), 1);
    const uint32_t sender = m_nodes.HostOf(pair.node, pair.sender);
    const uint32_t receiver = m_nodes.HostOf(pair.node, pair.receiver);
    At(freePs, sender, &NodeFabric::Release, pair);
    At(freePs + GetLatencyPs(), receiver, &NodeFabric::Arrive, first.message);
    At(freePs + 2 * GetLatencyPs(), sender, &NodeFabric::Complete, first.message);
}

template <typename T>
void
NodeFabric::At(int64_t ps, uint32_t host, void (NodeFabric::*method)(T, uint32_t), T what)
{
    Simulator::ScheduleWithContext(m_hosts[host],
                                   FabricClock::Until(ps, FabricClock::OUT_OF_BAND_TURN),
                                   method,
                                   this,
                                   what,
                                   m_era);
}

void
NodeFabric::Release(Pair pair, uint32_t era)
{
    if (era == m_era)
    {
        Crossbar& crossbar = Get(pair.node);
        crossbar.sends[pair.sender] = false;
        crossbar.receives[pair.receiver] = false;
        MatchSoon(pair.node);
    }
}

void
NodeFabric::Arrive(uint32_t message, uint32_t era)
{
    if (era == m_era)
    {
        m_received(message);
    }
}

void
NodeFabric::Complete(uint32_t message, uint32_t era)
{
    if (era == m_era)
    {
        m_completed(message);
    }
}

} // namespace aifabric
} // namespace ns3
