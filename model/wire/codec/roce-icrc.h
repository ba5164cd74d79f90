/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_ICRC_H
#define ROCE_ICRC_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The invariant CRC that ends a RoCEv2 packet (InfiniBand Architecture Specification, volume 1,
 * clause 7.8.1 and Annex A17.3.3).
 *
 * It is the CRC-32 of Ethernet over eight bytes of ones (the place of InfiniBand's local route
 * header) and the packet from its IP header up to its pad, where all that a network may change on
 * the way counts as ones: TOS, TTL and checksum of IPv4, or traffic class, flow label and hop limit
 * of IPv6; the UDP checksum; and the byte of the BTH with FECN and BECN. It is sent with the least
 * significant byte first.
 */
class RoceIcrc
{
  public:
    static constexpr uint32_t SIZE = 4; //!< size in bytes

    /**
     * Calculate the ICRC of a packet.
     *
     * @param packet the packet from its IP header (IPv4 without options, or IPv6 without extension
     *        headers) on, without the ICRC
     * @param size its size in bytes, at least the IP, UDP and base transport headers
     * @return the ICRC
     */
    static uint32_t Calculate(const uint8_t* packet, uint32_t size);
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_ICRC_H */
