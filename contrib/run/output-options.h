/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTPUT_OPTIONS_H
#define OUTPUT_OPTIONS_H

#include "option-section.h"

#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options that say how a run is observed, and what it leaves.
 */
class OutputOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read what is captured.
    void ReadCaptures();

    /// Read how the run is observed. To be called when it is known how long queue pairs wait.
    void ReadObservation();

  private:
    /// @return ports  @param item their name
    CaptureSpec ReadCapture(const std::string& item) const;

    /// Read after which time without an acknowledgement the run has stalled.
    void ReadPatience();
};

} // namespace aifabric
} // namespace ns3

#endif /* OUTPUT_OPTIONS_H */
