/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "conweave-balancer.h"

#include "ns3/abort.h"
#include "ns3/balancer-host.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-port.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/frame-codec.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ConweaveBalancer);

namespace
{

// 8, 16, 300, 16 and 200 us (the authors' simulator, two tiers) at a round trip of 8 us
constexpr double REPLY = 1;       //!< theta_reply, in round trips
constexpr double BUSY = 2;        //!< theta_path_busy, in round trips
constexpr double INACTIVE = 37.5; //!< theta_inactive, in round trips
constexpr double EXTRA = 2;       //!< theta_resume_extra, in round trips
constexpr double FALLBACK = 25;   //!< theta_resume_default, in round trips

} // namespace

TypeId
ConweaveBalancer::GetTypeId()
{
    static TypeId tid =
        AddTimes(TypeId("ns3::aifabric::ConweaveBalancer")
                     .SetParent<EcmpBalancer>()
                     .SetGroupName("AiFabric")
                     .AddConstructor<ConweaveBalancer>())
            .AddAttribute("Entries",
                          "Flows that each table of a leaf has room for: one for those that begin "
                          "there, one for those that end there.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&ConweaveBalancer::m_slots),
                          MakeUintegerChecker<uint32_t>(1, 1 << 18))
            .AddAttribute("Queues",
                          "Reorder queues of each port of a leaf that leads to a host.",
                          UintegerValue(24),
                          MakeUintegerAccessor(&ConweaveBalancer::m_queues),
                          MakeUintegerChecker<uint32_t>(0, 4096))
            .AddAttribute("ControlDscp",
                          "DSCP of control packets between leaves.",
                          UintegerValue(48),
                          MakeUintegerAccessor(&ConweaveBalancer::m_controlDscp),
                          MakeUintegerChecker<uint8_t>(0, 63));
    return tid;
}

TypeId
ConweaveBalancer::AddTimes(TypeId type)
{
    return type
        .AddAttribute("ReplyTimeout",
                      "Time after which a flow without a reply is rerouted: theta_reply (0: one "
                      "round trip of a full packet on the longest path).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&ConweaveBalancer::m_reply),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("PathBusyTime",
                      "Time for which a mark keeps flows from a path: theta_path_busy (0: 2 round "
                      "trips).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&ConweaveBalancer::m_busy),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("InactiveTime",
                      "Time without packets after which a flow begins a new epoch: theta_inactive "
                      "(0: 37.5 round trips).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&ConweaveBalancer::m_inactive),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("ResumeExtra",
                      "Time for which a TAIL may come later than it is due: theta_resume_extra (0: "
                      "2 round trips).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&ConweaveBalancer::m_extra),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("ResumeDefault",
                      "Time for which a TAIL is waited for, beside ResumeExtra, if no packet of "
                      "its epoch has come: theta_resume_default (0: 25 round trips).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&ConweaveBalancer::m_fallback),
                      MakeTimeChecker(Time(0), Seconds(1)));
}

ConweaveBalancer::ConweaveBalancer()
    : m_paths(CreateObject<UniformRandomVariable>())
{
}

void
ConweaveBalancer::SetSite(const SwitchSite& site)
{
    m_site = site;
}

void
ConweaveBalancer::SetFacts(const FabricFacts& facts)
{
    m_roundTrip = facts.baseRtt;
}

void
ConweaveBalancer::SetHost(BalancerHost& host)
{
    m_host = &host;
}

int64_t
ConweaveBalancer::Derive(Time set, double roundTrips, const std::string& name) const
{
    NS_ABORT_MSG_IF(set.IsZero() && m_roundTrip.IsZero(),
                    "ConweaveBalancer::" << name
                                         << " has to be set where the fabric's round trip is not "
                                            "known");
    return set.IsZero() ? std::llround(roundTrips * m_roundTrip.GetPicoSeconds())
                        : set.GetPicoSeconds();
}

void
ConweaveBalancer::DoInitialize()
{
    EcmpBalancer::DoInitialize();
    if (!IsLeaf())
    {
        return;
    }
    const int64_t inactive = Derive(m_inactive, INACTIVE, "InactiveTime");
    ConweaveSource::Parameters source{};
    source.reply = Derive(m_reply, REPLY, "ReplyTimeout");
    source.inactive = inactive;
    source.busy = Derive(m_busy, BUSY, "PathBusyTime");
    source.leaves = m_site.fabricHosts / m_site.waypointHosts;
    source.uplinks = m_site.upCount;
    source.slots = m_slots;
    m_source.Resize(source);
    ConweaveSink::Parameters sink{};
    sink.inactive = inactive;
    sink.extra = Derive(m_extra, EXTRA, "ResumeExtra");
    sink.fallback = Derive(m_fallback, FALLBACK, "ResumeDefault");
    sink.ports = m_site.hostCount;
    sink.queues = m_queues;
    sink.slots = m_slots;
    m_sink.Resize(sink);
    m_scheduled.assign(uint64_t{sink.ports} * sink.queues, ConweaveSink::NEVER);
}

void
ConweaveBalancer::DoDispose()
{
    m_host = nullptr;
    EcmpBalancer::DoDispose();
}

uint32_t
ConweaveBalancer::Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now)
{
    const ConweaveTag& tag = frame.GetConweaveTag();
    if (!IsLeaf() || !tag.IsOfFlow())
    {
        return PickByHash(frame.flowHash, group);
    }
    const auto place = m_source.Choose({frame.source, frame.destination, frame.entropy},
                                       tag.kind == ConweaveTag::TAIL,
                                       m_site.WaypointOf(frame.destination),
                                       group,
                                       m_site.firstUp,
                                       now,
                                       *m_paths);
    return place ? *place : PickByHash(frame.flowHash, group);
}

int
ConweaveBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    return IsLeaf() ? -1 : EcmpBalancer::Predict(frame, group);
}

bool
ConweaveBalancer::KeepsPaths() const
{
    return false;
}

std::string
ConweaveBalancer::FindObstacle(const FabricGraph& graph) const
{
    if (!graph.IsClos() || graph.Tiers() > 2)
    {
        return "other switches than leaves and spines: it reroutes flows between leaves, by their "
               "uplinks";
    }
    return graph.LeafUplinks() > ConweaveTag::UPLINKS
               ? "more than " + std::to_string(ConweaveTag::UPLINKS) + " uplinks of a leaf"
               : "";
}

bool
ConweaveBalancer::SeesFrames() const
{
    return true;
}

ArrivalVerdict
ConweaveBalancer::FrameArrives(FabricFrame& frame, int64_t now)
{
    if (!IsLeaf())
    {
        return {};
    }
    if (!IsUplink(frame.ingress))
    {
        if (frame.IsOfMessage() && !m_site.IsBelow(frame.destination) &&
            frame.destination < m_site.fabricHosts)
        {
            frame.Extra().leaf.conweave =
                m_source.PacketArrives({frame.source, frame.destination, frame.entropy}, now);
        }
        return {};
    }
    const ConweaveTag tag = frame.GetConweaveTag();
    if (tag.kind == ConweaveTag::NONE || !m_site.IsBelow(frame.destination) ||
        frame.source >= m_site.fabricHosts)
    {
        return {};
    }
    if (!tag.IsOfFlow())
    {
        m_source.ControlArrives({frame.destination, frame.source, frame.entropy},
                                m_site.WaypointOf(frame.source),
                                tag,
                                now);
        return {ArrivalVerdict::CONSUME, 0};
    }
    frame.Extra().leaf.conweave = {};
    return PacketArrives(frame, tag, now);
}

ArrivalVerdict
ConweaveBalancer::PacketArrives(const FabricFrame& frame, const ConweaveTag& tag, int64_t now)
{
    if (frame.GetEcn() == ECN_CE)
    {
        ++m_notifies;
        Answer(frame, ConweaveTag::NOTIFY, tag, now);
    }
    if (frame.flags & FRAME_TRIMMED && tag.isRerouted)
    {
        return {}; // it reports a loss, and precedes others anyway
    }
    const auto decision = m_sink.PacketArrives({frame.source, frame.destination, frame.entropy},
                                               frame.destination - m_site.firstHost,
                                               tag,
                                               now);
    if (decision.released != ConweaveSink::NO_QUEUE)
    {
        m_host->Release(decision.released, now);
    }
    if (decision.timed != ConweaveSink::NO_QUEUE)
    {
        Schedule(decision.timed);
    }
    if (decision.answer != ConweaveTag::NONE)
    {
        Answer(frame, decision.answer, tag, now);
    }
    return decision.verdict;
}

void
ConweaveBalancer::Answer(const FabricFrame& packet,
                         ConweaveTag::Kind kind,
                         const ConweaveTag& tag,
                         int64_t now)
{
    const Ptr<FabricFrame> control = FabricFramePool::CloneInPool(packet);
    control->source = packet.destination;
    control->destination = packet.source;
    control->opcode = CONWEAVE_CONTROL;
    control->payload = 0;
    control->flags = BTH_MIG_REQ | (packet.flags & FRAME_IPV6);
    control->SetTos(m_controlDscp << 2);
    control->ttl = FabricFrame::FIRST_TTL;
    control->psn = 0;
    control->msn = 0;
    control->offset = 0;
    control->syndrome = 0;
    control->sentAt = now;
    FrameExtra& extra = control->Extra();
    extra.heldFor = 0;
    extra.leaf = {};
    extra.leaf.conweave.kind = kind;
    extra.leaf.conweave.epoch = tag.epoch;
    extra.leaf.conweave.uplink = tag.uplink;
    FrameCodec::SetFlow(*control, packet.entropy);
    control->wireBytes = FrameCodec::WireBytes(*control);
    ++m_controls;
    m_host->Originate(control, now);
}

void
ConweaveBalancer::Schedule(uint32_t queue)
{
    const int64_t deadline = m_sink.GetDeadline(queue);
    if (deadline < m_scheduled[queue])
    {
        m_scheduled[queue] = deadline;
        Simulator::ScheduleWithContext(m_host->GetNode(),
                                       FabricClock::Until(deadline),
                                       &ConweaveBalancer::CheckDeadline,
                                       Ptr<ConweaveBalancer>(this),
                                       queue,
                                       deadline);
    }
}

void
ConweaveBalancer::CheckDeadline(uint32_t queue, int64_t due)
{
    if (!m_host || m_scheduled[queue] != due)
    {
        return; // disposed of, or another event is earlier
    }
    m_scheduled[queue] = ConweaveSink::NEVER;
    const int64_t deadline = m_sink.GetDeadline(queue);
    if (deadline <= due)
    {
        m_sink.TimeOut(queue);
        m_host->Release(queue, due);
    }
    else if (deadline != ConweaveSink::NEVER)
    {
        Schedule(queue);
    }
}

void
ConweaveBalancer::FrameDeparts(FabricFrame& frame, const FabricTransmitter& egress, int64_t)
{
    const uint32_t port = egress.GetPort()->GetIndex();
    if (IsLeaf() && IsUplink(port) && frame.GetConweaveTag().IsOfFlow())
    {
        frame.Extra().leaf.conweave.uplink = port - m_site.firstUp;
    }
}

int64_t
ConweaveBalancer::AssignStreams(int64_t stream)
{
    const int64_t used = EcmpBalancer::AssignStreams(stream);
    m_paths->SetStream(stream + used);
    return used + 1;
}

void
ConweaveBalancer::Count(PolicyCounters& counters) const
{
    const ConweaveSource::Counters& source = m_source.GetCounters();
    const ConweaveSink::Counters& sink = m_sink.GetCounters();
    counters["conweave_epochs"] += source.requests;
    counters["conweave_replies"] += source.replies;
    counters["conweave_reroutes"] += source.reroutes;
    counters["conweave_clears"] += source.clears;
    counters["conweave_moves"] += source.moves;
    counters["conweave_held"] += sink.held;
    counters["conweave_timeouts"] += sink.timeouts;
    counters["conweave_overflows"] += sink.overflows;
    counters["conweave_untracked"] += source.untracked + sink.untracked;
    counters["conweave_controls"] += m_controls;
    counters["conweave_notifies"] += m_notifies;
    PolicyCounters most{{"max_conweave_queues", sink.maxQueues},
                        {"max_conweave_bytes", m_host ? m_host->GetMaxHeldBytes() : 0}};
    MergeCounters(counters, most);
}

} // namespace aifabric
} // namespace ns3
