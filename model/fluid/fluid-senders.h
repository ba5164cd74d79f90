/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_SENDERS_H
#define FLUID_SENDERS_H

#include "fluid-solver.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Senders of bytes at the rates of a FluidSolver, and when each of them has sent its bytes.
 *
 * All senders of a group (FluidSolver) have one rate. So each has sent its bytes when those that a
 * member of the group has sent since some time, the **served** bytes, have grown by them: the order
 * of their ends never changes, and a change of the rate moves one event for each group. Only an end
 * that comes earlier is queued anew; one that is put off is looked at again when it was due.
 *
 * A NIC sends packets, not rates: in less than the time in which each flow sends a packet, flows
 * have no rates. So where a change reaches many groups, the next rates are computed no sooner than
 * in the time in which the fastest of them sends a packet: an all-to-all of N ranks would
 * otherwise have N^2 rates at N times, and N^3 together. A sender that ends before that leaves on
 * time. What others get of what it had waits until then. A sender that begins in a group without
 * others waits, too; in a group with others it has their rate at once, which falls then.
 */
class FluidSenders
{
  public:
    /**
     * @param capacities of the links, in bytes a picosecond
     * @param packet bytes of a full packet
     * @param left called for each item when its bytes have been sent
     */
    FluidSenders(std::vector<double> capacities,
                 double packet,
                 const Callback<void, uint32_t>& left);
    ~FluidSenders();

    /// Set what is called for each item whose rate is another one, with the rate, in bytes a
    /// picosecond. It is called at the end of a picosecond.
    void SetRateCallback(const Callback<void, uint32_t, double>& changed);

    /// @return the number of a new group  @param shares what each of its senders takes of links
    uint32_t AddGroup(const std::vector<LinkShare>& shares);

    /**
     * Send.
     *
     * @param item its number, for the callback
     * @param group the group whose links it takes
     * @param bytes how many
     * @param back bytes of acknowledgements for each of them
     */
    void Send(uint32_t item, uint32_t group, double bytes, double back);

    /// More, or less, acknowledgements are sent by a link, which go first.  @param link its number
    /// @param change in bytes a picosecond
    void Reserve(uint32_t link, double change);

    /// Set what each sender of a group takes of its links from now on.  @param group its number
    /// @param shares the same links, in the same order
    void SetShares(uint32_t group, const std::vector<LinkShare>& shares);

    /// Set the capacity of a link from now on.  @param link its number
    /// @param capacity in bytes a picosecond; above 0
    void SetCapacity(uint32_t link, double capacity);

    /// Have an item send more.  @param item its number  @param group that of its links  @param
    /// bytes how many  @return whether it was there
    bool Extend(uint32_t item, uint32_t group, double bytes);

    /// @return the bytes that an item will send yet  @param item its number  @param group that of
    /// its links
    double GetRest(uint32_t item, uint32_t group) const;

    /// Forget all senders and groups.
    void Clear();

  private:
    static constexpr int64_t NEVER = INT64_MAX; //!< no time

    /// A sender.
    struct Sender
    {
        double end;    //!< served bytes of its group at its end
        uint32_t item; //!< its number, for the callback
        double back;   //!< bytes of acknowledgements for each of its own
        double rate;   //!< that was reported

        /// @return the order of a heap with the first end on top  @param other another one
        bool operator<(const Sender& other) const
        {
            return std::tie(end, item) > std::tie(other.end, other.item);
        }
    };

    /// A group of senders.
    struct Group
    {
        std::vector<Sender> senders; //!< a heap
        double served{0};            //!< bytes that a member has sent since there was none
        double rate{0};              //!< of each sender, in bytes a picosecond
        int64_t since{0};            //!< since when, in picoseconds
        int64_t endPs{NEVER};        //!< when its first sender has sent its bytes, in picoseconds
        int64_t queuedPs{NEVER};     //!< when that is looked at, no later
        bool isStale{false};         //!< its first end is to be computed
    };

    /// When a group is looked at.
    struct End
    {
        int64_t ps;     //!< when
        uint32_t group; //!< number of the group

        /// @return the order of a queue with the first end in front  @param other another one
        bool operator<(const End& other) const
        {
            return std::tie(ps, group) > std::tie(other.ps, other.group);
        }
    };

    /// Serve a group until now.  @param now in picoseconds
    static void Serve(Group& group, int64_t now);

    /// Compute the first end of a group at the next Solve().  @param number of the group
    void MarkStale(uint32_t number);

    /// Compute rates at the end of this picosecond, or of a later one.
    void ScheduleSolve();

    /// Compute rates, and when senders will have sent their bytes.
    void Solve();

    /// Take the rates of the solver.
    void TakeRates();

    /// Compute the first ends that are stale, and queue them.
    void RefreshStale();

    /// Queue the first ends of all groups anew.  @param horizonPs until when, in picoseconds
    void QueueAll(int64_t horizonPs);

    /// Compute the first end of a group.  @param number of the group
    /// @param now in picoseconds
    void Refresh(uint32_t number, int64_t now);

    /// Queue the first end of a group, unless it is looked at before.  @param number of the group
    void QueueEnd(uint32_t number);

    /// Take the front of the queue out.  @return whether a group ends then
    bool TakeEnd();

    /// Report the rates of the senders of a group.
    void Report(Group& group) const;

    /// Take ends that were put off out of the front of the queue.
    void DropPutOff();

    /// Have EndDue() called at the first end.
    void ScheduleEnd();

    /// End the senders that have sent their bytes.
    void EndDue();

    /// End those of a group.  @param number of the group
    void EndGroup(uint32_t number);

    std::vector<double> m_capacities;           //!< of the links
    double m_packet;                            //!< bytes of a full packet
    Callback<void, uint32_t> m_left;            //!< called for each item that has been sent
    Callback<void, uint32_t, double> m_changed; //!< called for each rate; may be null
    FluidSolver m_solver;                       //!< has the rates
    std::vector<Group> m_groups;                //!< by number
    std::vector<uint32_t> m_stale;              //!< groups whose first end is to be computed
    std::priority_queue<End> m_ends;            //!< some are out of date, or put off
    EventId m_solve;                            //!< calls Solve()
    int64_t m_solvePs{0};                       //!< when, no earlier, in picoseconds
    EventId m_end;                              //!< calls EndDue()
    int64_t m_endPs{0};                         //!< when, in picoseconds
    int64_t m_horizonPs{NEVER};                 //!< ends that are later are not queued
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_SENDERS_H */
