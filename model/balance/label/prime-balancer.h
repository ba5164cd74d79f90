/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRIME_BALANCER_H
#define PRIME_BALANCER_H

#include "part-layout.h"
#include "prime-selector.h"
#include "shared-penalties.h"

#include "ns3/fabric-checker.h"
#include "ns3/host-balancer.h"
#include "ns3/label-forwarding.h"
#include "ns3/nstime.h"

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
 * PRIME (arXiv 2507.23012): the entropy has a part for each switch that chooses on the way up, and
 * one for the plane. Packets use the combinations in a pseudo-random round robin. Marks, losses and
 * timeouts put penalties on the parts, which decay (PrimeSelector).
 *
 * The paper gives no values of the penalties and of their decay. The defaults are one round of a
 * part for a mark and four rounds for a loss, in packets.
 */
class PrimeBalancer : public HostBalancer, public FabricChecker
{
  public:
    /// Attribute Forwarding.
    using Forwarding = LabelForwarding::Mode;
    /// Attribute DecayMode.
    using DecayMode = PrimeSelector::DecayMode;
    /// Attribute SearchMode.
    using SearchMode = PrimeSelector::SearchMode;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;
    std::string GetClosNeed() const override;
    void CheckFabric(const FabricGraph& graph) const override;
    void Start(const FabricFacts& facts, int64_t stream) override;
    void Connect(uint32_t source,
                 uint32_t destination,
                 std::shared_ptr<const PathView> paths) override;
    std::optional<PathChoice> Choose(const PathRequest& request) override;
    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    void PortsChanged(uint32_t local, uint32_t peer) override;
    TypeId GetSwitchBalancer() const override;
    double GetMarkingShare() const override;
    void Count(PolicyCounters& counters) const override;

  private:
    /// @return a type with the attributes of the penalties
    static TypeId AddPenalties(TypeId type);

    /// @return a type with the attributes by which penalties decay and add up
    static TypeId AddPenaltyRules(TypeId type);

    /// What a queue pair has that sends.
    struct Sender
    {
        PartLayout layout;      //!< how parts make up a label
        uint32_t constant;      //!< what is added to each label
        PrimeSelector selector; //!< chooses the parts
    };

    /// Begin to send.
    void MakeSender(uint32_t planes);

    /// Attribute PartSizes.  @param sizes numbers with commas between them
    void SetPartSizes(const std::string& sizes);

    /// @return attribute PartSizes
    std::string GetPartSizes() const;

    /// Check the size of a part.  @param tier of its switches  @param uplinks of each of them
    /// @param parts how many parts there are  @throws std::invalid_argument with one line
    void CheckPartSize(std::size_t tier, uint32_t uplinks, std::size_t parts) const;

    /// @return the numbers of values of the parts of the switches on the way up
    std::vector<uint16_t> FindPartSizes() const;

    /// @return what the selector is to know
    PrimeSelector::Parameters GetParameters() const;

    /// Add the counters of the sender to those of past ones.
    void KeepCounters();

    /// Set in the selector which planes cannot be used.
    void ExcludePlanes();

    double m_markingShare{0};                         //!< queue that is marked, share of the buffer
    uint32_t m_markPenalty{PrimeSelector::USUAL};     //!< of a mark; USUAL: of one round
    uint32_t m_lossPenalty{PrimeSelector::USUAL};     //!< of a loss; USUAL: of four rounds
    uint32_t m_timeoutPenalty{PrimeSelector::USUAL};  //!< of a timeout; USUAL: of a loss
    uint32_t m_decay{1};                              //!< in a step of the decay
    DecayMode m_decayMode{PrimeSelector::PER_PACKET}; //!< what a step is
    Time m_decayInterval;                             //!< length of a step; 0: base round-trip time
    bool m_marksAccumulate{false};                    //!< marks add up
    bool m_lossesOverwrite{true};                     //!< losses do not add up
    uint64_t m_exploreBytes{0};                       //!< before penalties count; 0: one BDP
    SearchMode m_searchMode{PrimeSelector::TUPLE};    //!< how to find a combination
    Forwarding m_forwarding{LabelForwarding::DIRECT}; //!< how switches use the entropy
    std::vector<uint16_t> m_partSizes;                //!< instead of those of the fabric
    bool m_sharesPenalties{false};                    //!< with queue pairs to the same host
    mutable std::shared_ptr<SharedPenalties> m_pool;  //!< of the NIC, if penalties are shared
    std::optional<uint32_t> m_source;                 //!< the host that sends, if it is known
    uint32_t m_destination{0};                        //!< the host that receives, if m_source is
    FabricFacts m_facts;                              //!< of the fabric
    std::vector<uint16_t> m_uplinks;                  //!< of the switches that choose on the way up
    uint32_t m_alivePorts{UINT32_MAX}; //!< planes whose ports have links at both ends
    std::optional<Sender> m_sender;    //!< if it has sent
    uint64_t m_pastSkipped{0};         //!< counters of senders before it began anew
    uint64_t m_pastForced{0};          //!< counters of senders before it began anew
};

} // namespace aifabric
} // namespace ns3

#endif /* PRIME_BALANCER_H */
