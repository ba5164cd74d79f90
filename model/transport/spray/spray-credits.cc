/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spray-credits.h"

#include "ns3/psn-window.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t MASK = PsnWindow::PSN_MASK; //!< of a field; PSNs have 24 bits, too
constexpr uint64_t MOST_AHEAD = MASK / 4;      //!< of demand before credit, so that it unwraps

/// @return the larger one of a sum and what a field says of it  @param field its lower 24 bits
/// @param sum as known
uint64_t
Raise(uint32_t field, uint64_t sum)
{
    return std::max(PsnWindow::Unwrap(field, sum), static_cast<int64_t>(sum));
}

} // namespace

SprayCredits::SprayCredits(uint32_t quantum)
    : m_quantum(quantum)
{
}

DemandFields
SprayCredits::Announce(const CreditDemand& demand)
{
    const uint64_t wanted = (demand.wanted + m_quantum - 1) / m_quantum;
    const uint64_t unsolicited = (demand.unsolicited + m_quantum - 1) / m_quantum;
    m_announced = std::max(m_announced, std::min(wanted, m_received + MOST_AHEAD));
    return {static_cast<uint32_t>(m_announced & MASK), static_cast<uint32_t>(unsolicited & MASK)};
}

void
SprayCredits::AnnouncementSent(int64_t sentAt)
{
    if (m_announced > m_carried)
    {
        m_carried = m_announced;
        m_carriedSince = sentAt;
        m_carriers = 0;
        m_refused = 0;
    }
    ++m_carriers;
}

uint64_t
SprayCredits::CreditReceived(uint32_t field)
{
    m_received = Raise(field, m_received);
    return m_received * m_quantum;
}

uint32_t
SprayCredits::DemandReceived(const DemandFields& demand)
{
    m_wanted = Raise(demand.wanted, m_wanted);
    const uint64_t before = std::max(m_unsolicited * m_quantum, m_trimmed);
    m_unsolicited = Raise(demand.unsolicited, m_unsolicited);
    return std::max(m_unsolicited * m_quantum, before) - before;
}

uint32_t
SprayCredits::Grant(uint64_t bytes)
{
    const uint64_t most = (bytes + m_quantum - 1) / m_quantum;
    const uint64_t given = std::min(most, m_wanted - std::min(m_wanted, m_granted));
    m_granted += given;
    return given * m_quantum;
}

uint32_t
SprayCredits::GetGranted() const
{
    return m_granted & MASK;
}

uint32_t
SprayCredits::Trimmed(uint32_t bytes)
{
    const uint64_t before = m_trimmed;
    m_trimmed += bytes;
    const uint64_t announced = m_unsolicited * m_quantum;
    return std::min(m_trimmed, announced) - std::min(before, announced);
}

} // namespace aifabric
} // namespace ns3
