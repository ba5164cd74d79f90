/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reps-balancer.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RepsBalancer);

TypeId
RepsBalancer::GetTypeId()
{
    static TypeId tid =
        AddFreezing(
            TypeId("ns3::aifabric::RepsBalancer")
                .SetParent<EntropyBalancer>()
                .SetGroupName("AiFabric")
                .AddConstructor<RepsBalancer>()
                .AddAttribute("MarkingShare",
                              "Longest queue without marks, as a share of the port buffer; what "
                              "ai-fabric-run sets switches to if no marker is chosen "
                              "(0: they mark as the congestion control needs it).",
                              DoubleValue(0.1),
                              MakeDoubleAccessor(&RepsBalancer::m_markingShare),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("Entropies",
                              "Number of labels to draw from; at least the number of paths.",
                              UintegerValue(ENTROPIES),
                              MakeUintegerAccessor(&RepsBalancer::m_entropies),
                              MakeUintegerChecker<uint32_t>(1, ENTROPIES))
                .AddAttribute("BufferSize",
                              "Number of labels that are remembered.",
                              UintegerValue(8),
                              MakeUintegerAccessor(&RepsBalancer::m_bufferSize),
                              MakeUintegerChecker<uint32_t>(1, ENTROPIES))
                .AddAttribute("Uses",
                              "How often a label is used that was remembered once.",
                              UintegerValue(1),
                              MakeUintegerAccessor(&RepsBalancer::m_uses),
                              MakeUintegerChecker<uint16_t>(1)))
            .AddTraceSource("Freeze",
                            "A timer of the queue pair or of a packet has expired, and labels are "
                            "not replaced for some time.",
                            MakeTraceSourceAccessor(&RepsBalancer::m_trace),
                            "ns3::aifabric::RepsBalancer::FreezeTracedCallback");
    return tid;
}

TypeId
RepsBalancer::AddFreezing(TypeId type)
{
    return type
        .AddAttribute("Freezing",
                      "Whether labels are kept for FreezingTime after a timer has expired.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&RepsBalancer::m_freezes),
                      MakeBooleanChecker())
        .AddAttribute("FreezingRtt",
                      "If switches do not trim, a timer freezes labels only if no packet of the "
                      "epoch (FreezingEpoch) took this many base round-trip times or longer; 0: "
                      "always.",
                      DoubleValue(0),
                      MakeDoubleAccessor(&RepsBalancer::m_freezingRtt),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("FreezingEpoch",
                      "With FreezingRtt: base round-trip times after which the next "
                      "acknowledgement begins a new epoch; twice the timeout.",
                      DoubleValue(10),
                      MakeDoubleAccessor(&RepsBalancer::m_freezingEpoch),
                      MakeDoubleChecker<double>(0, 1e6))
        .AddAttribute("FreezingTime",
                      "How long labels are not replaced after the retransmission timer, or "
                      "that of one packet (RcQueuePair::PacketTimeout), has expired.",
                      TimeValue(MilliSeconds(10)),
                      MakeTimeAccessor(&RepsBalancer::m_freezingTime),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("Exploration",
                      "Packets that take random labels when that is over.",
                      UintegerValue(16),
                      MakeUintegerAccessor(&RepsBalancer::m_exploration),
                      MakeUintegerChecker<uint32_t>());
}

void
RepsBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    if (m_ring)
    {
        m_pastUses += m_ring->GetUses();
        m_pastFreezes += m_ring->GetFreezes();
        m_pastThaws += m_ring->GetThaws();
    }
    m_ring = RepsRing({m_bufferSize, m_freezingTime.GetPicoSeconds(), m_exploration, m_uses});
    const double limit = facts.trims ? 0 : m_freezingRtt * facts.baseRtt.GetPicoSeconds();
    m_limit = static_cast<int64_t>(limit);
    m_epoch = static_cast<int64_t>(m_freezingEpoch * facts.baseRtt.GetPicoSeconds());
    m_longest = 0;
    m_epochEnd = 0;
}

uint16_t
RepsBalancer::NextLabel(int64_t)
{
    const std::optional<uint16_t> label = m_ring->Next();
    return label ? *label : Draw(CountLabels(m_entropies));
}

void
RepsBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now)
{
    switch (event)
    {
    case PathEvent::GOOD:
    case PathEvent::MARKED:
        RecordDelay(delay, now);
        m_ring->Acked(entropy - PathChoice::FIRST_PORT, event == PathEvent::MARKED, now);
        break;
    case PathEvent::TRIMMED_LAST_HOP: // the path is good: its last queue has all packets
        m_ring->Acked(entropy - PathChoice::FIRST_PORT, false, now);
        break;
    case PathEvent::TRIMMED:
    case PathEvent::BAD:
        m_ring->Acked(entropy - PathChoice::FIRST_PORT, true, now);
        break;
    case PathEvent::OVERDUE:
    case PathEvent::TIMED_OUT:
        TimerExpired(now);
        break;
    case PathEvent::LOST: // no packet says so: the sender concludes it
        break;
    }
}

void
RepsBalancer::RecordDelay(int64_t delay, int64_t now)
{
    if (delay == 0)
    {
        return; // not known
    }
    if (now > m_epochEnd)
    {
        m_longest = 0;
        m_epochEnd = now + m_epoch;
    }
    m_longest = std::max(m_longest, delay);
}

void
RepsBalancer::TimerExpired(int64_t now)
{
    const bool isCongested = m_limit > 0 && m_longest >= m_limit;
    if (m_ring->TimerExpired(now, m_freezes && !isCongested))
    {
        m_trace(m_ring->GetFreezes());
    }
}

double
RepsBalancer::GetMarkingShare() const
{
    return m_markingShare;
}

void
RepsBalancer::Count(PolicyCounters& counters) const
{
    counters["reps_reused"] += m_pastUses + m_ring->GetUses();
    counters["reps_freezes"] += m_pastFreezes + m_ring->GetFreezes();
    counters["reps_thaws"] += m_pastThaws + m_ring->GetThaws();
}

Ptr<HostBalancer>
RepsBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
