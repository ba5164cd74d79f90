/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "conga-balancer.h"

#include "least-choice.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-port.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CongaBalancer);

namespace
{

// 160 us, 500 us and 10 ms (section 3.6) at a round trip of 40 us
constexpr double TIME_CONSTANT = 4; //!< of a DRE, in round trips
constexpr double GAP = 12.5;        //!< between flowlets, in round trips
constexpr double AGEING = 250;      //!< of a metric, in round trips

} // namespace

TypeId
CongaBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::CongaBalancer")
            .SetParent<EcmpBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<CongaBalancer>()
            .AddAttribute("Gap",
                          "Longest time between two packets of a flowlet: T_fl (0: 12.5 round "
                          "trips of a full packet on the longest path).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CongaBalancer::m_gap),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("DiscountPeriod",
                          "Period of the rate estimator of a link: T_dre (0: such that "
                          "DiscountPeriod / Discount, its time constant, is four round trips).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CongaBalancer::m_period),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("Discount",
                          "Share of the estimator that a period takes away: alpha.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&CongaBalancer::m_share),
                          MakeDoubleChecker<double>(0.001, 0.999))
            .AddAttribute("Bits",
                          "Bits of a metric: Q.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&CongaBalancer::m_bits),
                          MakeUintegerChecker<uint32_t>(1, CongaTag::BITS))
            .AddAttribute("Ageing",
                          "Time without feedback after which the metric of a path is halved (0: "
                          "250 round trips).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CongaBalancer::m_ageing),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("Entries",
                          "Flows that the table of a leaf has room for.",
                          UintegerValue(8192),
                          MakeUintegerAccessor(&CongaBalancer::m_entries),
                          MakeUintegerChecker<uint32_t>(1, 1 << 18))
            .AddAttribute("Feedback",
                          "Whether the metrics of other switches count; without them a leaf "
                          "compares its own uplinks alone.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CongaBalancer::m_usesFeedback),
                          MakeBooleanChecker());
    return tid;
}

CongaBalancer::CongaBalancer()
    : m_ties(CreateObject<UniformRandomVariable>())
{
}

void
CongaBalancer::SetSite(const SwitchSite& site)
{
    m_site = site;
}

void
CongaBalancer::SetFacts(const FabricFacts& facts)
{
    m_roundTrip = facts.baseRtt;
}

Time
CongaBalancer::Derive(Time set, double roundTrips, const std::string& name) const
{
    NS_ABORT_MSG_IF(set.IsZero() && m_roundTrip.IsZero(),
                    "CongaBalancer::" << name
                                      << " has to be set where the fabric's round trip is not "
                                         "known");
    return set.IsZero() ? PicoSeconds(std::llround(roundTrips * m_roundTrip.GetPicoSeconds()))
                        : set;
}

void
CongaBalancer::DoInitialize()
{
    EcmpBalancer::DoInitialize();
    m_gapPs = Derive(m_gap, GAP, "Gap").GetPicoSeconds();
    m_parameters.period =
        Derive(m_period, TIME_CONSTANT * m_share, "DiscountPeriod").GetPicoSeconds();
    m_parameters.share = m_share;
    m_parameters.bits = m_bits;
    m_rates.assign(m_site.ports, {});
    if (IsLeaf())
    {
        m_table.Resize(m_entries);
        m_metrics.Resize(CountLeaves(),
                         m_site.upCount,
                         m_site.leafUplinks,
                         Derive(m_ageing, AGEING, "Ageing").GetPicoSeconds());
    }
}

uint32_t
CongaBalancer::Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now)
{
    if (!IsLeaf())
    {
        return EcmpBalancer::Choose(frame, group, now);
    }
    const uint32_t hash = Mix(frame.flowHash, GetSalt());
    FlowletTable::Entry& entry = m_table.Find(hash, now, m_gapPs);
    const bool isKnown = entry.Locate(group);
    if (!isKnown || now - entry.lastSeen > m_gapPs)
    {
        const auto last = isKnown ? std::optional<uint32_t>(entry.place) : std::nullopt;
        const uint32_t place = FindLeast(m_site.WaypointOf(frame.destination), group, last, now);
        m_moves += isKnown && place != entry.place;
        ++m_flowlets;
        entry.place = place;
        entry.port = group.members[place];
    }
    entry.lastSeen = now;
    return entry.place;
}

int
CongaBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    return IsLeaf() ? -1 : EcmpBalancer::Predict(frame, group);
}

uint32_t
CongaBalancer::GetMetric(uint32_t target,
                         const EgressGroup& group,
                         uint32_t place,
                         int64_t now) const
{
    FabricTransmitter& port = *group.members[place];
    port.Advance(now);
    const uint32_t index = group.ports[place];
    const uint32_t local = m_rates[index].GetMetric(m_parameters, port.GetRate(), now);
    return m_usesFeedback
               ? std::max(local, m_metrics.GetMetric(target, index - m_site.firstUp, now))
               : local;
}

uint32_t
CongaBalancer::FindLeast(uint32_t target,
                         const EgressGroup& group,
                         std::optional<uint32_t> last,
                         int64_t now) const
{
    LeastChoice least;
    for (uint32_t place = 0; place < group.members.size(); ++place)
    {
        least.Offer(GetMetric(target, group, place, now), place);
    }
    return last && least.Has(*last) ? *last : least.Take(*m_ties);
}

std::string
CongaBalancer::FindObstacle(const FabricGraph& graph) const
{
    if (!graph.IsClos() || graph.Tiers() > 2)
    {
        return "other switches than leaves and spines: it compares the paths between leaves, one "
               "by "
               "each uplink";
    }
    return graph.LeafUplinks() > CongaTag::UPLINKS
               ? "more than " + std::to_string(CongaTag::UPLINKS) + " uplinks of a leaf"
               : "";
}

bool
CongaBalancer::SeesFrames() const
{
    return true;
}

ArrivalVerdict
CongaBalancer::FrameArrives(FabricFrame& frame, int64_t now)
{
    if (!IsLeaf())
    {
        return {};
    }
    if (!IsUplink(frame.ingress))
    {
        if (!m_site.IsBelow(frame.destination) && frame.destination < m_site.fabricHosts)
        {
            CongaTag& tag = frame.Extra().conga;
            tag = CongaTag();
            tag.isSet = true;
            m_metrics.GiveFeedback(m_site.WaypointOf(frame.destination), tag);
        }
        return {};
    }
    if (frame.GetExtra().conga.isSet && frame.source < m_site.fabricHosts)
    {
        CongaTag& tag = frame.Extra().conga;
        m_metrics.Receive(m_site.WaypointOf(frame.source), tag, now);
        m_feedbacks += tag.hasFeedback;
        tag = CongaTag();
    }
    return {};
}

void
CongaBalancer::FrameDeparts(FabricFrame& frame, const FabricTransmitter& egress, int64_t start)
{
    const uint32_t port = egress.GetPort()->GetIndex();
    DiscountingRate& rate = m_rates[port];
    rate.Add(m_parameters, frame.GetSize(), start);
    if (!frame.GetExtra().conga.isSet)
    {
        return;
    }
    CongaTag& tag = frame.Extra().conga;
    const uint8_t metric = rate.GetMetric(m_parameters, egress.GetRate(), start);
    tag.metric = std::max<uint8_t>(tag.metric, metric);
    if (IsLeaf())
    {
        tag.uplink = port - m_site.firstUp;
    }
}

int64_t
CongaBalancer::AssignStreams(int64_t stream)
{
    const int64_t used = EcmpBalancer::AssignStreams(stream);
    m_ties->SetStream(stream + used);
    return used + 1;
}

void
CongaBalancer::Count(PolicyCounters& counters) const
{
    counters["flowlets"] += m_flowlets;
    counters["conga_moves"] += m_moves;
    counters["conga_feedbacks"] += m_feedbacks;
}

} // namespace aifabric
} // namespace ns3
