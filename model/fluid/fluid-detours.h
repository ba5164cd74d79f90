/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_DETOURS_H
#define FLUID_DETOURS_H

#include "fluid-delays.h"
#include "fluid-loads.h"
#include "fluid-queues.h"

#include "ns3/callback.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What a part of an item has crossed.
struct FluidTrack
{
    std::vector<LinkShare> links; //!< all of its way, or those until where it was lost
    double bytes{0};              //!< that have crossed these
    bool isLost{false};           //!< it was
};

/**
 * @ingroup ai-fabric
 *
 * Streams of bytes through FluidQueues whose ways change as they go, because links are cut or
 * restored.
 *
 * Each switch sends what comes to it by the link that it chooses then. So where a switch chooses
 * another link, what comes there from now on is diverted (FluidQueues::Divert()), and what waits at
 * the links behind goes on, unless a switch there chooses another link, too. What comes to a switch
 * that has no link, or has crossed a link that is cut, is lost: a port does not stop sending when
 * its link is cut. The sender learns of lost bytes some time later.
 *
 * An item has ended when the last byte of all parts of it has come, and when all that it has lost
 * was sent again.
 */
class FluidDetours
{
  public:
    /// @return what an item takes of the link that it crosses at an index of its way now; none: it
    /// is lost there  @param way its links, of which those before that index count
    using NextLink = std::function<std::optional<LinkShare>(uint32_t item,
                                                            const std::vector<LinkShare>& way,
                                                            std::size_t index)>;
    /// Called for each item that has ended, with the tracks of its parts.
    using EndCallback = Callback<void, uint32_t, const std::vector<FluidTrack>&>;

    /**
     * @param queues of the links, which call Pass(); must outlive this
     * @param next finds links
     * @param passed called for each item that leaves its last links at another rate, with the rate,
     * in bytes a picosecond; 0: its last byte has left
     * @param lost called for each item that has lost bytes, with their number
     * @param ended called for each item that has ended
     * @param noticePs time from a loss until lost is called, in ps
     */
    FluidDetours(FluidQueues& queues,
                 NextLink next,
                 const Callback<void, uint32_t, double>& passed,
                 const Callback<void, uint32_t, double>& lost,
                 const EndCallback& ended,
                 int64_t noticePs);

    /**
     * Set the rate of an item.
     *
     * @param item its number; those of items that have ended may be used again
     * @param links of its way
     * @param times of its way, without links
     * @param rate in bytes a picosecond; 0: its last byte has come
     */
    void SetRate(uint32_t item, std::size_t links, const FluidWay& times, double rate);

    /// An item that has come to its end will be sent again, in part.  @param item its number
    void Hold(uint32_t item)
    {
        m_items[item].isHeld = true;
    }

    /// Links were cut, slow or restored, and switches choose others.
    void Update();

    /// A stream of the queues leaves its last link at another rate.  @param stream its number
    /// @param rate in bytes a picosecond
    void Pass(uint32_t stream, double rate);

    /// Forget all items.
    void Clear();

  private:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no part

    /// A part of an item: a stream of the queues.
    struct Part
    {
        uint32_t item{0};             //!< whose part it is
        std::size_t begin{0};         //!< index of its first link
        std::vector<LinkShare> links; //!< which it crosses; if none are its own, it is lost
        FluidWay way;                 //!< the same, and times
        double rate{0};               //!< at which it leaves
        double bytes{0};              //!< that have left
        int64_t since{0};             //!< until when they are counted, in ps

        /// @return whether it is lost
        bool IsLost() const
        {
            return begin == links.size();
        }
    };

    /// What parts belong to.
    struct Item
    {
        uint32_t entry{NONE};     //!< the part that its host sends; none: its last byte has come
        uint32_t ends{0};         //!< parts whose last byte has not left
        std::size_t links{0};     //!< of its way
        double rate{0};           //!< sum of the parts that are not lost
        double lostRate{0};       //!< sum of those that are
        uint32_t losing{0};       //!< how many these are
        double lost{0};           //!< bytes that the sender does not know of
        int64_t since{0};         //!< until when they are counted, in ps
        bool isCollecting{false}; //!< the sender will learn of them
        bool isHeld{false};       //!< it is sent again
        std::vector<FluidTrack> tracks; //!< of its parts that have ended
    };

    /// Make the part that the host of an item sends.  @param item its number
    /// @param times of its way  @return whether it reaches the end of its way
    bool Open(uint32_t item, const FluidWay& times);

    /// @return the number of a new part  @param isNew do not use the number of one that has ended
    uint32_t AddPart(bool isNew);

    /// Find out whether a part goes on as it did at an index of its way.
    /// @param number of the part
    void Check(uint32_t number, std::size_t index);

    /// Divert a part.  @param number of the part  @param index of its way
    /// @param next the link that follows there; none: it is lost
    void Divert(uint32_t number, std::size_t index, const std::optional<LinkShare>& next);

    /// Find the links that follow those of a part.  @param number of the part  @return whether it
    /// reaches the end of its way, and is not lost in front of its last link
    bool Complete(uint32_t number);

    /// A part leaves its last link at another rate.  @param rate in bytes a picosecond
    static void SetPartRate(Part& part, double rate);

    /// Count the bytes that an item has lost until now.
    static void Count(Item& item);

    /// The sender of an item learns of what was lost.  @param item its number
    void Collect(uint32_t item);

    /// Say at which rate an item comes, or that it has ended.  @param item its number
    void Report(uint32_t item);

    FluidQueues& m_queues;                     //!< have the parts
    NextLink m_next;                           //!< finds links
    Callback<void, uint32_t, double> m_passed; //!< called for each rate
    Callback<void, uint32_t, double> m_lost;   //!< called for losses
    EndCallback m_ended;                       //!< called at the ends of items
    int64_t m_noticePs;                        //!< until then, in ps
    FluidDelays m_notices;                     //!< items whose senders will learn of losses
    std::vector<Item> m_items;                 //!< by number
    std::deque<Part> m_parts;                  //!< by number; the queues have pointers to links
    std::vector<uint32_t> m_unused;            //!< numbers to be given again
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_DETOURS_H */
