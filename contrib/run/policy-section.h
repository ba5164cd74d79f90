/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POLICY_SECTION_H
#define POLICY_SECTION_H

#include "option-section.h"

#include "ns3/attribute.h"
#include "ns3/fabric-facts.h"
#include "ns3/ptr.h"
#include "ns3/queue-pair.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/// What sections of policies have in common: a policy may have usual values of others, and may know
/// the fabric.
class PolicySection : public OptionSection
{
  public:
    using OptionSection::OptionSection;

  protected:
    /// @return the policy of an option
    /// @param usual the policy, if the option is not set; none: the option's default
    TypeId ReadUsual(const std::string& option, const std::optional<TypeId>& usual);

    /// @return a queue pair with the policies of the scenario  @param type its type, such as
    /// RcQueuePair
    Ptr<QueuePair> MakeQueuePair(TypeId type) const;

    /// Set the default of an attribute, unless the user has given a value.
    void SetDefault(const std::string& attribute, const AttributeValue& value);

    /// @return what policies may know of the fabric
    FabricFacts GetFacts() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* POLICY_SECTION_H */
