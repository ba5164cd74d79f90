/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPLIT_STEERING_H
#define SPLIT_STEERING_H

#include "message-steering.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * QP scaling by splitting: each message, those under one leaf too, is cut into as many pieces as
 * there are queue pairs, floor(bytes / QueuePairs) each, and the last one takes what is left. With
 * ECMP in the switches this is what arXiv 2407.00550 calls MP-RDMA-x, and it is not the MP-RDMA of
 * NSDI 2018. NCCL does it with NCCL_IB_QPS_PER_CONNECTION and NCCL_IB_SPLIT_DATA_ON_QPS=1.
 */
class SplitSteering : public MessageSteering
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Send(uint32_t message) override;
    uint64_t CountPieces(uint32_t messages, uint64_t bytes, uint32_t paths) const override;

  private:
    uint32_t DoCountLanes(const Flow& flow) const override;

    uint32_t m_queuePairs{0}; //!< pieces of a message
};

} // namespace aifabric
} // namespace ns3

#endif /* SPLIT_STEERING_H */
