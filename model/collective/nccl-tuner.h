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
#include <optional>
#include <string>
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
 *   bandwidth is the same, with NICs that count twice for two nodes;
 * - NVLS, all-reduce only, where switches of nodes add up and copy (SwitchRates): the sum and the
 *   copy in a node, and twice log N messages of the tree between nodes (NVLSTree). It has G
 *   channels, each of which takes its rate once from each GPU and twice from one.
 *
 * Protocols have the latencies, and the share of the bandwidth; NVLS has Simple only. What NCCL
 * knows of other channels, threads and processors is left out. Left out is NVLS of an all-gather
 * and a reduce-scatter, of which NCCL expects less than of rings.
 */
class NcclTuner
{
  public:
    /// Who hands data to whom.
    enum class Algorithm
    {
        RING,
        TREE,
        NVLS
    };

    /// What a collective may use.
    struct Option
    {
        Algorithm algorithm;              //!< who hands data to whom
        Ptr<CollectiveProtocol> protocol; //!< the protocol
    };

    /// What NCCL reckons that switches of nodes reach, in bytes a second.
    struct SwitchRates
    {
        double share;   //!< of the rate of a GPU in its node
        double channel; //!< the most of a channel
        double pair;    //!< the most of a channel between two nodes
        double network; //!< the most of a channel between more nodes
    };

    /**
     * @param nicRate of a GPU to the network, in bit/s
     * @param nodeRate of a GPU in its node, in bit/s
     * @param switches what switches of nodes reach that add up; none: they do not
     */
    NcclTuner(uint64_t nicRate,
              uint64_t nodeRate,
              const std::optional<SwitchRates>& switches = std::nullopt);

    /// @return what NCCL reckons with for GPUs  @param gpu a value of --nvlink
    static std::optional<SwitchRates> FindSwitches(const std::string& gpu);

    /// @return the algorithms that it knows for a kind and these nodes, of those that rings do
    std::vector<Algorithm> ListAlgorithms(CollectiveKind kind, RankShape shape) const;

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

    /// @return the latency of NVLS, in picoseconds
    static double GetNvlsPs(RankShape shape, const Option& option);

    /// @return the latency, in picoseconds
    static double GetLatencyPs(CollectiveKind kind, RankShape shape, const Option& option);

    /// @return the size of a ring or a tree that takes a second, in bytes
    double GetBandwidth(CollectiveKind kind,
                        RankShape shape,
                        uint64_t bytes,
                        const Option& option) const;

    /// @return the size of an all-reduce by NVLS that takes a second, in bytes
    double GetNvlsBandwidth(RankShape shape) const;

    double m_nicRate;  //!< of a GPU to the network, in bytes a second
    double m_nodeRate; //!< of a GPU in its node, in bytes a second

    std::optional<SwitchRates> m_switches; //!< of nodes; none: they do not add up
};

} // namespace aifabric
} // namespace ns3

#endif /* NCCL_TUNER_H */
