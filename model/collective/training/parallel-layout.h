/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARALLEL_LAYOUT_H
#define PARALLEL_LAYOUT_H

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What the hosts of a group divide among them.
enum class ParallelDimension : uint8_t
{
    TENSOR,      //!< the tensors of each layer
    DATA,        //!< the samples
    PIPELINE,    //!< the layers
    EXPERT,      //!< the experts of a layer: neighbours in DATA
    EXPERT_DATA, //!< the samples of the same experts: what EXPERT leaves of DATA
};

/**
 * @ingroup ai-fabric
 *
 * Which hosts train which part of a model. Each host has a place in a grid of tensor, data and
 * pipeline parallel ranks; hosts that differ in one coordinate alone are a group of that dimension.
 * Expert parallel ranks divide the data parallel ones.
 *
 * Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using
 * Megatron-LM, SC 2021, section 2; the groups are those of Megatron-LM's parallel_state.py.
 */
class ParallelLayout
{
  public:
    /// How many ranks there are in each dimension.
    struct Sizes
    {
        uint32_t tensor{1};   //!< TENSOR
        uint32_t pipeline{1}; //!< PIPELINE: stages
        uint32_t data{1};     //!< DATA
        uint32_t expert{1};   //!< EXPERT; divides DATA
    };

    /// The coordinates of a host.
    struct Place
    {
        uint32_t tensor;   //!< in TENSOR
        uint32_t pipeline; //!< in PIPELINE
        uint32_t data;     //!< in DATA
    };

    /// TENSOR, DATA and PIPELINE; ranks of the first are neighbours.
    using Order = std::array<ParallelDimension, 3>;

    /// That of Megatron-LM; with --use-tp-pp-dp-mapping, the last two are exchanged.
    static constexpr Order USUAL_ORDER = {ParallelDimension::TENSOR,
                                          ParallelDimension::DATA,
                                          ParallelDimension::PIPELINE};

    /// One host.
    ParallelLayout() = default;

    ParallelLayout(const Sizes& sizes, const Order& order);

    /// @return how many ranks a group of a dimension has
    uint32_t SizeOf(ParallelDimension dimension) const;

    /// @return number of hosts: 0 and the next ones
    uint32_t CountHosts() const;

    /// @return where a host is in the grid
    Place PlaceOf(uint32_t host) const;

    /// @return the host of a place
    uint32_t HostAt(const Place& place) const;

    /// @return the group of a host, itself included, by rank
    std::vector<uint32_t> GroupOf(ParallelDimension dimension, uint32_t host) const;

    /// @return all groups of a dimension, in the order of their first hosts
    std::vector<std::vector<uint32_t>> ListGroups(ParallelDimension dimension) const;

  private:
    Sizes m_sizes;              //!< how many ranks there are
    Order m_order{USUAL_ORDER}; //!< which are neighbours
};

} // namespace aifabric
} // namespace ns3

#endif /* PARALLEL_LAYOUT_H */
