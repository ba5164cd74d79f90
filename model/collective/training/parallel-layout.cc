/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parallel-layout.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the coordinate of a place  @param dimension TENSOR, DATA or PIPELINE
uint32_t&
CoordinateOf(ParallelLayout::Place& place, ParallelDimension dimension)
{
    return dimension == ParallelDimension::TENSOR     ? place.tensor
           : dimension == ParallelDimension::PIPELINE ? place.pipeline
                                                      : place.data;
}

} // namespace

ParallelLayout::ParallelLayout(const Sizes& sizes, const Order& order)
    : m_sizes(sizes),
      m_order(order)
{
}

uint32_t
ParallelLayout::SizeOf(ParallelDimension dimension) const
{
    switch (dimension)
    {
    case ParallelDimension::TENSOR:
        return m_sizes.tensor;
    case ParallelDimension::PIPELINE:
        return m_sizes.pipeline;
    case ParallelDimension::EXPERT:
        return m_sizes.expert;
    case ParallelDimension::EXPERT_DATA:
        return m_sizes.data / m_sizes.expert;
    case ParallelDimension::DATA:
        break;
    }
    return m_sizes.data;
}

uint32_t
ParallelLayout::CountHosts() const
{
    return m_sizes.tensor * m_sizes.pipeline * m_sizes.data;
}

ParallelLayout::Place
ParallelLayout::PlaceOf(uint32_t host) const
{
    Place place{};
    for (const ParallelDimension dimension : m_order)
    {
        CoordinateOf(place, dimension) = host % SizeOf(dimension);
        host /= SizeOf(dimension);
    }
    return place;
}

uint32_t
ParallelLayout::HostAt(const Place& place) const
{
    Place copy = place;
    uint32_t host = 0;
    uint32_t stride = 1;
    for (const ParallelDimension dimension : m_order)
    {
        host += CoordinateOf(copy, dimension) * stride;
        stride *= SizeOf(dimension);
    }
    return host;
}

std::vector<uint32_t>
ParallelLayout::GroupOf(ParallelDimension dimension, uint32_t host) const
{
    Place place = PlaceOf(host);
    uint32_t& coordinate = CoordinateOf(place, dimension);
    const uint32_t step = dimension == ParallelDimension::EXPERT_DATA ? m_sizes.expert : 1;
    const uint32_t first =
        dimension == ParallelDimension::EXPERT        ? coordinate - coordinate % m_sizes.expert
        : dimension == ParallelDimension::EXPERT_DATA ? coordinate % m_sizes.expert
                                                      : 0;
    std::vector<uint32_t> group;
    for (uint32_t rank = 0; rank < SizeOf(dimension); ++rank)
    {
        coordinate = first + rank * step;
        group.push_back(HostAt(place));
    }
    return group;
}

std::vector<std::vector<uint32_t>>
ParallelLayout::ListGroups(ParallelDimension dimension) const
{
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t host = 0; host < CountHosts(); ++host)
    {
        std::vector<uint32_t> group = GroupOf(dimension, host);
        if (group.front() == host)
        {
            groups.push_back(std::move(group));
        }
    }
    return groups;
}

} // namespace aifabric
} // namespace ns3
