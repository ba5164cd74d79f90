/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_PROBER_H
#define FABRIC_PROBER_H

#include "ev-denylist.h"
#include "probe-agent.h"
#include "probe-judge.h"

#include "ns3/event-id.h"
#include "ns3/fabric-switch.h"
#include "ns3/nstime.h"
#include "ns3/policy-counters.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Watches a fabric of MRC as Clustermapper does (arXiv 2605.04333, sections 2.4 and 3): in each
 * interval an agent at each NIC sends a probe to each of its switches of tier 0 (T0) and back, and
 * the hosts of a T0 share its uplinks among them and send a probe over each of them to tier 1 (T1)
 * and back. They take turns, so that each host tries each uplink. ProbeJudge finds out what has
 * failed, and EvDenylist denies the entropy values that cross it.
 *
 * Probes are frames like others: 120 bytes of IP and more with outer headers, in the class of
 * control packets. A probe that has not come back by the next interval is lost. Their routes need
 * switches that follow labels (MrcBalancer with Forwarding=Direct) or source routes. What probes
 * have found is known to all hosts at once: how results and denylists travel is not modelled.
 */
class FabricProber : public Object
{
  public:
    /// What was counted.
    struct Counters
    {
        uint64_t sent{0};      //!< probes sent, those of the current round included
        uint64_t lost{0};      //!< of these, those that did not come back in time
        uint64_t badFound{0};  //!< times that an element was found to be bad
        uint64_t goodFound{0}; //!< times that one was found to work again
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricProber();
    ~FabricProber() override;

    /**
     * Start probing when the simulation starts. To be called once, before any NIC has a queue pair
     * and before the simulation starts.
     *
     * @param graph the fabric; must outlive this
     * @param nics its NICs, by host
     * @param switches its switches, by number
     */
    void Install(const FabricGraph& graph,
                 const std::vector<Ptr<RoceNetDevice>>& nics,
                 const std::vector<Ptr<FabricSwitch>>& switches);

    /// @return what was counted
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return the elements that are bad
    const std::set<FabricElement>& GetBad() const
    {
        return m_judge->GetBad();
    }

    /// Add what was counted, by its name in run.json.  @param counters where
    void Count(PolicyCounters& counters) const;

    /// A probe has come back.  @param host its sender  @param label of its path
    /// @param round in which it was sent
    void Returned(uint32_t host, uint16_t plane, uint32_t label, uint32_t round);

    /**
     * Signature of the ElementState trace source.
     *
     * @param isBad whether it has failed; false: it works again
     */
    typedef void (*ElementStateTracedCallback)(const FabricElement& element, bool isBad);

    /**
     * Signature of the ProbeLost trace source.
     *
     * @param host the host that sent the probe
     * @param element what it has tried: the port of the host, or a link between T0 and T1
     */
    typedef void (*ProbeLostTracedCallback)(uint32_t host, const FabricElement& element);

  protected:
    void DoDispose() override;

  private:
    /// A link between T0 and T1.
    struct Uplink
    {
        uint32_t link;      //!< its number
        uint16_t plane;     //!< its plane
        uint16_t label;     //!< its number among the uplinks of its T0
        uint32_t firstHost; //!< first host of its T0
        uint32_t hosts;     //!< hosts of its T0
        bool isAnswered;    //!< the probe of this round has come back
    };

    /// Find the uplinks of all T0.
    void FindUplinks();

    /// End a round and begin the next one.
    void NextRound();

    /// Send the probes of a round, and schedule its end.
    void SendProbes();

    /// See what has come back.
    void JudgeRound();

    /// @return the host that tries an uplink in this round
    uint32_t GetProbingHost(const Uplink& uplink) const
    {
        return uplink.firstHost + (uplink.label + m_round) % uplink.hosts;
    }

    Time m_interval;                        //!< between rounds
    uint32_t m_losses{0};                   //!< in a row until an element is bad
    uint32_t m_answers{0};                  //!< in a row until it is good again
    bool m_denies{false};                   //!< entropy values are denied
    uint8_t m_dscp{0};                      //!< of probes
    const FabricGraph* m_graph{nullptr};    //!< the fabric
    std::vector<Ptr<ProbeAgent>> m_agents;  //!< by host
    std::vector<Uplink> m_uplinks;          //!< by plane, T0 and port
    std::vector<uint32_t> m_firstUplinks;   //!< of a T0, by its number
    std::vector<bool> m_answered;           //!< probes to T0 that came back, by host and plane
    std::optional<ProbeJudge> m_judge;      //!< finds out what has failed
    std::unique_ptr<EvDenylist> m_denylist; //!< denies entropy values; null: no value is denied
    uint32_t m_round{0};                    //!< number of the round
    EventId m_event;                        //!< the next round
    Counters m_counters;                    //!< what was counted

    TracedCallback<const FabricElement&, bool> m_elementTrace;  //!< the state of an element changed
    TracedCallback<uint32_t, const FabricElement&> m_lostTrace; //!< a probe was lost
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_PROBER_H */
