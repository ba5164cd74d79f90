/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FUNCTION_CALLBACK_H
#define FUNCTION_CALLBACK_H

#include "ns3/callback.h"
#include "ns3/event-impl.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <functional>
#include <memory>
#include <utility>

/**
 * @file
 *
 * Callbacks and events that call a lambda or another function object. ns-3 before 3.36 takes
 * functions and methods only; this works with every release.
 */

namespace ns3
{
namespace aifabric
{

/**
 * Call a shared function object.
 *
 * @tparam R type of the result
 * @tparam Args types of the arguments
 * @param args the arguments
 * @return what the function object returns
 */
template <typename R, typename... Args>
R
CallShared(std::shared_ptr<const std::function<R(Args...)>> function, Args... args)
{
    return (*function)(args...);
}

/**
 * @ingroup ai-fabric
 *
 * Make a callback of a function object. Copies of the callback share the function object.
 *
 * @tparam R type of the result
 * @tparam Args types of the arguments
 * @tparam F type of the function object
 * @return the callback
 */
template <typename R, typename... Args, typename F>
Callback<R, Args...>
FunctionCallback(F function)
{
    using Shared = std::shared_ptr<const std::function<R(Args...)>>;
    return MakeBoundCallback(
        &CallShared<R, Args...>,
        Shared(std::make_shared<const std::function<R(Args...)>>(std::move(function))));
}

/**
 * @ingroup ai-fabric
 *
 * An event that calls a function object.
 *
 * @tparam F type of the function object
 */
template <typename F>
class FunctionEvent : public EventImpl
{
  public:
    /// Create an event that calls a function object.
    explicit FunctionEvent(F function)
        : m_function(std::move(function))
    {
    }

  private:
    void Notify() override
    {
        m_function();
    }

    F m_function; //!< the function object
};

/**
 * @ingroup ai-fabric
 *
 * Schedule a call of a function object, as Simulator::Schedule() does of a method.
 *
 * @tparam F type of the function object
 * @param delay time until the call
 * @param function the function object, without arguments
 * @return the event
 */
template <typename F>
EventId
ScheduleFunction(const Time& delay, F function)
{
    return Simulator::Schedule(delay,
                               Ptr<EventImpl>(new FunctionEvent<F>(std::move(function)), false));
}

/**
 * @ingroup ai-fabric
 *
 * Schedule a call of a function object in the context of a node.
 *
 * @tparam F type of the function object
 * @param context number of the node
 * @param delay time until the call
 * @param function the function object, without arguments
 */
template <typename F>
void
ScheduleFunctionWithContext(uint32_t context, const Time& delay, F function)
{
    Simulator::ScheduleWithContext(context, delay, new FunctionEvent<F>(std::move(function)));
}

} // namespace aifabric
} // namespace ns3

#endif /* FUNCTION_CALLBACK_H */
