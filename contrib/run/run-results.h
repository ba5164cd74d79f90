/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include "fabric-scenario.h"
#include "run-traffic.h"
#include "telemetry-watch.h"

#include "ns3/output-folder.h"
#include "ns3/pause-counts.h"
#include "ns3/plane-series.h"
#include "ns3/process-cost.h"
#include "ns3/run-report.h"

#include <optional>
#include <ostream>

namespace ns3
{
namespace aifabric
{

/// What is known of a run beside what was measured.
struct RunFacts
{
    ProcessCost cost;            //!< of this process, since the run was made
    double rhoMax{1};            //!< what the links can bear, of the line rate
    double rho{1};               //!< what hosts send, of the line rate
    uint64_t convergences{0};    //!< how often routing has converged
    uint64_t updatedSwitches{0}; //!< switches that had to change
    uint64_t events{0};          //!< of the run itself
    double cpuSeconds{0};        //!< of all ranks
    double loopSeconds{0};       //!< on the clock, of the event loop
    uint64_t peakBytes{0};       //!< of the rank that needed most
    int64_t endPs{0};            //!< when measuring ended
};

/**
 * @ingroup ai-fabric
 *
 * The results of a run: its tables, run.json, and what is printed of them.
 */
class RunResults
{
  public:
    /// @param scenario the scenario; must outlive this  @param catalog the ports; must outlive
    /// this  @param facts what is known of the run; must outlive this  @param outcome what came of
    /// its messages  @param measures what was measured on all ranks  @param bound what is known of
    /// links, frames and NICs
    RunResults(const FabricScenario& scenario,
               const PortCatalog& catalog,
               const RunFacts& facts,
               TrafficOutcome outcome,
               RunMeasures measures,
               const BoundParameters& bound);

    /// Write all files.  @param folder where  @param samples what was seen while the run went on
    void Write(OutputFolder& folder, const RunSamples& samples) const;

    /// Print the results, shortly.
    void Print(std::ostream& os) const;

  private:
    /// Write the tables of telemetry.  @param folder where  @param samples what was seen
    void WriteTelemetry(OutputFolder& folder, const RunSamples& samples) const;

    /// Write the tables of planes over time.  @param folder where  @param series what was seen
    static void WritePlanes(OutputFolder& folder, const PlaneSeries& series);

    /// @return run.json  @param folder the folder with all other files
    /// @param samples what was seen while the run went on
    nlohmann::ordered_json Summarize(const OutputFolder& folder, const RunSamples& samples) const;

    /// Add what was known of failures.  @param results the object that is to hold it
    void AddFailures(nlohmann::ordered_json& results) const;

    /// Add what the run has cost.  @param results the object that is to hold it
    void AddCost(nlohmann::ordered_json& results) const;

    /// Say how many messages failed, if any did.
    void PrintFailures(std::ostream& os) const;

    /// Print from which queue on switches mark, if that was derived, and warn if none marks
    /// although the congestion control expects it.
    void PrintMarks(std::ostream& os) const;

    /// Print the rate at which hosts send, if they have several planes or send below line rate.
    void PrintRate(std::ostream& os) const;

    /// Warn of a completion time that only an ideal recovery reaches, because much was lost.
    void PrintWarning(std::ostream& os) const;

    /// @return the traffic, if it is regular
    RunReport::Matrix GetMatrix() const;

    const FabricScenario& m_scenario; //!< the scenario
    const PortCatalog& m_catalog;     //!< the ports
    const RunFacts& m_facts;          //!< what is known of the run
    TrafficOutcome m_outcome;         //!< what came of its messages
    RunReport m_report;               //!< the numbers
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_RESULTS_H */
