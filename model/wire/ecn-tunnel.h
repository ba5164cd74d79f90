/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ECN_TUNNEL_H
#define ECN_TUNNEL_H

#include "fabric-frame.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What happens to the traffic class byte (DSCP and ECN) of a packet in a tunnel: RFC 6040, normal
 * mode, and for the DSCP the pipe model of RFC 2983 at the end of the tunnel.
 */
namespace ecntunnel
{

/// @return the byte of the outer header of a packet that enters the tunnel: DSCP and ECN are
/// copied  @param inner the byte of the packet
constexpr uint8_t
Encapsulate(uint8_t inner)
{
    return inner;
}

/**
 * @param inner ECN of the packet in the tunnel
 * @param outer ECN of the outer header where the tunnel ends
 * @return ECN of the packet behind the tunnel (RFC 6040, figure 4); none: the packet is dropped,
 *         because a mark would be lost on a transport that does not speak ECN
 */
constexpr std::optional<EcnField>
Decapsulate(EcnField inner, EcnField outer)
{
    if (inner == ECN_NOT_ECT)
    {
        return outer == ECN_CE ? std::nullopt : std::optional<EcnField>(ECN_NOT_ECT);
    }
    if (inner == ECN_CE || outer == ECN_CE)
    {
        return ECN_CE;
    }
    return inner == ECN_ECT0 && outer == ECN_ECT1 ? ECN_ECT1 : inner;
}

/**
 * @param outer the byte of the outer header of a packet in the tunnel
 * @return the byte of its inner header, if switches changed nothing but set CE: a mark that is not
 *         in the inner header. Senders of this module use ECT(0).
 */
constexpr uint8_t
Inner(uint8_t outer)
{
    constexpr uint8_t ECN_BITS = 0x3;
    return (outer & ECN_BITS) == ECN_CE ? (outer & ~ECN_BITS) | ECN_ECT0 : outer;
}

} // namespace ecntunnel

} // namespace aifabric
} // namespace ns3

#endif /* ECN_TUNNEL_H */
