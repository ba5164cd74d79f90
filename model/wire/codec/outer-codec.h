/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTER_CODEC_H
#define OUTER_CODEC_H

#include "codec-result.h"

#include "ns3/buffer.h"
#include "ns3/fabric-frame.h"
#include "ns3/mac48-address.h"
#include "ns3/ptr.h"
#include "ns3/source-route-plan.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// What an outer header says.
struct OuterSummary
{
    uint32_t bytes{0};           //!< of the outer headers
    uint8_t tos{0};              //!< traffic class
    uint8_t ttl{0};              //!< hop limit
    bool isCut{false};           //!< the end of the packet is missing
    UsidScheme::Address route{}; //!< destination address: what is left of the route
};

/**
 * @ingroup ai-fabric
 *
 * Translates between the outer headers of a RoCE frame with source routing and their bytes: IPv6
 * (next header 41, or 43 if a segment routing header with a copy of the route is between), whose
 * destination is what is left of the route, and whose source is the address of the sender's port.
 * FabricFrame::GetTos() and FabricFrame::ttl are those of the outer header. The inner header has
 * the hop limit of a new frame, and no mark.
 */
class OuterCodec
{
  public:
    static constexpr uint32_t IPV6_BYTES = 40; //!< the outer header
    static constexpr uint8_t IPV6_IN_IP = 41;  //!< next header: an IPv6 packet follows
    static constexpr uint32_t COPY_BYTES = 24; //!< segment routing header with one segment

    /// @return bytes of the outer headers  @param hasCopy whether the route is copied
    static constexpr uint32_t GetBytes(bool hasCopy)
    {
        return IPV6_BYTES + (hasCopy ? COPY_BYTES : 0);
    }

    /// @return bytes of the outer headers of a frame; 0: it has none
    static uint32_t GetBytes(const FabricFrame& frame);

    /// @return the plane of a link, one end of which is a switch  @param plan of the fabric
    /// @param source MAC address of an end
    static uint16_t FindPlane(const SourceRoutePlan& plan,
                              Mac48Address source,
                              Mac48Address destination);

    /// @return a copy of a frame that has the fields of its inner header
    /// @param frame a frame with outer headers
    static Ptr<FabricFrame> MakeInner(const FabricFrame& frame);

    /**
     * Write the outer headers.
     *
     * @param [in,out] i where; then, behind them
     * @param frame a frame with outer headers
     * @param plane the plane of the frame
     * @param size bytes of the packet within
     */
    static void Write(Buffer::Iterator& i, const FabricFrame& frame, uint16_t plane, uint32_t size);

    /**
     * Read outer headers.
     *
     * @param start their first byte
     * @param available bytes from there on
     * @param plan what they are to be
     * @param [out] outer what they say
     * @return OK, or UNSUPPORTED if these are no outer headers, or TRUNCATED
     */
    static CodecResult Read(Buffer::Iterator start,
                            uint32_t available,
                            const SourceRoutePlan& plan,
                            OuterSummary& outer);

    /**
     * Give a frame that was read from its inner headers what the outer ones say.
     *
     * @param outer what they say
     * @param plan of the fabric
     * @return OK, or UNSUPPORTED if the destination is not what is left of the route of this frame,
     *         or the frame has a mark that its transport does not know
     */
    static CodecResult Complete(const OuterSummary& outer,
                                const SourceRoutePlan& plan,
                                FabricFrame& frame);
};

} // namespace aifabric
} // namespace ns3

#endif /* OUTER_CODEC_H */
