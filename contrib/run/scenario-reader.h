/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_READER_H
#define SCENARIO_READER_H

#include "fabric-scenario.h"
#include "option-table.h"

#include <optional>
#include <set>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Makes a FabricScenario of a command line.
 */
class ScenarioReader
{
  public:
    ScenarioReader();

    /**
     * Read a command line. Attribute defaults that it names are set. To be called once.
     *
     * @param argv the arguments, the program's name first
     * @return the scenario; nothing, if the user only asked for help and was answered
     * @throws std::invalid_argument with one line that says which option cannot be accepted and why
     */
    std::optional<FabricScenario> Read(int argc, char* argv[]);

  private:
    /// @return whether a list of policies was asked for; it has been printed then
    bool PrintsPolicies() const;

    /// Note for run.json what was given. Sections replace what they find more out about.
    void NoteGiven();

    /// Note for run.json that options of queue pairs do not apply.
    void NoteNoQueuePairs();

    /// Refuse seeds that ns-3's generator cannot take, and simulators that are none.
    static void CheckGlobals();

    /// Refuse attributes of policies that do not take part.
    void CheckAttributes() const;

    /// Refuse attributes of other classes that do not take part.
    void CheckParts() const;

    /// @return the policies that take part: those chosen, and those that they name
    std::vector<TypeId> FindUsedPolicies() const;

    /// @return the algorithms of the collectives
    std::set<TypeId> FindUsedAlgorithms() const;

    OptionTable m_table;       //!< the options
    FabricScenario m_scenario; //!< what they say
};

} // namespace aifabric
} // namespace ns3

#endif /* SCENARIO_READER_H */
