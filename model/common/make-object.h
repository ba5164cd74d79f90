/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MAKE_OBJECT_H
#define MAKE_OBJECT_H

#include "ns3/abort.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"

namespace ns3
{
namespace aifabric
{

/**
 * Make an object of a type that an attribute names.
 *
 * @tparam T what the object has to be
 * @param attribute the attribute, for the message about a type that does not fit
 * @return the object
 */
template <typename T>
Ptr<T>
MakeObject(TypeId type, const char* attribute)
{
    const bool fits = type == T::GetTypeId() || type.IsChildOf(T::GetTypeId());
    NS_ABORT_MSG_IF(!fits || !type.HasConstructor(),
                    attribute << ": " << type.GetName() << " is no " << T::GetTypeId().GetName()
                              << " that can be made");
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<T>();
}

} // namespace aifabric
} // namespace ns3

#endif /* MAKE_OBJECT_H */
