/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ONE_PORT_BALANCER_H
#define ONE_PORT_BALANCER_H

#include "host-balancer.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A NIC whose firmware gives all queue pairs between two NICs one UDP source port. With ECMP, which
 * hashes the 5-tuple, all of them take one path.
 */
class OnePortBalancer : public HostBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Connect(uint32_t source,
                 uint32_t destination,
                 std::shared_ptr<const PathView> paths) override;
    TypeId GetSwitchBalancer() const override;
    bool KeepsPaths() const override;
    Ptr<HostBalancer> Fork() const override;

  private:
    bool m_hashesQueuePairs{false}; //!< whether switches hash the destination queue pair
};

} // namespace aifabric
} // namespace ns3

#endif /* ONE_PORT_BALANCER_H */
