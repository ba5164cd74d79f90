/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_PAIR_COUNTERS_H
#define QUEUE_PAIR_COUNTERS_H

#include "requestor.h"
#include "responder.h"

#include "ns3/policy-counters.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What has happened to both halves of a queue pair so far, and the names of that in run.json.
 */
struct QueuePairCounters : Requestor::Counters, Responder::Counters
{
    QueuePairCounters() = default;

    /// @param sent packets of its messages that the requestor has sent
    QueuePairCounters(const Requestor::Counters& requestor,
                      const Responder::Counters& responder,
                      uint64_t sent);

    /// Add them by their names.  @param counters where
    void Count(PolicyCounters& counters) const;

    uint64_t dataPackets{0}; //!< data packets sent, the first time or again
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_PAIR_COUNTERS_H */
