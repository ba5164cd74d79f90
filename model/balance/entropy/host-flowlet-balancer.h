/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_FLOWLET_BALANCER_H
#define HOST_FLOWLET_BALANCER_H

#include "entropy-balancer.h"

#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Flowlets of the host, as the artifact of REPS has them: one label until no acknowledgement has
 * come for a gap. Each packet until the next acknowledgement then takes another random label, if
 * the last change is older than Hold.
 */
class HostFlowletBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;
    bool KeepsPaths() const override;
    void Start(const FabricFacts& facts, int64_t stream) override;
    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    void Count(PolicyCounters& counters) const override;

    /**
     * Signature of the Relabel trace source.
     *
     * @param oldEntropy the source port so far
     * @param newEntropy the source port from now on
     */
    typedef void (*RelabelTracedCallback)(uint16_t oldEntropy, uint16_t newEntropy);

  private:
    uint16_t NextLabel(int64_t now) override;

    /// @return the gap, in picoseconds
    int64_t GetGap() const;

    Time m_gap;                      //!< time without acknowledgements; 0: half of the base RTT
    Time m_hold;                     //!< least time between two changes
    uint32_t m_entropies{0};         //!< how many labels there are
    int64_t m_halfRtt{0};            //!< half of the base RTT, in picoseconds
    int64_t m_heard{0};              //!< time of the last acknowledgement or first packet
    std::optional<int64_t> m_change; //!< time of the last change
    std::optional<uint16_t> m_label; //!< the label
    uint64_t m_relabels{0};          //!< changes so far
    TracedCallback<uint16_t, uint16_t> m_trace; //!< a change
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_FLOWLET_BALANCER_H */
