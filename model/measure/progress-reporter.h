/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRESS_REPORTER_H
#define PROGRESS_REPORTER_H

#include "port-catalog.h"

#include "ns3/message-service.h"
#include "ns3/nstime.h"

#include <chrono>
#include <cstdint>
#include <ostream>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Says how far a run is: messages done, simulated time, packet-hops a second. About once a second
 * of the user's time it writes a line; on a terminal, more often and in place.
 *
 * (ns3::ShowProgress knows of simulated time only, which says little of a run that ends when its
 * messages are done.)
 */
class ProgressReporter
{
  public:
    /**
     * @param isTerminal whether lines may be overwritten
     * @param service the messages; must outlive the reporter
     * @param catalog the ports, which must outlive the reporter; null: no packets cross them
     */
    ProgressReporter(std::ostream& os,
                     bool isTerminal,
                     const MessageService& service,
                     const PortCatalog* catalog);

    /**
     * Write, if it is time to.
     *
     * @return the simulated time after which to ask again
     */
    Time Check();

    /// Write the last line.
    void Finish();

  private:
    using Clock = std::chrono::steady_clock; //!< the user's time

    /// Write a line.
    void Report();

    std::ostream& m_os;              //!< where to write
    bool m_isTerminal;               //!< lines may be overwritten
    const MessageService& m_service; //!< the messages
    const PortCatalog* m_catalog;    //!< the ports, or null
    Time m_period;                   //!< simulated time between two checks
    Clock::time_point m_begin;       //!< when the run began
    Clock::time_point m_checked;     //!< when the last check was
    Clock::time_point m_reported;    //!< when the last line was written
};

} // namespace aifabric
} // namespace ns3

#endif /* PROGRESS_REPORTER_H */
