/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include "option-section.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options that say how a run is computed, on which ranks, how it is observed, and what it
 * leaves.
 */
class RunOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /**
     * Begin with MPI, if --ranks and --engine ask for several ranks and this build has it; MPI
     * comes before all options are read. What is wrong with them is left to ReadRanks().
     */
    static void Enable(int* argc, char*** argv);

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read what is captured.
    void ReadCaptures();

    /// Read how the run is observed. To be called when it is known how long queue pairs wait.
    void ReadObservation();

    /// Read how the run is computed.
    void ReadRanks();

  private:
    /// @return ports  @param item their name
    CaptureSpec ReadCapture(const std::string& item) const;

    /// Read after which time without an acknowledgement the run has stalled.
    void ReadPatience();

    /// Refuse what does not work on several ranks.
    void CheckScenario() const;

    /// Refuse another number of ranks than there are.
    void CheckRanks(uint32_t ranks) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_OPTIONS_H */
