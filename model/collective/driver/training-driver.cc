/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-driver.h"

#include "connection-opener.h"

#include "ns3/abort.h"
#include "ns3/compute-bound.h"
#include "ns3/fabric-clock.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TrainingDriver);

TypeId
TrainingDriver::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::TrainingDriver")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<TrainingDriver>()
            .AddAttribute("ProcessorOperations",
                          "Operations that the processor of a host does at a time, of an iteration "
                          "that says which they are, as Chakra's traces do.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TrainingDriver::m_processorOperations),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("StreamOperations",
                          "Kernels, or copies, that a stream of a host does at a time, of an "
                          "iteration that says which they are, as Chakra's traces do.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TrainingDriver::m_streamOperations),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("NodeEnded",
                            "A host has ended a node of its program.",
                            MakeTraceSourceAccessor(&TrainingDriver::m_nodeTrace),
                            "ns3::aifabric::TrainingDriver::NodeTracedCallback")
            .AddTraceSource("Finished",
                            "All hosts have ended all nodes.",
                            MakeTraceSourceAccessor(&TrainingDriver::m_finishedTrace),
                            "ns3::aifabric::TrainingDriver::FinishedTracedCallback");
    return tid;
}

TrainingDriver::TrainingDriver()
{
}

TrainingDriver::~TrainingDriver()
{
}

void
TrainingDriver::DoDispose()
{
    m_service = nullptr;
    if (m_collectives)
    {
        m_collectives->Stop();
    }
    Object::DoDispose();
}

void
TrainingDriver::KeepTimes()
{
    m_log = std::make_unique<NodeLog>();
}

void
TrainingDriver::SetCarrier(CollectiveCarrier* carrier)
{
    m_carrier = carrier;
}

void
TrainingDriver::Install(Ptr<MessageService> service,
                        TrainingWorkload workload,
                        const CollectiveDefaults& defaults,
                        uint32_t mtu)
{
    NS_ABORT_MSG_IF(m_service, "TrainingDriver::Install: it has a workload already");
    m_service = service;
    m_workload = std::move(workload);
    m_extent = std::make_unique<WorkloadExtent>(m_workload, defaults, mtu);
    m_service->Expect(m_extent->Total().messages);
    Prepare();
    // Not at once: who observes queue pairs may follow.
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                   Time(0),
                                   &TrainingDriver::OpenConnections,
                                   Ptr<TrainingDriver>(this));
    for (uint32_t host = 0; host < m_hosts.size(); ++host)
    {
        if (m_hosts[host].unfinished > 0)
        {
            Simulator::ScheduleWithContext(m_service->GetNics()[host]->GetNode()->GetId(),
                                           Time(0),
                                           &TrainingDriver::BeginHost,
                                           Ptr<TrainingDriver>(this),
                                           host);
        }
    }
}

void
TrainingDriver::OpenConnections()
{
    if (m_service) // or else disposed of meanwhile
    {
        ConnectionOpener(m_workload, *m_extent, *m_service).Open();
    }
}

void
TrainingDriver::Prepare()
{
    m_programs = std::make_unique<ProgramTable>(m_workload);
    m_firstSend = static_cast<uint32_t>(m_service->GetRecords().size());
    for (uint32_t host = 0; host < m_service->GetNics().size(); ++host)
    {
        PrepareHost(host);
        if (m_log)
        {
            m_log->AddHost(m_hosts[host].unfinished);
        }
    }
    m_collectives = std::make_unique<TrainingCollectives>(
        m_workload,
        m_service,
        m_carrier,
        [this](uint32_t host, uint32_t node) { EndSoon(host, node); });
    for (const WorkloadNode* const node : m_programs->GetCollectives())
    {
        m_collectives->Add(*node, *m_extent);
    }
}

void
TrainingDriver::PrepareHost(uint32_t host)
{
    if (host >= m_workload.programOf.size() ||
        m_workload.programOf[host] == TrainingWorkload::NO_PROGRAM)
    {
        m_hosts.push_back({{}, HostStreams({}), 0, 0, 0, {}, {}, {}});
        return;
    }
    const ProgramTable::Program& program = m_programs->Of(host);
    m_hosts.push_back(
        {program.waiting,
         HostStreams(program.streams.GetLimits(m_processorOperations, m_streamOperations)),
         static_cast<uint32_t>(m_sends.size()),
         program.waiting.size(),
         0,
         {},
         {},
         {}});
    m_busyHosts += !program.waiting.empty();
    for (const uint32_t node : program.sends)
    {
        const WorkloadNode& what = GetNode(host, node);
        Flow flow;
        flow.source = host;
        flow.destination = what.peer;
        flow.bytes = what.bytes;
        flow.trafficClass = what.trafficClass;
        m_service->Add(flow, this);
        m_sends.push_back({host, node});
    }
}

const WorkloadNode&
TrainingDriver::GetNode(uint32_t host, uint32_t node) const
{
    return m_workload.programs[m_workload.programOf[host]][node];
}

void
TrainingDriver::BeginHost(uint32_t host)
{
    const std::vector<uint32_t>& initially = m_programs->Of(host).waiting;
    for (uint32_t node = 0; node < initially.size(); ++node)
    {
        if (initially[node] == 0)
        {
            Ready(host, node);
        }
    }
}

void
TrainingDriver::Ready(uint32_t host, uint32_t node)
{
    const uint32_t stream = m_programs->Of(host).streams.StreamOf(node);
    if (stream == StreamTable::NONE)
    {
        BeginNode(host, node);
        return;
    }
    m_hosts[host].streams.Enter(stream, node);
    Serve(host, stream);
}

void
TrainingDriver::Serve(uint32_t host, uint32_t stream)
{
    while (const std::optional<uint32_t> node = m_hosts[host].streams.Take(stream))
    {
        BeginNode(host, *node);
    }
}

void
TrainingDriver::BeginNode(uint32_t host, uint32_t node)
{
    if (!m_service)
    {
        return; // disposed of meanwhile
    }
    if (m_log)
    {
        m_log->Begin(host, node, FabricClock::Now());
    }
    const auto& followers = m_programs->Of(host).followers;
    if (!followers.empty() && !followers[node].empty())
    {
        Simulator::ScheduleNow(&TrainingDriver::BeginFollowers, this, host, node); // as EndSoon()
    }
    const WorkloadNode& what = GetNode(host, node);
    switch (what.kind)
    {
    case WorkloadNode::Kind::COMPUTE:
        Simulator::Schedule(FabricClock::Until(FabricClock::Now() + what.durationPs),
                            &TrainingDriver::End,
                            this,
                            host,
                            node);
        break;
    case WorkloadNode::Kind::COLLECTIVE:
        m_collectives->Reach(m_programs->Of(host).numbers[node], host, node);
        break;
    case WorkloadNode::Kind::SEND:
        Send(host, node);
        break;
    case WorkloadNode::Kind::RECEIVE:
        Receive(host, node);
        break;
    }
}

void
TrainingDriver::BeginFollowers(uint32_t host, uint32_t node)
{
    if (m_service) // or else disposed of meanwhile
    {
        Release(host, m_programs->Of(host).followers[node]);
    }
}

void
TrainingDriver::Release(uint32_t host, const std::vector<uint32_t>& nodes)
{
    for (const uint32_t node : nodes)
    {
        if (--m_hosts[host].waiting[node] == 0)
        {
            Ready(host, node);
        }
    }
}

void
TrainingDriver::Send(uint32_t host, uint32_t node)
{
    const uint32_t number = m_programs->Of(host).numbers[node];
    m_service->StartNow(m_firstSend + m_hosts[host].firstSend + number);
}

void
TrainingDriver::Receive(uint32_t host, uint32_t node)
{
    const WorkloadNode& what = GetNode(host, node);
    const MessageKey key(what.peer, what.tag, m_programs->Of(host).places[node]);
    std::map<MessageKey, uint32_t>& unmatched = m_hosts[host].unmatched;
    const auto [other, isFirst] = unmatched.try_emplace(key, node);
    if (!isFirst)
    {
        unmatched.erase(other);
        EndSoon(host, node);
    }
}

void
TrainingDriver::MessageReceived(uint32_t message)
{
    const auto [source, node] = m_sends[message - m_firstSend];
    const WorkloadNode& what = GetNode(source, node);
    const MessageKey key(source, what.tag, m_programs->Of(source).places[node]);
    std::map<MessageKey, uint32_t>& unmatched = m_hosts[what.peer].unmatched;
    const auto [other, isFirst] = unmatched.try_emplace(key, node);
    if (!isFirst)
    {
        const uint32_t receive = other->second;
        unmatched.erase(other);
        End(what.peer, receive);
    }
}

void
TrainingDriver::MessageCompleted(uint32_t message)
{
    const auto [host, node] = m_sends[message - m_firstSend];
    End(host, node);
}

void
TrainingDriver::EndSoon(uint32_t host, uint32_t node)
{
    Simulator::ScheduleNow(&TrainingDriver::End, this, host, node);
}

void
TrainingDriver::End(uint32_t host, uint32_t node)
{
    if (!m_service)
    {
        return; // disposed of meanwhile
    }
    m_nodeTrace(host, GetNode(host, node));
    m_hosts[host].endPs = FabricClock::Now();
    if (m_log)
    {
        m_log->End(host, node, FabricClock::Now());
    }
    if (GetNode(host, node).isBegin)
    {
        m_hosts[host].jobBeginPs = FabricClock::Now();
    }
    if (GetNode(host, node).isEnd)
    {
        m_hosts[host].jobEndPs = FabricClock::Now();
    }
    const ProgramTable::Program& program = m_programs->Of(host);
    const uint32_t stream = program.streams.StreamOf(node);
    if (stream != StreamTable::NONE)
    {
        m_hosts[host].streams.Leave(stream);
    }
    Release(host, program.dependents[node]);
    if (stream != StreamTable::NONE)
    {
        Serve(host, stream);
    }
    if (--m_hosts[host].unfinished == 0)
    {
        WindowSimulator::Defer([this]() { CountHost(); });
    }
}

void
TrainingDriver::CountHost()
{
    if (--m_busyHosts == 0 && m_service)
    {
        m_finishedTrace();
    }
}

std::vector<CollectiveRecord>
TrainingDriver::GetCollectives() const
{
    return m_collectives ? m_collectives->GetRecords() : std::vector<CollectiveRecord>();
}

std::vector<NodeRecord>
TrainingDriver::GetNodes() const
{
    return m_log ? m_log->Describe(m_workload) : std::vector<NodeRecord>();
}

std::vector<MessageOrigin>
TrainingDriver::GetOrigins() const
{
    return m_collectives ? m_collectives->GetOrigins() : std::vector<MessageOrigin>();
}

int64_t
TrainingDriver::GetEndPs() const
{
    int64_t endPs = 0;
    for (const Host& host : m_hosts)
    {
        endPs = std::max(endPs, host.endPs);
    }
    return endPs;
}

std::optional<int64_t>
TrainingDriver::GetJobBeginPs(uint32_t host) const
{
    return m_hosts[host].jobBeginPs;
}

std::optional<int64_t>
TrainingDriver::GetJobEndPs(uint32_t host) const
{
    const Host& state = m_hosts[host];
    if (!state.jobEndPs && state.unfinished == 0)
    {
        return state.endPs;
    }
    return state.jobEndPs;
}

int64_t
TrainingDriver::GetComputeBoundPs() const
{
    return ComputeBoundPs(m_workload, m_processorOperations, m_streamOperations);
}

uint64_t
TrainingDriver::GetUnfinished() const
{
    uint64_t unfinished = 0;
    for (const Host& host : m_hosts)
    {
        unfinished += host.unfinished;
    }
    return unfinished;
}

} // namespace aifabric
} // namespace ns3
