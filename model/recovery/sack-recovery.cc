/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sack-recovery.h"

#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SackRecovery);

TypeId
SackRecovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::SackRecovery")
            .SetParent<SelectiveRecovery>()
            .SetGroupName("AiFabric")
            .AddConstructor<SackRecovery>()
            .AddAttribute("ReorderingThreshold",
                          "A packet is lost when so many packets that were sent later are "
                          "acknowledged (packets). The study has 32 for permutations and 6 for "
                          "all-to-all (arXiv 2507.21372, section 8.5).",
                          UintegerValue(32),
                          MakeUintegerAccessor(&SackRecovery::m_threshold),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

LossRecovery::Departure
SackRecovery::TakeNext(int64_t start)
{
    const Departure departure = SelectiveRecovery::TakeNext(start);
    const uint64_t place = m_orderFirst + m_order.size();
    m_order.push_back(Transmission{departure.number, false});
    const uint64_t index = departure.number - m_placesFirst;
    if (index == m_places.size())
    {
        m_places.push_back(place);
    }
    else
    {
        m_places[index] = place;
    }
    return departure;
}

LossRecovery::Feedback
SackRecovery::AckReceived(const AckReport& report)
{
    const std::optional<uint64_t> number = FindUnacknowledged(report.psn);
    if (!number)
    {
        return {};
    }
    Note(*number);
    return {1, Sweep()};
}

LossRecovery::Feedback
SackRecovery::MessagesReceived(uint64_t end)
{
    uint64_t newlyAcked = 0;
    for (uint64_t number = GetUnacknowledged(); number < std::min(end, GetSent()); ++number)
    {
        if (!IsAcknowledged(number))
        {
            Note(number);
            ++newlyAcked;
        }
    }
    return {newlyAcked, Sweep()};
}

void
SackRecovery::Note(uint64_t number)
{
    const uint64_t place = m_places[number - m_placesFirst];
    if (place >= m_orderFirst)
    {
        m_order[place - m_orderFirst].acked = true;
        ++m_ackedCount;
    }
    Acknowledge(number);
    while (m_placesFirst < GetUnacknowledged())
    {
        m_places.pop_front();
        ++m_placesFirst;
    }
}

std::vector<uint64_t>
SackRecovery::Sweep()
{
    std::vector<uint64_t> lost;
    while (!m_order.empty() && (m_order.front().acked || m_ackedCount >= m_threshold))
    {
        const Transmission oldest = m_order.pop_front();
        ++m_orderFirst;
        if (oldest.acked)
        {
            --m_ackedCount;
        }
        else if (Lose(oldest.number))
        {
            lost.push_back(oldest.number);
        }
    }
    return lost;
}

void
SackRecovery::TimerExpired()
{
    SelectiveRecovery::TimerExpired();
    while (!m_order.empty())
    {
        m_order.pop_front();
        ++m_orderFirst;
    }
    m_ackedCount = 0;
}

Ptr<LossRecovery>
SackRecovery::Fork() const
{
    return ForkObject(*this);
}

double
SackRecovery::GetUsualTimeoutPs(double empty, double drain, double) const
{
    // the study's reading: losses that the acknowledgements do not show must not cost too much
    constexpr double LEAST_PS = 1e8;
    return std::max({LEAST_PS, 3 * empty, empty + drain});
}

} // namespace aifabric
} // namespace ns3
