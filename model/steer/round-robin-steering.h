/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUND_ROBIN_STEERING_H
#define ROUND_ROBIN_STEERING_H

#include "message-steering.h"

#include <unordered_map>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * QP scaling without splitting: the messages from a host to another take its queue pairs in turn,
 * as NCCL does it with NCCL_IB_QPS_PER_CONNECTION and NCCL_IB_SPLIT_DATA_ON_QPS=0.
 */
class RoundRobinSteering : public MessageSteering
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Send(uint32_t message) override;

  private:
    uint32_t m_queuePairs{0};                      //!< to each destination
    std::unordered_map<uint64_t, uint32_t> m_next; //!< of the next message, by destination, channel
};

} // namespace aifabric
} // namespace ns3

#endif /* ROUND_ROBIN_STEERING_H */
