/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENTROPY_BALANCER_H
#define ENTROPY_BALANCER_H

#include "host-balancer.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A balancer of the host that names paths by random labels, as the switches hash them. The label is
 * what comes behind HostBalancer::FIRST_PORT in the source port. With several planes it says the
 * plane too, so that a label is one path.
 */
class EntropyBalancer : public HostBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::optional<PathChoice> Choose(const PathRequest& request) override;

  protected:
    /// @return the label of the next packet, below ENTROPIES
    virtual uint16_t NextLabel() = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* ENTROPY_BALANCER_H */
