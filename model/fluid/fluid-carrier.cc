/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-carrier.h"

#include "ns3/fabric-clock.h"
#include "ns3/message-service.h"
#include "ns3/message-steering.h"
#include "ns3/simulator.h"
#include "ns3/time-units.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FluidCarrier);

namespace
{

/// @return a rate in bytes a picosecond  @param rate in bit/s
double
ToBytesPerPs(uint64_t rate)
{
    return static_cast<double>(rate) / BIT_PS_PER_BYTE;
}

} // namespace

TypeId
FluidCarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FluidCarrier").SetParent<MessageCarrier>().SetGroupName("AiFabric");
    return tid;
}

FluidCarrier::FluidCarrier(const FabricGraph& graph, const BoundParameters& bound)
    : m_graph(graph),
      m_bound(bound),
      m_paths(graph, ToBytesPerPs(bound.linkRate), ToBytesPerPs(bound.fabricRate)),
      m_solver(m_paths.GetRates()),
      m_active(graph.HostCount()),
      m_rounds(graph.HostCount())
{
}

FluidCarrier::~FluidCarrier()
{
}

void
FluidCarrier::DoDispose()
{
    Abort();
    m_service = nullptr;
    MessageCarrier::DoDispose();
}

void
FluidCarrier::Install(MessageService& service)
{
    m_service = &service;
}

FluidCarrier::Line
FluidCarrier::LineOf(const Flow& flow)
{
    return {flow.source, flow.destination, flow.channel, flow.trafficClass, flow.ordered};
}

void
FluidCarrier::Carry(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    std::deque<uint32_t>& line = m_lines[LineOf(flow)];
    line.push_back(message);
    if (line.size() > 1)
    {
        return;
    }
    m_mostActive = std::max(m_mostActive, ++m_active[flow.source]);
    double& round = m_rounds[flow.source];
    const auto wait = std::llround(round / ToBytesPerPs(m_bound.linkRate));
    round += GetFirstBytes(flow);
    GetWay(message) = Simulator::Schedule(
        FabricClock::Until(FabricClock::Now() + wait, FabricClock::OUT_OF_BAND_TURN),
        &FluidCarrier::Begin,
        this,
        message);
}

uint64_t
FluidCarrier::GetFirstBytes(const Flow& flow) const
{
    return std::min<uint64_t>(flow.bytes, m_bound.payloadBytes) + m_bound.headerBytes +
           m_bound.gapBytes;
}

EventId&
FluidCarrier::GetWay(uint32_t message)
{
    m_ways.resize(std::max<std::size_t>(m_ways.size(), message + std::size_t{1}));
    return m_ways[message];
}

void
FluidCarrier::Begin(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    const double packets = std::ceil(static_cast<double>(flow.bytes) / m_bound.payloadBytes);
    const double bytes = flow.bytes + packets * (m_bound.headerBytes + m_bound.gapBytes);
    const double back = packets * (m_bound.ackBytes + m_bound.gapBytes) / bytes;
    const uint32_t number = m_solver.Add(m_paths.GetShares(flow.source, flow.destination, back));
    m_sending.resize(std::max<std::size_t>(m_sending.size(), number + std::size_t{1}));
    Sending& sending = m_sending[number];
    sending = {message, bytes, 0, FabricClock::Now(), sending.version + 1};
    ScheduleSolve();
}

void
FluidCarrier::ScheduleSolve()
{
    if (m_solve.IsExpired())
    {
        const Time wait = FabricClock::Until(FabricClock::Now(), FabricClock::REVIEW_TURN);
        m_solve = Simulator::Schedule(wait, &FluidCarrier::Solve, this);
    }
}

void
FluidCarrier::Solve()
{
    const int64_t now = FabricClock::Now();
    for (const uint32_t flow : m_solver.Solve())
    {
        Sending& sending = m_sending[flow];
        sending.rest -= sending.rate * (now - sending.since);
        sending.rate = m_solver.GetRate(flow);
        sending.since = now;
        const int64_t end = now + std::max<int64_t>(0, std::llround(sending.rest / sending.rate));
        m_ends.push({end, flow, ++sending.version});
    }
    ScheduleEnd();
}

void
FluidCarrier::ScheduleEnd()
{
    while (!m_ends.empty() && m_ends.top().version != m_sending[m_ends.top().flow].version)
    {
        m_ends.pop();
    }
    m_end.Cancel();
    if (!m_ends.empty())
    {
        m_end =
            Simulator::Schedule(FabricClock::Until(m_ends.top().ps), &FluidCarrier::EndDue, this);
    }
}

void
FluidCarrier::EndDue()
{
    const int64_t now = FabricClock::Now();
    while (!m_ends.empty() && m_ends.top().ps <= now)
    {
        const End end = m_ends.top();
        m_ends.pop();
        Sending& sending = m_sending[end.flow];
        if (end.version == sending.version)
        {
            ++sending.version; // the number may be given again
            m_solver.Remove(end.flow);
            EndOne(sending.message);
        }
    }
    ScheduleSolve();
}

void
FluidCarrier::EndOne(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    const FrameTimes times(m_bound);
    // A short last packet cannot overtake the full one before it, and follows it on each link.
    const FrameTime frame(GetFirstBytes(flow) - m_bound.gapBytes, m_bound);
    const double way = times.Way(frame, m_graph.PathLinks(flow.source, flow.destination)) -
                       frame.host - times.gap.host; // both have passed at the source
    GetWay(message) =
        Simulator::Schedule(FabricClock::Until(FabricClock::Now() + std::llround(way)),
                            &FluidCarrier::Receive,
                            this,
                            message);
    const auto line = m_lines.find(LineOf(flow));
    line->second.pop_front();
    m_rounds[flow.source] -= GetFirstBytes(flow);
    if (!line->second.empty())
    {
        m_rounds[flow.source] += GetFirstBytes(m_service->GetFlow(line->second.front()));
        Begin(line->second.front());
        return;
    }
    m_lines.erase(line);
    --m_active[flow.source];
}

void
FluidCarrier::Receive(uint32_t message)
{
    const Flow flow = m_service->GetFlow(message);
    const double way = FrameTimes(m_bound).AckWay(m_graph.PathLinks(flow.source, flow.destination));
    m_ways[message] =
        Simulator::Schedule(FabricClock::Until(FabricClock::Now() + std::llround(way)),
                            &FluidCarrier::Complete,
                            this,
                            message);
    m_service->PartReceived(message, flow.bytes);
}

void
FluidCarrier::Complete(uint32_t message)
{
    m_service->PartCompleted(message);
}

int64_t
FluidCarrier::AssignStreams(int64_t)
{
    return 0;
}

void
FluidCarrier::SetFailureCallback(const Callback<void>&)
{
    // no queue pair fails
}

void
FluidCarrier::Abort()
{
    for (EventId& way : m_ways)
    {
        way.Cancel();
    }
    m_solve.Cancel();
    m_end.Cancel();
    m_lines.clear();
    m_ends = {};
    m_sending.clear();
    m_solver = FluidSolver(m_paths.GetRates());
    std::fill(m_active.begin(), m_active.end(), 0);
    std::fill(m_rounds.begin(), m_rounds.end(), 0);
}

void
FluidCarrier::Count(PolicyCounters&) const
{
    // it has no policies
}

uint32_t
FluidCarrier::GetMostActive() const
{
    return m_mostActive;
}

Ptr<MessageSteering>
FluidCarrier::GetSteering(uint32_t) const
{
    return nullptr;
}

} // namespace aifabric
} // namespace ns3
