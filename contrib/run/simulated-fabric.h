/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIMULATED_FABRIC_H
#define SIMULATED_FABRIC_H

#include "fabric-scenario.h"

#include "ns3/ack-bypass.h"
#include "ns3/clos-helper.h"
#include "ns3/ev-denylist.h"
#include "ns3/event-log.h"
#include "ns3/fabric-prober.h"
#include "ns3/fabric.h"
#include "ns3/lower-bound.h"
#include "ns3/port-catalog.h"
#include "ns3/route-convergence.h"
#include "ns3/traffic-demand.h"
#include "ns3/traffic-engineer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// A fabric and its parts.
struct FabricParts
{
    Ptr<Fabric> fabric;                       //!< the fabric
    std::vector<Ptr<RoceNetDevice>> nics;     //!< its NICs
    std::vector<Ptr<FabricSwitch>> switches;  //!< its switches
    std::vector<Ptr<FabricChannel>> channels; //!< its channels
};

/**
 * @ingroup ai-fabric
 *
 * The fabric of a FabricScenario, built with its policies, and what happens to its links.
 */
class SimulatedFabric
{
  public:
    /// Build the fabric.  @param scenario the scenario; must outlive this  @param rho what hosts
    /// send, of the line rate  @throws OptionError if the buffers are too small
    SimulatedFabric(const FabricScenario& scenario, double rho);

    /// Give all parts their random streams.
    void AssignStreams() const;

    /// Make what happens to links, and have switches learn of it.  @param events who writes it
    /// down; must outlive the simulation
    void InstallFaults(EventLog& events);

    /// Compute the paths of the job centrally, for switches that have tables for them.
    /// @param demands what hosts send to each other  @param events who writes down new tables; must
    /// outlive the simulation
    void InstallEngineer(const std::vector<TrafficDemand>& demands, EventLog& events);

    /// @return who computes paths centrally, or nullptr
    Ptr<const TrafficEngineer> GetEngineer() const
    {
        return m_engineer;
    }

    /// Send probes over all links, if that was asked for. To be called before any NIC has a queue
    /// pair.  @param events who writes down what has failed; must outlive the simulation
    void InstallProber(EventLog& events);

    /// Deny the entropy values that cross links of the denylist, if there is one.
    void InstallDenylist();

    /// @return who sends probes over all links, or nullptr
    Ptr<const FabricProber> GetProber() const
    {
        return m_prober;
    }

    /// Carry acknowledgements past the fabric, if that was asked for.
    void InstallBypass();

    /// Have all nodes and their policies refuse what they refuse.
    void InitializeNodes() const;

    /// Take it down; only GetCatalog() is left.
    void Dispose();

    /// @return the fabric and its parts
    const FabricParts& GetParts() const
    {
        return m_parts;
    }

    /// @return its ports
    const PortCatalog& GetCatalog() const
    {
        return *m_catalog;
    }

    /// @return what announces failures to switches; there after InstallFaults()
    const RouteConvergence& GetConvergence() const
    {
        return *m_convergence;
    }

    /// @return what the bounds know of links, frames and NICs
    BoundParameters GetBoundParameters() const;

  private:
    /// Say how NICs, ports and switches are made.  @param helper makes them
    void Configure(ClosHelper& helper) const;

    /// @return the least latency of a switch
    Time GetLeastLatency() const;

    /// Give a switch its buffer.
    void SetBuffer(const FabricSwitch& fabricSwitch, uint8_t tier) const;

    /// Set defaults of attributes that follow from the fabric, unless the user gave them.
    void SetUsuals() const;

    /// Give an attribute the default that this fabric suggests, unless the user gave one.
    /// @param attribute its full name  @param value the default
    void SetUsual(const std::string& attribute, Time value) const;

    /// Make what happens to a link.  @param spec what  @param events who writes it down
    void InstallFault(const FaultSpec& spec, EventLog& events);

    /// Have switches learn of failures.  @param events who writes it down
    void InstallConvergence(EventLog& events);

    const FabricScenario& m_scenario;       //!< the scenario
    double m_rho;                           //!< what hosts send, of the line rate
    FabricParts m_parts;                    //!< the fabric
    std::optional<PortCatalog> m_catalog;   //!< its ports
    Ptr<AckBypass> m_bypass;                //!< carries acknowledgements, or null
    std::vector<Ptr<Object>> m_faults;      //!< what happens to links
    Ptr<FabricProber> m_prober;             //!< sends probes over all links, or null
    std::unique_ptr<EvDenylist> m_denylist; //!< denies entropy values, or null
    Ptr<RouteConvergence> m_convergence;    //!< announces link states to switches
    Ptr<TrafficEngineer> m_engineer;        //!< computes paths centrally, or null
};

} // namespace aifabric
} // namespace ns3

#endif /* SIMULATED_FABRIC_H */
