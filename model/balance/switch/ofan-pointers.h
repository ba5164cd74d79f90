/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OFAN_POINTERS_H
#define OFAN_POINTERS_H

#include "ns3/iwrr-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The pointers of an Ofan switch (arXiv 2507.21372, section 7.2 and appendix F), without
 * simulation.
 *
 * A pointer goes round the next hops of a waypoint, one step a packet, in a random order and from a
 * random start. Both are drawn when the pointer is first used. A waypoint has one or more pointers,
 * called lanes here: one for each size of packets, in each pipe of the switch.
 *
 * Next hops come as groups. A group is a list of places, each with a weight: one schedule serves a
 * place as often as its weight says (InterleavedSchedule). When the group of a pointer changes, or
 * its waypoint moves to another group, it gets a new order and keeps its position, modulo the
 * length of the schedule.
 */
class OfanPointers
{
  public:
    /// Which pointers have an order of their own.
    enum Orders : uint8_t
    {
        PER_POINTER, //!< each
        PER_POD,     //!< none: those of the waypoints of a pod share one in each group
    };

    /// @param draw the source of randomness
    explicit OfanPointers(DrawBelow draw);

    /**
     * Choose the shape. To be called before the first pointer is used.
     *
     * @param orders which pointers have an order of their own
     * @param lanes pointers of a waypoint
     */
    void SetShape(Orders orders, uint32_t lanes);

    /**
     * Say what a group consists of, now or from now on.
     *
     * @param group its number
     * @param weights the weights of its places, not all of them 0
     */
    void SetGroup(uint32_t group, const std::vector<uint32_t>& weights);

    /// @return whether a group is known  @param group its number
    bool HasGroup(uint32_t group) const
    {
        return group < m_groups.size() && m_groups[group].version != 0;
    }

    /**
     * Use a pointer, and move it.
     *
     * @param group the group that leads to the waypoint, which is known
     * @param lane which of its pointers
     * @return a place of the group
     */
    uint32_t Next(uint32_t group, uint32_t waypoint, uint32_t pod, uint32_t lane)
    {
        const std::size_t index = std::size_t{waypoint} * m_lanes + lane;
        if (index >= m_pointers.size())
        {
            m_pointers.resize(index + 1);
        }
        Pointer& pointer = m_pointers[index];
        if (pointer.schedule.version != m_groups[group].version)
        {
            Renew(pointer, group, pod);
        }
        const uint32_t place = m_places[pointer.schedule.begin + pointer.position];
        if (++pointer.position == pointer.schedule.length)
        {
            pointer.position = 0;
        }
        return place;
    }

    /// @return pointers that have been used
    uint32_t CountPointers() const;

    /// @return orders that have been drawn for them and are kept
    uint32_t CountOrders() const;

  private:
    /// A stretch of m_places.
    struct Schedule
    {
        uint32_t version{0};  //!< of the group that it was made from; 0: not made
        uint32_t begin{0};    //!< where it begins
        uint32_t length{0};   //!< places
        uint32_t capacity{0}; //!< places that there is room for
    };

    /// A pointer.
    struct Pointer
    {
        Schedule schedule;    //!< what it goes round
        uint32_t position{0}; //!< where it stands
    };

    /// A group of next hops.
    struct Group
    {
        uint32_t version{0};             //!< differs from all other versions of all groups
        std::vector<uint32_t> weights;   //!< of its places
        std::vector<Schedule> podOrders; //!< by pod, if orders are per pod
    };

    /// Give a pointer the schedule of a group as it is now.  @param pod the pod of its waypoint
    void Renew(Pointer& pointer, uint32_t group, uint32_t pod);

    /// @return the schedule that waypoints of a pod share
    const Schedule& ShareSchedule(Group& group, uint32_t pod);

    /// Draw an order.  @param schedule the schedule to be filled
    void Fill(Schedule& schedule, const Group& group);

    DrawBelow m_draw;                //!< the source of randomness
    Orders m_orders{PER_POINTER};    //!< which pointers have an order of their own
    uint32_t m_lanes{1};             //!< pointers of a waypoint
    uint32_t m_version{0};           //!< the newest version of a group
    std::vector<Group> m_groups;     //!< by number
    std::vector<Pointer> m_pointers; //!< by waypoint and lane
    std::vector<uint16_t> m_places;  //!< all schedules
};

} // namespace aifabric
} // namespace ns3

#endif /* OFAN_POINTERS_H */
