/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAULT_HELP_H
#define FAULT_HELP_H

#include "fabric-scenario.h"

#include <cstdint>
#include <ostream>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What `--fail=help` prints: the places of a fabric at which something may fail, and what a fault
 * may be. Lines of links have nothing in front; all others begin with #.
 */
class FaultHelp
{
  public:
    /// @param scenario the fabric; must outlive this
    explicit FaultHelp(const FabricScenario& scenario);

    /// Print it.
    void Print(std::ostream& os) const;

  private:
    /// Print the links; of a large fabric the first and the last of each tier.
    void PrintLinks(std::ostream& os) const;

    /// Print hosts, switches and planes with their ports, a line for each tier.
    void PrintNodes(std::ostream& os) const;

    /// Print what a fault may be.
    static void PrintGrammar(std::ostream& os);

    const FabricScenario& m_scenario; //!< the fabric
};

} // namespace aifabric
} // namespace ns3

#endif /* FAULT_HELP_H */
