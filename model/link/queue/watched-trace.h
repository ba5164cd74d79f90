/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WATCHED_TRACE_H
#define WATCHED_TRACE_H

#include "ns3/traced-callback.h"

#include <functional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A TracedCallback that notifies its owner when a sink connects to it.
 *
 * A port computes its departures instead of scheduling them, which is faster but late: an observer
 * of departures needs them at their own time. This trace notifies its port that it has such an
 * observer, so that this port alone schedules them.
 */
template <typename... Ts>
class WatchedTrace : public TracedCallback<Ts...>
{
    using Base = TracedCallback<Ts...>; //!< the trace itself

  public:
    /**
     * @param watcher called before each change of the set of observers, so that what is past is
     * done without the new ones, and after it
     */
    void SetWatcher(std::function<void()> watcher)
    {
        m_watcher = std::move(watcher);
    }

    /// @copydoc TracedCallback::ConnectWithoutContext
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Notify();
        Base::ConnectWithoutContext(callback);
        Notify();
    }

    /// @copydoc TracedCallback::Connect
    void Connect(const CallbackBase& callback, std::string path)
    {
        Notify();
        Base::Connect(callback, path);
        Notify();
    }

    /// @copydoc TracedCallback::DisconnectWithoutContext
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Notify();
        Base::DisconnectWithoutContext(callback);
        Notify();
    }

    /// @copydoc TracedCallback::Disconnect
    void Disconnect(const CallbackBase& callback, std::string path)
    {
        Notify();
        Base::Disconnect(callback, path);
        Notify();
    }

  private:
    /// Notify the watcher.
    void Notify()
    {
        if (m_watcher)
        {
            m_watcher();
        }
    }

    std::function<void()> m_watcher; //!< called before and after each change of observers
};

} // namespace aifabric
} // namespace ns3

#endif /* WATCHED_TRACE_H */
