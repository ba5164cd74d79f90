/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_WORKER_H
#define GRADIENT_WORKER_H

#include "aggregation-member.h"
#include "sent-order.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A worker of a job: it sends the fragments of its gradient in order, as many as its window allows
 * beyond the first one whose sum is missing, and gets the sums. A fragment whose sum has not come
 * when its timer expires is sent again; each time doubles the timer. So is one that later fragments
 * have overtaken, if the system has this. A subclass adds the packets of a system.
 */
class GradientWorker : public AggregationMember
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Join(Ptr<AggregationJob> job) override;

    /// @param completed called with its number in the job when the sums of all fragments have come
    void SetCompleted(Callback<void, uint32_t> completed);

    /// There are more fragments to be sent.  @param priority of their packets (ESA)
    void Post(uint32_t fragments, uint8_t priority = 0);

    /// @return the time that fragments take at the line rate, in picoseconds
    /// @param fragments how many
    int64_t GetLineTime(uint32_t fragments) const
    {
        return fragments * GetLineTimeOf(GetPacketBytes());
    }

    /// @return packets that were sent again
    uint64_t GetResent() const;

    bool CanSend() const override;
    void Fill(FabricFrame& frame, int64_t start) override;

    /// @return fragments that may be outstanding now; no more than the window of the plan
    uint32_t GetWindow() const
    {
        return m_window;
    }

    bool IsPending() const override;
    uint64_t GetProgress() const override;
    void Describe(std::ostream& os) const override;

  protected:
    /// Add the attribute Timeout.  @param type of a subclass  @param usual its default
    /// @return the type
    /// @param expiries expiries that double the time, by default
    static TypeId AddTimeout(TypeId type, Time usual, uint32_t expiries);

    void DoDispose() override;

    /// Send fragments again that sums of later ones have overtaken; before the first packet.
    /// @param packets that have to be sent between them; 0: never
    /// @param grace how long to wait for a sum that is overtaken, in mean round trips; it waits
    /// only while a quarter of these sums come within this time
    void WatchOrder(uint32_t packets, double grace);

    /// Wait longer for the first sum of fragments that are posted while none is outstanding: other
    /// workers may still compute.  @param timeout how long; 0: no longer than for other sums
    void SetFirstTimeout(Time timeout);

    /// Set how many fragments may be outstanding.
    void SetWindow(uint32_t fragments)
    {
        m_window = fragments;
    }

    /// @return its number in the job
    uint32_t GetNumber() const
    {
        return m_number;
    }

    /**
     * Write a packet.
     *
     * @param [in,out] frame the frame, addressed by Address() here
     * @param sequence number of the fragment
     * @param priority of the packet
     * @param isResent whether it is sent again
     * @param start when its transmission begins, in picoseconds
     */
    virtual void Write(FabricFrame& frame,
                       uint32_t sequence,
                       uint8_t priority,
                       bool isResent,
                       int64_t start) = 0;

    /// The sum of a fragment has come that is outstanding, after RoceNetDevice::BeginChange().
    /// @param sequence number of the fragment  @param values the sum
    /// @param now the current time, in picoseconds
    void TakeSum(uint32_t sequence, const GradientVector& values, int64_t now);

    /// Send a fragment again, if its sum is missing.  @param sequence number of the fragment
    /// @param now the current time, in picoseconds
    void Resend(uint32_t sequence, int64_t now);

    /// Send a fragment again whose sum has come: the parameter server has not got it.
    /// @param sequence number of the fragment  @param now the current time, in picoseconds
    void Repeat(uint32_t sequence, int64_t now);

    /// The parameter server has asked for a fragment. Where this shows that all others have sent
    /// theirs, no worker computes any longer: wait as usual.
    /// @param sequence number of the fragment
    /// @param others bitmap of the workers whose values the server has
    /// @param now the current time, in picoseconds
    void NoteRequest(uint32_t sequence, uint32_t others, int64_t now);

    /// @return whether a fragment was sent and its sum is missing
    /// @param sequence number of the fragment
    bool IsOutstanding(uint32_t sequence) const
    {
        return sequence >= m_base && sequence < m_next && !At(sequence).isDone;
    }

  private:
    static constexpr int64_t NEVER = INT64_MAX; //!< no timer is scheduled

    /// A fragment of the window.
    struct Place
    {
        int64_t due{0};       //!< when it is sent again
        uint64_t first{0};    //!< place of its first packet in the order of all
        uint64_t latest{0};   //!< of its latest one
        int64_t since{0};     //!< when it was sent first
        uint32_t expiries{0}; //!< how often its timer expired
        bool isDone{false};   //!< its sum has come
        bool isQueued{false}; //!< it is to be sent again
        bool isLate{false};   //!< it is overtaken, and due sooner than by its timer
        int64_t overtaken{0}; //!< when it was overtaken first, 0: it was not
    };

    /// Fragments of equal priority.
    struct Run
    {
        uint32_t end;     //!< number of the fragment behind them
        uint8_t priority; //!< of their packets
    };

    /// @return the place of a fragment  @param sequence its number
    Place& At(uint32_t sequence)
    {
        return m_places[sequence & m_placeMask];
    }

    /// @return the same  @param sequence number of the fragment
    const Place& At(uint32_t sequence) const
    {
        return m_places[sequence & m_placeMask];
    }

    /// Send a fragment again, after what is to be sent again already.  @param sequence its number
    void Queue(uint32_t sequence);

    /// @return how long a fragment waits for its sum, in picoseconds  @param place the fragment
    int64_t GetWait(const Place& place) const
    {
        constexpr uint32_t MOST_DOUBLINGS = 6;
        const int64_t usual = std::max(m_usualWait, m_leastWait);
        const int64_t wait =
            m_awaitsFirst ? std::max(usual, m_firstTimeout.GetPicoSeconds()) : usual;
        return wait << std::min(place.expiries / m_doubling, MOST_DOUBLINGS);
    }

    /// A sum has come: note what it says of times and order.
    /// @param sequence number of its fragment  @param now the current time, in picoseconds
    void NoteSum(uint32_t sequence, int64_t now);

    /// Note a round trip: no timer expires sooner than three of them.
    /// @param took the time from a packet to its sum, in picoseconds
    /// @param isWhole whether it has no part that waits for a computation
    void NoteRoundTrip(int64_t took, bool isWhole);

    /// Send fragments again that are overtaken, now or after the grace.
    /// @param now the current time, in picoseconds
    void SendOvertaken(int64_t now);

    /// The first sum since nothing was outstanding has come: wait as usual for the others.
    /// @param now the current time, in picoseconds
    void EndFirstTimeout(int64_t now);

    /// @return the priority of a fragment that was posted  @param sequence its number
    uint8_t FindPriority(uint32_t sequence) const;

    /// Let the timer expire for fragments that are due, and schedule the next time.
    void CheckTimer();

    /// @return how long a sum that is overtaken is awaited, in picoseconds
    int64_t GetGrace() const
    {
        return static_cast<int64_t>(m_grace * static_cast<double>(m_meanRtt));
    }

    /// Schedule CheckTimer(), unless it comes earlier.  @param due when, in picoseconds
    void ScheduleTimer(int64_t due)
    {
        if (due < m_timerDue)
        {
            StartTimer(due);
        }
    }

    /// Schedule CheckTimer() instead of when it is scheduled.  @param due when, in picoseconds
    void StartTimer(int64_t due);

    /// Cancel CheckTimer().
    void CancelTimer();

    uint32_t m_number{0};                 //!< in the job
    Time m_timeout;                       //!< until a fragment is sent again
    uint32_t m_doubling{1};               //!< expiries that double the time
    Time m_firstTimeout;                  //!< the same, until the first sum has come
    SentOrder m_order{0};                 //!< of packets
    double m_grace{0};                    //!< of a sum that is overtaken, in m_meanRtt
    double m_lateShare{0.5};              //!< of these sums, how many have come within m_grace
    Callback<void, uint32_t> m_completed; //!< called when all sums have come
    std::vector<Place> m_places;          //!< of the fragments that it may send; a power of two
    uint32_t m_placeMask{0};              //!< which bits of a fragment's number are its place
    uint32_t m_window{0};                 //!< fragments that may be outstanding
    uint32_t m_reach{0};                  //!< fragments that it may send from the base on
    std::deque<Run> m_runs;               //!< priorities of what is not done
    std::deque<uint32_t> m_resends;       //!< to be sent again
    uint32_t m_base{0};                   //!< the first fragment whose sum is missing
    uint32_t m_next{0};                   //!< the first one that was not sent
    uint32_t m_posted{0};                 //!< fragments that were posted
    uint32_t m_doneAhead{0};              //!< sums from the base on that have come
    int64_t m_usualWait{0};               //!< m_timeout in picoseconds
    int64_t m_meanRtt{0};                 //!< mean time from a packet to its sum, 0: not known
    int64_t m_leastWait{0};               //!< three round trips, as far as they are known
    uint32_t m_firstWhole{0};             //!< the first fragment sent since the first sum
    bool m_awaitsFirst{false};            //!< no sum has come since nothing was outstanding
    uint64_t m_resent{0};                 //!< packets that were sent again
    EventId m_timer;                      //!< CheckTimer
    int64_t m_timerDue{NEVER};            //!< when, in picoseconds; or NEVER
};

} // namespace aifabric
} // namespace ns3

#endif /* GRADIENT_WORKER_H */
