/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "progress-reporter.h"

#include "ns3/simulator.h"

#include <iomanip>
#include <sstream>

namespace ns3
{
namespace aifabric
{

namespace
{

// Checks are rare enough not to cost anything and frequent enough for the lines to be regular.
constexpr int64_t SHORTEST_PERIOD_NS = 10;
constexpr int64_t LONGEST_PERIOD_NS = 100'000;
constexpr std::chrono::milliseconds SHORTEST_CHECK{10};
constexpr std::chrono::milliseconds LONGEST_CHECK{100};
constexpr std::chrono::milliseconds TERMINAL_INTERVAL{200};
constexpr std::chrono::milliseconds LINE_INTERVAL{1000};

} // namespace

ProgressReporter::ProgressReporter(std::ostream& os,
                                   bool isTerminal,
                                   const MessageService& service,
                                   const PortCatalog* catalog)
    : m_os(os),
      m_isTerminal(isTerminal),
      m_service(service),
      m_catalog(catalog),
      m_period(NanoSeconds(SHORTEST_PERIOD_NS)),
      m_begin(Clock::now()),
      m_checked(m_begin),
      m_reported(m_begin)
{
}

Time
ProgressReporter::Check()
{
    const Clock::time_point now = Clock::now();
    const Clock::duration elapsed = now - m_checked;
    m_checked = now;
    if (elapsed < SHORTEST_CHECK)
    {
        m_period = Min(m_period + m_period, NanoSeconds(LONGEST_PERIOD_NS));
    }
    else if (elapsed > LONGEST_CHECK)
    {
        m_period = Max(PicoSeconds(m_period.GetPicoSeconds() / 2), NanoSeconds(SHORTEST_PERIOD_NS));
    }
    if (now - m_reported >= (m_isTerminal ? TERMINAL_INTERVAL : LINE_INTERVAL))
    {
        m_reported = now;
        Report();
    }
    return m_period;
}

void
ProgressReporter::Finish()
{
    Report();
    if (m_isTerminal)
    {
        m_os << std::endl;
    }
}

void
ProgressReporter::Report()
{
    const std::chrono::duration<double> seconds = Clock::now() - m_begin;
    std::ostringstream line;
    if (m_service.GetExpected() > 0) // in-network aggregation has none
    {
        line << m_service.GetCompleted() << " of " << m_service.GetExpected() << " messages, ";
    }
    line << std::fixed << std::setprecision(3) << Simulator::Now().GetNanoSeconds() / 1e3
         << " us simulated";
    if (m_catalog)
    {
        const double hops = m_catalog->GetPacketHops();
        line << ", " << std::setprecision(2) << hops / 1e6 / seconds.count()
             << " million packet-hops/s";
    }
    if (m_isTerminal)
    {
        m_os << '\r' << line.str() << "  " << std::flush;
    }
    else
    {
        m_os << line.str() << std::endl;
    }
}

} // namespace aifabric
} // namespace ns3
