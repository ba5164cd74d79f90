/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_BALANCER_H
#define HOST_BALANCER_H

#include "ns3/object.h"
#include "ns3/path-view.h"
#include "ns3/policy-counters.h"
#include "ns3/rng-stream.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How one queue pair chooses paths: by the entropy (UDP source port) that it gives its packets, by
 * which the switches hash. It is told what became of the packets. This base class keeps one random
 * entropy for life, as an ordinary RoCE NIC does.
 *
 * A subclass named XyzBalancer is offered as `--balancer=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class alignas(64) HostBalancer : public Object
{
  public:
    /// The first UDP source port of RoCEv2 senders; entropies are the 2^14 ports from here on.
    static constexpr uint16_t FIRST_PORT = 0xC000;
    /// How many entropies there are.
    static constexpr uint32_t ENTROPIES = 0x4000;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Prepare for a queue pair, or for one that begins anew: what was learned is forgotten, and
     * random numbers go on.
     *
     * @param stream the random stream to use
     */
    virtual void Start(int64_t stream);

    /**
     * The queue pair has another end.
     *
     * @param source the host that sends
     * @param destination the host that receives
     * @param paths the paths between them that are known to be alive; null if nobody knows
     */
    virtual void Connect(uint32_t source,
                         uint32_t destination,
                         std::shared_ptr<const PathView> paths);

    /**
     * @param entropy the source port that an ordinary NIC would use for the queue pair for ever
     */
    void SetFixedEntropy(uint16_t entropy);

    /**
     * @return the UDP source port of the next packet
     */
    virtual uint16_t NextEntropy();

    /**
     * Choose the plane of the next packet. Called some time before NextEntropy, and only where
     * there is more than one.
     *
     * @param planes the number of planes
     * @return a plane
     */
    virtual uint32_t NextPlane(uint32_t planes);

    /**
     * @return whether packets may go by the first port that can send them instead, so that none
     * waits for the port of its plane while another port is idle
     */
    virtual bool TakesAnyPlane() const;

    /**
     * A packet was acknowledged.
     *
     * @param entropy its source port
     * @param marked whether the network had marked it (ECN)
     * @param sentAt when it was sent, in picoseconds
     * @param now the current time, in picoseconds
     */
    virtual void PacketAcked(uint16_t entropy, bool marked, int64_t sentAt, int64_t now);

    /**
     * The sender has found out that a packet is lost, by what was acknowledged (SackRecovery), by a
     * NAK (GoBackNRecovery), by the packet's own timer (PacketTimerRecovery), or because it was
     * told (LossOracle).
     *
     * @param entropy the source port of the transmission that was lost
     * @param now the current time, in picoseconds
     */
    virtual void PacketLost(uint16_t entropy, int64_t now);

    /**
     * Within RoceQueuePair::PacketTimeout after a transmission, no acknowledgement has answered the
     * transmission or covered its packet. The packet may be lost or late. Called only if that
     * attribute is not 0; does nothing here.
     *
     * @param entropy the source port of the transmission
     * @param now the current time, in picoseconds
     */
    virtual void PacketTimedOut(uint16_t entropy, int64_t now);

    /**
     * Nothing was acknowledged for so long that the retransmission timer expired. Which packets are
     * lost is not said.
     *
     * @param now the current time, in picoseconds
     */
    virtual void TimerExpired(int64_t now);

    /// @return the switch balancer that it counts on; EcmpBalancer here
    virtual TypeId GetSwitchBalancer() const;

    /// @return the longest queue that switches shall not mark (ECN), as a share of the port buffer;
    /// 0: it needs no marks
    virtual double GetMarkingShare() const;

    /**
     * Make another one for another queue pair; as TcpCongestionOps::Fork() does. A subclass that
     * overrides it by ForkObject(*this) makes queue pairs cheap to open.
     *
     * @return another one with the same attributes, of one that has not been used yet
     */
    virtual Ptr<HostBalancer> Fork() const;

    /// Add what it has counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const;

  protected:
    /// @return the plane that an entropy stands for  @param entropy the entropy
    /// @param planes the number of planes
    static uint32_t PlaneOf(uint16_t entropy, uint32_t planes);

    /// @return a random number below a bound  @param bound the bound
    uint32_t Draw(uint32_t bound)
    {
        if (!m_random)
        {
            MakeRandom();
        }
        return static_cast<uint32_t>(m_random->RandU01() * bound);
    }

  private:
    /// Make the source of randomness: only who sends needs one. It is what a RandomVariableStream
    /// has, without the attributes, which cost more than all the rest of a queue pair.
    void MakeRandom();

    uint16_t m_entropy{FIRST_PORT};    //!< the one for life
    int64_t m_stream{-1};              //!< the random stream; -1: ns-3 chooses
    std::optional<RngStream> m_random; //!< draws from it
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_BALANCER_H */
