/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef USID_SCHEME_H
#define USID_SCHEME_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What a micro-SID names: the upper four bits of a uSID.
enum class UsidClass : uint8_t
{
    LEAF = 1,  //!< a switch of tier 0
    SPINE = 2, //!< a switch of tier 1
    CORE = 3,  //!< a switch of tier 2
    NIC = 0xE, //!< a port of a leaf to a host; its index counts the ports of this leaf alone
};

/// The parts of a micro-SID (16 bits).
struct Usid
{
    UsidClass kind; //!< what it names
    uint16_t plane; //!< plane of the fabric, from 0 on
    uint16_t index; //!< number within class and plane, from 0 on
};

/// The route of a packet in a plane of two tiers: the path (an entropy value, EV), and its ends.
struct UsidRoute
{
    uint32_t entropy{0};         //!< plane (from bit 16 on) and uplink of the source leaf, which is
                                 //!< the index of the spine (from bit 0 on)
    uint16_t sourceLeaf{0};      //!< index of the leaf of the sender
    uint16_t destinationLeaf{0}; //!< index of the leaf of the receiver
    uint16_t downlink{0};        //!< port of that leaf to the receiver
};

/**
 * @ingroup ai-fabric
 *
 * The micro-SIDs (uSIDs) of a fabric, and the IPv6 addresses that are lists of them: F3216 of RFC
 * 9800 (NEXT-CSID), a block of 32 bits and up to 6 uSIDs of 16 bits; a uSID of 0 ends the list.
 *
 * A uSID has a class (4 bits), a plane and an index, which share the other 12 bits: with 9 bits of
 * index there are 8 planes of 512 switches a tier; with 12 bits one plane of 4096. All functions
 * are arithmetic, and each has an inverse: an address names one path.
 */
class UsidScheme
{
  public:
    using Address = std::array<uint8_t, 16>; //!< an IPv6 address in network order
    using List = std::vector<uint16_t>;      //!< uSIDs in the order in which they are consumed

    static constexpr uint32_t DEFAULT_BLOCK = 0x5f000000; //!< of 5f00::/16 (RFC 9602)
    static constexpr std::size_t CARRIER = 6;             //!< uSIDs that an address has room for
    static constexpr uint32_t NODE_BITS = 16;             //!< what uN consumes of an address
    static constexpr uint32_t ADJACENCY_BITS = 32;        //!< what uA with its node consumes
    static constexpr uint8_t LEAST_INDEX_BITS = 4;        //!< the least that an index may have
    static constexpr uint8_t NUMBER_BITS = 12;            //!< bits of plane and index together

    /**
     * @param block the first 32 bits of each address
     * @param indexBits bits of the index, LEAST_INDEX_BITS to NUMBER_BITS; the plane has the rest
     */
    explicit UsidScheme(uint32_t block = DEFAULT_BLOCK, uint8_t indexBits = 9);

    /// @return the number of planes that have names
    uint32_t CountPlanes() const
    {
        return 1U << (NUMBER_BITS - m_indexBits);
    }

    /// @return the number of members of a class in a plane that have names
    uint32_t CountIndices() const
    {
        return 1U << m_indexBits;
    }

    /// @return the uSID  @param usid its parts, within CountPlanes() and CountIndices()
    uint16_t Make(const Usid& usid) const;

    /// @return the parts of a uSID; none if its class is unknown
    std::optional<Usid> Read(uint16_t usid) const;

    /// @return the address that is a list  @param list at most CARRIER uSIDs
    /// @param first the place in the list of the first uSID that the address shall have
    Address ToAddress(const List& list, std::size_t first = 0) const;

    /// @return the list that an address is; none if it is not of the block
    std::optional<List> ToList(const Address& address) const;

    /**
     * NEXT-CSID: consume the first uSID.
     *
     * @param address the address, with another uSID behind the first one
     * @param bits NODE_BITS or ADJACENCY_BITS
     * @return the address with the bits behind the block removed, and zeros at its end
     */
    static Address Shift(const Address& address, uint32_t bits = NODE_BITS);

    /// @return whether nothing but zeros is behind the first uSID of an address, so that it is not
    /// shifted but ends here  @param bits of the first uSID: NODE_BITS or ADJACENCY_BITS
    static bool IsLast(const Address& address, uint32_t bits = NODE_BITS);

    /// @return the uSIDs of a route: leaf, spine, leaf, NIC; under one leaf, leaf and NIC
    List ToList(const UsidRoute& route) const;

    /// @return the route of a list, whose uplink is 0 under one leaf; none if no route has this
    /// list
    std::optional<UsidRoute> ToRoute(const List& list) const;

  private:
    uint32_t m_block;    //!< the first 32 bits of each address
    uint8_t m_indexBits; //!< bits of the index
};

} // namespace aifabric
} // namespace ns3

#endif /* USID_SCHEME_H */
