/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NCCL_TUNER_H
#define NCCL_TUNER_H

#include "collective-kind.h"
#include "collective-protocol.h"
#include "rank-nodes.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How long NCCL expects a collective to take, from which it chooses an algorithm and a protocol: a
 * latency and the size divided by a bandwidth (ncclTopoTuneModel() and ncclTopoGetAlgoTime() of
 * src/graph/tuning.cc of NCCL 2.30). With n ranks in N nodes of G:
 *
 * - ring: 2 (n - 1) messages in a row of an all-reduce, 2 (N - 1) of them between nodes; half as
 *   many of an all-gather or a reduce-scatter; n of a broadcast or a reduce. Its bus bandwidth is
 *   the rate of a GPU in its node, or that of the G NICs of a node, if it is less;
 * - tree, all-reduce only: twice G - 1 messages within nodes and log N between them; its bus
 *   bandwidth is the same, with NICs that count twice for two nodes.
 *
 * Protocols have the latencies, and the share of the bandwidth. What NCCL knows of channels,
 * threads and processors is left out.
 */
class NcclTuner
{
  public:
    /// What a collective may use.
    struct Option
    {
        bool isTree;                      //!< a tree; otherwise a ring
        Ptr<CollectiveProtocol> protocol; //!< the protocol
    };

    /// @param nicRate of a GPU to the network, in bit/s  @param nodeRate of a GPU in its node, in
    /// bit/s
    NcclTuner(uint64_t nicRate, uint64_t nodeRate);

    /// @return whether it knows algorithms of a kind; others have rings only, or none
    static bool HasTrees(CollectiveKind kind);

    /// @return the time that NCCL expects, in picoseconds  @param bytes as nccl-tests count them
    double GetTimePs(CollectiveKind kind,
                     RankShape shape,
                     uint64_t bytes,
                     const Option& option) const;

    /// @return the option of the least time  @param options at least one  @param bytes as above
    Option Choose(CollectiveKind kind,
                  RankShape shape,
                  uint64_t bytes,
                  const std::vector<Option>& options) const;

  private:
    /// @return the latency of a ring, in picoseconds
    static double GetRingPs(CollectiveKind kind, RankShape shape, const Option& option);

    /// @return the latency of a tree, in picoseconds
    static double GetTreePs(RankShape shape, const Option& option);

    /// @return the size that takes a second, in bytes
    double GetBandwidth(CollectiveKind kind,
                        RankShape shape,
                        uint64_t bytes,
                        const Option& option) const;

    double m_nicRate;  //!< of a GPU to the network, in bytes a second
    double m_nodeRate; //!< of a GPU in its node, in bytes a second
};

} // namespace aifabric
} // namespace ns3

#endif /* NCCL_TUNER_H */
