/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOS_FORWARDER_H
#define CLOS_FORWARDER_H

#include "switch-forwarder.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The rule of a Clos network, and the balancer of the switch: with EcmpBalancer, the usual hash of
 * the flow (UDP/ECMP).
 */
class ClosForwarder : public SwitchForwarder
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();
};

} // namespace aifabric
} // namespace ns3

#endif /* CLOS_FORWARDER_H */
