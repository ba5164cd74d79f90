/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_OPTIONS_H
#define HOST_OPTIONS_H

#include "option-section.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options of hosts: which of them are the GPUs of one node.
 */
class HostOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read them. To be called after TopologyOptions::ReadShape().
    void Read();

    /// Refuse what nodes of several GPUs, and the PCIe of NICs, do not go with. To be called when
    /// all else is read.
    void Check() const;

  private:
    /// Refuse attributes of PcieReader that have no effect.
    void CheckPcie() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_OPTIONS_H */
