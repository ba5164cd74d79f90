/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stall-watch.h"

#include "ns3/csv-writer.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* GIVEN_UP = "a queue pair has given up"; //!< a reason
constexpr int64_t CHECKS = 4;                                 //!< while patience lasts
constexpr std::size_t MAX_LISTED = 10; //!< queue pairs, ports and links that are named

/// Writes a list of names on one line, or nothing if it is empty.  @param title what they are
void
PrintNames(std::ostream& os, const std::string& title, const std::set<std::string>& names)
{
    if (names.empty())
    {
        return;
    }
    os << "  " << title << ":";
    std::size_t listed = 0;
    for (const std::string& name : names)
    {
        if (listed == MAX_LISTED)
        {
            os << " and " << names.size() - listed << " more";
            break;
        }
        os << (listed++ ? ", " : " ") << name;
    }
    os << "\n";
}

/// @return a number in the way of queue pair numbers
std::string
Hex(uint32_t number)
{
    std::ostringstream os;
    os << "0x" << std::hex << number;
    return os.str();
}

} // namespace

StallWatch::StallWatch(const MessageService& service,
                       const std::vector<Ptr<RoceNetDevice>>& nics,
                       const std::vector<Ptr<FabricSwitch>>& switches,
                       const PortCatalog& catalog,
                       Time patience)
    : m_service(service),
      m_nics(nics),
      m_switches(switches),
      m_catalog(catalog),
      m_patience(patience),
      m_reportState([this](uint8_t state) { ProcessStates(state, 0); }),
      m_interval(Max(PicoSeconds(patience.GetPicoSeconds() / CHECKS), PicoSeconds(1)))
{
}

void
StallWatch::SetTakesFailures(bool takes)
{
    m_takesFailures = takes;
}

void
StallWatch::AddOutage(int64_t startPs, int64_t stopPs)
{
    m_outages.emplace_back(startPs, stopPs);
}

bool
StallWatch::IsCut(int64_t now) const
{
    return std::any_of(m_outages.begin(), m_outages.end(), [now](const auto& outage) {
        return outage.first <= now && now < outage.second;
    });
}

Time
StallWatch::Check()
{
    if (!m_why.empty())
    {
        return Time(0); // the run is about to end
    }
    const Progress progress = GetProgress();
    const bool hasMoved = progress.made != m_made;
    m_made = progress.made;
    m_reportState((progress.isPending ? PENDING : 0) | (hasMoved ? MOVED : 0) |
                  (progress.hasFailed ? FAILED : 0));
    return m_interval;
}

void
StallWatch::ProcessStates(uint8_t states, int64_t age)
{
    if (!m_why.empty())
    {
        return;
    }
    const Time then = PicoSeconds(FabricClock::Now() - age);
    const bool isWaiting = states & (PENDING | FAILED);
    if (!isWaiting || (states & MOVED) || IsCut(then.GetPicoSeconds()))
    {
        m_progressAt = then;
    }
    const Time wait = then - m_progressAt;
    if ((states & FAILED) && !m_takesFailures)
    {
        Stop(GIVEN_UP, true);
    }
    else if (wait >= m_patience)
    {
        const bool isStall = states & PENDING;
        Stop(isStall ? "nothing was acknowledged for " + FormatNs(wait.GetPicoSeconds()) + " ns"
                     : GIVEN_UP,
             isStall);
    }
}

void
StallWatch::SetStateReporter(StateReporter reporter, Time time)
{
    m_reportState = std::move(reporter);
    m_interval = Max(m_interval, time);
}

void
StallWatch::RanDry()
{
    const Progress progress = GetProgress();
    const bool hasMessages = m_service.GetExpected() > 0; // or endpoints of another kind
    if (hasMessages ? m_service.GetCompleted() < m_service.GetExpected()
                    : progress.isPending || progress.hasFailed)
    {
        const bool isStall = !progress.hasFailed || progress.isPending || !m_takesFailures;
        Stop(progress.hasFailed ? GIVEN_UP : "no event is scheduled any more", isStall);
    }
}

void
StallWatch::Stop(const std::string& why, bool isStall)
{
    m_why = why;
    m_hasStalled = isStall;
    for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
    {
        entry.port->GetTransmitter().Advance(FabricClock::Now()); // which decide late: for Print()
    }
    Simulator::Stop();
}

bool
StallWatch::HasStalled() const
{
    return m_hasStalled;
}

bool
StallWatch::HasFailed() const
{
    return !m_why.empty() && !m_hasStalled;
}

StallWatch::Progress
StallWatch::GetProgress() const
{
    Progress progress;
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
        {
            const Ptr<Endpoint> endpoint = nic->GetEndpoint(i);
            if (endpoint->isBackground)
            {
                continue; // the run does not wait for it
            }
            const bool isPending = endpoint->IsPending();
            const bool hasFailed = endpoint->HasFailed();
            progress.made += endpoint->GetProgress() + hasFailed;
            progress.isPending |= isPending && !hasFailed;
            progress.hasFailed |= isPending && hasFailed;
        }
    }
    return progress;
}

void
StallWatch::Print(std::ostream& os) const
{
    const std::size_t messages = m_service.GetExpected();
    os << (m_hasStalled ? "stalled" : "ended") << " after "
       << FormatNs(Simulator::Now().GetPicoSeconds()) << " ns simulated, ";
    if (messages > 0) // in-network aggregation has none
    {
        os << messages - m_service.GetCompleted() << " of " << messages << " messages "
           << (m_hasStalled ? "pending: " : "failed: ");
    }
    os << m_why << "\n";
    const std::size_t failed = PrintQueuePairs(os, true, MAX_LISTED);
    const std::size_t listed = std::min(failed, MAX_LISTED);
    const std::size_t waiting = failed + PrintQueuePairs(os, false, MAX_LISTED - listed);
    if (waiting > MAX_LISTED)
    {
        os << "  and " << waiting - MAX_LISTED << " more queue pairs wait\n";
    }
    PrintAdvice(os);
    PrintLosses(os);
    PrintPorts(os);
}

void
StallWatch::PrintAdvice(std::ostream& os) const
{
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
        {
            const Ptr<Endpoint> endpoint = nic->GetEndpoint(i);
            TimeValue least;
            if (endpoint->IsPending() && endpoint->HasFailed() &&
                endpoint->GetAttributeFailSafe("RetryTime", least))
            {
                os << "  queue pairs survive " << FormatNs(least.Get().GetPicoSeconds())
                   << " ns without progress: raise " << endpoint->GetInstanceTypeId().GetName()
                   << "::RetryTime\n";
                return;
            }
        }
    }
}

void
StallWatch::PrintLosses(std::ostream& os) const
{
    uint64_t lost = 0;
    for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
    {
        lost += entry.port->GetTransmitter().GetCounters().lostFrames;
    }
    if (lost > 0)
    {
        os << "  frames lost on links: " << lost << "\n";
    }
    for (uint8_t i = 0; i < FabricSwitch::DROP_REASONS; ++i)
    {
        const auto reason = static_cast<FabricSwitch::DropReason>(i);
        uint64_t dropped = 0;
        for (const Ptr<FabricSwitch>& fabricSwitch : m_switches)
        {
            dropped += fabricSwitch->GetDropped(reason);
        }
        if (dropped > 0)
        {
            os << "  frames dropped by switches (" << FabricSwitch::GetReasonName(reason)
               << "): " << dropped << "\n";
        }
    }
}

std::size_t
StallWatch::PrintQueuePairs(std::ostream& os, bool failed, std::size_t lines) const
{
    std::size_t count = 0;
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
        {
            const Ptr<Endpoint> endpoint = nic->GetEndpoint(i);
            if (!endpoint->isBackground && endpoint->IsPending() &&
                endpoint->HasFailed() == failed && ++count <= lines)
            {
                os << "  host-" << nic->GetHost() << " queue pair "
                   << Hex(RoceNetDevice::GetNumber(i)) << " ";
                endpoint->Describe(os);
                os << "\n";
            }
        }
    }
    return count;
}

void
StallWatch::PrintPorts(std::ostream& os) const
{
    std::set<std::string> paused;
    std::set<std::string> dead;
    for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
    {
        if (entry.port->GetTransmitter().GetPaused())
        {
            paused.insert(entry.name);
        }
        if (!entry.port->GetChannel()->IsUp() && entry.name.compare(0, 5, "host-") != 0)
        {
            dead.insert(entry.name);
        }
    }
    PrintNames(os, "paused ports", paused);
    PrintNames(os, "ports with a dead link", dead);
}

} // namespace aifabric
} // namespace ns3
