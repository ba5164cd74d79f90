/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POLICY_REGISTRY_H
#define POLICY_REGISTRY_H

#include "ns3/type-id.h"

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The policies of one kind by short names. The names are made from what is registered with ns3's
 * type system: the class HostRandomBalancer is the balancer "host-random". So a new policy is known
 * here by being there. One that is hidden from ns-3's documentation makes no sense alone; it has no
 * short name, and is found by the name of its type.
 */
class PolicyRegistry
{
  public:
    /**
     * @param suffix what the class names end with, for example "Balancer"
     * @param bases the base classes of the policies, which are not listed themselves
     */
    PolicyRegistry(const std::string& suffix, const std::vector<TypeId>& bases);

    /// @return whether there is a policy of a name  @param name the short name or the type's name
    bool Has(const std::string& name) const;

    /**
     * Find a policy. If there is none, the program ends with a line that lists all.
     *
     * @param name the short name of a policy, or the name of its type
     * @return its type
     */
    TypeId Find(const std::string& name) const;

    /// @return the types by short name and by the name of the type
    const std::map<std::string, TypeId>& GetTypes() const;

    /// @return the short name of a type, or its own
    std::string NameOf(TypeId type) const;

    /// @return all short names, sorted
    std::vector<std::string> GetNames() const;

    /// @return all short names, sorted, separated by commas
    std::string List() const;

    /**
     * Print a table of names, types and attributes with their defaults.
     */
    void Print(std::ostream& os) const;

  private:
    std::map<std::string, TypeId> m_types; //!< by short name and by the name of the type
};

} // namespace aifabric
} // namespace ns3

#endif /* POLICY_REGISTRY_H */
