/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAULT_SUMMARY_H
#define FAULT_SUMMARY_H

#include "fabric-scenario.h"
#include "run-facts.h"

#include "ns3/run-report.h"

#include <cstdint>
#include <ostream>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the summary of a run says of the faults of links (`--fail`): how many began, how many frames
 * they have cost, whether routing learned of them, and whether the bound takes them into account.
 */
class FaultSummary
{
  public:
    /**
     * @param scenario the scenario; must outlive this
     * @param facts what is known of the run; must outlive this
     * @param results the numbers of the run; must outlive this
     */
    FaultSummary(const FabricScenario& scenario,
                 const RunFacts& facts,
                 const RunReport::Results& results);

    /// @return what the bound is computed from, in brackets; empty: hosts send at line rate, and
    /// there are no faults
    std::string DescribeBound() const;

    /// Print how many faults began, what they have cost, and whether routing learned of cuts.
    void Print(std::ostream& os) const;

  private:
    /// @return how often a fault has begun by the end of the run; one that flaps begins repeatedly
    uint64_t CountBegins(const FaultSpec& fault) const;

    /// @return whether the rate of the hosts, and so the bound, takes a fault into account
    bool IsInRate(const FaultSpec& fault) const;

    /// @return whether a link was cut, and the run ended before all switches knew of any cut
    bool EndedBeforeConvergence() const;

    const FabricScenario& m_scenario;    //!< the scenario
    const RunFacts& m_facts;             //!< what is known of the run
    const RunReport::Results& m_results; //!< the numbers of the run
};

} // namespace aifabric
} // namespace ns3

#endif /* FAULT_SUMMARY_H */
