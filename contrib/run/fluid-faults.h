/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_FAULTS_H
#define FLUID_FAULTS_H

#include "fabric-scenario.h"

#include "ns3/fluid-carrier.h"
#include "ns3/function-callback.h"
#include "ns3/link-fault.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Has a FluidCarrier know of faults as they begin and end.
class FluidFaults
{
  public:
    /**
     * @param scenario has the faults; must outlive the simulation
     * @param faults the same, in the same order
     * @param carrier learns of those that do not last from the start for good
     */
    FluidFaults(const FabricScenario& scenario,
                const std::vector<Ptr<LinkFault>>& faults,
                const Ptr<FluidCarrier>& carrier)
        : m_scenario(scenario),
          m_faults(faults),
          m_carrier(carrier)
    {
        for (std::size_t i = 0; i < m_faults.size(); ++i)
        {
            const uint32_t link = m_scenario.faults[i].link;
            const auto follow = FunctionCallback<void, Ptr<const LinkFault>>(
                [this, link](Ptr<const LinkFault>) { Update(link); });
            m_faults[i]->TraceConnectWithoutContext("Begin", follow);
            m_faults[i]->TraceConnectWithoutContext("End", follow);
            if (m_faults[i]->IsActive() && !m_scenario.faults[i].Lasts())
            {
                Update(link);
            }
        }
    }

  private:
    /// A fault of a link has begun or ended.  @param link its id
    void Update(uint32_t link)
    {
        double up = 1;
        double down = 1;
        for (std::size_t i = 0; i < m_faults.size(); ++i)
        {
            const FaultSpec& fault = m_scenario.faults[i];
            if (fault.link == link && m_faults[i]->IsActive() && !fault.Lasts())
            {
                up *= fault.GetSpeed(LinkFault::UP);
                down *= fault.GetSpeed(LinkFault::DOWN);
            }
        }
        m_carrier->SetSpeed(2 * link, up);
        m_carrier->SetSpeed(2 * link + 1, down);
    }

    const FabricScenario& m_scenario;           //!< has the faults
    const std::vector<Ptr<LinkFault>> m_faults; //!< in the same order
    const Ptr<FluidCarrier> m_carrier;          //!< learns of them
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_FAULTS_H */
