/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rccc-control.h"

#include "ns3/double.h"
#include "ns3/fork-object.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RcccControl);

TypeId
RcccControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RcccControl")
            .SetParent<NsccControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<RcccControl>()
            .AddAttribute("UnsolicitedFactor",
                          "What a connection may send without credit when it begins "
                          "(bandwidth-delay products of all planes and the base RTT; 0: nothing, "
                          "so that it begins with a request).",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RcccControl::m_unsolicitedFactor),
                          MakeDoubleChecker<double>(0, 1e6));
    return tid;
}

void
RcccControl::Start(const FabricFacts& facts)
{
    AssumeReceiverCredits();
    NsccControl::Start(facts);
    // Sums go on if it begins anew, as those of the receiver do.
    const auto first = static_cast<int64_t>(std::llround(m_unsolicitedFactor * GetBdp()));
    m_allowance += std::max<int64_t>(first - GetLeft(), 0);
}

int64_t
RcccControl::GetLeft() const
{
    return static_cast<int64_t>(m_allowance + m_credit - m_sent);
}

bool
RcccControl::PacketSent(uint32_t bytes, int64_t start)
{
    m_sent += bytes;
    return NsccControl::PacketSent(bytes, start);
}

bool
RcccControl::UsesCredits() const
{
    return true;
}

uint64_t
RcccControl::GetCredit() const
{
    return std::max<int64_t>(GetLeft(), 0);
}

CreditDemand
RcccControl::GetDemand(uint64_t waiting) const
{
    // A window ahead and no more: else a sender that waits for acknowledgements would hoard credit,
    // send all of it at once later, and leave the receiver's link idle until then.
    const uint64_t all = m_sent + std::min(waiting, GetWindow());
    return {all - std::min(all, m_allowance), std::min(all - std::min(all, m_credit), m_allowance)};
}

bool
RcccControl::CreditReceived(uint64_t credit, int64_t)
{
    const bool isMore = credit > m_credit;
    m_credit = std::max(m_credit, credit);
    m_credits += isMore;
    return isMore;
}

std::optional<MarkingLaw>
RcccControl::GetMarkingLaw(const FabricFacts& facts) const
{
    std::optional<MarkingLaw> law = NsccControl::GetMarkingLaw(facts);
    law->atLastHop = false; // the receiver controls the load of its link by credit
    return law;
}

void
RcccControl::Count(PolicyCounters& counters) const
{
    NsccControl::Count(counters);
    counters["credits_received"] += m_credits;
}

Ptr<CongestionControl>
RcccControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
