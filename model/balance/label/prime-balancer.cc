/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prime-balancer.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fork-object.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PrimeBalancer);

TypeId
PrimeBalancer::GetTypeId()
{
    static TypeId tid =
        AddPenaltyRules(
            AddPenalties(TypeId("ns3::aifabric::PrimeBalancer")
                             .SetParent<HostBalancer>()
                             .SetGroupName("AiFabric")
                             .AddConstructor<PrimeBalancer>()
                             .AddAttribute(
                                 "MarkingShare",
                                 "Longest queue without marks, as a share of the port buffer; what "
                                 "ai-fabric-run sets switches to if no marker is chosen "
                                 "(0: they mark as the congestion control needs it).",
                                 DoubleValue(0.1),
                                 MakeDoubleAccessor(&PrimeBalancer::m_markingShare),
                                 MakeDoubleChecker<double>(0, 1))))
            .AddAttribute("ExploreBytes",
                          "First payload bytes of a queue pair that ignore penalties; 0: the "
                          "bandwidth-delay product of the NIC.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PrimeBalancer::m_exploreBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "SearchMode",
                "How to find parts without penalties: Tuple (the next combination of "
                "the round robin) or PerTier (the next value of each part).",
                EnumValue(PrimeSelector::TUPLE),
                MakeEnumMemberAccessor<SearchMode>(&PrimeBalancer::m_searchMode),
                MakeEnumChecker(PrimeSelector::TUPLE, "Tuple", PrimeSelector::PER_TIER, "PerTier"))
            .AddAttribute("Forwarding",
                          "How switches use the entropy: Direct (the part is the uplink), PartHash "
                          "(a hash of the part) or FullHash (a hash of the 5-tuple).",
                          EnumValue(LabelForwarding::DIRECT),
                          MakeEnumMemberAccessor<Forwarding>(&PrimeBalancer::m_forwarding),
                          LabelForwarding::MakeChecker())
            .AddAttribute(
                "PartSizes",
                "Numbers of values of the parts of the leaf and of the switch above it, "
                "such as 8,4; empty: the numbers of their uplinks.",
                StringValue(""),
                MakeStringAccessor(&PrimeBalancer::SetPartSizes, &PrimeBalancer::GetPartSizes),
                MakeStringChecker())
            .AddAttribute("SharePenaltiesAcrossQps",
                          "Whether the queue pairs of a NIC to one destination share their "
                          "penalties, which decay with the packets of all of them.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PrimeBalancer::m_sharesPenalties),
                          MakeBooleanChecker());
    return tid;
}

std::string
PrimeBalancer::GetClosNeed() const
{
    return "the parts of its label are the uplinks of tiers";
}

TypeId
PrimeBalancer::AddPenalties(TypeId type)
{
    return type
        .AddAttribute("PEcn",
                      "Penalty of a mark (ECN), in steps of the decay; 0: none; 4294967295: the "
                      "number of values of the part.",
                      UintegerValue(PrimeSelector::USUAL),
                      MakeUintegerAccessor(&PrimeBalancer::m_markPenalty),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("PNack",
                      "Penalty of a trimmed or lost packet, in steps of the decay; 0: none; "
                      "4294967295: 4 times the number of values of the part.",
                      UintegerValue(PrimeSelector::USUAL),
                      MakeUintegerAccessor(&PrimeBalancer::m_lossPenalty),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("PTimeout",
                      "Penalty of a timeout, in steps of the decay; 0: none; 4294967295: that "
                      "of a loss.",
                      UintegerValue(PrimeSelector::USUAL),
                      MakeUintegerAccessor(&PrimeBalancer::m_timeoutPenalty),
                      MakeUintegerChecker<uint32_t>());
}

TypeId
PrimeBalancer::AddPenaltyRules(TypeId type)
{
    return type
        .AddAttribute("Decay",
                      "By how much each penalty decreases at each step of DecayMode; 0: never.",
                      UintegerValue(1),
                      MakeUintegerAccessor(&PrimeBalancer::m_decay),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("DecayMode",
                      "When penalties decrease: PerPacket, PerRound (when all values of the "
                      "part were used or skipped) or Time (each DecayInterval).",
                      EnumValue(PrimeSelector::PER_PACKET),
                      MakeEnumMemberAccessor<DecayMode>(&PrimeBalancer::m_decayMode),
                      MakeEnumChecker(PrimeSelector::PER_PACKET,
                                      "PerPacket",
                                      PrimeSelector::PER_ROUND,
                                      "PerRound",
                                      PrimeSelector::TIME,
                                      "Time"))
        .AddAttribute("DecayInterval",
                      "Interval of DecayMode=Time; 0: the base round-trip time.",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&PrimeBalancer::m_decayInterval),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("EcnAccumulates",
                      "Whether a mark adds to a penalty; else it charges only a penalty of 0.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&PrimeBalancer::m_marksAccumulate),
                      MakeBooleanChecker())
        .AddAttribute("NackOverwrites",
                      "Whether a loss or timeout replaces a smaller penalty; else it adds to "
                      "the penalty.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&PrimeBalancer::m_lossesOverwrite),
                      MakeBooleanChecker());
}

void
PrimeBalancer::CheckFabric(const FabricGraph& graph) const
{
    const std::size_t parts = graph.Tiers() - 1U; // of the switches below the highest tier
    if (m_partSizes.size() > parts)
    {
        throw std::invalid_argument("PrimeBalancer::PartSizes=" + GetPartSizes() + ": at most " +
                                    std::to_string(parts) + " numbers, one for each tier of " +
                                    "switches with uplinks");
    }
    for (std::size_t tier = 0; tier < m_partSizes.size(); ++tier)
    {
        CheckPartSize(tier, graph.Uplinks(static_cast<uint8_t>(tier)), parts);
    }
}

void
PrimeBalancer::CheckPartSize(std::size_t tier, uint32_t uplinks, std::size_t parts) const
{
    if (m_forwarding != LabelForwarding::FULL_HASH && tier + 1 < parts &&
        m_partSizes[tier] != uplinks)
    {
        throw std::invalid_argument("PrimeBalancer::PartSizes=" + GetPartSizes() +
                                    ": switches of tier " + std::to_string(tier) + " have " +
                                    std::to_string(uplinks) +
                                    " uplinks, and the next tier's part is above those; other " +
                                    "sizes only with PrimeBalancer::Forwarding=FullHash");
    }
}

void
PrimeBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    HostBalancer::Start(facts, stream);
    KeepCounters();
    m_facts = facts;
    m_uplinks = LabelForwarding::GetUplinks(facts);
}

void
PrimeBalancer::Connect(uint32_t source, uint32_t destination, std::shared_ptr<const PathView> paths)
{
    KeepCounters();
    m_source = source;
    m_destination = destination;
    if (paths) // else the longest paths are assumed
    {
        m_uplinks = LabelForwarding::GetUplinks(source, destination, *paths);
    }
}

void
PrimeBalancer::SetPartSizes(const std::string& sizes)
{
    m_partSizes.clear();
    std::istringstream stream(sizes.empty() ? "" : sizes + ","); // getline() omits an empty end
    for (std::string item; std::getline(stream, item, ',');)
    {
        std::istringstream number(item);
        uint32_t size = 0;
        NS_ABORT_MSG_IF(!(number >> size) || !number.eof() || size < 1 || size > ENTROPIES,
                        "PrimeBalancer::PartSizes=" << sizes << ": numbers from 1 to " << ENTROPIES
                                                    << " with commas between them, such as 8,4");
        m_partSizes.push_back(size);
    }
}

std::string
PrimeBalancer::GetPartSizes() const
{
    std::string text;
    for (const uint16_t size : m_partSizes)
    {
        text += (text.empty() ? "" : ",") + std::to_string(size);
    }
    return text;
}

std::vector<uint16_t>
PrimeBalancer::FindPartSizes() const
{
    std::vector<uint16_t> sizes = m_uplinks;
    for (std::size_t tier = 0; tier < std::min(sizes.size(), m_partSizes.size()); ++tier)
    {
        sizes[tier] = m_partSizes[tier];
    }
    return sizes;
}

void
PrimeBalancer::MakeSender(uint32_t planes)
{
    const PartLayout layout(planes, FindPartSizes());
    NS_ABORT_MSG_IF(layout.CountLabels() > ENTROPIES,
                    "PrimeBalancer: " << layout.CountLabels() << " paths; there are " << ENTROPIES
                                      << " UDP source ports");
    const auto labels = static_cast<uint32_t>(layout.CountLabels());
    const UniformInteger uniform = [this](uint32_t bound) { return Draw(bound); };
    const uint32_t constant = uniform(ENTROPIES / labels) * labels;
    const std::vector<uint16_t> sizes = layout.GetSizes();
    std::shared_ptr<Penalties> penalties;
    if (m_pool && m_source)
    {
        penalties = m_pool->Get(*m_source, m_destination, sizes);
    }
    m_sender = Sender{layout, constant, {sizes, GetParameters(), uniform, std::move(penalties)}};
    ExcludePlanes();
}

PrimeSelector::Parameters
PrimeBalancer::GetParameters() const
{
    PrimeSelector::Parameters parameters;
    parameters.markPenalty = m_markPenalty;
    parameters.lossPenalty = m_lossPenalty;
    parameters.timeoutPenalty = m_timeoutPenalty;
    parameters.decay = m_decay;
    parameters.decayMode = m_decayMode;
    const Time interval = m_decayInterval.IsZero() ? m_facts.baseRtt : m_decayInterval;
    NS_ABORT_MSG_IF(m_decayMode == PrimeSelector::TIME && interval.IsZero(),
                    "PrimeBalancer: DecayMode=Time needs a DecayInterval: the base round-trip time "
                    "is not known");
    NS_ABORT_MSG_IF(m_decayMode == PrimeSelector::TIME && interval < PicoSeconds(1),
                    "PrimeBalancer::DecayInterval: at least 1ps with DecayMode=Time");
    parameters.decayInterval = interval.GetPicoSeconds();
    parameters.marksAccumulate = m_marksAccumulate;
    parameters.lossesOverwrite = m_lossesOverwrite;
    parameters.exploreBytes = m_exploreBytes > 0 ? m_exploreBytes : m_facts.GetBdp();
    parameters.searchMode = m_searchMode;
    return parameters;
}

std::optional<PathChoice>
PrimeBalancer::Choose(const PathRequest& request)
{
    if (!m_sender)
    {
        MakeSender(request.planes);
    }
    const std::vector<uint16_t>& values =
        m_sender->selector.Choose(request.bytes, request.now, [this](uint32_t bound) {
            return Draw(bound);
        });
    const uint32_t label = m_sender->constant + m_sender->layout.Pack(values);
    return PathChoice{PathChoice::FIRST_PORT + label, request.planes > 1 ? values[0] : uint16_t{0}};
}

void
PrimeBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t now)
{
    if (event == PathEvent::GOOD || event == PathEvent::TRIMMED_LAST_HOP || !m_sender)
    {
        return; // a queue in front of the receiver says nothing about the parts
    }
    const bool hasExpired = event == PathEvent::OVERDUE || event == PathEvent::TIMED_OUT;
    const PrimeSelector::Signal signal = event == PathEvent::MARKED ? PrimeSelector::Signal::MARK
                                         : hasExpired               ? PrimeSelector::Signal::TIMEOUT
                                                                    : PrimeSelector::Signal::LOSS;
    const uint32_t parts = m_sender->layout.CountParts();
    for (uint32_t part = 0; part < parts; ++part)
    {
        const uint32_t value = m_sender->layout.GetValue(entropy - PathChoice::FIRST_PORT, part);
        m_sender->selector.Charge(part, value, signal, now);
    }
}

void
PrimeBalancer::PortsChanged(uint32_t local, uint32_t peer)
{
    m_alivePorts = local & peer;
    if (m_sender)
    {
        ExcludePlanes();
    }
}

void
PrimeBalancer::ExcludePlanes()
{
    const bool hasPlanes = m_sender->layout.CountParts() > m_uplinks.size();
    m_sender->selector.Exclude(hasPlanes ? ~m_alivePorts : 0);
}

TypeId
PrimeBalancer::GetSwitchBalancer() const
{
    return LabelForwarding::GetSwitchBalancer(m_forwarding);
}

double
PrimeBalancer::GetMarkingShare() const
{
    return m_markingShare;
}

void
PrimeBalancer::KeepCounters()
{
    if (m_sender)
    {
        m_pastSkipped += m_sender->selector.GetSkipped();
        m_pastForced += m_sender->selector.GetForced();
        m_sender.reset();
    }
}

void
PrimeBalancer::Count(PolicyCounters& counters) const
{
    counters["prime_skipped"] += m_pastSkipped + (m_sender ? m_sender->selector.GetSkipped() : 0);
    counters["prime_forced"] += m_pastForced + (m_sender ? m_sender->selector.GetForced() : 0);
}

Ptr<HostBalancer>
PrimeBalancer::Fork() const
{
    if (m_sharesPenalties && !m_pool)
    {
        m_pool = std::make_shared<SharedPenalties>();
    }
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
