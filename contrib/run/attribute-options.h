/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ATTRIBUTE_OPTIONS_H
#define ATTRIBUTE_OPTIONS_H

#include "option-section.h"

#include <set>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The defaults of attributes and the global values that were given as options.
 */
class AttributeOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Note which ones were given.
    void Read();

    /// Refuse seeds that ns-3's generator cannot take, and simulators that are none.
    static void CheckGlobals();

    /// Refuse attributes of policies that do not take part.
    void CheckAttributes() const;

  private:
    /// @return the policies that take part: those chosen, and those that they name
    std::vector<TypeId> FindUsedPolicies() const;

    /// @return the algorithms of the collectives
    std::set<TypeId> FindUsedAlgorithms() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* ATTRIBUTE_OPTIONS_H */
