/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPS_FIFO_BALANCER_H
#define REPS_FIFO_BALANCER_H

#include "entropy-balancer.h"
#include "label-fifo.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * REPS before it had a ring (uet-htsim, UecMpRepsLegacy): the first window of packets uses the
 * labels in turn. Then each label whose packet was acknowledged without a mark is used once more
 * (LabelFifo); if there is none, a random one. It never freezes. A packet that is sent again
 * belongs to the first window only while new packets do, whatever its own number.
 */
class RepsFifoBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;
    void Start(const FabricFacts& facts, int64_t stream) override;
    std::optional<PathChoice> Choose(const PathRequest& request) override;
    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    double GetMarkingShare() const override;
    void Count(PolicyCounters& counters) const override;

  private:
    uint16_t NextLabel(int64_t now) override;

    double m_markingShare{0};  //!< queue that is marked, as a share of the buffer
    uint32_t m_entropies{0};   //!< how many labels there are
    uint32_t m_mtu{0};         //!< payload of a full packet; 0: not known
    uint64_t m_next{0};        //!< number of the first packet that was not sent yet
    uint32_t m_last{0};        //!< the last label of the first window
    bool m_isExploring{false}; //!< the next packet belongs to the first window
    LabelFifo m_good;          //!< good labels
};

} // namespace aifabric
} // namespace ns3

#endif /* REPS_FIFO_BALANCER_H */
