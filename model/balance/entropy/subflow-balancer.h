/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUBFLOW_BALANCER_H
#define SUBFLOW_BALANCER_H

#include "entropy-balancer.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Subflows, as of MPTCP: a few random labels for life, to which packets are dealt in turn
 * (arXiv 2507.21372, "Subflow").
 */
class SubflowBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Start(const FabricFacts& facts, int64_t stream) override;

  private:
    uint16_t NextLabel(int64_t now) override;

    uint32_t m_subflows{0};         //!< how many labels there are
    std::vector<uint16_t> m_labels; //!< the labels
    uint32_t m_next{0};             //!< whose turn it is
};

} // namespace aifabric
} // namespace ns3

#endif /* SUBFLOW_BALANCER_H */
