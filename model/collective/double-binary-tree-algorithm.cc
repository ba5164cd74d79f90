/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "double-binary-tree-algorithm.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the lowest bit that is set  @param number a number that is not 0
uint32_t
LowestBit(uint32_t number)
{
    return number & (~number + 1);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DoubleBinaryTreeAlgorithm);

TypeId
DoubleBinaryTreeAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::DoubleBinaryTreeAlgorithm")
            .SetParent<TreeAlgorithm>()
            .SetGroupName("AiFabric")
            .AddConstructor<DoubleBinaryTreeAlgorithm>()
            .AddAttribute("Trees",
                          "Number of trees: 2, each for half of the data, or 1 for all of it.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&DoubleBinaryTreeAlgorithm::m_trees),
                          MakeUintegerChecker<uint32_t>(1, 2));
    return tid;
}

uint32_t
DoubleBinaryTreeAlgorithm::CountLanes() const
{
    return m_trees * CollectiveAlgorithm::CountLanes();
}

uint32_t
DoubleBinaryTreeAlgorithm::CountPlaces() const
{
    return HasRoot(GetKind()) ? GetRanks() - 1 : GetRanks();
}

bool
DoubleBinaryTreeAlgorithm::IsAbove(uint32_t rank) const
{
    return HasRoot(GetKind()) && rank == GetRoot();
}

uint32_t
DoubleBinaryTreeAlgorithm::PlaceOf(uint32_t rank, uint32_t lane) const
{
    const uint32_t places = CountPlaces();
    const uint32_t place =
        HasRoot(GetKind()) ? (uint64_t{rank} + GetRanks() - GetRoot()) % GetRanks() : rank + 1;
    if (lane % m_trees == 0)
    {
        return place;
    }
    if (places % 2 == 0)
    {
        return places + 1 - place;
    }
    return place == 1 ? places : place - 1;
}

uint32_t
DoubleBinaryTreeAlgorithm::RankOf(uint32_t place, uint32_t lane) const
{
    const uint32_t places = CountPlaces();
    uint32_t first = place; // the place in the first tree
    if (lane % m_trees != 0)
    {
        first = places % 2 == 0 ? places + 1 - place : place % places + 1;
    }
    return HasRoot(GetKind()) ? (uint64_t{GetRoot()} + first) % GetRanks() : first - 1;
}

std::optional<uint32_t>
DoubleBinaryTreeAlgorithm::GetParent(uint32_t rank, uint32_t lane) const
{
    if (IsAbove(rank))
    {
        return std::nullopt;
    }
    const uint32_t place = PlaceOf(rank, lane);
    const uint32_t bit = LowestBit(place);
    const uint32_t rest = place - bit;
    const uint64_t above = rest | uint64_t{bit} << 1;
    if (above <= CountPlaces())
    {
        return RankOf(above, lane);
    }
    if (rest > 0)
    {
        return RankOf(rest, lane); // the places between the two do not exist
    }
    return HasRoot(GetKind()) ? std::optional(GetRoot()) : std::nullopt;
}

std::vector<uint32_t>
DoubleBinaryTreeAlgorithm::GetChildren(uint32_t rank, uint32_t lane) const
{
    const uint32_t places = CountPlaces();
    if (IsAbove(rank))
    {
        uint32_t top = 1;
        while (top <= places / 2)
        {
            top *= 2;
        }
        return places == 0 ? std::vector<uint32_t>{} : std::vector{RankOf(top, lane)};
    }
    const uint32_t place = PlaceOf(rank, lane);
    uint32_t half = LowestBit(place) / 2;
    if (half == 0)
    {
        return {};
    }
    std::vector<uint32_t> children{RankOf(place - half, lane)};
    while (half > places - place)
    {
        half /= 2; // the place between the two does not exist
    }
    if (half > 0)
    {
        children.push_back(RankOf(place + half, lane));
    }
    return children;
}

} // namespace aifabric
} // namespace ns3
