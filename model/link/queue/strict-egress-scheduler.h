/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRICT_EGRESS_SCHEDULER_H
#define STRICT_EGRESS_SCHEDULER_H

#include "egress-scheduler.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Strict priority: the highest queue that can send. It is the default, and FabricTransmitter does
 * it by itself: a port makes no object of this class. It is there to be named, and as a base class.
 */
class StrictEgressScheduler : public EgressScheduler
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint8_t Choose(const EgressHeads& heads) override;
};

} // namespace aifabric
} // namespace ns3

#endif /* STRICT_EGRESS_SCHEDULER_H */
