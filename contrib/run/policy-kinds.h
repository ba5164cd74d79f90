/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POLICY_KINDS_H
#define POLICY_KINDS_H

#include "ns3/object-factory.h"
#include "ns3/policy-registry.h"

#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// The kinds of policies that an option chooses among.
struct PolicyKind
{
    std::string suffix;        //!< of the class names
    std::vector<TypeId> bases; //!< their base classes
    /// What else the option takes: names, and what they stand for.
    std::vector<std::pair<std::string, std::string>> others;
};

/// @return all kinds, by option
const std::map<std::string, PolicyKind>& PolicyKinds();

/// @return the policies of a kind
PolicyRegistry Registry(const std::string& option);

/// @return what an option takes: the short names of its policies, and others
std::vector<std::string> ListChoices(const std::string& option);

/// Print what an option takes.
void PrintChoices(std::ostream& os, const std::string& option);

/// @return a policy, to ask it for what it needs and suggests  @tparam T its base class
template <typename T>
Ptr<T>
MakePolicy(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<T>();
}

/// @return the full name of an attribute, which is that of the class that has declared it
/// @param type this class, or a subclass, perhaps of a library  @param name the attribute
std::string FindAttribute(TypeId type, const std::string& name);

/// @return the answer of a policy to a question; false for a policy of another base class
/// @tparam T the base class
template <typename T>
bool
AskPolicy(TypeId type, bool (T::*question)() const)
{
    return type.IsChildOf(T::GetTypeId()) && (PeekPointer(MakePolicy<T>(type))->*question)();
}

} // namespace aifabric
} // namespace ns3

#endif /* POLICY_KINDS_H */
