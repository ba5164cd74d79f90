/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORK_OBJECT_H
#define FORK_OBJECT_H

#include "ns3/abort.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"

#include <type_traits>
#include <typeinfo>

namespace ns3
{
namespace aifabric
{

/**
 * Make another object like one that has not been used yet. To copy it takes a hundredth of the time
 * that ns-3 needs to construct it by its attributes; an object of a subclass, which a copy would
 * cut off, is constructed by them. The class has to be registered with ns-3's type system. What an
 * attribute points to is shared.
 *
 * @tparam T the class that calls this, copyable while not in use
 * @return another one of the same class, with the same attributes
 */
template <typename T>
Ptr<T>
ForkObject(const T& object)
{
    if constexpr (!std::is_abstract_v<T>)
    {
        if (typeid(object) == typeid(T))
        {
            return CopyObject(Ptr<const T>(&object));
        }
    }
    ObjectFactory factory;
    factory.SetTypeId(object.GetInstanceTypeId());
    const Ptr<T> fork = factory.Create<T>();
    NS_ABORT_MSG_IF(typeid(*fork) != typeid(object),
                    typeid(object).name()
                        << " has no TypeId of its own, only "
                        << object.GetInstanceTypeId().GetName() << ": it cannot be forked");
    for (TypeId type = object.GetInstanceTypeId(); type != Object::GetTypeId();
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            const Ptr<AttributeValue> value = attribute.checker->Create();
            const bool isCopied =
                (attribute.flags & TypeId::ATTR_GET) && (attribute.flags & TypeId::ATTR_SET);
            if (isCopied && object.GetAttributeFailSafe(attribute.name, *value))
            {
                fork->SetAttribute(attribute.name, *value);
            }
        }
    }
    return fork;
}

} // namespace aifabric
} // namespace ns3

#endif /* FORK_OBJECT_H */
