/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_HELPER_H
#define AGGREGATION_HELPER_H

#include "fabric.h"

#include "ns3/aggregation-driver.h"
#include "ns3/aggregation-stage.h"
#include "ns3/object-factory.h"
#include "ns3/parameter-server.h"

#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Who takes part in a job.
struct AggregationMembers
{
    Ptr<AggregationJob> job;                  //!< the job; null: there is no memory for its pool
    std::vector<Ptr<GradientWorker>> workers; //!< by number
};

/**
 * @ingroup ai-fabric
 *
 * Installs in-network aggregation in a fabric of one plane: a stage with memory in each switch that
 * has hosts, and the workers, parameter server and driver of each job.
 */
class AggregationHelper
{
  public:
    /// Which system adds up gradients.
    enum System : uint8_t
    {
        ATP,      //!< AtpMemory
        SWITCHML, //!< SwitchMlMemory
        ESA,      //!< EsaMemory
    };

    /// @return values in a packet
    static uint32_t GetValues(System system);

    /// @return the type of workers
    static TypeId GetWorkerType(System system);

    /// How switches and workers do it.
    struct Options
    {
        System system{ATP}; //!< which system
        uint32_t slots{0};  //!< of each switch; 0: the attribute of SlotStage or SwitchMlStage
    };

    /// Install the stages. To be called before the simulation begins.  @param options how to add up
    AggregationHelper(Ptr<Fabric> fabric, const Options& options);

    /// Set an attribute of workers to come.
    void SetWorkerAttribute(const std::string& name, const AttributeValue& value);

    /// Set an attribute of parameter servers to come.
    void SetServerAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Install a job.
     *
     * @param plan its number, workers, server, window and gradients; the helper sets the rest
     * @param shape what it does
     * @return its driver; null: there is no memory for its pool (SwitchML)
     */
    Ptr<AggregationDriver> Install(AggregationPlan plan, const AggregationShape& shape);

    /// Install a job without a driver, as GradientGroup has it.
    /// @param plan its number, workers, server, window and gradients; the helper sets the rest
    /// @return its members
    AggregationMembers InstallMembers(AggregationPlan plan);

    /// @return who takes part in the jobs, in the order of installation
    const std::vector<AggregationMembers>& GetMembers() const
    {
        return m_members;
    }

    /// @return the drivers of all jobs that have one, in the order of installation
    const std::vector<Ptr<AggregationDriver>>& GetDrivers() const
    {
        return m_drivers;
    }

    /// @return the parameter servers of all jobs; SwitchML has none
    const std::vector<Ptr<ParameterServer>>& GetServers() const
    {
        return m_servers;
    }

    /// @return the stages of all switches that have hosts
    const std::vector<Ptr<AggregationStage>>& GetStages() const
    {
        return m_stages;
    }

    /// Assign fixed random streams to all drivers.  @param stream the first one
    /// @return how many they use
    int64_t AssignStreams(int64_t stream) const;

  private:
    /// @return a stage with its memory
    Ptr<AggregationStage> MakeStage() const;

    /// Set the number of slots, unless it is that of the attribute.
    void SetSlots(AggregationStage& stage) const;

    Ptr<Fabric> m_fabric;                          //!< the fabric
    Options m_options;                             //!< how to add up
    ObjectFactory m_worker;                        //!< of workers
    ObjectFactory m_server;                        //!< of parameter servers
    std::vector<Ptr<AggregationStage>> m_stages;   //!< by switch
    std::vector<AggregationMembers> m_members;     //!< by job
    std::vector<Ptr<AggregationDriver>> m_drivers; //!< by job
    std::vector<Ptr<ParameterServer>> m_servers;   //!< by job
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_HELPER_H */
