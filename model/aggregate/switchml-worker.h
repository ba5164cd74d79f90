/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCHML_WORKER_H
#define SWITCHML_WORKER_H

#include "gradient-worker.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A worker of SwitchML: it has a fragment outstanding for each slot of its job's pool, which is the
 * window of the plan. Its packets go to the switch of the job's first worker. It has no congestion
 * control besides its window.
 */
class SwitchMlWorker : public GradientWorker
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;

  protected:
    void Write(FabricFrame& frame,
               uint32_t sequence,
               uint8_t priority,
               bool isResent,
               int64_t start) override;
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCHML_WORKER_H */
