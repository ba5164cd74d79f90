/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_BALANCER_H
#define HOST_BALANCER_H

#include "ns3/fabric-facts.h"
#include "ns3/object.h"
#include "ns3/path-choice.h"
#include "ns3/path-view.h"
#include "ns3/policy-counters.h"
#include "ns3/rng-stream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How one queue pair chooses paths: by the plane that a packet takes, and by the entropy that it
 * carries (UDP source port), by which the switches hash. The transport reports to it what became of
 * the packets. This base class keeps one entropy for life, as an ordinary RoCE NIC does, and one
 * plane, which is a hash of both hosts and the entropy, as in a bond, with a salt of the run.
 *
 * A subclass named XyzBalancer is offered as `--balancer=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class alignas(64) HostBalancer : public Object
{
  public:
    /// How many entropies there are: UDP source ports from PathChoice::FIRST_PORT on.
    static constexpr uint32_t ENTROPIES = 0x4000;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Prepare for a queue pair, or for one that begins anew: what was learned is forgotten, and
     * random numbers go on.
     *
     * @param facts what it stands on
     * @param stream the random stream to use
     */
    virtual void Start(const FabricFacts& facts, int64_t stream);

    /**
     * The queue pair has another end.
     *
     * @param source the host that sends
     * @param destination the host that receives
     * @param paths the paths between them that are known to be alive; null if unknown
     */
    virtual void Connect(uint32_t source,
                         uint32_t destination,
                         std::shared_ptr<const PathView> paths);

    /**
     * @param entropy the source port that an ordinary NIC would use for the queue pair for ever
     */
    void SetFixedEntropy(uint16_t entropy);

    /// @return a hash that differs between runs: with a salt of ns-3's seed and run number
    /// @param hash the hash of a flow, the same in all runs
    static uint32_t AddRunSalt(uint32_t hash);

    /**
     * Choose the path of a packet. A NIC with one port asks when it makes the packet; one with
     * several asks when the queue pair gets in line for a port, and the packet keeps the choice.
     *
     * @param request the packet
     * @return its path; none: the queue pair waits until a port becomes free, and asks again. With
     * one port there is nothing to wait for, and none is an error
     */
    virtual std::optional<PathChoice> Choose(const PathRequest& request);

    /**
     * Learn what became of a packet.
     *
     * @param entropy of the transmission that is meant
     * @param event what became of it
     * @param delay time from the start of that transmission to its acknowledgement, or until now if
     * it is lost, in picoseconds; 0: not known
     * @param now the current time, in picoseconds
     */
    virtual void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now);

    /**
     * Ports have failed or work again.
     *
     * @param local bit p set: port p of this NIC has a link
     * @param peer bit p set: port p of the other NIC has one, as far as this one knows
     */
    virtual void PortsChanged(uint32_t local, uint32_t peer);

    // Probes: of paths that it does not use, by transports that have them

    /// @return whether it needs a transport that sends its probes and infers losses at once; false
    /// here
    virtual bool NeedsProbes() const;

    /// @return whether it keeps a state for each entropy value, which measurements may read and
    /// denylists may change; false here
    virtual bool HasEvStates() const;

    /// @return when TakeProbe() has a path; the largest number: never, as here
    virtual int64_t GetProbeDue() const;

    /// @param now the current time, in picoseconds
    /// @return the path that a probe is to take now; none: no probe is due, as here
    virtual std::optional<PathChoice> TakeProbe(int64_t now);

    /**
     * A probe was answered.
     *
     * @param entropy of its path
     * @param event what its receiver says about the path: GOOD, MARKED or BAD
     * @param now the current time, in picoseconds
     */
    virtual void ProbeAnswered(uint32_t entropy, PathEvent event, int64_t now);

    /// @return what of a Clos network it relies on, such as "it knows whole paths"; empty: it works
    /// in any fabric, as here
    virtual std::string GetClosNeed() const;

    /// @return whether the packets of a queue pair keep to one path until the path is congested or
    /// fails; by class: true of this one, whose entropy is fixed; a subclass that does has to say
    /// so
    virtual bool KeepsPaths() const;

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
    /// @return the plane that an entropy stands for
    static uint32_t PlaneOf(uint32_t entropy, uint32_t planes);

    /// @return a random number below a bound
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

    uint16_t m_entropy{PathChoice::FIRST_PORT}; //!< the one for life
    uint32_t m_planeSalt{0};                    //!< of the run and of both hosts, for the plane
    int64_t m_stream{-1};                       //!< the random stream; -1: ns-3 chooses
    std::optional<RngStream> m_random;          //!< draws from it
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_BALANCER_H */
