/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_PAIR_SCHEDULER_H
#define QUEUE_PAIR_SCHEDULER_H

#include "ns3/frame-source.h"
#include "ns3/growing-ring.h"

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace ns3
{
namespace aifabric
{

class RoceNetDevice;
class RoceQueuePair;

/**
 * @ingroup ai-fabric
 *
 * The line of queue pairs in front of one port of a NIC: round robin, a packet each, within each
 * traffic class. A queue pair whose rate does not allow a packet yet waits beside the line. The
 * line may have a rate of its own.
 */
class QueuePairScheduler : public FrameSource
{
  public:
    /**
     * @param nic the NIC
     * @param pacing time that all queue pairs together take for a byte, as RoceNetDevice::GetPacing
     * has it; 0: that of the wire
     */
    QueuePairScheduler(RoceNetDevice* nic, int64_t pacing);

    /// @param pacing the same, from the next packet on
    void SetPacing(int64_t pacing);

    /**
     * A queue pair has a packet for this port and does not stand in line.
     *
     * @param queuePair the queue pair
     * @param now the current time, in picoseconds
     */
    void Enlist(RoceQueuePair* queuePair, int64_t now);

    /// @return the queue pairs that stand in line or wait beside it
    uint32_t GetWaiting() const;

    /// @return when the rate of the line allows its next packet, in picoseconds; maybe in the past
    int64_t GetFreeAt() const
    {
        return m_nextTime;
    }

    int64_t GetNextTime(uint8_t open) override;
    int GetReadyClass(uint8_t open, int64_t start) override;
    Ptr<FabricFrame> Pull(uint8_t trafficClass, int64_t start) override;
    void Foresee(uint32_t step) const override;

  private:
    /// A queue pair whose rate allows its next packet later.
    struct Paced
    {
        int64_t time;             //!< when, in picoseconds
        uint64_t order;           //!< breaks ties: first come, first served
        RoceQueuePair* queuePair; //!< the queue pair

        /// @return whether this one is later  @param other another
        bool operator>(const Paced& other) const
        {
            return time != other.time ? time > other.time : order > other.order;
        }
    };

    /// Put a queue pair at the end of the line.  @param queuePair the queue pair
    /// @param time since when it may send, in picoseconds
    void Append(RoceQueuePair* queuePair, int64_t time);

    /// Send those away who stand first in a line and have nothing to send any more, because what
    /// they were to send again has been acknowledged, or their window has shrunk.
    /// @param trafficClass the line's class  @return whether somebody is left
    bool Clear(int trafficClass);

    /// Have fetched what the next packets will touch: of the next one what its queue pair points
    /// to, of the one after it the queue pair.  @param line their line
    static void ForeseeNext(const GrowingRing<RoceQueuePair*>& line);

    RoceNetDevice* m_nic;                               //!< the NIC
    int64_t m_pacing;                                   //!< time for a byte, times 2^16; 0: none
    int64_t m_nextTime{0};                              //!< when the line may move, in picoseconds
    uint8_t m_ready{0};                                 //!< bit c set: the line of class c
    std::array<int64_t, 8> m_readySince{};              //!< when a line began, by class
    std::array<GrowingRing<RoceQueuePair*>, 8> m_lines; //!< who may send now, by class
    std::priority_queue<Paced, std::vector<Paced>, std::greater<Paced>> m_paced; //!< who may later
    uint64_t m_order{0}; //!< how many have been paced
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_PAIR_SCHEDULER_H */
