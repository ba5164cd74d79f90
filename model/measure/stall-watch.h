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
 * Notices that a run will not end, and says why: messages are pending, but nothing was acknowledged
 * for too long, or nothing is scheduled any more, or a queue pair has given up. It stops the
 * simulation then.
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
        PENDING = 1, //!< messages are pending
        MOVED = 2,   //!< packets were acknowledged since it was looked at before
        FAILED = 4,  //!< a queue pair has given up a message
    };

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

  private:
    /// The run has stalled.
    void Stall(const std::string& why);

    /// What becomes of the messages of all queue pairs. A message that its steering has not given
    /// to a queue pair yet, since it waits for a batch, is none of them.
    struct Progress
    {
        uint64_t acknowledged{0}; //!< packets
        bool isPending{false};    //!< a message is not acknowledged
        bool hasFailed{false};    //!< a queue pair has given up a message
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

    /// Write what links have lost and switches have dropped.
    void PrintLosses(std::ostream& os) const;

    /// Write which ports are paused or have a dead link.
    void PrintPorts(std::ostream& os) const;

    const MessageService& m_service;           //!< the messages
    std::vector<Ptr<RoceNetDevice>> m_nics;    //!< by host index
    std::vector<Ptr<FabricSwitch>> m_switches; //!< all switches
    const PortCatalog& m_catalog;              //!< the ports
    Time m_patience;                           //!< the longest time without an acknowledgement
    uint64_t m_acknowledged{0};                //!< packets acknowledged at the last check
    Time m_progressAt;                         //!< when there was progress last
    StateReporter m_reportState;               //!< combines the states of all parts
    Time m_interval;                           //!< between two checks
    std::string m_why;                         //!< why it has stalled; empty if it has not
};

} // namespace aifabric
} // namespace ns3

#endif /* STALL_WATCH_H */
