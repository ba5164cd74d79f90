/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_OPTIONS_H
#define TOPOLOGY_OPTIONS_H

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
 * The options of the fabric's shape, links and packets.
 */
class TopologyOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read the shape of the fabric.
    void ReadShape();

    /// Read what links, ports and packets are like.
    void ReadLinks();

  private:
    /// @return the fat-tree that was asked for
    FabricGraph ReadFatTree();

    /// @return the leaf-spine fabric that was asked for
    FabricGraph ReadLeafSpine();

    /// @return the three-tier fabric that was asked for
    FabricGraph ReadThreeTier();

    /// @return how many there are of something, which is noted for run.json  @param name the option
    /// @param low the least  @param high the most  @param automatic what "auto" stands for
    int64_t ReadCount(const std::string& name,
                      int64_t low,
                      int64_t high,
                      std::optional<int64_t> automatic = std::nullopt) const;

    /// @return a rate, in bit/s
    uint64_t ReadRate(const std::string& option) const;

    /// Read how long packets are.
    void ReadMtu();

    /// Read the IP version of queue pairs.
    void ReadIpVersion();
};

} // namespace aifabric
} // namespace ns3

#endif /* TOPOLOGY_OPTIONS_H */
