/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENDPOINT_SCHEDULER_H
#define ENDPOINT_SCHEDULER_H

#include "ns3/frame-source.h"
#include "ns3/object.h"

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace ns3
{
namespace aifabric
{

class Endpoint;
class SendArbiter;

/**
 * @ingroup ai-fabric
 *
 * The endpoints in front of one port of a NIC: a line for each traffic class. Which of them sends
 * the next packet of its class is what subclasses say. An endpoint whose rate does not allow a
 * packet yet waits beside the line. The line may have a rate of its own. Where the ports of a NIC
 * have one rate together, one more scheduler stands in front of those of the ports, and the
 * SendArbiter moves endpoints on by Take().
 *
 * A subclass named XyzScheduler is offered as `--sendOrder=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class EndpointScheduler : public Object, public FrameSource
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// To be called once.  @param arbiter who puts endpoints in line
    /// @param number of the line, among those of the NIC
    void Install(SendArbiter* arbiter, uint8_t number);

    /// @param pacing time that all endpoints together take for a byte, as Pacing has it, from the
    /// next packet on; 0: that of the wire
    void SetPacing(int64_t pacing);

    /**
     * An endpoint has a packet for this port and does not stand in line.
     *
     * @param now the current time, in picoseconds
     */
    void Enlist(Endpoint* endpoint, int64_t now);

    /**
     * The next packet of an endpoint that stands in line, here or elsewhere, may be another one
     * than before.
     */
    virtual void Reorder(Endpoint* endpoint);

    /// The time of an endpoint that waits for it has moved.
    void Move(Endpoint* endpoint, int64_t now);

    /// @return the endpoints that stand in line or wait beside it
    uint32_t GetWaiting() const;

    /// @return when the rate of the line allows its next packet, in picoseconds; maybe in the past
    int64_t GetFreeAt() const
    {
        return m_nextTime;
    }

    /// @param time when the line may move again, in picoseconds
    void SetFreeAt(int64_t time)
    {
        m_nextTime = time;
    }

    /// @return the first endpoint of a class, which leaves the line  @param trafficClass the
    /// class that GetReadyClass() has named
    Endpoint* Take(uint8_t trafficClass);

    int64_t GetNextTime(uint8_t open) override;
    int GetReadyClass(uint8_t open, int64_t start) override;
    Ptr<FabricFrame> Pull(uint8_t trafficClass, int64_t start) override;
    void Prefetch(uint32_t step) const override;

  protected:
    /// The front of a line.
    struct Front
    {
        Endpoint* first;  //!< the one that sends next, or nullptr
        Endpoint* second; //!< the one after it, or nullptr
    };

  private:
    /// An endpoint whose rate allows its next packet later.
    struct Paced
    {
        int64_t time;       //!< when, in picoseconds
        uint64_t order;     //!< breaks ties: first come, first served
        Endpoint* endpoint; //!< the endpoint

        /// @return whether this one is later  @param other another
        bool operator>(const Paced& other) const
        {
            return time != other.time ? time > other.time : order > other.order;
        }
    };

    /// Put an endpoint into the line of a class.
    virtual void Insert(uint8_t trafficClass, Endpoint* endpoint) = 0;

    /// @return the front of a line  @param trafficClass the line's class
    virtual Front Peek(uint8_t trafficClass) const = 0;

    /// Prefetch what Peek() reads to find the first.  @param trafficClass the line's class
    virtual void Prefetch(uint8_t trafficClass) const = 0;

    /// Remove the endpoint that sends next.  @param trafficClass the line's class
    /// @return the front of the line as it was
    virtual Front RemoveFirst(uint8_t trafficClass) = 0;

    /// @return how many stand in line  @param trafficClass the line's class
    virtual uint32_t Count(uint8_t trafficClass) const = 0;

    /// @return whether the time of an endpoint has moved since an entry was made, or it waits no
    /// more
    bool IsStale(const Paced& paced) const;

    /// Put an endpoint into its line.  @param time since when it may send, in picoseconds
    void Join(Endpoint* endpoint, int64_t time);

    /// Remove endpoints from the front of a line that cannot send any more, because the packet
    /// that they were to retransmit is acknowledged, or their window has shrunk.
    /// @param trafficClass the line's class  @return whether the line still has an endpoint
    bool Clear(uint8_t trafficClass);

    /// Prefetch the state that the next packets will touch: of the next one the policies of its
    /// endpoint, of the one after it the endpoint.  @param trafficClass the line's class
    /// @param sender who has just sent, whose state is there
    void PrefetchCandidates(uint8_t trafficClass, const Endpoint* sender) const;

    SendArbiter* m_arbiter{nullptr};       //!< who puts endpoints in line
    int64_t m_pacing{0};                   //!< time for a byte, times 2^16; 0: none
    int64_t m_nextTime{0};                 //!< when the line may move, in picoseconds
    uint8_t m_ready{0};                    //!< bit c set: the line of class c
    std::array<int64_t, 8> m_readySince{}; //!< when a line began, by class
    std::priority_queue<Paced, std::vector<Paced>, std::greater<Paced>> m_paced; //!< who may later
    uint64_t m_order{0}; //!< how many have been paced
    uint32_t m_stale{0}; //!< entries of m_paced whose endpoint waits no more, or until another time
    uint8_t m_number{0}; //!< of the line, among those of the NIC
};

} // namespace aifabric
} // namespace ns3

#endif /* ENDPOINT_SCHEDULER_H */
