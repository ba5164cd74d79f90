/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ANSWER_CARRIER_H
#define ANSWER_CARRIER_H

#include "ns3/fabric-frame.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Who carries the answers of a NIC past its ports (AckBypass).
 */
class AnswerCarrier
{
  public:
    virtual ~AnswerCarrier() = default;

    /// Carry an answer to its destination.  @param answer the answer, complete
    virtual void Carry(const Ptr<FabricFrame>& answer) = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* ANSWER_CARRIER_H */
