/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLB_BALANCER_H
#define PLB_BALANCER_H

#include "congestion-rounds.h"
#include "entropy-balancer.h"

#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * PLB (Qureshi et al., SIGCOMM 2022; arXiv 2507.21372, "Flowlet"): one random label until the path
 * is congested (CongestionRounds), then another one.
 */
class PlbBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool KeepsPaths() const override;
    void Start(const FabricFacts& facts, int64_t stream) override;
    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    double GetMarkingShare() const override;
    void Count(PolicyCounters& counters) const override;

    /// @return how often the label was changed
    uint64_t GetRelabels() const;

    /**
     * Signature of the Relabel trace source.
     *
     * @param oldEntropy the source port so far
     * @param newEntropy the source port from now on
     */
    typedef void (*RelabelTracedCallback)(uint16_t oldEntropy, uint16_t newEntropy);

  private:
    uint16_t NextLabel(int64_t now) override;

    /// A packet was acknowledged.  @param marked whether it was marked (ECN)
    /// @param sentAt when it was sent, in picoseconds  @param now the current time, in picoseconds
    void PacketAcked(bool marked, int64_t sentAt, int64_t now);

    /// A packet was lost by timeout.  @param entropy of the packet
    /// @param now the current time, in picoseconds
    void TimedOut(uint32_t entropy, int64_t now);

    /// Begin to count rounds anew.
    void ResetRounds();

    /// Draw another label, unless the last change is too recent.
    /// @param now the current time, in picoseconds
    void Relabel(int64_t now);

    double m_markingShare{0};                   //!< queue that is marked, as a share of the buffer
    double m_threshold{0};                      //!< share of marks of a congested round
    uint32_t m_rounds{0};                       //!< congested rounds until a change
    uint32_t m_idleRounds{0};                   //!< the same if nothing is on the way
    Time m_roundTime;                           //!< length of a round; 0: as measured
    uint32_t m_entropies{0};                    //!< how many labels there are
    bool m_relabelsOnTimeout{false};            //!< a timeout changes the label
    double m_leastRtts{0};                      //!< between changes, in base RTTs; 0: no limit
    int64_t m_leastAge{0};                      //!< the same, in picoseconds
    int64_t m_relabelDue{0};                    //!< no change before this time, in picoseconds
    std::optional<CongestionRounds> m_judge;    //!< who says when
    std::optional<uint16_t> m_label;            //!< the label
    uint64_t m_onTheWay{0};                     //!< packets sent and not answered
    uint64_t m_relabels{0};                     //!< changes so far
    TracedCallback<uint16_t, uint16_t> m_trace; //!< a change
};

} // namespace aifabric
} // namespace ns3

#endif /* PLB_BALANCER_H */
