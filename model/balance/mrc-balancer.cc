/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-balancer.h"

#include "path-label-balancer.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fork-object.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MrcBalancer);

TypeId
MrcBalancer::GetTypeId()
{
    static TypeId tid = AddProbeAttributes(
        AddSetAttributes(
            TypeId("ns3::aifabric::MrcBalancer")
                .SetParent<HostBalancer>()
                .SetGroupName("AiFabric")
                .AddConstructor<MrcBalancer>()
                .AddAttribute("MarkingShare",
                              "Longest queue without marks, as a share of the port buffer; what "
                              "ai-fabric-run sets switches to if no marker is chosen.",
                              DoubleValue(0.2),
                              MakeDoubleAccessor(&MrcBalancer::m_markingShare),
                              MakeDoubleChecker<double>(1e-6, 1)))
            .AddAttribute("PlaneLead",
                          "Packets by which a plane may be ahead of another one, so that planes "
                          "carry equal load.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MrcBalancer::m_planeLead),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("SwapOnSkip",
                          "Whether a backup takes the place of an entropy value that is skipped.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MrcBalancer::m_swapsOnSkip),
                          MakeBooleanChecker())
            .AddAttribute("Forwarding",
                          "How switches use the entropy: Direct (it names the uplinks) or FullHash "
                          "(a hash of the 5-tuple).",
                          EnumValue(DIRECT),
                          MakeEnumMemberAccessor<Forwarding>(&MrcBalancer::m_forwarding),
                          MakeEnumChecker(DIRECT, "Direct", FULL_HASH, "FullHash"))
            .AddTraceSource("EvState",
                            "The state of an entropy value has changed.",
                            MakeTraceSourceAccessor(&MrcBalancer::m_trace),
                            "ns3::aifabric::MrcBalancer::EvStateTracedCallback"));
    return tid;
}

TypeId
MrcBalancer::AddSetAttributes(TypeId type)
{
    return type
        .AddAttribute("Profile",
                      "The entropy values of all queue pairs between leaves, as EvProfile reads "
                      "them, instead of EvTotal random ones.",
                      StringValue(""),
                      MakeStringAccessor(&MrcBalancer::SetProfile, &MrcBalancer::GetProfile),
                      MakeStringChecker())
        .AddAttribute("EvTotal",
                      "Entropy values of a queue pair, equally many in each plane; no more "
                      "than there are paths, and at most 256 a plane.",
                      UintegerValue(256),
                      MakeUintegerAccessor(&MrcBalancer::m_total),
                      MakeUintegerChecker<uint32_t>(1, 8192))
        .AddAttribute("EvActive",
                      "Of these, those in use; the others are their backups.",
                      UintegerValue(128),
                      MakeUintegerAccessor(&MrcBalancer::m_active),
                      MakeUintegerChecker<uint32_t>(1, 8192))
        .AddAttribute("EvMinActive",
                      "No entropy value is retired if fewer would be in use (0: a fourth of "
                      "EvTotal).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&MrcBalancer::m_leastActive),
                      MakeUintegerChecker<uint32_t>(0, 8192));
}

TypeId
MrcBalancer::AddProbeAttributes(TypeId type)
{
    return type
        .AddAttribute("ProbeInterval",
                      "Time until the first probe of an entropy value that was retired, and "
                      "between probes that are answered; at least one base RTT. Probes are sent "
                      "only while data is.",
                      TimeValue(MilliSeconds(1)),
                      MakeTimeAccessor(&MrcBalancer::m_probeInterval),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("MaxProbeInterval",
                      "The interval doubles up to this while probes are not answered.",
                      TimeValue(MilliSeconds(100)),
                      MakeTimeAccessor(&MrcBalancer::m_mostProbeInterval),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("ProbeAnswers",
                      "Answers in a row after which an entropy value may be used again.",
                      UintegerValue(3),
                      MakeUintegerAccessor(&MrcBalancer::m_probeAnswers),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("MaxProbeAnswers",
                      "Each relapse doubles the answers that are needed, up to this.",
                      UintegerValue(64),
                      MakeUintegerAccessor(&MrcBalancer::m_mostProbeAnswers),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("RelapseInterval",
                      "A loss so soon after its return is a relapse of an entropy value.",
                      TimeValue(Seconds(10)),
                      MakeTimeAccessor(&MrcBalancer::m_relapseInterval),
                      MakeTimeChecker(Time(0)));
}

void
MrcBalancer::SetProfile(const std::string& profile)
{
    m_profile = profile.empty() ? nullptr : std::make_shared<const EvProfile>(profile);
}

std::string
MrcBalancer::GetProfile() const
{
    return m_profile ? m_profile->GetText() : "";
}

void
MrcBalancer::CheckFabric(const FabricGraph& graph) const
{
    if (m_profile && m_forwarding != DIRECT)
    {
        throw std::invalid_argument("MrcBalancer::Profile=" + m_profile->GetText() +
                                    ": only with MrcBalancer::Forwarding=Direct");
    }
    uint64_t paths = 1;
    for (uint8_t tier = 0; tier + 1U < graph.Tiers(); ++tier)
    {
        paths *= graph.Uplinks(tier);
    }
    if (m_forwarding == DIRECT && graph.Planes() * paths > ENTROPIES)
    {
        throw std::invalid_argument(
            "MrcBalancer::Forwarding=Direct: " + std::to_string(graph.Planes()) + " planes of " +
            std::to_string(paths) + " paths; it names at most " + std::to_string(ENTROPIES) +
            " paths, each by a UDP source port");
    }
    if (m_profile)
    {
        m_profile->Check(graph.Planes(), paths);
    }
}

void
MrcBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    HostBalancer::Start(facts, stream);
    m_facts = facts;
    m_set.reset();
    m_denied.clear();
    m_prober = {};
    m_paths = CountLongestPaths();
}

uint32_t
MrcBalancer::CountLongestPaths() const
{
    uint32_t paths = 1;
    for (const uint32_t uplinks : m_facts.uplinks)
    {
        paths *= uplinks > 0 ? uplinks : 1;
    }
    return paths;
}

void
MrcBalancer::Connect(uint32_t source, uint32_t destination, std::shared_ptr<const PathView> paths)
{
    m_set.reset();
    m_denied.clear();
    m_prober = {};
    if (!paths)
    {
        return; // the longest paths are assumed
    }
    const FabricGraph& graph = paths->GetGraph();
    const uint32_t links = graph.PathLinks(source, destination);
    m_paths = 1;
    for (uint8_t tier = 0; 2U * (tier + 2U) <= links; ++tier) // 4 links turn around above a leaf
    {
        m_paths *= graph.Uplinks(tier);
    }
}

void
MrcBalancer::MakeSet(uint32_t planes)
{
    if (m_forwarding == FULL_HASH)
    {
        m_paths = ENTROPIES / planes; // each entropy is a path, by chance the same as another one
    }
    NS_ABORT_MSG_IF(uint64_t{planes} * m_paths > ENTROPIES,
                    "MrcBalancer: " << planes << " planes of " << m_paths << " paths; there are "
                                    << ENTROPIES << " UDP source ports");
    EntropySet::Parameters parameters;
    parameters.planes = planes;
    parameters.paths = m_paths;
    parameters.total = m_total;
    parameters.active = m_active;
    parameters.leastActive = m_leastActive;
    parameters.planeLead = m_planeLead;
    parameters.swapsOnSkip = m_swapsOnSkip;
    // To nearer hosts there are fewer paths, which a profile does not name.
    const bool isListed = m_profile && m_paths == CountLongestPaths();
    if (isListed)
    {
        m_profile->Check(planes, m_paths);
    }
    m_set.emplace(
        parameters,
        [this](uint32_t bound) { return Draw(bound); },
        isListed ? m_profile.get() : nullptr);
    for (const uint32_t entropy : m_denied)
    {
        if (const std::optional<EntropySet::Entry> entry = Find(entropy))
        {
            DenyEntry(*entry);
        }
    }
}

uint32_t
MrcBalancer::ToEntropy(EntropySet::Entry entry) const
{
    return FIRST_PORT + entry.plane * m_paths + m_set->GetPath(entry);
}

std::optional<PathChoice>
MrcBalancer::ToChoice(const std::optional<EntropySet::Entry>& entry) const
{
    return entry ? std::optional(PathChoice{ToEntropy(*entry), entry->plane}) : std::nullopt;
}

std::optional<EntropySet::Entry>
MrcBalancer::Find(uint32_t entropy) const
{
    if (!m_set || entropy < FIRST_PORT)
    {
        return std::nullopt;
    }
    const uint32_t label = entropy - FIRST_PORT;
    return m_set->Find(label / m_paths, label % m_paths);
}

std::optional<PathChoice>
MrcBalancer::Choose(const PathRequest& request)
{
    if (!m_set)
    {
        MakeSet(request.planes);
    }
    std::optional<EntropySet::Entry> entry =
        m_set->Choose(request.freePorts, m_alivePorts, [this](uint32_t bound) {
            return Draw(bound);
        });
    if (!entry)
    {
        entry = m_set->ChooseDenied(request.freePorts, m_alivePorts);
    }
    if (!entry && request.planes == 1)
    {
        entry = EntropySet::Entry{0, 0}; // there is no other plane to wait for
    }
    return ToChoice(entry);
}

std::optional<PathChoice>
MrcBalancer::ChooseControl(const PathRequest& request)
{
    if (!m_set)
    {
        MakeSet(request.planes);
    }
    return ToChoice(
        m_set->ChooseControl(m_alivePorts, [this](uint32_t bound) { return Draw(bound); }));
}

void
MrcBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t now)
{
    if (event == PathEvent::GOOD || event == PathEvent::TRIMMED_LAST_HOP)
    {
        return; // a queue in front of the receiver says nothing about the path
    }
    const std::optional<EntropySet::Entry> entry = Find(entropy);
    if (!entry)
    {
        return;
    }
    if (event == PathEvent::MARKED || event == PathEvent::TRIMMED)
    {
        const EntropySet::State before = m_set->GetState(*entry);
        m_set->Skip(*entry);
        TraceState(*entry, before);
    }
    else if (event == PathEvent::BAD || m_alivePorts >> entry->plane & 1)
    {
        Retire(*entry, now); // otherwise a port has failed, and not the path
    }
}

void
MrcBalancer::Retire(EntropySet::Entry entry, int64_t now)
{
    const EntropySet::State before = m_set->GetState(entry);
    if (m_set->Retire(entry))
    {
        ++m_retired;
        m_prober.Start(ToNumber(entry), now, GetProbing());
    }
    TraceState(entry, before);
}

uint16_t
MrcBalancer::GetPlane(uint32_t entropy) const
{
    const std::optional<EntropySet::Entry> entry = Find(entropy);
    return entry ? entry->plane : 0;
}

void
MrcBalancer::Reinstate(uint32_t entropy, int64_t retiredAt)
{
    const std::optional<EntropySet::Entry> entry = Find(entropy);
    if (entry && m_prober.Cancel(ToNumber(*entry), retiredAt) && m_set->Restore(*entry))
    {
        ++m_reinstated;
        TraceState(*entry, EntropySet::State::ASSUMED_BAD);
    }
}

PathProber::Parameters
MrcBalancer::GetProbing() const
{
    const int64_t least = m_facts.baseRtt.GetPicoSeconds(); // no answer comes sooner
    return {std::max(m_probeInterval.GetPicoSeconds(), least),
            std::max(m_mostProbeInterval.GetPicoSeconds(), least),
            m_probeAnswers,
            m_mostProbeAnswers,
            m_relapseInterval.GetPicoSeconds()};
}

bool
MrcBalancer::NeedsProbes() const
{
    return true;
}

bool
MrcBalancer::HasEvStates() const
{
    return true;
}

int64_t
MrcBalancer::GetProbeDue() const
{
    return m_prober.GetDue();
}

std::optional<PathChoice>
MrcBalancer::TakeProbe(int64_t now)
{
    const std::optional<uint32_t> number = m_prober.Take(now, GetProbing());
    if (!number)
    {
        return std::nullopt;
    }
    ++m_probes;
    const EntropySet::Entry entry{static_cast<uint16_t>(*number / m_set->GetSlots()),
                                  static_cast<uint16_t>(*number % m_set->GetSlots())};
    return PathChoice{ToEntropy(entry), entry.plane};
}

void
MrcBalancer::ProbeAnswered(uint32_t entropy, PathEvent event, int64_t now)
{
    const std::optional<EntropySet::Entry> entry = Find(entropy);
    if (!entry || event == PathEvent::BAD ||
        !m_prober.Answered(ToNumber(*entry), now, GetProbing()))
    {
        return;
    }
    if (m_set->Restore(*entry))
    {
        ++m_returned;
        TraceState(*entry, EntropySet::State::ASSUMED_BAD);
        if (event == PathEvent::MARKED)
        {
            m_set->Skip(*entry);
            TraceState(*entry, EntropySet::State::GOOD);
        }
    }
}

void
MrcBalancer::Deny(uint32_t entropy)
{
    const std::optional<EntropySet::Entry> entry = Find(entropy);
    if (m_denied.insert(entropy).second && entry)
    {
        DenyEntry(*entry);
    }
}

void
MrcBalancer::DenyEntry(EntropySet::Entry entry)
{
    const EntropySet::State before = m_set->GetState(entry);
    m_prober.Stop(ToNumber(entry));
    m_set->Deny(entry);
    ++m_deniedCount;
    TraceState(entry, before);
}

void
MrcBalancer::Allow(uint32_t entropy)
{
    m_denied.erase(entropy);
    const std::optional<EntropySet::Entry> entry = Find(entropy);
    if (entry && m_set->GetState(*entry) == EntropySet::State::DENIED)
    {
        m_set->Restore(*entry);
        TraceState(*entry, EntropySet::State::DENIED);
    }
}

void
MrcBalancer::TraceState(EntropySet::Entry entry, EntropySet::State before) const
{
    const EntropySet::State state = m_set->GetState(entry);
    if (!m_trace.IsEmpty() && state != before)
    {
        m_trace(ToEntropy(entry), static_cast<uint8_t>(state));
    }
}

void
MrcBalancer::PortsChanged(uint32_t local, uint32_t peer)
{
    m_alivePorts = local & peer;
}

TypeId
MrcBalancer::GetSwitchBalancer() const
{
    return m_forwarding == FULL_HASH ? EcmpBalancer::GetTypeId() : PathLabelBalancer::GetTypeId();
}

double
MrcBalancer::GetMarkingShare() const
{
    return m_markingShare;
}

void
MrcBalancer::Count(PolicyCounters& counters) const
{
    counters["ev_retired"] += m_retired;
    counters["ev_returned"] += m_returned;
    counters["ev_reinstated"] += m_reinstated;
    counters["denied_evs"] += m_deniedCount;
    counters["ev_probes"] += m_probes;
}

Ptr<HostBalancer>
MrcBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
