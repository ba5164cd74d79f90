/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-traces.h"

#include "ns3/trace-source-accessor.h"

#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

/**
 * Gives access to one of the trace sources.
 *
 * @tparam T type of the traced value
 */
template <typename T>
class ControlTraces::Accessor : public TraceSourceAccessor
{
  public:
    using Trace = TracedCallback<T, T>; //!< a trace source

    /// @param find finds the traces of an object
    Accessor(Finder find, Trace ControlTraces::*trace)
        : m_find(find),
          m_trace(trace)
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return Change(object, [&](Trace& trace) { trace.ConnectWithoutContext(callback); });
    }

    bool Connect(ObjectBase* object,
                 std::string context,
                 const CallbackBase& callback) const override
    {
        return Change(object, [&](Trace& trace) { trace.Connect(callback, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return Change(object, [&](Trace& trace) { trace.DisconnectWithoutContext(callback); });
    }

    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& callback) const override
    {
        return Change(object, [&](Trace& trace) { trace.Disconnect(callback, context); });
    }

  private:
    /// @return whether the object has such traces
    /// @param change changes the observers of the trace source
    template <typename F>
    bool Change(ObjectBase* object, F change) const
    {
        ControlTraces* traces = m_find(object);
        if (!traces)
        {
            return false;
        }
        change(traces->*m_trace);
        return true;
    }

    Finder m_find;                 //!< finds the traces of an object
    Trace ControlTraces::*m_trace; //!< the trace source
};

TypeId
ControlTraces::AddTraceSources(TypeId type, Finder find)
{
    return type
        .AddTraceSource("CongestionWindow",
                        "The window of the congestion control changed (bytes).",
                        Create<Accessor<uint64_t>>(find, &ControlTraces::m_windowTrace),
                        "ns3::TracedValueCallback::Uint64")
        .AddTraceSource("Rate",
                        "The rate of the congestion control changed; the line rate or more: no "
                        "pacing.",
                        Create<Accessor<DataRate>>(find, &ControlTraces::m_rateTrace),
                        "ns3::TracedValueCallback::DataRate")
        .AddTraceSource("RTT",
                        "Time between a packet and its acknowledgement, at each acknowledgement.",
                        Create<Accessor<Time>>(find, &ControlTraces::m_rttTrace),
                        "ns3::TracedValueCallback::Time");
}

void
ControlTraces::Update(uint64_t window, DataRate rate)
{
    if (window != m_window)
    {
        m_windowTrace(std::exchange(m_window, window), window);
    }
    if (rate != m_rate)
    {
        m_rateTrace(std::exchange(m_rate, rate), rate);
    }
}

void
ControlTraces::AddRtt(Time rtt)
{
    m_rttTrace(std::exchange(m_rtt, rtt), rtt);
}

} // namespace aifabric
} // namespace ns3
