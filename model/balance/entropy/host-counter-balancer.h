/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_COUNTER_BALANCER_H
#define HOST_COUNTER_BALANCER_H

#include "entropy-balancer.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Oblivious packet spraying by the host, as the simulator of Ethereal (arXiv 2407.00550) has it:
 * the label counts packets, from a random start on, and switches hash it.
 */
class HostCounterBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;
    void Start(const FabricFacts& facts, int64_t stream) override;

  private:
    uint16_t NextLabel(int64_t now) override;

    uint32_t m_starts{0};           //!< how many labels it may begin with
    uint32_t m_entropies{0};        //!< how many labels there are
    std::optional<uint32_t> m_next; //!< the next label, once it has begun
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_COUNTER_BALANCER_H */
