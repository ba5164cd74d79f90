/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-queue-pair.h"

#include "ns3/boolean.h"
#include "ns3/fabric-clock.h"
#include "ns3/log.h"
#include "ns3/mrc-ack-policy.h"
#include "ns3/mrc-balancer.h"
#include "ns3/mrc-recovery.h"
#include "ns3/nscc-control.h"
#include "ns3/queue-pair-attributes.h"
#include "ns3/roce-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("MrcQueuePair");
NS_OBJECT_ENSURE_REGISTERED(MrcQueuePair);

namespace
{

constexpr uint8_t DATA_DSCP = 4;     //!< DSCP_TRIMMABLE
constexpr uint8_t CONTROL_DSCP = 46; //!< DSCP_CONTROL

} // namespace

TypeId
MrcQueuePair::GetTypeId()
{
    static TypeId tid =
        MrcAttributes::AddTo(QueuePairAttributes::AddTo(TypeId("ns3::aifabric::MrcQueuePair")
                                                            .SetParent<QueuePair>()
                                                            .SetGroupName("AiFabric")
                                                            .AddConstructor<MrcQueuePair>(),
                                                        DATA_DSCP,
                                                        CONTROL_DSCP));
    return tid;
}

MrcQueuePair::MrcQueuePair()
    : m_responder(*this),
      m_controlPaths(*this)
{
}

MrcQueuePair::~MrcQueuePair()
{
}

MrcQueuePair::MrcQueuePair(const MrcQueuePair& other)
    : QueuePair(other),
      MrcAttributes(other),
      m_responder(*this),
      m_controlPaths(*this)
{
}

Ptr<QueuePair>
MrcQueuePair::DoFork() const
{
    return Ptr<QueuePair>(new MrcQueuePair(*this), false);
}

void
MrcQueuePair::Install(EndpointNic* nic, uint32_t number, int64_t stream)
{
    QueuePair::Install(nic, number, stream);
    m_paths = dynamic_cast<MrcRecovery*>(PeekPointer(GetConnection().recovery));
    if (m_paths)
    {
        m_paths->SetRange(GetRange());
        m_paths->SetTimeout(GetRequestor().limits.timeout);
    }
    m_evs = dynamic_cast<MrcBalancer*>(PeekPointer(GetBalancer()));
    SetRetries(GetRequestor().limits);
    GetRequestor().SetStartsProbe(true);
    m_controlPaths.Start();
    GetRequestor().GetPaths().knowsPeerPorts = false; // Port Status Updates say
}

void
MrcQueuePair::DoDispose()
{
    m_probeTimer.Cancel();
    m_controlPaths.Dispose();
    m_paths = nullptr;
    m_evs = nullptr;
    m_responder.SetImmediateCallback(ImmediateCallback());
    QueuePair::DoDispose();
}

TransportTraits
MrcQueuePair::GetTraits() const
{
    TransportTraits traits;
    traits.sendsReports = true;
    traits.sendsPathProbes = true;
    traits.recovery = MrcRecovery::GetTypeId();
    traits.ackPolicy = MrcAckPolicy::GetTypeId();
    traits.control = NsccControl::GetTypeId();
    traits.balancer = MrcBalancer::GetTypeId();
    traits.attributes = {{"ns3::aifabric::RoceNetDevice::SharesControl", "true"},
                         {"ns3::aifabric::NsccControl::GapDecrease", "true"},
                         {"ns3::aifabric::EcnMarker::AtLastHop", "false"},
                         {"ns3::aifabric::TrimmingBuffer::Classes", "1"}, // of Dscp
                         {"ns3::aifabric::TrimmingBuffer::TrimmedDscp", "44"},
                         {"ns3::aifabric::TrimmingBuffer::LastHopDscp", "45"}};
    return traits;
}

RetransmissionLimits
MrcQueuePair::GetLimits() const
{
    RetransmissionLimits limits = QueuePair::GetLimits();
    SetRetries(limits);
    return limits;
}

uint32_t
MrcQueuePair::GetPacketBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(MRC_WRITE_MIDDLE, GetMtu());
}

uint32_t
MrcQueuePair::GetAckBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(MRC_SACK, 0);
}

uint32_t
MrcQueuePair::GetMostIpBytes(const RoceNetDevice& nic) const
{
    return nic.GetWireBytes(MRC_WRITE_ONLY_IMM, GetMtu()) - FrameCodec::ETHERNET_SIZE -
           FrameCodec::FCS_SIZE;
}

void
MrcQueuePair::PostWriteImmediate(uint64_t bytes,
                                 uint32_t immediate,
                                 MessageCallback done,
                                 uint32_t key)
{
    MrcMessageNumbers& numbers = m_framing.GetNumbers();
    if (numbers.CountImmediates() >= m_mostImmediates)
    {
        Fail();
        return;
    }
    numbers.PostImmediate(GetPosted(), immediate);
    PostWrite(bytes, done, key);
}

void
MrcQueuePair::Fill(FabricFrame& frame, int64_t start)
{
    const Requestor::Departure departure = TakeNext(start);
    const Connection& connection = GetConnection();
    if (m_paths)
    {
        m_paths->NotePath(departure.number,
                          departure.entropy,
                          GetRequestor().GetPaths().GetPath().plane,
                          departure.isAgain,
                          start);
    }
    m_framing.WritePacket(frame, departure, connection);
    const bool asks = AsksForAck(departure);
    if (!asks)
    {
        GetRequestor().NoteUnasked(departure.number); // no retransmission: these ask
    }
    frame.flags = (asks ? BTH_ACK_REQ : 0) | connection.nic->GetIpFlags();
    frame.sentAt = start;
    frame.wireBytes = connection.nic->GetWireBytes(frame.opcode, frame.payload);
    Address(frame, departure.isAgain ? m_againDscp : connection.dscp, ECN_ECT0, departure.entropy);
    PacketFilled(departure, start, frame.wireBytes);
    if (GetRequestor().StartsProbe())
    {
        ScheduleProbes(start);
    }
}

Endpoint::Reception
MrcQueuePair::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    const int64_t now = outbox.GetNow();
    m_controlPaths.NoteArrival(outbox.GetPort(), frame->entropy);
    switch (frame->opcode)
    {
    case MRC_WRITE_FIRST:
    case MRC_WRITE_MIDDLE:
    case MRC_WRITE_LAST:
    case MRC_WRITE_LAST_IMM:
    case MRC_WRITE_ONLY:
    case MRC_WRITE_ONLY_IMM:
        if (frame->flags & FRAME_TRIMMED)
        {
            m_responder.ReceiveTrimmed(*frame, outbox);
            return Reception::TRIMMED;
        }
        m_responder.ReceiveData(*frame, outbox);
        m_controlPaths.NoteData(now);
        return Reception::DATA;
    case MRC_SACK:
        ReceiveSack(*frame, now);
        return Reception::REPORT;
    case MRC_NACK:
        ReceiveRefusal(*frame, now);
        return Reception::REPORT;
    case MRC_PROBE:
        m_responder.ReceiveProbe(*frame, now);
        return Reception::REPORT;
    case MRC_REQUEST:
        m_controlPaths.ReceiveRequest(*frame, now);
        return Reception::REPORT;
    case MRC_RESPONSE:
        m_controlPaths.ReceiveResponse(*frame);
        return Reception::REPORT;
    default:
        return Reception::UNKNOWN;
    }
}

void
MrcQueuePair::ReceiveSack(const FabricFrame& frame, int64_t now)
{
    if (!MrcFraming::IsPossible(frame, GetConnection()))
    {
        return;
    }
    const AckReport report = m_framing.ReadSack(frame, GetConnection());
    const uint32_t range = frame.GetExtra().sack.range;
    if (m_paths)
    {
        m_paths->SetNow(now, m_evs ? m_evs->FindPlane(report.entropy) : std::nullopt);
        if (m_dynamicRange && range > 0)
        {
            m_paths->SetRange(range * RANGE_UNIT);
        }
    }
    ReceiveAck(report, now);
    if (m_paths && m_evs)
    {
        for (const MrcRecovery::FalseLoss& loss : m_paths->TakeFalseLosses())
        {
            m_evs->Reinstate(loss.entropy, loss.inferredAt);
        }
        for (const MrcRecovery::SilentPlane& silent : m_paths->TakeSilentPlanes())
        {
            m_evs->PlaneSilent(silent.plane, silent.start, now);
        }
    }
    if (m_evs && !m_reverseProbeInterval.IsZero() && report.path != PathVerdict::SKIP_ALWAYS)
    {
        m_controlPaths.Confirm({report.entropy, m_evs->FindPlane(report.entropy).value_or(0)});
    }
    if (report.probe != 0)
    {
        const bool isMarked = report.marked;
        GetBalancer()->ProbeAnswered(report.entropy,
                                     isMarked ? PathEvent::MARKED : PathEvent::GOOD,
                                     now);
        if (IsPending() && !HasFailed())
        {
            ScheduleProbes(now); // the interval has not doubled
        }
    }
    AskForReport(now);
}

void
MrcQueuePair::ReceiveRefusal(const FabricFrame& frame, int64_t now)
{
    if (frame.syndrome == MrcCodec::UNEXPECTED)
    {
        Fail();
        return;
    }
    ReceiveNack(m_framing.ReadNack(frame, GetConnection()), now);
    AskForReport(now);
}

void
MrcQueuePair::AskForReport(int64_t now)
{
    const Connection& connection = GetConnection();
    if (GetRequestor().TakeReportRequest(GetResponder().GetLeastWindow(), connection, now))
    {
        const uint8_t number =
            m_paths ? m_paths->TakeRequest() : connection.recovery->TakeProbe(now);
        SendProbe(m_controlPaths.Choose(now), number, now);
    }
}

void
MrcQueuePair::ScheduleProbes(int64_t now)
{
    constexpr int64_t NO_TIME = std::numeric_limits<int64_t>::max();
    m_probeTimer.Cancel();
    const bool isOutstanding = GetRecovery().GetOutstanding() > 0;
    GetRequestor().SetStartsProbe(!isOutstanding); // the next packet asks again
    const int64_t reliability =
        isOutstanding ? GetRequestor().GetProbeCheck(GetRecovery(), now) : NO_TIME;
    const int64_t due = std::min(reliability, std::max(GetBalancer()->GetProbeDue(), now + 1));
    if (due != NO_TIME)
    {
        m_probeTimer = Simulator::Schedule(FabricClock::Until(std::max(due, FabricClock::Now())),
                                           &MrcQueuePair::CheckProbes,
                                           this);
    }
}

void
MrcQueuePair::CheckProbes()
{
    const int64_t now = FabricClock::Now();
    GetConnection().nic->BeginChange(now); // packets that started before now count as sent
    if (HasFailed() || !IsPending())
    {
        GetRequestor().SetStartsProbe(!HasFailed());
        return;
    }
    if (GetRecovery().GetOutstanding() > 0 && GetRequestor().GetProbeDue(GetRecovery()) <= now)
    {
        SendProbe(m_controlPaths.Choose(now), GetConnection().recovery->TakeProbe(now), now);
    }
    while (const std::optional<PathChoice> path = GetBalancer()->TakeProbe(now))
    {
        SendProbe(*path, GetConnection().recovery->TakeProbe(now), now);
    }
    ScheduleProbes(now);
}

void
MrcQueuePair::WorkBegins()
{
    m_controlPaths.WorkBegins();
}

void
MrcQueuePair::AllAcknowledged()
{
    m_probeTimer.Cancel();
    GetRequestor().SetStartsProbe(true);
}

void
MrcQueuePair::SendProbe(const PathChoice& path, uint8_t number, int64_t now)
{
    const Connection& connection = GetConnection();
    Ptr<FabricFrame> probe = connection.nic->CreateFrame();
    probe->opcode = MRC_PROBE;
    probe->psn = number;
    if (m_paths)
    {
        m_paths->NoteProbe(probe->psn, path.plane);
    }
    probe->Extra().immediate = GetNumber();
    probe->flags = connection.nic->GetIpFlags();
    probe->sentAt = now;
    probe->wireBytes = connection.nic->GetWireBytes(MRC_PROBE, 0);
    Address(*probe, connection.dscp, ECN_ECT0, path.entropy);
    connection.nic->SendAnswer(std::move(probe), path.plane, now);
}

void
MrcQueuePair::ResumeProbes()
{
    if (m_paths && !HasFailed() && GetRecovery().GetOutstanding() > 0)
    {
        m_paths->ResumeProbes();
        ScheduleProbes(FabricClock::Now());
    }
}

void
MrcQueuePair::PortsChanged(uint32_t local)
{
    m_controlPaths.PortsChanged(local);
}

void
MrcQueuePair::Address(FabricFrame& frame, uint8_t dscp, EcnField ecn, uint32_t entropy) const
{
    frame.SetTos(dscp << 2 | ecn);
    GetConnection().Address(frame, entropy);
}

void
MrcQueuePair::CountPolicies(PolicyCounters& counters) const
{
    QueuePair::CountPolicies(counters);
    m_responder.Count(counters);
    counters["false_losses"] += GetCounters().packetsDiscarded;
    counters["port_status_updates"] += m_controlPaths.CountUpdates();
    counters["reverse_probes"] += m_controlPaths.CountProbes();
    counters["report_requests"] += GetCounters().reportRequests;
    counters["failed_queue_pairs"] += HasGivenUp();
}

void
MrcQueuePair::PrefetchArrival(const FabricFrame& frame, uint32_t step) const
{
    PrefetchState(!MrcCodec::IsData(frame.opcode), step);
}

} // namespace aifabric
} // namespace ns3
