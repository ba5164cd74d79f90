/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_BALANCER_H
#define MRC_BALANCER_H

#include "ev-table.h"

#include "ns3/fabric-checker.h"
#include "ns3/host-balancer.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The path selector of MRC (OCP MRC 1.0; arXiv 2605.04333): each queue pair rotates over a set of
 * entropy values (EV), each of which names a path in a plane (EvTable). A mark or a trimmed packet
 * makes its EV lose a turn. A packet that vanishes without a trace retires its EV at once, and
 * probes decide when it may return.
 *
 * It needs a transport that reports losses to it at once and sends its probes (MrcQueuePair).
 *
 * An entropy is PathChoice::FIRST_PORT + plane * paths + label of the path (PathView). So switches
 * forward by labels (PathLabelBalancer), or hash the entropy if Forwarding says so. The EVs are
 * random distinct paths, or those of a profile (EvProfile).
 */
class MrcBalancer : public HostBalancer, public FabricChecker
{
  public:
    /// How switches use the entropy.
    enum Forwarding
    {
        DIRECT,   //!< the label names the uplinks (PathLabelBalancer)
        FULL_HASH //!< a switch hashes the 5-tuple (EcmpBalancer)
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;
    void Start(const FabricFacts& facts, int64_t stream) override;
    std::string GetClosNeed() const override;
    void CheckFabric(const FabricGraph& graph) const override;
    void Connect(uint32_t source,
                 uint32_t destination,
                 std::shared_ptr<const PathView> paths) override;
    std::optional<PathChoice> Choose(const PathRequest& request) override;

    /// Choose the path of a control packet, which takes no turn of a data packet: otherwise probes
    /// between retransmissions could make these take the same plane again and again.
    /// @param request the packet  @return its path; none: no plane has EVs in use and a port
    std::optional<PathChoice> ChooseControl(const PathRequest& request);

    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    void PortsChanged(uint32_t local, uint32_t peer) override;
    bool NeedsProbes() const override;
    bool HasEvStates() const override;
    int64_t GetProbeDue() const override;
    std::optional<PathChoice> TakeProbe(int64_t now) override;
    void ProbeAnswered(uint32_t entropy, PathEvent event, int64_t now) override;
    TypeId GetSwitchBalancer() const override;
    double GetMarkingShare() const override;
    void Count(PolicyCounters& counters) const override;

    /// Use the EVs of a profile between leaves, instead of random ones.
    /// @param profile the text that EvProfile reads; empty: none
    /// @throws std::invalid_argument with one line, if it is no profile
    void SetProfile(const std::string& profile);

    /// @return the text of the profile; empty: there is none
    std::string GetProfile() const;

    /// Ports have regained their links: what was lost in their planes before is no fault of a path.
    /// @param planes bit p set: the port of plane p, of this NIC or the other one
    /// @param now the current time, in picoseconds
    void PortsReturned(uint32_t planes, int64_t now);

    /// A plane loses all packets, and another one does not: do without it until probes come back,
    /// unless a port is the cause.
    /// @param start when the transmission of the last one of them began, in picoseconds
    /// @param now the current time, in picoseconds
    void PlaneSilent(uint16_t plane, int64_t start, int64_t now);

    /// The packet for which an EV was retired has arrived after all: use the EV again.
    /// @param entropy the EV  @param retiredAt when it was retired, in picoseconds
    void Reinstate(uint32_t entropy, int64_t retiredAt)
    {
        m_evs.Reinstate(entropy, retiredAt);
    }

    /// @return the plane of an EV; none: this queue pair has no such plane  @param entropy the EV
    std::optional<uint16_t> FindPlane(uint32_t entropy) const
    {
        return m_evs.FindPlane(entropy);
    }

    /**
     * Take an EV out of use, as an operator's denylist does, until Allow() is called or the queue
     * pair is connected again. An EV of a queue pair that has not sent yet is denied as soon as it
     * sends.
     *
     * @param entropy the EV; one that the queue pair does not have is ignored
     */
    void Deny(uint32_t entropy)
    {
        m_evs.Deny(entropy);
    }

    /// Take a denied EV into use again.  @param entropy the EV
    void Allow(uint32_t entropy)
    {
        m_evs.Allow(entropy);
    }

    /// @return the path of an EV in its plane: the label of PathView, unless switches hash it
    /// @param entropy the EV
    uint32_t GetPath(uint32_t entropy) const
    {
        return (entropy - PathChoice::FIRST_PORT) % m_evs.GetPaths();
    }

    /// @return the EV of a path  @param path its label
    uint32_t GetEntropy(uint16_t plane, uint32_t path) const
    {
        return PathChoice::FIRST_PORT + plane * m_evs.GetPaths() + path;
    }

    /// @return paths of a plane to the other end; those that the queue pair has EVs for are among
    /// them
    uint32_t GetPathCount() const
    {
        return m_evs.GetPaths();
    }

    /// @return whether switches hash the entropy, so that the path of an EV is not known
    bool HashesPaths() const
    {
        return m_forwarding == FULL_HASH;
    }

    /// @return EVs of a plane, by state; none before it has sent
    EntropySet::Counts CountEvs(uint16_t plane) const
    {
        return m_evs.Count(plane);
    }

    /**
     * Signature of the EvState trace source.
     *
     * @param entropy the EV
     * @param state its state from now on: an EntropySet::State
     */
    typedef void (*EvStateTracedCallback)(uint32_t entropy, uint8_t state);

  private:
    /// @return a type with the attributes that say how many EVs there are
    static TypeId AddSetAttributes(TypeId type);

    /// @return a type with the attributes of probes
    static TypeId AddProbeAttributes(TypeId type);

    /// @return paths of a plane between hosts that are as far apart as any
    uint32_t CountLongestPaths() const;

    /// @return whether a port explains that a packet is lost
    /// @param start when its transmission began, in picoseconds
    bool IsOfPort(uint16_t plane, int64_t start) const
    {
        return !(m_alivePorts >> plane & 1) ||
               (plane < m_returns.size() && start <= m_returns[plane]);
    }

    /// Set up the EVs.
    void FillTable(uint32_t planes);

    /// @return the parameters of the prober, in picoseconds
    PathProber::Parameters GetProbing() const;

    double m_markingShare{0};        //!< queue that is marked, share of the buffer
    uint32_t m_total{0};             //!< EVs of a queue pair
    uint32_t m_active{0};            //!< of these, in use
    uint32_t m_leastActive{0};       //!< of these, at least; 0: a fourth of all
    uint32_t m_planeLead{0};         //!< packets by which a plane may be ahead
    bool m_swapsOnSkip{false};       //!< a backup takes the place of an EV that is skipped
    Forwarding m_forwarding{DIRECT}; //!< how switches use the entropy
    std::shared_ptr<const EvProfile> m_profile; //!< the EVs between leaves; null: random ones
    Time m_probeInterval;                       //!< first interval of probes
    Time m_mostProbeInterval;                   //!< the longest
    uint32_t m_probeAnswers{0};                 //!< in a row that bring an EV back
    uint32_t m_mostProbeAnswers{0};             //!< the most after relapses
    Time m_relapseInterval;                     //!< a loss so soon after its return is a relapse
    FabricFacts m_facts;                        //!< of the fabric
    uint32_t m_alivePorts{UINT32_MAX};          //!< planes whose ports have links at both ends
    std::vector<int64_t> m_returns;             //!< when ports came back last, by plane; in ps
    EvTable m_evs;                              //!< its EVs
    EvTable::StateTrace m_trace;                //!< an EV has another state
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_BALANCER_H */
