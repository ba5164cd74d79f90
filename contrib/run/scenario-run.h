/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_RUN_H
#define SCENARIO_RUN_H

#include "aggregation-run.h"
#include "fabric-scenario.h"
#include "run-end.h"
#include "run-files.h"
#include "run-results.h"
#include "run-traffic.h"
#include "simulated-fabric.h"
#include "telemetry-watch.h"

#include "ns3/event-log.h"
#include "ns3/heartbeat.h"
#include "ns3/progress-reporter.h"
#include "ns3/stall-watch.h"

#include <functional>
#include <memory>
#include <ostream>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * One run of a FabricScenario: it builds the fabric, sends the traffic, and leaves the results.
 *
 * Random streams are fixed by what they are for, so runs that differ in policies only have the same
 * traffic, starts and losses. There may be one run a process.
 */
class ScenarioRun
{
  public:
    /// Make the folder for the results, and build what the scenario describes.  @param scenario the
    /// scenario; must outlive the run  @param messages where progress and reports of a stall go
    /// @throws OptionError if the folder cannot be written
    ScenarioRun(const FabricScenario& scenario, std::ostream& messages);

    ~ScenarioRun();

    /// Refuse what the run would refuse when it builds its fabric, as it would. Larger fabrics than
    /// take a moment are not built.
    static void Check(const FabricScenario& scenario);

    /// How a run ends. Unless all is completed, it reports why.
    enum class End
    {
        COMPLETED, //!< all messages were acknowledged
        FAILED,    //!< all but those of queue pairs that have given up
        STALLED    //!< there are no results
    };

    /// Run it.  @return how it ends
    End Run();

    /// Leave the results in the scenario's folder. To be called after Run().
    void WriteResults();

    /// Print the results, shortly. To be called after WriteResults().
    void PrintSummary(std::ostream& os) const;

  private:
    /// Make everything.
    void SetUp();

    /// Make the folder for the results.
    void OpenFolder();

    /// Make who carries the messages, and who starts them.
    void InstallTraffic();

    /// Make the captures.
    void InstallCaptures();

    /// Make who watches the run.
    void InstallObservers();

    /// Have someone take samples, from the start of the first message on.  @param sample takes one,
    /// and returns the time until the next one
    void AddSampler(const std::function<Time()>& sample);

    /// Take everything down; what files are open are closed.
    void TearDown();

    /// Say why the run will not end, on all ranks.  @param hasPart whether this one has a part in
    /// it
    void ReportStall(bool hasPart) const;

    /// Bring what all ranks have measured to rank 0.
    /// @param [in,out] measures of this rank, and then of all  @param [in,out] samples the same
    /// @param [in,out] mostActive queue pairs of a host that send, at most; the same
    void Gather(RunMeasures& measures, RunSamples& samples, uint32_t& mostActive);

    const FabricScenario& m_scenario;             //!< the scenario
    std::ostream& m_messages;                     //!< where progress and reports go
    RunFacts m_facts;                             //!< what is known of the run
    std::unique_ptr<RunFiles> m_files;            //!< where the results go
    RunTraffic m_traffic;                         //!< the messages
    Ptr<AggregationRun> m_aggregation;            //!< jobs whose gradients switches add up; or null
    std::unique_ptr<SimulatedFabric> m_fabric;    //!< the fabric
    std::unique_ptr<EventLog> m_events;           //!< who writes down what happens
    std::unique_ptr<TelemetryWatch> m_telemetry;  //!< samples the telemetry that was asked for
    std::unique_ptr<StallWatch> m_watch;          //!< who notices a stall
    std::unique_ptr<RunEnd> m_end;                //!< who ends the run
    std::unique_ptr<ProgressReporter> m_progress; //!< who says how far it is
    Heartbeat m_heartbeat;                        //!< who calls them
    std::unique_ptr<RunResults> m_results;        //!< what came of it
    bool m_isSetUp{false};                        //!< everything is made, on all ranks
};

} // namespace aifabric
} // namespace ns3

#endif /* SCENARIO_RUN_H */
