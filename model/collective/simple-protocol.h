/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIMPLE_PROTOCOL_H
#define SIMPLE_PROTOCOL_H

#include "collective-protocol.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * NCCL's Simple: data without flags, a fence and a counter after each part.
 *
 * Values: baseLatencies, hwLatencies (NVLINK, NET), llMaxBws (Hopper in one node, hosts with Intel
 * processors in several), treeCorrectionFactor and getNetOverhead() of src/graph/tuning.cc of
 * NCCL 2.30.
 */
class SimpleProtocol : public CollectiveProtocol
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    TreeShares GetTreeShares() const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* SIMPLE_PROTOCOL_H */
