/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OBJECT_LOCK_H
#define OBJECT_LOCK_H

#include <mutex>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Held while a node makes an object of ns-3 in the run: CreateObject() counts references to what
 * all objects of a type share, its attributes, and threads must not count at the same time.
 */
class ObjectLock
{
  private:
    /// @return what is locked
    static std::recursive_mutex& Mutex()
    {
        static std::recursive_mutex mutex;
        return mutex;
    }

    std::lock_guard<std::recursive_mutex> m_guard{Mutex()}; //!< holds it
};

} // namespace aifabric
} // namespace ns3

#endif /* OBJECT_LOCK_H */
