/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STACK_OPTIONS_H
#define STACK_OPTIONS_H

#include "fabric-scenario.h"
#include "option-table.h"

#include <ostream>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The stack (--stack): transport, congestion control, loss recovery, acknowledgements and buffers
 * that belong together. An option that the command line gives overrides that of the stack.
 */
class StackOptions
{
  public:
    /// Declare the option.  @param table where
    static void Declare(OptionTable& table);

    /**
     * Print the stacks and their options, if --stack=help asks for them.
     *
     * @param table the options
     * @param os where to print
     * @return whether they were asked for
     */
    static bool Print(const OptionTable& table, std::ostream& os);

    /**
     * Give the options of the stack their values, unless they were given.
     *
     * @param [in,out] table the options
     * @throws OptionError if there is no such stack, or the transport or in-network aggregation
     * contradicts it
     */
    static void Apply(OptionTable& table);

    /// @return the stack of a scenario that was read, in one line: its name and its parts
    static std::string Describe(const FabricScenario& scenario);
};

} // namespace aifabric
} // namespace ns3

#endif /* STACK_OPTIONS_H */
