/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "receiver-admission.h"

#include "message-steering.h"

#include "ns3/abort.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-port.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/time-units.h"
#include "ns3/uinteger.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ReceiverAdmission);

namespace
{

/// @return a CTS  @param sender whom it allows to send  @param receiver who sends it
Flow
CtsTo(uint32_t sender, uint32_t receiver)
{
    Flow cts;
    cts.source = receiver;
    cts.destination = sender;
    return cts;
}

} // namespace

TypeId
ReceiverAdmission::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::ReceiverAdmission")
            .SetParent<MessageCarrier>()
            .SetGroupName("AiFabric")
            .AddConstructor<ReceiverAdmission>()
            .AddAttribute("Slots",
                          "Slots of a receiver for each channel of each sender.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&ReceiverAdmission::m_slots),
                          MakeUintegerChecker<uint32_t>(1, 1 << 20))
            .AddAttribute("SlotBytes",
                          "Length of a slot, in bytes. NCCL has 512 KiB.",
                          UintegerValue(524288),
                          MakeUintegerAccessor(&ReceiverAdmission::m_slotBytes),
                          MakeUintegerChecker<uint64_t>(1, MessageService::LONGEST_WRITE))
            .AddAttribute("SliceSteps",
                          "Slots that a chunk takes, at most as many as there are. NCCL takes 2 in "
                          "all-reduce, all-gather and reduce-scatter, else 1.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ReceiverAdmission::m_sliceSteps),
                          MakeUintegerChecker<uint32_t>(1, 1 << 20))
            .AddAttribute("GlobalGrant",
                          "Bytes that a receiver may grant to all senders together, at least those "
                          "of a chunk (0: no limit).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ReceiverAdmission::m_globalGrant),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("GpuCopyRate",
                          "Rate at which a receiver copies chunks out of their slots, one after "
                          "the other.",
                          DataRateValue(DataRate("1600Gb/s")),
                          MakeDataRateAccessor(&ReceiverAdmission::m_copyRate),
                          MakeDataRateChecker())
            .AddAttribute("ProxyLatency",
                          "Time until the proxy of a receiver sends a CTS that is due, and until "
                          "the proxy of a sender sends a chunk for which a CTS has come.",
                          TimeValue(NanoSeconds(1500)),
                          MakeTimeAccessor(&ReceiverAdmission::m_proxyLatency),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("CtsDscp",
                          "DSCP of CTS and of their acknowledgements, of which the DscpTable of "
                          "the port makes the class.",
                          UintegerValue(56),
                          MakeUintegerAccessor(&ReceiverAdmission::m_ctsDscp),
                          MakeUintegerChecker<uint8_t>(0, 63));
    return tid;
}

ReceiverAdmission::ReceiverAdmission()
{
}

ReceiverAdmission::~ReceiverAdmission()
{
}

void
ReceiverAdmission::DoDispose()
{
    ++m_era;
    if (m_chunks)
    {
        m_chunks->Dispose();
    }
    m_chunks = nullptr;
    m_ctsConnections.reset();
    m_service = nullptr;
    MessageCarrier::DoDispose();
}

bool
ReceiverAdmission::IsPossible() const
{
    return m_sliceSteps <= m_slots && GetChunkBytes() <= MessageService::LONGEST_WRITE &&
           (m_globalGrant == 0 || GetChunkBytes() <= m_globalGrant) &&
           8 * GetChunkBytes() <= m_copyRate.GetBitRate();
}

void
ReceiverAdmission::Install(MessageService& service)
{
    WindowSimulator::RequireOneThread("ReceiverAdmission");
    NS_ABORT_MSG_IF(!IsPossible(),
                    "ReceiverAdmission: a chunk of SliceSteps * SlotBytes fits into Slots * "
                    "SlotBytes, GlobalGrant and 2^31 bytes, and is copied within a second");
    m_service = &service;
    m_chunks = CreateObject<MessageService>();
    m_chunks->CarryChunks();
    m_chunks->Install(service.GetNics());
    m_ctsConnections =
        std::make_unique<ConnectionTable>(service.GetNics(),
                                          MakeCallback(&ReceiverAdmission::CtsReceived, this),
                                          QueuePair::KeyCallback(),
                                          [dscp = m_ctsDscp](QueuePair& queuePair) {
                                              queuePair.SetImmediate(false);
                                              queuePair.SetDscp(dscp);
                                              queuePair.SetAckDscp(dscp);
                                          });
    Reset();
}

void
ReceiverAdmission::Reset()
{
    const std::size_t hosts = m_service->GetNics().size();
    const auto most = static_cast<uint32_t>(
        std::min<uint64_t>(m_globalGrant / GetChunkBytes(), std::numeric_limits<uint32_t>::max()));
    m_channelOf.clear();
    m_channels.clear();
    m_chunkOf.clear();
    m_grants.assign(hosts, GrantTable(m_slots / m_sliceSteps, most));
    m_isGrantDue.assign(hosts, false);
    m_starts.assign(hosts, {});
    m_copiesEndPs.assign(hosts, 0);
}

int64_t
ReceiverAdmission::AssignStreams(int64_t stream)
{
    return m_chunks->AssignStreams(stream);
}

void
ReceiverAdmission::SetFailureCallback(const Callback<void>& failed)
{
    m_chunks->SetFailureCallback(failed);
    m_ctsConnections->SetFailureCallback(failed);
}

void
ReceiverAdmission::Abort()
{
    m_mostGranted = static_cast<uint32_t>(GetMostGranted() / GetChunkBytes());
    ++m_era;
    m_chunks->Abort();
    m_ctsConnections->Abort();
    Reset();
}

void
ReceiverAdmission::Count(PolicyCounters& counters) const
{
    m_chunks->CountSteerings(counters);
    counters["cts"] += m_ctsTimes.Count();
    counters["cts_p99_ns"] += m_ctsTimes.GetPercentile99();
    counters["cts_wait_p99_ns"] += m_waits.GetPercentile99();
    counters["max_granted_bytes"] += GetMostGranted();
    counters["max_in_flight_bytes"] += m_mostInFlight;
}

Ptr<MessageSteering>
ReceiverAdmission::GetSteering(uint32_t host) const
{
    return m_chunks->GetSteering(host);
}

uint64_t
ReceiverAdmission::GetMostGranted() const
{
    uint32_t most = m_mostGranted;
    for (const GrantTable& grants : m_grants)
    {
        most = std::max(most, grants.GetMostLasting());
    }
    return most * GetChunkBytes();
}

uint32_t
ReceiverAdmission::FindChannel(const Flow& flow)
{
    const uint64_t key = uint64_t{flow.source} << 40 | uint64_t{flow.destination} << 17 |
                         uint64_t{flow.channel} << 1 | flow.ordered;
    const auto [found, isNew] =
        m_channelOf.try_emplace(key, static_cast<uint32_t>(m_channels.size()));
    if (isNew)
    {
        m_channels.emplace_back();
        m_channels.back().source = flow.source;
        m_channels.back().destination = flow.destination;
    }
    return found->second;
}

bool
ReceiverAdmission::TakesReceives() const
{
    // Under a limit of all channels, a grant for which nothing can be sent yet might keep those
    // from being granted for which it waits.
    return m_globalGrant == 0;
}

void
ReceiverAdmission::PostReceive(const Flow& flow)
{
    if (TakesReceives())
    {
        Open(flow);
        m_grants[flow.destination].Post(FindChannel(flow), CountChunks(flow.bytes));
        ScheduleGrants(flow.destination);
    }
}

void
ReceiverAdmission::Open(const Flow& flow)
{
    FindChannel(flow);
    m_chunks->Open(flow);
    m_ctsConnections->Prepare(CtsTo(flow.source, flow.destination));
}

void
ReceiverAdmission::Carry(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    Open(flow);
    const uint64_t bytes = flow.bytes;
    const uint64_t chunks = CountChunks(bytes);
    const uint32_t number = FindChannel(flow);
    m_service->SetPieces(message, chunks);
    ReportStart(number, chunks);
    Channel& channel = m_channels[number];
    channel.readyPs = channel.waiting.empty() ? FabricClock::Now() : channel.readyPs;
    channel.waiting.push_back({message, bytes});
    TakeUp(number);
}

void
ReceiverAdmission::ReportStart(uint32_t number, uint64_t chunks)
{
    const Channel& channel = m_channels[number];
    const std::vector<Ptr<RoceNetDevice>>& nics = m_service->GetNics();
    const Time link = nics[channel.source]->GetPort(0)->GetChannel()->GetDelay();
    const int64_t delay = Max(Max(link, m_proxyLatency), PicoSeconds(1)).GetPicoSeconds();
    const int64_t due = FabricClock::Now() + delay;
    m_starts[channel.destination].insert({due, number, chunks});
    // No earlier in its picosecond than what reports: a window may begin and end with any turn.
    Simulator::ScheduleWithContext(nics[channel.destination]->GetNode()->GetId(),
                                   FabricClock::Until(due, FabricClock::LAST_TURN),
                                   &ReceiverAdmission::StartsDue,
                                   Ptr<ReceiverAdmission>(this),
                                   channel.destination,
                                   m_era);
}

void
ReceiverAdmission::StartsDue(uint32_t host, uint32_t era)
{
    if (era != m_era)
    {
        return; // aborted meanwhile
    }
    std::multiset<StartReport>& starts = m_starts[host];
    while (!starts.empty() && std::get<0>(*starts.begin()) <= FabricClock::Now())
    {
        const auto [due, channel, chunks] = starts.extract(starts.begin()).value();
        m_grants[host].Start(channel, chunks);
    }
    SendGrants(host);
}

Time
ReceiverAdmission::ProxyDelay(int64_t ps) const
{
    // Not in the turn of the frame that it answers, in which another frame may come then.
    return FabricClock::Until(FabricClock::Now() + ps + m_proxyLatency.GetPicoSeconds());
}

void
ReceiverAdmission::ScheduleGrants(uint32_t host)
{
    if (!m_isGrantDue[host])
    {
        m_isGrantDue[host] = true;
        Simulator::Schedule(ProxyDelay(0),
                            &ReceiverAdmission::GrantDue,
                            Ptr<ReceiverAdmission>(this),
                            host,
                            m_era);
    }
}

void
ReceiverAdmission::GrantDue(uint32_t host, uint32_t era)
{
    if (era == m_era)
    {
        m_isGrantDue[host] = false;
        SendGrants(host);
    }
}

void
ReceiverAdmission::SendGrants(uint32_t host)
{
    while (const std::optional<uint32_t> number = m_grants[host].Take())
    {
        Channel& channel = m_channels[*number];
        channel.grantedPs.push_back(FabricClock::Now());
        m_ctsConnections->Use(CtsTo(channel.source, host), 0)
            .queuePair->PostWrite(CTS_BYTES, QueuePair::MessageCallback(), *number);
    }
}

void
ReceiverAdmission::CtsReceived(Ptr<QueuePair>, uint64_t, uint32_t number)
{
    Channel& channel = m_channels[number];
    m_ctsTimes.Add(FabricClock::Now() - channel.grantedPs.front());
    channel.grantedPs.pop_front();
    ++channel.credits;
    TakeUp(number);
}

void
ReceiverAdmission::TakeUp(uint32_t number)
{
    Channel& channel = m_channels[number];
    const int64_t now = FabricClock::Now();
    while (!channel.waiting.empty() && channel.credits > 0 &&
           channel.pending < m_slots / m_sliceSteps)
    {
        Part& part = channel.waiting.front();
        const uint64_t bytes = std::min(GetChunkBytes(), part.bytes);
        --channel.credits;
        ++channel.pending;
        channel.pendingBytes += bytes;
        m_mostInFlight = std::max(m_mostInFlight, channel.pendingBytes);
        m_waits.Add(now - channel.readyPs);
        channel.readyPs = now;
        Simulator::Schedule(ProxyDelay(0),
                            &ReceiverAdmission::SendChunk,
                            Ptr<ReceiverAdmission>(this),
                            number,
                            Part{part.message, bytes},
                            m_era);
        part.bytes -= bytes;
        if (part.bytes == 0)
        {
            channel.waiting.pop_front();
        }
    }
}

void
ReceiverAdmission::SendChunk(uint32_t number, Part part, uint32_t era)
{
    if (era != m_era)
    {
        return; // aborted meanwhile
    }
    Flow chunk = m_service->GetFlow(part.message);
    chunk.startPs = FabricClock::Now();
    chunk.bytes = part.bytes;
    chunk.pieces = 1;
    const uint32_t index = m_chunks->Add(chunk, this);
    m_chunkOf.resize(std::max<std::size_t>(m_chunkOf.size(), index + 1));
    m_chunkOf[index] = {part.message, number};
    m_chunks->Start(index);
}

void
ReceiverAdmission::MessageReceived(uint32_t index)
{
    const Chunk chunk = m_chunkOf[index];
    const Flow& flow = m_chunks->GetFlow(index);
    const uint64_t bytes = flow.bytes;
    const auto copyPs = static_cast<int64_t>(BIT_PS_PER_BYTE * static_cast<double>(bytes) /
                                             static_cast<double>(m_copyRate.GetBitRate()));
    int64_t& endPs = m_copiesEndPs[flow.destination];
    const int64_t now = FabricClock::Now();
    endPs = std::max(endPs, now) + copyPs;
    Simulator::Schedule(ProxyDelay(endPs - now),
                        &ReceiverAdmission::ChunkCopied,
                        Ptr<ReceiverAdmission>(this),
                        chunk.channel,
                        m_era);
    m_service->PartReceived(chunk.message, bytes);
}

void
ReceiverAdmission::ChunkCopied(uint32_t number, uint32_t era)
{
    if (era == m_era)
    {
        const uint32_t host = m_channels[number].destination;
        m_grants[host].Free(number);
        SendGrants(host);
    }
}

void
ReceiverAdmission::MessageCompleted(uint32_t index)
{
    const Chunk chunk = m_chunkOf[index];
    Channel& channel = m_channels[chunk.channel];
    --channel.pending;
    channel.pendingBytes -= m_chunks->GetFlow(index).bytes;
    TakeUp(chunk.channel);
    m_service->PartCompleted(chunk.message);
}

} // namespace aifabric
} // namespace ns3
