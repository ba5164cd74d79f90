/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "policy-kinds.h"

#include "ns3/host-balancer.h"
#include "ns3/switch-balancer.h"

namespace ns3
{
namespace aifabric
{

namespace
{

const std::string NO_TIERS = "not in a fabric that has no tiers: ";

/// @return what of a Clos network a balancer relies on; empty: nothing
std::string
FindClosNeed(TypeId balancer)
{
    if (!balancer.IsChildOf(HostBalancer::GetTypeId()))
    {
        return MakePolicy<SwitchBalancer>(balancer)->GetClosNeed();
    }
    const auto host = MakePolicy<HostBalancer>(balancer);
    const std::string need = host->GetClosNeed();
    return need.empty() ? MakePolicy<SwitchBalancer>(host->GetSwitchBalancer())->GetClosNeed()
                        : need;
}

/// Refuses what needs a Clos network, with a fabric of another shape.
class ShapeCheck : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Refuse a balancer that needs tiers.  @param option what names it
    void CheckBalancer(const std::string& option, TypeId balancer) const
    {
        const std::string need = FindClosNeed(balancer);
        RefuseIf(!need.empty(), option, NO_TIERS + need);
    }

    /// Refuse a balancer of switches that cannot work with the fabric.  @param option what names it
    void CheckObstacle(const std::string& option, TypeId balancer) const
    {
        if (balancer.IsChildOf(SwitchBalancer::GetTypeId()))
        {
            const std::string obstacle =
                MakePolicy<SwitchBalancer>(balancer)->FindObstacle(*m_scenario.graph);
            RefuseIf(!obstacle.empty(), option, "not in a fabric with " + obstacle);
        }
    }

    /// Refuse all else that needs tiers.
    void CheckRest() const
    {
        RefuseIf(m_scenario.aggregation.has_value(),
                 "algorithm",
                 NO_TIERS + "sums go from the leaves of racks to one root");
        RefuseIf(!m_scenario.acksInFabric,
                 "acks",
                 NO_TIERS + "acknowledgements beside the fabric take the same time for each link");
        RefuseIf(!m_scenario.rho, "rho", NO_TIERS + "max counts the paths between leaves");
    }
};

} // namespace

void
CheckBalancerShape(const OptionTable& table,
                   FabricScenario& scenario,
                   const std::string& option,
                   TypeId balancer)
{
    const ShapeCheck check(table, scenario);
    if (!scenario.graph->IsClos())
    {
        check.CheckBalancer(option, balancer);
    }
    check.CheckObstacle(option, balancer);
}

void
CheckShape(const OptionTable& table, FabricScenario& scenario)
{
    if (!scenario.graph->IsClos())
    {
        ShapeCheck(table, scenario).CheckRest();
    }
}

} // namespace aifabric
} // namespace ns3
