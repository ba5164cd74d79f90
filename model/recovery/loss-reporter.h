/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSS_REPORTER_H
#define LOSS_REPORTER_H

#include "ns3/object.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Who reports losses to queue pairs whose recovery counts on that (LossOracle).
 */
class LossReporter : public Object
{
  public:
    /// Begin to watch for losses, unless it does already.
    virtual void Start() = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* LOSS_REPORTER_H */
