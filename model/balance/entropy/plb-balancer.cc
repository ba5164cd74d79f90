/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plb-balancer.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PlbBalancer);

TypeId
PlbBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PlbBalancer")
            .SetParent<EntropyBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<PlbBalancer>()
            .AddAttribute("MarkingShare",
                          "Longest queue without marks, as a share of the port buffer; what "
                          "ai-fabric-run sets switches to if no marker is chosen "
                          "(0: they mark as the congestion control needs it).",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PlbBalancer::m_markingShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Threshold",
                          "Share of marked acknowledgements that makes a round congested.",
                          DoubleValue(0.4),
                          MakeDoubleAccessor(&PlbBalancer::m_threshold),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Rounds",
                          "Congested rounds in a row after which the label is changed.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&PlbBalancer::m_rounds),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("IdleRounds",
                          "Congested rounds in a row after which the label is changed when no "
                          "packet is on the way.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&PlbBalancer::m_idleRounds),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RoundTime",
                          "Length of a round; 0: until a packet that was sent in the round is "
                          "acknowledged, which is a round-trip time.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PlbBalancer::m_roundTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Entropies",
                          "Number of labels to draw from.",
                          UintegerValue(ENTROPIES),
                          MakeUintegerAccessor(&PlbBalancer::m_entropies),
                          MakeUintegerChecker<uint32_t>(1, ENTROPIES))
            .AddAttribute("RelabelOnTimeout",
                          "Whether the label is changed when a packet with the current label times "
                          "out, which it does at most once per AckTimeout.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PlbBalancer::m_relabelsOnTimeout),
                          MakeBooleanChecker())
            .AddAttribute("LeastAge",
                          "Least time from one change of the label to the next (base RTTs; 0: no "
                          "limit; Ultra Ethernet's ordered delivery: 10).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PlbBalancer::m_leastRtts),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddTraceSource("Relabel",
                            "The label is changed.",
                            MakeTraceSourceAccessor(&PlbBalancer::m_trace),
                            "ns3::aifabric::PlbBalancer::RelabelTracedCallback");
    return tid;
}

bool
PlbBalancer::KeepsPaths() const
{
    return true;
}

void
PlbBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    m_leastAge = GetRtts("LeastAge", m_leastRtts, facts);
    m_relabelDue = 0;
    ResetRounds();
    m_label.reset();
    m_onTheWay = 0;
}

uint16_t
PlbBalancer::NextLabel(int64_t)
{
    if (!m_label)
    {
        m_label = Draw(m_entropies);
    }
    ++m_onTheWay;
    return *m_label;
}

void
PlbBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now)
{
    if (event == PathEvent::TIMED_OUT)
    {
        TimedOut(entropy, now);
        return;
    }
    if (event == PathEvent::OVERDUE)
    {
        return; // it may still arrive
    }
    m_onTheWay -= m_onTheWay > 0 ? 1 : 0;
    if (delay > 0 && event != PathEvent::LOST)
    {
        PacketAcked(event != PathEvent::GOOD, now - delay, now);
    }
}

void
PlbBalancer::TimedOut(uint32_t entropy, int64_t now)
{
    m_onTheWay = 0;
    // A packet with the new label times out an AckTimeout after the change at the earliest. The
    // other packets of a window say nothing about the new label.
    if (m_relabelsOnTimeout && m_label && entropy == uint32_t{PathChoice::FIRST_PORT} + *m_label)
    {
        ResetRounds();
        Relabel(now);
    }
}

void
PlbBalancer::ResetRounds()
{
    m_judge = CongestionRounds({m_threshold, m_rounds, m_idleRounds, m_roundTime.GetPicoSeconds()});
}

void
PlbBalancer::PacketAcked(bool marked, int64_t sentAt, int64_t now)
{
    if (m_judge->Acked(marked, sentAt, now, m_onTheWay == 0))
    {
        Relabel(now);
    }
}

void
PlbBalancer::Relabel(int64_t now)
{
    if (now < m_relabelDue)
    {
        return;
    }
    m_relabelDue = m_leastAge > 0 ? now + m_leastAge : 0;
    const uint16_t old = *m_label;
    m_label = Draw(m_entropies);
    ++m_relabels;
    m_trace(PathChoice::FIRST_PORT + old, PathChoice::FIRST_PORT + *m_label);
}

double
PlbBalancer::GetMarkingShare() const
{
    return m_markingShare;
}

void
PlbBalancer::Count(PolicyCounters& counters) const
{
    counters["plb_relabels"] += m_relabels;
}

uint64_t
PlbBalancer::GetRelabels() const
{
    return m_relabels;
}

} // namespace aifabric
} // namespace ns3
