/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MONOTONE_SCHEDULER_H
#define MONOTONE_SCHEDULER_H

#include "ns3/scheduler.h"

#include <array>
#include <cstdint>
#include <typeinfo>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 * An event queue for simulations whose time never goes back: a radix queue with wide digits.
 *
 * A timestamp is read as digits of 10 bits, which count, roughly, picoseconds, nanoseconds,
 * microseconds, and so on. With a resolution of femtoseconds there is a _fine_ digit below them,
 * which has no buckets. The queue remembers a _floor_, which no pending event is below: the
 * timestamp at which the last digit's present window began. An event lies in the bucket (level,
 * digit), where _level_ is the highest digit in which its timestamp differs from the floor, 0 if
 * only the last one does, and _digit_ is the value there. So
 *
 * - a bucket is a pure function of timestamp and floor, and a range of time;
 * - buckets are ordered in time by level first, then by digit, since all events of a level agree
 *   with the floor in the higher digits and are above it in their own;
 * - a bucket of level 0 is one timestamp, or those that differ in the fine digit only.
 *
 * Inserting adds to a list: in front, where the list's order means nothing. Removing takes the
 * first event of the lowest bucket; a lowest bucket above level 0 is opened beforehand: the floor
 * rises to where its range begins, and its events, which now agree with the floor in that digit
 * too, move to lower levels. A bucket of level 0 is kept in the order of timestamps and uids, which
 * is a check and an append as long as they grow. So events leave in the order (timestamp, uid) of
 * any ns-3 scheduler, whatever the order in which they were inserted, and a run does not depend on
 * the choice of the scheduler.
 *
 * Looking at the next event opens nothing, therefore an earlier one may still be inserted. Should
 * an event be inserted below the floor, which no ns-3 simulator does, then the floor is lowered
 * and the events between the two move back to a higher level.
 *
 * @par Time Complexity
 *
 * Operation    | Amortized %Time | Reason
 * :----------- | :-------------- | :-----
 * Insert()     | Constant        | Addition to a list; linear in ties that come out of order
 * IsEmpty()    | Constant        | Test of a bit set
 * PeekNext()   | Constant        | Linear in the lowest bucket where that is not of level 0
 * Remove()     | Linear          | Search in the event's bucket
 * RemoveNext() | Constant        | An event moves at most 6 times, one of a link's delay 1 or 2
 *
 * @par Memory Complexity
 *
 * Category  | Memory                           | Reason
 * :-------- | :------------------------------- | :-----
 * Overhead  | 7 x 1024 x 8 bytes<br/>(57 KB)   | First and last event of each bucket
 * Per Event | 8 bytes                          | Link, and alignment, in one growing array
 */
class MonotoneScheduler : public Scheduler
{
  public:
    /**
     * Register this type.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** Constructor. */
    MonotoneScheduler();
    /** Destructor. */
    ~MonotoneScheduler() override;

    // Inherited
    void Insert(const Scheduler::Event& ev) override;
    bool IsEmpty() const override;
    Scheduler::Event PeekNext() const override;
    Scheduler::Event RemoveNext() override;
    void Remove(const Scheduler::Event& ev) override;

  private:
    static constexpr uint32_t DIGIT_BITS = 10;                             //!< Of a digit.
    static constexpr uint32_t DIGITS = 1 << DIGIT_BITS;                    //!< Buckets a level.
    static constexpr uint32_t LEVELS = (64 + DIGIT_BITS - 1) / DIGIT_BITS; //!< Digits of a time.
    static constexpr uint32_t WORDS = DIGITS / 64;                         //!< Of a bit set.
    static constexpr uint32_t NONE = 0;                                    //!< No node.
    static constexpr uint32_t CHUNK = 64;                                  //!< Nodes made at once.

    /** Of the time, in fine buckets, from which on an event comes late: 4 us, if a step is a
        femtosecond. A million timers are not to lie between the events that come and go. */
    static constexpr uint32_t NEAR_BITS = 22;

    /** A pending event in a list; nodes are named by their index. */
    struct Node
    {
        Scheduler::Event event; //!< The event.
        uint32_t next;          //!< The node behind it, or NONE.
        bool isFar;             //!< It is one of those for events that come late.
    };

    /** A list of nodes. */
    struct List
    {
        uint32_t first; //!< First node, or NONE.
        uint32_t last;  //!< Last node, if there is a first.
    };

    /** Where a list is. */
    struct Bucket
    {
        uint32_t level; //!< Highest digit that differs from the floor.
        uint32_t digit; //!< Its value.
    };

    /** The buckets of a level. */
    struct Level
    {
        /** @return the lowest digit whose bucket is not empty */
        uint32_t GetLowest() const;

        uint64_t words{0};                      //!< Bit set of the words that are not zero.
        std::array<uint64_t, WORDS> occupied{}; //!< Bit set of the buckets that are not empty.
        std::array<List, DIGITS> buckets{};     //!< By digit.
    };

    /**
     * @param ts a timestamp, not below the floor
     * @return the bucket of its events
     */
    Bucket Locate(uint64_t ts) const;
    /** @return the first bucket that is not empty */
    Bucket GetLowest() const;

    /**
     * Mark a bucket as not empty.
     */
    void MarkOccupied(Bucket bucket);
    /**
     * Mark a bucket as empty.
     */
    void MarkEmpty(Bucket bucket);

    /**
     * Store an event.
     * @param ev the event
     * @return its node, in no list
     */
    uint32_t Allocate(const Scheduler::Event& ev);
    /**
     * Make more nodes.
     * @param isFar which ones
     */
    void Grow(bool isFar);
    /**
     * Forget an event.
     * @param node its node, in no list
     */
    void Release(uint32_t node);

    /**
     * Add a node to the bucket of its timestamp.
     * @param node the node, in no list
     */
    void Add(uint32_t node);
    /**
     * Add a node to a list of level 0 whose last event comes later.
     * @param node the node, in no list
     */
    void AddInOrder(List& list, uint32_t node);
    /**
     * Add all nodes of a chain to the buckets of their timestamps.
     * @param first the first node of the chain, or NONE
     * @return how many there are
     */
    uint32_t AddAll(uint32_t first);
    /**
     * Empty a bucket.
     * @return the list that it held
     */
    List Take(Bucket bucket);

    /**
     * Raise the floor to the beginning of the lowest bucket and move its events down.
     * @param bucket the lowest bucket, not of level 0
     */
    void Open(Bucket bucket);
    /**
     * Lower the floor, and move events up accordingly.
     * @param ts a timestamp below the floor
     */
    void Retreat(uint64_t ts);

    /** Events that are opened together and are worth prefetching: fewer are in the cache anyway. */
    static constexpr std::size_t WORTH_PREFETCHING = 64;

    /** Events that are prefetched together: what they will touch fits into the first cache. */
    static constexpr std::size_t MOST_AHEAD = 18;

    /** Have the next events of level 0 prefetch what they will touch. */
    void LookAhead();

    /** Have the memory fetched that the events in m_coming will touch. */
    void Announce();

    /**
     * @param impl an event
     * @return whether it is a PrefetchingEvent
     */
    bool IsPrefetching(EventImpl* impl);

    bool m_isPrefetching{false};      //!< The events of level 0 are many.
    uint32_t m_ahead{0};              //!< Events prefetched that have not been removed.
    std::vector<EventImpl*> m_coming; //!< Events prefetched last.
    const std::type_info* m_prefetchingType{
        nullptr};                               //!< The last type found to be a PrefetchingEvent.
    const std::type_info* m_otherType{nullptr}; //!< The last type found not to be one.
    uint32_t m_fineBits;                        //!< Of the fine digit.
    uint64_t m_floor{0};                        //!< Not above any event; its last digit is 0.
    uint32_t m_occupied{0};                     //!< Bit set of the levels that are not empty.
    std::array<uint32_t, 2> m_free{NONE, NONE}; //!< Chains of nodes without event, by isFar.
    std::vector<Node> m_nodes;                  //!< All nodes; the first stands for NONE.
    std::array<Level, LEVELS> m_levels{};       //!< All buckets.
};

} // namespace aifabric
} // namespace ns3

#endif /* MONOTONE_SCHEDULER_H */
