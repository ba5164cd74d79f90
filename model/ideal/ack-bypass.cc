/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ack-bypass.h"

#include "ns3/fabric-clock.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/node.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"
#include "ns3/window-simulator.h"

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t OTHER_RANKS = 0; //!< by which acknowledgements come from other ranks

} // namespace

NS_OBJECT_ENSURE_REGISTERED(AckBypass);

TypeId
AckBypass::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::AckBypass")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<AckBypass>()
            .AddAttribute("HopTime",
                          "Time that an acknowledgement takes for each link of a shortest path. "
                          "The default is that of links of 0.5 us at 800 Gb/s.",
                          TimeValue(PicoSeconds(500640)),
                          MakeTimeAccessor(&AckBypass::m_hopTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SwitchTime",
                          "Time that an acknowledgement takes for each switch of a shortest path: "
                          "FabricSwitch::Latency.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&AckBypass::m_switchTime),
                          MakeTimeChecker(Time(0)));
    return tid;
}

AckBypass::AckBypass()
{
}

AckBypass::~AckBypass()
{
}

void
AckBypass::Install(const FabricGraph& graph, const std::vector<Ptr<RoceNetDevice>>& nics)
{
    WindowSimulator::RequireOneThread("AckBypass");
    m_graph = &graph;
    m_nics = nics;
    m_pending.resize(nics.size());
    if (RankTransport::GetRanks() > 1)
    {
        const Ptr<FabricFramePool> pool = Create<FabricFramePool>();
        pool->SetPlan(m_nics.front()->GetPool()->GetPlan());
        m_ferry = Create<FrameFerry>(m_hopTime, pool);
        m_ferry->Receive(OTHER_RANKS, this);
    }
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nic->SetAnswerCarrier(this);
    }
}

void
AckBypass::Carry(const Ptr<FabricFrame>& ack)
{
    ++m_carried;
    const uint32_t host = ack->destination;
    const int64_t links = m_graph->PathLinks(ack->source, host);
    const int64_t travel =
        links * m_hopTime.GetPicoSeconds() + (links - 1) * m_switchTime.GetPicoSeconds();
    const int64_t due = FabricClock::Now() + travel;
    const Ptr<Node> node = m_nics[host]->GetNode();
    const FrameTrailer trailer(OTHER_RANKS, FabricClock::Now(), due, *ack);
    if (RankTransport::IsHere(node))
    {
        Expect(ack, trailer);
        return;
    }
    const Mac48Address none;
    m_ferry->Send(node->GetSystemId(), *ack, trailer, none, none);
}

void
AckBypass::Expect(const Ptr<FabricFrame>& ack, const FrameTrailer& trailer)
{
    const uint32_t host = ack->destination;
    const int64_t due = trailer.GetArrival();
    m_pending[host].emplace(std::make_tuple(due, ack->source, ++m_expected), ack);
    Simulator::ScheduleWithContext(m_nics[host]->GetNode()->GetId(),
                                   FabricClock::Until(due, FabricClock::OUT_OF_BAND_TURN),
                                   &AckBypass::Deliver,
                                   this,
                                   host);
}

void
AckBypass::Deliver(uint32_t host)
{
    if (m_nics.empty())
    {
        return; // disposed of
    }
    const int64_t now = FabricClock::Now();
    Pending& pending = m_pending[host];
    while (!pending.empty() && std::get<0>(pending.begin()->first) <= now)
    {
        const Ptr<FabricFrame> ack = pending.begin()->second;
        pending.erase(pending.begin());
        m_nics[host]->GetPort(0)->GetHandler()->ReceiveFrame(ack, 0, now);
    }
}

uint64_t
AckBypass::GetCarried() const
{
    return m_carried;
}

void
AckBypass::DoDispose()
{
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nic->SetAnswerCarrier(nullptr);
    }
    m_nics.clear();
    m_pending.clear();
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
