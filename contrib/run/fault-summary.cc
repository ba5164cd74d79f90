/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fault-summary.h"

#include "fault-reader.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

FaultSummary::FaultSummary(const FabricScenario& scenario,
                           const RunFacts& facts,
                           const RunReport::Results& results)
    : m_scenario(scenario),
      m_facts(facts),
      m_results(results)
{
}

bool
FaultSummary::IsInRate(const FaultSpec& fault) const
{
    return !m_scenario.rho && FaultReader::IsDead(fault);
}

std::string
FaultSummary::DescribeBound() const
{
    const std::vector<FaultSpec>& faults = m_scenario.faults;
    const auto isInRate = [this](const FaultSpec& fault) { return IsInRate(fault); };
    std::string text;
    if (m_facts.rho < 1)
    {
        text = " (computed at the rate of the hosts";
    }
    if (!std::all_of(faults.begin(), faults.end(), isInRate))
    {
        const bool hasSome = std::any_of(faults.begin(), faults.end(), isInRate);
        text += text.empty() ? " (computed " : ", ";
        text += hasSome ? "without the other faults" : "without faults";
    }
    return text.empty() ? text : text + ")";
}

uint64_t
FaultSummary::CountBegins(const FaultSpec& fault) const
{
    const int64_t end = std::min(m_facts.endPs, fault.stopPs.value_or(m_facts.endPs));
    if (fault.startPs > 0 && fault.startPs >= end)
    {
        return 0;
    }
    if (fault.periodPs == 0)
    {
        return 1;
    }
    const int64_t begins = (end - fault.startPs - 1) / fault.periodPs + 1;
    return fault.count > 0 ? std::min(begins, fault.count) : begins;
}

bool
FaultSummary::EndedBeforeConvergence() const
{
    const auto isCut = [this](const FaultSpec& fault) {
        return fault.down && CountBegins(fault) > 0;
    };
    return m_scenario.convergencePs && m_facts.convergences == 0 &&
           std::any_of(m_scenario.faults.begin(), m_scenario.faults.end(), isCut);
}

void
FaultSummary::Print(std::ostream& os) const
{
    if (m_scenario.faults.empty())
    {
        return;
    }
    uint64_t begins = 0;
    for (const FaultSpec& fault : m_scenario.faults)
    {
        begins += CountBegins(fault);
    }
    const uint64_t lost = m_results.linkLosses + m_results.noRoute;
    os << "faults           ";
    if (begins == 0)
    {
        os << "none had begun when the run ended\n";
    }
    else if (lost == 0)
    {
        os << begins << " began; no frame was lost\n";
    }
    else
    {
        os << begins << " began; " << lost << " frames were lost on links or had no route\n";
    }
    if (EndedBeforeConvergence())
    {
        os << "warning          the run ended before all switches knew of a cut "
              "(--convergence="
           << m_scenario.options["convergence"].get<std::string>() << ")\n";
    }
}

} // namespace aifabric
} // namespace ns3
