/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANE_OPTIONS_H
#define PLANE_OPTIONS_H

#include "option-section.h"

#include <cstdint>
#include <set>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options that say what is recorded of planes over time, and how they are probed.
 */
class PlaneOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read them.
    void Read();

  private:
    /// Refuse an option about entropy values, unless hosts choose among some.  @param option its
    /// name
    void RefuseWithoutEvs(const std::string& option) const;

    /// Read how often probes are sent.
    void ReadProber();

    /// Read which links MRC's paths avoid.
    void ReadDenylist();

    /// @return hosts that have rows of their own
    std::set<uint32_t> ReadHosts() const;

    /// Add the hosts of an item of the list.  @param item a host, or a range  @param [out] hosts
    /// where
    void AddHosts(const std::string& item, std::set<uint32_t>& hosts) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* PLANE_OPTIONS_H */
