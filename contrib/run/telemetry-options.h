/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TELEMETRY_OPTIONS_H
#define TELEMETRY_OPTIONS_H

#include "option-section.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options of the tables by which a fabric is run.
 */
class TelemetryOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read the options.
    void Read();

  private:
    /// Read how often probes are sent.
    void ReadProbes();

    /// Refuse water marks of buffers that have no effect, and a low one above the high one.
    void CheckWaterMarks() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* TELEMETRY_OPTIONS_H */
