/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-pair-counters.h"

namespace ns3
{
namespace aifabric
{

QueuePairCounters::QueuePairCounters(const Requestor::Counters& requestor,
                                     const Responder::Counters& responder,
                                     uint64_t sent)
    : Requestor::Counters(requestor),
      Responder::Counters(responder),
      dataPackets(sent + retransmissions + repairs)
{
}

void
QueuePairCounters::Count(PolicyCounters& counters) const
{
    MergeCounters(counters,
                  {{"data_packets", dataPackets},
                   {"retransmissions", retransmissions},
                   {"repair_packets", repairs},
                   {"discarded_packets", packetsDiscarded},
                   {"out_of_sequence", outOfSequence},
                   {"max_reordering_packets", maxReordering},
                   {"acks", acksSent},
                   {"nacks", naksSent},
                   {"timeouts", timeouts}});
}

} // namespace aifabric
} // namespace ns3
