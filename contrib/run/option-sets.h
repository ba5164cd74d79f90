/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTION_SETS_H
#define OPTION_SETS_H

#include "option-table.h"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Named sets of options, one of which an option selects: --preset, --stack.
 */
class OptionSets
{
  public:
    /// Options and attributes, by their names.
    using Options = std::vector<std::pair<std::string, std::string>>;

    /// A named set.
    struct Set
    {
        std::string name; //!< its name
        std::string what; //!< what it is
        Options options;  //!< what it sets
    };

    /**
     * @param option the option that selects a set
     * @param sets the sets, the default first
     */
    OptionSets(std::string option, std::vector<Set> sets);

    /// @return the names of the sets, separated by commas
    std::string ListNames() const;

    /// @return the names of the sets
    std::vector<std::string> GetNames() const;

    /// @return the sets
    const std::vector<Set>& GetSets() const;

    /**
     * Print the sets and what they set, if the option asks for help.
     *
     * @param table the options
     * @param os where to print
     * @return whether it asks for help
     */
    bool Print(const OptionTable& table, std::ostream& os) const;

    /**
     * Find the set that the option selects.
     *
     * @param table the options
     * @return the set; nullptr if the option has its default
     * @throws OptionError if there is no such set
     */
    const Set* Find(const OptionTable& table) const;

  private:
    std::string m_option;    //!< the option that selects a set
    std::vector<Set> m_sets; //!< the sets
};

} // namespace aifabric
} // namespace ns3

#endif /* OPTION_SETS_H */
