/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_TRAFFIC_H
#define RUN_TRAFFIC_H

#include "fabric-scenario.h"
#include "job-run.h"
#include "simulated-fabric.h"

#include "ns3/callback.h"
#include "ns3/collective-report.h"
#include "ns3/loss-oracle.h"
#include "ns3/message-service.h"
#include "ns3/run-measures.h"
#include "ns3/traffic-demand.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What came of the messages of a run.
struct TrafficOutcome
{
    std::vector<Flow> flows;                       //!< the messages of completed iterations
    std::vector<MessageOrigin> origins;            //!< which messages of collectives they are
    std::optional<IterationTimes> iteration;       //!< of collectives and training iterations
    std::unique_ptr<CollectiveReport> collectives; //!< the results of these
    nlohmann::ordered_json aggregation;            //!< results of aggregation in switches, or null
    std::optional<JobOutcome> job;                 //!< iterations and failures, if asked for
    int64_t periodPs{0};                           //!< the sending period
    uint32_t mostActive{0};                        //!< queue pairs of a host that send, at most
};

/**
 * @ingroup ai-fabric
 *
 * The messages of a FabricScenario, and who starts and carries them.
 */
class RunTraffic
{
  public:
    /// Make the messages that are known beforehand.  @param scenario the scenario; must outlive
    /// this
    explicit RunTraffic(const FabricScenario& scenario);

    /// Make who carries the messages, and who starts them.  @param complete called when all is done
    void Install(const FabricParts& fabric, const Callback<void>& complete);

    /// @return who carries them
    const MessageService& GetService() const
    {
        return *m_service;
    }

    /// @return the messages that are known beforehand
    const std::vector<Flow>& GetFlows() const
    {
        return m_flows;
    }

    /// @return what hosts send to each other in an iteration, acknowledgements included
    /// @param bound what is known of links, frames and NICs
    std::vector<TrafficDemand> GetDemands(const BoundParameters& bound) const;

    /// @return when the first message starts, in ps
    int64_t FirstStart() const;

    /// End with the messages that have come: failed queue pairs keep the others.
    void EndByFailure();

    /// @return what came of the messages, to be taken once  @param bound what is known of links,
    /// frames and NICs
    TrafficOutcome TakeOutcome(const BoundParameters& bound);

    /// Leave only the messages of completed iterations.  @param [in,out] flows all messages
    void KeepCompleted(std::vector<RunMeasures::FlowTimes>& flows) const;

    /// Take it down.
    void Dispose();

  private:
    /// Leave only the entries of messages of completed iterations.
    /// @tparam T of an entry  @param [in,out] entries those of all messages
    template <typename T>
    void Keep(std::vector<T>& entries) const;

    /// @return the sending period, in ps  @param bound what is known of links, frames and NICs
    int64_t GetPeriodPs(const BoundParameters& bound) const;

    const FabricScenario& m_scenario; //!< the scenario
    std::vector<Flow> m_flows;        //!< the messages
    Ptr<LossOracle> m_oracle;         //!< reports losses to senders
    Ptr<MessageService> m_service;    //!< who carries them
    JobRun m_job;                     //!< who starts them
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_TRAFFIC_H */
