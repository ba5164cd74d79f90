/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKLOAD_EXTENT_H
#define WORKLOAD_EXTENT_H

#include "training-workload.h"

#include "ns3/collective-layout.h"
#include "ns3/gpu-nodes.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// How collectives go unless their node says otherwise.
struct CollectiveDefaults
{
    TypeId algorithm;                             //!< who sends what to whom
    std::map<std::string, TypeId> byName;         //!< the algorithms that nodes name
    uint32_t channels{1};                         //!< parts that go side by side
    std::optional<uint64_t> chunkBytes;           //!< as CollectiveSpec::chunkBytes
    uint64_t nodeChunkBytes{0};                   //!< as CollectiveSpec::nodeChunkBytes
    std::optional<uint32_t> chunks;               //!< as CollectiveSpec::chunks
    GpuNodes nodes;                               //!< which hosts are the GPUs of one node
    std::optional<TypeId> protocol;               //!< as CollectiveSpec::protocol
    std::map<std::string, TypeId> protocolByName; //!< the protocols that nodes name
    ProtocolTravel travel;                        //!< as CollectiveSpec::travel
};

/**
 * @ingroup ai-fabric
 *
 * How much the collectives and messages of a workload move. It measures collectives that are alike
 * once.
 */
class WorkloadExtent
{
  public:
    /**
     * @param workload the workload, checked; must outlive this
     * @param defaults how collectives go
     * @param mtu payload of a full packet, in bytes
     */
    WorkloadExtent(const TrainingWorkload& workload,
                   const CollectiveDefaults& defaults,
                   uint32_t mtu);

    /// @return what a collective is
    /// @throws std::invalid_argument if there is no algorithm of the name that the node gives
    CollectiveSpec Describe(const WorkloadNode& node) const;

    /// @return how much a collective moves
    /// @throws std::invalid_argument if the algorithm cannot do it
    const CollectiveExtent& Of(const WorkloadNode& node);

    /// @return how much all of it moves; what is the most of a rank or message is not added up
    /// @throws std::invalid_argument as Of() does
    CollectiveExtent Total();

  private:
    /// Collectives that have this in common move the same.
    using Shape = std::tuple<CollectiveKind,
                             std::string,
                             std::string,
                             std::size_t,
                             uint32_t,
                             uint64_t,
                             std::shared_ptr<const PartSizes>,
                             std::vector<uint32_t>,
                             std::vector<uint32_t>>;

    /// @return which ranks share a node; empty if hosts are nodes by themselves  @param hosts by
    /// rank
    std::vector<uint32_t> NumberNodes(const std::vector<uint32_t>& hosts) const;

    /// @return which ranks share a NIC; empty if each has its own  @param hosts by rank
    std::vector<uint32_t> NumberNics(const std::vector<uint32_t>& hosts) const;

    const TrainingWorkload& m_workload;          //!< the workload
    CollectiveDefaults m_defaults;               //!< how collectives go
    uint32_t m_mtu;                              //!< payload of a full packet
    std::map<Shape, CollectiveExtent> m_extents; //!< of collectives
};

} // namespace aifabric
} // namespace ns3

#endif /* WORKLOAD_EXTENT_H */
