/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_CARRIER_H
#define COLLECTIVE_CARRIER_H

#include "collective-work.h"

#include <memory>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Carries those collectives of a TrainingWorkload that are no messages (OffloadedCollective). The
 * results come back to the ranks, and then each is done.
 */
class CollectiveCarrier
{
  public:
    virtual ~CollectiveCarrier() = default;

    /**
     * Add a collective, before its ranks begin. Those of a communicator are added in the order of
     * its programs.
     *
     * @param spec what it is
     * @param communicator index of its communicator
     * @param done called for each rank that is done
     * @return the collective
     */
    virtual std::shared_ptr<CollectiveWork> Add(const CollectiveSpec& spec,
                                                uint32_t communicator,
                                                CollectiveWork::RankDone done) = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_CARRIER_H */
