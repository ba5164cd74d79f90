/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STALL_WATCH_H
#define STALL_WATCH_H

#include "port-catalog.h"

#include "ns3/fabric-switch.h"
#include "ns3/message-service.h"
#include "ns3/nstime.h"
#include "ns3/roce-net-device.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Notices that a run will not end by itself, says why, and stops the simulation. A run stalls if
 * messages are pending and there was no progress for too long, or if nothing is scheduled any more.
 * Progress is a packet that is newly acknowledged, or a queue pair that gives up. While a link is
 * down that will return, the run waits for it, and does not stall.
 *
 * A queue pair that gives up stalls the run, unless failures are results (SetTakesFailures()): then
 * the other queue pairs go on, and the run ends when none but failed ones have messages.
 */
class StallWatch
{
  public:
    /**
     * @param service the messages; must outlive the watch
     * @param nics the NICs, by host index
     * @param catalog the ports; must outlive the watch
     * @param patience the longest time without an acknowledgement
     */
    StallWatch(const MessageService& service,
               const std::vector<Ptr<RoceNetDevice>>& nics,
               const std::vector<Ptr<FabricSwitch>>& switches,
               const PortCatalog& catalog,
               Time patience);

    /// Bits that say how a part of the run is.
    enum State : uint8_t
    {
        PENDING = 1, //!< messages are pending at a queue pair that has not given up
        MOVED = 2,   //!< packets were acknowledged since it was looked at before
        FAILED = 4,  //!< a queue pair has given up a message
    };

    /// @param takes whether the run goes on when a queue pair has given up messages
    void SetTakesFailures(bool takes);

    /// A link is down for some time.  @param startPs from when on, in picoseconds
    /// @param stopPs until when
    void AddOutage(int64_t startPs, int64_t stopPs);

    /// Called with the state of this part of a run; it causes all parts to call ProcessStates().
    using StateReporter = std::function<void(uint8_t state)>;

    /// @param reporter combines the states of all parts; without one, this part is the whole run
    /// @param time how long it takes, and the shortest interval between two checks
    void SetStateReporter(StateReporter reporter, Time time);

    /**
     * Look at this part of the run.
     *
     * @return the time after which to look again
     */
    Time Check();

    /**
     * Stop the run if it has stalled.
     *
     * @param states the State bits of all parts
     * @param age how long ago they were so, in picoseconds
     */
    void ProcessStates(uint8_t states, int64_t age);

    /// Nothing is scheduled any more.
    void RanDry();

    /**
     * Say why: a line on the run, then one on each queue pair that waits, on what was lost, and on
     * paused ports and dead links, but not on too many.
     */
    void Print(std::ostream& os) const;

    /// @return whether the run has stalled
    bool HasStalled() const;

    /// @return whether the run has ended because only failed queue pairs have messages
    bool HasFailed() const;

  private:
    /// Stop the run.  @param why the reason  @param isStall whether it has stalled
    void Stop(const std::string& why, bool isStall);

    /// @return whether a link is down that will return  @param now the time, in picoseconds
    bool IsCut(int64_t now) const;

    /// What becomes of the messages of all queue pairs. A message that its steering has not given
    /// to a queue pair yet, since it waits for a batch, is none of them.
    struct Progress
    {
        uint64_t made{0};      //!< packets acknowledged, and queue pairs that have given up
        bool isPending{false}; //!< a message is not acknowledged, and not given up
        bool hasFailed{false}; //!< a queue pair has given up a message
    };

    /// @return what becomes of the messages now
    Progress GetProgress() const;

    /**
     * Write a line for each of some queue pairs that wait.
     *
     * @param failed whether of those that have given up, or of the others
     * @param lines how many lines may be written
     * @return how many queue pairs there are
     */
    std::size_t PrintQueuePairs(std::ostream& os, bool failed, std::size_t lines) const;

    /// Write which attribute makes the queue pairs that have given up more patient.
    void PrintAdvice(std::ostream& os) const;

    /// Write what links have lost and switches have dropped.
    void PrintLosses(std::ostream& os) const;

    /// Write which ports are paused or have a dead link.
    void PrintPorts(std::ostream& os) const;

    const MessageService& m_service;           //!< the messages
    std::vector<Ptr<RoceNetDevice>> m_nics;    //!< by host index
    std::vector<Ptr<FabricSwitch>> m_switches; //!< all switches
    const PortCatalog& m_catalog;              //!< the ports
    Time m_patience;                           //!< the longest time without an acknowledgement
    std::vector<std::pair<int64_t, int64_t>> m_outages; //!< when links are down, in picoseconds
    bool m_takesFailures{false};                        //!< failures are results
    uint64_t m_made{0};                                 //!< progress at the last check
    Time m_progressAt;                                  //!< when there was progress last
    StateReporter m_reportState;                        //!< combines the states of all parts
    Time m_interval;                                    //!< between two checks
    std::string m_why;                                  //!< why it was stopped; empty if it was not
    bool m_hasStalled{false};                           //!< it was stopped because it had stalled
};

} // namespace aifabric
} // namespace ns3

#endif /* STALL_WATCH_H */
