/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONTROL_TRACES_H
#define CONTROL_TRACES_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Trace sources that follow a congestion control as those of TcpSocketBase do: CongestionWindow
 * (bytes), Rate and RTT, with the old and the new value, 0 before the first. CongestionWindow and
 * Rate fire when the value changes, RTT at each acknowledgement that the control gets. They are
 * made for the first observer.
 */
class ControlTraces
{
  public:
    /// Finds the traces of an object, makes them if need be; nullptr: it has none.
    using Finder = ControlTraces* (*)(ObjectBase* object);

    /// @return a type with these trace sources  @param find finds the traces of its objects
    static TypeId AddTraceSources(TypeId type, Finder find);

    /// Fire for what has changed.  @param window the window, in bytes
    void Update(uint64_t window, DataRate rate);

    /// An acknowledgement came.  @param rtt since its packet was sent
    void AddRtt(Time rtt);

  private:
    template <typename T>
    class Accessor;

    TracedCallback<uint64_t, uint64_t> m_windowTrace; //!< the window changed
    TracedCallback<DataRate, DataRate> m_rateTrace;   //!< the rate changed
    TracedCallback<Time, Time> m_rttTrace;            //!< an acknowledgement came
    uint64_t m_window{0};                             //!< in bytes
    DataRate m_rate{0};                               //!< that was set
    Time m_rtt;                                       //!< of the last acknowledgement
};

} // namespace aifabric
} // namespace ns3

#endif /* CONTROL_TRACES_H */
