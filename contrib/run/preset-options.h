/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRESET_OPTIONS_H
#define PRESET_OPTIONS_H

#include "option-table.h"

#include <ostream>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Named sets of options (--preset): the generations of a fabric of AI zones [33]. An option that
 * the command line gives overrides that of the preset.
 */
class PresetOptions
{
  public:
    /// Declare the option.  @param table where
    static void Declare(OptionTable& table);

    /**
     * Print the presets and their options, if --preset=help asks for them.
     *
     * @param table the options
     * @param os where to print
     * @return whether they were asked for
     */
    static bool Print(const OptionTable& table, std::ostream& os);

    /**
     * Give the options of the preset their values, unless they were given.
     *
     * @param [in,out] table the options
     * @throws OptionError if there is no such preset
     */
    static void Apply(OptionTable& table);
};

} // namespace aifabric
} // namespace ns3

#endif /* PRESET_OPTIONS_H */
