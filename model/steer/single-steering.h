/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SINGLE_STEERING_H
#define SINGLE_STEERING_H

#include "message-steering.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * One queue pair for all messages from a host to another, as an ordinary application has it. It
 * serves both directions.
 */
class SingleSteering : public MessageSteering
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Send(uint32_t message) override;

  private:
    uint32_t DoCountLanes(const Flow& flow) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* SINGLE_STEERING_H */
