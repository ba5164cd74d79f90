/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_RUN_H
#define SCENARIO_RUN_H

#include "fabric-scenario.h"
#include "run-end.h"

#include "ns3/ack-bypass.h"
#include "ns3/byte-reader.h"
#include "ns3/clos-helper.h"
#include "ns3/collective-report.h"
#include "ns3/event-log.h"
#include "ns3/fabric.h"
#include "ns3/flow-driver.h"
#include "ns3/heartbeat.h"
#include "ns3/loss-oracle.h"
#include "ns3/message-service.h"
#include "ns3/output-folder.h"
#include "ns3/port-catalog.h"
#include "ns3/process-cost.h"
#include "ns3/progress-reporter.h"
#include "ns3/queue-sampler.h"
#include "ns3/route-convergence.h"
#include "ns3/run-report.h"
#include "ns3/stall-watch.h"
#include "ns3/training-driver.h"

#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

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
    /**
     * Make the folder for the results, and build what the scenario describes.
     *
     * @param scenario the scenario; must outlive the run
     * @param messages where progress and reports of a stall go
     * @throws OptionError if the folder cannot be written
     */
    ScenarioRun(const FabricScenario& scenario, std::ostream& messages);

    ~ScenarioRun();

    /**
     * Refuse what the run would refuse when it builds its fabric, as it would. Larger fabrics than
     * take a moment are not built.
     *
     * @param scenario the scenario
     */
    static void Check(const FabricScenario& scenario);

    /**
     * Run it.
     *
     * @return whether all messages were completed; if not, why was reported
     */
    bool Run();

    /// Leave the results in the scenario's folder. To be called after Run().
    void WriteResults();

    /**
     * Print the results, shortly. To be called after WriteResults().
     *
     * @param os where
     */
    void PrintSummary(std::ostream& os) const;

  private:
    /// Build nothing yet.  @param scenario the scenario
    explicit ScenarioRun(const FabricScenario& scenario);

    /// Have all nodes and their policies refuse what they refuse.
    void InitializeNodes() const;

    /// Warn of a completion time that only an ideal recovery reaches, because much was lost.
    /// @param os where
    void PrintWarning(std::ostream& os) const;

    /// A file that some rank captures.
    struct CaptureFile
    {
        std::string path; //!< the file
        uint32_t rank;    //!< who writes it
    };

    /// Take everything down; what files are open are closed.
    void TearDown();

    /// Make everything.
    void SetUp();

    /// Make the folder for the results.
    void OpenFolder();

    /// Make the fabric.
    void BuildFabric();

    /// Install the balancer, in switches or in NICs.  @param helper builds the fabric
    void UseBalancer(ClosHelper& helper) const;

    /// Give all parts their random streams.
    void AssignStreams() const;

    /// Make who carries the messages, and who starts them.
    void InstallTraffic();

    /// Say what the attributes of policies are that depend on the fabric.
    void SetUsuals() const;

    /// Keep what is known of the messages before everything is taken down.
    /// @param bound what is known of links, frames and NICs
    void KeepTraffic(const BoundParameters& bound);

    /// Give an attribute the default that this fabric suggests, unless the user gave one.
    /// @param attribute class and attribute  @param value the default
    void SetUsual(const std::string& attribute, Time value) const;

    /// Make what happens to links, and who learns of it.
    void InstallFaults();

    /// Have switches learn of failures.
    void InstallConvergence();

    /// Make the captures.
    void InstallCaptures();

    /// Carry acknowledgements past the fabric, if that was asked for.
    void InstallBypass();

    /// @return the sending period, in ps
    int64_t GetPeriodPs() const;

    /// Say why the run will not end, on all ranks.  @param hasPart whether this one has a part in
    /// it
    void ReportStall(bool hasPart) const;

    /// Bring what all ranks have measured to rank 0.
    /// @param [in,out] measures of this rank, and then of all  @param [in,out] samples the same
    void Gather(RunMeasures& measures, QueueSamples& samples);

    /// Put the events of all ranks in one file.  @param logs those of each
    void MergeEvents(std::vector<std::istringstream>& logs) const;

    /// Take what another rank has written.  @param rank the rank  @param reader its files
    void TakeFiles(uint32_t rank, ByteReader& reader);

    /// Write run.json.
    void WriteSummary();

    /// Make who watches the run.
    void InstallObservers();

    /// @return when the first message starts, in ps
    int64_t FirstStart() const;

    /// @return what the bounds know of links, frames and NICs
    BoundParameters GetBoundParameters() const;

    /// @return the traffic, if it is regular
    RunReport::Matrix GetMatrix() const;

    /// Fill run.json.  @param json the object
    void Summarize(nlohmann::ordered_json& json) const;

    /// Add what was known of failures.  @param results the object that is to hold it
    void AddFailures(nlohmann::ordered_json& results) const;

    /// Add what the run has cost.  @param results the object that is to hold it
    void AddCost(nlohmann::ordered_json& results) const;

    const FabricScenario& m_scenario;                //!< the scenario
    std::ostream& m_messages;                        //!< where progress and reports go
    ProcessCost m_cost;                              //!< what the run costs
    std::unique_ptr<OutputFolder> m_folder;          //!< where the results go
    Ptr<Fabric> m_fabric;                            //!< the fabric
    std::vector<Ptr<RoceNetDevice>> m_nics;          //!< its NICs
    std::vector<Ptr<FabricSwitch>> m_switches;       //!< its switches
    std::vector<Ptr<FabricChannel>> m_channels;      //!< its channels
    Ptr<LossOracle> m_oracle;                        //!< who tells of losses
    Ptr<AckBypass> m_bypass;                         //!< who carries acknowledgements, or nobody
    std::vector<Flow> m_flows;                       //!< the messages
    uint32_t m_mostActive{0};                        //!< queue pairs of a host that send, at most
    Ptr<FlowDriver> m_driver;                        //!< who starts them, if they are flows
    Ptr<TrainingDriver> m_training;                  //!< who starts them, if it is not flows
    std::vector<MessageOrigin> m_origins;            //!< which messages of collectives they are
    std::optional<IterationTimes> m_iteration;       //!< of collectives and training iterations
    std::unique_ptr<CollectiveReport> m_collectives; //!< the results of these
    Ptr<MessageService> m_service;                   //!< who carries them
    std::vector<Ptr<Object>> m_faults;               //!< what happens to links
    Ptr<RouteConvergence> m_convergence;             //!< who tells switches of it
    double m_rhoMax{1};                              //!< what the links can bear, of the line rate
    double m_rho{1};                                 //!< what hosts send, of the line rate
    std::unique_ptr<PortCatalog> m_catalog;          //!< the ports
    std::unique_ptr<EventLog> m_events;              //!< who writes down what happens
    std::unique_ptr<QueueSampler> m_sampler;         //!< who looks at the queues
    std::unique_ptr<StallWatch> m_watch;             //!< who notices a stall
    std::unique_ptr<RunEnd> m_end;                   //!< who ends the run
    std::unique_ptr<ProgressReporter> m_progress;    //!< who says how far it is
    Heartbeat m_heartbeat;                           //!< who calls them
    std::unique_ptr<RunReport> m_report;             //!< what came of it
    bool m_isSetUp{false};                           //!< everything is made, on all ranks
    std::string m_scratch;               //!< folder of a rank other than 0, which writes elsewhere
    std::string m_eventPath;             //!< where the events of this rank are written
    std::vector<CaptureFile> m_captures; //!< the captures
    int64_t m_period{0};                 //!< the sending period, in ps
    uint64_t m_convergences{0};          //!< how often routing has converged
    uint64_t m_updatedSwitches{0};       //!< switches that had to change
    uint64_t m_eventCount{0};            //!< events of the run itself
    double m_cpuSeconds{0};              //!< of all ranks
    double m_loopSeconds{0};             //!< on the clock, of the event loop
    uint64_t m_peakBytes{0};             //!< of the rank that needed most
};

} // namespace aifabric
} // namespace ns3

#endif /* SCENARIO_RUN_H */
