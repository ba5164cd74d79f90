/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENUM_ACCESSOR_H
#define ENUM_ACCESSOR_H

#include "ns3/enum.h"

namespace ns3
{
namespace aifabric
{

/**
 * Make an accessor of an enumeration, as MakeEnumAccessor<Enum>(member) does since ns-3.41.
 *
 * @tparam Enum the enumeration
 * @tparam Member type of the pointer to member
 * @param member the data member
 * @return the accessor
 */
template <typename Enum, typename Member>
auto
MakeEnumMemberAccessor(Member member) -> decltype(MakeEnumAccessor<Enum>(member))
{
    return MakeEnumAccessor<Enum>(member);
}

/**
 * The same with ns-3 up to 3.40.
 *
 * @tparam Enum the enumeration
 * @tparam Member type of the pointer to member
 * @param member the data member
 * @return the accessor
 */
template <typename Enum, typename Member>
auto
MakeEnumMemberAccessor(Member member) -> decltype(MakeEnumAccessor(member))
{
    return MakeEnumAccessor(member);
}

/**
 * Make an accessor of an enumeration by methods, as MakeEnumAccessor<Enum>(set, get) does since
 * ns-3.41.
 *
 * @tparam Enum the enumeration
 * @tparam Setter type of the method that sets it
 * @tparam Getter type of the method that gets it
 * @param set the method that sets it
 * @param get the method that gets it
 * @return the accessor
 */
template <typename Enum, typename Setter, typename Getter>
auto
MakeEnumMethodAccessor(Setter set, Getter get) -> decltype(MakeEnumAccessor<Enum>(set, get))
{
    return MakeEnumAccessor<Enum>(set, get);
}

/**
 * The same with ns-3 up to 3.40.
 *
 * @tparam Enum the enumeration
 * @tparam Setter type of the method that sets it
 * @tparam Getter type of the method that gets it
 * @param set the method that sets it
 * @param get the method that gets it
 * @return the accessor
 */
template <typename Enum, typename Setter, typename Getter>
auto
MakeEnumMethodAccessor(Setter set, Getter get) -> decltype(MakeEnumAccessor(set, get))
{
    return MakeEnumAccessor(set, get);
}

} // namespace aifabric
} // namespace ns3

#endif /* ENUM_ACCESSOR_H */
