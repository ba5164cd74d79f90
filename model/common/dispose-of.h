/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISPOSE_OF_H
#define DISPOSE_OF_H

#include "ns3/ptr.h"

namespace ns3
{
namespace aifabric
{

/// Dispose of an object at the end of the simulation, and release it.
/// @param object the object, or null
template <typename T>
void
DisposeOf(Ptr<T>& object)
{
    if (object)
    {
        object->Dispose();
    }
    object = nullptr;
}

} // namespace aifabric
} // namespace ns3

#endif /* DISPOSE_OF_H */
