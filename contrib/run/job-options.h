/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_OPTIONS_H
#define JOB_OPTIONS_H

#include "option-section.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options of a job: how many iterations it has, and what happens when a queue pair fails.
 */
class JobOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read them. To be called after RunOptions::ReadRanks().
    void Read();

  private:
    /// Read what happens when a queue pair fails.
    void ReadFailure();

    /// Refuse what several ranks cannot do.
    void CheckRanks() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* JOB_OPTIONS_H */
