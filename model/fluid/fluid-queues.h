/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_QUEUES_H
#define FLUID_QUEUES_H

#include "fluid-dues.h"
#include "fluid-loads.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// The way of a stream.
struct FluidWay
{
    const std::vector<LinkShare>* links{nullptr}; //!< which it crosses, in order; they outlive it
    int64_t firstPs{0}; //!< from a change of its rate until that reaches the first link, in ps
    int64_t hopPs{0};   //!< from the end of a packet on a link to its end on the next, in ps
    double step{1e-3};  //!< share of its rate whose change goes no further
};

/**
 * @ingroup ai-fabric
 *
 * Streams of bytes that cross links one after the other, each with a queue that serves bytes in the
 * order in which they come, without limit.
 *
 * The rates at which streams enter a link are constant between changes. A change that comes when q
 * bytes wait leaves when these have left, by a link of rate C after q / C. Between two changes,
 * each stream has of the link the share that it had of what came in: streams that enter at rates r
 * leave at r C / sum(r) while bytes wait, and at r if none do. A change of one stream so changes
 * the rates of the others behind the link. A stream may load a link by more or less than its rate
 * (LinkShare::weight): by the part of it that crosses a port, if it is split over several.
 *
 * A stream may be **diverted** in front of a link: what comes there from then on, also what left
 * the link before and is under way, belongs to another stream with another way, or is lost. What
 * waits at the link stays, and leaves as it would have.
 *
 * **Conservation**: what has entered a link has left it, or waits there.
 */
class FluidQueues
{
  public:
    /**
     * @param rates of the links, in bytes a picosecond
     * @param passed called for each stream that leaves its last link at another rate, with the
     * rate, in bytes a picosecond; 0: its last byte has left
     */
    FluidQueues(const std::vector<double>& rates, const Callback<void, uint32_t, double>& passed);
    ~FluidQueues();

    /**
     * Set the rate of a stream.
     *
     * @param stream its number; those of streams that have left may be used again
     * @param way the links, at most MOST_LINKS, the same at each call
     * @param rate in bytes a picosecond; 0: its last byte has come
     */
    void SetRate(uint32_t stream, const FluidWay& way, double rate);

    /// Set the rate of a link from now on.  @param link its number
    /// @param rate in bytes a picosecond; above 0
    void SetLinkRate(uint32_t link, double rate);

    /// Set what a unit of the load of a link is: less than a byte where a slow link counts as
    /// several (LinkShare::weight).  @param link its number  @param bytes how many
    void SetUnit(uint32_t link, double bytes)
    {
        m_links[link].unit = bytes;
    }

    /// Have streams load their links by other weights from now on. What waits at a link is taken
    /// for split in the same way.
    /// @param find returns the new links of a stream, the same in the same order; its way has them
    /// as soon as this returns
    void Reweigh(const std::function<const std::vector<LinkShare>&(uint32_t stream)>& find);

    /**
     * Divert a stream in front of a link. If nothing of it is there or behind, it ends now.
     *
     * @param stream its number
     * @param index of the link on its way, or of the first one of the other if it began there
     * @param other number of a stream that is not there: the same until there, and behind it of
     * another way; if that ends there, what comes is lost, and m_passed called for it at once
     * @param way of the other
     */
    void Divert(uint32_t stream, std::size_t index, uint32_t other, const FluidWay& way);

    /// @return whether a stream is there  @param stream its number
    bool IsThere(uint32_t stream) const
    {
        return stream < m_slots.size() && m_slots[stream] != NONE;
    }

    /// @return whether nothing comes to a link any more, of a stream that is there
    /// @param stream its number  @param index of the link on its way
    bool IsOver(uint32_t stream, std::size_t index) const
    {
        return m_crossings[m_slots[stream] * MOST_LINKS + index].isOver;
    }

    /// Forget all streams.
    void Clear();

    /// @return the most bytes that have waited at a link at any time
    double GetMostQueued() const
    {
        return m_most;
    }

    /// @return the bytes that have left a link  @param link its number
    double GetServed(uint32_t link) const;

    static constexpr uint32_t MOST_LINKS = 5; //!< of a path in three tiers, without the first

  private:
    static constexpr uint32_t NONE = UINT32_MAX;         //!< no slot, crossing or link
    static constexpr int64_t NEVER = FluidDues<>::NEVER; //!< no time

    /// A stream at a link; rates are loads of the link.
    struct Crossing
    {
        double in{0};       //!< rate at which it enters
        double head{0};     //!< rate at which the bytes in front of the queue have entered
        double out{0};      //!< rate at which it leaves
        uint32_t place{0};  //!< of the crossing among those of the link
        bool isOver{false}; //!< its last byte has entered
        bool isDone{false}; //!< its last byte has left, or leaves in this picosecond
        bool isGone{false}; //!< and that was passed on
    };

    /// A stream. Its crossings have the numbers from MOST_LINKS times its slot on.
    struct Stream
    {
        FluidWay way;          //!< its way
        uint32_t item{0};      //!< its number, for the callback
        uint32_t begin{0};     //!< index of its first link: those before it are another stream's
        uint32_t feeder{NONE}; //!< the crossing of that stream from which it comes
        uint32_t ends{1};      //!< parts of which the last byte has not left
    };

    /// The bytes behind a place of a queue have entered with another rate.
    struct Marker
    {
        double place;      //!< bytes that have entered before
        uint32_t crossing; //!< the stream whose rate is another one
        double rate;       //!< its rate
    };

    /// A link.
    struct Link
    {
        double rate{0};                  //!< in bytes a picosecond
        double unit{1};                  //!< bytes for each unit of its load
        double in{0};                    //!< sum of the rates that enter
        double head{0};                  //!< sum of the rates with which the bytes in front entered
        double entered{0};               //!< bytes
        double left{0};                  //!< bytes
        double total{0};                 //!< bytes that have left before both were reset
        int64_t since{0};                //!< when these were counted, in picoseconds
        bool isBusy{false};              //!< bytes wait, or more comes than leaves
        bool isDirty{false};             //!< rates that leave are to be computed
        uint32_t version{0};             //!< how often its next event was computed
        std::deque<Marker> markers;      //!< in order
        std::vector<uint32_t> crossings; //!< of its streams
    };

    /// A link passes a marker, or gets empty.
    struct Due
    {
        int64_t ps;       //!< when
        uint32_t link;    //!< number of the link
        uint32_t version; //!< of the link, unless computed anew

        /// @return the order of a queue with the first one in front  @param other another one
        bool operator<(const Due& other) const
        {
            return std::tie(ps, link) > std::tie(other.ps, other.link);
        }
    };

    /// A rate on its way to the next link.
    struct Change
    {
        uint32_t crossing; //!< of that link
        uint32_t link;     //!< its number; none: the stream is lost there
        double rate;       //!< load of the link; rate of a stream that is lost
    };

    /// @return the slot of a new stream
    uint32_t TakeSlot();

    /// @return what a crossing takes of its link
    const LinkShare& ShareOf(uint32_t crossing) const;

    /// @return what comes to a crossing at a rate of its stream
    Change ChangeOf(uint32_t crossing, double rate) const;

    /// @return the crossing that follows another one of its stream
    uint32_t GetNext(uint32_t crossing) const;

    /// @return whether the way of a stream ends in front of a crossing, where it is lost
    bool IsLost(uint32_t crossing) const;

    /// A rate comes to where a stream is lost.  @param crossing there
    void Lose(uint32_t crossing, double rate);

    /// Nothing has come to a crossing, and nothing will: end what follows.
    void EndChain(uint32_t crossing);

    /// A part of a stream has ended.  @param slot of the stream
    void EndPart(uint32_t slot);

    /// Rates that are on their way to a crossing come to another one.  @param from where they were
    /// sent  @param to where they come instead
    void Redirect(uint32_t from, uint32_t to);

    /// A rate enters its link.
    void Enter(Change change);

    /// The streams of a link load it by other weights.  @param number of the link
    /// @param factors by which they are larger, by crossing
    void ScaleLink(uint32_t number, const std::vector<double>& factors);

    /// Count the bytes of a link until now.
    void Advance(Link& link);

    /// More comes to a link than leaves, if so.
    static void CheckBusy(Link& link);

    /// Compute what leaves a link at the end of this picosecond.  @param number of the link
    void MarkDirty(uint32_t number);

    /// Take the changes and the events of links that are due, and compute what leaves these links.
    void Review();

    /// Have Review() called, unless it will be before.  @param ps when, in picoseconds
    void ReviewAt(int64_t ps);

    /// @return when a change comes, or a link passes a marker or gets empty, in picoseconds
    int64_t FindFirstPs();

    /// Compute what leaves a link.  @param number of the link
    void Refresh(uint32_t number);

    /// The rate at which a stream leaves a link is another one.  @param rate the load of the link
    void Pass(uint32_t crossing, double rate);

    /// Remove a stream from a link that it has left.
    void Remove(Link& link, uint32_t crossing);

    /// Find the next event of a link.  @param number of the link
    void FindNext(uint32_t number);

    /// Links pass markers, or get empty.  @param now the time, in picoseconds
    void PassDue(int64_t now);

    /// A link passes its markers.
    void PassMarkers(Link& link);

    Callback<void, uint32_t, double> m_passed;         //!< called for rates behind the last link
    FluidDues<Change> m_ways;                          //!< changes on their way
    std::vector<Link> m_links;                         //!< by number
    std::vector<Stream> m_streams;                     //!< by slot
    std::vector<Crossing> m_crossings;                 //!< of streams, by slot
    std::vector<uint32_t> m_unusedSlots;               //!< to be given again
    std::vector<uint32_t> m_slots;                     //!< by number of the stream
    std::unordered_map<uint32_t, uint32_t> m_diverted; //!< crossings that follow others
    std::vector<uint32_t> m_dirty;                     //!< links
    std::priority_queue<Due> m_dues;                   //!< some are out of date
    EventId m_review;                                  //!< calls Review()
    int64_t m_reviewPs{NEVER};                         //!< when, in picoseconds; now, while it runs
    double m_most{0}; //!< bytes that have waited at a link, at most
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_QUEUES_H */
