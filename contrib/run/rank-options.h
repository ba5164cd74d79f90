/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_OPTIONS_H
#define RANK_OPTIONS_H

#include "option-section.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options that say how a run is computed: the scheduler of events, and the ranks. --ranks and
 * --engine have to be known before all others are read, because MPI comes first.
 */
class RankOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /**
     * Begin with MPI, if several ranks are asked for and this build has it. What is wrong with the
     * options is left to Read().
     *
     * @param argc number of arguments
     * @param argv the arguments
     */
    static void Enable(int* argc, char*** argv);

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read how the run is computed.
    void Read();

  private:
    /// Refuse what does not work on several ranks.
    void CheckScenario() const;

    /// Refuse another number of ranks than there are.  @param ranks the number
    void CheckRanks(uint32_t ranks) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* RANK_OPTIONS_H */
