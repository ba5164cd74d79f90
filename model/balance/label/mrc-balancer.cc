/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-balancer.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fork-object.h"
#include "ns3/path-label-balancer.h"
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
                              "ai-fabric-run sets switches to if no marker is chosen "
                              "(0: they mark as the congestion control needs it).",
                              DoubleValue(0.2),
                              MakeDoubleAccessor(&MrcBalancer::m_markingShare),
                              MakeDoubleChecker<double>(0, 1)))
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

std::string
MrcBalancer::GetClosNeed() const
{
    return "its entropy values are the uplinks of tiers";
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
    m_evs.Clear();
    m_evs.SetPaths(CountLongestPaths());
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
    m_evs.Clear();
    if (!paths)
    {
        return; // the longest paths are assumed
    }
    const FabricGraph& graph = paths->GetGraph();
    const uint32_t links = graph.PathLinks(source, destination);
    uint32_t count = 1;
    for (uint8_t tier = 0; 2U * (tier + 2U) <= links; ++tier) // 4 links turn around above a leaf
    {
        count *= graph.Uplinks(tier);
    }
    m_evs.SetPaths(count);
}

void
MrcBalancer::FillTable(uint32_t planes)
{
    if (m_forwarding == FULL_HASH)
    {
        // each entropy is a path, by chance the same as another one
        m_evs.SetPaths(ENTROPIES / planes);
    }
    const uint32_t paths = m_evs.GetPaths();
    NS_ABORT_MSG_IF(uint64_t{planes} * paths > ENTROPIES,
                    "MrcBalancer: " << planes << " planes of " << paths << " paths; there are "
                                    << ENTROPIES << " UDP source ports");
    EntropySet::Parameters parameters;
    parameters.planes = planes;
    parameters.total = m_total;
    parameters.active = m_active;
    parameters.leastActive = m_leastActive;
    parameters.planeLead = m_planeLead;
    parameters.swapsOnSkip = m_swapsOnSkip;
    // To nearer hosts there are fewer paths, which a profile does not name.
    const bool isListed = m_profile && paths == CountLongestPaths();
    if (isListed)
    {
        m_profile->Check(planes, paths);
    }
    m_evs.Fill(
        parameters,
        [this](uint32_t bound) { return Draw(bound); },
        isListed ? m_profile.get() : nullptr,
        m_trace);
}

std::optional<PathChoice>
MrcBalancer::Choose(const PathRequest& request)
{
    if (!m_evs.IsFilled())
    {
        FillTable(request.planes);
    }
    const std::optional<PathChoice> choice =
        m_evs.Choose(request.freePorts, m_alivePorts, [this](uint32_t bound) {
            return Draw(bound);
        });
    if (!choice && request.planes == 1)
    {
        return m_evs.ToChoice({0, 0}); // there is no other plane to wait for
    }
    return choice;
}

std::optional<PathChoice>
MrcBalancer::ChooseControl(const PathRequest& request)
{
    if (!m_evs.IsFilled())
    {
        FillTable(request.planes);
    }
    return m_evs.ChooseControl(m_alivePorts, [this](uint32_t bound) { return Draw(bound); });
}

void
MrcBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now)
{
    if (event == PathEvent::GOOD || event == PathEvent::TRIMMED_LAST_HOP)
    {
        return; // a queue in front of the receiver says nothing about the path
    }
    const std::optional<EvTable::Entry> entry = m_evs.Find(entropy);
    if (!entry)
    {
        return;
    }
    if (event == PathEvent::MARKED || event == PathEvent::TRIMMED)
    {
        m_evs.Skip(*entry);
    }
    else if (event == PathEvent::BAD || !IsOfPort(entry->plane, now - delay))
    {
        m_evs.Retire(*entry, now, GetProbing());
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
    return m_evs.GetProbeDue();
}

std::optional<PathChoice>
MrcBalancer::TakeProbe(int64_t now)
{
    return m_evs.TakeProbe(now, GetProbing());
}

void
MrcBalancer::ProbeAnswered(uint32_t entropy, PathEvent event, int64_t now)
{
    if (event != PathEvent::BAD)
    {
        m_evs.ProbeAnswered(entropy, event == PathEvent::MARKED, now, GetProbing());
    }
}

void
MrcBalancer::PortsChanged(uint32_t local, uint32_t peer)
{
    m_alivePorts = local & peer;
}

void
MrcBalancer::PortsReturned(uint32_t planes, int64_t now)
{
    for (uint16_t plane = 0; planes >> plane != 0; ++plane)
    {
        if (planes >> plane & 1)
        {
            m_returns.resize(std::max(m_returns.size(), plane + std::size_t{1}), -1);
            m_returns[plane] = now;
        }
    }
}

void
MrcBalancer::PlaneSilent(uint16_t plane, int64_t start, int64_t now)
{
    if (!IsOfPort(plane, start))
    {
        m_evs.RetirePlane(plane, m_alivePorts, now, GetProbing());
    }
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
    m_evs.Count(counters);
}

Ptr<HostBalancer>
MrcBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
