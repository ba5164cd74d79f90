/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROTOCOL_CODEC_H
#define PROTOCOL_CODEC_H

#include "codec-result.h"
#include "ip-codec.h"

#include "ns3/buffer.h"
#include "ns3/ethernet-header.h"
#include "ns3/fabric-frame.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// The bytes of a frame, for the codec of its protocol.
struct FrameBytes
{
    Ptr<const Packet> packet; //!< from the Ethernet header on; null if there are headers alone
    const uint8_t* body{
        nullptr};           //!< the first byte above Ethernet; null if there are headers alone
    Buffer::Iterator start; //!< the first byte above Ethernet
    IpSummary ip;           //!< of an IP protocol: its IP header and ports
    bool isTrimmed{false};  //!< whether a switch may have cut off the end
};

/**
 * @ingroup ai-fabric
 *
 * Translates between the frames of one protocol above Ethernet and their bytes. FrameCodec finds
 * the codec of a frame by its FrameKind, and that of bytes by EtherType and UDP port: a new
 * protocol is a subclass and a line in these tables.
 */
class ProtocolCodec
{
  public:
    virtual ~ProtocolCodec() = default;

    /// @return bytes above Ethernet, as long as the frame is whole
    virtual uint32_t GetBytes(const FabricFrame& frame) const = 0;

    /// @return bytes of all headers above Ethernet
    virtual uint32_t GetHeaderBytes(const FabricFrame& frame) const = 0;

    /**
     * Set the EtherType, and the destination if the protocol has one of its own.
     *
     * @param [in,out] ethernet the header, with the MAC addresses of the link
     */
    virtual void SetEthernet(const FabricFrame& frame, EthernetHeader& ethernet) const = 0;

    /// Write all headers above Ethernet.
    virtual void WriteHeaders(Buffer::Iterator i, const FabricFrame& frame) const = 0;

    /// @return the bytes above Ethernet of a whole frame
    virtual Ptr<Packet> Write(const FabricFrame& frame) const = 0;

    /// Set the fields of a new frame by its bytes, which are checked.
    /// @param [in,out] frame a new frame  @return OK, or why there is no frame
    virtual CodecResult Read(const FrameBytes& bytes, FabricFrame& frame) const = 0;

    /// Set the fields of a new frame by what WriteHeaders() wrote.  @param bytes these headers
    /// @param [in,out] frame a new frame  @return OK, or why there is no frame
    virtual CodecResult ReadHeaders(const FrameBytes& bytes, FabricFrame& frame) const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* PROTOCOL_CODEC_H */
