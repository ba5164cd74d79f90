/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_ENGINEER_H
#define TRAFFIC_ENGINEER_H

#include "fabric-switch.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/policy-counters.h"
#include "ns3/te-balancer.h"
#include "ns3/te-solver.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Central traffic engineering: a controller that knows the demands of a job and the links, computes
 * a path for each demand (TeSolver), and writes it into the tables of the switches (TeBalancer).
 *
 * The tables of the job are there when it begins. The controller computes new ones some time after
 * a link was cut or restored: Debounce later, or when its next period begins, whichever is first.
 * What it knows then it writes into the switches ComputeTime plus ProgramTime later. Until then
 * switches use E-ECMP in place of entries whose next hop they know to be dead, and lose what
 * they send to links beyond that are dead, unless their routing has converged. Without a change of
 * links there is nothing to compute, so that periods cost no events.
 *
 * Switches have an entry for each choice on the path of a demand. The demands of a leaf that its
 * table has no room for, the slowest ones, are left to E-ECMP, and the solver does not count them.
 * So are, at other switches, those that come after the table is full.
 */
class TrafficEngineer : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TrafficEngineer();
    ~TrafficEngineer() override;

    /**
     * Compute the first paths, program the switches, and watch the links. To be called once, before
     * the switches are initialized.
     *
     * @param graph the fabric; must outlive the simulation
     * @param switches the switches, by id; those without a TeBalancer are left alone
     * @param channels the links, by id
     * @param demands who sends to whom
     * @param capacity of a link between switches, in line rates of a host
     */
    void Install(const FabricGraph& graph,
                 const std::vector<Ptr<FabricSwitch>>& switches,
                 const std::vector<Ptr<FabricChannel>>& channels,
                 const std::vector<TrafficDemand>& demands,
                 double capacity);

    /// Add what it has counted.  @param counters where
    void Count(PolicyCounters& counters) const;

    /// @return the largest load of a link that the solver has found last, in capacities of a link
    double GetMaxLoad() const;

    /**
     * Signature of the Programmed trace source.
     *
     * @param changes entries that were added, removed or changed
     * @param maxLoad the largest load of a link, in its capacities, as computed
     */
    typedef void (*ProgrammedTracedCallback)(uint32_t changes, double maxLoad);

  protected:
    void DoDispose() override;

  private:
    /// What one computation gives.
    struct Tables
    {
        std::vector<TeBalancer::Table> entries; //!< of all switches, by switch
        double maxLoad{0};                      //!< expected of the links, in line rates of a host
    };

    /// Leave out demands that the tables of leaves have no room for.
    /// @param demands all demands, with a path of more than two links
    void ChooseDemands(std::vector<TrafficDemand> demands);

    /// A link was cut or restored.  @param link id of the link  @param up whether frames pass
    void LinkChanged(uint32_t link, bool up);

    /// Compute the paths for the links as they are now, and have the switches programmed later.
    void Compute();

    /// Compute the paths for the links as they are now.  @return the entries of the switches
    Tables Solve();

    /// Add the entries of one plane.  @param solution its paths  @param [out] tables the entries
    void AddEntries(const TeSolution& solution, Tables& tables);

    /// Write entries into the switches.  @param tables the entries
    void Program(const Tables& tables);

    Time m_interval;      //!< the period
    Time m_debounce;      //!< from a change of a link until paths are computed, at most
    Time m_computeTime;   //!< until paths are computed
    Time m_programTime;   //!< until they are in the switches
    uint32_t m_sweeps{0}; //!< of the solver

    const FabricGraph* m_graph{nullptr};        //!< the fabric
    std::vector<Ptr<TeBalancer>> m_balancers;   //!< by switch; null: it has another one
    std::vector<Ptr<FabricChannel>> m_channels; //!< by id
    std::vector<TrafficDemand> m_demands;       //!< those with entries
    double m_capacity{1};                       //!< of a link, in line rates of a host
    /// By plane: the paths computed last
    std::vector<std::vector<std::vector<PathHop>>> m_paths;
    std::optional<int64_t> m_due; //!< when paths will be computed, in picoseconds
    uint64_t m_left{0};           //!< demands without an entry somewhere
    uint64_t m_runs{0};           //!< times that paths were computed
    uint64_t m_changes{0};        //!< entries that were changed after the first time
    double m_maxLoad{0};          //!< the largest load, as computed last
    TracedCallback<uint32_t, double> m_programmedTrace; //!< the switches have new entries
};

} // namespace aifabric
} // namespace ns3

#endif /* TRAFFIC_ENGINEER_H */
