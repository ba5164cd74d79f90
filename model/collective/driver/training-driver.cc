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
#include <numeric>
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
    Object::DoDispose();
}

void
TrainingDriver::Install(Ptr<MessageService> service,
                        TrainingWorkload workload,
                        const CollectiveDefaults& defaults,
                        uint32_t mtu)
{
    NS_ABORT_MSG_IF(m_service, "TrainingDriver::Install: it has a workload already");
    WindowSimulator::RequireOneThread("TrainingDriver");
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
    for (uint32_t host = 0; host < m_waiting.size(); ++host)
    {
        if (!m_waiting[host].empty())
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
    for (const Communicator& communicator : m_workload.communicators)
    {
        m_rankOf.emplace_back();
        for (uint32_t rank = 0; rank < communicator.hosts.size(); ++rank)
        {
            m_rankOf.back()[communicator.hosts[rank]] = rank;
        }
    }
    for (const WorkloadProgram& nodes : m_workload.programs)
    {
        PrepareProgram(nodes);
    }
    m_waiting.resize(m_service->GetNics().size());
    for (uint32_t host = 0; host < m_workload.programOf.size(); ++host)
    {
        const uint32_t program = m_workload.programOf[host];
        if (program == TrainingWorkload::NO_PROGRAM)
        {
            m_streams.emplace_back(std::vector<uint32_t>());
            continue;
        }
        m_waiting[host] = m_programs[program].waiting;
        m_streams.emplace_back(
            m_programs[program].streams.GetLimits(m_processorOperations, m_streamOperations));
        m_unfinished += m_waiting[host].size();
    }
}

void
TrainingDriver::PrepareProgram(const WorkloadProgram& nodes)
{
    Program program{{}, std::vector<std::vector<uint32_t>>(nodes.size()), StreamTable(nodes), {}};
    std::map<std::tuple<WorkloadNode::Kind, uint32_t, uint32_t>, uint32_t> issued;
    for (uint32_t i = 0; i < nodes.size(); ++i)
    {
        program.waiting.push_back(static_cast<uint32_t>(nodes[i].dependencies.size()));
        for (const uint32_t dependency : nodes[i].dependencies)
        {
            program.dependents[dependency].push_back(i);
        }
        for (const uint32_t before : program.streams.PredecessorsOf(i))
        {
            ++program.waiting[i];
            program.dependents[before].push_back(i);
        }
        const bool isCollective = nodes[i].kind == WorkloadNode::Kind::COLLECTIVE;
        const uint32_t with = isCollective ? nodes[i].communicator : nodes[i].peer;
        const uint32_t tag = isCollective ? 0 : nodes[i].tag;
        program.places.push_back(issued[{nodes[i].kind, with, tag}]++);
    }
    m_programs.push_back(std::move(program));
}

const WorkloadNode&
TrainingDriver::GetNode(uint32_t host, uint32_t node) const
{
    return m_workload.programs[m_workload.programOf[host]][node];
}

void
TrainingDriver::BeginHost(uint32_t host)
{
    const std::vector<uint32_t>& initially = m_programs[m_workload.programOf[host]].waiting;
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
    const uint32_t stream = m_programs[m_workload.programOf[host]].streams.StreamOf(node);
    if (stream == StreamTable::NONE)
    {
        Begin(host, node);
        return;
    }
    m_streams[host].Enter(stream, node);
    Serve(host, stream);
}

void
TrainingDriver::Serve(uint32_t host, uint32_t stream)
{
    while (const std::optional<uint32_t> node = m_streams[host].Take(stream))
    {
        Begin(host, *node);
    }
}

void
TrainingDriver::Begin(uint32_t host, uint32_t node)
{
    if (!m_service)
    {
        return; // disposed of meanwhile
    }
    const WorkloadNode& what = GetNode(host, node);
    switch (what.kind)
    {
    case WorkloadNode::Kind::COMPUTE:
        Simulator::Schedule(FabricClock::Until(FabricClock::Now() + what.durationPs),
                            &TrainingDriver::End,
                            Ptr<TrainingDriver>(this),
                            host,
                            node);
        break;
    case WorkloadNode::Kind::COLLECTIVE:
        Reach(host, node);
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
TrainingDriver::Reach(uint32_t host, uint32_t node)
{
    const WorkloadNode& what = GetNode(host, node);
    const uint32_t place = m_programs[m_workload.programOf[host]].places[node];
    const auto [index, isNew] =
        m_indices.try_emplace(CollectiveKey(what.communicator, place), m_collectives.size());
    const uint32_t number = index->second;
    const std::vector<uint32_t>& hosts = m_workload.communicators[what.communicator].hosts;
    if (isNew)
    {
        Entry entry;
        entry.nodes.resize(hosts.size());
        m_collectives.push_back(std::move(entry));
        m_collectives.back().run = std::make_unique<CollectiveRun>(
            m_extent->Describe(what),
            number,
            m_service,
            m_origins,
            [this, number, &hosts](uint32_t rank) {
                EndSoon(hosts[rank], m_collectives[number].nodes[rank]);
            });
        m_collectives.back().run->SetExtent(m_extent->Of(what));
    }
    Entry& entry = m_collectives[number];
    const uint32_t rank = m_rankOf[what.communicator].at(host);
    entry.nodes[rank] = node;
    const Arrival arrival(FabricClock::Now(), host, m_arrivals++);
    entry.first = entry.reached == 0 ? arrival : std::min(entry.first, arrival);
    ++entry.reached;
    if (!m_workload.barrier)
    {
        entry.run->Start(rank);
        return;
    }
    if (entry.reached == hosts.size())
    {
        for (uint32_t other = 0; other < hosts.size(); ++other)
        {
            Simulator::ScheduleWithContext(m_service->GetNics()[hosts[other]]->GetNode()->GetId(),
                                           Time(0),
                                           &CollectiveRun::Start,
                                           entry.run.get(),
                                           other);
        }
    }
}

void
TrainingDriver::Send(uint32_t host, uint32_t node)
{
    const WorkloadNode& what = GetNode(host, node);
    Flow flow;
    flow.startPs = FabricClock::Now();
    flow.source = host;
    flow.destination = what.peer;
    flow.bytes = what.bytes;
    const uint32_t message = m_service->Add(flow, this);
    m_sends[message] = {host, node};
    m_service->Start(message);
}

void
TrainingDriver::Receive(uint32_t host, uint32_t node)
{
    const WorkloadNode& what = GetNode(host, node);
    const uint32_t place = m_programs[m_workload.programOf[host]].places[node];
    const auto [other, isFirst] =
        m_unmatched.try_emplace(MessageKey(what.peer, host, what.tag, place), node);
    if (!isFirst)
    {
        m_unmatched.erase(other);
        EndSoon(host, node);
    }
}

void
TrainingDriver::MessageReceived(uint32_t message)
{
    const auto [source, node] = m_sends.at(message);
    const WorkloadNode& what = GetNode(source, node);
    const uint32_t place = m_programs[m_workload.programOf[source]].places[node];
    const auto [other, isFirst] =
        m_unmatched.try_emplace(MessageKey(source, what.peer, what.tag, place), node);
    if (!isFirst)
    {
        const uint32_t receive = other->second;
        m_unmatched.erase(other);
        End(what.peer, receive);
    }
}

void
TrainingDriver::MessageCompleted(uint32_t message)
{
    const auto [host, node] = m_sends.at(message);
    m_sends.erase(message);
    End(host, node);
}

void
TrainingDriver::EndSoon(uint32_t host, uint32_t node)
{
    Simulator::ScheduleNow(&TrainingDriver::End, Ptr<TrainingDriver>(this), host, node);
}

void
TrainingDriver::End(uint32_t host, uint32_t node)
{
    if (!m_service)
    {
        return; // disposed of meanwhile
    }
    m_nodeTrace(host, GetNode(host, node));
    m_endPs = std::max(m_endPs, FabricClock::Now());
    --m_unfinished;
    const Program& program = m_programs[m_workload.programOf[host]];
    const uint32_t stream = program.streams.StreamOf(node);
    if (stream != StreamTable::NONE)
    {
        m_streams[host].Leave(stream);
    }
    for (const uint32_t dependent : program.dependents[node])
    {
        if (--m_waiting[host][dependent] == 0)
        {
            Ready(host, dependent);
        }
    }
    if (stream != StreamTable::NONE)
    {
        Serve(host, stream);
    }
    if (m_unfinished == 0)
    {
        m_finishedTrace();
    }
}

std::vector<CollectiveRecord>
TrainingDriver::GetCollectives() const
{
    std::vector<CollectiveRecord> records;
    for (const uint32_t index : OrderCollectives())
    {
        records.push_back(m_collectives[index].run->GetRecord());
    }
    return records;
}

std::vector<uint32_t>
TrainingDriver::OrderCollectives() const
{
    std::vector<uint32_t> order(m_collectives.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
        return m_collectives[a].first < m_collectives[b].first;
    });
    return order;
}

std::vector<MessageOrigin>
TrainingDriver::GetOrigins() const
{
    const std::vector<uint32_t> order = OrderCollectives();
    std::vector<uint32_t> placeOf(order.size());
    for (uint32_t place = 0; place < order.size(); ++place)
    {
        placeOf[order[place]] = place;
    }
    std::vector<MessageOrigin> origins = m_origins;
    for (MessageOrigin& origin : origins)
    {
        const bool isAny = origin.collective != MessageOrigin::NONE;
        origin.collective = isAny ? placeOf[origin.collective] : MessageOrigin::NONE;
    }
    return origins;
}

int64_t
TrainingDriver::GetEndPs() const
{
    return m_endPs;
}

int64_t
TrainingDriver::GetComputeBoundPs() const
{
    return ComputeBoundPs(m_workload, m_processorOperations, m_streamOperations);
}

uint64_t
TrainingDriver::GetUnfinished() const
{
    return m_unfinished;
}

} // namespace aifabric
} // namespace ns3
