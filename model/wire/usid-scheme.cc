/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "usid-scheme.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr std::size_t BLOCK_BYTES = 4; //!< bytes of the block
constexpr uint32_t CLASS_SHIFT = 12;   //!< place of the class in a uSID
constexpr uint32_t PLANE_SHIFT = 16;   //!< place of the plane in an entropy value
constexpr uint32_t BYTE = 8;           //!< bits of a byte

} // namespace

UsidScheme::UsidScheme(uint32_t block, uint8_t indexBits)
    : m_block(block),
      m_indexBits(indexBits)
{
    NS_ASSERT_MSG(indexBits >= LEAST_INDEX_BITS && indexBits <= NUMBER_BITS,
                  "a uSID has 4 to 12 bits of index");
}

uint16_t
UsidScheme::Make(const Usid& usid) const
{
    NS_ASSERT_MSG(usid.plane < CountPlanes() && usid.index < CountIndices(), "no room in a uSID");
    return static_cast<uint16_t>(usid.kind) << CLASS_SHIFT | usid.plane << m_indexBits | usid.index;
}

std::optional<Usid>
UsidScheme::Read(uint16_t usid) const
{
    const auto kind = static_cast<UsidClass>(usid >> CLASS_SHIFT);
    if (kind != UsidClass::LEAF && kind != UsidClass::SPINE && kind != UsidClass::CORE &&
        kind != UsidClass::NIC)
    {
        return std::nullopt;
    }
    const auto plane = static_cast<uint16_t>(usid >> m_indexBits & (CountPlanes() - 1));
    const auto index = static_cast<uint16_t>(usid & (CountIndices() - 1));
    return Usid{kind, plane, index};
}

UsidScheme::Address
UsidScheme::ToAddress(const List& list, std::size_t first) const
{
    NS_ASSERT_MSG(list.size() <= CARRIER + first, "an address has room for 6 uSIDs");
    Address address{};
    for (std::size_t i = 0; i < BLOCK_BYTES; ++i)
    {
        address[i] = m_block >> (BYTE * (BLOCK_BYTES - 1 - i));
    }
    std::size_t place = BLOCK_BYTES;
    for (std::size_t i = first; i < list.size(); ++i)
    {
        address[place++] = list[i] >> BYTE;
        address[place++] = list[i];
    }
    return address;
}

std::optional<UsidScheme::List>
UsidScheme::ToList(const Address& address) const
{
    for (std::size_t i = 0; i < BLOCK_BYTES; ++i)
    {
        if (address[i] != (m_block >> (BYTE * (BLOCK_BYTES - 1 - i)) & 0xFF))
        {
            return std::nullopt;
        }
    }
    List list;
    for (std::size_t place = BLOCK_BYTES; place < address.size(); place += 2)
    {
        const uint16_t usid = address[place] << BYTE | address[place + 1];
        if (usid == 0)
        {
            break;
        }
        list.push_back(usid);
    }
    return list;
}

UsidScheme::Address
UsidScheme::Shift(const Address& address, uint32_t bits)
{
    const std::size_t bytes = bits / BYTE;
    Address shifted{};
    std::copy_n(address.begin(), BLOCK_BYTES, shifted.begin());
    std::copy(address.begin() + BLOCK_BYTES + bytes, address.end(), shifted.begin() + BLOCK_BYTES);
    return shifted;
}

bool
UsidScheme::IsLast(const Address& address, uint32_t bits)
{
    return std::all_of(address.begin() + BLOCK_BYTES + bits / BYTE,
                       address.end(),
                       [](uint8_t byte) { return byte == 0; });
}

UsidScheme::List
UsidScheme::ToList(const UsidRoute& route) const
{
    const auto plane = static_cast<uint16_t>(route.entropy >> PLANE_SHIFT);
    const auto uplink = static_cast<uint16_t>(route.entropy);
    const uint16_t nic = Make({UsidClass::NIC, plane, route.downlink});
    const uint16_t first = Make({UsidClass::LEAF, plane, route.sourceLeaf});
    if (route.sourceLeaf == route.destinationLeaf)
    {
        return {first, nic};
    }
    return {first,
            Make({UsidClass::SPINE, plane, uplink}),
            Make({UsidClass::LEAF, plane, route.destinationLeaf}),
            nic};
}

std::optional<UsidRoute>
UsidScheme::ToRoute(const List& list) const
{
    constexpr std::size_t SHORT = 2; // under one leaf
    constexpr std::size_t LONG = 4;
    if (list.size() != SHORT && list.size() != LONG)
    {
        return std::nullopt;
    }
    const auto first = Read(list.front());
    const auto spine = Read(list[1]);
    const auto last = Read(list[list.size() - 2]);
    const auto nic = Read(list.back());
    if (!first || !last || !nic || !spine)
    {
        return std::nullopt;
    }
    UsidRoute route{static_cast<uint32_t>(first->plane) << PLANE_SHIFT,
                    first->index,
                    last->index,
                    nic->index};
    if (list.size() == LONG)
    {
        route.entropy |= spine->index;
    }
    return ToList(route) == list ? std::optional<UsidRoute>(route) : std::nullopt;
}

} // namespace aifabric
} // namespace ns3
