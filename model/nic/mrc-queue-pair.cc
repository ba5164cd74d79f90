/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-queue-pair.h"

#include "mrc-ack-policy.h"
#include "mrc-recovery.h"
#include "nscc-control.h"
#include "queue-pair-attributes.h"
#include "roce-net-device.h"

#include "ns3/boolean.h"
#include "ns3/fabric-clock.h"
#include "ns3/log.h"
#include "ns3/mrc-balancer.h"
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

constexpr uint8_t DATA_DSCP = 4;                       //!< DSCP_TRIMMABLE
constexpr uint8_t CONTROL_DSCP = 46;                   //!< DSCP_CONTROL
constexpr uint32_t RANGE_UNIT = 128;                   //!< of the window of the responder, in PSNs
constexpr uint32_t RETRY_FOREVER = 25;                 //!< exponential retries without end
constexpr int64_t MOST_BUDGET = 1'000'000'000'000'000; //!< 1000 s, in picoseconds

} // namespace

TypeId
MrcQueuePair::GetTypeId()
{
    static TypeId tid = AddReceiverAttributes(AddLimits(
        QueuePairAttributes::AddTo(TypeId("ns3::aifabric::MrcQueuePair")
                                       .SetParent<QueuePair>()
                                       .SetGroupName("AiFabric")
                                       .AddConstructor<MrcQueuePair>(),
                                   DATA_DSCP,
                                   CONTROL_DSCP)
            .AddAttribute("RetransmissionDscp",
                          "DSCP of retransmitted packets (DSCP_TRIMMABLE_RETX).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MrcQueuePair::m_againDscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("LastHopDscp",
                          "DSCP of packets that the last switch has trimmed "
                          "(DSCP_TRIMMED_LASTHOP); that of TrimmingBuffer::LastHopDscp.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&MrcQueuePair::m_lastHopDscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("MaxPsnRange",
                          "PSNs that the responder tracks from the first missing one on, and that "
                          "the requestor uses (units of 128); the same at both ends.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MrcQueuePair::m_rangeUnits),
                          MakeUintegerChecker<uint32_t>(1, 32))));
    return tid;
}

TypeId
MrcQueuePair::AddReceiverAttributes(TypeId type)
{
    return type
        .AddAttribute(
            "DynamicMpr",
            "Whether SACKs carry MaxPsnRange of the responder, and the requestor follows; "
            "the same at both ends.",
            BooleanValue(false),
            MakeBooleanAccessor(&MrcQueuePair::m_dynamicRange),
            MakeBooleanChecker())
        .AddAttribute("TrackedPsnRange",
                      "PSNs of MaxPsnRange that the responder has memory to track; it refuses "
                      "others with NO_BITMAP (units of 128; 0: all).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&MrcQueuePair::m_trackedUnits),
                      MakeUintegerChecker<uint32_t>(0, 32))
        .AddAttribute("AlwaysSkipMarks",
                      "SACKs in a row for marked packets of an entropy value after which the "
                      "responder advises not to use it any more (ALWAYS_SKIP; 0: never).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&MrcQueuePair::m_alwaysSkipMarks),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("ReverseProbeInterval",
                      "Time between EV probe requests of an end that receives data and sends none; "
                      "its control packets take the paths that are answered (0: no requests; "
                      "control packets take the path of the last packet of each plane).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&MrcQueuePair::m_reverseProbeInterval),
                      MakeTimeChecker(Time(0), Seconds(1000)));
}

TypeId
MrcQueuePair::AddLimits(TypeId type)
{
    return type
        .AddAttribute("MaxImmediates",
                      "Messages with an immediate that may be unacknowledged; with one more the "
                      "queue pair fails.",
                      UintegerValue(128),
                      MakeUintegerAccessor(&MrcQueuePair::m_mostImmediates),
                      MakeUintegerChecker<uint32_t>(1, 65535))
        .AddAttribute("LinearRetries",
                      "Timeouts in a row until the next one doubles AckTimeout. RetryLimit and "
                      "VainLimit have no effect.",
                      UintegerValue(7),
                      MakeUintegerAccessor(&MrcQueuePair::m_linearRetries),
                      MakeUintegerChecker<uint32_t>(0, 7))
        .AddAttribute("ExponentialRetries",
                      "Timeouts in a row after these, each of which doubles it; after one more the "
                      "queue pair fails (25: never).",
                      UintegerValue(10),
                      MakeUintegerAccessor(&MrcQueuePair::m_exponentialRetries),
                      MakeUintegerChecker<uint32_t>(0, RETRY_FOREVER))
        .AddAttribute("PortRemapDelay",
                      "Time from the change of a port of this NIC until the other end is notified.",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&MrcQueuePair::m_remapDelay),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("PortStatusInterval",
                      "Time until a Port Status Update that is not answered is sent again.",
                      TimeValue(MilliSeconds(1)),
                      MakeTimeAccessor(&MrcQueuePair::m_statusInterval),
                      MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
        .AddAttribute("PortStatusTries",
                      "How often a Port Status Update is sent at most.",
                      UintegerValue(10),
                      MakeUintegerAccessor(&MrcQueuePair::m_statusTries),
                      MakeUintegerChecker<uint32_t>());
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
      m_againDscp(other.m_againDscp),
      m_lastHopDscp(other.m_lastHopDscp),
      m_dynamicRange(other.m_dynamicRange),
      m_rangeUnits(other.m_rangeUnits),
      m_trackedUnits(other.m_trackedUnits),
      m_alwaysSkipMarks(other.m_alwaysSkipMarks),
      m_mostImmediates(other.m_mostImmediates),
      m_linearRetries(other.m_linearRetries),
      m_exponentialRetries(other.m_exponentialRetries),
      m_statusTries(other.m_statusTries),
      m_statusInterval(other.m_statusInterval),
      m_remapDelay(other.m_remapDelay),
      m_reverseProbeInterval(other.m_reverseProbeInterval),
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
MrcQueuePair::Install(RoceNetDevice* nic, uint32_t number, int64_t stream)
{
    QueuePair::Install(nic, number, stream);
    m_paths = dynamic_cast<MrcRecovery*>(PeekPointer(GetConnection().recovery));
    if (m_paths)
    {
        m_paths->SetRange(m_rangeUnits * RANGE_UNIT);
    }
    m_evs = dynamic_cast<MrcBalancer*>(PeekPointer(GetBalancer()));
    SetRetries(GetRequestor().limits);
    if (GetRecovery().TimesEachPacket())
    {
        GetRequestor().limits.vain = UINT32_MAX; // only timeouts in a row count
    }
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

bool
MrcQueuePair::SendsReports() const
{
    return true;
}

bool
MrcQueuePair::SendsPathProbes() const
{
    return true;
}

std::optional<TypeId>
MrcQueuePair::GetUsualRecovery() const
{
    return MrcRecovery::GetTypeId();
}

std::optional<TypeId>
MrcQueuePair::GetUsualAckPolicy() const
{
    return MrcAckPolicy::GetTypeId();
}

std::optional<TypeId>
MrcQueuePair::GetUsualControl() const
{
    return NsccControl::GetTypeId();
}

std::optional<TypeId>
MrcQueuePair::GetUsualBalancer() const
{
    return MrcBalancer::GetTypeId();
}

std::vector<std::pair<std::string, std::string>>
MrcQueuePair::GetUsualAttributes() const
{
    return {{"ns3::aifabric::RoceNetDevice::SharesControl", "true"},
            {"ns3::aifabric::NsccControl::GapDecrease", "true"},
            {"ns3::aifabric::EcnMarker::AtLastHop", "false"},
            {"ns3::aifabric::TrimmingBuffer::Classes", "1"}, // of Dscp
            {"ns3::aifabric::TrimmingBuffer::TrimmedDscp", "12"},
            {"ns3::aifabric::TrimmingBuffer::LastHopDscp", "16"}};
}

void
MrcQueuePair::SetRetries(RetransmissionLimits& limits) const
{
    limits.linear = m_linearRetries;
    limits.retries =
        m_exponentialRetries == RETRY_FOREVER ? UINT32_MAX : m_linearRetries + m_exponentialRetries;
}

std::optional<Time>
MrcQueuePair::GetRetryBudget(Time timeout, bool backsOff) const
{
    RetransmissionLimits limits;
    SetRetries(limits);
    if (limits.retries == UINT32_MAX)
    {
        return std::nullopt;
    }
    limits.timeout = timeout.GetPicoSeconds();
    RetransmissionTimer timer;
    timer.SetBacksOff(backsOff);
    int64_t budget = 0;
    do
    {
        budget += timer.GetTimeout(limits);
    } while (timer.Expire(0) <= limits.retries);
    return PicoSeconds(std::min(budget, MOST_BUDGET));
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
    if (m_numbers.CountImmediates() >= m_mostImmediates)
    {
        Fail();
        return;
    }
    m_numbers.PostImmediate(GetPosted(), immediate);
    PostWrite(bytes, done, key);
}

void
MrcQueuePair::WriteMessage(FabricFrame& frame, const Requestor::Departure& departure)
{
    const PostedMessage& message = *departure.message;
    const uint64_t index = departure.number - message.firstPacket;
    const MrcMessageNumbers::Names names = m_numbers.Find(message);
    const bool isLast = departure.number + 1 == message.GetEnd();
    frame.payload = message.GetPayload(departure.number, GetMtu());
    frame.opcode = index > 0 ? (isLast ? MRC_WRITE_LAST : MRC_WRITE_MIDDLE)
                             : (isLast ? MRC_WRITE_ONLY : MRC_WRITE_FIRST);
    FrameExtra& extra = frame.Extra();
    extra.reth = {index * GetMtu(), message.key, message.bytes};
    if (names.immediate)
    {
        // 0xC8 becomes 0xC9, and 0xCA becomes 0xCB
        frame.opcode |= isLast ? 1U : 0U;
        extra.immediate = *names.immediate;
    }
    frame.msn = uint32_t{names.rqmsn} << 16 | names.msn;
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
    WriteMessage(frame, departure);
    frame.syndrome = MrcCodec::HAS_TIME | (departure.isAgain ? MrcCodec::RETRANSMISSION : 0);
    frame.psn = connection.ToPsn(departure.number);
    frame.flags = (AsksForAck(departure) ? BTH_ACK_REQ : 0) | connection.nic->GetIpFlags();
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

AckReport
MrcQueuePair::ReadSack(const FabricFrame& frame)
{
    const Connection& connection = GetConnection();
    const SackFields& sack = frame.GetExtra().sack;
    AckReport report;
    report.cumulativePsn = connection.FromFirst(sack.cumulativePsn);
    report.bitmapPsn = connection.FromFirst(sack.bitmapPsn);
    report.bitmap = sack.bitmap;
    report.psn = sack.probe ? report.cumulativePsn : connection.FromFirst(frame.psn);
    report.entropy = sack.entropy;
    report.path = static_cast<PathVerdict>(sack.verdict);
    report.marked = report.path == PathVerdict::SKIP_ONCE;
    report.sentAt = frame.sentAt;
    report.outOfOrder = sack.outOfOrder;
    report.penalty = sack.penalty;
    report.restores = sack.restores;
    report.probe = sack.probe;
    // 24 bits, in units of 256 bytes
    const auto more =
        static_cast<int32_t>(static_cast<uint32_t>(sack.receivedBytes - m_receivedBytes));
    m_receivedBytes += std::max(more, 0);
    report.receivedBytes = m_receivedBytes;
    m_numbers.Acknowledge(
        PsnWindow::Unwrap(report.cumulativePsn, connection.recovery->GetUnacknowledged()));
    report.messages = m_numbers.GetAcknowledged() & PsnWindow::PSN_MASK;
    return report;
}

bool
MrcQueuePair::IsPossible(const FabricFrame& sack)
{
    const SackFields& fields = sack.GetExtra().sack;
    const auto sent = static_cast<int64_t>(GetRecovery().GetSent());
    const auto number = [this](uint32_t psn) {
        return PsnWindow::Unwrap(GetConnection().FromFirst(psn), GetRecovery().GetUnacknowledged());
    };
    const int64_t end = number(fields.cumulativePsn);
    const int64_t trigger = fields.probe == 0 ? number(sack.psn) : 0;
    return end >= 0 && end <= sent && trigger >= 0 && trigger < sent;
}

void
MrcQueuePair::ReceiveSack(const FabricFrame& frame, int64_t now)
{
    if (!IsPossible(frame))
    {
        return;
    }
    const AckReport report = ReadSack(frame);
    const uint32_t range = frame.GetExtra().sack.range;
    if (m_paths)
    {
        m_paths->SetNow(now);
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
    }
    if (m_evs && !m_reverseProbeInterval.IsZero() && report.path != PathVerdict::SKIP_ALWAYS)
    {
        m_controlPaths.Confirm({report.entropy, m_evs->GetPlane(report.entropy)});
    }
    if (report.probe != 0)
    {
        const bool isMarked = report.marked;
        GetBalancer()->ProbeAnswered(report.entropy,
                                     isMarked ? PathEvent::MARKED : PathEvent::GOOD,
                                     now);
    }
}

void
MrcQueuePair::ReceiveRefusal(const FabricFrame& frame, int64_t now)
{
    if (frame.syndrome == MrcCodec::UNEXPECTED)
    {
        Fail();
        return;
    }
    NackReport report;
    report.psn = GetConnection().FromFirst(frame.psn);
    report.messages = m_numbers.GetAcknowledged() & PsnWindow::PSN_MASK;
    report.entropy = frame.GetExtra().sack.entropy;
    report.sentAt = frame.sentAt;
    report.reason = frame.syndrome == MrcCodec::TRIMMED            ? NackReason::TRIMMED
                    : frame.syndrome == MrcCodec::TRIMMED_LAST_HOP ? NackReason::TRIMMED_LAST_HOP
                                                                   : NackReason::NO_RESOURCES;
    ReceiveNack(report, now);
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
        SendProbe(m_controlPaths.Choose(now), now);
    }
    while (const std::optional<PathChoice> path = GetBalancer()->TakeProbe(now))
    {
        SendProbe(*path, now);
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
MrcQueuePair::SendProbe(const PathChoice& path, int64_t now)
{
    const Connection& connection = GetConnection();
    Ptr<FabricFrame> probe = connection.nic->CreateFrame();
    probe->opcode = MRC_PROBE;
    probe->psn = connection.recovery->TakeProbe(now);
    probe->Extra().immediate = GetNumber();
    probe->flags = connection.nic->GetIpFlags();
    probe->sentAt = now;
    probe->wireBytes = connection.nic->GetWireBytes(MRC_PROBE, 0);
    Address(*probe, connection.dscp, ECN_ECT0, path.entropy);
    connection.nic->SendAnswer(std::move(probe), path.plane, now);
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
    counters["port_status_updates"] += m_controlPaths.CountUpdates();
    counters["reverse_probes"] += m_controlPaths.CountProbes();
    counters["failed_queue_pairs"] += HasGivenUp();
}

void
MrcQueuePair::PrefetchArrival(const FabricFrame& frame, uint32_t step) const
{
    PrefetchState(!MrcCodec::IsData(frame.opcode), step);
}

} // namespace aifabric
} // namespace ns3
