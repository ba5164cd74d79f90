/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-selector.h"

#include "roce-net-device.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return what a report says about the path of the packet that triggered it
PathEvent
ToEvent(const AckReport& report)
{
    if (report.path == PathVerdict::SKIP_ALWAYS)
    {
        return PathEvent::BAD;
    }
    return report.marked || report.path == PathVerdict::SKIP_ONCE ? PathEvent::MARKED
                                                                  : PathEvent::GOOD;
}

/// @return what a loss says about the path of the packet  @param reason how it was found out
/// @param marked whether the packet was marked (ECN) on its path
PathEvent
ToEvent(LossReason reason, bool marked)
{
    switch (reason)
    {
    case LossReason::TRIMMED:
        return PathEvent::TRIMMED;
    case LossReason::TRIMMED_LAST_HOP:
        return marked ? PathEvent::MARKED : PathEvent::TRIMMED_LAST_HOP;
    case LossReason::PACKET_TIMEOUT:
    case LossReason::TIMEOUT:
        return PathEvent::TIMED_OUT;
    case LossReason::GAP:
    case LossReason::NO_RESOURCES:
        break;
    }
    return PathEvent::LOST;
}

/// @return bit p set: port p of the other end has a link, as far as the NIC knows; all bits if no
/// plane is left, because then the timers decide  @param local the same of the NIC's own ports
/// @param host of the other end  @param view what the NIC knows
uint32_t
FindPeerPorts(uint32_t local, uint32_t host, const PathView& view)
{
    uint32_t peer = UINT32_MAX;
    for (uint16_t plane = 0; plane < view.GetPlanes(); ++plane)
    {
        const uint32_t link = view.GetGraph().LinkAt({true, host, plane});
        peer &= view.IsLinkAlive(link) ? UINT32_MAX : ~(uint32_t{1} << plane);
    }
    return (local & peer) != 0 ? peer : UINT32_MAX;
}

} // namespace

PathSelector::PathSelector()
{
}

PathSelector::~PathSelector()
{
}

PathSelector::PathSelector(const PathSelector& other)
    : packetTimeout(other.packetTimeout),
      deaggregatesAcks(other.deaggregatesAcks),
      m_balancer(other.m_balancer->Fork())
{
}

void
PathSelector::Start(const FabricFacts& facts, int64_t stream)
{
    m_stream = stream;
    if (packetTimeout > 0)
    {
        m_timeouts = std::make_unique<Timeouts>(packetTimeout);
    }
    if (deaggregatesAcks)
    {
        m_deaggregator = std::make_unique<AckDeaggregator>();
    }
    m_balancer->Start(facts, stream);
}

void
PathSelector::Connect(const Connection& connection, uint16_t sourcePort)
{
    m_balancer->SetFixedEntropy(sourcePort);
    m_balancer->Connect(connection.nic->GetHost(), connection.peerHost, connection.nic->GetPaths());
    if (m_viewVersion != 0)
    {
        PortsChanged(connection.nic->FindAlivePorts(), connection); // of another peer
    }
}

void
PathSelector::Renew(const FabricFacts& facts, const Connection& connection, uint16_t sourcePort)
{
    m_balancer->Start(facts, m_stream);
    Connect(connection, sourcePort);
    m_hasPath = false;
}

void
PathSelector::PortsChanged(uint32_t local, const Connection& connection)
{
    const PathView* view = connection.nic->GetPaths().get();
    if (!knowsPeerPorts || !view || connection.peerNumber == 0)
    {
        m_balancer->PortsChanged(local, UINT32_MAX);
        return;
    }
    m_viewVersion = view->GetVersion();
    m_balancer->PortsChanged(local, FindPeerPorts(local, connection.peerHost, *view));
}

void
PathSelector::UpdatePeerPorts(const Connection& connection)
{
    const PathView* view = connection.nic->GetPaths().get();
    if (view && view->GetVersion() != m_viewVersion && knowsPeerPorts)
    {
        PortsChanged(connection.nic->FindAlivePorts(), connection);
    }
}

bool
PathSelector::Choose(const PathRequest& request)
{
    const std::optional<PathChoice> choice = m_balancer->Choose(request);
    m_hasPath = choice.has_value();
    NS_ABORT_MSG_IF(!choice && request.planes == 1,
                    m_balancer->GetInstanceTypeId().GetName()
                        << "::Choose() gave no path; the NIC has one port, so there is no other to "
                           "wait for");
    if (choice)
    {
        NS_ABORT_MSG_IF(choice->plane >= request.planes,
                        m_balancer->GetInstanceTypeId().GetName()
                            << "::Choose() gave plane " << choice->plane << " of a NIC with "
                            << request.planes << ", of 0 to " << request.planes - 1);
        m_path = *choice;
    }
    return m_hasPath;
}

void
PathSelector::Acknowledged(const AckReport& report,
                           int64_t last,
                           const LossRecovery& recovery,
                           int64_t now)
{
    if (m_timeouts)
    {
        StopAcknowledged(report, recovery);
    }
    if (deaggregatesAcks && last >= 0)
    {
        ReportCovered(report, last, recovery, now);
        return;
    }
    ReportTrigger(report, now);
}

inline void
PathSelector::ReportTrigger(const AckReport& report, int64_t now)
{
    if (report.isChosen && report.probe != AckReport::REQUEST) // which has not waited with data
    {
        m_balancer->Feedback(report.entropy, ToEvent(report), now - report.sentAt, now);
    }
}

[[gnu::noinline]] void
PathSelector::ReportCovered(const AckReport& report,
                            uint64_t last,
                            const LossRecovery& recovery,
                            int64_t now)
{
    const bool isKnown = ToEvent(report) == PathEvent::GOOD && report.probe == 0 &&
                         m_deaggregator->WasCovered(last, report.entropy);
    const std::vector<uint64_t> covered =
        m_deaggregator->Take(recovery.GetUnacknowledged(), recovery.GetSent(), last, report);
    const auto after = std::lower_bound(covered.begin(), covered.end(), last);
    ReportGood({covered.begin(), after}, now);
    if (!isKnown) // else a later acknowledgement has overtaken this one
    {
        ReportTrigger(report, now);
    }
    ReportGood({after, covered.end()}, now);
}

void
PathSelector::Refused(const ResponderReport& report, const LossRecovery& recovery, int64_t now)
{
    if (m_timeouts)
    {
        StopAcknowledged(report, recovery);
    }
    if (deaggregatesAcks)
    {
        ReportGood(m_deaggregator->Take(recovery.GetUnacknowledged()), now);
    }
}

void
PathSelector::ReportGood(const std::vector<uint64_t>& numbers, int64_t now)
{
    for (const uint64_t number : numbers)
    {
        const uint32_t entropy = m_log.Get(number);
        m_deaggregator->NoteCovered(number, entropy);
        m_balancer->Feedback(entropy, PathEvent::GOOD, 0, now);
    }
}

void
PathSelector::Lost(const std::vector<uint64_t>& lost,
                   LossReason reason,
                   bool marked,
                   const LossRecovery& recovery,
                   int64_t now)
{
    if (reason == LossReason::NO_RESOURCES)
    {
        return; // which says nothing about the path
    }
    const PathEvent event = ToEvent(reason, marked);
    for (const uint64_t number : lost)
    {
        const int64_t start = recovery.GetLostStart(number);
        m_balancer->Feedback(m_log.Get(number), event, start > 0 ? now - start : 0, now);
    }
}

void
PathSelector::StopAcknowledged(const ResponderReport& report, const LossRecovery& recovery)
{
    const uint64_t unacknowledged = recovery.GetUnacknowledged();
    const int64_t number = PsnWindow::Unwrap(report.psn, unacknowledged);
    m_timeouts->timers.Stop(report.sentAt, report.entropy, number);
    m_timeouts->timers.Acknowledge(unacknowledged);
}

void
PathSelector::StopTimers()
{
    if (m_timeouts)
    {
        m_timeouts->timers.StopAll();
        m_timeouts->check.Cancel();
    }
}

void
PathSelector::DoScheduleCheck(RoceNetDevice* nic)
{
    const int64_t due = m_timeouts->timers.GetNextExpiry();
    if (due != PacketTimers::NEVER && m_timeouts->check.IsExpired())
    {
        m_timeouts->check =
            Simulator::Schedule(FabricClock::Until(due), &PathSelector::CheckTimers, this, nic);
    }
}

void
PathSelector::CheckTimers(RoceNetDevice* nic)
{
    const int64_t now = FabricClock::Now();
    nic->BeginChange(now); // packets that started before now take their labels first
    for (const uint32_t entropy : m_timeouts->timers.Expire(now))
    {
        Report(entropy, PathEvent::OVERDUE, now);
    }
    DoScheduleCheck(nic);
}

void
PathSelector::Count(PolicyCounters& counters) const
{
    m_balancer->Count(counters);
    if (m_timeouts)
    {
        counters["packet_timeouts"] += m_timeouts->timers.GetExpirations();
    }
}

void
PathSelector::Dispose()
{
    StopTimers();
    if (m_balancer)
    {
        m_balancer->Dispose();
    }
    m_balancer = nullptr;
}

} // namespace aifabric
} // namespace ns3
