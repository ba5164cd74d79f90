/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORWARDING_OPTIONS_H
#define FORWARDING_OPTIONS_H

#include "option-section.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How switches forward, and which other options make no sense with that.
 */
class ForwardingOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read the policy. To be called after the shape of the fabric, and before its links and
    /// packets are read.
    void Read();

    /// Refuse other policies that contradict it. To be called after the others have been read, and
    /// before faults are read.
    void Check() const;

    /// Let no switch learn of failures, if tables are static. To be called after faults were read.
    void SetReaction();

  private:
    /// Refuse switch balancers where the sender names the path.
    void CheckBalancer() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* FORWARDING_OPTIONS_H */
